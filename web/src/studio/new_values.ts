import type { Json, JsonObject } from "../server/contract";
import { isObject } from "../server/pointer";
import type { FieldType, RecordType, VariantType } from "./schema";

/** Values that were not there before. */

/** What a new member is: as little as it must be. */
export function emptyValue(type: FieldType): Json {
  switch (type.kind) {
    case "number":
      return Math.max(0, type.minimum) + (type.openBelow && type.minimum >= 0 ? 1 : 0);
    case "vector":
      return Array.from({ length: type.length }, () => emptyValue(type.item));
    case "switch":
      return false;
    case "choice":
      return type.options[0] ?? "";
    case "variant":
      return switched(undefined, type, type.options[0]?.value ?? "");
    case "record":
      return requiredParts(type);
    case "list":
      return Array.from({ length: type.least }, () => emptyValue(type.item));
    case "map":
    case "raw":
      return {};
    default:
      return "";
  }
}

function requiredParts(record: RecordType): JsonObject {
  return Object.fromEntries(record.fields.filter((field) => field.required).map((field) => [field.key, emptyValue(field.type)]));
}

/** Another kind keeps the fields that mean the same in both: those of one key and one help; of shapes, whose fields are sizes, those of one key. */
export function switched(before: Json | undefined, type: VariantType, value: string): Json {
  const recordOf = (kind: Json | undefined): RecordType | undefined => type.options.find((option) => option.value === kind)?.record;
  const record = recordOf(value);
  const helpOf = (of: RecordType | undefined, key: string): string | undefined => of?.fields.find((field) => field.key === key)?.help;
  const meansTheSame = (old: JsonObject, key: string): boolean => {
    const help = helpOf(record, key);
    return help !== undefined && (type.nameAlone || help === helpOf(recordOf(old[type.tag]), key));
  };
  const kept = isObject(before) ? Object.entries(before).filter(([key]) => meansTheSame(before, key)) : [];
  const required = record ? Object.entries(requiredParts(record)) : [];
  return { [type.tag]: value, ...Object.fromEntries([...required, ...kept]) };
}

/** 3, true, [1, 2] are what they are; anything else is text. */
export function parsedValue(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) || value === null ? text : value;
  } catch {
    return text;
  }
}
