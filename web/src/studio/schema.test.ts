import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import type { JsonObject } from "../server/contract";
import {
  labelOf,
  rangeText,
  SceneSchema,
  unitText,
  type Field,
  type FieldType,
  type NumberType,
  type RecordType,
  type VariantType,
} from "./schema";

const schema = new SceneSchema(JSON.parse(readFileSync("../sunder.schema.json", "utf8")) as JsonObject);

function field(record: RecordType, key: string): Field {
  const found = record.fields.find((one) => one.key === key);
  if (!found) throw new Error(`${record.name} has no ${key}`);
  return found;
}

/** All fields there are, each once. */
function allFields(): Field[] {
  const seen = new Set<unknown>();
  const found: Field[] = [];
  const visit = (type: FieldType): void => {
    if (seen.has(type)) return;
    seen.add(type);
    if ("record" in type) visit(type.record);
    if (type.kind === "list" || type.kind === "map") visit(type.item);
    if (type.kind === "variant") type.options.forEach((option) => visit(option.record));
    if (type.kind !== "record") return;
    found.push(...type.fields);
    type.fields.forEach((one) => visit(one.type));
  };
  visit(schema.root);
  return found;
}

describe("the schema as fields", () => {
  it("has every part of the scene", () => {
    const kinds = Object.fromEntries(schema.root.fields.map((one) => [one.key, one.type.kind]));
    expect(kinds).toMatchObject({
      title: "text",
      world: "record",
      materials: "map",
      floor: "switchOrRecord",
      bodies: "list",
      fields: "list",
      view: "record",
    });
  });

  it("knows what a base says instead of a default", () => {
    const ready = new SceneSchema(JSON.parse(readFileSync("../sunder.schema.json", "utf8")) as JsonObject, [
      { name: "steel", density: 7800 },
    ]);
    const fields = ready.definition("material").fields;
    const density = fields.find((one) => one.key === "density")!;
    expect(ready.standard(density, "steel")).toBe(7800);
    expect(ready.standard(density, undefined)).toBe(2500);
    expect(ready.standard(fields.find((one) => one.key === "friction")!, "steel")).toBe(0.6); // not in this list
  });
  it("knows units, ranges, defaults", () => {
    const density = field(schema.definition("material"), "density");
    expect(density).toMatchObject({ label: "Density", default: 2500, parameter: true, required: false });
    expect(density.type).toEqual({ kind: "number", integer: false, minimum: 0, maximum: 1e6, openBelow: true, unit: "kg/m³" });
    expect(rangeText(density.type as NumberType)).toBe("above 0, up to 1e6 kg/m³");
    expect(rangeText(field(schema.definition("world"), "frames").type as NumberType)).toBe("whole, 1 to 1e6");
  });

  it("reads vectors, choices, colours, rotations", () => {
    const body = schema.definition("body");
    expect(field(body, "position").type).toMatchObject({ kind: "vector", length: 3, item: { unit: "m" }, orNumber: false });
    expect(field(body, "kind").type).toEqual({ kind: "choice", options: ["dynamic", "static", "kinematic"] });
    expect(field(body, "rotation").type.kind).toBe("rotation");
    expect(field(schema.definition("material"), "colour").type.kind).toBe("colour");
    expect(field(schema.definition("array"), "jitter").type).toMatchObject({ kind: "vector", orNumber: true, item: { unit: "m" } });
    expect(field(schema.definition("collision"), "ignores").type).toMatchObject({ kind: "list", item: { kind: "text" } });
  });

  it("tells records apart by their tag", () => {
    const fracture = field(schema.definition("material"), "fracture").type as VariantType;
    expect(fracture.tag).toBe("method");
    expect(fracture.options.map((one) => one.value)).toContain("prescored");
    const shape = field(schema.definition("body"), "shape").type as VariantType;
    expect(shape).toMatchObject({ kind: "variant", tag: "name", nameAlone: true });
    expect(shape.options.map((one) => one.value)).toContain("vase");
    const vase = shape.options.find((one) => one.value === "vase")!.record;
    expect(vase.fields.map((one) => one.key)).not.toContain("name"); // the tag is no field
    expect(field(vase, "belly_radius").default).toBe(0.11);
  });

  it("knows that a material may be one of the scene's", () => {
    expect(field(schema.definition("body"), "material").type).toMatchObject({ kind: "named", map: "materials" });
    expect(field(schema.definition("body"), "mesh").type.kind).toBe("textOrRecord");
    expect(field(schema.definition("body"), "name").required).toBe(true);
  });

  it("understands all of it: every field has words and an editor", () => {
    const fields = allFields();
    expect(fields.length).toBeGreaterThan(150);
    expect(fields.filter((one) => one.help === "").map((one) => one.key)).toEqual([]);
    // values of parameters are of any type; painted strengths are made with the brush
    const raw = fields.filter((one) => one.type.kind === "raw").map((one) => one.key);
    expect(raw.filter((key) => !["path", "strength_paint"].includes(key))).toEqual([]);
  });
});

it("says things as people do", () => {
  expect(labelOf("rolling_friction")).toBe("Rolling friction");
  expect(unitText("m/s^2")).toBe("m/s²");
  expect(unitText("degrees")).toBe("°");
});
