import * as THREE from "three";

import { centreOf, diagonalOf, Extents, unionOf, type Box } from "../core/bounds";
import { Painter, type ColourMode } from "../core/colours";
import { Places, type Between } from "../core/places";
import { Raycaster, type Hit, type Ray } from "../core/raycast";
import type { Body, Recording, Vec3 } from "../core/recording";
import { Backdrop, type Theme } from "./backdrop";
import { Cameras } from "./cameras";
import { ENVIRONMENT_LIGHT, Graphics } from "./graphics";
import { Ground } from "./ground";
import { Lights } from "./lights";
import { Outline } from "./outline";
import { Picker } from "./picker";
import { Pieces } from "./pieces";
import { isSoftware, Quality } from "./quality";
import { StressOverlay, type CutPlane, type ShownStress, type StressLayers } from "./stress_overlay";

export type Axis = "x" | "y" | "z";

export interface Slice {
  readonly axis: Axis;
  readonly position: number; // m
  readonly flipped: boolean;
}

const PREPARING = 6; // ms of a pause between pictures, for bodies that come later
const DEFAULT_DIRECTION = new THREE.Vector3(0.45, 0.38, 0.8);

/** Which frames say how large the scene is. */
export type Scope = "whole" | "start";

/** Draws a recording at any moment. Knows nothing of playback, panels or where recordings come from. */
export class Viewport {
  readonly cameras: Cameras;
  readonly places: Places;
  /** For what is drawn besides: gizmos, brushes. */
  readonly overlay = new THREE.Group();
  private readonly graphics = new Graphics();
  readonly extents: Extents;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly backdrop = new Backdrop();
  private readonly pieces: Pieces;
  private readonly observer: ResizeObserver;
  private action: Box;
  private grounds: Ground[] = [];
  private theme: Theme;
  private width = 0;
  private height = 0;
  private prepared = false;
  private finish: "sketch" | "coming" | "full" = "sketch";
  private coloursDue = 0; // ms
  private readonly picker: Picker;
  private readonly outline: Outline;
  private readonly lights: Lights;
  private readonly marker: THREE.Mesh;
  private painter: Painter;
  private readonly quality: Quality;
  private readonly raycaster: Raycaster;
  private slice: Slice | null = null;
  private impact: Vec3 | undefined;
  private stress: StressOverlay | undefined;
  private stressLayers: StressLayers = { colours: true, directions: false, forces: true };
  private preview: ReadonlyMap<number, ArrayLike<number>> | undefined;
  private explosion = 0;
  private moment: number;
  private between: Between = "smooth";
  private placesStale = true;
  private paintedFrame = NaN;
  private pictureStale = true;

  constructor(
    private readonly host: HTMLElement,
    private readonly recording: Recording,
    theme: Theme,
    private readonly scope: Scope = "whole",
  ) {
    this.renderer = this.graphics.renderer;
    host.append(this.renderer.domElement);
    this.theme = theme;
    this.quality = new Quality(isSoftware(this.renderer.getContext() as WebGL2RenderingContext));
    this.places = new Places(recording);
    this.extents = new Extents(recording);
    this.raycaster = new Raycaster(recording, this.places);
    this.action = this.findAction();
    this.moment = recording.firstFrame;
    this.pieces = new Pieces(recording, this.graphics.noise);
    this.painter = new Painter(recording, "material");
    this.lights = new Lights(recording.view.light, diagonalOf(this.action));
    this.marker = impactMarker();
    this.scene.add(this.backdrop.mesh, this.pieces.group, this.lights.group, this.marker, this.overlay);
    this.picker = new Picker(this.renderer, this.pieces);
    this.outline = new Outline(this.renderer, this.pieces);
    this.cameras = new Cameras(this.renderer.domElement, () => this.redraw());
    this.pieces.setSlice(null);
    this.rescale();
    this.setTheme(theme);
    this.resize();
    this.resetCamera();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(host);
  }

  private findAction(): Box {
    return this.scope === "whole" ? this.extents.action() : this.extents.start();
  }

  /** Everything that depends on how large the scene is, and where. */
  private rescale(): void {
    const { recording, graphics } = this;
    const focus = new THREE.Vector3(...centreOf(this.action));
    const size = diagonalOf(this.action);
    for (const ground of this.grounds) ground.dispose();
    this.grounds = recording.bodies
      .filter((body) => body.halfSpace && body.track.samples > 0)
      .map((body) => new Ground(body, recording, focus, size, graphics.noise, 1.2 * ENVIRONMENT_LIGHT));
    for (const ground of this.grounds) this.scene.add(ground.mesh);
    this.lights.set(recording.view.light, size);
    this.marker.scale.setScalar(size / 160);
    this.cameras.setScale(size);
  }

