import { isAlive, type Mesh, type Recording } from "../core/recording";
import { CommandError, type BinaryAnswer, type Connection, type JsonObject, type Status, type TakeStatus } from "../server/contract";
import type { BodyNews } from "./live_recording";

/** A server for tests: what it has of a recording grows as the test says. */

const TAKE: TakeStatus = {
  id: 1,
  state: "running",
  first: 0,
  last: 0,
  wanted: 100,
  valid_to: 0,
  stale: false,
  pace: "real",
  dt: 1 / 30,
  bodies: 0,
  alive: 0,
  breaks: 0,
  events: 0,
  fps: 30,
  eta: null,
  waiting: null,
  work: null,
  problem: null,
  before: null,
};

export function meshBytes(mesh: Mesh): ArrayBuffer {
  const bytes = new ArrayBuffer(12 + 4 * mesh.positions.length + 4 * mesh.triangles.length);
  new Uint32Array(bytes, 0, 3).set([mesh.positions.length / 3, mesh.triangles.length / 3, mesh.outside]);
  new Float32Array(bytes, 12, mesh.positions.length).set(mesh.positions);
  new Uint32Array(bytes, 12 + 4 * mesh.positions.length).set(mesh.triangles);
  return bytes;
}

function joined(parts: readonly ArrayBuffer[]): ArrayBuffer {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(new Uint8Array(part), at);
    at += part.byteLength;
  }
  return whole.buffer;
}

/** As the server packs frames: all that live in the first, what changed in the others. */
export function frameBytes(recording: Recording, from: number, to: number): ArrayBuffer {
  const parts: ArrayBuffer[] = [];
  const before = new Map<number, string>();
  for (let frame = from; frame <= to; ++frame) {
    const rows: number[][] = [];
    for (const body of recording.bodies) {
      if (!isAlive(body, frame)) continue;
      const pose = new Float32Array(7);
      body.track.sample(frame, pose);
      if (before.get(body.id) === pose.join()) continue;
      before.set(body.id, pose.join());
      rows.push([body.id, ...pose]);
    }
    const bytes = new ArrayBuffer(8 + 32 * rows.length);
    new Uint32Array(bytes, 0, 2).set([frame, rows.length]);
    rows.forEach((row, i) => {
      new Uint32Array(bytes, 8 + 32 * i, 1)[0] = row[0]!;
      new Float32Array(bytes, 12 + 32 * i, 7).set(row.slice(1));
    });
    parts.push(bytes);
  }
  return joined(parts);
}

export class FakeConnection implements Connection {
  status: Status | undefined;
  readonly asked: { command: string; args: Record<string, unknown> }[] = [];
  /** When set, answers wait until it is called. */
  private gate: Promise<void> = Promise.resolve();
  private readonly listeners = new Set<(status: Status) => void>();

  constructor(public recording: Recording) {}

  /** Notices that frames up to this one are there. */
  tell(last: number, change: Partial<TakeStatus> = {}): void {
    const { bodies, events, dt, firstFrame } = this.recording;
    const born = bodies.filter((body) => body.born <= last);
    const take: TakeStatus = {
      ...TAKE,
      id: this.status?.take.id ?? 1,
      first: firstFrame,
      last,
      dt,
      bodies: born.length,
      alive: bodies.filter((body) => isAlive(body, last)).length,
      events: events.filter((event) => event.frame <= last).length,
      ...change,
    };
    this.status = {
      document: { version: 1, path: null, saved: true, undo: null, redo: null, recoveries: 0, errors: 0 },
      take,
      log: 0,
      jobs: [],
    };
    for (const listener of this.listeners) listener(this.status);
  }

  onStatus(listener: (status: Status) => void): () => void {
    this.listeners.add(listener);
    if (this.status) listener(this.status);
    return () => this.listeners.delete(listener);
  }

