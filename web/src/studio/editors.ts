import type { Json, JsonObject } from "../server/contract";
import { isList, isObject, join } from "../server/pointer";
import { el, icon, iconButton } from "../ui/dom";
import { FieldRow, helpText, type Editor, type PanelContext } from "./field_row";
import { TextInput } from "./inputs";
import { emptyValue, parsedValue, switched } from "./new_values";
import { labelOf, type Field, type FieldType, type RecordType, type VariantType } from "./schema";
import {
  choiceEditor,
  colourEditor,
  numberEditor,
  rawEditor,
  rotationEditor,
  setOptions,
  switchEditor,
  textEditor,
  vectorEditor,
} from "./value_editors";

/** Editors for each kind of field. They show what the document has and send what is changed; they keep no values. */

/** The editor of one field at its place in the document. */
export function editorFor(context: PanelContext, field: Field, pointer: string): Editor {
  const { type } = field;
  switch (type.kind) {
    case "number":
      return numberEditor(context, field, pointer, type);
    case "vector":
      return vectorEditor(context, field, pointer, type);
    case "text":
      return textEditor(context, field, pointer);
    case "switch":
      return switchEditor(context, field, pointer);
    case "choice":
      return choiceEditor(context, field, pointer, type.options);
    case "colour":
      return colourEditor(context, field, pointer);
    case "rotation":
      return rotationEditor(context, field, pointer);
    case "record":
      return groupOf(
        field,
        pointer,
        field.required ? recordEditor(context, type, pointer) : removableRecord(context, field, type, pointer),
      );
    case "variant":
      return variantEditor(context, field, pointer, type);
    case "named":
      return namedEditor(context, field, pointer, type.map, type.record);
    case "textOrRecord":
      return textOrRecordEditor(context, field, pointer, type.record);
    case "switchOrRecord":
      return switchOrRecordEditor(context, field, pointer, type.record);
    case "list":
      return listEditor(context, field, pointer, type.item);
    case "map":
      return mapEditor(context, field, pointer, type.item);
    case "raw":
      return rawEditor(context, field, pointer);
  }
}

// ---- records, and what may be one

/** A part with fields of its own, to be folded. */
function groupOf(field: Field, pointer: string, inner: Editor, open = false): Editor & { readonly element: HTMLDetailsElement } {
  const element = el(
    "details",
    { class: "group", open, "data-pointer": pointer },
    el("summary", { title: field.help }, field.label),
    el("div", { class: "group-body" }, inner.element),
  );
  return { element, update: () => inner.update() };
}

export function recordEditor(context: PanelContext, record: RecordType, pointer: string, only?: readonly string[]): Editor {
  const fields = record.fields.filter((field) => only === undefined || only.includes(field.key));
  const editors = fields.map((field) => editorFor(context, field, join(pointer, field.key)));
  return {
    element: el("div", { class: "record" }, ...editors.map((editor) => editor.element)),
    update: () => editors.forEach((editor) => editor.update()),
  };
}

/** A record that may be absent. If some of its fields must be there, they cannot be reset one by one: all of it goes. */
function removableRecord(context: PanelContext, field: Field, record: RecordType, pointer: string): Editor {
  const inner = recordEditor(context, record, pointer);
  if (!record.fields.some((one) => one.required)) return inner;
  const name = field.label.toLowerCase();
  const remove = el("button", { type: "button", class: "text-button small" }, `Remove ${name}`);
  remove.addEventListener("click", () => context.reset(`Remove ${name}`, pointer));
  return {
    element: el("div", {}, inner.element, remove),
    update: () => {
      inner.update();
      remove.hidden = context.value(pointer) === undefined;
    },
  };
}

