import type { Stage } from "../stage/contract";
import type { Piece } from "./tree";

const REDRAW = 400; // ms, at most so often while a run goes on

/** Which pieces bodies of the take broke into, as the tree shows them. */
export class Pieces {
  private readonly children = new Map<number, number[]>(); // of each body of the take
  private known = 0; // bodies
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly stage: Stage,
    private readonly changed: () => void,
  ) {}

  /** What a part of the scene became. */
  of(pointer: string): Piece[] {
    return this.stage.bodiesOf(pointer).flatMap((id) => this.piece(id));
  }

  ofBody(body: number): Piece[] {
    return (this.children.get(body) ?? []).flatMap((id) => this.piece(id));
  }

  private piece(id: number): Piece[] {
    const body = this.stage.recording.bodies[id];
    return body ? [{ id, name: body.name, note: "", pieces: this.children.get(id)?.length ?? 0 }] : [];
  }

  /** The take has grown; `fresh`: it is another. */
  grown(fresh: boolean): void {
    if (fresh) this.gather();
    else if (this.stage.recording.bodies.length !== this.known) {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.gather();
      }, REDRAW);
    }
  }

  private gather(): void {
    const { bodies } = this.stage.recording;
    this.children.clear();
    for (const { id, parent } of bodies) {
      const list = this.children.get(parent);
      if (list) list.push(id);
      else this.children.set(parent, [id]);
    }
    this.known = bodies.length;
    this.changed();
  }
}
