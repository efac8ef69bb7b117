import { describe, expect, it } from "vitest";

import { countBodies } from "./recording";
import { bodyOf, recordingOf, trackOf } from "./testing";

describe("bodies", () => {
  const floor = bodyOf(0, { mesh: -1, halfSpace: true, kind: "static" });
  const wall = bodyOf(1, { died: 4 });
  const pieces = [2, 3, 4].map((id) => bodyOf(id, { parent: 1, root: 1, born: 4, track: trackOf(4, [[0, 0, 0, 0, 0, 0, 1]]) }));
  const recording = recordingOf([floor, wall, ...pieces]);

  it("are counted without the endless floor: in a frame those that live", () => {
    expect(countBodies(recording, 0)).toBe(1);
    expect(countBodies(recording, 3)).toBe(1);
    expect(countBodies(recording, 4)).toBe(3);
  });
  it("are counted without the endless floor: all that ever lived", () => {
    expect(countBodies(recording)).toBe(4);
    expect(countBodies(recordingOf([floor]))).toBe(0);
  });
  it("that nobody told of are none", () => {
    const nobody = bodyOf(1, { mesh: -1, born: Infinity });
    expect(countBodies(recordingOf([floor, nobody, bodyOf(2)]))).toBe(1);
  });
});
