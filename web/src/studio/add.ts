import type { Recording, Vec3 } from "../core/recording";
import type { Json, JsonObject, Operation } from "../server/contract";
import { appendPatch, freeName, isObject, join, setPatch, valueAt } from "../server/pointer";
import { rotated, type Quaternion } from "../server/rotations";
import type { Stage } from "../stage/contract";
import type { Catalogue } from "./presets";
import { labelOf } from "./schema";
import type { Store } from "./store";
import type { Unit } from "./units";

/** Puts new things into the scene, each as one undo step, and says where they are. */
export class Adder {
  constructor(
    private readonly store: Store,
    private readonly stage: () => Stage,
    private readonly selected: () => readonly number[], // bodies of the take
    private readonly catalogue: Catalogue,
  ) {}

  /** On what is selected; else where someone points, or in the middle of the floor. */
  shape(name: string, at?: Vec3): Promise<string> {
    const base = at ?? this.place();
    const free = freeName(name, this.store.names());
    const { body, material } = this.catalogue.newBody(
      name,
      free,
      name === "plane" ? [0, 0, 0] : [base[0], base[1] + this.catalogue.liftOf(name), base[2]],
    );
    return this.body(`Add ${labelOf(name).toLowerCase()}`, body, material);
  }

  mesh(
    file: string,
    bounds: { min: readonly number[]; max: readonly number[] } | undefined,
    volume: number | undefined,
    unit: Unit,
    at?: Vec3,
  ): Promise<string> {
    const base = at ?? this.place();
    const stem = file
      .slice(file.lastIndexOf("/") + 1)
      .replace(/\.[^.]*$/, "")
      .replace(/-repaired$/, "");
    const free = freeName(stem.replace(/[^\w.-]+/g, "_") || "mesh", this.store.names());
    const lift = bounds ? -bounds.min[1]! * unit.metres : 0;
    const place = [base[0], base[1] + lift, base[2]];
    const { body, material } = this.catalogue.newMeshBody(this.relative(file), free, place, volume, unit);
    return this.body(`Add ${free}`, body, material);
  }

  /** How strong bodies are inside. */
  async volume(bodies: readonly string[], file: string): Promise<void> {
    const { document } = this.store;
    await this.store.edit(
      "Strength volume",
      bodies.flatMap((body) => setPatch(document, join(body, "strength_volume", "file"), this.relative(file))),
    );
  }

  /** An entry of a list of the scene. */
  async entry(label: string, list: string, value: Json): Promise<string> {
    const { patch, pointer } = appendPatch(this.store.document, list, value);
    await this.store.edit(label, patch);
    return pointer;
  }

  async material(): Promise<string> {
    const names = new Set(Object.keys((valueAt(this.store.document, "/materials") as JsonObject | undefined) ?? {}));
    const pointer = join("/materials", freeName("material", names));
    await this.store.edit("Add a material", setPatch(this.store.document, pointer, { base: "stone" }));
    return pointer;
  }

  async duplicate(pointers: readonly string[]): Promise<string[]> {
    const patch: Operation[] = [];
    const made: string[] = [];
    const names = this.store.names();
    const counts = new Map<string, number>();
    for (const pointer of pointers) {
      const value = valueAt(this.store.document, pointer);
      const list = pointer.slice(0, pointer.lastIndexOf("/"));
      const before = valueAt(this.store.document, list);
      if (value === undefined || !Array.isArray(before)) continue;
      const count = counts.get(list) ?? before.length;
      counts.set(list, count + 1);
      const name = isObject(value) && typeof value["name"] === "string" ? freeName(value["name"], names) : undefined;
      if (name !== undefined) names.add(name);
      patch.push({ op: "add", path: `${list}/-`, value: name === undefined ? value : { ...(value as JsonObject), name } });
      made.push(join(list, count));
    }
    await this.store.edit("Duplicate", patch);
    return made;
  }

  async remove(pointers: readonly string[]): Promise<void> {
    const there = pointers.filter((pointer) => pointer !== "" && valueAt(this.store.document, pointer) !== undefined);
    const last = (pointer: string): number => Number(pointer.slice(pointer.lastIndexOf("/") + 1));
    const order = [...there].sort((a, b) => last(b) - last(a)); // from the end, so that the others stay where they are
    await this.store.edit(
      "Delete",
      order.map((path): Operation => ({ op: "remove", path })),
    );
  }

  private async body(label: string, body: JsonObject, material: { name: string; value: JsonObject } | undefined): Promise<string> {
    const { document } = this.store;
    const { patch, pointer } = appendPatch(document, "/bodies", body);
    const missing = material && valueAt(document, join("/materials", material.name)) === undefined;
    const first = missing ? setPatch(document, join("/materials", material.name), material.value) : [];
    await this.store.edit(label, [...first, ...patch]);
    return pointer;
  }

  private place(): Vec3 {
    const stage = this.stage();
    const [only, ...others] = this.selected();
    const top = only !== undefined && others.length === 0 ? topOf(stage.recording, only, stage.recording.firstFrame) : undefined;
    if (top) return top;
    return stage.recording.bodies.some((body) => body.mesh >= 0) ? stage.placeAt() : [0, 0, 0];
  }

  /** Scenes name files relative to their own folder, the server relative to the project. */
  private relative(file: string): string {
    const folders = (this.store.path ?? "").split("/").slice(0, -1);
    const parts = file.split("/");
    while (folders.length > 0 && parts.length > 1 && folders[0] === parts[0]) {
      folders.shift();
      parts.shift();
    }
    return [...folders.map(() => ".."), ...parts].join("/");
  }
}

/** The middle of a body's upper side. */
export function topOf(recording: Recording, id: number, frame: number): Vec3 | undefined {
  const body = recording.bodies[id];
  const mesh = body && recording.meshes[body.mesh];
  if (!body || !mesh || mesh.positions.length === 0 || body.track.samples === 0) return undefined;
  const pose = new Float32Array(7);
  body.track.sample(frame, pose);
  const q: Quaternion = [pose[3]!, pose[4]!, pose[5]!, pose[6]!];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < mesh.positions.length; i += 3) {
    const p = rotated(
      q,
      [0, 1, 2].map((k) => mesh.positions[i + k]! - body.centre[k]!),
    );
    for (let k = 0; k < 3; ++k) {
      const at = p[k]! + pose[k]!;
      low[k] = Math.min(low[k]!, at);
      high[k] = Math.max(high[k]!, at);
    }
  }
  return [(low[0]! + high[0]!) / 2, high[1]!, (low[2]! + high[2]!) / 2];
}
