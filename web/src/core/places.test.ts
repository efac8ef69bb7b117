import { describe, expect, it } from "vitest";

import { Places } from "./places";
import { bodyOf, recordingOf, trackOf } from "./testing";

const HALF = Math.SQRT1_2;

/** A body that moves along x at one unit per frame, turned by a quarter about y, and breaks in frame 3. */
function breaking(): Places {
  const poses = [0, 1, 2].map((x) => [x, 0, 0, 0, HALF, 0, HALF]);
  const parent = bodyOf(0, { died: 3, track: trackOf(0, poses) });
  const piece = (id: number, z: number, y: number) =>
    bodyOf(id, {
      parent: 0,
      root: 0,
      born: 3,
      centre: [0, 0, z],
      track: trackOf(3, [
        [3 + z, y, 0, 0, HALF, 0, HALF],
        [4 + z, 2 * y, 0, 0, HALF, 0, HALF],
      ]),
    });
  return new Places(recordingOf([parent, piece(1, 1, 0), piece(2, -1, 1)]));
}

const position = (places: Places, id: number): number[] => [...places.poses.subarray(7 * id, 7 * id + 3)].map((x) => +x.toFixed(4) + 0); // no -0

describe("Places", () => {
  it("has who lives in a frame", () => {
    const places = breaking();
    places.update(2, "smooth");
    expect([...places.alive]).toEqual([1, 0, 0]);
    places.update(3, "smooth");
    expect([...places.alive]).toEqual([0, 1, 1]);
  });

  it("lets fragments start from where they were in their parent", () => {
    const places = breaking();
    places.update(2.5, "smooth");
    expect([...places.alive]).toEqual([0, 1, 1]);
    // in frame 2 the piece at z = 1 of the parent, turned by a quarter, is at x = 2 + 1; in frame 3 at x = 3 + 1
    expect(position(places, 1)).toEqual([3.5, 0, 0]);
    expect(position(places, 2)).toEqual([1.5, 0.5, 0]);
  });

  it("shows whole frames only when asked to step", () => {
    const places = breaking();
    places.update(2.9, "step");
    expect([...places.alive]).toEqual([1, 0, 0]);
    expect(position(places, 0)).toEqual([2, 0, 0]);
  });

  it("counts changes of the living, not of places", () => {
    const places = breaking();
    places.update(0, "smooth");
    const before = places.generation;
    places.update(1.5, "smooth");
    expect(places.generation).toBe(before);
    places.update(4, "smooth");
    expect(places.generation).toBe(before + 1);
  });

  it("explodes pieces away from their middle and never downwards; what is whole stays", () => {
    const places = breaking();
    places.update(4, "smooth");
    places.explode(0.5);
    const offset = (id: number): number[] => [...places.offsets.subarray(3 * id, 3 * id + 3)];
    expect(offset(1)[0]).toBeCloseTo(0.5);
    expect(offset(2)[0]).toBeCloseTo(-0.5);
    expect(offset(1)[1]).toBeCloseTo(0);
    expect(offset(2)[1]).toBeCloseTo(1);
    places.update(1, "smooth");
    places.explode(0.5);
    expect(offset(0)).toEqual([0, 0, 0]);
  });
});
