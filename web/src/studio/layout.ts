import type { RecordType } from "./schema";

/** In which sections a record's fields are shown, and which of them are open at first. Fields that are named nowhere come last, under "More". */
interface Section {
  readonly title: string;
  readonly keys: readonly string[];
  readonly open: boolean;
}

const LAYOUTS: Readonly<Record<string, readonly Section[]>> = {
  scene: [
    { title: "Scene", keys: ["title", "description"], open: true },
    { title: "World", keys: ["world"], open: true },
    { title: "Floor", keys: ["floor"], open: true },
    { title: "Parameters", keys: ["parameters"], open: false },
    { title: "View", keys: ["view"], open: false },
    { title: "Limits", keys: ["limits"], open: false },
    { title: "Output", keys: ["output"], open: false },
  ],
  body: [
    { title: "Body", keys: ["name", "kind", "material", "mass"], open: true },
    { title: "Shape", keys: ["shape", "mesh"], open: true },
    { title: "Place", keys: ["position", "rotation", "scale"], open: true },
    { title: "Motion at the start", keys: ["velocity", "angular_velocity", "asleep", "appears"], open: true },
    { title: "Breaking", keys: ["fracture", "strength_paint", "strength_volume"], open: true },
    { title: "Anchors", keys: ["anchored", "fragments_anchored"], open: false },
    { title: "Collision", keys: ["collision"], open: false },
    { title: "Path of a kinematic body", keys: ["motion"], open: false },
    { title: "Many of them", keys: ["array"], open: false },
  ],
  material: [
    { title: "Matter", keys: ["base", "density", "friction", "restitution", "rolling_friction"], open: true },
    { title: "Breaking", keys: ["fracture"], open: true },
    {
      title: "Constants of the solid",
      keys: ["stiffness", "poisson_ratio", "strength", "extension", "across_grain", "crack_energy", "crack_roughness"],
      open: false,
    },
    { title: "Look", keys: ["look", "colour", "inside_colour"], open: true },
  ],
  instance: [
    { title: "Instance", keys: ["name", "group"], open: true },
    { title: "Place", keys: ["position", "rotation", "velocity"], open: true },
    { title: "Many of them", keys: ["array"], open: false },
  ],
};

/** Parts of the scene that have rows of their own in the tree. */
const IN_TREE = new Set(["$schema", "version", "bodies", "materials", "groups", "instances", "fields", "explosions", "actions"]);

export function sectionsOf(record: RecordType, title: string): Section[] {
  const keys = record.fields.map((field) => field.key).filter((key) => record.name !== "scene" || !IN_TREE.has(key));
  const layout = LAYOUTS[record.name];
  if (!layout) return [{ title, keys, open: true }];
  const named = new Set(layout.flatMap((section) => section.keys));
  const rest = keys.filter((key) => !named.has(key));
  const sections = layout
    .map((section) => ({ ...section, keys: section.keys.filter((key) => keys.includes(key)) }))
    .filter((section) => section.keys.length > 0);
  return rest.length > 0 ? [...sections, { title: "More", keys: rest, open: false }] : sections;
}
