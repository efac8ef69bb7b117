import { describe, expect, it } from "vitest";

import { actionBox, meshSphere } from "./bounds";
import { bodyOf, recordingOf, TETRAHEDRON, trackOf } from "./testing";

describe("bounds", () => {
  it("has a sphere around a mesh", () => {
    const { centre, radius } = meshSphere(TETRAHEDRON.positions);
    expect(centre).toEqual([0.5, 0.5, 0.5]);
    expect(radius).toBeCloseTo(Math.sqrt(0.75));
  });

  it("does not follow the one piece that flies away", () => {
    const rest = Array.from({ length: 40 }, (_, i) => bodyOf(i, { track: trackOf(0, [[i / 10, 0, 0, 0, 0, 0, 1]]) }));
    const away = Array.from({ length: 11 }, (_, i) => [0, 100 * i, 0, 0, 0, 0, 1]);
    const box = actionBox(recordingOf([...rest, bodyOf(40, { track: trackOf(0, away) })]));
    expect(box.max[1]).toBeLessThan(2);
    expect(box.max[0]).toBeGreaterThan(3);
  });

  it("is something even when nothing is there", () => {
    expect(actionBox(recordingOf([])).max).toEqual([1, 1, 1]);
  });
});
