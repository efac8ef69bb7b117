import * as THREE from "three";

import type { Hit } from "../core/raycast";
import type { Mesh, Vec3 } from "../core/recording";
import type { Connection, Json } from "../server/contract";
import { valueAt } from "../server/pointer";
import { HeatOverlay } from "../view/heat_overlay";
import { heatOf, packedPaint, Stroke, unpackedPaint, untouched } from "./brush";
import type { LiveBody } from "../live/live_recording";
import { readMesh } from "../live/mesh_store";
import { Line } from "./lines";
import type { Pointer, StageTool, Workbench } from "./tool";

const RING = 64; // points
const BRUSH = 0.08; // radius over the size of what is painted

/** What is known of the paint of one part of the scene. `mesh` is what the server has to be painted on: finer than the body's where that is coarse. */
interface Canvas {
  readonly body: LiveBody;
  readonly mesh: Mesh;
  readonly overlay: HeatOverlay;
  given: Json | undefined; // as the document has it
  values: Uint8Array;
}

/** While the button is down. Where the brush went is kept until there is something to paint on. */
interface Painting {
  readonly entry: string;
  readonly body: number;
  readonly way: Vec3[];
  readonly ready: Promise<Canvas | undefined>;
  canvas: Canvas | undefined;
  stroke: Stroke | undefined;
}

/** A brush that says where a body is weaker or stronger. What is painted is kept in the scene, one undo per stroke. */
export class PaintTool implements StageTool {
  private readonly ring = new Line(RING, "#ffffff", true);
  private readonly canvases = new Map<string, Canvas>(); // by entry of the document
  private readonly asked = new Map<string, Promise<Canvas | undefined>>(); // by entry, too
  private stroke: Painting | undefined;
  private active = false;

  constructor(
    private readonly bench: Workbench,
    private readonly connection: Connection,
  ) {}

  activate(): void {
    this.active = true;
    this.bench.viewport.overlay.add(this.ring.object);
    this.bench.readout.show("Paint on a body: blue is weaker, orange stronger");
    this.refresh();
  }

  deactivate(): void {
    this.cancel();
    this.active = false;
    this.ring.object.removeFromParent();
    for (const canvas of this.canvases.values()) canvas.overlay.dispose();
    this.canvases.clear();
    this.bench.readout.hide();
    this.bench.viewport.redraw();
  }

  dispose(): void {
    this.deactivate();
    this.ring.dispose();
  }

  /** The document or the take changed: what is shown must be what is kept. */
  refresh(): void {
    if (!this.active) return;
    const { recording } = this.bench;
    for (const [entry, canvas] of this.canvases) {
      const body = recording.bodies[canvas.body.id];
      if (body && body.hash === canvas.body.hash && this.entryOf(body) === entry) continue;
      canvas.overlay.dispose();
      this.canvases.delete(entry);
    }
    for (const body of recording.bodies) {
      const entry = this.bench.isThere(body.id) ? this.entryOf(body) : undefined;
      if (entry === undefined) continue;
      const given = valueAt(this.bench.document, `${entry}/strength_paint`);
      if (given === undefined && !this.canvases.has(entry)) continue;
      void this.canvasOf(body, entry).then((canvas) => canvas && this.load(canvas, given));
    }
  }

  /** Only whole bodies of the scene: pieces have the paint of what they came of. */
  private entryOf(body: LiveBody): string | undefined {
    return body.parent < 0 && body.mesh >= 0 && body.source?.includes("/bodies/") ? body.source : undefined;
  }

  /** undefined: it could not be had, or is not wanted any more. */
  private canvasOf(body: LiveBody, entry: string): Promise<Canvas | undefined> {
    const known = this.canvases.get(entry);
    if (known) return Promise.resolve(known);
    const asked = this.asked.get(entry);
    if (asked) return asked;
    const answer = this.makeCanvas(body, entry)
      .catch((error: unknown) => void this.bench.callbacks.announce(error instanceof Error ? error.message : String(error)))
      .finally(() => this.asked.delete(entry));
    this.asked.set(entry, answer);
    return answer;
  }

  private async makeCanvas(body: LiveBody, entry: string): Promise<Canvas | undefined> {
    const { bytes } = await this.connection.askBytes("canvas", { hash: body.hash });
    if (!this.active || this.bench.recording.bodies[body.id]?.hash !== body.hash) return undefined;
    const { mesh } = readMesh(bytes);
    const canvas: Canvas = { body, mesh, overlay: new HeatOverlay(mesh), given: undefined, values: untouched(mesh.positions.length / 3) };
    canvas.overlay.paint(canvas.values, heatOf);
    this.bench.viewport.overlay.add(canvas.overlay.object);
    this.canvases.set(entry, canvas);
    this.place(canvas);
    await this.load(canvas, valueAt(this.bench.document, `${entry}/strength_paint`));
    this.bench.viewport.redraw();
    return canvas;
  }

