import type { Json, JsonObject } from "../server/contract";
import { isList, isObject } from "../server/pointer";

/** What panels are made of: sunder.schema.json read as fields. The schema's dialect is that of src/scene/schema_text.cpp. */

export interface NumberType {
  readonly kind: "number";
  readonly integer: boolean;
  readonly minimum: number; // -Infinity: none
  readonly maximum: number;
  readonly openBelow: boolean; // the minimum itself is not allowed
  readonly unit: string;
}
export interface VectorType {
  readonly kind: "vector";
  readonly length: number;
  readonly item: NumberType;
  readonly orNumber: boolean; // one number for all is allowed
}
export interface RecordType {
  readonly kind: "record";
  readonly name: string; // of the definition
  readonly help: string;
  readonly fields: readonly Field[];
}
/** One of several records, told apart by one key. */
export interface VariantType {
  readonly kind: "variant";
  readonly tag: string;
  readonly options: readonly { readonly value: string; readonly record: RecordType }[];
  readonly nameAlone: boolean; // "box" stands for {"name": "box"}
}
export type FieldType =
  | NumberType
  | VectorType
  | RecordType
  | VariantType
  | { readonly kind: "text" }
  | { readonly kind: "switch" }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "colour" }
  | { readonly kind: "rotation" }
  | { readonly kind: "named"; readonly map: string; readonly record: RecordType } // a key of a map of the scene, or a record of its own
  | { readonly kind: "textOrRecord"; readonly record: RecordType }
  | { readonly kind: "switchOrRecord"; readonly record: RecordType }
  | { readonly kind: "list"; readonly item: FieldType; readonly least: number }
  | { readonly kind: "map"; readonly item: FieldType }
  | { readonly kind: "raw" }; // shown as JSON

export interface Field {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly default: Json | undefined;
  readonly parameter: boolean; // may be "$name"
}

const PARAMETER = "#/$defs/parameter";
const DEFINITIONS = "#/$defs/";

export class SceneSchema {
  readonly root: RecordType;
  private readonly definitions: JsonObject;
  private readonly records = new Map<string, RecordType>();
  private readonly mapsByRecord = new Map<string, string>(); // definition -> key of the scene's map of such

  /** `ready`: materials that a material's `base` may name, by the keys of materials. */
  constructor(
    schema: JsonObject,
    private readonly ready: readonly JsonObject[] = [],
  ) {
    this.definitions = isObject(schema["$defs"]) ? schema["$defs"] : {};
    for (const [key, property] of Object.entries(objectAt(schema, "properties"))) {
      const items = isObject(property) ? property["additionalProperties"] : undefined;
      if (isObject(items) && typeof items["$ref"] === "string") this.mapsByRecord.set(definitionName(items["$ref"]), key);
    }
    this.root = this.record("scene", schema);
  }

  /** What a field is when it is absent; `base`: what stands beside it under that key. */
  standard(field: Field, base: Json | undefined): Json | undefined {
    return this.ready.find((material) => material["name"] === base)?.[field.key] ?? field.default;
  }

  definition(name: string): RecordType {
    const known = this.records.get(name);
    if (known) return known;
    const schema = this.definitions[name];
    if (!isObject(schema)) throw new Error(`the scene schema has no definition '${name}'`);
    return this.record(name, schema);
  }

  private record(name: string, schema: JsonObject): RecordType {
    const fields: Field[] = [];
    const record: RecordType = { kind: "record", name, help: textAt(schema, "description"), fields };
    this.records.set(name, record); // before its fields: records may contain themselves
    const required = isList(schema["required"]) ? schema["required"] : [];
    for (const [key, property] of Object.entries(objectAt(schema, "properties"))) {
      if (!isObject(property) || "const" in property) continue; // the tag of a variant
      fields.push({
        key,
        label: labelOf(key),
        help: textAt(property, "description"),
        type: this.type(property),
        required: required.includes(key),
        default: property["default"],
        parameter: allowsParameter(property),
      });
    }
    return record;
  }

  /** What a piece of schema describes. */
  type(schema: JsonObject): FieldType {
    if (schema["x-type"] === "colour") return { kind: "colour" };
    if (schema["x-type"] === "rotation") return { kind: "rotation" };
    if (typeof schema["$ref"] === "string") return this.definition(definitionName(schema["$ref"]));
    if (isList(schema["enum"])) return { kind: "choice", options: schema["enum"].map(String) };
    if (isList(schema["oneOf"])) return this.variant(schema["oneOf"].filter(isObject), false);
    if (isList(schema["anyOf"]))
      return this.union(
        schema["anyOf"].filter(isObject).filter((one) => one["$ref"] !== PARAMETER),
        schema,
      );
    switch (schema["type"]) {
      case "number":
      case "integer":
        return numberType(schema, "");
      case "string":
        return { kind: "text" };
      case "boolean":
        return { kind: "switch" };
      case "array":
        return this.array(schema);
      case "object":
        return isObject(schema["additionalProperties"])
          ? { kind: "map", item: this.type(schema["additionalProperties"]) }
          : isObject(schema["properties"])
            ? this.record("", schema)
            : { kind: "raw" };
      default:
        return { kind: "raw" };
    }
  }