/** What is inside changes with the value: it is made anew when `keyOf` says something else. */
function changing(keyOf: () => string | undefined, make: (key: string) => Editor): Editor {
  const element = el("div", { class: "nested" });
  let key: string | undefined;
  let inner: Editor | undefined;
  return {
    element,
    update: () => {
      const now = keyOf();
      if (now !== key) {
        key = now;
        inner = now === undefined ? undefined : make(now);
        element.replaceChildren(...(inner ? [inner.element] : []));
      }
      element.hidden = inner === undefined;
      inner?.update();
    },
  };
}

/** A row with a select, and below it what belongs to the choice. */
function withSelect(
  context: PanelContext,
  field: Field,
  pointer: string,
  parts: { options(): readonly (readonly [string, string])[]; current(): string; choose(value: string): void; extra?: HTMLElement },
  inner: Editor,
): Editor {
  const select = el("select", {});
  select.addEventListener("change", () => parts.choose(select.value));
  const control = el("div", { class: "select-box" }, select, parts.extra);
  const row: FieldRow = new FieldRow(context, field, pointer, control, [select]);
  return {
    element: el("div", { class: "choice-group" }, row.element, inner.element),
    update: () => {
      row.update();
      setOptions(select, parts.options(), parts.current());
      inner.update();
    },
  };
}

function variantEditor(context: PanelContext, field: Field, pointer: string, type: VariantType): Editor {
  const current = (): string => {
    const value = context.value(pointer);
    if (typeof value === "string") return value;
    const tag = isObject(value) ? value[type.tag] : undefined;
    return typeof tag === "string" ? tag : "";
  };
  const choose = (value: string): void => {
    if (value === "") context.reset(`No ${field.label.toLowerCase()}`, pointer);
    else context.set(field.label, pointer, switched(context.value(pointer), type, value));
  };
  // "box" alone becomes {"name": "box"} with the first field that is set
  const within: PanelContext = type.nameAlone ? widened(context, pointer, type.tag) : context;
  const inner = changing(
    () => type.options.find((option) => option.value === current())?.value,
    (value) => recordEditor(within, type.options.find((option) => option.value === value)!.record, pointer),
  );
  const options = (): [string, string][] => {
    const all: [string, string][] = type.options.map((option) => [option.value, labelOf(option.value)]);
    if (!field.required || current() === "") all.unshift(["", absentText(field)]);
    return all;
  };
  return withSelect(context, field, pointer, { options, current, choose }, inner);
}

/** What it means that there is none; the schema says it in the description. */
function absentText(field: Field): string {
  if (field.help.includes("absent: never")) return "Only where a body says how";
  return field.help.startsWith("instead of the material") ? "As its material says" : "None";
}

function widened(context: PanelContext, pointer: string, tag: string): PanelContext {
  const whole = (path: string, value: Json): { pointer: string; value: Json } => {
    const alone = context.value(pointer);
    if (typeof alone !== "string") return { pointer: path, value };
    return { pointer, value: { [tag]: alone, [path.slice(pointer.length + 1)]: value } };
  };
  return {
    ...context,
    value: (path) => context.value(path),
    set: (label, path, value) => {
      const wide = whole(path, value);
      context.set(label, wide.pointer, wide.value);
    },
    drag: (label, path, value) => {
      const wide = whole(path, value);
      context.drag(label, wide.pointer, wide.value);
    },
    reset: (label, path) => context.reset(label, path),
    go: (path) => context.go(path),
  };
}

const OWN = "\u0000own";

