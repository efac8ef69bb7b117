import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import type { JsonObject } from "../server/contract";
import { hexOf } from "./inputs";
import { sectionsOf } from "./layout";
import { emptyValue, parsedValue, switched } from "./new_values";
import { nameOf, ownerOf, references, typeAt } from "./panel";
import { Catalogue, SHAPE_GROUPS } from "./presets";
import { METRES } from "./units";
import { SceneSchema, type RecordType, type VariantType } from "./schema";

const schema = new SceneSchema(JSON.parse(readFileSync("../sunder.schema.json", "utf8")) as JsonObject);
const scene: JsonObject = {
  version: 1,
  title: "Two things",
  materials: { stone: {}, "a/b": {} },
  floor: { material: "stone" },
  bodies: [
    { name: "wall", material: "stone" },
    { name: "ball", material: { density: 1 } },
  ],
  fields: [{ type: "drag", linear: 1 }],
  groups: { house: { bodies: [{ name: "roof", material: "stone" }] } },
};

describe("what a pointer leads to", () => {
  it("has the fields of its record", () => {
    expect(typeAt(schema, "", scene)).toBe(schema.root);
    expect(typeAt(schema, "/bodies/1", scene)).toBe(schema.definition("body"));
    expect(typeAt(schema, "/materials/a~1b", scene)).toBe(schema.definition("material"));
    expect(typeAt(schema, "/fields/0", scene)).toBe(schema.definition("drag_field"));
    expect(typeAt(schema, "/groups/house/bodies/0", scene)).toBe(schema.definition("body"));
    expect(typeAt(schema, "/nothing/0", scene)).toBeUndefined();
  });
  it("has a name and an owner in the tree", () => {
    expect(nameOf(scene, "/bodies/1")).toBe("ball");
    expect(nameOf(scene, "/materials/a~1b")).toBe("a/b");
    expect(nameOf(scene, "/fields/0")).toBe("Force 1");
    expect(nameOf(scene, "")).toBe("Two things");
    expect(ownerOf("/bodies/1/position/2")).toBe("/bodies/1");
    expect(ownerOf("/groups/house/bodies/0/name")).toBe("/groups/house/bodies/0");
    expect(ownerOf("/world/frames")).toBe("");
  });
  it("is found wherever it is spoken of", () => {
    expect(references(scene, "material", "stone")).toEqual(["/floor/material", "/bodies/0/material", "/groups/house/bodies/0/material"]);
  });
});

describe("sections", () => {
  it("show every field once", () => {
    for (const name of ["body", "material", "instance", "explosion", "drag_field"]) {
      const record = schema.definition(name);
      const shown = sectionsOf(record, name).flatMap((section) => section.keys);
      expect([...shown].sort()).toEqual(record.fields.map((field) => field.key).sort());
    }
  });
  it("leave to the tree what is in the tree", () => {
    const shown = sectionsOf(schema.root, "Scene").flatMap((section) => section.keys);
    expect(shown).toContain("world");
    expect(shown).not.toContain("bodies");
  });
});

describe("values", () => {
  const shape = (schema.definition("body") as RecordType).fields.find((field) => field.key === "shape")!.type as VariantType;
  it("keep what both kinds have when the kind is switched", () => {
    expect(switched({ name: "box", width: 2, depth: 3 }, shape, "wall")).toEqual({ name: "wall", width: 2 });
    expect(switched("box", shape, "sphere")).toEqual({ name: "sphere" });
  });
  it("of one key that mean another thing in the other kind are left behind", () => {
    const fracture = (schema.definition("body") as RecordType).fields.find((field) => field.key === "fracture")!.type as VariantType;
    const before = { method: "prescored", smallest_piece: 0.02, max_generations: 2, pieces: 40 };
    expect(switched(before, fracture, "fem")).toEqual({ method: "fem", max_generations: 2 });
  });
  it("that are new are as small as they may be", () => {
    expect(emptyValue(shape)).toEqual({ name: "box" });
    expect(emptyValue(schema.definition("array"))).toEqual({ count: [1, 1, 1] });
    expect(emptyValue(schema.definition("body"))).toEqual({ name: "" });
  });
  it("of parameters are numbers, lists or text", () => {
    expect(parsedValue("3")).toBe(3);
    expect(parsedValue("[1, 2]")).toEqual([1, 2]);
    expect(parsedValue("radial")).toBe("radial");
    expect(parsedValue('{"a": 1}')).toBe('{"a": 1}');
  });
  it("that are colours are shown as such", () => {
    expect(hexOf("#A0b0C0")).toBe("#a0b0c0");
    expect(hexOf([1, 0.5, 0])).toBe("#ff8000");
    expect(hexOf("$colour")).toBeUndefined();
  });
});

describe("new bodies", () => {
  const shape = { help: "", open: false };
  const catalogue = new Catalogue(
    [
      { ...shape, name: "vase", material: "ceramic", volume: 0.0014, lift: 0 },
      { ...shape, name: "sphere", material: "stone", volume: 0.52, lift: 0.5 },
      { ...shape, name: "boat", open: true, material: "wood", volume: 0, lift: 0 },
    ],
    [
      { name: "ceramic", density: 2400, habit: { pattern: "realistic", pieces: 30 } },
      { name: "stone", density: 2500, habit: { pattern: "radial", pieces: 40 } },
      { name: "wood", density: 500, habit: null },
    ],
  );
  const known = new Set(
    schema
      .definition("body")
      .fields.flatMap((field) => (field.key === "shape" ? (field.type as VariantType).options.map((option) => option.value) : [])),
  );
  it("are of shapes that there are, and stand on their feet", () => {
    for (const name of SHAPE_GROUPS.flatMap((group) => group.names)) expect(known.has(name), name).toBe(true);
    expect(catalogue.liftOf("vase")).toBe(0);
    expect(catalogue.liftOf("sphere")).toBe(0.5);
    expect(catalogue.newBody("plane", "ground", [0, 0, 0])).toEqual({
      body: { name: "ground", shape: { name: "plane" }, position: [0, 0, 0], kind: "static" },
      material: undefined,
    });
  });
  it("are of the material that the program says, which the scene gets by its base", () => {
    const { body, material } = catalogue.newBody("boat", "boat", [0, 0, 0]);
    expect(body["material"]).toBe("wood");
    expect(body["fracture"]).toBeUndefined(); // wood bends
    expect(material).toEqual({ name: "wood", value: { base: "wood" } });
    const mesh = catalogue.newMeshBody("a.obj", "a", [0, 0, 0], 2, METRES);
    expect(mesh.body["fracture"]).toMatchObject({ pattern: "radial", pieces: 40 });
    expect(catalogue.newMeshBody("a.obj", "a", [0, 0, 0], undefined, METRES).body["fracture"]).toBeUndefined(); // open
  });
  it("break as hard as their material, which the program knows", () => {
    const { body, material } = catalogue.newBody("vase", "vase", [0, 0.75, 0]);
    expect(material!.value).toEqual({ base: "ceramic" });
    expect(body["fracture"]).toMatchObject({ method: "prescored", pattern: "realistic" });
    expect(body["fracture"]).not.toHaveProperty("threshold");
  });
});
