import { describe, expect, it } from "vitest";

import { Extents, meshBox } from "./bounds";
import { bodyOf, recordingOf, TETRAHEDRON, trackOf } from "./testing";

const HALF = Math.SQRT1_2;

describe("Extents", () => {
  it("has a box around a mesh", () => {
    expect(meshBox(TETRAHEDRON.positions)).toEqual({ min: [0, 0, 0], max: [1, 1, 1] });
  });

  it("turns and moves it with the body, about the centre of mass", () => {
    const body = bodyOf(0, { centre: [0.25, 0.25, 0.25] });
    const extents = new Extents(recordingOf([body]));
    const box = extents.at(body, [10, 20, 30, 0, 0, HALF, HALF]); // a quarter turn about z
    [9.25, 19.75, 29.75].forEach((x, k) => expect(box.min[k]).toBeCloseTo(x, 5));
    [10.25, 20.75, 30.75].forEach((x, k) => expect(box.max[k]).toBeCloseTo(x, 5));
  });

  it("does not follow the one piece that flies away", () => {
    const rest = Array.from({ length: 40 }, (_, i) => bodyOf(i, { track: trackOf(0, [[i / 10, 0, 0, 0, 0, 0, 1]]) }));
    const away = Array.from({ length: 11 }, (_, i) => [0, 100 * i, 0, 0, 0, 0, 1]);
    const box = new Extents(recordingOf([...rest, bodyOf(40, { track: trackOf(0, away) })])).action();
    expect(box.max[1]).toBeLessThan(2);
    expect(box.max[0]).toBeGreaterThan(3);
  });

  it("is something even when nothing is there", () => {
    expect(new Extents(recordingOf([])).action().max).toEqual([1, 1, 1]);
  });
});