function namedEditor(context: PanelContext, field: Field, pointer: string, map: string, record: RecordType): Editor {
  const names = (): string[] => Object.keys((context.value(`/${map}`) as JsonObject | undefined) ?? {});
  const current = (): string => {
    const value = context.value(pointer);
    return typeof value === "string" ? value : isObject(value) ? OWN : "";
  };
  const go = iconButton("link", `Show this ${field.label.toLowerCase()}`, "", () => context.go(join(`/${map}`, current())));
  const options = (): [string, string][] => {
    const all: [string, string][] = [
      ["", "Standard"],
      ...names().map((name): [string, string] => [name, name]),
      [OWN, `Its own ${field.label.toLowerCase()}`],
    ];
    const value = current();
    if (value !== "" && value !== OWN && !names().includes(value)) all.push([value, `${value} (there is none)`]);
    return all;
  };
  const choose = (value: string): void => {
    if (value === "") context.reset(`Standard ${field.label.toLowerCase()}`, pointer);
    else context.set(field.label, pointer, value === OWN ? ((context.value(join(`/${map}`, current())) as Json | undefined) ?? {}) : value);
  };
  const inner = changing(
    () => (current() === OWN ? OWN : undefined),
    () => recordEditor(context, record, pointer),
  );
  const editor = withSelect(context, field, pointer, { options, current, choose, extra: go }, inner);
  return {
    element: editor.element,
    update: () => {
      editor.update();
      go.hidden = current() === "" || current() === OWN;
    },
  };
}

function textOrRecordEditor(context: PanelContext, field: Field, pointer: string, record: RecordType): Editor {
  const first = record.fields[0]?.key ?? "file";
  const simple: Field = { ...field, type: { kind: "text" } };
  const text = textEditor(context, simple, pointer);
  const more = el("button", { type: "button", class: "text-button small" }, "More…");
  more.title = "Scale, axes and the like";
  more.addEventListener("click", () =>
    context.set(`${field.label}: more`, pointer, { [first]: (context.value(pointer) as string | undefined) ?? "" }),
  );
  text.element.querySelector(".field-control")!.append(more);
  const inner = changing(
    () => (isObject(context.value(pointer)) ? "record" : undefined),
    () => groupOf(field, pointer, recordEditor(context, record, pointer), true),
  );
  return {
    element: el("div", { class: "choice-group" }, text.element, inner.element),
    update: () => {
      const value = context.value(pointer);
      text.element.hidden = isObject(value);
      more.hidden = typeof value !== "string";
      text.update();
      inner.update();
    },
  };
}

function switchOrRecordEditor(context: PanelContext, field: Field, pointer: string, record: RecordType): Editor {
  const input = el("input", { type: "checkbox", role: "switch" });
  input.addEventListener("change", () => context.set(field.label, pointer, input.checked ? {} : false));
  const row: FieldRow = new FieldRow(context, field, pointer, el("div", { class: "switch-box" }, input), [input]);
  const on = (): boolean => context.value(pointer) === true || isObject(context.value(pointer));
  const within: PanelContext = {
    ...context,
    value: (path) => context.value(path),
    go: (path) => context.go(path),
    reset: (label, path) => context.reset(label, path),
    drag: (label, path, value) => (isObject(context.value(pointer)) ? context.drag(label, path, value) : within.set(label, path, value)),
    // true becomes a record with the first field that is set
    set: (label, path, value) => {
      if (isObject(context.value(pointer))) context.set(label, path, value);
      else context.set(label, pointer, { [path.slice(pointer.length + 1)]: value });
    },
  };
  const inner = changing(
    () => (on() ? "on" : undefined),
    () => recordEditor(within, record, pointer),
  );
  return {
    element: el("div", { class: "choice-group" }, row.element, inner.element),
    update: () => {
      row.update();
      input.checked = on();
      inner.update();
    },
  };
}

// ---- many of them

