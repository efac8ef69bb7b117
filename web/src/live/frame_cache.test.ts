import { describe, expect, it } from "vitest";

import { bodyOf, recordingOf, trackOf } from "../core/testing";
import { FrameCache, readFrames } from "./frame_cache";
import { LiveMotion } from "./live_motion";
import { frameBytes } from "./testing";

const still = [0, 0, 0, 0, 0, 0, 1];
const falling = Array.from({ length: 6 }, (_, i) => [0, -i, 0, 0, 0, 0, 1]);
const scene = recordingOf(
  [
    bodyOf(0, { track: trackOf(0, [still]) }),
    bodyOf(1, { track: trackOf(0, falling), died: 3 }),
    bodyOf(2, { parent: 1, root: 1, born: 3, track: trackOf(3, falling.slice(3)) }),
  ],
  { frames: 6 },
);
const diedIn = (body: number): number => scene.bodies[body]!.died;

describe("readFrames", () => {
  it("has everybody in every frame, though only changes are sent", () => {
    const bytes = frameBytes(scene, 0, 5);
    expect(bytes.byteLength).toBe(6 * 8 + 32 * (2 + 1 + 1 + 1 + 1 + 1)); // the still one comes once
    const frames = readFrames(bytes, diedIn);
    expect(frames.map((frame) => [...frame.layout.ids])).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
      [0, 2],
      [0, 2],
      [0, 2],
    ]);
    expect(frames[5]!.poses[7 * frames[5]!.layout.slots[2]! + 1]).toBe(-5);
    expect(frames[5]!.poses[7 * frames[5]!.layout.slots[0]! + 1]).toBe(0);
  });

  it("shares who is there between frames without births", () => {
    const frames = readFrames(frameBytes(scene, 0, 5), diedIn);
    expect(frames[1]!.layout).toBe(frames[0]!.layout);
    expect(frames[4]!.layout).toBe(frames[3]!.layout);
  });

  it("does not change frames that were read before", () => {
    const frames = readFrames(frameBytes(scene, 0, 5), diedIn);
    expect(frames[0]!.poses[7 + 1]).toBeCloseTo(0);
    expect(frames[1]!.poses[7 + 1]).toBe(-1);
  });

  it("refuses an answer that is cut short", () => {
    const bytes = frameBytes(scene, 0, 5);
    expect(() => readFrames(bytes.slice(0, bytes.byteLength - 8), diedIn)).toThrow(/cut short/);
  });
});

describe("FrameCache", () => {
  const frames = readFrames(frameBytes(recordingOf(scene.bodies, { frames: 400 }), 0, 399), diedIn);
  const size = frames[399]!.poses.byteLength + frames[399]!.layout.ids.byteLength;

  it("stays within its limit; what was not used for long leaves", () => {
    const cache = new FrameCache(10 * size);
    for (const frame of frames) {
      cache.add([frame]);
      cache.touch(0);
      expect(cache.bytes).toBeLessThanOrEqual(10 * size);
    }
    expect(cache.has(0)).toBe(true);
    expect(cache.has(1)).toBe(false);
    expect(cache.has(399)).toBe(true);
    expect(cache.count).toBeLessThanOrEqual(10);
  });

  it("counts a frame once that comes twice", () => {
    const cache = new FrameCache(1e6);
    cache.add(frames.slice(0, 3));
    const { bytes } = cache;
    cache.add(frames.slice(0, 3));
    expect(cache.bytes).toBe(bytes);
    cache.clear();
    expect(cache.bytes).toBe(0);
  });

  it("knows what is missing and what is nearest", () => {
    const cache = new FrameCache(1e6);
    cache.add([frames[4]!, frames[5]!, frames[8]!]);
    expect(cache.firstMissing(4, 9)).toBe(6);
    expect(cache.firstMissing(4, 5)).toBeUndefined();
    expect(cache.newestUpTo(7)).toBe(5);
    expect(cache.newestUpTo(3)).toBeUndefined();
  });
});

describe("LiveMotion", () => {
  const cache = new FrameCache(1e6);
  cache.add(readFrames(frameBytes(scene, 0, 5), diedIn));
  const pose = new Float32Array(14);

  it("is what a replay's track is, also between frames", () => {
    const motion = new LiveMotion(cache, 1);
    const expected = new Float32Array(14);
    for (const moment of [0, 0.25, 1, 1.9]) {
      motion.sample(moment, pose, 7);
      scene.bodies[1]!.track.sample(moment, expected, 7);
      expect([...pose]).toEqual([...expected]);
    }
  });

  it("turns the short way when a rotation's sign changes", () => {
    const turning = recordingOf(
      [
        bodyOf(0, {
          track: trackOf(0, [
            [0, 0, 0, 0, 0, 0, 1],
            [0, 0, 0, 0, 0, 0, -1],
          ]),
        }),
      ],
      { frames: 2 },
    );
    const other = new FrameCache(1e6);
    other.add(readFrames(frameBytes(turning, 0, 1), () => Infinity));
    new LiveMotion(other, 0).sample(0.5, pose);
    expect(pose[6]).toBe(1);
  });

  it("has a speed, over a gap too", () => {
    expect(new LiveMotion(cache, 1).speed(2, 0.1)).toBeCloseTo(10);
    const gap = new FrameCache(1e6);
    const all = readFrames(frameBytes(scene, 0, 5), diedIn);
    gap.add([all[0]!, all[2]!]);
    expect(new LiveMotion(gap, 1).speed(2, 0.1)).toBeCloseTo(10);
    expect(new LiveMotion(gap, 1).speed(0, 0.1)).toBe(0);
  });
});
