import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

import { decodePage, decodeRecording, streamBytes } from "./decode";
import { Notice } from "./errors";
import { openPayload } from "./payload";
import { PLAIN_LOOK } from "./recording";
import { packed, payloadOf } from "./testing";

function floats(values: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

const HEADER = {
  title: "Two bodies",
  program: "0.1.0",
  dt: 0.5,
  first_frame: 0,
  frames: 3,
  times: [0, 0.5, 1],
  lattices: [{ origin: [1, 0, 0], step: 0.5 }],
  meshes: { lattice: [0], vertices: [3], triangles: [1], outside: [0] },
  bodies: {
    name: ["wall", "p0"],
    parent: [-1, 0],
    root: [0, 0],
    mesh: [0, 0],
    halfspace: [0, 0],
    kind: ["dynamic", "dynamic"],
    look: [0, 0],
    method: ["prescored", "prescored"],
    born: [0, 1],
    died: [1, -1],
    samples: [1, 2],
  },
  looks: [
    {
      name: "rock",
      look: "stone",
      family: "grained",
      mottle: 0.3,
      bumps: 0.15,
      flecks: 0.2,
      pores: 0,
      speckle: 0.1,
      warmth: 0.5,
      colour: [0.1, 0.2, 0.3],
      shine: { roughness: 0.8, metallic: 0, opacity: 1, glow: 1 },
      inside_colour: [0.4, 0.5, 0.6],
      inside_shine: { roughness: 0.9, metallic: 0, opacity: 1, glow: 1 },
    },
  ],
  quanta: { position: 0.25, rotation: 2 ** -15 },
  events: [{ frame: 1, kind: "fracture", body: 0, pieces: 1, impulse: 7, point: [1, 2, 3], reason: "hit" }],
  series: ["linear", "potential"],
  view: { camera: { position: [1, 2, 3], target: [0, 0, 0], field_of_view: 33 }, light: [0, 1, 0], background: "sky" },
};

const BLOBS = {
  vertices: packed([0, 0, 0, 2, 0, 0, 0, 2, 0]),
  triangles: packed([0, 1, 1]),
  bodyNumbers: floats([2, 3, 0, 0, 0, 1, 1.5, 0, 1, 0]),
  tracks: packed([4, 0, 0, 0, 0, 0, 32768, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32768, 0]),
  series: floats([1, 2, 3, 4, 5, 6]),
};

describe("decodeRecording", () => {
  it("reads what the export writes", () => {
    const recording = decodeRecording(payloadOf(HEADER, BLOBS));
    expect(recording.title).toBe("Two bodies");
    expect([...recording.meshes[0]!.positions]).toEqual([1, 0, 0, 2, 0, 0, 2, 1, 0]);
    expect([...recording.meshes[0]!.triangles]).toEqual([0, 1, 2]);
    expect(recording.bodies.map((body) => body.name)).toEqual(["wall", "wall/p0"]);
    expect(recording.bodies.map((body) => body.died)).toEqual([1, Infinity]);
    expect(recording.bodies[1]!.mass).toBe(1);
    expect(recording.bodies[1]!.centre).toEqual([0, 1, 0]);
    const pose = new Float32Array(7);
    recording.bodies[1]!.track.sample(2, pose);
    expect([...pose]).toEqual([2, 0, 0, 0, 0, 0, 1]);
    expect([...recording.series.get("potential")!]).toEqual([4, 5, 6]);
    expect(recording.events[0]).toMatchObject({ kind: "fracture", impulse: 7, point: [1, 2, 3] });
    expect(recording.view.camera?.fieldOfView).toBe(33);
    expect(recording.view.background).toBe("sky");
  });

  it("draws a look by what was served with it, not by its name", () => {
    const look = decodeRecording(payloadOf(HEADER, BLOBS)).looks[0]!;
    expect(look).toMatchObject({ name: "rock", kind: "stone", family: "grained", mottle: 0.3, flecks: 0.2, warmth: 0.5 });
    expect(look.shine.roughness).toBe(0.8);
    expect(look.insideShine.roughness).toBe(0.9);
    const clay = { ...HEADER.looks[0]!, look: "clay" };
    expect(decodeRecording(payloadOf({ ...HEADER, looks: [clay] }, BLOBS)).looks[0]).toEqual({ ...look, kind: "clay" });
  });
  it("draws a look plain that comes without terms, or with a family it does not know", () => {
    const bare = { name: "rock", look: "stone", colour: [0.1, 0.2, 0.3], inside_colour: [0.4, 0.5, 0.6] };
    const look = decodeRecording(payloadOf({ ...HEADER, looks: [bare] }, BLOBS)).looks[0]!;
    expect(look).toEqual({ ...PLAIN_LOOK, name: "rock", kind: "stone", colour: [0.1, 0.2, 0.3], insideColour: [0.4, 0.5, 0.6] });
    const furry = { ...HEADER.looks[0]!, family: "furry" };
    expect(decodeRecording(payloadOf({ ...HEADER, looks: [furry] }, BLOBS)).looks[0]!.family).toBe("plain");
  });

  it("says a sentence, and nothing else, whatever byte is missing or wrong", () => {
    const whole = payloadOf(HEADER, BLOBS);
    for (let size = 0; size < whole.length; size += 7) {
      expect(() => decodeRecording(whole.slice(0, size)), `${size} bytes`).toThrow(Notice);
    }
    expect(() => decodeRecording(payloadOf({ ...HEADER, bodies: { ...HEADER.bodies, mesh: [0, 9] } }, BLOBS))).toThrow(/body 1/);
    expect(() => decodeRecording(payloadOf(HEADER, { ...BLOBS, triangles: packed([0, 1, 7]) }))).toThrow(/mesh 0/);
    expect(() => decodeRecording(payloadOf({ ...HEADER, dt: "x" }, BLOBS))).toThrow(/dt is no number/);
    const other = whole.slice();
    other[8] = 99;
    expect(() => decodeRecording(other)).toThrow(/version 99/);
  });
});

describe("streamBytes", () => {
  const events = [
    { frame: 1, kind: "message", body: -1 },
    { frame: 2, kind: "fracture", body: 0, heirs: { count: 2, bytes: [1, 2] } },
  ];
  const streams = {
    sparks: {
      frames: [3, 7],
      bytes: [
        [0, 3],
        [3, 1],
      ],
    },
  };
  const blobs = { heirs: Uint8Array.from([9, 10, 11]), sparks: Uint8Array.from([1, 2, 3, 4]) };
  const payload = openPayload(payloadOf({ events, streams }, blobs));

  it("finds what was kept of a break", () => {
    expect([...streamBytes(payload, "heirs", "event", 1)!]).toEqual([10, 11]);
    expect(streamBytes(payload, "heirs", "event", 0)).toBeUndefined();
    expect(streamBytes(payload, "heirs", "event", 2)).toBeUndefined();
  });

  it("finds what was kept of a frame", () => {
    expect([...streamBytes(payload, "sparks", "frame", 3)!]).toEqual([1, 2, 3]);
    expect([...streamBytes(payload, "sparks", "frame", 7)!]).toEqual([4]);
    expect(streamBytes(payload, "sparks", "frame", 4)).toBeUndefined();
    expect(streamBytes(payload, "dust", "frame", 3)).toBeUndefined();
    expect(streamBytes(openPayload(payloadOf({ events }, {})), "sparks", "frame", 3)).toBeUndefined();
  });
});

describe("decodePage", () => {
  const page = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

  it("unpacks the text of the page", async () => {
    const recording = await decodePage(`\n${page(gzipSync(payloadOf(HEADER, BLOBS)))}\n`);
    expect(recording.frames).toBe(3);
  });

  it("says what to do when there is nothing, or something damaged", async () => {
    await expect(decodePage("  ")).rejects.toThrow(/no recording in this page.*sunder export/);
    await expect(decodePage("§§§")).rejects.toThrow(Notice);
    const zipped = gzipSync(payloadOf(HEADER, BLOBS));
    zipped[zipped.length >> 1]! ^= 0x55;
    await expect(decodePage(page(zipped))).rejects.toThrow(/damaged/);
  });
});