  private array(schema: JsonObject): FieldType {
    if (!isObject(schema["items"])) return { kind: "raw" };
    const item = this.type(schema["items"]);
    const length = Number(schema["minItems"] ?? 0);
    if (item.kind === "number" && length > 1 && schema["minItems"] === schema["maxItems"]) {
      return { kind: "vector", length, item: { ...item, unit: item.unit || unitOf(schema) }, orNumber: false };
    }
    return { kind: "list", item, least: length };
  }

  private variant(options: readonly JsonObject[], nameAlone: boolean): FieldType {
    const records = options.map((option) => definitionName(textAt(option, "$ref")));
    const tags = records.map((name) => tagOf(objectAt(this.definitions, name)));
    const tag = tags[0]?.key;
    if (tag === undefined || tags.some((one) => one?.key !== tag)) return { kind: "raw" };
    return {
      kind: "variant",
      tag,
      nameAlone,
      options: records.map((name, i) => ({ value: tags[i]!.value, record: this.definition(name) })),
    };
  }

  /** anyOf, without the parameter that may stand for anything. */
  private union(options: readonly JsonObject[], whole: JsonObject): FieldType {
    if (options.length === 1) return this.type(options[0]!);
    const [first, second] = options;
    if (options.length !== 2 || !first || !second) return { kind: "raw" };
    if (isList(first["enum"]) && isList(second["oneOf"])) return this.variant(second["oneOf"].filter(isObject), true);
    const one = this.type(first);
    const other = this.type(second);
    if (one.kind === "switch" && other.kind === "record") return { kind: "switchOrRecord", record: other };
    if (one.kind === "text" && other.kind === "record") {
      const map = this.mapsByRecord.get(other.name);
      return map === undefined ? { kind: "textOrRecord", record: other } : { kind: "named", map, record: other };
    }
    if (one.kind === "number" && other.kind === "vector") {
      return { ...other, item: { ...other.item, unit: other.item.unit || unitOf(whole) }, orNumber: true };
    }
    return { kind: "raw" };
  }
}

function tagOf(definition: JsonObject): { key: string; value: string } | undefined {
  for (const [key, property] of Object.entries(objectAt(definition, "properties"))) {
    if (isObject(property) && typeof property["const"] === "string") return { key, value: property["const"] };
  }
  return undefined;
}

function allowsParameter(schema: JsonObject): boolean {
  const options = schema["anyOf"];
  return isList(options) && options.some((one) => isObject(one) && (one["$ref"] === PARAMETER || allowsParameter(one)));
}

function numberType(schema: JsonObject, unit: string): NumberType {
  const least = schema["exclusiveMinimum"] ?? schema["minimum"];
  return {
    kind: "number",
    integer: schema["type"] === "integer",
    minimum: typeof least === "number" ? least : -Infinity,
    maximum: typeof schema["maximum"] === "number" ? schema["maximum"] : Infinity,
    openBelow: "exclusiveMinimum" in schema,
    unit: unitOf(schema) || unit,
  };
}

function unitOf(schema: JsonObject): string {
  return unitText(textAt(schema, "x-unit"));
}

/** As people write it: m/s², °. */
export function unitText(unit: string): string {
  return unit
    .replace(/\^2/g, "²")
    .replace(/\^3/g, "³")
    .replace(/^degrees$/, "°");
}

/** rolling_friction -> Rolling friction */
export function labelOf(key: string): string {
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a number may be, in words; empty when anything goes. */
export function rangeText(type: NumberType): string {
  const unit = type.unit ? ` ${type.unit}` : "";
  const whole = type.integer ? "whole, " : "";
  const least = Number.isFinite(type.minimum);
  const most = Number.isFinite(type.maximum) && Math.abs(type.maximum) < 1e15;
  if (least && most && !type.openBelow) return `${whole}${short(type.minimum)} to ${short(type.maximum)}${unit}`;
  if (least && most) return `${whole}above ${short(type.minimum)}, up to ${short(type.maximum)}${unit}`;
  if (least) return `${whole}${type.openBelow ? "above" : "from"} ${short(type.minimum)}${unit}${type.openBelow ? "" : " on"}`;
  return type.integer ? "a whole number" : "";
}

function short(value: number): string {
  return Math.abs(value) >= 1e6 ? value.toExponential().replace("e+", "e") : String(value);
}

function definitionName(reference: string): string {
  return reference.startsWith(DEFINITIONS) ? reference.slice(DEFINITIONS.length) : "";
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

function textAt(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === "string" ? value : "";
}
