import type { Vec3 } from "../core/recording";
import type { Json, JsonObject, Operation, Patch, SceneDocument } from "../server/contract";
import { isList, isObject, keysOf, valueAt } from "../server/pointer";
import { formOf, multiplied, quaternionOf, rotated, written, type Quaternion } from "../server/rotations";

/** What gizmos do, as changes of the scene. */

/** Everything turns about the pivot, then moves. */
export interface Displacement {
  readonly pivot: Vec3; // m, world
  readonly move: Vec3; // m
  readonly turn: Quaternion;
}

/** Where a model's coordinates are in the world. */
export interface Placement {
  readonly position: Vec3;
  readonly rotation: Quaternion;
}

export const NO_TURN: Quaternion = [0, 0, 0, 1];

function plus(a: Vec3, b: readonly number[]): Vec3 {
  return [a[0] + b[0]!, a[1] + b[1]!, a[2] + b[2]!];
}
function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function displaced(placement: Placement, by: Displacement): Placement {
  const position = plus(plus(by.pivot, by.move), rotated(by.turn, minus(placement.position, by.pivot)));
  return { position, rotation: multiplied(by.turn, placement.rotation) };
}

/** A thousandth of a millimetre is fine enough to read and to keep. */
export function rounded(values: readonly number[], decimals = 6): number[] {
  return values.map((value) => Number(value.toFixed(decimals)) + 0); // no -0
}

function isStill(turn: Quaternion): boolean {
  return Math.abs(turn[3]) > 1 - 1e-12;
}

function numbersAt(document: SceneDocument, pointer: string): Vec3 | undefined {
  const value = valueAt(document, pointer);
  if (value === undefined) return [0, 0, 0];
  return isList(value) && value.length === 3 && value.every((part) => typeof part === "number") ? (value as unknown as Vec3) : undefined;
}

/** Sets members of objects that are there; those that have a value get another. */
function put(path: string, value: Json): Operation {
  return { op: "add", path, value };
}

/**
 * The part of the document that says where a body of the scene is: its own entry, or the instance that places its group.
 * undefined: nothing does.
 */
export function entryOf(document: SceneDocument, source: string | undefined, name: string): string | undefined {
  if (source === undefined) return undefined;
  if (!source.startsWith("/groups/")) return source;
  const instances = document["instances"];
  if (!isList(instances)) return undefined;
  const index = instances.findIndex((instance) => isObject(instance) && isPath(instance["name"], name));
  return index < 0 ? undefined : `/instances/${index}`;
}

function isPath(outer: Json | undefined, name: string): boolean {
  return typeof outer === "string" && name.startsWith(`${outer}/`);
}

export function isArray(document: SceneDocument, entry: string): boolean {
  return isObject(valueAt(document, `${entry}/array`));
}

/**
 * Moves an entry of the scene. Members of an array turn each about its own origin, so the array only moves. `now`: where
 * the model is, for values that are given by parameters. Nothing: it cannot be moved so.
 */
export function displacePatch(document: SceneDocument, entry: string, by: Displacement, now?: Placement): Patch {
  if (keysOf(entry)[0] === "floor") return floorPatch(document, by);
  const position = numbersAt(document, `${entry}/position`) ?? now?.position;
  const given = valueAt(document, `${entry}/rotation`);
  const rotation = quaternionOf(given) ?? now?.rotation;
  if (position === undefined || rotation === undefined) return [];
  const about = isArray(document, entry) ? position : by.pivot;
  const next = displaced({ position, rotation }, { ...by, pivot: about });
  const patch: Operation[] = [];
  const place = rounded(next.position);
  if (rounded(position).some((part, k) => part !== place[k])) patch.push(put(`${entry}/position`, place));
  if (!isStill(by.turn)) patch.push(put(`${entry}/rotation`, written(next.rotation, formOf(given))));
  return patch;
}

function floorPatch(document: SceneDocument, by: Displacement): Patch {
  const height = valueAt(document, "/floor/height") ?? 0;
  if (typeof height !== "number" || by.move[1] === 0) return [];
  const [next] = rounded([height + by.move[1]]);
  return isObject(document["floor"]) ? [put("/floor/height", next!)] : [put("/floor", { height: next! })];
}

/** Which part of a body has its size: shape or mesh. undefined: none. */
export function scaledPart(document: SceneDocument, entry: string): "shape" | "mesh" | undefined {
  const body = valueAt(document, entry);
  if (!isObject(body)) return undefined;
  return body["shape"] !== undefined ? "shape" : body["mesh"] !== undefined ? "mesh" : undefined;
}

/** The scale that an entry has now; undefined: it is given by a parameter, or there is none. */
export function scaleOf(document: SceneDocument, entry: string): Vec3 | undefined {
  const part = scaledPart(document, entry);
  if (part === undefined) return undefined;
  const value = valueAt(document, `${entry}/${part}/scale`);
  if (value === undefined) return [1, 1, 1];
  if (typeof value === "number") return [value, value, value];
  return numbersAt(document, `${entry}/${part}/scale`);
}

/** A shape or mesh that is only named becomes an object. One factor for all three is written as one number. */
export function scalePatch(document: SceneDocument, entry: string, scale: Vec3): Patch {
  const part = scaledPart(document, entry);
  if (part === undefined) return [];
  const parts = rounded(scale);
  const value: Json = parts[0] === parts[1] && parts[1] === parts[2] ? parts[0]! : parts;
  const path = `${entry}/${part}`;
  const given = valueAt(document, path)!;
  if (typeof given === "string") return [put(path, { [part === "shape" ? "name" : "file"]: given, scale: value })];
  return [put(`${path}/scale`, value)];
}

/** For the frame that is shown: an action that puts a body elsewhere. */
export function placeAction(body: string, to: Placement, turned: boolean): JsonObject {
  const action = { type: "place", body, position: rounded(to.position) };
  return turned ? { ...action, rotation: written(to.rotation, "quaternion") } : action;
}
