import { CommandError, type Connection, type JsonObject } from "../server/contract";
import { el, icon, type IconName } from "../ui/dom";
import { choose, Dialog } from "./dialog";
import type { Recovery, SceneAnswer, Store } from "./store";

interface Folder {
  readonly folder: string;
  readonly parent: string | null;
  readonly folders: readonly (string | JsonObject)[];
  readonly scenes: readonly (string | JsonObject)[];
  readonly recordings: readonly (string | JsonObject)[];
  readonly meshes: readonly (string | JsonObject)[];
  readonly volumes: readonly (string | JsonObject)[];
}

type FileKind = "scenes" | "recordings" | "meshes" | "volumes";

/** Names come alone or with facts. */
function pathOf(entry: string | JsonObject): string {
  return typeof entry === "string" ? entry : String(entry["path"] ?? entry["name"] ?? "");
}

/** A list of the project's files to choose from, folder by folder. */
class FileList {
  readonly element = el("div", { class: "file-list", role: "listbox", "aria-label": "Files", tabindex: 0 });
  private chosenButton: HTMLElement | undefined;
  chosen = "";

  constructor(
    private readonly connection: Connection,
    private readonly kinds: readonly FileKind[],
    private readonly onChoose: (path: string, twice: boolean) => void,
    private readonly onFolder: (folder: string) => void,
  ) {
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  async open(folder: string): Promise<void> {
    const answer = await this.connection.ask<Folder>("files", { folder });
    const rows: HTMLElement[] = [];
    if (folder !== "" && answer.parent !== undefined) rows.push(this.row("group", "..", () => void this.open(answer.parent ?? "")));
    for (const one of answer.folders)
      rows.push(this.row("group", lastPart(pathOf(one)), () => void this.open(within(answer.folder, pathOf(one)))));
    const icons: Record<FileKind, IconName> = { scenes: "world", recordings: "play", meshes: "body", volumes: "paint" };
    for (const kind of this.kinds) {
      for (const one of answer[kind]) {
        const path = within(answer.folder, pathOf(one));
        const row = this.row(icons[kind], lastPart(path), (twice) => this.choose(row, path, twice));
        rows.push(row);
      }
    }
    this.element.replaceChildren(
      ...(rows.length > 0 ? rows : [el("div", { class: "hint", role: "option", "aria-disabled": "true" }, "Nothing here yet.")]),
    );
    this.onFolder(answer.folder);
  }

  private row(image: IconName, label: string, action: (twice: boolean) => void): HTMLElement {
    const row = el(
      "button",
      { type: "button", class: "file-row", role: "option", "aria-selected": "false" },
      icon(image),
      el("span", {}, label),
    );
    row.addEventListener("click", () => action(false));
    row.addEventListener("dblclick", () => action(true));
    return row;
  }

  private choose(row: HTMLElement, path: string, twice: boolean): void {
    this.chosenButton?.setAttribute("aria-selected", "false");
    this.chosenButton = row;
    row.setAttribute("aria-selected", "true");
    this.chosen = path;
    this.onChoose(path, twice);
  }

  private key(event: KeyboardEvent): void {
    const rows = [...this.element.querySelectorAll<HTMLElement>(".file-row")];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    rows[Math.min(Math.max(at + (event.key === "ArrowDown" ? 1 : -1), 0), rows.length - 1)]?.focus();
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The server may say names or whole paths. */
function within(folder: string, entry: string): string {
  return folder === "" || folder === "." || entry.startsWith(`${folder}/`) ? entry : `${folder}/${entry}`;
}

/** New, open, save, recent, recovery. */
export class Files {
  constructor(
    private readonly connection: Connection,
    private readonly store: Store,
    private readonly callbacks: { complain(error: unknown): void; say(text: string): void; opened(): void },
  ) {}

  /** Unsaved changes: save, throw away, or stay. True: go on. */
  private async mayLeave(): Promise<boolean> {
    if (this.store.status?.document.saved !== false) return true;
    const name = this.store.path ?? "this new scene";
    const answer = await choose<"save" | "discard">("Unsaved changes", `There are changes in ${name} that are not saved.`, [
      { label: "Save", value: "save", primary: true },
      { label: "Discard changes", value: "discard", danger: true },
    ]);
    if (answer === "save") return this.save();
    return answer === "discard";
  }

  async create(): Promise<void> {
    if (!(await this.mayLeave())) return;
    const kept = this.store.path === null && (this.store.status?.document.recoveries ?? 0) > 0;
    if (kept && (await this.recoverDialog()) === "recovered") return;
    await this.run(async () => {
      await this.store.command("new", { discard: true });
      this.callbacks.opened();
    });
  }

  async open(path: string): Promise<void> {
    if (!(await this.mayLeave())) return;
    await this.run(() => this.openNow(path));
  }

  private async openNow(path: string): Promise<void> {
    const answer = await this.store.command<SceneAnswer>("open", { path, discard: true });
    this.callbacks.opened();
    if (answer.recovery) await this.offerRecoveries(answer.recovery);
  }

  async openDialog(kinds: readonly FileKind[] = ["scenes", "recordings"], title = "Open"): Promise<void> {
    const chosen = await this.choosePath(kinds, title, "Open");
    if (chosen !== undefined) await this.open(chosen);
  }

  /** A file of the project; undefined: none. */
  async choosePath(kinds: readonly FileKind[], title: string, verb: string): Promise<string | undefined> {
    let chosen: string | undefined;
    const where = el("p", { class: "hint folder-line" }, "Project folder");
    const accept = (): boolean => {
      chosen = list.chosen || undefined;
      if (chosen === undefined) dialog.complain(new Error("Choose a file first."));
      return chosen !== undefined;
    };
    const list = new FileList(
      this.connection,
      kinds,
      (_, twice) => {
        if (twice && accept()) dialog.close();
      },
      (folder) => (where.textContent = folder === "" || folder === "." ? "Project folder" : `Project folder / ${folder}`),
    );
    const dialog = new Dialog(title, [where, list.element], [{ label: "Cancel" }, { label: verb, primary: true, action: accept }]);
    list.open("").then(
      () => list.element.querySelector<HTMLElement>(".file-row")?.focus(),
      (error: unknown) => dialog.complain(error),
    );
    await dialog.closed;
    return chosen;
  }

  /** True: it is saved now. */
  async save(): Promise<boolean> {
    if (this.store.path === null) return this.saveAs();
    return this.write({}, async (force) => this.write(force, () => Promise.resolve(false)));
  }

  async saveAs(): Promise<boolean> {
    let saved = false;
    const input = el("input", {
      type: "text",
      class: "wide-input",
      id: "save-name",
      value: this.store.path ?? "untitled.json",
      autofocus: true,
      spellcheck: "false",
    });
    const dialog = new Dialog(
      "Save the scene as",
      [el("label", { for: "save-name", class: "block-label" }, "File name, in the project folder"), input],
      [
        { label: "Cancel" },
        {
          label: "Save",
          primary: true,
          action: async () => {
            const path = withEnding(input.value.trim(), ".json");
            saved = await this.write({ path }, async (force) => this.write(force, () => Promise.resolve(false)));
            return saved;
          },
        },
      ],
      "small",
    );
    input.select();
    await dialog.closed;
    return saved;
  }

  /** Asks before it replaces anything. */
  private async write(
    args: { path?: string; force?: boolean },
    again: (args: { path?: string; force: boolean }) => Promise<boolean>,
  ): Promise<boolean> {
    try {
      await this.store.command("save", args);
      return true;
    } catch (error) {
      if (!(error instanceof CommandError) || args.force || !/replaced/.test(error.message)) {
        this.callbacks.complain(error);
        return false;
      }
      const answer = await choose("Replace it?", error.message, [{ label: "Replace", value: true, danger: true }]);
      return answer === true ? again({ ...args, force: true }) : false;
    }
  }

  async recent(): Promise<readonly string[]> {
    try {
      const answer = await this.connection.ask<{ recent: readonly (string | JsonObject)[] }>("recent");
      return answer.recent.map(pathOf);
    } catch (error) {
      if (error instanceof CommandError) return [];
      throw error;
    }
  }

  async recentDialog(): Promise<void> {
    const recent = await this.recent();
    let chosen: string | undefined;
    const rows = recent.map((path) => {
      const row = el(
        "button",
        { type: "button", class: "file-row" },
        icon(path.endsWith(".sunder") ? "play" : "world"),
        el("span", {}, path),
      );
      row.addEventListener("click", () => {
        chosen = path;
        dialog.close();
      });
      return row;
    });
    const body =
      rows.length > 0 ? el("div", { class: "file-list" }, ...rows) : el("p", { class: "hint" }, "Nothing was opened or saved here yet.");
    const dialog = new Dialog("Open recent", [body], [{ label: "Cancel" }]);
    rows[0]?.focus();
    await dialog.closed;
    if (chosen !== undefined) await this.open(chosen);
  }

  /** What is kept of unsaved work of the scene at hand. */
  async recoverDialog(): Promise<"recovered" | undefined> {
    const answer = await this.store.command<SceneAnswer>("scene");
    return this.offerRecoveries(answer.recovery ?? []);
  }

  /** Studio ended before changes were saved. What is not answered stays, and is offered again. */
  async offerRecoveries(recoveries: readonly Recovery[]): Promise<"recovered" | undefined> {
    if (recoveries.length === 0) return undefined;
    let chosen = recoveries[0]!;
    let recovered: "recovered" | undefined;
    const list = el("div", { class: "recoveries", role: "radiogroup", "aria-label": "Unsaved work" });
    recoveries.forEach((recovery, i) => {
      const input = el("input", { type: "radio", name: "recovery", checked: i === 0 });
      input.addEventListener("change", () => (chosen = recovery));
      list.append(el("label", { class: "recovery" }, input, recoveryText(recovery)));
    });
    const command = async (name: string): Promise<void> => void (await this.store.command(name, { which: chosen.id }));
    const dialog = new Dialog(
      "Recover unsaved changes?",
      [el("p", {}, "Studio ended before these changes were saved. What is not recovered now stays, until it is forgotten."), list],
      [
        { label: "Not now" },
        { label: "Forget it", danger: true, action: () => command("forget_recovery") },
        {
          label: "Recover",
          primary: true,
          action: async () => {
            await command("recover");
            recovered = "recovered";
          },
        },
      ],
      "small",
    );
    await dialog.closed;
    return recovered;
  }

  private async run(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.callbacks.complain(error);
    }
  }
}

/** "3 changes of 14 Nov 2026, 10:12; the file was changed since" */
export function recoveryText(recovery: Recovery): string {
  const when = new Date(1000 * recovery.time).toLocaleString("en-GB");
  const edits = recovery.edits === 1 ? "One change" : `${recovery.edits} changes`;
  return `${edits} of ${when}${recovery.changed ? "; the scene’s file was changed since by another program" : ""}`;
}

export function withEnding(name: string, ending: string): string {
  return name === "" || name.toLowerCase().endsWith(ending) ? name : name + ending;
}
