import { CommandError, type Connection, type Issue, type Json, type Patch, type SceneDocument, type Status } from "./contract";
import { isList, isObject, isWithin, setPatch, valueAt } from "./pointer";

export interface SceneAnswer {
  readonly document: SceneDocument;
  readonly version: number;
  readonly issues: readonly Issue[];
  readonly path: string | null;
  readonly saved: boolean;
  readonly recovery?: { readonly time: string | number; readonly edits: number } | null;
}

export type StoreEvent = "document" | "status" | "refused";

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
  private readonly newest = new Map<string, { label: string; pointer: string; value: Json; merge: string }>();

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

  /** One undo step, or part of the last when `merge` is the same. Rejects with what is wrong, after telling the panels. */
  edit(label: string, patch: Patch, merge?: string): Promise<void> {
    if (patch.length === 0) return Promise.resolve();
    return this.inTurn("edit", { label, patch, ...(merge === undefined ? {} : { merge }) });
  }

  undo(): Promise<void> {
    return this.inTurn("undo", {});
  }
  redo(): Promise<void> {
    return this.inTurn("redo", {});
  }

  /** open, new, save, recover, throw, act: commands whose answer may be the document. */
  async command<T = unknown>(name: string, args: object = {}): Promise<T> {
    const answer = await this.connection.ask<T>(name, args);
    if (isScene(answer)) this.accept(answer);
    return answer;
  }

  /** A value while it is being dragged: the newest wins, the others are not sent; all are one undo step. */
  drag(label: string, pointer: string, value: Json, merge: string): void {
    const sending = this.newest.has(pointer);
    this.newest.set(pointer, { label, pointer, value, merge });
    if (!sending) void this.sendNewest(pointer);
  }

  private async sendNewest(pointer: string): Promise<void> {
    for (;;) {
      const wanted = this.newest.get(pointer)!;
      await this.edit(wanted.label, setPatch(this.document, pointer, wanted.value), wanted.merge).catch(() => undefined); // shown at the field
      if (this.newest.get(pointer) === wanted) break;
    }
    this.newest.delete(pointer);
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

  private inTurn(command: string, args: object): Promise<void> {
    const turn = this.busy.catch(() => undefined).then(() => this.change(command, args));
    this.busy = turn;
    return turn;
  }

  private async change(command: string, args: object): Promise<void> {
    try {
      this.accept(await this.connection.ask<SceneAnswer>(command, this.showsStart() ? { ...args, restart: true } : args));
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
