import type { LiveBody, LiveRecording } from "../live/live_recording";
import type { SceneDocument } from "../server/contract";
import type { Viewport } from "../view/viewport";
import type { Brush, Editing, StageCallbacks, ThrowSettings } from "./contract";
import type { Readout } from "./readout";

/** A mouse or a finger on the canvas. */
export interface Pointer {
  readonly x: number; // pixels from the canvas' upper left
  readonly y: number;
  readonly control: boolean; // Ctrl or Cmd is down
  readonly shift: boolean;
}

/** What tools see of the stage. */
export interface Workbench {
  readonly viewport: Viewport;
  readonly recording: LiveRecording;
  readonly callbacks: StageCallbacks;
  readonly readout: Readout;
  readonly document: SceneDocument;
  readonly selection: readonly number[];
  readonly editing: Editing;
  readonly snap: boolean;
  readonly brush: Brush;
  readonly throwSettings: ThrowSettings;
  readonly shownFrame: number;
  readonly isRunning: boolean;
  /** The part of the document that says where a body is. */
  entryOf(body: LiveBody): string | undefined;
  bodiesOf(entry: string): readonly number[];
  /** Whether a body is there in the frame shown. */
  isThere(body: number): boolean;
  /** How large a body is from corner to corner, m. */
  sizeOf(body: number): number;
  /** Of a living body in the frame shown, as it is without previews. */
  poseOf(body: number): Float32Array;
}

/** One at a time has the left button. */
export interface StageTool {
  /** True: it goes on with this drag, the camera stays. */
  down(pointer: Pointer): boolean;
  move(pointer: Pointer): void;
  up(pointer: Pointer): void;
  /** The drag ends without any effect. */
  cancel(): void;
  hover?(pointer: Pointer): void;
  leave?(): void;
  activate?(): void;
  deactivate?(): void;
  /** The document, the selection or what is shown changed. */
  refresh?(): void;
  /** Before each picture; true: it must be drawn. */
  animate?(): boolean;
}
