import type { Json } from "./contract";
import { isList, isObject } from "./pointer";

/** Rotations as scenes write them: degrees about the fixed x, y, z axes in this order; or axis and degrees; or a quaternion, which scenes write w x y z. */
export type RotationForm = "angles" | "axis" | "quaternion";
export type Quaternion = readonly [number, number, number, number]; // x y z w

const DEGREES = 180 / Math.PI;

export function formOf(value: Json | undefined): RotationForm {
  if (!isObject(value)) return "angles";
  return "quaternion" in value ? "quaternion" : "axis";
}

/** undefined: a parameter is in it. */
export function quaternionOf(value: Json | undefined): Quaternion | undefined {
  if (value === undefined) return [0, 0, 0, 1];
  if (isList(value)) return numbers(value, 3) ? fromAngles(value as readonly number[]) : undefined;
  if (!isObject(value)) return undefined;
  if (isList(value["quaternion"])) {
    if (!numbers(value["quaternion"], 4)) return undefined;
    const [w, x, y, z] = value["quaternion"] as readonly number[];
    return normalised([x!, y!, z!, w!]);
  }
  const axis = value["axis"] ?? [0, 1, 0];
  const degrees = value["degrees"] ?? 0;
  return isList(axis) && numbers(axis, 3) && typeof degrees === "number" ? aboutAxis(axis as readonly number[], degrees) : undefined;
}

/** In another way of writing, rounded to what people want to read. */
export function written(quaternion: Quaternion, form: RotationForm): Json {
  const [x, y, z, w] = quaternion;
  if (form === "quaternion") return { quaternion: [w, x, y, z].map((part) => rounded(part, 9)) };
  if (form === "angles") return anglesOf(quaternion).map((degrees) => rounded(degrees, 6));
  const sine = Math.hypot(x, y, z);
  if (sine < 1e-12) return { axis: [0, 1, 0], degrees: 0 };
  return { axis: [x / sine, y / sine, z / sine].map((part) => rounded(part, 9)), degrees: rounded(2 * Math.atan2(sine, w) * DEGREES, 6) };
}

export function multiplied(a: Quaternion, b: Quaternion): Quaternion {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

export function rotated(q: Quaternion, v: readonly number[]): [number, number, number] {
  const [x, y, z] = multiplied(multiplied(q, [v[0]!, v[1]!, v[2]!, 0]), [-q[0], -q[1], -q[2], q[3]]);
  return [x, y, z];
}

function aboutAxis(axis: readonly number[], degrees: number): Quaternion {
  const length = Math.hypot(...axis) || 1;
  const half = degrees / DEGREES / 2;
  const [x, y, z] = axis.map((part) => (Math.sin(half) * part) / length);
  return [x!, y!, z!, Math.cos(half)];
}

function fromAngles(degrees: readonly number[]): Quaternion {
  const [x, y, z] = [0, 1, 2].map((k) =>
    aboutAxis(
      [0, 1, 2].map((i) => (i === k ? 1 : 0)),
      degrees[k]!,
    ),
  );
  return multiplied(z!, multiplied(y!, x!));
}

function anglesOf([x, y, z, w]: Quaternion): number[] {
  const sine = 2 * (w * y - x * z);
  if (Math.abs(sine) > 1 - 1e-12) return [2 * Math.atan2(x, w) * DEGREES, 90 * Math.sign(sine), 0]; // x and z turn about one axis
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) * DEGREES,
    Math.asin(sine) * DEGREES,
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * DEGREES,
  ];
}

function normalised(q: Quaternion): Quaternion {
  const length = Math.hypot(...q) || 1;
  return q.map((part) => part / length) as unknown as Quaternion;
}

function numbers(list: readonly Json[], count: number): boolean {
  return list.length === count && list.every((part) => typeof part === "number");
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals)) + 0; // no -0
}
