import { Track } from "./tracks";
import { PLAIN_LOOK, type Body, type Mesh, type Recording } from "./recording";

/** Small recordings for tests. */

export function trackOf(first: number, poses: readonly (readonly number[])[]): Track {
  return new Track(first, poses.length, Float32Array.from(poses.flat()));
}

export function bodyOf(id: number, change: Partial<Body> = {}): Body {
  return {
    id,
    name: `b${id}`,
    parent: -1,
    root: id,
    mesh: 0,
    halfSpace: false,
    kind: "dynamic",
    look: 0,
    method: "",
    mass: 1,
    volume: 1,
    centre: [0, 0, 0],
    born: 0,
    died: Infinity,
    track: trackOf(0, [[0, 0, 0, 0, 0, 0, 1]]),
    ...change,
  };
}

export const TETRAHEDRON: Mesh = {
  positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
  triangles: new Uint32Array([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]),
  outside: 4,
};

export function recordingOf(bodies: readonly Body[], change: Partial<Recording> = {}): Recording {
  const frames = change.frames ?? 11;
  return {
    title: "test",
    program: "",
    dt: 0.1,
    firstFrame: 0,
    frames,
    times: Float64Array.from({ length: frames }, (_, i) => 0.1 * i),
    meshes: [TETRAHEDRON],
    bodies,
    looks: [{ ...PLAIN_LOOK, name: "stone", kind: "stone", family: "grained", mottle: 0.3, colour: [0.5, 0.5, 0.5] }],
    events: [],
    series: new Map(),
    view: { camera: undefined, light: [0, 1, 0], background: "studio" },
    stream: () => Promise.resolve(undefined),
    ...change,
  };
}

/** Writes what NumberReader reads. */
export function packed(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const number of numbers) {
    let rest = number >= 0 ? 2 * number : -2 * number - 1;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** A payload as `sunder export` makes it. */
export function payloadOf(header: Record<string, unknown>, blobs: Record<string, Uint8Array>): Uint8Array {
  const places: Record<string, [number, number]> = {};
  let size = 0;
  for (const [name, bytes] of Object.entries(blobs)) {
    places[name] = [size, bytes.length];
    size += bytes.length;
  }
  const text = new TextEncoder().encode(JSON.stringify({ ...header, blobs: places }));
  const out = new Uint8Array(16 + text.length + size);
  out.set(new TextEncoder().encode("SUNDERRP"));
  const view = new DataView(out.buffer);
  view.setUint32(8, 1, true);
  view.setUint32(12, text.length, true);
  out.set(text, 16);
  let at = 16 + text.length;
  for (const bytes of Object.values(blobs)) {
    out.set(bytes, at);
    at += bytes.length;
  }
  return out;
}
