import type { Stage } from "../stage/contract";
import { el } from "../ui/dom";
import type { Adder } from "./add";
import type { Files } from "./files";
import type { MeshImport } from "./import_mesh";
import type { VolumeImport } from "./import_volume";
import { MESH_ENDINGS, VOLUME_ENDINGS, type Imports } from "./imports";
import type { MenuEntry } from "./menu";
import type { Notices } from "./notices";
import { SHAPE_GROUPS, type ShapeInfo } from "./presets";
import { labelOf } from "./schema";
import type { Selection } from "./selection";
import { shapePicture } from "./shape_pictures";

/** Everything that can be added; what was added is selected. */
export class AddMenu {
  private readonly shapes: ReadonlyMap<string, ShapeInfo>;

  constructor(
    shapes: readonly ShapeInfo[],
    private readonly adder: Adder,
    private readonly imports: Imports,
    private readonly meshes: MeshImport,
    private readonly volumes: VolumeImport,
    private readonly files: Files,
    private readonly stage: Stage,
    private readonly selection: Selection,
    private readonly notices: Notices,
  ) {
    this.shapes = new Map(shapes.map((shape) => [shape.name, shape]));
  }

  entries(): MenuEntry[] {
    const hasBody = (): boolean => this.volumes.bodies.length > 0;
    return [
      { label: "Mesh file from this computer…", icon: "open", action: () => this.chooseFiles(MESH_ENDINGS) },
      { label: "Mesh of the project…", icon: "body", action: () => void this.projectMesh() },
      ...this.shapeEntries(),
      { heading: "Not a shape" },
      { label: "Material", icon: "material", action: () => this.added(this.adder.material()) },
      {
        label: "Wind or drag",
        icon: "force",
        action: () => this.added(this.adder.entry("Add drag", "/fields", { type: "drag", linear: 0.1 })),
      },
      {
        label: "Uniform force",
        icon: "force",
        action: () => this.added(this.adder.entry("Add a force", "/fields", { type: "uniform", acceleration: [0, 0, 0] })),
      },
      {
        label: "Radial force",
        icon: "force",
        action: () => this.added(this.adder.entry("Add a force", "/fields", { type: "radial", strength: 10 })),
      },
      { label: "Strength volume from this computer…", icon: "paint", enabled: hasBody, action: () => this.chooseFiles(VOLUME_ENDINGS) },
      { label: "Strength volume of the project…", icon: "paint", enabled: hasBody, action: () => void this.projectVolume() },
      { label: "Push of the selected body", icon: "clock", enabled: () => this.selection.inTake.length === 1, action: () => this.push() },
      {
        label: "Blast",
        icon: "blast",
        action: () =>
          this.added(this.adder.entry("Add a blast", "/explosions", { time: 0.5, centre: [0, 0.5, 0], radius: 2, impulse: 100 })),
      },
    ];
  }

  shape(name: string): void {
    this.added(this.adder.shape(name));
  }

  private shapeEntries(): MenuEntry[] {
    const known = new Set(SHAPE_GROUPS.flatMap((group) => group.names));
    const groups = [...SHAPE_GROUPS, { title: "Others", names: [...this.shapes.keys()].filter((name) => !known.has(name)) }];
    return groups.flatMap(({ title, names }): MenuEntry[] => [
      { heading: title },
      ...names.flatMap((name): MenuEntry[] => {
        const shape = this.shapes.get(name);
        return shape ? [{ label: labelOf(name), picture: () => shapePicture(name), hint: shape.help, action: () => this.shape(name) }] : [];
      }),
    ]);
  }

  private added(pointer: Promise<string>): void {
    pointer.then((where) => this.selection.set([where]), this.notices.complain);
  }

  /** A timed action, to be set in its properties. */
  private push(): void {
    const body = this.stage.recording.bodies[this.selection.inTake[0]!];
    if (body)
      this.added(
        this.adder.entry("Add a push", "/actions", {
          type: "push",
          time: 0.5,
          body: body.name,
          impulse: [0, Number(body.mass.toPrecision(2)), 0],
        }),
      );
  }

  private chooseFiles(endings: readonly string[]): void {
    const input = el("input", { type: "file", multiple: true, accept: endings.join() });
    input.addEventListener("change", () => void this.imports.files([...(input.files ?? [])]));
    input.click();
  }

  private async projectMesh(): Promise<void> {
    const path = await this.files.choosePath(["meshes"], "Add a mesh of the project", "Add");
    if (path !== undefined) await this.meshes.path(path);
  }

  private async projectVolume(): Promise<void> {
    const path = await this.files.choosePath(["volumes"], "How strong it is inside: a volume of the project", "Use");
    if (path !== undefined) await this.volumes.path(path).catch(this.notices.complain);
  }
}
