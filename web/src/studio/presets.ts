import type { Json, JsonObject } from "../server/contract";
import type { Unit } from "./units";

/** What things are when they are added, so that they break as people expect. All of it can be changed afterwards. */

/** As GET /shapes.json has it. */
export interface ShapeInfo {
  readonly name: string;
  readonly help: string;
  readonly open: boolean;
  readonly material: string; // what it is mostly made of; empty: no matter
  readonly volume: number; // m^3, of the default shape: sets how hard it must be hit
  readonly lift: number; // m: how high the origin is above its lowest point
}

/** As GET /materials.json has it: more keys, those of materials of scenes. */
export interface ReadyMaterial {
  readonly [key: string]: Json;
  readonly name: string;
  readonly density: number; // kg/m^3
  readonly habit: { readonly pattern: string; readonly pieces: number } | null; // how it breaks; null: it bends
}

export interface NewBody {
  readonly body: JsonObject;
  readonly material: { readonly name: string; readonly value: JsonObject } | undefined; // that the scene must have for it
}

/** Shards of a good size break once more; dust is for other methods. */
const AGAIN: JsonObject = { max_generations: 2, smallest_piece: 0.02 };

/** Of meshes that come from files. */
const USUAL = "stone";

/** Thrown when the scene has nothing better: heavy, and it does not break. */
export const THROWN: Json = { base: "steel" };

function fourDecimals(position: readonly number[]): number[] {
  return position.map((part) => Number(part.toFixed(4)));
}

/** The shapes and materials that the program has. */
export class Catalogue {
  private readonly shapes: ReadonlyMap<string, ShapeInfo>;
  private readonly materials: ReadonlyMap<string, ReadyMaterial>;

  constructor(shapes: readonly ShapeInfo[], materials: readonly ReadyMaterial[]) {
    this.shapes = new Map(shapes.map((shape) => [shape.name, shape]));
    this.materials = new Map(materials.map((material) => [material.name, material]));
  }

  liftOf(shape: string): number {
    return this.shapes.get(shape)?.lift ?? 0;
  }

  /** A new body of a ready-made shape, and the material it needs. */
  newBody(shape: string, name: string, position: readonly number[]): NewBody {
    const info = this.shapes.get(shape);
    const placed = { name, shape: { name: shape }, position: fourDecimals(position) };
    if (shape === "plane") return { body: { ...placed, kind: "static" }, material: undefined };
    return this.made(placed, info?.material ?? "", info?.volume);
  }

  /** A body of a mesh file; `volume` in its unit when the mesh is closed. */
  newMeshBody(file: string, name: string, position: readonly number[], volume: number | undefined, unit: Unit): NewBody {
    const mesh: Json = unit.metres === 1 ? file : { file, unit: unit.key };
    return this.made({ name, mesh, position: fourDecimals(position) }, USUAL, volume && volume * unit.metres ** 3);
  }

  /** Of that material, breaking as it does. */
  private made(placed: JsonObject, name: string, volume: number | undefined): NewBody {
    const material = this.materials.get(name);
    if (!material) return { body: placed, material: undefined };
    const breaks = material.habit !== null && (volume ?? 0) > 0;
    const fracture = breaks ? { method: "prescored", ...material.habit, ...AGAIN } : undefined;
    return {
      body: { ...placed, material: name, ...(fracture ? { fracture } : {}) },
      material: { name, value: { base: name } },
    };
  }
}

/** The menu's order: what artists break first. */
export const SHAPE_GROUPS: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  {
    title: "In the house",
    names: ["vase", "bowl", "plate", "mug", "bottle", "goblet", "wine_glass", "hollow_sphere", "mushroom", "table", "shelf"],
  },
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
