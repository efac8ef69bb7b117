import { describe, expect, it } from "vitest";

import { shaded } from "./normals";
import type { Mesh } from "./recording";
import { TETRAHEDRON } from "./testing";

/** Two triangles that share an edge and meet at an angle. */
function fold(angle: number, outside = 2): Mesh {
  return {
    positions: new Float32Array([0, 0, 0, 0, 0, 1, 1, 0, 0, -Math.cos(angle), Math.sin(angle), 0]),
    triangles: new Uint32Array([0, 1, 2, 0, 3, 1]),
    outside,
  };
}

function normalOf(mesh: ReturnType<typeof shaded>, vertex: number): number[] {
  return [...mesh.normals.subarray(3 * vertex, 3 * vertex + 3)].map((x) => x / 32767);
}

describe("shaded", () => {
  it("keeps creases: every face of a tetrahedron has corners of its own", () => {
    const mesh = shaded(TETRAHEDRON);
    expect(mesh.positions.length / 3).toBe(12);
    const down = normalOf(mesh, mesh.indices[0]!); // 0 2 1 lies in z = 0
    expect(down[2]).toBeCloseTo(-1, 4);
  });

  it("is smooth over gentle folds, halfway between the faces", () => {
    const mesh = shaded(fold(0.2));
    expect(mesh.positions.length / 3).toBe(4);
    const [x, y] = normalOf(mesh, mesh.indices[0]!);
    expect(Math.atan2(x!, y!)).toBeCloseTo(0.1, 3);
  });

  it("is not smooth over sharp folds, nor over the rim of a crack", () => {
    expect(shaded(fold(0.5)).positions.length / 3).toBe(6);
    const rim = shaded(fold(0.2, 1));
    expect(rim.positions.length / 3).toBe(6);
    expect(rim.outside).toBe(3);
    expect(rim.outsideVertices).toBe(3);
  });

  it("has unit normals that point the way the triangles do", () => {
    const mesh = shaded(TETRAHEDRON);
    for (let v = 0; v < mesh.positions.length / 3; ++v) expect(Math.hypot(...normalOf(mesh, v))).toBeCloseTo(1, 3);
  });
});
