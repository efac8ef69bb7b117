/** What Studio and its server say to each other: the document, states, commands. docs/studio.md has the messages. */

// ---- the document

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** The scene as it is in its file. */
export type SceneDocument = JsonObject;

/** RFC 6902. */
export type Operation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };
export type Patch = readonly Operation[];
/** A change that is still to be sent, for the document as it is then. */
export type PatchFor = (document: SceneDocument) => Patch;

/** Something wrong with the document, at a JSON pointer. */
export interface Issue {
  readonly pointer: string;
  readonly message: string;
  readonly found?: string;
  readonly allowed?: string;
  readonly severity: "error" | "warning";
}

// ---- the server

export interface DocumentStatus {
  readonly version: number;
  readonly path: string | null;
  readonly saved: boolean;
  readonly undo: string | null; // what would be undone
  readonly redo: string | null;
  readonly recoveries: number; // unsaved work that is offered
  readonly errors: number;
}

export type TakeState = "still" | "running" | "paused" | "done" | "failed";
export type Pace = "real" | "fast";

export interface TakeStatus {
  readonly id: number;
  readonly state: TakeState;
  readonly first: number;
  readonly last: number; // the newest frame there is
  readonly wanted: number; // the run ends there
  readonly valid_to: number; // frames after it were made from an earlier scene
  readonly stale: boolean;
  readonly pace: Pace;
  readonly dt: number; // s
  readonly bodies: number; // that ever lived
  readonly alive: number;
  readonly breaks: number;
  readonly events: number;
  readonly fps: number; // frames made per second
  readonly eta: number | null; // s
  readonly waiting: string | null; // what it is doing besides making frames
  readonly work: { readonly stage: string; readonly seconds: number } | null; // what the frame at work is at
  readonly problem: string | null; // why the run failed, or what was found when frames were computed again
  readonly before: { readonly last: number } | null; // a take that was left for the start
}

export interface Job {
  readonly id: number;
  readonly label: string;
  readonly share: number; // 0 to 1
  readonly eta: number | null; // s
  readonly state: "running" | "done" | "failed" | "cancelled";
  readonly result: JsonObject | null;
  readonly error: string | null;
}

export interface Status {
  readonly document: DocumentStatus;
  readonly take: TakeStatus;
  readonly log: number; // messages so far
  readonly jobs: readonly Job[];
}

/** A command that the server refused, in a sentence. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  constructor(
    message: string,
    readonly issues: readonly Issue[] = [],
  ) {
    super(message);
  }
}

export interface BinaryAnswer {
  readonly header: JsonObject;
  readonly bytes: ArrayBuffer;
}

export interface Connection {
  /** Rejects with CommandError when the server refuses, or while there is no connection. */
  ask<T = unknown>(command: string, args?: object): Promise<T>;
  askBytes(command: string, args?: object): Promise<BinaryAnswer>;
  /** GET with the token. */
  fetchBytes(path: string): Promise<ArrayBuffer>;
  /** undefined until the first notice. */
  readonly status: Status | undefined;
  /** Called with each notice, and at once when there is one; returns what ends it. */
  onStatus(listener: (status: Status) => void): () => void;
}
