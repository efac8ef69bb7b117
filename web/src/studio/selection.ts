import type { Stage } from "../stage/contract";
import { nameOf } from "./panel";
import type { Store } from "./store";

/** What is selected: parts of the scene, or pieces of the take. What is marked on the stage follows. */
export class Selection {
  pointers: readonly string[] = [];
  bodies: readonly number[] = []; // pieces of the take that were chosen by themselves

  constructor(
    private readonly store: Store,
    private readonly stage: Stage,
    private readonly changed: (byTree: boolean) => void,
  ) {}

  /** `byTree`: the tree shows it already. */
  set(pointers: readonly string[], bodies: readonly number[] = [], byTree = false): void {
    this.pointers = pointers;
    this.bodies = bodies;
    this.mark();
    this.changed(byTree);
  }

  setAll(): void {
    const bodies = this.store.document["bodies"];
    this.set(Array.isArray(bodies) ? bodies.map((_, i) => `/bodies/${i}`) : []);
  }

  /** Parts of the scene are selected, not just the scene itself. */
  get hasParts(): boolean {
    return this.pointers.some((pointer) => pointer !== "");
  }

  /** Bodies of the take: those chosen by themselves, or what the parts of the scene became. */
  get inTake(): readonly number[] {
    return this.bodies.length > 0 ? this.bodies : this.pointers.flatMap((pointer) => (pointer === "" ? [] : this.stage.bodiesOf(pointer)));
  }

  /** Parts of the scene whose properties are shown: of pieces, those they came of. */
  get sources(): readonly string[] {
    const found = this.pointers.length > 0 ? this.pointers : [...new Set(this.bodies.flatMap((body) => this.stage.pointerOf(body) ?? []))];
    return found.length > 0 ? found : [""];
  }

  /** The document is another: what is gone is not selected any more. */
  documentChanged(): void {
    this.pointers = this.pointers.filter((pointer) => nameOf(this.store.document, pointer) !== "" || pointer === "");
  }

  /** The take has grown; `fresh`: it is another, and has other pieces. */
  takeChanged(fresh: boolean): void {
    if (fresh) this.bodies = [];
    this.mark();
  }

  private mark(): void {
    const shown = this.inTake;
    if (!sameNumbers(shown, this.stage.selection)) this.stage.select(shown);
  }

  /** All numbers of what is selected, to be pasted anywhere. */
  facts(): string {
    const { recording, player } = this.stage;
    return this.inTake
      .map((id) => {
        const { track, ...facts } = recording.bodies[id]!;
        const pose = new Float32Array(7);
        track.sample(player.frame, pose);
        return JSON.stringify(
          { ...facts, frame: player.frame, centre_of_mass: [...pose.slice(0, 3)], rotation_xyzw: [...pose.slice(3)] },
          null,
          2,
        );
      })
      .join("\n");
  }
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
