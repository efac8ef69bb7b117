import { Notice } from "./errors";
import { NumberReader } from "./packed";
import { bytesFromBase64, floatsOf, gunzip, openPayload, type Payload } from "./payload";
import {
  PLAIN_LOOK,
  SHADING_FAMILIES,
  type BackgroundKind,
  type Body,
  type BreakStress,
  type CameraView,
  type Look,
  type Mesh,
  type RecordedEvent,
  type Recording,
  type SceneView,
  type ShadingFamily,
  type Shine,
  type Vec3,
} from "./recording";
import { decodeStream, STREAMS } from "./streams";
import { readTrack, Track } from "./tracks";

/** The header as it may be: every value is looked at before it is used. */
class Fields {
  constructor(
    private readonly values: Record<string, unknown>,
    private readonly where: string,
  ) {}

  private fail(key: string, wanted: string): never {
    throw new Notice(`The recording in this page is damaged (${this.where}${key} is no ${wanted}); export it again.`);
  }
  has(key: string): boolean {
    return this.values[key] !== undefined && this.values[key] !== null;
  }
  record(key: string): Fields {
    const value = this.values[key];
    if (typeof value !== "object" || value === null || Array.isArray(value)) this.fail(key, "object");
    return new Fields(value as Record<string, unknown>, `${this.where}${key}.`);
  }
  list(key: string): unknown[] {
    const value = this.values[key];
    if (!Array.isArray(value)) this.fail(key, "list");
    return value as unknown[];
  }
  records(key: string): Fields[] {
    return this.list(key).map((value, i) => {
      if (typeof value !== "object" || value === null) this.fail(`${key}.${i}`, "object");
      return new Fields(value as Record<string, unknown>, `${this.where}${key}.${i}.`);
    });
  }
  numbers(key: string): number[] {
    const values = this.list(key);
    if (!values.every((value) => typeof value === "number")) this.fail(key, "list of numbers");
    return values as number[];
  }
  texts(key: string): string[] {
    const values = this.list(key);
    if (!values.every((value) => typeof value === "string")) this.fail(key, "list of texts");
    return values as string[];
  }
  number(key: string): number {
    const value = this.values[key];
    if (typeof value !== "number" || !Number.isFinite(value)) this.fail(key, "number");
    return value as number;
  }
  optionalNumber(key: string): number | undefined {
    return typeof this.values[key] === "number" ? (this.values[key] as number) : undefined;
  }
  text(key: string, otherwise = ""): string {
    const value = this.values[key];
    return typeof value === "string" ? value : otherwise;
  }
  vector(key: string): Vec3 {
    const values = this.numbers(key);
    if (values.length !== 3) this.fail(key, "vector");
    return [values[0]!, values[1]!, values[2]!];
  }
  optionalVector(key: string): Vec3 | undefined {
    return this.has(key) ? this.vector(key) : undefined;
  }
}

function meshesOf(header: Fields, payload: Payload): Mesh[] {
  const lattices = header.records("lattices").map((l) => ({ origin: l.vector("origin"), step: l.number("step") }));
  const columns = header.record("meshes");
  const vertexCounts = columns.numbers("vertices");
  const triangleCounts = columns.numbers("triangles");
  const outside = columns.numbers("outside");
  const vertices = new NumberReader(payload.blob("vertices"));
  const triangles = new NumberReader(payload.blob("triangles"));
  return columns.numbers("lattice").map((index, m) => {
    const lattice = lattices[index];
    const vertexCount = vertexCounts[m];
    const triangleCount = triangleCounts[m];
    if (lattice === undefined || vertexCount === undefined || triangleCount === undefined) {
      throw new Notice("The recording in this page is damaged (meshes); export it again.");
    }
    const positions = new Float32Array(3 * vertexCount);
    const point = [0, 0, 0];
    for (let i = 0; i < positions.length; ++i) {
      const k = i % 3;
      point[k] = point[k]! + vertices.signed();
      positions[i] = lattice.origin[k]! + lattice.step * point[k]!;
    }
    const indices = new Uint32Array(3 * triangleCount);
    let vertex = 0;
    for (let i = 0; i < indices.length; ++i) {
      vertex += triangles.signed();
      if (vertex < 0 || vertex >= vertexCount) {
        throw new Notice(`The recording in this page is damaged (mesh ${m}); export it again.`);
      }
      indices[i] = vertex;
    }
    return { positions, triangles: indices, outside: outside[m] ?? triangleCount };
  });
}

