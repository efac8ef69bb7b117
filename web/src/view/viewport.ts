import * as THREE from "three";

import { centreOf, diagonalOf, Extents, unionOf, type Box } from "../core/bounds";
import { Painter, type ColourMode } from "../core/colours";
import { Notice } from "../core/errors";
import { Places, type Between } from "../core/places";
import type { Recording, Vec3 } from "../core/recording";
import { Backdrop, type Theme } from "./backdrop";
import { Cameras } from "./cameras";
import { makeEnvironment } from "./environment";
import { Ground } from "./ground";
import { Lights } from "./lights";
import { makeNoiseTexture } from "./noise_texture";
import { Picker } from "./picker";
import { Pieces } from "./pieces";
import { isSoftware, Quality } from "./quality";

export type Axis = "x" | "y" | "z";

export interface Slice {
  readonly axis: Axis;
  readonly position: number; // m
  readonly flipped: boolean;
}

const ENVIRONMENT_LIGHT = 0.33; // of white, as seen on a white surface
const DEFAULT_DIRECTION = new THREE.Vector3(0.45, 0.38, 0.8);

/** Draws a recording at any moment. Knows nothing of playback, panels or where recordings come from. */
export class Viewport {
  readonly cameras: Cameras;
  readonly places: Places;
  readonly action: Box;
  private readonly extents: Extents;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly backdrop = new Backdrop();
  private readonly pieces: Pieces;
  private readonly grounds: Ground[];
  private readonly picker: Picker;
  private readonly lights: Lights;
  private readonly marker: THREE.Mesh;
  private painter: Painter;
  private readonly quality: Quality;
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
  ) {
    this.renderer = makeRenderer(host);
    this.quality = new Quality(isSoftware(this.renderer.getContext() as WebGL2RenderingContext));
    this.places = new Places(recording);
    this.extents = new Extents(recording);
    this.action = this.extents.action();
    this.moment = recording.firstFrame;
    const focus = new THREE.Vector3(...centreOf(this.action));
    const size = diagonalOf(this.action);
    const noise = makeNoiseTexture();
    this.pieces = new Pieces(recording, noise);
    this.painter = new Painter(recording, "material");
    this.grounds = recording.bodies
      .filter((body) => body.halfSpace && body.track.samples > 0)
      .map((body) => new Ground(body, recording, focus, size, noise, 1.2 * ENVIRONMENT_LIGHT));
    this.lights = new Lights(recording.view.light, size);
    this.marker = impactMarker(size);
    this.scene.add(this.backdrop.mesh, this.pieces.group, this.lights.group, this.marker, ...this.grounds.map((g) => g.mesh));
    this.scene.environment = makeEnvironment(this.renderer);
    this.scene.environmentIntensity = ENVIRONMENT_LIGHT;
    this.picker = new Picker(this.renderer, this.pieces);
    this.cameras = new Cameras(this.renderer.domElement, () => this.redraw());
    this.cameras.setScale(size);
    this.pieces.setSlice(null);
    this.setTheme(theme);
    this.resize();
    this.resetCamera();
    new ResizeObserver(() => this.resize()).observe(host);
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

  setMarks(selected: number, related: Iterable<number>): void {
    this.pieces.textures.clearMarks();
    for (const body of related) this.pieces.textures.setMark(body, 1);
    if (selected >= 0) this.pieces.textures.setMark(selected, 2);
    this.redraw();
  }

  /** Where an impact was; undefined: none. */
  setImpact(point: Vec3 | undefined): void {
    this.marker.visible = point !== undefined;
    if (point) this.marker.position.set(...point);
    this.redraw();
  }

  setSlice(slice: Slice | null): void {
    if (slice === null) {
      this.pieces.setSlice(null);
    } else {
      const sign = slice.flipped ? -1 : 1;
      const normal = new THREE.Vector3().setComponent("xyz".indexOf(slice.axis), sign);
      this.pieces.setSlice({ normal, offset: sign * slice.position });
    }
    this.redraw();
  }

  /** What a slice plane may sweep now, m. */
  sliceRange(axis: Axis): { from: number; to: number } {
    const box = this.extents.inFrame(Math.floor(this.moment), 0.01) ?? this.action;
    const k = "xyz".indexOf(axis);
    return { from: box.min[k]!, to: box.max[k]! };
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
    const box = unionOf(boxes);
    if (box) this.cameras.frame(box);
  }

  private boxOf(id: number): Box {
    const pose = this.places.poses.slice(7 * id, 7 * id + 7);
    for (let k = 0; k < 3; ++k) pose[k] = pose[k]! + this.places.offsets[3 * id + k]!;
    return this.extents.at(this.recording.bodies[id]!, pose);
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
      return false;
    }
    this.applySize();
    this.draw();
    return true;
  }

  /** The picture is as sharp as it gets, and nothing moves. */
  get settled(): boolean {
    return !this.pictureStale && this.quality.scale === 1;
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
    this.places.update(this.moment, this.between);
    this.places.explode(this.explosion);
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
    this.renderer.render(this.scene, camera);
  }

  private resize(): void {
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

function makeRenderer(host: HTMLElement): THREE.WebGLRenderer {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", { antialias: true, powerPreference: "high-performance" });
  if (context === null) {
    throw new Notice(
      "This browser shows no 3D pictures here (WebGL 2 is missing or switched off). Try another browser, or switch on hardware acceleration in its settings.",
    );
  }
  const renderer = new THREE.WebGLRenderer({ canvas, context, antialias: true });
  renderer.toneMapping = THREE.NeutralToneMapping;
  renderer.toneMappingExposure = 1.04;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFSoftShadowMap;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "The scene. Drag to orbit, click a piece to see its numbers.");
  host.append(canvas);
  return renderer;
}

/** A small ring of light where a body was hit. */
function impactMarker(size: number): THREE.Mesh {
  const material = new THREE.MeshBasicMaterial({ color: "#ff5a36", transparent: true, opacity: 0.85, depthTest: false, toneMapped: false });
  const marker = new THREE.Mesh(new THREE.SphereGeometry(size / 160, 16, 12), material);
  marker.renderOrder = 20;
  marker.visible = false;
  return marker;
}
