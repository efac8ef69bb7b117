import { CommandError, type BinaryAnswer, type Connection, type Issue, type Json, type Patch, type Status } from "../server/contract";
import { applied } from "../server/testing";

/** A server for unit tests: keeps a document, takes patches, refuses what `check` objects to. */
export class FakeConnection implements Connection {
  status: Status | undefined;
  readonly asked: { command: string; args: Record<string, unknown> }[] = [];
  check: (document: Json) => Issue[] = () => [];
  version = 1;
  private readonly listeners = new Set<(status: Status) => void>();
  private readonly before: Json[] = [];
  private readonly after: Json[] = [];
  private merge: string | undefined; // of the last edit: one more with it is the same undo step

  constructor(public document: Json) {}

  onStatus(listener: (status: Status) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async ask<T>(command: string, args: object = {}): Promise<T> {
    this.asked.push({ command, args: args as Record<string, unknown> });
    if (command === "edit") this.edit(args as { patch: Patch; merge?: string });
    if (command === "undo") this.swap(this.before, this.after);
    if (command === "redo") this.swap(this.after, this.before);
    return { document: this.document, version: this.version, issues: [], path: null, saved: false } as T;
  }

  askBytes(): Promise<BinaryAnswer> {
    return Promise.reject(new CommandError("none here"));
  }
  fetchBytes(): Promise<ArrayBuffer> {
    return Promise.reject(new CommandError("none here"));
  }

  /** Someone else changed the document. */
  changeBehind(document: Json): void {
    this.document = document;
    this.status = { document: { version: ++this.version } } as Status;
    for (const listener of this.listeners) listener(this.status);
  }

  private edit({ patch, merge }: { patch: Patch; merge?: string }): void {
    const next = applied(this.document, patch);
    const issues = this.check(next);
    if (issues.length > 0) throw new CommandError(issues[0]!.message, issues);
    if (merge === undefined || merge !== this.merge) this.before.push(this.document);
    this.merge = merge;
    this.document = next;
    ++this.version;
  }

  private swap(from: Json[], to: Json[]): void {
    this.merge = undefined;
    const next = from.pop();
    if (next === undefined) return;
    to.push(this.document);
    this.document = next;
    ++this.version;
  }
}
