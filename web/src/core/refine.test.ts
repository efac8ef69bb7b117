import { describe, expect, it } from "vitest";

import { refined } from "./refine";
import { TETRAHEDRON } from "./testing";
import type { Mesh } from "./recording";

const edgesOf = ({ triangles }: Mesh): [number, number][] =>
  Array.from(triangles, (a, i) => [a, triangles[i % 3 === 2 ? i - 2 : i + 1]!] as [number, number]);

function areaOf({ positions, triangles }: Mesh): number {
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => positions.subarray(3 * triangles[t + i]!, 3 * triangles[t + i]! + 3)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const [u, v] = [b, c].map((p) => [0, 1, 2].map((k) => p[k]! - a[k]!)) as [number[], number[]];
    area += 0.5 * Math.hypot(u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!);
  }
  return area;
}

describe("refined", () => {
  it("has no long edge, is still closed and has the same area", () => {
    const fine = refined({ ...TETRAHEDRON, outside: 3 }, 0.3, 1e6);
    const lengths = edgesOf(fine).map(([a, b]) =>
      Math.hypot(...[0, 1, 2].map((k) => fine.positions[3 * a + k]! - fine.positions[3 * b + k]!)),
    );
    expect(Math.max(...lengths)).toBeLessThanOrEqual(0.3);
    const seen = new Set(edgesOf(fine).map(([a, b]) => `${a} ${b}`));
    for (const [a, b] of edgesOf(fine)) expect(seen.has(`${b} ${a}`)).toBe(true);
    expect(areaOf(fine)).toBeCloseTo(areaOf(TETRAHEDRON), 5);
    expect(areaOf({ ...fine, triangles: fine.triangles.slice(0, 3 * fine.outside) })).toBeCloseTo(
      areaOf({ ...TETRAHEDRON, triangles: TETRAHEDRON.triangles.slice(0, 9) }),
      5,
    );
  });

  it("leaves fine meshes alone and stops in time", () => {
    expect(refined(TETRAHEDRON, 2, 1e6)).toEqual(TETRAHEDRON);
    expect(refined(TETRAHEDRON, 1e-3, 300).triangles.length / 3).toBeLessThanOrEqual(300);
  });
});
