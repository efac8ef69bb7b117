import {
  CommandError,
  type Connection,
  type Issue,
  type Patch,
  type PatchFor,
  type SceneDocument,
  type Status,
  type TakeStatus,
} from "../server/contract";
import { isList, isObject, isWithin, valueAt } from "../server/pointer";

export interface SceneAnswer {
  readonly document: SceneDocument;
  readonly version: number;
  readonly issues: readonly Issue[];
  readonly path: string | null;
  readonly saved: boolean;
  readonly recovery?: readonly Recovery[]; // the newest first
  readonly take?: TakeStatus; // of undo and redo: as it is then
}

/** Unsaved work of an earlier session. */
export interface Recovery {
  readonly id: string;
  readonly time: number; // s since 1970
  readonly edits: number;
  readonly changed: boolean; // the scene's file is another one since
}

export type StoreEvent = "document" | "status" | "refused";

/** One value of a drag. */
interface DragStep {
  readonly label: string;
  readonly patchFor: PatchFor;
  readonly refused: ((error: unknown) => void) | undefined;
}

/** A drag of which something is still to be sent. */
interface Drag {
  newest: DragStep;
  readonly done: Promise<void>;
}

/** The document as the server has it. Every change goes there and comes back; nothing is changed here first. */
export class Store {
  document: SceneDocument = { version: 1 };
  version = -1;
  path: string | null = null;
  issues: readonly Issue[] = []; // of the document
  refused: readonly Issue[] = []; // of the last edit, when it was not taken
  private readonly listeners = new Set<(event: StoreEvent) => void>();
  private pulling: Promise<void> | undefined;
  private busy: Promise<unknown> = Promise.resolve();
  /** The start is being looked at: after an edit the new start is shown, and frames made from the old one are dropped. */
  showsStart: () => boolean = () => false;
  private readonly drags = new Map<string, Drag>(); // by what merges their edits

  constructor(private readonly connection: Connection) {
    connection.onStatus((status) => {
      if (status.document.version !== this.version) void this.pull();
      this.emit("status");
    });
  }

  get status(): Status | undefined {
    return this.connection.status;
  }

  on(listener: (event: StoreEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Fetches the document; what someone else changed (a throw, another tab) comes in this way. */
  pull(): Promise<void> {
    this.pulling ??= this.connection
      .ask<SceneAnswer>("scene")
      .then((answer) => this.accept(answer))
      .catch((error: unknown) => {
        if (!(error instanceof CommandError)) throw error; // without a connection there is nothing to pull
      })
      .finally(() => (this.pulling = undefined));
    return this.pulling;
  }

  /** One undo step. Rejects with what is wrong, after telling the panels. */
  edit(label: string, patch: Patch): Promise<void> {
    if (patch.length === 0) return Promise.resolve();
    return this.inTurn(async () => void (await this.change("edit", { label, patch })));
  }

  /** Both with the take as it is then. */
  undo(): Promise<TakeStatus | undefined> {
    return this.inTurn(async () => (await this.change("undo", {})).take);
  }
  redo(): Promise<TakeStatus | undefined> {
    return this.inTurn(async () => (await this.change("redo", {})).take);
  }

  /** open, new, save, recover, throw, act: commands whose answer may be the document. */
  async command<T = unknown>(name: string, args: object = {}): Promise<T> {
    const answer = await this.connection.ask<T>(name, args);
    if (isScene(answer)) this.accept(answer);
    return answer;
  }

  /**
   * Something while it is being dragged: the newest wins, the others are not sent. All with one `merge` are one undo step, and
   * one turn as long as they come: undo and other edits wait. Resolves when the last was taken or refused; a refused one does not end it.
   */
  drag(label: string, patchFor: PatchFor, merge: string, refused?: (error: unknown) => void): Promise<void> {
    const newest: DragStep = { label, patchFor, refused };
    const going = this.drags.get(merge);
    if (going) {
      going.newest = newest;
      return going.done;
    }
    const done = this.inTurn(() => this.sendNewest(merge));
    this.drags.set(merge, { newest, done });
    return done;
  }

  private async sendNewest(merge: string): Promise<void> {
    const drag = this.drags.get(merge)!;
    let sent: DragStep;
    do {
      sent = drag.newest;
      try {
        const patch = sent.patchFor(this.document);
        if (patch.length > 0) await this.change("edit", { label: sent.label, patch, merge });
      } catch (error) {
        sent.refused?.(error);
      }
    } while (drag.newest !== sent);
    this.drags.delete(merge);
  }

  /** Nothing is under way any more. */
  async settled(): Promise<void> {
    await this.busy.catch(() => undefined);
  }

  /** What is wrong at a pointer or below it: first with the last edit, then with the document. */
  issuesAt(pointer: string): readonly Issue[] {
    const here = (issue: Issue): boolean => isWithin(issue.pointer, pointer);
    const refused = this.refused.filter(here);
    return refused.length > 0 ? refused : this.issues.filter(here);
  }

  /** Someone gave up the edit that was not taken. */
  forgetRefused(): void {
    if (this.refused.length === 0) return;
    this.refused = [];
    this.emit("refused");
  }

  /** Names of all bodies and instances beside each other at the top. */
  names(): Set<string> {
    const names = new Set<string>();
    for (const list of ["bodies", "instances"]) {
      const members = valueAt(this.document, `/${list}`);
      if (!isList(members)) continue;
      for (const member of members) if (isObject(member) && typeof member["name"] === "string") names.add(member["name"]);
    }
    return names;
  }

  /** When everything before it is done. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.busy.catch(() => undefined).then(work);
    this.busy = turn;
    return turn;
  }

  private async change(command: string, args: object): Promise<SceneAnswer> {
    try {
      const answer = await this.connection.ask<SceneAnswer>(command, this.showsStart() ? { ...args, restart: true } : args);
      this.accept(answer);
      return answer;
    } catch (error) {
      if (error instanceof CommandError && command === "edit") {
        this.refused = error.issues;
        this.emit("refused");
      }
      throw error;
    }
  }

  private accept(answer: SceneAnswer): void {
    this.document = answer.document;
    this.version = answer.version;
    this.issues = answer.issues ?? [];
    this.path = answer.path;
    this.refused = [];
    this.emit("document");
  }

  private emit(event: StoreEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}

function isScene(answer: unknown): answer is SceneAnswer {
  return typeof answer === "object" && answer !== null && "document" in answer && "version" in answer;
}