  /** There is more of the recording; `replaced`: what was known of it may be otherwise now. The camera stays. */
  refresh(replaced: boolean): void {
    this.pieces.refresh();
    this.prepared = false;
    if (replaced) {
      this.places.clear();
      this.action = this.findAction();
      this.setTheme(this.theme);
    }
    if (replaced || this.recording.bodies.some((body) => body.halfSpace && !this.grounds.some((ground) => ground.body === body))) {
      this.rescale();
    }
    this.rescaleColours(replaced);
    this.paintedFrame = NaN;
    this.placesStale = true;
  }

  /** When the recording has grown. Takes a while, so it is done seldom. */
  rescaleColours(now = false): void {
    if (!now && performance.now() < this.coloursDue) return;
    this.painter.refresh();
    this.coloursDue = performance.now() + 1000;
  }

  dispose(): void {
    this.observer.disconnect();
    this.stress?.dispose();
    this.outline.dispose();
    this.cameras.dispose();
    this.graphics.dispose();
    this.canvas.remove();
  }

  get size(): number {
    return diagonalOf(this.action);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }
  get triangles(): number {
    return this.pieces.triangles;
  }

  redraw(): void {
    this.pictureStale = true;
  }

  show(moment: number, between: Between): void {
    if (moment === this.moment && between === this.between) return;
    this.moment = moment;
    this.between = between;
    this.placesStale = true;
  }

  setExplosion(strength: number): void {
    this.explosion = strength;
    this.placesStale = true;
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.backdrop.show(this.recording.view.background, theme);
    this.redraw();
  }

  setColours(mode: ColourMode): Painter {
    this.painter = new Painter(this.recording, mode);
    this.pieces.setPainted(mode !== "material");
    this.paintedFrame = NaN;
    this.placesStale = true;
    return this.painter;
  }

  setMarks(selected: number | Iterable<number>, related: Iterable<number>): void {
    this.pieces.textures.clearMarks();
    for (const body of related) this.pieces.textures.setMark(body, 1);
    for (const body of typeof selected === "number" ? [selected] : selected) if (body >= 0) this.pieces.textures.setMark(body, 2);
    this.redraw();
  }

  /** Bodies that are shown elsewhere than they are: centre of mass, rotation x y z w. */
  setPreview(poses: ReadonlyMap<number, ArrayLike<number>> | undefined): void {
    this.preview = poses;
    this.placesStale = true;
  }

  /** Through a pixel of the canvas, from its upper left. */
  rayAt(x: number, y: number): Ray {
    const { camera } = this.cameras;
    camera.updateMatrixWorld();
    const ahead = new THREE.Vector3((2 * x) / this.host.clientWidth - 1, 1 - (2 * y) / this.host.clientHeight, 0.5);
    const direction = ahead.unproject(camera).sub(camera.position).normalize();
    return { origin: camera.position.toArray(), direction: direction.toArray() };
  }

  /** What is seen at a pixel, with the place itself. */
  hitAt(x: number, y: number, only?: (body: Body) => boolean): Hit | undefined {
    this.refreshPlaces();
    const { slice } = this;
    const isCut = slice && ((point: Vec3) => (slice.flipped ? -1 : 1) * (point["xyz".indexOf(slice.axis)]! - slice.position) > 0);
    return this.raycaster.hit(this.rayAt(x, y), { isCut: isCut ?? undefined, only });
  }

  /** Where an impact was; undefined: none. */
  setImpact(point: Vec3 | undefined): void {
    this.impact = point;
    this.refreshMarker();
  }

  /** Forces say where it was when stress is shown. */
  private refreshMarker(): void {
    this.marker.visible = this.impact !== undefined && !this.stress;
    if (this.impact) this.marker.position.set(...this.impact);
    this.redraw();
  }

  setSlice(slice: Slice | null): void {
    this.slice = slice;
    this.pieces.setSlice(this.cutPlane);
    this.stress?.setPlane(this.cutPlane);
    this.redraw();
  }

  private get cutPlane(): CutPlane | null {
    if (this.slice === null) return null;
    const sign = this.slice.flipped ? -1 : 1;
    return { normal: new THREE.Vector3().setComponent("xyz".indexOf(this.slice.axis), sign), offset: sign * this.slice.position };
  }

