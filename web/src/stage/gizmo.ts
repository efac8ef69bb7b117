import * as THREE from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";

import { toWorld } from "../core/raycast";
import type { Vec3 } from "../core/recording";
import type { Patch, SceneDocument } from "../server/contract";
import type { Quaternion } from "../server/rotations";
import {
  displaced,
  displacePatch,
  isArray,
  NO_TURN,
  placeAction,
  scaleOf,
  scalePatch,
  type Displacement,
  type Placement,
} from "./scene_edits";
import type { LiveBody } from "../live/live_recording";
import type { Pointer, StageTool, Workbench } from "./tool";

export type GizmoMode = "move" | "rotate" | "scale";

const MODES = { move: "translate", rotate: "rotate", scale: "scale" } as const;
const TURN_STEP = 15; // degrees
const SCALE_STEP = 0.1;
const LEAST_FACTOR = 0.02; // handles can be dragged through the middle

/** Steps that go with the size of a scene: 1, 2 or 5 times a power of ten. */
export function stepFor(size: number): number {
  const rough = size / 40;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((n) => n * power >= rough) ?? 10) * power;
}

function placementOf(pose: ArrayLike<number>, centre: Vec3): Placement {
  return { position: toWorld(pose, centre, [0, 0, 0]), rotation: [pose[3]!, pose[4]!, pose[5]!, pose[6]!] };
}

function scaleEntry(entry: string, scale: Vec3 | undefined): (readonly [string, Vec3])[] {
  return scale ? [[entry, scale]] : [];
}

/** What a drag began with. */
interface Grip {
  readonly bodies: readonly LiveBody[]; // that move
  readonly poses: ReadonlyMap<number, Float32Array>;
  readonly entries: readonly string[]; // of the document, when the start is edited
  readonly scales: ReadonlyMap<string, Vec3>; // by entry
  readonly pivot: THREE.Vector3;
  readonly turn: THREE.Quaternion;
  readonly gesture: string; // all its edits are one step to undo
}

/** Handles at what is selected: they change the scene's start, or where things are in the frame shown. */
export class Gizmo implements StageTool {
  private readonly controls: TransformControls;
  private readonly handle = new THREE.Object3D();
  private readonly helper: THREE.Object3D;
  private grip: Grip | undefined;
  private active = false;

  constructor(
    private readonly bench: Workbench,
    private readonly mode: GizmoMode,
    dragging: (on: boolean) => void,
  ) {
    const { viewport } = bench;
    this.controls = new TransformControls(viewport.cameras.camera, viewport.canvas);
    this.controls.setMode(MODES[mode]);
    this.controls.setSize(0.85);
    this.helper = this.controls.getHelper();
    this.controls.addEventListener("change", () => viewport.redraw());
    this.controls.addEventListener("objectChange", () => this.changed());
    this.controls.addEventListener("mouseDown", () => {
      dragging(true);
      this.begin();
    });
    this.controls.addEventListener("mouseUp", () => {
      dragging(false);
      this.finish();
    });
    this.controls.enabled = false;
  }

  dispose(): void {
    this.deactivate();
    this.controls.dispose();
  }

  activate(): void {
    this.active = true;
    this.controls.enabled = true;
    this.bench.viewport.overlay.add(this.handle, this.helper);
    this.refresh();
  }

  deactivate(): void {
    this.cancel();
    this.active = false;
    this.controls.enabled = false;
    this.controls.detach();
    this.bench.viewport.overlay.remove(this.handle, this.helper);
    this.bench.readout.hide();
    this.bench.viewport.redraw();
  }

  /** A handle under the pointer takes the drag; three listens to the canvas by itself. */
  down(): boolean {
    return this.controls.axis !== null && this.controls.object !== undefined;
  }
  move(pointer: Pointer): void {
    this.setSteps(pointer);
  }
  hover(pointer: Pointer): void {
    this.setSteps(pointer);
  }
  up(): void {}

  cancel(): void {
    if (!this.grip) return;
    this.grip = undefined;
    this.controls.reset();
    this.bench.viewport.setPreview(undefined);
    this.refresh();
  }

  private setSteps(pointer: Pointer): void {
    const steps = this.bench.snap !== pointer.control; // Ctrl turns it round
    this.controls.setTranslationSnap(steps ? stepFor(this.bench.viewport.size) : null);
    this.controls.setRotationSnap(steps ? THREE.MathUtils.degToRad(TURN_STEP) : null);
    this.controls.setScaleSnap(steps ? SCALE_STEP : null);
  }

