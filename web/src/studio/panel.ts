import { plural } from "../core/format";
import type { Json, Operation } from "../server/contract";
import { isObject, isWithin, join, keysOf, lastKey, parentOf, removePatch, setPatch, valueAt } from "../server/pointer";
import { el, icon, iconButton, section } from "../ui/dom";
import { editorFor, recordEditor } from "./editors";
import { issueText, type Editor, type PanelContext } from "./field_row";
import { TextInput } from "./inputs";
import { sectionsOf } from "./layout";
import type { FieldType, RecordType, SceneSchema } from "./schema";
import type { Store } from "./store";

export interface PanelActions {
  select(pointers: readonly string[]): void;
  /** Errors that no field shows. */
  complain(error: unknown): void;
  announce(text: string): void;
  renamed(from: string, to: string): void;
}

/** The type of what a pointer leads to. */
export function typeAt(schema: SceneSchema, pointer: string, document: Json): FieldType | undefined {
  let type: FieldType | undefined = schema.root;
  let at = "";
  for (const key of keysOf(pointer)) {
    at = join(at, key);
    if (type.kind === "record") type = type.fields.find((field) => field.key === key)?.type;
    else if (type.kind === "list" || type.kind === "map") type = type.item;
    else return undefined;
    if (!type) return undefined;
  }
  if (type.kind !== "variant") return type;
  const value = valueAt(document, pointer);
  const tag = isObject(value) ? value[type.tag] : undefined;
  return type.options.find((option) => option.value === tag)?.record;
}

/** The fields of what is selected, made from the schema. */
export class PropertyPanel {
  readonly element: HTMLElement;
  private readonly title = el("h2", { class: "panel-title" });
  private readonly kind = el("span", { class: "panel-kind" });
  private readonly body = el("div", { class: "panel-body" });
  private readonly top = el("div", { class: "panel-top" });
  private readonly search = el("input", { type: "search", placeholder: "Find a property", "aria-label": "Find a property" });
  private readonly none = el("p", { class: "hint panel-none", hidden: true }, "No property here has that in its name or description.");
  private readonly problems = el("ul", { class: "panel-problems", hidden: true });
  private readonly open = new Map<string, boolean>(); // sections, by record and title
  private editors: Editor[] = [];
  private pointers: readonly string[] = [""];
  private shownType: FieldType | undefined;
  private rename: Editor | undefined;