  /** What a body felt, shown on it as it was before it broke: so is everything else. undefined: time is as it was. */
  setStress(shown: ShownStress | undefined): void {
    this.stress?.dispose();
    const mesh = shown && this.recording.meshes[shown.body.mesh];
    this.stress = mesh && new StressOverlay(shown, mesh);
    if (this.stress) {
      this.stress.setLayers(this.stressLayers);
      this.stress.setPlane(this.cutPlane);
      this.scene.add(this.stress.object);
    }
    this.refreshMarker();
    this.placesStale = true;
  }

  setStressLayers(layers: StressLayers): void {
    this.stressLayers = layers;
    this.stress?.setLayers(layers);
    this.placesStale = true;
  }

  /** The camera goes to the most strained place, outside of it and a little above; to one that faces down, from the side it is on. */
  lookAtWorst(): void {
    if (!this.stress) return;
    this.refreshPlaces();
    const { place, outward, distance } = this.stress.worstView();
    const side = this.cameras.camera.position.clone().sub(place).setY(0).normalize();
    const from = (outward.y < -0.5 ? side.setY(-0.2) : outward.add(new THREE.Vector3(0.25, 0.35, 0))).normalize();
    this.cameras.flyTo(place.clone().addScaledVector(from, distance), place);
  }

  /** On whatever the body was part of in the frame that is shown. */
  private placeStress(stress: StressOverlay): void {
    let id = stress.shown.body.id;
    while (id >= 0 && this.places.alive[id] !== 1) id = this.recording.bodies[id]?.parent ?? -1;
    stress.object.visible = id >= 0;
    if (id < 0) return;
    stress.place(this.poseOf(id), this.recording.bodies[id]!.centre);
    if (stress.replacesBody) this.places.hide(id);
  }

  /** What a slice plane may sweep now, m. */
  sliceRange(axis: Axis): { from: number; to: number } {
    const k = "xyz".indexOf(axis);
    if (this.stress) {
      this.refreshPlaces();
      const own = this.stress.worldBox();
      return { from: own.min.getComponent(k), to: own.max.getComponent(k) };
    }
    const box = this.extents.inFrame(Math.floor(this.moment), 0.01) ?? this.action;
    return { from: box.min[k]!, to: box.max[k]! };
  }

  get cameraMode(): "orbit" | "fly" {
    return this.cameras.mode;
  }
  set cameraMode(mode: "orbit" | "fly") {
    this.cameras.mode = mode;
  }

  resetCamera(): void {
    this.cameras.mode = "orbit";
    const camera = this.recording.view.camera;
    if (camera) this.cameras.look(camera);
    else this.cameras.frame(this.action, DEFAULT_DIRECTION.clone());
  }

  /** Brings bodies into view; without any, everything that is there now. */
  frame(bodies: readonly number[]): void {
    this.refreshPlaces();
    const chosen = bodies.length > 0 ? bodies : this.recording.bodies.filter((b) => b.mesh >= 0).map((b) => b.id);
    const boxes = chosen.filter((id) => this.places.alive[id] === 1).map((id) => this.boxOf(id));
    if (this.stress && chosen.includes(this.stress.shown.body.id)) boxes.push(this.stressBox(this.stress));
    const box = unionOf(boxes);
    if (box) this.cameras.frame(box);
  }

  private stressBox(stress: StressOverlay): Box {
    const { min, max } = stress.worldBox();
    return { min: min.toArray(), max: max.toArray() };
  }

  private boxOf(id: number): Box {
    return this.extents.at(this.recording.bodies[id]!, this.poseOf(id));
  }

  /** As it is drawn. */
  private poseOf(id: number): Float32Array {
    const pose = this.places.poses.slice(7 * id, 7 * id + 7);
    for (let k = 0; k < 3; ++k) pose[k] = pose[k]! + this.places.offsets[3 * id + k]!;
    return pose;
  }

  /** Pixels from the canvas' upper left; -1: no body there. */
  bodyAt(x: number, y: number): Promise<number> {
    this.refreshPlaces();
    return this.picker.pick(this.cameras.camera, x, y, this.host.clientWidth, this.host.clientHeight);
  }

  /** Where a body's centre is on the canvas, in pixels. */
  pixelOf(id: number): { x: number; y: number } {
    this.refreshPlaces();
    const p = [0, 1, 2].map((k) => this.places.poses[7 * id + k]! + this.places.offsets[3 * id + k]!);
    const clip = new THREE.Vector3(p[0], p[1], p[2]).project(this.cameras.camera);
    return { x: (0.5 + 0.5 * clip.x) * this.host.clientWidth, y: (0.5 - 0.5 * clip.y) * this.host.clientHeight };
  }