  refresh(): void {
    if (!this.active || this.grip) return;
    const bodies = this.movable();
    if (bodies.length === 0) {
      this.controls.detach();
      this.bench.readout.show(this.bench.selection.length === 0 ? "Click what you want to change" : this.whyNot());
      this.bench.viewport.redraw();
      return;
    }
    const poses = bodies.map((body) => this.bench.poseOf(body.id));
    const middle = new THREE.Vector3();
    for (const pose of poses) middle.add(new THREE.Vector3(pose[0], pose[1], pose[2]).divideScalar(poses.length));
    this.handle.position.copy(middle);
    this.handle.quaternion.set(poses[0]![3]!, poses[0]![4]!, poses[0]![5]!, poses[0]![6]!);
    this.handle.scale.set(1, 1, 1);
    this.handle.updateMatrixWorld();
    this.controls.attach(this.handle);
    this.bench.readout.show(`${this.whatIsEdited()} · ${this.nameOf(bodies)}`);
    this.bench.viewport.redraw();
  }

  private nameOf(bodies: readonly LiveBody[]): string {
    return bodies.length === 1 ? bodies[0]!.name : `${bodies.length} bodies`;
  }

  private whatIsEdited(): string {
    return this.isStart ? "Start of the scene" : `Frame ${this.bench.shownFrame}`;
  }

  private get isStart(): boolean {
    return this.bench.editing === "start";
  }

  private get isAtStart(): boolean {
    return this.bench.shownFrame === this.bench.recording.firstFrame;
  }

  private whyNot(): string {
    if (this.isStart && !this.isAtStart)
      return `The start of the scene is changed at frame ${this.bench.recording.firstFrame}; or edit the frame shown`;
    if (this.isStart) return "The scene does not have this as a body of its own: edit the frame shown, or what it came of";
    if (this.mode === "scale") return "Sizes can only be changed at the start of the scene";
    return "This is not there in the frame shown";
  }

  /** Which bodies a drag moves: at the start all of their entries (arrays, instances), later only themselves. */
  private movable(): LiveBody[] {
    const { recording, selection } = this.bench;
    const chosen = selection.flatMap((id) => recording.bodies[id] ?? []);
    if (this.isStart) {
      if (!this.isAtStart) return [];
      const ids = new Set(this.entries(chosen).flatMap((entry) => this.bench.bodiesOf(entry)));
      return [...ids].flatMap((id) => (this.bench.isThere(id) ? recording.bodies[id]! : []));
    }
    if (this.mode === "scale") return [];
    return chosen.filter((body) => this.bench.isThere(body.id) && !body.halfSpace);
  }

  private entries(bodies: readonly LiveBody[]): string[] {
    const roots = bodies.filter((body) => body.parent < 0);
    const all = [...new Set(roots.flatMap((body) => this.bench.entryOf(body) ?? []))];
    return this.mode === "scale" ? all.filter((entry) => scaleOf(this.bench.document, entry) !== undefined) : all;
  }

  private begin(): void {
    const bodies = this.movable();
    const chosen = this.bench.selection.flatMap((id) => this.bench.recording.bodies[id] ?? []);
    const entries = this.isStart ? this.entries(chosen) : [];
    this.grip = {
      bodies,
      poses: new Map(bodies.map((body) => [body.id, this.bench.poseOf(body.id)])),
      entries,
      scales: new Map(entries.flatMap((entry) => scaleEntry(entry, scaleOf(this.bench.document, entry)))),
      pivot: this.handle.position.clone(),
      turn: this.handle.quaternion.clone(),
      gesture: `gizmo #${performance.now()}`,
    };
  }

  private displacement(grip: Grip): Displacement {
    const move = this.handle.position.clone().sub(grip.pivot);
    const turn = this.handle.quaternion.clone().multiply(grip.turn.clone().invert()).normalize();
    return {
      pivot: grip.pivot.toArray(),
      move: move.toArray(),
      turn: this.mode === "rotate" ? (turn.toArray() as unknown as Quaternion) : NO_TURN,
    };
  }

