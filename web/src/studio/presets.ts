import type { Json, JsonObject } from "../server/contract";

/** What things are made of when they are added, so that they break as people expect. All of it can be changed afterwards. */

interface Make {
  readonly material: "stone" | "ceramic" | "glass" | "wood" | "brick" | "metal" | "ice";
  readonly volume: number; // m^3, of the default shape: sets how hard it must be hit
  readonly lift: number; // m: how high the origin is above its lowest point
}

/** Of the ready-made shapes with their default sizes. */
const MAKES: Readonly<Record<string, Make>> = {
  box: { material: "stone", volume: 1, lift: 0.5 },
  rounded_box: { material: "stone", volume: 0.95, lift: 0.5 },
  sphere: { material: "stone", volume: 0.52, lift: 0.5 },
  ellipsoid: { material: "stone", volume: 0.39, lift: 0.35 },
  cylinder: { material: "stone", volume: 0.5, lift: 0.5 },
  cone: { material: "stone", volume: 0.26, lift: 0.5 },
  capsule: { material: "stone", volume: 0.2, lift: 0.6 },
  torus: { material: "ceramic", volume: 0.17, lift: 0.15 },
  prism: { material: "ice", volume: 0.65, lift: 0.5 },
  wall: { material: "stone", volume: 1.2, lift: 0 },
  brick_wall: { material: "brick", volume: 0.0014, lift: 0 },
  pane: { material: "glass", volume: 0.0077, lift: 0 },
  table: { material: "wood", volume: 0.061, lift: 0 },
  plate: { material: "ceramic", volume: 0.00032, lift: 0 },
  bowl: { material: "ceramic", volume: 0.00035, lift: 0 },
  goblet: { material: "metal", volume: 0.00016, lift: 0 },
  wine_glass: { material: "glass", volume: 0.000074, lift: 0 },
  vase: { material: "ceramic", volume: 0.0014, lift: 0 },
  hollow_sphere: { material: "glass", volume: 0.000038, lift: 0.04 },
  pillar: { material: "stone", volume: 0.37, lift: 0 },
  fluted_column: { material: "stone", volume: 0.35, lift: 0 },
  mushroom: { material: "ceramic", volume: 0.00038, lift: 0 },
  star: { material: "ceramic", volume: 0.049, lift: 0.405 },
  moebius_band: { material: "ceramic", volume: 0.038, lift: 0.152 },
  gyroid_block: { material: "ceramic", volume: 0.44, lift: 0.5 },
  animal: { material: "stone", volume: 0.015, lift: 0 },
  figure: { material: "stone", volume: 0.064, lift: 0 },
};

const MATERIALS: Readonly<Record<Make["material"], JsonObject>> = {
  stone: { density: 2500, look: "stone" },
  ceramic: { density: 2400, friction: 0.4, look: "ceramic" },
  glass: { density: 2500, friction: 0.3, look: "glass" },
  wood: { density: 700, friction: 0.5, look: "wood" },
  brick: { density: 1900, look: "brick" },
  metal: { density: 7800, friction: 0.4, look: "metal" },
  ice: { density: 917, friction: 0.05, look: "ice" },
};

const PATTERNS: Readonly<Record<Make["material"], JsonObject | undefined>> = {
  stone: { pattern: "radial", pieces: 40 },
  ceramic: { pattern: "realistic", pieces: 30 },
  glass: { pattern: "glass", pieces: 50 },
  wood: undefined, // bends before it breaks: as good as unbreakable
  brick: { pattern: "uniform", pieces: 6 },
  metal: undefined,
  ice: { pattern: "uniform", pieces: 30 },
};

/** Shards of a good size break once more; dust is for other methods. */
const AGAIN: JsonObject = { max_generations: 2, smallest_piece: 0.02 };

/** m/s: who is stopped from this speed breaks. Lying there counts as 0.33 at 30 frames per second. */
const BREAKING_SPEED = 0.85;

/** Thrown when the scene has nothing better: heavy, and it does not break. */
export const THROWN: Json = { density: 7800, friction: 0.4, look: "metal" };

export function liftOf(shape: string): number {
  return MAKES[shape]?.lift ?? 0;
}

function twoDigits(value: number): number {
  return Number(value.toPrecision(2));
}

/** A new body of a ready-made shape, and the material it needs. */
export function newBody(
  shape: string,
  name: string,
  position: readonly number[],
): { body: JsonObject; material: { name: string; value: JsonObject } | undefined } {
  const make = MAKES[shape];
  const placed = { name, shape: { name: shape }, position: position.map((part) => Number(part.toFixed(4))) };
  if (shape === "plane") return { body: { ...placed, kind: "static" }, material: undefined };
  if (!make) return { body: placed, material: undefined };
  const value = MATERIALS[make.material];
  const pattern = PATTERNS[make.material];
  const threshold = twoDigits(BREAKING_SPEED * make.volume * (value["density"] as number));
  const fracture = pattern && { method: "prescored", threshold, ...pattern, ...AGAIN };
  return { body: { ...placed, material: make.material, ...(fracture ? { fracture } : {}) }, material: { name: make.material, value } };
}

/** A body of a mesh file; `volume` when the mesh is closed. */
export function newMeshBody(
  file: string,
  name: string,
  position: readonly number[],
  volume: number | undefined,
): { body: JsonObject; material: { name: string; value: JsonObject } } {
  const value = MATERIALS.stone;
  const fracture =
    volume !== undefined && volume > 0
      ? { method: "prescored", threshold: twoDigits(BREAKING_SPEED * volume * 2500), ...PATTERNS.stone, ...AGAIN }
      : undefined;
  return {
    body: {
      name,
      mesh: file,
      position: position.map((part) => Number(part.toFixed(4))),
      material: "stone",
      ...(fracture ? { fracture } : {}),
    },
    material: { name: "stone", value },
  };
}

/** The menu's order: what artists break first. */
export const SHAPE_GROUPS: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: "On the table", names: ["vase", "bowl", "plate", "goblet", "wine_glass", "hollow_sphere", "mushroom", "table"] },
  { title: "Buildings", names: ["wall", "brick_wall", "pane", "pillar", "fluted_column", "figure", "animal", "boat"] },
  {
    title: "Simple forms",
    names: [
      "box",
      "rounded_box",
      "sphere",
      "ellipsoid",
      "cylinder",
      "cone",
      "capsule",
      "torus",
      "prism",
      "star",
      "moebius_band",
      "gyroid_block",
    ],
  },
];