  private async load(canvas: Canvas, given: Json | undefined): Promise<void> {
    if (given === canvas.given) return;
    canvas.given = given;
    const count = canvas.values.length;
    const values = (await unpackedPaint(given, count)) ?? untouched(count);
    if (canvas.given !== given || this.stroke?.canvas === canvas) return; // something newer came
    canvas.values = values;
    canvas.overlay.paint(values, heatOf);
    this.bench.viewport.redraw();
  }

  private place(canvas: Canvas): void {
    canvas.overlay.object.visible = this.bench.isThere(canvas.body.id);
    canvas.overlay.place(this.bench.poseOf(canvas.body.id), canvas.body.centre);
  }

  animate(): boolean {
    for (const canvas of this.canvases.values()) this.place(canvas);
    return false;
  }

  private hit(pointer: Pointer): Hit | undefined {
    const { viewport, recording } = this.bench;
    const held = this.stroke?.body;
    const hit = viewport.hitAt(pointer.x, pointer.y, held === undefined ? undefined : (body) => body.id === held);
    return hit && recording.bodies[hit.body]!.mesh >= 0 ? hit : undefined;
  }

  private radiusOn(body: number): number {
    return this.bench.brush.radius || BRUSH * this.bench.sizeOf(body);
  }

  private showRing(hit: Hit | undefined): void {
    if (!hit) {
      this.ring.hide();
    } else {
      const normal = new THREE.Vector3(...hit.normal);
      const across = new THREE.Vector3(0, 1, 0).cross(normal);
      if (across.lengthSq() < 1e-6) across.set(1, 0, 0);
      across.normalize();
      const up = normal.clone().cross(across);
      const radius = this.radiusOn(hit.body);
      this.ring.set((i, count) => {
        const angle = (2 * Math.PI * i) / count;
        const [c, s] = [radius * Math.cos(angle), radius * Math.sin(angle)];
        return [0, 1, 2].map((k) => hit.point[k]! + c * across.getComponent(k) + s * up.getComponent(k)) as [number, number, number];
      });
    }
    this.bench.viewport.redraw();
  }

  down(pointer: Pointer): boolean {
    const hit = this.hit(pointer);
    if (!hit) return false; // the camera's
    const { recording, callbacks, brush } = this.bench;
    const body = recording.bodies[hit.body]!;
    const entry = this.entryOf(body);
    if (entry === undefined) {
      callbacks.announce(`${body.name} is a piece: paint what it came of, at frame ${recording.firstFrame}`);
      return true;
    }
    const settings = { ...brush, radius: this.radiusOn(body.id) };
    const painting: Painting = { entry, body: body.id, way: [], ready: this.canvasOf(body, entry), canvas: undefined, stroke: undefined };
    this.stroke = painting;
    void painting.ready.then((canvas) => {
      if (!canvas) return;
      painting.canvas = canvas;
      painting.stroke = new Stroke(canvas.mesh.positions, canvas.values, settings);
      this.paintWay(painting);
    });
    this.paintAt(hit);
    return true;
  }

  move(pointer: Pointer): void {
    const hit = this.hit(pointer);
    this.showRing(hit);
    if (hit) this.paintAt(hit);
  }

  hover(pointer: Pointer): void {
    this.showRing(this.hit(pointer));
  }

  leave(): void {
    this.showRing(undefined);
  }

  private paintAt(hit: Hit): void {
    if (!this.stroke) return;
    this.stroke.way.push(hit.local);
    this.paintWay(this.stroke);
  }

  /** As far as the brush went. */
  private paintWay({ canvas, stroke, way }: Painting): void {
    if (!canvas || !stroke) return;
    let changed = false;
    for (const point of way.splice(0)) changed = stroke.to(point) || changed;
    if (!changed) return;
    canvas.overlay.paint(stroke.values, heatOf);
    this.bench.viewport.redraw();
  }

  up(): void {
    const painting = this.stroke;
    this.stroke = undefined;
    if (painting) void painting.ready.then(() => this.keep(painting));
  }

  private keep({ canvas, stroke, entry }: Painting): void {
    if (!canvas || !stroke || stroke.isEmpty) return;
    const before = canvas.values;
    canvas.values = stroke.values;
    void this.send(canvas, entry).catch(() => {
      canvas.values = before; // the shell has said why
      canvas.overlay.paint(before, heatOf);
      this.bench.viewport.redraw();
    });
  }

  private async send(canvas: Canvas, entry: string): Promise<void> {
    const { callbacks } = this.bench;
    const paint = await packedPaint(canvas.values);
    await callbacks.edit(`Paint ${canvas.body.name}`, [{ op: "add", path: `${entry}/strength_paint`, value: paint }]);
  }

  cancel(): void {
    const canvas = this.stroke?.canvas;
    this.stroke = undefined;
    if (!canvas) return;
    canvas.overlay.paint(canvas.values, heatOf);
    this.bench.viewport.redraw();
  }
}
