import { diagonalOf } from "../core/bounds";
import type { ColourMode, Painter } from "../core/colours";
import { readView } from "../core/decode";
import type { Between } from "../core/places";
import { Player } from "../core/player";
import { along } from "../core/raycast";
import { isAlive, type CameraView, type Look, type Vec3 } from "../core/recording";
import { FrameCache } from "../live/frame_cache";
import { LiveRecording, type LiveBody } from "../live/live_recording";
import { Puller } from "../live/puller";
import type { Connection, SceneDocument } from "../server/contract";
import { isWithin } from "../server/pointer";
import type { Theme } from "../view/backdrop";
import type { ShownStress, StressLayers } from "../view/stress_overlay";
import { Viewport, type Axis, type Slice } from "../view/viewport";
import type { Brush, CreateStage, Editing, Stage, StageCallbacks, ThrowSettings, Tool } from "./contract";
import { DragTool } from "./drag_tool";
import { Gizmo } from "./gizmo";
import { GrainPreview } from "./grain_preview";
import { PaintTool } from "./paint_tool";
import { Readout } from "./readout";
import { entryOf } from "./scene_edits";
import { SelectTool } from "./select_tool";
import { ThrowTool } from "./throw_tool";
import type { Pointer, StageTool, Workbench } from "./tool";

const NOTHING: SceneDocument = {};
const CACHE = 64e6; // bytes of poses
const CLICK_DISTANCE = 4; // pixels; who moves farther drags

/** Draws the take of the server, follows it, and hands the mouse to the tools. */
class TakeStage implements Stage, Workbench {
  readonly recording: LiveRecording;
  readonly player = new Player(0, 0, 1 / 30);
  readonly viewport: Viewport;
  readonly readout: Readout;
  readonly brush: Brush = { radius: 0, strength: 1, value: 30 };
  readonly throwSettings: ThrowSettings = { shape: undefined, material: undefined, speed: 18 };
  document: SceneDocument = NOTHING;
  snap = false;
  following = true;
  between: Between = "smooth";

  private readonly cache = new FrameCache(CACHE);
  private readonly puller: Puller;
  private readonly grains: GrainPreview;
  private readonly tools: Readonly<Record<Tool, StageTool & { dispose?(): void }>>;
  private readonly listening = new AbortController();
  private currentTool: Tool = "select";
  private edited: Editing = "start";
  private chosen: readonly number[] = [];
  private chosenNames: readonly string[] = [];
  private shown = -1; // moment
  private lastShown = -1; // frame
  private wasOpened = false; // another scene, which is not here yet
  private hasCamera = false; // the camera has been put somewhere for this scene
  private press: { id: number; pointer: Pointer; tool: StageTool | undefined; moved: boolean } | undefined;
  private namesSeen: ReadonlySet<string> = new Set();
  private bodiesSeen = 0;
  private looksSeen: readonly Look[] | undefined;
  private stressWanted: ShownStress | undefined; // not shown yet
  private ended = false;

  constructor(
    private readonly host: HTMLElement,
    private readonly connection: Connection,
    theme: Theme,
    readonly callbacks: StageCallbacks,
  ) {
    if (getComputedStyle(host).position === "static") host.style.position = "relative";
    this.recording = new LiveRecording(this.cache, async (name, of) => {
      const answer = await connection.askBytes("stream", { take: this.puller.takeId, name, of });
      return answer.header["known"] === true ? new Uint8Array(answer.bytes) : undefined;
    });
    this.viewport = new Viewport(host, this.recording, theme, "start");
    this.viewport.canvas.setAttribute("aria-label", "The scene. Drag to orbit, click a body to select it.");
    void this.viewport.finishLooks();
    this.readout = new Readout(host);
    const dragging = (on: boolean): void => void (this.viewport.cameras.locked = on);
    this.tools = {
      select: new SelectTool(),
      move: new Gizmo(this, "move", dragging),
      rotate: new Gizmo(this, "rotate", dragging),
      scale: new Gizmo(this, "scale", dragging),
      throw: new ThrowTool(this),
      drag: new DragTool(this),
      paint: new PaintTool(this, connection),
    };
    this.grains = new GrainPreview(this, connection);
    this.puller = new Puller(connection, this.recording, this.cache, {
      grown: (fresh) => this.grown(fresh),
      failed: (error) => callbacks.announce(error instanceof Error ? error.message : String(error)),
    });
    this.listen();
    this.run();
  }

