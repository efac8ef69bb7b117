import { describe, expect, it } from "vitest";

import { colourShare, readStressPoints, StressField, stressScale, type StressPoints } from "./stress";
import { packed } from "./testing";

/** What io/recording/recording_stress.h writes: scales, number, channels of differences. */
function bytesOf(scales: readonly number[], channels: readonly (readonly number[])[], tets: readonly number[] = []): Uint8Array {
  const head = new DataView(new ArrayBuffer(64));
  scales.forEach((value, i) => head.setFloat64(8 * i, value, true));
  head.setBigUint64(48, BigInt(channels[0]!.length), true);
  head.setBigUint64(56, BigInt(tets.length / 4), true);
  const body = packed([...channels, tets].flatMap((channel) => channel.map((value, i) => value - (channel[i - 1] ?? 0))));
  return new Uint8Array([...new Uint8Array(head.buffer), ...body]);
}

const ACROSS = 8; // cells
const THICK = 0.008; // m

/** A sheet of one layer of cubes, each of six tets, that bends: pulled on its upper side. */
function bentSheet(): StressPoints {
  const places: number[] = [];
  const tensions: number[] = [];
  const tets: number[] = [];
  const at = (x: number, y: number, z: number): number => (z * (ACROSS + 1) + x) * 2 + y;
  for (let z = 0; z <= ACROSS; ++z) {
    for (let x = 0; x <= ACROSS; ++x) {
      for (const y of [0, 1]) {
        places.push(0.02 * x, THICK * y, 0.02 * z);
        tensions.push(1e6 * y);
      }
    }
  }
  for (let z = 0; z < ACROSS; ++z) {
    for (let x = 0; x < ACROSS; ++x) {
      for (const [i, j, k] of [
        [0, 1, 2],
        [1, 0, 2],
        [2, 0, 1],
        [0, 2, 1],
        [1, 2, 0],
        [2, 1, 0],
      ] as const) {
        const corner: [number, number, number] = [x, 0, z];
        tets.push(at(...corner));
        for (const axis of [i, j, k]) {
          corner[axis] = corner[axis] + 1;
          tets.push(at(...corner));
        }
      }
    }
  }
  const count = tensions.length;
  return {
    count,
    places: Float32Array.from(places),
    tensions: Float32Array.from(tensions),
    least: new Float32Array(count),
    strengths: new Float32Array(count).fill(1e6),
    directions: new Float32Array(3 * count),
    cells: Uint32Array.from(tets),
  };
}

/** Points at these places, with cells between them; tension in MPa over a strength of 1 MPa. */
function pointsAt(places: readonly number[], tensions: readonly number[], cells: readonly number[]): StressPoints {
  return {
    count: tensions.length,
    places: Float32Array.from(places),
    tensions: Float32Array.from(tensions, (tension) => 1e6 * tension),
    least: new Float32Array(tensions.length),
    strengths: new Float32Array(tensions.length).fill(1e6),
    directions: new Float32Array(3 * tensions.length),
    cells: Uint32Array.from(cells),
  };
}

describe("stress of a body without tets", () => {
  it("is linear in the triangles of a surface, also a little beside it", () => {
    // two triangles of a square: tension is x + 2 y
    const field = new StressField(pointsAt([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], [0, 1, 2, 3], [0, 1, 2, 2, 1, 3, 2, 2]));
    for (const z of [0, 0.05, -0.1]) {
      expect(field.ratioAt(0.25, 0.25, z)).toBeCloseTo(0.75, 5);
      expect(field.ratioAt(0.75, 0.5, z)).toBeCloseTo(1.75, 5);
    }
    expect(field.spacing).toBeCloseTo(1, 5);
  });

  it("takes the nearer of two sheets", () => {
    const square = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.2, 1, 0, 0.2, 0, 1, 0.2];
    const field = new StressField(pointsAt(square, [1, 1, 1, 5, 5, 5], [0, 1, 2, 2, 3, 4, 5, 5]));
    expect(field.ratioAt(0.3, 0.3, 0.04)).toBeCloseTo(1, 5);
    expect(field.ratioAt(0.3, 0.3, 0.16)).toBeCloseTo(5, 5);
  });

  it("is linear along segments", () => {
    const field = new StressField(pointsAt([0, 0, 0, 2, 0, 0], [1, 3], [0, 1, 1, 1]));
    expect(field.ratioAt(0.5, 0.01, 0)).toBeCloseTo(1.5, 5);
    expect(field.ratioAt(-1, 0, 0)).toBeCloseTo(1, 5);
  });

  it("is that of the nearest where there are points alone", () => {
    const field = new StressField(pointsAt([0, 0, 0, 1, 0, 0, 0, 1, 0], [1, 2, 3], []));
    expect(field.ratioAt(0.1, 0.2, 0)).toBe(1);
    expect(field.ratioAt(0.9, 0.1, 0.3)).toBe(2);
    expect(field.ratioAt(-0.4, 2, 0)).toBe(3);
    expect(field.nearest(0.8, 0.1, 0)).toBe(1);
  });
});