function listEditor(context: PanelContext, field: Field, pointer: string, item: FieldType): Editor {
  const list = (): readonly Json[] => {
    const value = context.value(pointer);
    return isList(value) ? value : [];
  };
  const set = (label: string, value: readonly Json[]): void => context.set(label, pointer, value);
  const name = field.label.toLowerCase();
  const add = el("button", { type: "button", class: "text-button small" }, icon("add"), `Add to ${name}`);
  add.addEventListener("click", () => set(`Add to ${name}`, [...list(), list().at(-1) ?? emptyValue(item)]));
  const member = (i: number): Editor => {
    const label = `${singular(field.label)} ${i + 1}`;
    const one: Field = {
      key: String(i),
      label,
      help: field.help,
      type: item,
      required: true,
      default: undefined,
      parameter: field.parameter,
    };
    const editor = editorFor(context, one, join(pointer, i));
    const move = (to: number): void => {
      const next = [...list()];
      next.splice(to, 0, ...next.splice(i, 1));
      set(`Move in ${name}`, next);
    };
    const up = iconButton("up", `Move ${label} up`, "", () => move(i - 1));
    const down = iconButton("down", `Move ${label} down`, "", () => move(i + 1));
    const remove = iconButton("remove", `Remove ${label}`, "", () =>
      set(
        `Remove from ${name}`,
        list().filter((_, k) => k !== i),
      ),
    );
    up.disabled = i === 0;
    down.disabled = i === list().length - 1;
    const element = el("div", { class: "list-member" }, editor.element, el("div", { class: "list-tools" }, up, down, remove));
    return { element, update: () => editor.update() };
  };
  const members = changing(
    () => (list().length > 0 ? String(list().length) : undefined),
    (count) => {
      const editors = Array.from({ length: Number(count) }, (_, i) => member(i));
      return { element: el("div", {}, ...editors.map((one) => one.element)), update: () => editors.forEach((one) => one.update()) };
    },
  );
  const inner: Editor = { element: el("div", {}, members.element, add), update: () => members.update() };
  const group = groupOf(field, pointer, inner);
  return { element: group.element, update: () => group.update() };
}

function singular(label: string): string {
  return label.endsWith("ies") ? `${label.slice(0, -3)}y` : label.endsWith("s") ? label.slice(0, -1) : label;
}

/** Names and values: parameters, which may be of any type. */
function mapEditor(context: PanelContext, field: Field, pointer: string, item: FieldType): Editor {
  const map = (): JsonObject => {
    const value = context.value(pointer);
    return isObject(value) ? value : {};
  };
  const single = singular(field.label).toLowerCase();
  const add = el("button", { type: "button", class: "text-button small" }, icon("add"), `Add a ${single}`);
  add.addEventListener("click", () => {
    let name = single;
    for (let n = 2; name in map(); ++n) name = `${single}_${n}`;
    context.set(`Add ${single}`, join(pointer, name), item.kind === "raw" ? 1 : emptyValue(item));
  });
  const member = (key: string): Editor => {
    const at = join(pointer, key);
    const name = new TextInput(
      {
        commit: (text) => {
          const renamed = Object.fromEntries(Object.entries(map()).map(([one, value]) => [one === key ? text.trim() : one, value]));
          if (text.trim() !== "" && !(text.trim() in map())) context.set(`Rename ${single}`, pointer, renamed);
        },
        restore: () => undefined,
      },
      { "aria-label": `Name of ${single} ${key}`, class: "map-name" },
    );
    const value = new TextInput(
      { commit: (text) => context.set(`${labelOf(single)} ${key}`, at, parsedValue(text)), restore: () => context.store.forgetRefused() },
      { "aria-label": `Value of ${key}`, class: "map-value" },
    );
    const remove = iconButton("remove", `Remove ${key}`, "", () => context.reset(`Remove ${single} ${key}`, at));
    const element = el(
      "div",
      { class: "map-member", "data-pointer": at, "data-search": key.toLowerCase() },
      name.element,
      value.element,
      remove,
    );
    return {
      element,
      update: () => {
        name.show(key, "", false);
        const now = context.value(at);
        value.show(typeof now === "string" ? now : JSON.stringify(now ?? null), "", false);
      },
    };
  };
  const members = changing(
    () => (Object.keys(map()).length > 0 ? JSON.stringify(Object.keys(map())) : undefined),
    (keys) => {
      const editors = (JSON.parse(keys) as string[]).map(member);
      return { element: el("div", {}, ...editors.map((one) => one.element)), update: () => editors.forEach((one) => one.update()) };
    },
  );
  const hint = el("p", { class: "hint" }, helpText(field));
  return { element: el("div", { class: "map" }, hint, members.element, add), update: () => members.update() };
}
