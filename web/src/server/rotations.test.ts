import { describe, expect, it } from "vitest";

import { quaternionOf, rotated, written, type Quaternion, type RotationForm } from "./rotations";

function same(a: Quaternion, b: Quaternion): void {
  const dot = a.reduce((sum, part, i) => sum + part * b[i]!, 0);
  expect(Math.abs(dot)).toBeCloseTo(1, 6);
}

describe("rotations", () => {
  it("turn about the fixed axes, x first", () => {
    // 90 about x takes y to z; 90 about y takes that z to x
    const turned = rotated(quaternionOf([90, 90, 0])!, [0, 1, 0]);
    [1, 0, 0].forEach((part, i) => expect(turned[i]).toBeCloseTo(part, 12));
  });

  const all: readonly (readonly [number, number, number])[] = [
    [0, 0, 0],
    [10, 20, 30],
    [170, -80, 200],
    [0, 90, 0],
    [25, -90, 10],
    [180, 0, 0],
  ];
  for (const form of ["angles", "axis", "quaternion"] as readonly RotationForm[]) {
    it.each(all)(`%d %d %d are the same as ${form}`, (x, y, z) => {
      const q = quaternionOf([x, y, z])!;
      same(q, quaternionOf(written(q, form))!);
    });
  }

  it("have w first where scenes write quaternions", () => {
    expect(quaternionOf({ quaternion: [1, 0, 0, 0] })).toEqual([0, 0, 0, 1]);
    expect(written([0, 0, 0, 1], "quaternion")).toEqual({ quaternion: [1, 0, 0, 0] });
  });

  it("are not known while a parameter is in them", () => {
    expect(quaternionOf([0, "$turn", 0])).toBeUndefined();
    expect(quaternionOf("$turn")).toBeUndefined();
    expect(quaternionOf({ axis: [0, 1, 0], degrees: "$turn" })).toBeUndefined();
  });
});