describe("stress of a break", () => {
  it("reads what recordings keep", () => {
    const channels = [
      [0, 10],
      [5, 5],
      [0, 7],
      [100, -3],
      [-100, -8],
      [9, 8],
      [127, 0],
      [0, 127],
      [0, 0],
    ];
    const points = readStressPoints(bytesOf([1, 2, 3, 0.5, 1e4, 1e5], channels, [1, 0, 0, 1]));
    expect(points.count).toBe(2);
    expect([...points.cells]).toEqual([1, 0, 0, 1]);
    expect([...points.places]).toEqual([1, 4.5, 3, 6, 4.5, 6.5]);
    expect([...points.tensions]).toEqual([1e6, -3e4]);
    expect([...points.least]).toEqual([-1e6, -8e4]);
    expect([...points.strengths]).toEqual([9e5, 8e5]);
    expect([...points.directions]).toEqual([1, 0, 0, 0, 1, 0]);
  });

  it("says so when it is damaged", () => {
    expect(() => readStressPoints(new Uint8Array(10))).toThrow(/damaged/);
    const good = bytesOf(
      [0, 0, 0, 1, 1, 1],
      Array.from({ length: 9 }, () => [1, 2]),
    );
    expect(() => readStressPoints(good.slice(0, good.length - 3))).toThrow(/ends early/);
    expect(() =>
      readStressPoints(
        bytesOf(
          [0, 0, 0, 1, 1, 1],
          Array.from({ length: 9 }, () => [1, 2]),
          [0, 1, 2, 0],
        ),
      ),
    ).toThrow(/damaged/);
  });

  it("is linear between the points", () => {
    const field = new StressField(bentSheet());
    for (const y of [0, 0.001, 0.003, 0.0055, 0.008]) {
      for (const x of [0, 0.013, 0.16]) expect(field.ratioAt(x, y, 0.091)).toBeCloseTo(y / THICK, 5);
    }
    expect(field.spacing).toBeGreaterThan(0.007);
    expect(field.spacing).toBeLessThan(0.021);
  });

  it("is never beyond what the points have, and has a value everywhere", () => {
    const field = new StressField(bentSheet());
    for (const [x, y, z] of [
      [-1, -1, -1],
      [0.2, 0.1, 0.2],
      [9, 0, 0],
    ] as const) {
      const ratio = field.ratioAt(x, y, z);
      expect(ratio).toBeGreaterThanOrEqual(0);
      expect(ratio).toBeLessThanOrEqual(1);
    }
    expect(field.ratioAt(0.07, 0.05, 0.05)).toBeCloseTo(1, 5);
  });

  it("knows the point that counts most", () => {
    const points = bentSheet();
    const index = new StressField(points).nearest(0.0413, 0.0079, 0.0998);
    expect([...points.places.subarray(3 * index, 3 * index + 3)].map((p) => Number(p.toFixed(4)))).toEqual([0.04, 0.008, 0.1]);
  });

  it("has colours up to the worst, and at least up to the strength", () => {
    const of = (tension: number): number =>
      stressScale({
        worst: { place: [0, 0, 0], direction: [1, 0, 0], tension, strength: 10 },
        contacts: [],
        strainEnergy: 0,
        cracks: 0,
        rounds: 0,
        elements: 1,
      }).top;
    expect(of(5)).toBe(1);
    expect(of(90)).toBe(9);
    expect(colourShare(-1, 9)).toBe(0);
    expect(colourShare(1, 9)).toBeCloseTo(1 / 3);
    expect(colourShare(20, 9)).toBe(1);
  });
});
