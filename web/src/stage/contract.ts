import type { ColourMode, Painter } from "../core/colours";
import type { Between } from "../core/places";
import type { Player } from "../core/player";
import type { CameraView, Recording, Vec3 } from "../core/recording";
import type { Connection, Json, JsonObject, Patch, PatchFor, SceneDocument } from "../server/contract";
import type { BreakStage } from "../ui/break_view";
import type { Theme } from "../view/backdrop";
import type { Axis, Slice } from "../view/viewport";

/** What the page knows of the stage, and the stage of the page. */

export const TOOLS = ["select", "move", "rotate", "scale", "throw", "drag", "paint"] as const;
export type Tool = (typeof TOOLS)[number];

export interface Brush {
  radius: number; // m; 0: as suits what is painted
  strength: number; // 0 to 1: how much of the way a stroke goes
  value: number; // percent of the material's strength, 0 to 255; 100: untouched
}

export interface ThrowSettings {
  shape: JsonObject | undefined; // as in bodies[].shape; undefined: a ball that suits what is hit
  material: Json | undefined; // as in bodies[].material: the name of one of the scene's, or one of its own
  speed: number; // m/s
}

/** Gizmos change the scene's start, or (as timed actions) what is there in the frame shown. */
export type Editing = "start" | "current";

/**
 * The take in the middle of the page. Pulls what it shows, draws in its own loop, handles the mouse on its canvas.
 * `recording` and `player` are the same objects for as long as the stage lives; what is in them grows and is replaced.
 */
export interface Stage extends BreakStage {
  readonly recording: Recording;
  readonly player: Player; // `first` and `last` move with the take
  readonly canvas: HTMLCanvasElement;
  /** Another scene was opened: the camera goes where that wants it, as soon as it is here. */
  opened(): void;
  /** In the frame that is shown. */
  isThere(body: number): boolean;
  /** Of what is shown; another one may be on its way. */
  readonly takeId: number;

  tool: Tool;
  editing: Editing;
  snap: boolean; // gizmos go in steps
  readonly brush: Brush;
  readonly throwSettings: ThrowSettings;
  /** The playhead stays at the newest frame while a run goes on. A seek ends it. */
  following: boolean;
  between: Between;

  /** On every change of the document, also after undo. */
  setDocument(document: SceneDocument): void;

  /** Recording body ids; does not call `selected`. */
  select(bodies: readonly number[]): void;
  readonly selection: readonly number[];
  /** Bodies that a part of the document became (of an array: all; pieces: not among them), and back. */
  bodiesOf(pointer: string): readonly number[];
  pointerOf(body: number): string | undefined;

  /** Ends `following`; pulls the frame if it is not here. */
  seek(frame: number): void;
  /** The frame shown is the frame wanted: nothing has to be pulled for it. */
  readonly complete: boolean;

  setTheme(theme: Theme): void;
  setColours(mode: ColourMode): Painter;
  setExplosion(strength: number): void;
  setSlice(slice: Slice | null): void;
  sliceRange(axis: Axis): { from: number; to: number };
  setImpact(point: Vec3 | undefined): void;
  /** Colours whole bodies by their grains, those that have any. */
  setGrains(on: boolean): void;

  cameraMode: "orbit" | "fly";
  resetCamera(): void;
  /** Brings bodies into view; without any, everything. */
  frame(bodies: readonly number[]): void;
  /** As the scene's view.camera would say it. */
  cameraView(): CameraView;
  /** A key that flying or a gizmo needs; true: taken. */
  key(code: string, down: boolean): boolean;
  /** Where a new body goes that was dropped or added: on what is seen there, or on the ground. Pixels; without: the middle. */
  placeAt(x?: number, y?: number): Vec3;

  picture(): Promise<Blob>;
  dispose(): void;
}

export interface StageCallbacks {
  /** Someone clicked. `pointers`: of the scene's bodies they came of, without doubles. */
  selected(bodies: readonly number[], pointers: readonly string[]): void;
  /** The shell sends it and shows errors; resolves when it is in the document, rejects with CommandError. */
  edit(label: string, patch: Patch): Promise<void>;
  /** As often as what is dragged changes: all with one `merge` are one undo step. Errors are shown by the shell; resolves when the last was taken or refused. */
  drag(label: string, patchFor: PatchFor, merge: string): Promise<void>;
  /** throw, act, pull_begin, …: errors are shown by the shell and passed on. */
  command(name: string, args: object): Promise<unknown>;
  announce(text: string): void;
  /** The frame shown changed: playhead, numbers. */
  moment(): void;
  /** Frames, bodies or events came or went; `fresh`: it is another take. */
  grown(fresh: boolean): void;
}

/** stage.ts exports it as createStage. The host is empty and keeps its size. */
export type CreateStage = (host: HTMLElement, connection: Connection, theme: Theme, callbacks: StageCallbacks) => Stage;