/** Parts of the header, as a server sends them too. */
export function readLooks(values: readonly unknown[]): Look[] {
  return new Fields({ looks: values }, "").records("looks").map(lookOf);
}

export function readEvents(values: readonly unknown[]): RecordedEvent[] {
  return new Fields({ events: values }, "").records("events").map(eventOf);
}

/** Of something that has a `view`; what is wrong in it is left out. */
export function readView(values: Record<string, unknown>): SceneView {
  try {
    return viewOf(new Fields(values, ""));
  } catch {
    return viewOf(new Fields({}, ""));
  }
}

function lookOf(fields: Fields): Look {
  const family = fields.text("family");
  const amount = (key: string): number => fields.optionalNumber(key) ?? 0;
  return {
    name: fields.text("name"),
    kind: fields.text("look", PLAIN_LOOK.kind),
    family: (SHADING_FAMILIES as readonly string[]).includes(family) ? (family as ShadingFamily) : PLAIN_LOOK.family,
    colour: fields.vector("colour"),
    shine: shineOf(fields, "shine", PLAIN_LOOK.shine),
    insideColour: fields.vector("inside_colour"),
    insideShine: shineOf(fields, "inside_shine", PLAIN_LOOK.insideShine),
    mottle: amount("mottle"),
    bumps: amount("bumps"),
    flecks: amount("flecks"),
    pores: amount("pores"),
    speckle: amount("speckle"),
    warmth: amount("warmth"),
  };
}

function shineOf(fields: Fields, key: string, usual: Shine): Shine {
  if (!fields.has(key)) return usual;
  const shine = fields.record(key);
  return {
    roughness: shine.number("roughness"),
    metallic: shine.number("metallic"),
    opacity: shine.number("opacity"),
    glow: shine.number("glow"),
  };
}

/** A path from what each body's name adds to its parent's; "/" begins a whole name. */
function namesOf(own: readonly string[], parents: readonly number[]): string[] {
  const names: string[] = [];
  own.forEach((name, i) => {
    const parent = parents[i] ?? -1;
    const above = parent >= 0 && parent < i ? names[parent] : undefined;
    names.push(name.startsWith("/") ? name.slice(1) : above === undefined ? name : `${above}/${name}`);
  });
  return names;
}

function bodiesOf(header: Fields, payload: Payload, firstFrame: number, meshCount: number, lookCount: number): Body[] {
  const columns = header.record("bodies");
  if (!columns.has("name")) return [];
  const parents = columns.numbers("parent");
  const column = (name: string): number[] => columns.numbers(name);
  const [roots, meshes, halfSpaces, looks] = [column("root"), column("mesh"), column("halfspace"), column("look")];
  const [born, died, samples] = [column("born"), column("died"), column("samples")];
  const kinds = columns.texts("kind");
  const methods = columns.texts("method");
  const numbers = floatsOf(payload.blob("bodyNumbers"));
  const quanta = header.record("quanta");
  const position = quanta.number("position");
  const rotation = quanta.number("rotation");
  const tracks = new NumberReader(payload.blob("tracks"));
  return namesOf(columns.texts("name"), parents).map((name, id) => {
    const mesh = meshes[id] ?? -1;
    const look = looks[id] ?? -1;
    if (mesh >= meshCount || look < 0 || look >= lookCount) {
      throw new Notice(`The recording in this page is damaged (body ${id}); export it again.`);
    }
    const count = samples[id] ?? 0;
    return {
      id,
      name,
      parent: parents[id] ?? -1,
      root: roots[id] ?? id,
      mesh,
      halfSpace: halfSpaces[id] === 1,
      kind: kinds[id] ?? "",
      look,
      method: methods[id] ?? "",
      mass: numbers[5 * id] ?? 0,
      volume: numbers[5 * id + 1] ?? 0,
      centre: [numbers[5 * id + 2] ?? 0, numbers[5 * id + 3] ?? 0, numbers[5 * id + 4] ?? 0],
      born: born[id] ?? 0,
      died: (died[id] ?? -1) < 0 ? Infinity : died[id]!,
      track: count > 0 ? readTrack(tracks, Math.max(born[id] ?? 0, firstFrame), count, position, rotation) : Track.none,
    };
  });
}