  private changed(): void {
    const { grip } = this;
    if (!grip) return;
    if (this.mode === "scale") {
      this.bench.readout.show(
        this.whatIsEdited(),
        `× ${this.handle.scale
          .toArray()
          .map((s) => s.toFixed(2))
          .join("  ")}`,
      );
      void this.sendScale(grip);
      return;
    }
    const by = this.displacement(grip);
    const preview = new Map<number, number[]>();
    for (const body of grip.bodies) preview.set(body.id, this.moved(body, grip, by));
    this.bench.viewport.setPreview(preview);
    this.bench.readout.show(`${this.whatIsEdited()} · ${this.nameOf(grip.bodies)}`, this.numbers(grip, by));
  }

  /** As displacePatch will have it: members of arrays turn about their own origins. */
  private moved(body: LiveBody, grip: Grip, by: Displacement): number[] {
    const pose = grip.poses.get(body.id)!;
    const model = placementOf(pose, body.centre);
    const entry = this.isStart ? this.bench.entryOf(body) : undefined;
    const about = entry !== undefined && isArray(this.bench.document, entry) ? model.position : by.pivot;
    const centre: Placement = { position: [pose[0]!, pose[1]!, pose[2]!], rotation: model.rotation };
    const next = displaced(centre, { ...by, pivot: about });
    return [...next.position, ...next.rotation];
  }

  private numbers(grip: Grip, by: Displacement): string {
    if (this.mode === "rotate") {
      const degrees = THREE.MathUtils.radToDeg(2 * Math.acos(Math.min(1, Math.abs(by.turn[3]))));
      return `${degrees.toFixed(1)}°`;
    }
    const only = grip.bodies.length === 1 ? grip.bodies[0]! : undefined;
    const at = only ? displaced(placementOf(grip.poses.get(only.id)!, only.centre), by).position : by.move;
    return ["x", "y", "z"].map((axis, k) => `${axis} ${only ? "" : "+"}${at[k]!.toFixed(3)}`).join("  ") + " m";
  }

  private finish(): void {
    const { grip } = this;
    if (!grip) return;
    if (this.mode === "scale") {
      const sent = this.sendScale(grip);
      this.grip = undefined;
      this.refresh();
      void sent.then(() => this.refresh());
      return;
    }
    const by = this.displacement(grip);
    this.grip = undefined;
    const still = Math.hypot(...by.move) < 1e-9 && Math.abs(by.turn[3]) > 1 - 1e-12;
    const sent = still ? Promise.resolve() : this.isStart ? this.sendEdit(grip, by) : this.sendAction(grip, by);
    // shown where it was put until the new picture is here, or it turns out that it cannot be
    void sent.catch(() => this.bench.viewport.setPreview(undefined)).finally(() => this.refresh());
    if (still) this.bench.viewport.setPreview(undefined);
  }

  private sendEdit(grip: Grip, by: Displacement): Promise<void> {
    const { document } = this.bench;
    const patch: Patch = grip.entries.flatMap((entry) => {
      const first = grip.bodies.find((body) => this.bench.entryOf(body) === entry);
      const now = first && placementOf(grip.poses.get(first.id)!, first.centre);
      return displacePatch(document, entry, by, now);
    });
    if (patch.length === 0) return Promise.reject(new Error("nothing to change"));
    const verb = this.mode === "move" ? "Move" : "Rotate";
    return this.bench.callbacks.edit(`${verb} ${this.nameOf(grip.bodies)}`, patch);
  }

  private async sendAction(grip: Grip, by: Displacement): Promise<void> {
    const at = this.bench.isRunning ? {} : { at: this.bench.shownFrame };
    const merge = grip.bodies.length > 1 ? { merge: grip.gesture } : {};
    for (const body of grip.bodies) {
      const to = displaced(placementOf(grip.poses.get(body.id)!, body.centre), by);
      await this.bench.callbacks.command("act", { action: placeAction(body.name, to, this.mode === "rotate"), ...at, ...merge });
    }
  }

  /** Sizes are shown by the scene itself. */
  private sendScale(grip: Grip): Promise<void> {
    const factors = this.handle.scale.toArray().map((factor) => Math.max(LEAST_FACTOR, factor));
    const patchFor = (document: SceneDocument): Patch =>
      [...grip.scales].flatMap(([entry, [x, y, z]]) => scalePatch(document, entry, [x * factors[0]!, y * factors[1]!, z * factors[2]!]));
    return this.bench.callbacks.drag(`Scale ${this.nameOf(grip.bodies)}`, patchFor, grip.gesture);
  }
}
