import { plural } from "../core/format";
import type { Json, JsonObject } from "../server/contract";
import { isList, isObject, isWithin, join, valueAt } from "../server/pointer";
import { el, icon, type IconName } from "../ui/dom";
import { nameOf } from "./panel";
import type { Store } from "./store";

/** A row of the tree: a part of the scene, a piece of the take, or a heading. */
interface TreeNode {
  readonly key: string; // unique, stays over changes
  readonly label: string;
  readonly icon: IconName | undefined;
  readonly note: string;
  readonly pointer: string | undefined;
  readonly body: number | undefined; // of the take
  readonly wrong: boolean;
  readonly children: () => readonly TreeNode[];
  readonly folder: boolean;
}

export interface Piece {
  readonly id: number;
  readonly name: string;
  readonly note: string;
  readonly pieces: number; // that it broke into
}

export interface TreeActions {
  select(pointers: readonly string[], bodies: readonly number[]): void;
  focus(): void; // bring into view
  /** What a part of the scene became in the take, and what those broke into. */
  piecesOf(pointer: string): readonly Piece[];
  piecesOfBody(body: number): readonly Piece[];
}

const MOST_CHILDREN = 400;

const HEADINGS: readonly (readonly [string, string, IconName])[] = [
  ["bodies", "Bodies", "body"],
  ["instances", "Instances", "group"],
  ["groups", "Groups", "group"],
  ["materials", "Materials", "material"],
  ["fields", "Forces", "force"],
  ["explosions", "Blasts", "blast"],
  ["actions", "Actions", "clock"],
];

/** The scene as a tree, with the pieces that bodies became. Arrow keys, Home, End, letters; Ctrl or Shift: several. */
export class SceneTree {
  readonly element: HTMLElement;
  private readonly list = el("div", { class: "tree", role: "tree", "aria-label": "Scene", "aria-multiselectable": "true" });
  private readonly open = new Set<string>(["/bodies", "/materials"]);
  private selected = new Set<string>([""]);
  private rows: { node: TreeNode; level: number; element: HTMLElement }[] = [];
  private focused = "";
  private anchor = "";

