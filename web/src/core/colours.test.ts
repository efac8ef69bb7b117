import { describe, expect, it } from "vitest";

import { distinct, Painter, ramp } from "./colours";
import { bodyOf, recordingOf, trackOf } from "./testing";

describe("colours", () => {
  it("tells the first hundred pieces apart", () => {
    const seen = new Set(
      Array.from({ length: 100 }, (_, i) =>
        distinct(i)
          .map((x) => Math.round(50 * x))
          .join(),
      ),
    );
    expect(seen.size).toBe(100);
    for (let i = 0; i < 100; ++i) for (const channel of distinct(i)) expect(channel >= 0 && channel <= 1).toBe(true);
  });

  it("has a ramp that gets lighter all the way, and does not leave it", () => {
    const light = (v: number): number => ramp(v).reduce((sum, x, k) => sum + x * [0.2, 0.7, 0.1][k]!, 0);
    for (let v = 0; v < 1; v += 0.1) expect(light(v + 0.1)).toBeGreaterThan(light(v));
    expect(ramp(-3)).toEqual(ramp(0));
    expect(ramp(7)).toEqual(ramp(1));
  });

  it("colours siblings alike by parent, fast ones lighter by speed, young ones darker by age", () => {
    const still = [0, 0, 0, 0, 0, 0, 1];
    const moved = [1, 0, 0, 0, 0, 0, 1];
    const bodies = [
      bodyOf(0, { died: 1 }),
      bodyOf(1, { parent: 0, born: 1, track: trackOf(1, [still, moved, still, moved]) }),
      bodyOf(2, { parent: 0, born: 1, track: trackOf(1, [still]) }),
      bodyOf(3, { parent: 0, born: 4 }),
    ];
    const recording = recordingOf(bodies);
    const parent = new Painter(recording, "parent");
    expect(parent.colour(bodies[1]!, 2)).toEqual(parent.colour(bodies[2]!, 2));
    const speed = new Painter(recording, "speed");
    expect(speed.scale?.to).toBeCloseTo(10);
    expect(speed.colour(bodies[1]!, 3)).toEqual(ramp(1));
    expect(speed.colour(bodies[2]!, 3)).toEqual(ramp(0));
    const age = new Painter(recording, "age");
    expect(age.colour(bodies[3]!, 4)).toEqual(ramp(0));
    expect(age.colour(bodies[1]!, 10)).toEqual(ramp(1));
  });
});
