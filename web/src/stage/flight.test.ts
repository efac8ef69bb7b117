import { describe, expect, it } from "vitest";

import type { Vec3 } from "../core/recording";
import { aimed, at, launch } from "./flight";

const gravity: Vec3 = [0, -9.81, 0];

function nearest(flight: Parameters<typeof at>[0], point: Vec3): number {
  let least = Infinity;
  for (let time = 0; time < 3; time += 1e-3) {
    const here = at(flight, gravity, time);
    least = Math.min(least, Math.hypot(...[0, 1, 2].map((k) => here[k]! - point[k]!)));
  }
  return least;
}

describe("a throw", () => {
  it("meets what was aimed at, in spite of gravity", () => {
    const direction: Vec3 = [0.6, 0, -0.8];
    const flight = aimed({ origin: [0, 2, 0], direction }, 5, 12, gravity, 0.1);
    expect(nearest(flight, [3, 2, -4])).toBeLessThan(0.02);
    expect(Math.hypot(...flight.velocity)).toBeCloseTo(12, 6);
  });

  it("starts nearer when the target is far, with room for itself when it is near", () => {
    const far = aimed({ origin: [0, 0, 0], direction: [0, 0, -1] }, 100, 20, gravity, 0.1);
    expect(-far.position[2]).toBeGreaterThan(40);
    const near = aimed({ origin: [0, 0, 0], direction: [0, 0, -1] }, 2, 20, gravity, 0.2);
    expect(-near.position[2]).toBeCloseTo(0.4);
  });

  it("goes straight where there is nothing to aim at, or no gravity", () => {
    expect(aimed({ origin: [0, 0, 0], direction: [0, 0, -1] }, undefined, 10, gravity, 0.1).velocity).toEqual([0, 0, -10]);
    expect(launch([3, 4, 0], 10, [0, 0, 0])).toEqual([6, 8, 0]);
  });

  it("throws as well as it can at what is out of reach", () => {
    expect(launch([0, 100, 0], 5, gravity)).toBeUndefined();
    const flight = aimed({ origin: [0, 0, 0], direction: [0, 1, 0] }, 100, 5, gravity, 0.1);
    expect(Math.hypot(...flight.velocity)).toBeCloseTo(5);
  });
});