  constructor(
    private readonly store: Store,
    private readonly actions: TreeActions,
  ) {
    this.element = this.list;
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => this.click(event));
    this.list.addEventListener("dblclick", (event) => {
      if (!(event.target as Element).closest(".tree-fold")) actions.focus();
    });
  }

  /** Shows what is selected elsewhere. */
  setSelection(pointers: readonly string[], bodies: readonly number[]): void {
    const keys = bodies.map((body) => `#${body}`);
    const parts = pointers.length > 0 || bodies.length > 0 ? pointers : [""];
    const pieces = keys.filter((key) => this.rows.some((row) => row.node.key === key));
    this.selected = new Set(pieces.length > 0 ? pieces : parts);
    this.focused = [...this.selected][0] ?? "";
    for (const key of parts) this.reveal(key);
    this.refresh();
    this.rows.find((row) => row.node.key === this.focused)?.element.scrollIntoView({ block: "nearest" });
  }

  refresh(): void {
    const hadFocus = this.list.contains(document.activeElement);
    this.rows = [];
    for (const node of this.roots()) this.add(node, 1);
    if (!this.rows.some((row) => row.node.key === this.focused)) this.focused = "";
    this.list.replaceChildren(...this.rows.map((row) => row.element));
    this.refreshFocus(hadFocus);
  }

  private reveal(pointer: string): void {
    for (const row of HEADINGS) if (isWithin(pointer, `/${row[0]}`)) this.open.add(`/${row[0]}`);
    const groups = /^(\/groups\/[^/]+)\/bodies\//.exec(pointer);
    if (groups) this.open.add(groups[1]!);
  }

  private roots(): TreeNode[] {
    const { document } = this.store;
    const title = nameOf(document, "");
    const scene = this.part("", title || "Scene", "world", []);
    const headings = HEADINGS.flatMap(([key, label, image]): TreeNode[] => {
      const pointer = `/${key}`;
      const value = valueAt(document, pointer);
      const count = isList(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
      if (count === 0 && key !== "bodies") return [];
      const members = (): TreeNode[] =>
        isList(value)
          ? value.map((member, i) => this.member(join(pointer, i), member, image))
          : Object.entries((value ?? {}) as JsonObject).map(([name, member]) => this.member(join(pointer, name), member, image));
      return [
        {
          key: pointer,
          label,
          icon: undefined,
          note: String(count),
          pointer: undefined,
          body: undefined,
          wrong: this.isWrong(pointer),
          children: members,
          folder: true,
        },
      ];
    });
    return [scene, ...headings];
  }

  private part(pointer: string, label: string, image: IconName, children: readonly TreeNode[], note = ""): TreeNode {
    const wrong = pointer !== "" && this.isWrong(pointer);
    return {
      key: pointer,
      label,
      icon: image,
      note,
      pointer,
      body: undefined,
      wrong,
      children: () => children,
      folder: children.length > 0,
    };
  }

  private isWrong(pointer: string): boolean {
    return this.store.issues.some((issue) => issue.severity === "error" && isWithin(issue.pointer, pointer));
  }

  private member(pointer: string, value: Json, image: IconName): TreeNode {
    const { document } = this.store;
    if (isObject(value) && pointer.startsWith("/groups/")) {
      const bodies = isList(value["bodies"]) ? value["bodies"] : [];
      const children = bodies.map((body, i) => this.member(join(pointer, "bodies", i), body, "body"));
      if (!/\/bodies\//.test(pointer))
        return this.part(pointer, nameOf(document, pointer), "group", children, plural(bodies.length, "body", "bodies"));
    }
    const isBody = /\/bodies\/\d+$/.test(pointer);
    const fixed = isBody && isObject(value) && value["kind"] !== undefined && value["kind"] !== "dynamic";
    const node = this.part(pointer, nameOf(document, pointer), fixed ? "pin" : image, [], noteOf(pointer, value));
    if (!isBody) return node;
    const pieces = this.actions.piecesOf(pointer);
    const many = pieces.length > 1 ? pieces : pieces.flatMap((piece) => (piece.pieces > 0 ? this.actions.piecesOfBody(piece.id) : []));
    return many.length === 0
      ? node
      : { ...node, folder: true, note: node.note || plural(many.length, "piece"), children: () => this.pieces(many) };
  }

  private pieces(pieces: readonly Piece[]): TreeNode[] {
    const shown = pieces.slice(0, MOST_CHILDREN).map(
      (piece): TreeNode => ({
        key: `#${piece.id}`,
        label: piece.name.slice(piece.name.lastIndexOf("/") + 1),
        icon: "body",
        note: piece.pieces > 0 ? plural(piece.pieces, "piece") : piece.note,
        pointer: undefined,
        body: piece.id,
        wrong: false,
        children: () => this.pieces(this.actions.piecesOfBody(piece.id)),
        folder: piece.pieces > 0,
      }),
    );
    const left = pieces.length - shown.length;
    if (left > 0) {
      shown.push({
        key: `${shown[0]!.key}…`,
        label: `and ${left} more; click them on the stage`,
        icon: undefined,
        note: "",
        pointer: undefined,
        body: undefined,
        wrong: false,
        children: () => [],
        folder: false,
      });
    }
    return shown;
  }

  private add(node: TreeNode, level: number): void {
    const open = node.folder && this.open.has(node.key);
    const selectable = node.pointer !== undefined || node.body !== undefined;
    const element = el(
      "div",
      {
        class: `tree-row ${selectable ? "" : "tree-heading"}`,
        role: "treeitem",
        tabindex: -1,
        "aria-level": level,
        "data-key": node.key,
        style: `--level: ${level - 1}`,
      },
      el("span", { class: "tree-fold", "aria-hidden": "true" }),
      node.icon ? icon(node.icon) : null,
      el("span", { class: "tree-label" }, node.label),
      node.wrong ? el("span", { class: "tree-wrong", title: "has a mistake" }, "!") : null,
      el("span", { class: "tree-note" }, node.note),
    );
    if (node.folder) element.setAttribute("aria-expanded", String(open));
    if (selectable) element.setAttribute("aria-selected", String(this.selected.has(node.key)));
    this.rows.push({ node, level, element });
    if (open) for (const child of node.children()) this.add(child, level + 1);
  }

  private refreshFocus(focus: boolean): void {
    for (const { node, element } of this.rows) {
      const here = node.key === this.focused;
      element.tabIndex = here ? 0 : -1;
      if (here && focus) element.focus({ preventScroll: true });
    }
  }

  private toggle(key: string, open = !this.open.has(key)): void {
    if (open) this.open.add(key);
    else this.open.delete(key);
    this.refresh();
  }

  private choose(keys: readonly string[]): void {
    this.selected = new Set(keys);
    const nodes = this.rows.filter((row) => this.selected.has(row.node.key)).map((row) => row.node);
    const pointers = nodes.flatMap((node) => (node.pointer === undefined ? [] : [node.pointer]));
    const bodies = nodes.flatMap((node) => (node.body === undefined ? [] : [node.body]));
    for (const { node, element } of this.rows) {
      if (node.pointer !== undefined || node.body !== undefined) element.setAttribute("aria-selected", String(this.selected.has(node.key)));
    }
    this.actions.select(pointers, bodies);
  }

  private click(event: MouseEvent): void {
    const target = event.target as Element;
    const row = target.closest<HTMLElement>(".tree-row");
    const key = row?.dataset["key"];
    if (row === null || key === undefined) return;
    this.focused = key;
    const node = this.rows.find((one) => one.node.key === key)?.node;
    if (node?.folder && (target.closest(".tree-fold") || (node.pointer === undefined && node.body === undefined))) {
      this.toggle(key);
      this.refreshFocus(true);
      return;
    }
    this.extend(key, event.ctrlKey || event.metaKey, event.shiftKey);
    this.refreshFocus(true);
  }

  private extend(key: string, toggle: boolean, range: boolean): void {
    const node = this.rows.find((row) => row.node.key === key)?.node;
    if (!node || (node.pointer === undefined && node.body === undefined)) return;
    if (range && this.anchor !== "") {
      const keys = this.rows
        .filter((row) => row.node.pointer !== "" && (row.node.pointer !== undefined || row.node.body !== undefined))
        .map((row) => row.node.key);
      const [from, to] = [keys.indexOf(this.anchor), keys.indexOf(key)].sort((a, b) => a - b);
      if (from! >= 0) return this.choose(keys.slice(from, to! + 1));
    }
    this.anchor = key;
    if (!toggle) return this.choose([key]);
    const keys = new Set(this.selected);
    keys.delete("");
    if (!keys.delete(key)) keys.add(key);
    this.choose([...keys]);
  }

  private key(event: KeyboardEvent): void {
    const at = this.rows.findIndex((row) => row.node.key === this.focused);
    const row = this.rows[at];
    if (!row || event.altKey) return;
    const go = (index: number): void => {
      const next = this.rows[Math.min(Math.max(index, 0), this.rows.length - 1)]!;
      this.focused = next.node.key;
      this.refreshFocus(true);
      next.element.scrollIntoView({ block: "nearest" });
      if (!event.ctrlKey) this.extend(next.node.key, false, event.shiftKey);
    };
    const isOpen = this.open.has(row.node.key);
    switch (event.key) {
      case "ArrowDown":
        go(at + 1);
        break;
      case "ArrowUp":
        go(at - 1);
        break;
      case "Home":
        go(0);
        break;
      case "End":
        go(this.rows.length - 1);
        break;
      case "ArrowRight":
        if (row.node.folder && !isOpen) this.toggle(row.node.key, true);
        else if (row.node.folder) go(at + 1);
        break;
      case "ArrowLeft":
        if (row.node.folder && isOpen) this.toggle(row.node.key, false);
        else
          go(
            at -
              1 -
              this.rows
                .slice(0, at)
                .reverse()
                .findIndex((one) => one.level < row.level),
          );
        break;
      case "Enter":
        if (event.ctrlKey || event.shiftKey) return; // those run the scene
        if (row.node.pointer === undefined && row.node.body === undefined) this.toggle(row.node.key);
        else this.extend(row.node.key, false, false);
        break;
      case " ":
        if (!event.ctrlKey) return; // plays
        this.extend(row.node.key, true, false);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

function noteOf(pointer: string, value: Json): string {
  if (!isObject(value)) return "";
  if (pointer.startsWith("/materials/")) return typeof value["look"] === "string" ? value["look"] : "";
  if (typeof value["type"] === "string" && !pointer.includes("/bodies/")) return value["type"];
  if (typeof value["appears"] === "number" && value["appears"] > 0) return `at ${Number(value["appears"].toFixed(2))} s`;
  if (typeof value["time"] === "number") return `at ${Number(value["time"].toFixed(2))} s`;
  const count = isObject(value["array"]) ? value["array"]["count"] : undefined;
  return isList(count) && count.every((n) => typeof n === "number") ? `× ${(count as number[]).reduce((a, b) => a * b, 1)}` : "";
}