  /** Answers wait until what this returns is called. */
  hold(): () => void {
    let open = (): void => {};
    this.gate = new Promise((resolve) => (open = resolve));
    return open;
  }

  count(command: string): number {
    return this.asked.filter((question) => question.command === command).length;
  }

  private async note(command: string, args: object): Promise<Record<string, unknown>> {
    const known = args as Record<string, unknown>;
    this.asked.push({ command, args: known });
    await this.gate;
    if (known["take"] !== undefined && known["take"] !== this.status?.take.id) throw new CommandError("that take is not shown any more");
    return known;
  }

  async ask<T>(command: string, args: object = {}): Promise<T> {
    const known = await this.note(command, args);
    return this.answer(command, known) as T;
  }

  private answer(command: string, args: Record<string, unknown>): unknown {
    const { recording } = this;
    const { last } = this.status!.take;
    switch (command) {
      case "bodies": {
        const from = args["deaths_from"] as number | undefined;
        const born = recording.bodies.filter((body) => body.born <= last);
        const deaths = born
          .filter((body) => from !== undefined && body.died >= from && body.died <= last)
          .map((body) => [body.id, body.died]);
        return { bodies: born.slice(args["from"] as number).map((body) => this.newsOf(body.id, last)), looks: this.looks(), last, deaths };
      }
      case "events":
        return { events: recording.events.filter((event) => event.frame <= last).slice(args["from"] as number) };
      case "figures": {
        const [from, to] = [(args["from"] as number) - recording.firstFrame, Math.min(args["to"] as number, last) - recording.firstFrame];
        const series = [...recording.series.keys()];
        const values = series.map((name) => [...recording.series.get(name)!.slice(from, to + 1)]);
        return { from: args["from"], count: to - from + 1, series, times: [...recording.times.slice(from, to + 1)], values };
      }
      default:
        throw new CommandError(`there is no command ${command}`);
    }
  }

  private looks(): JsonObject[] {
    return this.recording.looks.map((look) => ({
      name: look.name,
      look: look.kind,
      family: look.family,
      mottle: look.mottle,
      bumps: look.bumps,
      flecks: look.flecks,
      pores: look.pores,
      speckle: look.speckle,
      warmth: look.warmth,
      colour: [...look.colour],
      shine: { ...look.shine },
      inside_colour: [...look.insideColour],
      inside_shine: { ...look.insideShine },
    }));
  }

  private newsOf(id: number, last: number): BodyNews {
    const body = this.recording.bodies[id]!;
    return {
      id,
      name: body.name,
      parent: body.parent < 0 ? null : body.parent,
      root: body.root,
      mesh: body.mesh < 0 ? null : `m${body.mesh}`,
      half_space: body.halfSpace,
      kind: body.kind,
      look: body.look,
      method: body.method,
      mass: body.mass,
      volume: body.volume,
      centre: [...body.centre],
      born: body.born,
      died: body.died <= last ? body.died : null,
      source: body.parent < 0 ? `/bodies/${id}` : null,
    };
  }

  async askBytes(command: string, args: object = {}): Promise<BinaryAnswer> {
    const known = await this.note(command, args);
    if (command === "frames") {
      const last = this.status!.take.last;
      return { header: {}, bytes: frameBytes(this.recording, known["from"] as number, Math.min(known["to"] as number, last)) };
    }
    if (command !== "meshes") throw new CommandError(`there is no command ${command}`);
    const hashes = known["hashes"] as string[];
    return { header: { count: hashes.length }, bytes: joined(hashes.map((hash) => meshBytes(this.meshOf(hash)))) };
  }

  private meshOf(hash: string): Mesh {
    return this.recording.meshes[Number(hash.slice(1))]!;
  }

  async fetchBytes(path: string): Promise<ArrayBuffer> {
    await this.note("GET", { path });
    return meshBytes(this.meshOf(path.replace("/mesh/", "")));
  }
}

/** Everything that is ready to be done has been done. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 40; ++i) await Promise.resolve();
}