  /** Lets time pass and draws if anything changed; true when it did. */
  tick(seconds: number): boolean {
    if (this.cameras.advance(seconds)) this.redraw();
    this.refreshPlaces();
    if (this.pictureStale) {
      this.quality.drew(seconds);
    } else if (!this.quality.rested(seconds)) {
      this.prepared ||= this.pieces.prepare(PREPARING);
      return false;
    }
    this.applySize();
    this.draw();
    return true;
  }

  /**
   * The first pictures are sketches. Call this once they are seen: shaders, grain and light from all around are made,
   * and pictures are full as soon as all is there.
   */
  async finishLooks(): Promise<void> {
    if (this.finish !== "sketch") return;
    this.finish = "coming";
    this.graphics.finish(this.scene);
    const { renderer, scene } = this;
    if (renderer.extensions.has("KHR_parallel_shader_compile")) await renderer.compileAsync(scene, this.cameras.camera);
    this.finish = "full";
    this.redraw();
  }

  /** The picture is as good as it gets, and nothing moves. */
  get settled(): boolean {
    return !this.pictureStale && this.quality.scale === 1 && this.finish === "full";
  }

  /** Resolves when all that was drawn so far is there. */
  async finished(): Promise<void> {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    if (fence === null) return;
    while (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    gl.deleteSync(fence);
  }

  async picture(): Promise<Blob> {
    this.graphics.finish(this.scene);
    this.finish = "full";
    this.refreshPlaces();
    this.applySize(1);
    this.draw(); // what is read must be drawn in the same task
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))), "image/png");
    });
  }

  private refreshPlaces(): void {
    if (!this.placesStale) return;
    this.placesStale = false;
    this.places.update(this.stress?.shown.frame ?? this.moment, this.between);
    for (const [id, pose] of this.preview ?? []) this.places.poses.set(pose, 7 * id);
    this.places.explode(this.explosion);
    if (this.stress) this.placeStress(this.stress);
    this.pieces.update(this.places);
    for (const ground of this.grounds) ground.update(this.places);
    this.repaint();
    this.redraw();
  }

  private repaint(): void {
    const frame = Math.floor(this.moment);
    if (frame === this.paintedFrame || (!this.painter.changes && !Number.isNaN(this.paintedFrame))) return;
    this.paintedFrame = frame;
    const strength = this.painter.mode === "material" ? 0 : 1;
    for (const body of this.recording.bodies) {
      if (body.mesh >= 0) this.pieces.textures.setColour(body.id, this.painter.colour(body, frame), strength);
    }
  }

  private draw(): void {
    this.pictureStale = false;
    const camera = this.cameras.camera;
    camera.updateMatrixWorld();
    this.backdrop.useCamera(camera);
    this.lights.follow(camera, this.cameras.distance);
    if (this.finish === "full") this.renderer.render(this.scene, camera);
    else this.sketch();
    this.outline.draw(camera);
  }

  private sketch(): void {
    const { renderer, lights } = this;
    const light = lights.direction;
    const render = (): void => {
      renderer.shadowMap.enabled = false;
      renderer.render(this.scene, this.cameras.camera);
      renderer.shadowMap.enabled = true;
    };
    const all = this.grounds.reduce((draw, ground) => () => ground.sketched(light, draw), render);
    this.pieces.sketched(light, all);
  }

  private resize(): void {
    if (this.host.clientWidth === this.width && this.host.clientHeight === this.height) return; // observers begin with a call
    this.width = this.host.clientWidth;
    this.height = this.host.clientHeight;
    this.cameras.resize(this.host.clientWidth, this.host.clientHeight);
    this.redraw();
  }

  private applySize(scale = this.quality.scale): void {
    const ratio = Math.min(window.devicePixelRatio, 2) * scale;
    const width = Math.max(1, this.host.clientWidth);
    const height = Math.max(1, this.host.clientHeight);
    const wanted = new THREE.Vector2(Math.floor(width * ratio), Math.floor(height * ratio));
    if (this.renderer.getDrawingBufferSize(new THREE.Vector2()).equals(wanted)) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height);
  }
}

/** A small ring of light where a body was hit. */
function impactMarker(): THREE.Mesh {
  const material = new THREE.MeshBasicMaterial({ color: "#ff5a36", transparent: true, opacity: 0.85, depthTest: false, toneMapped: false });
  const marker = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), material);
  marker.renderOrder = 20;
  marker.visible = false;
  return marker;
}
