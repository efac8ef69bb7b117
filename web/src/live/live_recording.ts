import { readEvents, readLooks } from "../core/decode";
import {
  PLAIN_LOOK,
  type Body,
  type Look,
  type Mesh,
  type RecordedEvent,
  type Recording,
  type SceneView,
  type Vec3,
} from "../core/recording";
import { decodeStream, type StreamEntry, type StreamName } from "../core/streams";
import type { FrameCache } from "./frame_cache";
import { LiveMotion } from "./live_motion";

/** A body as the server tells of it. */
export interface BodyNews {
  readonly id: number;
  readonly name: string;
  readonly parent: number | null;
  readonly root: number;
  readonly mesh: string | null; // hash
  readonly half_space: boolean;
  readonly kind: string;
  readonly look: number;
  readonly method: string;
  readonly mass: number;
  readonly volume: number;
  readonly centre: readonly [number, number, number];
  readonly born: number;
  readonly died: number | null;
  readonly source: string | null; // JSON pointer
}

export interface LiveBody extends Body {
  died: number;
  readonly source: string | undefined; // part of the scene it came of, a JSON pointer
  readonly hash: string | undefined;
}

export interface FigureNews {
  readonly from: number;
  readonly count: number;
  readonly series: readonly string[];
  readonly times: readonly number[];
  readonly values: readonly (readonly number[])[];
}

/** Numbers, one per frame, that get more. */
class Column<T extends Float32Array | Float64Array> {
  private length = 0;

  constructor(private room: T) {}

  append(from: number, values: readonly number[]): void {
    const end = from + values.length;
    if (end > this.room.length) {
      const larger = new (this.room.constructor as new (n: number) => T)(Math.max(2 * this.room.length, end, 256));
      larger.set(this.room.subarray(0, this.length));
      this.room = larger;
    }
    this.room.set(values, from);
    this.length = Math.max(this.length, end);
  }
  get values(): T {
    return this.room.subarray(0, this.length) as T;
  }
}

/** A take as far as it is known here. One object for all takes: what is in it is replaced. */
export class LiveRecording implements Recording {
  title = "";
  program = "";
  dt = 1 / 30;
  firstFrame = 0;
  frames = 1;
  meshes: Mesh[] = [];
  bodies: LiveBody[] = [];
  looks: readonly Look[] = [PLAIN_LOOK];
  events: RecordedEvent[] = [];
  readonly series = new Map<string, Float32Array>();
  view: SceneView = { camera: undefined, light: [3, 6, 4], background: "studio" };

  private time = new Column(new Float64Array(0));
  private readonly columns = new Map<string, Column<Float32Array>>();
  private readonly meshOfHash = new Map<string, number>();

  private readonly entries = new Map<string, Promise<unknown>>(); // of streams, by name and frame or event

  /** `askStream`: for the bytes of a stream; undefined when there are none. */
  constructor(
    private readonly cache: FrameCache,
    private readonly askStream: (name: StreamName, frameOrEvent: number) => Promise<Uint8Array | undefined>,
  ) {}

  get times(): Float64Array {
    return this.time.values;
  }
  get lastFrame(): number {
    return this.firstFrame + this.frames - 1;
  }
  get hashes(): ReadonlySet<string> {
    return new Set(this.meshOfHash.keys());
  }

  /** Another take: nothing of the one before is left. */
  begin(first: number, dt: number): void {
    this.firstFrame = first;
    this.frames = 1;
    this.dt = dt;
    this.meshes = [];
    this.meshOfHash.clear();
    this.bodies = [];
    this.events = [];
    this.entries.clear();
    this.time = new Column(new Float64Array(0));
    this.columns.clear();
    this.series.clear();
  }

  setLooks(values: readonly unknown[]): void {
    if (values.length > 0) this.looks = readLooks(values);
  }

  /** Their meshes are here. Ids are places in the list. */
  addBodies(news: readonly BodyNews[], meshOf: (hash: string) => Mesh | undefined): void {
    for (const body of news) {
      for (let id = this.bodies.length; id < body.id; ++id) this.bodies.push(this.nobody(id));
      this.bodies[body.id] = this.bodyOf(body, meshOf);
    }
  }

  setDeaths(deaths: readonly (readonly [number, number])[]): void {
    for (const [id, frame] of deaths) {
      const body = this.bodies[id];
      if (body) body.died = frame;
    }
  }

  setLast(frame: number): void {
    this.frames = Math.max(1, frame - this.firstFrame + 1);
  }

  addEvents(values: readonly unknown[]): void {
    this.events.push(...readEvents(values));
  }

  stream<Name extends StreamName>(name: Name, frameOrEvent: number): Promise<StreamEntry<Name> | undefined> {
    const key = `${name} ${frameOrEvent}`;
    let entry = this.entries.get(key);
    if (entry === undefined) {
      entry = this.askStream(name, frameOrEvent).then((bytes) => bytes && decodeStream(name, bytes));
      this.entries.set(key, entry);
    }
    return entry as Promise<StreamEntry<Name> | undefined>;
  }

  /** The next frame whose figures are not here. */
  get figuresUpTo(): number {
    return this.firstFrame + this.times.length;
  }

  addFigures(news: FigureNews): void {
    const from = news.from - this.firstFrame;
    this.time.append(from, news.times);
    news.series.forEach((name, i) => {
      let column = this.columns.get(name);
      if (column === undefined) this.columns.set(name, (column = new Column(new Float32Array(0))));
      column.append(from, news.values[i]!);
      this.series.set(name, column.values);
    });
  }

  private nobody(id: number): LiveBody {
    const nothing = {
      id,
      name: "",
      parent: null,
      root: id,
      mesh: null,
      half_space: false,
      kind: "",
      look: 0,
      method: "",
      mass: 0,
      volume: 0,
      centre: [0, 0, 0],
      born: Infinity,
      died: null,
      source: null,
    } as const;
    return this.bodyOf(nothing, () => undefined);
  }

  private bodyOf(news: BodyNews, meshOf: (hash: string) => Mesh | undefined): LiveBody {
    return {
      id: news.id,
      name: news.name,
      parent: news.parent ?? -1,
      root: news.root,
      mesh: news.mesh === null ? -1 : this.meshIndex(news.mesh, meshOf),
      halfSpace: news.half_space,
      kind: news.kind,
      look: news.look < this.looks.length ? news.look : 0,
      method: news.method,
      mass: news.mass,
      volume: news.volume,
      centre: news.centre as Vec3,
      born: news.born,
      died: news.died ?? Infinity,
      track: new LiveMotion(this.cache, news.id),
      source: news.source ?? undefined,
      hash: news.mesh ?? undefined,
    };
  }

  private meshIndex(hash: string, meshOf: (hash: string) => Mesh | undefined): number {
    const known = this.meshOfHash.get(hash);
    if (known !== undefined) return known;
    const mesh = meshOf(hash);
    if (mesh === undefined) return -1;
    this.meshOfHash.set(hash, this.meshes.length);
    this.meshes.push(mesh);
    return this.meshes.length - 1;
  }
}
