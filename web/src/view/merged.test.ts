import { describe, expect, it } from "vitest";

import { TETRAHEDRON } from "../core/testing";
import { Merged, shadedOnce } from "./merged";

describe("Merged", () => {
  it("shades a mesh once", () => {
    expect(shadedOnce(TETRAHEDRON)).toBe(shadedOnce(TETRAHEDRON));
  });

  it("appends bodies and uploads no more than what is new", () => {
    const merged = new Merged();
    for (let body = 0; body < 50; ++body) merged.add(body, TETRAHEDRON);
    merged.position.clearUpdateRanges();
    const { buffers, room } = merged;
    merged.add(50, TETRAHEDRON);
    expect(merged.buffers).toBe(buffers);
    expect(merged.room).toBe(room);
    expect(merged.position.updateRanges).toEqual([{ start: 3 * 12 * 50, count: 3 * 12 }]);
    expect([...merged.indicesOf(50)!.slice(0, 3)]).toEqual([600, 601, 602]);
    expect(merged.piece.array[12 * 50]).toBe(100);
  });

  it("doubles, so that a thousand births make few new buffers", () => {
    const merged = new Merged();
    for (let body = 0; body < 1000; ++body) merged.add(body, TETRAHEDRON);
    expect(merged.buffers).toBeLessThan(10);
    for (const body of [0, 1, 500, 999]) {
      const first = merged.indicesOf(body)![0]!;
      expect([...merged.position.array.slice(3 * first, 3 * first + 36)]).toEqual([...shadedOnce(TETRAHEDRON).positions]);
      expect(merged.piece.array[first]).toBe(2 * body);
    }
  });

  it("keeps bodies that stay as they are, replaces others, and begins anew when too much is lost", () => {
    const merged = new Merged();
    const other = { ...TETRAHEDRON };
    merged.add(0, TETRAHEDRON);
    merged.add(1, TETRAHEDRON);
    expect(merged.has(0, TETRAHEDRON)).toBe(true);
    expect(merged.has(0, other)).toBe(false);
    merged.add(0, other);
    expect(merged.has(0, other)).toBe(true);
    expect(merged.indicesOf(0)![0]).toBe(24);
    merged.truncate(1);
    expect(merged.indicesOf(1)).toBeUndefined();
    expect(merged.wasteful).toBe(false);
    for (let i = 0; i < 6000; ++i) merged.add(0, i % 2 === 0 ? TETRAHEDRON : other);
    expect(merged.wasteful).toBe(true);
    merged.clear();
    expect(merged.indicesOf(0)).toBeUndefined();
  });
});