  constructor(
    private readonly store: Store,
    private readonly schema: SceneSchema,
    private readonly actions: PanelActions,
  ) {
    this.search.addEventListener("input", () => this.filter());
    this.search.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.search.value === "") return;
      event.stopPropagation();
      this.search.value = "";
      this.filter();
    });
    this.element = el(
      "div",
      { class: "properties" },
      el(
        "div",
        { class: "panel-head" },
        el("div", { class: "panel-names" }, this.title, this.kind),
        el("div", { class: "search-box" }, icon("search"), this.search),
      ),
      this.top,
      this.problems,
      this.none,
      this.body,
    );
  }

  /** A place above the fields, for what belongs to the take and not to the scene. */
  setTop(element: HTMLElement | undefined): void {
    this.top.replaceChildren(...(element ? [element] : []));
  }

  /** What is shown now: the first of them, and edits go to all. */
  show(pointers: readonly string[]): void {
    const there = pointers.filter((pointer) => valueAt(this.store.document, pointer) !== undefined || pointer === "");
    this.pointers = there.length > 0 ? there : [""];
    const type = typeAt(this.schema, this.pointers[0]!, this.store.document);
    this.rebuild(type);
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }

  focusName(): void {
    const input = this.body.querySelector<HTMLInputElement>('[data-pointer$="/name"] input, .rename input');
    input?.focus();
    input?.select();
  }

  /** Brings a field into view and puts the focus there. */
  reveal(pointer: string): void {
    const rows = [...this.body.querySelectorAll<HTMLElement>("[data-pointer]")].filter((row) => isWithin(pointer, row.dataset["pointer"]!));
    const row = rows.at(-1);
    if (!row) return;
    for (let at: HTMLElement | null = row; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
    row.scrollIntoView({ block: "center" });
    row.querySelector<HTMLElement>("input, select")?.focus();
  }

  update(): void {
    const first = this.pointers[0]!;
    const gone = first !== "" && valueAt(this.store.document, first) === undefined;
    const type = gone ? undefined : typeAt(this.schema, first, this.store.document);
    if (gone) {
      this.show([""]);
      return;
    }
    if (type !== this.shownType) this.rebuild(type);
    this.refreshHead();
    this.rename?.update();
    for (const editor of this.editors) editor.update();
    this.refreshProblems();
  }

  private get context(): PanelContext {
    const { store, schema } = this;
    return {
      store,
      schema,
      value: (pointer) => valueAt(store.document, pointer),
      set: (label, pointer, value) => this.send(this.labelled(label), (path) => setPatch(store.document, path, value), pointer),
      reset: (label, pointer) => this.send(this.labelled(label), (path) => removePatch(store.document, path), pointer),
      drag: (label, pointer, value) => this.drag(this.labelled(label), pointer, value),
      go: (pointer) => this.actions.select([pointer]),
    };
  }

  private labelled(label: string): string {
    const many = this.pointers.length > 1 ? plural(this.pointers.length, "thing") : nameOf(this.store.document, this.pointers[0]!);
    return many === "" ? label : `${label} of ${many}`;
  }

  /** The same place in everything that is selected. */
  private places(pointer: string): string[] {
    const first = this.pointers[0]!;
    return this.pointers.length === 1 || !isWithin(pointer, first)
      ? [pointer]
      : this.pointers.map((one) => one + pointer.slice(first.length));
  }

  private send(label: string, patchOf: (pointer: string) => readonly Operation[], pointer: string): void {
    const patch = this.places(pointer).flatMap((path) => patchOf(path));
    this.store.edit(label, patch).catch((error: unknown) => {
      const shown = this.store.refused.some((issue) => isWithin(issue.pointer, pointer));
      if (shown) this.actions.announce(issueText(this.store.refused[0]!));
      else this.actions.complain(error);
    });
  }

  private drag(label: string, pointer: string, value: Json): void {
    const places = this.places(pointer);
    const refused = places.length === 1 ? undefined : this.actions.complain; // of one thing its field shows it
    void this.store.drag(
      label,
      (document) => places.flatMap((path) => setPatch(document, path, value)),
      `drag ${places.join(" ")}`,
      refused,
    );
  }

  private rebuild(type: FieldType | undefined): void {
    this.shownType = type;
    const first = this.pointers[0]!;
    const record: RecordType | undefined = type?.kind === "record" ? type : undefined;
    this.rename = this.renameEditor(first);
    this.editors = [];
    const sections = record ? sectionsOf(record, record.help.replace(/\.$/, "")) : [];
    const elements = sections.map(({ title, keys, open }) => {
      const editor = this.sectionEditor(record!, keys, first);
      this.editors.push(editor);
      const memory = `${record!.name}/${title}`;
      const element = section(title, this.open.get(memory) ?? open, editor.element);
      element.addEventListener("toggle", () => {
        if (this.search.value === "") this.open.set(memory, element.open);
      });
      return element;
    });
    this.body.replaceChildren(...(this.rename ? [this.rename.element] : []), ...elements);
    if (first === "")
      this.body.append(el("p", { class: "hint panel-note" }, "Select something in the tree or on the stage to see its properties."));
    this.update();
    this.filter();
  }

  /** A part that is a record of its own (world, view, …) is shown by its fields. */
  private sectionEditor(record: RecordType, keys: readonly string[], pointer: string): Editor {
    const only = keys.length === 1 ? record.fields.find((field) => field.key === keys[0]) : undefined;
    if (only?.type.kind === "record" && record.name === "scene") return recordEditor(this.context, only.type, join(pointer, only.key));
    if (only?.type.kind === "record") return optionalRecord(this.context, only.key, only.label, only.type, join(pointer, only.key));
    const editors = record.fields.filter((field) => keys.includes(field.key)).sort((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
    const made = editors.map((field) =>
      field.key === "strength_paint"
        ? paintRow(this.context, join(pointer, field.key))
        : editorFor(this.context, field, join(pointer, field.key)),
    );
    return {
      element: el("div", { class: "record" }, ...made.map((one) => one.element)),
      update: () => made.forEach((one) => one.update()),
    };
  }

  /** Materials and groups are called by their key. */
  private renameEditor(pointer: string): Editor | undefined {
    const map = keysOf(pointer);
    if (map.length !== 2 || !["materials", "groups"].includes(map[0]!)) return undefined;
    const key = lastKey(pointer);
    const input = new TextInput(
      { commit: (text) => this.renameKey(pointer, text.trim()), restore: () => undefined },
      { id: "rename", "aria-label": "Name" },
    );
    const element = el(
      "div",
      { class: "field rename" },
      el("label", { class: "field-label", for: "rename" }, "Name"),
      el("div", { class: "field-control" }, input.element),
    );
    return { element, update: () => input.show(key, "", false) };
  }

  private renameKey(pointer: string, name: string): void {
    const map = parentOf(pointer);
    const to = join(map, name);
    if (name === "" || to === pointer) return this.update();
    if (valueAt(this.store.document, to) !== undefined) return this.actions.complain(new Error(`There is one called “${name}” already.`));
    const before = lastKey(pointer);
    const word = map === "/materials" ? "material" : "group";
    const patch: Operation[] = [
      { op: "move", from: pointer, path: to },
      ...references(this.store.document, word, before).map(
        (path): Operation => ({ op: "replace", path: moved(path, pointer, to), value: name }),
      ),
    ];
    this.store.edit(`Rename ${word} ${before}`, patch).then(() => this.actions.renamed(pointer, to), this.actions.complain);
  }

  private refreshHead(): void {
    const first = this.pointers[0]!;
    const many = this.pointers.length > 1;
    this.title.textContent = many ? plural(this.pointers.length, "selected thing") : nameOf(this.store.document, first) || "Scene";
    this.kind.textContent = many ? "edits go to all of them" : kindOf(first);
  }

  /** Mistakes of the document that the shown fields do not show. */
  private refreshProblems(): void {
    const elsewhere = this.store.issues.filter(
      (issue) => !this.pointers.some((pointer) => pointer !== "" && isWithin(issue.pointer, pointer)),
    );
    this.problems.hidden = elsewhere.length === 0;
    this.problems.replaceChildren(
      ...elsewhere.slice(0, 5).map((issue) => {
        const button = el("button", { type: "button", class: `problem ${issue.severity}`, title: issue.pointer }, issueText(issue));
        button.addEventListener("click", () => {
          this.actions.select([ownerOf(issue.pointer)]);
          this.reveal(issue.pointer);
        });
        return el("li", {}, button);
      }),
    );
  }

  private filter(): void {
    const wanted = this.search.value.trim().toLowerCase();
    this.element.classList.toggle("searching", wanted !== "");
    let found = false;
    for (const row of this.body.querySelectorAll<HTMLElement>("[data-search]")) {
      const fits = wanted === "" || row.dataset["search"]!.includes(wanted);
      row.classList.toggle("filtered", !fits);
      found ||= fits;
    }
    for (const part of this.body.querySelectorAll<HTMLDetailsElement>("details")) {
      const fits = wanted === "" || part.querySelector("[data-search]:not(.filtered)") !== null;
      part.classList.toggle("filtered", !fits);
      if (wanted !== "" && fits) part.open = true;
    }
    this.none.hidden = found || wanted === "";
  }
}

/** A record that may be absent: many of them, collision. */
function optionalRecord(context: PanelContext, key: string, label: string, record: RecordType, pointer: string): Editor {
  const add = el("button", { type: "button", class: "text-button small" }, icon("add"), `Add ${label.toLowerCase()}`);
  add.addEventListener("click", () => context.set(`Add ${label.toLowerCase()}`, pointer, key === "array" ? { count: [2, 1, 1] } : {}));
  const remove = el("button", { type: "button", class: "text-button small" }, `Remove ${label.toLowerCase()}`);
  remove.addEventListener("click", () => context.reset(`Remove ${label.toLowerCase()}`, pointer));
  const host = el("div", {});
  let shown: boolean | undefined;
  let inner: Editor | undefined;
  const required = record.fields.some((field) => field.required);
  return {
    element: host,
    update: () => {
      const there = context.value(pointer) !== undefined || !required; // without required fields, defaults can be shown at once
      if (there !== shown) {
        shown = there;
        inner = there ? recordEditor(context, record, pointer) : undefined;
        host.replaceChildren(
          ...(inner ? [inner.element] : [el("p", { class: "hint" }, record.help), add]),
          ...(inner && required ? [remove] : []),
        );
      }
      inner?.update();
    },
  };
}

/** Painted with the brush; here it is seen and taken away. */
function paintRow(context: PanelContext, pointer: string): Editor {
  const text = el("span", { class: "field-text" });
  const clear = iconButton("remove", "Remove the paint", "", () => context.reset("Remove the paint", pointer));
  const element = el(
    "div",
    { class: "field", "data-pointer": pointer, "data-search": "strength paint brush painted" },
    el(
      "span",
      { class: "field-label", title: "Percent of the material's strength, vertex by vertex. Paint it with the brush (P)." },
      "Painted strength",
    ),
    el("div", { class: "field-control paint-box" }, text, clear),
  );
  return {
    element,
    update: () => {
      const value = context.value(pointer);
      const vertices = isObject(value) && typeof value["vertices"] === "number" ? value["vertices"] : 0;
      text.textContent = isObject(value) ? `on ${plural(vertices, "vertex", "vertices")}` : "none; the brush (P) paints it";
      clear.hidden = !isObject(value);
    },
  };
}

/** The thing of the tree that a pointer lies in. */
export function ownerOf(pointer: string): string {
  const keys = keysOf(pointer);
  if (keys[0] === "groups" && keys.length >= 4) return join("", ...keys.slice(0, 4));
  return ["bodies", "instances", "materials", "groups", "fields", "explosions", "actions"].includes(keys[0] ?? "") && keys.length >= 2
    ? join("", ...keys.slice(0, 2))
    : "";
}

const KINDS: Readonly<Record<string, string>> = {
  bodies: "body",
  instances: "instance of a group",
  materials: "material",
  groups: "group",
  fields: "force",
  explosions: "blast",
  actions: "action",
};

export function kindOf(pointer: string): string {
  return KINDS[keysOf(pointer).at(-2) ?? ""] ?? "";
}

/** What a part of the scene is called. */
export function nameOf(document: Json, pointer: string): string {
  if (pointer === "") {
    const title = valueAt(document, "/title");
    return typeof title === "string" ? title : "";
  }
  const value = valueAt(document, pointer);
  if (isObject(value) && typeof value["name"] === "string") return value["name"];
  const key = lastKey(pointer);
  if (!/^\d+$/.test(key)) return key;
  const kind = kindOf(pointer);
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${Number(key) + 1}`;
}

/** Where a scene speaks of a material or group by its name. */
export function references(document: Json, key: string, name: string, at = ""): string[] {
  if (Array.isArray(document)) return document.flatMap((value: Json, i) => references(value, key, name, join(at, i)));
  if (!isObject(document)) return [];
  return Object.entries(document).flatMap(([one, value]) =>
    one === key && value === name ? [join(at, one)] : references(value, key, name, join(at, one)),
  );
}

function moved(path: string, from: string, to: string): string {
  return isWithin(path, from) ? to + path.slice(from.length) : path;
}
