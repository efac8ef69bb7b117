import { describe, expect, it } from "vitest";

import { NumberReader } from "./packed";
import { packed, trackOf } from "./testing";
import { readTrack } from "./tracks";

const HALF = Math.SQRT1_2;

describe("Track", () => {
  const track = trackOf(5, [
    [0, 0, 0, 0, 0, 0, 1],
    [2, 0, 0, 0, HALF, 0, HALF],
    [4, 1, 0, 0, 1, 0, 0],
  ]);
  const pose = new Float32Array(7);

  it("has the poses of whole frames as they are, and holds the last", () => {
    track.sample(6, pose);
    expect([...pose].map((x) => +x.toFixed(5))).toEqual([2, 0, 0, 0, 0.70711, 0, 0.70711]);
    track.sample(99, pose);
    expect(pose[0]).toBe(4);
    track.sample(0, pose);
    expect(pose[0]).toBe(0);
  });

  it("is in between in between, with a rotation that is one", () => {
    track.sample(5.5, pose);
    expect(pose[0]).toBeCloseTo(1);
    expect(Math.hypot(pose[3]!, pose[4]!, pose[5]!, pose[6]!)).toBeCloseTo(1, 6);
    expect(2 * Math.atan2(pose[4]!, pose[6]!)).toBeCloseTo(Math.PI / 4, 5); // half of a quarter turn
  });

  it("knows its speed", () => {
    expect(track.speed(6, 0.5)).toBeCloseTo(4);
    expect(track.speed(5, 0.5)).toBeCloseTo(4); // at birth: towards the next
    expect(track.speed(7, 0.5)).toBeCloseTo(Math.hypot(2, 1) / 0.5);
    expect(track.speed(50, 0.5)).toBe(0);
  });
});

describe("readTrack", () => {
  it("follows straight lines for nothing", () => {
    // x: 10, 13, 16, 19 is 10, +3, then no change of speed; the others stand still
    const channels = [
      [10, 3, 0, 0],
      [0, 0, 0, 0],
      [-5, 0, 0, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
      [32768, 0, 0, 0],
    ];
    const track = readTrack(new NumberReader(packed(channels.flat())), 0, 4, 0.5, 2 ** -15);
    const pose = new Float32Array(7);
    const xs = [0, 1, 2, 3].map((frame) => (track.sample(frame, pose), pose[0]));
    expect(xs).toEqual([5, 6.5, 8, 9.5]);
    expect([...pose]).toEqual([9.5, 0, -2.5, 0, 0, 0, 1]);
  });
});
