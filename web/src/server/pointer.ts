import type { Json, JsonObject, Operation, Patch } from "./contract";

/** JSON pointers (RFC 6901) and the patches that panels make. */

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function join(pointer: string, ...keys: readonly (string | number)[]): string {
  return keys.reduce<string>((path, key) => `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`, pointer);
}

export function keysOf(pointer: string): string[] {
  return pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}

export function lastKey(pointer: string): string {
  return keysOf(pointer).at(-1) ?? "";
}

export function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

export function valueAt(document: Json | undefined, pointer: string): Json | undefined {
  let value = document;
  for (const key of keysOf(pointer)) {
    if (isList(value)) value = value[Number(key)];
    else if (isObject(value)) value = value[key];
    else return undefined;
  }
  return value;
}

/** Puts a value at a pointer, with the objects above it that are not there yet. */
export function setPatch(document: Json, pointer: string, value: Json): Patch {
  if (valueAt(document, pointer) !== undefined) return [{ op: "replace", path: pointer, value }];
  const missing: Operation[] = [];
  for (let above = parentOf(pointer); above !== "" && valueAt(document, above) === undefined; above = parentOf(above)) {
    missing.unshift({ op: "add", path: above, value: {} });
  }
  return [...missing, { op: "add", path: pointer, value }];
}

/** Takes a value away; nothing to do when it is not there. */
export function removePatch(document: Json, pointer: string): Patch {
  return valueAt(document, pointer) === undefined ? [] : [{ op: "remove", path: pointer }];
}

/** Puts a value at the end of a list that may not be there yet; `pointer` is where it will be. */
export function appendPatch(document: Json, list: string, value: Json): { patch: Patch; pointer: string } {
  const before = valueAt(document, list);
  const count = isList(before) ? before.length : 0;
  const patch = isList(before) ? [{ op: "add" as const, path: `${list}/-`, value }] : setPatch(document, list, [value]);
  return { patch, pointer: join(list, count) };
}

/** A name that none of the taken is: ball, ball_2, ball_3. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  const base = wanted.replace(/_\d+$/, "");
  for (let n = 2; ; ++n) {
    const name = `${base}_${n}`;
    if (!taken.has(name)) return name;
  }
}

export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((value, i) => sameJson(value, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && sameJson(a[key], b[key]));
}
