import { describe, expect, it } from "vitest";

import { falloff, heatOf, packedPaint, Stroke, unpackedPaint, untouched } from "./brush";

/** A row of vertices 1 cm apart. */
const row = Float32Array.from({ length: 3 * 201 }, (_, i) => (i % 3 === 0 ? (i / 3 - 100) / 100 : 0));
const brush = { radius: 0.2, strength: 1, value: 0 };

describe("Stroke", () => {
  it("takes all in its middle, nothing at its rim, alike on both sides", () => {
    const stroke = new Stroke(row, untouched(201), brush);
    expect(stroke.to([0, 0, 0])).toBe(true);
    expect(stroke.values[100]).toBe(0);
    expect(stroke.values[120]).toBe(100);
    expect(stroke.values[79]).toBe(100);
    for (let i = 1; i < 30; ++i) expect(stroke.values[100 + i]).toBe(stroke.values[100 - i]);
    for (let i = 100; i < 120; ++i) expect(stroke.values[i + 1]!).toBeGreaterThanOrEqual(stroke.values[i]!);
  });

  it("leaves no gaps when the pointer jumps", () => {
    const stroke = new Stroke(row, untouched(201), brush);
    stroke.to([-0.8, 0, 0]);
    stroke.to([0.8, 0, 0]);
    expect(stroke.values.slice(20, 181).every((value) => value === 0)).toBe(true);
  });

  it("does no more where it goes twice", () => {
    const half = { ...brush, strength: 0.5 };
    const stroke = new Stroke(row, untouched(201), half);
    stroke.to([0, 0, 0]);
    expect(stroke.values[100]).toBe(50);
    expect(stroke.to([0, 0, 0])).toBe(false);
    stroke.to([0.1, 0, 0]);
    stroke.to([0, 0, 0]);
    expect(stroke.values[100]).toBe(50);
  });

  it("goes on from what is there, and knows whether it did anything", () => {
    const before = untouched(201).fill(200);
    const stroke = new Stroke(row, before, { ...brush, value: 100, strength: 0.5 });
    expect(stroke.isEmpty).toBe(true);
    stroke.to([5, 5, 5]);
    expect(stroke.isEmpty).toBe(true);
    stroke.to([5, 5, 5]);
    const other = new Stroke(row, before, { ...brush, value: 100, strength: 0.5 });
    other.to([0, 0, 0]);
    expect(other.values[100]).toBe(150);
    expect(before[100]).toBe(200);
  });

  it("falls off smoothly", () => {
    expect(falloff(0, 1)).toBe(1);
    expect(falloff(0.5, 1)).toBe(0.5);
    expect(falloff(1, 1)).toBe(0);
    expect(falloff(2, 1)).toBe(0);
  });
});

describe("paint in the scene", () => {
  it("comes back as it was", async () => {
    const values = Uint8Array.from({ length: 1000 }, (_, i) => i % 256);
    const packed = await packedPaint(values);
    expect(packed["vertices"]).toBe(1000);
    const bytes = atob(packed["values"] as string);
    expect(bytes.charCodeAt(0)).toBe(0x78); // zlib
    expect(await unpackedPaint(packed, 1000)).toEqual(values);
  });

  it("is none for another mesh, or when it is damaged", async () => {
    const packed = await packedPaint(untouched(10));
    expect(await unpackedPaint(packed, 11)).toBeUndefined();
    expect(await unpackedPaint(undefined, 10)).toBeUndefined();
    expect(await unpackedPaint({ vertices: 10, values: "????" }, 10)).toBeUndefined();
    expect(await unpackedPaint({ vertices: 10, values: btoa("nothing") }, 10)).toBeUndefined();
  });

  it("has other colours for weak and strong", () => {
    expect(heatOf(0)[2]).toBeGreaterThan(heatOf(0)[0]);
    expect(heatOf(255)[0]).toBeGreaterThan(heatOf(255)[2]);
    expect(Math.max(...heatOf(100)) - Math.min(...heatOf(100))).toBeLessThan(12);
  });
});