function eventOf(fields: Fields): RecordedEvent {
  return {
    frame: fields.number("frame"),
    kind: fields.text("kind"),
    body: fields.optionalNumber("body") ?? -1,
    pieces: fields.optionalNumber("pieces") ?? 0,
    reason: fields.text("reason") || fields.text("text"),
    point: fields.optionalVector("point"),
    impulse: fields.optionalNumber("impulse"),
    energy: fields.optionalNumber("energy"),
    massError: fields.optionalNumber("mass_error"),
    momentumError: fields.optionalNumber("momentum_error"),
    angularMomentumError: fields.optionalNumber("angular_momentum_error"),
    stress: fields.has("stress") ? breakStressOf(fields.record("stress")) : undefined,
  };
}

function breakStressOf(fields: Fields): BreakStress {
  const worst = fields.record("worst");
  return {
    worst: {
      place: worst.vector("place"),
      direction: worst.vector("direction"),
      tension: worst.number("tension"),
      strength: worst.number("strength"),
    },
    contacts: fields.records("contacts").map((contact) => ({
      point: contact.vector("point"),
      force: contact.vector("force"),
      time: contact.number("time"),
    })),
    strainEnergy: fields.number("strain_energy"),
    cracks: fields.number("cracks"),
    rounds: fields.number("rounds"),
    elements: fields.number("elements"),
  };
}

/** What a payload has of a stream for a frame, or for the so-many-th event: io/exports/replay_payload.h. */
export function streamBytes(payload: Payload, name: string, of: "frame" | "event", frameOrEvent: number): Uint8Array | undefined {
  const header = new Fields(payload.header, "");
  let place: readonly unknown[] | undefined;
  if (of === "event") {
    const event = header.records("events")[frameOrEvent];
    if (event?.has(name) && event.record(name).has("bytes")) place = event.record(name).numbers("bytes");
  } else if (header.has("streams") && header.record("streams").has(name)) {
    const stream = header.record("streams").record(name);
    place = stream.list("bytes")[stream.numbers("frames").indexOf(frameOrEvent)] as readonly unknown[] | undefined;
  }
  const [offset, size] = place ?? [];
  if (typeof offset !== "number" || typeof size !== "number") return undefined;
  return payload.blob(name).subarray(offset, offset + size);
}

function seriesOf(header: Fields, payload: Payload, frames: number): Map<string, Float32Array> {
  const all = floatsOf(payload.blob("series"));
  return new Map(header.texts("series").map((name, row) => [name, all.slice(row * frames, (row + 1) * frames)]));
}

function cameraOf(view: Fields): CameraView | undefined {
  if (!view.has("camera")) return undefined;
  const camera = view.record("camera");
  return {
    position: camera.vector("position"),
    target: camera.vector("target"),
    fieldOfView: camera.optionalNumber("field_of_view") ?? 40,
  };
}

function viewOf(header: Fields): SceneView {
  if (!header.has("view")) return { camera: undefined, light: [3, 6, 4], background: "studio" };
  const view = header.record("view");
  const background = view.text("background", "studio");
  return {
    camera: cameraOf(view),
    light: view.optionalVector("light") ?? [3, 6, 4],
    background: (["studio", "sky", "dark", "white"].includes(background) ? background : "studio") as BackgroundKind,
  };
}

/** The recording that uncompressed bytes hold. Throws a Notice when they are damaged. */
export function decodeRecording(bytes: Uint8Array): Recording {
  const payload = openPayload(bytes);
  const header = new Fields(payload.header, "");
  const firstFrame = header.number("first_frame");
  const frames = header.number("frames");
  const dt = header.number("dt");
  if (!(frames >= 1) || !(dt > 0)) throw new Notice("The recording in this page has no frames; export it again.");
  const meshes = meshesOf(header, payload);
  const looks = header.records("looks").map(lookOf);
  const events = header.records("events").map(eventOf);
  return {
    title: header.text("title"),
    program: header.text("program"),
    dt,
    firstFrame,
    frames,
    times: Float64Array.from(header.numbers("times")),
    meshes,
    bodies: bodiesOf(header, payload, firstFrame, meshes.length, looks.length),
    looks,
    events,
    series: seriesOf(header, payload, frames),
    view: viewOf(header),
    async stream(name, frameOrEvent) {
      const entry = streamBytes(payload, name, STREAMS[name].of, frameOrEvent);
      return entry && decodeStream(name, entry);
    },
  };
}

/** From the text that `sunder export` puts into the page. */
export async function decodePage(text: string): Promise<Recording> {
  if (text.trim() === "") {
    throw new Notice("There is no recording in this page. Make a replay with: sunder export REC -o replay.html");
  }
  return decodeRecording(await gunzip(bytesFromBase64(text)));
}
