import type { Json, Operation, Patch } from "./contract";
import { keysOf, lastKey, parentOf, valueAt } from "./pointer";

/** RFC 6902 for add, replace and remove. */
export function applied(document: Json, patch: Patch): Json {
  const copy = structuredClone(document) as Json;
  for (const operation of patch) applyOne(copy, operation);
  return copy;
}

function applyOne(document: Json, operation: Operation): void {
  const above = valueAt(document, parentOf(operation.path)) as Record<string, Json> | Json[];
  const key = lastKey(operation.path);
  if (above === undefined || keysOf(operation.path).length === 0) throw new Error(`no place for ${operation.path}`);
  if (operation.op === "remove") {
    if (Array.isArray(above)) above.splice(Number(key), 1);
    else delete above[key];
  } else if (operation.op === "add" && Array.isArray(above)) {
    above.splice(key === "-" ? above.length : Number(key), 0, operation.value);
  } else if (operation.op === "add" || operation.op === "replace") {
    (above as Record<string, Json>)[key] = operation.value;
  }
}