  dispose(): void {
    this.ended = true;
    this.listening.abort();
    this.puller.dispose();
    this.grains.dispose();
    for (const tool of Object.values(this.tools)) tool.dispose?.();
    this.readout.element.remove();
    this.viewport.dispose();
  }

  get canvas(): HTMLCanvasElement {
    return this.viewport.canvas;
  }

  // ---- time

  private run(): void {
    let before = performance.now();
    const tick = (now: number): void => {
      if (this.ended) return;
      this.advance(Math.min((now - before) / 1000, 0.25));
      before = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  private advance(seconds: number): void {
    this.player.advance(seconds);
    this.show();
    this.grains.place();
    if (this.toolNow.animate?.()) this.viewport.redraw();
    this.viewport.tick(seconds);
  }

  isThere(body: number): boolean {
    const one = this.recording.bodies[body];
    return one !== undefined && isAlive(one, this.shownFrame);
  }

  sizeOf(body: number): number {
    return diagonalOf(this.viewport.extents.own(this.recording.bodies[body]!));
  }

  get isRunning(): boolean {
    return this.connection.status?.take.state === "running";
  }

  /** What is wanted is asked for; what is here is shown: never a moment of which something is missing. */
  private show(): void {
    const frame = this.player.frame;
    const follows = this.following && this.isRunning;
    const stress = this.stressWanted;
    this.puller.want(stress ? stress.frame : frame, follows && !stress);
    if (this.puller.takeId < 0) return;
    if (stress && this.cache.has(stress.frame)) {
      this.stressWanted = undefined;
      this.viewport.setStress(stress);
      this.viewport.frame([stress.body.id]);
    }
    const moment = this.momentHere(this.player.moment, follows);
    if (moment === undefined) return;
    this.shown = moment;
    this.viewport.show(moment, this.between);
    if (Math.floor(moment) === this.lastShown) return;
    this.lastShown = Math.floor(moment);
    if (!this.press) this.viewport.setPreview(undefined); // it was of another frame
    this.tools[this.currentTool].refresh?.();
    this.callbacks.moment();
  }

  private momentHere(moment: number, follows: boolean): number | undefined {
    const frame = Math.floor(moment);
    if (!this.cache.has(frame)) return follows ? this.cache.newestUpTo(frame) : undefined;
    if (moment === frame || this.cache.has(frame + 1)) return moment;
    return frame;
  }

  opened(): void {
    this.following = true;
    // its take may have come before the answer
    this.wasOpened = this.puller.takeId !== this.connection.status?.take.id;
    if (!this.wasOpened) this.hasCamera = false;
    this.placeCamera();
  }

  get takeId(): number {
    return this.puller.takeId;
  }

  get shownFrame(): number {
    return Math.max(this.lastShown, this.recording.firstFrame);
  }

  get complete(): boolean {
    return this.puller.takeId >= 0 && Math.floor(this.shown) === this.player.frame;
  }

  seek(frame: number): void {
    this.following = false;
    this.player.seek(frame);
    this.show();
  }

  private grown(fresh: boolean): void {
    const { recording } = this;
    if (fresh && (this.isAnotherScene() || this.wasOpened)) this.hasCamera = this.wasOpened = false;
    this.player.setRange(recording.firstFrame, recording.lastFrame, recording.dt);
    if (this.following && !fresh) this.player.seek(recording.lastFrame); // also to the last frame of a run that has ended
    if (fresh) {
      this.viewport.setPreview(undefined);
      this.shown = this.lastShown = -1;
    }
    this.refreshBodies(fresh);
    if (fresh) this.reselect();
    this.show();
    this.placeCamera();
    this.toolNow.refresh?.();
    if (fresh) this.grains.refresh();
    this.callbacks.grown(fresh);
  }

  /** Nothing of it was there before. */
  private isAnotherScene(): boolean {
    const before = this.namesSeen;
    const names = this.recording.bodies.filter((body) => body.mesh >= 0 && body.parent < 0).map((body) => body.name);
    if (names.length > 0) this.namesSeen = new Set(names);
    return before.size > 0 && names.length > 0 && !names.some((name) => before.has(name));
  }

  private refreshBodies(fresh: boolean): void {
    const { bodies, looks } = this.recording;
    if (!fresh && bodies.length === this.bodiesSeen && looks === this.looksSeen) {
      this.viewport.rescaleColours();
      return;
    }
    this.bodiesSeen = bodies.length;
    this.looksSeen = looks;
    this.viewport.refresh(fresh);
    if (!fresh && this.chosen.length > 0) this.mark(); // pieces of what is selected
  }

  /** Once, when both the scene's wishes and its bodies are known: afterwards it is where people put it. */
  private placeCamera(): void {
    if (this.hasCamera || this.document === NOTHING || this.recording.bodies.length === 0) return;
    this.hasCamera = true;
    this.viewport.resetCamera();
  }

  // ---- the document

  setDocument(document: SceneDocument): void {
    this.document = document;
    this.recording.title = typeof document["title"] === "string" ? document["title"] : "";
    const view = readView(document);
    const before = this.recording.view;
    if (JSON.stringify(view) !== JSON.stringify(before)) {
      this.recording.view = view;
      this.viewport.refresh(true);
    }
    this.placeCamera();
    this.toolNow.refresh?.();
    this.grains.refresh();
  }

  setGrains(on: boolean): void {
    this.grains.set(on);
  }

  private rootOf(body: number): LiveBody | undefined {
    const one = this.recording.bodies[body];
    return one && this.recording.bodies[one.root];
  }

  pointerOf(body: number): string | undefined {
    return this.rootOf(body)?.source;
  }

  entryOf(body: LiveBody): string | undefined {
    return entryOf(this.document, body.source, body.name);
  }

  bodiesOf(pointer: string): readonly number[] {
    return this.recording.bodies.flatMap((body) => {
      if (body.parent >= 0 || body.source === undefined) return [];
      const own = isWithin(body.source, pointer) || this.entryOf(body) === pointer;
      return own ? [body.id] : [];
    });
  }

  // ---- selection

  get selection(): readonly number[] {
    return this.chosen;
  }

  select(bodies: readonly number[]): void {
    this.chosen = [...new Set(bodies)].filter((id) => this.recording.bodies[id] !== undefined);
    this.chosenNames = this.chosen.map((id) => this.recording.bodies[id]!.name);
    this.mark();
    this.toolNow.refresh?.();
  }

  /** Bodies may have other numbers in another take: names stay. */
  private reselect(): void {
    if (this.chosenNames.length === 0) return;
    const wanted = new Set(this.chosenNames);
    this.chosen = this.recording.bodies.filter((body) => wanted.has(body.name)).map((body) => body.id);
    this.mark();
  }

  /** Who throws wants to see what breaks as it is. */
  private mark(): void {
    if (this.currentTool === "throw") return this.viewport.setMarks([], []);
    const found = new Set(this.chosen);
    for (const body of this.recording.bodies) if (found.has(body.parent)) found.add(body.id); // children come later
    for (const id of this.chosen) found.delete(id);
    this.viewport.setMarks(this.chosen, found);
  }

  private click(pointer: Pointer): void {
    const hit = this.viewport.hitAt(pointer.x, pointer.y);
    const body = hit === undefined || this.recording.bodies[hit.body]!.halfSpace ? undefined : hit.body;
    const several = pointer.shift || pointer.control;
    if (body === undefined) this.select(several ? this.chosen : []);
    else if (!several) this.select([body]);
    else if (this.chosen.includes(body)) this.select(this.chosen.filter((id) => id !== body));
    else this.select([...this.chosen, body]);
    const pointers = new Set(this.chosen.flatMap((id) => this.pointerOf(id) ?? []));
    this.callbacks.selected(this.chosen, [...pointers]);
    const [first] = this.chosen;
    if (first !== undefined) this.callbacks.announce(this.recording.bodies[first]!.name);
  }

  // ---- tools

  private get toolNow(): StageTool {
    return this.tools[this.currentTool];
  }

  get tool(): Tool {
    return this.currentTool;
  }

  set tool(tool: Tool) {
    if (tool === this.currentTool) return;
    this.endPress();
    this.toolNow.deactivate?.();
    this.currentTool = tool;
    this.toolNow.activate?.();
    this.mark();
    this.viewport.canvas.style.cursor = tool === "throw" || tool === "paint" ? "crosshair" : "";
    this.viewport.redraw();
  }

  get editing(): Editing {
    return this.edited;
  }
  set editing(editing: Editing) {
    this.edited = editing;
    this.toolNow.refresh?.();
  }

  poseOf(body: number): Float32Array {
    const pose = new Float32Array(7);
    this.recording.bodies[body]!.track.sample(Math.max(this.shown, this.recording.firstFrame), pose);
    return pose;
  }

  private pointerOfEvent(event: PointerEvent | MouseEvent): Pointer {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top, control: event.ctrlKey || event.metaKey, shift: event.shiftKey };
  }

  /** Before the camera's own listeners, so that a tool can keep the mouse to itself. */
  private listen(): void {
    const options = { capture: true, signal: this.listening.signal };
    this.host.addEventListener("pointerdown", (event) => this.pressed(event), options);
    this.host.addEventListener("pointermove", (event) => this.moved(event), options);
    this.host.addEventListener("pointerup", (event) => this.released(event), options);
    this.host.addEventListener("pointercancel", () => this.endPress(), options);
    this.host.addEventListener("pointerleave", () => this.toolNow.leave?.(), { signal: this.listening.signal });
    this.canvas.addEventListener("dblclick", () => this.frameSelection(), { signal: this.listening.signal });
  }

  private pressed(event: PointerEvent): void {
    if (event.target !== this.canvas || event.button !== 0 || this.press) return;
    const pointer = this.pointerOfEvent(event);
    const taken = !event.altKey && this.toolNow.down(pointer); // Alt: always the camera
    this.press = { id: event.pointerId, pointer, tool: taken ? this.toolNow : undefined, moved: false };
    if (!taken) return;
    this.viewport.cameras.locked = true;
    if (!this.isGizmo) this.canvas.setPointerCapture(event.pointerId); // gizmos see to it themselves
  }

  private get isGizmo(): boolean {
    return this.toolNow instanceof Gizmo;
  }

  private moved(event: PointerEvent): void {
    const pointer = this.pointerOfEvent(event);
    const { press } = this;
    if (press && press.id === event.pointerId) {
      const far = Math.hypot(pointer.x - press.pointer.x, pointer.y - press.pointer.y);
      press.moved ||= far > CLICK_DISTANCE;
      press.tool?.move(pointer);
    } else if (event.buttons === 0 && event.target === this.canvas) {
      this.toolNow.hover?.(pointer);
    }
  }

  private released(event: PointerEvent): void {
    const { press } = this;
    if (!press || press.id !== event.pointerId) return;
    this.press = undefined;
    const pointer = this.pointerOfEvent(event);
    if (press.tool) {
      press.tool.up(pointer);
      this.viewport.cameras.locked = false;
    } else if (!press.moved && event.target === this.canvas) {
      this.click(pointer);
    }
  }

  private endPress(): void {
    const { press } = this;
    this.press = undefined;
    if (!press) return;
    press.tool?.cancel();
    this.viewport.cameras.locked = false;
  }

  key(code: string, down: boolean): boolean {
    if (code === "Escape" && down && this.press?.tool) {
      this.endPress();
      return true;
    }
    return this.viewport.cameras.key(code, down);
  }

  placeAt(x = this.host.clientWidth / 2, y = this.host.clientHeight / 2): Vec3 {
    const hit = this.viewport.hitAt(x, y);
    if (hit) return hit.point;
    const ray = this.viewport.rayAt(x, y);
    const ground = -ray.origin[1] / ray.direction[1];
    const near = this.viewport.cameras.distance;
    return along(ray, ground > 0 && ground < 4 * near ? ground : near);
  }

  // ---- view

  setTheme(theme: Theme): void {
    this.viewport.setTheme(theme);
  }
  setColours(mode: ColourMode): Painter {
    return this.viewport.setColours(mode);
  }
  setExplosion(strength: number): void {
    this.viewport.setExplosion(strength);
  }
  setSlice(slice: Slice | null): void {
    this.viewport.setSlice(slice);
  }
  sliceRange(axis: Axis): { from: number; to: number } {
    return this.viewport.sliceRange(axis);
  }
  setImpact(point: Vec3 | undefined): void {
    this.viewport.setImpact(point);
  }
  /** Once the frame before the break is here. */
  setStress(shown: ShownStress | undefined): void {
    this.stressWanted = shown;
    if (!shown) this.viewport.setStress(undefined);
    this.show();
  }
  setStressLayers(layers: StressLayers): void {
    this.viewport.setStressLayers(layers);
  }
  lookAtWorst(): void {
    this.viewport.lookAtWorst();
  }

  get cameraMode(): "orbit" | "fly" {
    return this.viewport.cameraMode;
  }
  set cameraMode(mode: "orbit" | "fly") {
    this.viewport.cameraMode = mode;
  }
  resetCamera(): void {
    this.viewport.resetCamera();
  }
  frame(bodies: readonly number[]): void {
    this.viewport.frame(bodies);
  }
  private frameSelection(): void {
    this.viewport.frame(this.chosen);
  }
  cameraView(): CameraView {
    return this.viewport.cameras.view;
  }
  picture(): Promise<Blob> {
    return this.viewport.picture();
  }
}

export const createStage: CreateStage = (host, connection, theme, callbacks) => new TakeStage(host, connection, theme, callbacks);
