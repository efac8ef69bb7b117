import { el, icon, iconButton } from "../ui/dom";
import type { Json, JsonObject } from "./contract";
import { FieldRow, helpText, type Editor, type PanelContext } from "./field_row";
import { hexOf, NumberInput, TextInput } from "./inputs";
import { isList, isObject, join } from "./pointer";
import { formOf, quaternionOf, written, type RotationForm } from "./rotations";
import { labelOf, type Field, type FieldType, type NumberType, type RecordType, type VariantType, type VectorType } from "./schema";

/** Editors for each kind of field. They show what the document has and send what is changed; they keep no values. */

const AXES = ["x", "y", "z"];
const QUATERNION = ["w", "x", "y", "z"];

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
      return groupOf(field, pointer, recordEditor(context, type, pointer));
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

// ---- single values

function numberActions(context: PanelContext, field: Field, pointer: string, row: () => FieldRow) {
  return {
    commit: (value: Json) => {
      row().forgive();
      context.set(field.label, pointer, value);
    },
    drag: (value: number) => context.drag(field.label, pointer, value),
    clear: () => context.reset(`Reset ${field.label.toLowerCase()}`, pointer),
    refuse: (text: string) => row().refuse(notANumber(text, field)),
    restore: () => row().forgive(),
  };
}

function notANumber(text: string, field: Field): string {
  const parameter = field.parameter ? ", or $ and the name of a parameter" : "";
  return `“${text}” is no number. Type one, or a sum like 2*0.3${parameter}.`;
}

/** The number that stands for "$name" now, for the reader. */
function resolved(context: PanelContext, value: Json | undefined): string {
  const name = typeof value === "string" && value.startsWith("$") ? value.slice(1) : isObject(value) ? value["$"] : undefined;
  if (typeof name !== "string") return "";
  const found = context.value(join("/parameters", name));
  return found === undefined ? "not defined" : `= ${typeof found === "string" ? found : JSON.stringify(found)}`;
}

/** "$name", also when it is written as {"$": "name"}. */
function parameterName(value: Json | undefined): Json | undefined {
  return isObject(value) && typeof value["$"] === "string" ? `$${value["$"]}` : value;
}

function numberEditor(context: PanelContext, field: Field, pointer: string, type: NumberType): Editor {
  const input = new NumberInput(type, field.parameter, numberActions(context, field, pointer, () => row));
  const suffix = el("span", { class: "unit" }, type.unit);
  const row: FieldRow = new FieldRow(context, field, pointer, el("div", { class: "number-box" }, input.element, suffix), [input.element]);
  return {
    element: row.element,
    update: () => {
      row.update();
      const value = parameterName(context.value(pointer));
      input.show(value, field.default, row.wrong);
      suffix.textContent = resolved(context, value) || type.unit;
    },
  };
}

function vectorEditor(context: PanelContext, field: Field, pointer: string, type: VectorType): Editor {
  const whole = (): Json[] => {
    const value = context.value(pointer) ?? field.default;
    if (isList(value)) return [...value];
    return Array.from({ length: type.length }, () => (type.orNumber && typeof value === "number" ? value : 0));
  };
  const changed = (i: number, part: Json): Json[] => whole().map((before, k) => (k === i ? part : before));
  const names = type.length === 4 ? QUATERNION : AXES;
  const inputs = Array.from({ length: type.length }, (_, i) => {
    const actions = {
      ...numberActions(context, field, pointer, () => row),
      commit: (value: Json) => {
        row.forgive();
        context.set(field.label, pointer, changed(i, value));
      },
      drag: (value: number) => context.drag(field.label, pointer, changed(i, value)),
      clear: () => {
        const standard = isList(field.default) ? (field.default[i] ?? 0) : 0;
        context.set(field.label, pointer, changed(i, standard));
      },
    };
    return new NumberInput(type.item, field.parameter, actions, { "aria-label": `${field.label} ${names[i]}` });
  });
  const boxes = inputs.map((input, i) => el("span", { class: `axis axis-${names[i]}` }, el("span", { class: "axis-name", "aria-hidden": "true" }, names[i]!), input.element));
  const control = el("div", { class: "vector" }, ...boxes);
  const row: FieldRow = new FieldRow(context, field, pointer, control, inputs.map((input) => input.element));
  return {
    element: row.element,
    update: () => {
      row.update();
      const value = parameterName(context.value(pointer));
      inputs.forEach((input, i) => {
        const standard = isList(field.default) ? field.default[i] : undefined;
        const part = isList(value) ? parameterName(value[i]) : typeof value === "string" || typeof value === "number" ? value : undefined;
        input.show(part, standard, row.wrong);
      });
    },
  };
}

function textEditor(context: PanelContext, field: Field, pointer: string): Editor {
  const input = new TextInput({
    commit: (text) => {
      row.forgive();
      if (text === "" && !field.required) context.reset(`Reset ${field.label.toLowerCase()}`, pointer);
      else context.set(field.label, pointer, text);
    },
    restore: () => row.forgive(),
  });
  const row: FieldRow = new FieldRow(context, field, pointer, input.element, [input.element]);
  return {
    element: row.element,
    update: () => {
      row.update();
      const value = context.value(pointer);
      input.show(typeof value === "string" ? value : "", typeof field.default === "string" && field.default !== "" ? field.default : "–", row.wrong);
    },
  };
}

function switchEditor(context: PanelContext, field: Field, pointer: string): Editor {
  const input = el("input", { type: "checkbox", role: "switch" });
  input.addEventListener("change", () => context.set(field.label, pointer, input.checked));
  const note = el("span", { class: "unit" });
  const row: FieldRow = new FieldRow(context, field, pointer, el("div", { class: "switch-box" }, input, note), [input]);
  return {
    element: row.element,
    update: () => {
      row.update();
      const value = context.value(pointer);
      note.textContent = typeof value === "string" || isObject(value) ? `${String(parameterName(value))} ${resolved(context, value)}` : "";
      input.checked = (typeof value === "boolean" ? value : field.default) === true;
    },
  };
}

function choiceEditor(context: PanelContext, field: Field, pointer: string, options: readonly string[]): Editor {
  const select = el("select", {});
  const row: FieldRow = new FieldRow(context, field, pointer, select, [select]);
  select.addEventListener("change", () => {
    if (select.value === "") context.reset(`Reset ${field.label.toLowerCase()}`, pointer);
    else context.set(field.label, pointer, select.value);
  });
  return {
    element: row.element,
    update: () => {
      row.update();
      const value = parameterName(context.value(pointer));
      const shown: [string, string][] = options.map((option) => [option, labelOf(option)]);
      if (!field.required) shown.unshift(["", `${labelOf(String(field.default ?? "none"))} (default)`]);
      if (typeof value === "string" && !options.includes(value)) shown.push([value, `${value} ${resolved(context, value)}`]);
      setOptions(select, shown, typeof value === "string" ? value : "");
    },
  };
}

function setOptions(select: HTMLSelectElement, options: readonly (readonly [string, string])[], value: string): void {
  const text = JSON.stringify(options);
  if (select.dataset["options"] !== text) {
    select.dataset["options"] = text;
    select.replaceChildren(...options.map(([key, label]) => el("option", { value: key }, label)));
  }
  select.value = value;
}

function colourEditor(context: PanelContext, field: Field, pointer: string): Editor {
  const well = el("input", { type: "color", "aria-label": `${field.label}: choose` });
  const text = new TextInput(
    {
      commit: (typed) => {
        row.forgive();
        if (typed.trim() === "") context.reset(`Reset ${field.label.toLowerCase()}`, pointer);
        else context.set(field.label, pointer, typed.trim());
      },
      restore: () => row.forgive(),
    },
    { "aria-label": field.label, class: "colour-text" },
  );
  well.addEventListener("input", () => context.drag(field.label, pointer, well.value));
  const control = el("div", { class: "colour-box" }, well, text.element);
  const row: FieldRow = new FieldRow(context, field, pointer, control, [text.element, well]);
  return {
    element: row.element,
    update: () => {
      row.update();
      const value = context.value(pointer);
      const hex = hexOf(value);
      well.value = hex ?? "#808080";
      well.classList.toggle("unset", hex === undefined);
      text.show(typeof value === "string" ? value : (hex ?? ""), "the look’s own", row.wrong);
    },
  };
}

const FORMS: readonly (readonly [RotationForm, string])[] = [
  ["angles", "Angles about x, y, z"],
  ["axis", "Axis and angle"],
  ["quaternion", "Quaternion"],
];

function rotationEditor(context: PanelContext, field: Field, pointer: string): Editor {
  const form = el("select", { class: "rotation-form", "aria-label": `${field.label}: how it is written` });
  form.append(...FORMS.map(([value, label]) => el("option", { value }, label)));
  form.addEventListener("change", () => {
    const q = quaternionOf(context.value(pointer));
    if (q) context.set(`${field.label} as ${form.value}`, pointer, written(q, form.value as RotationForm));
  });
  const number = (unit: string): NumberType => ({ kind: "number", integer: false, minimum: -Infinity, maximum: Infinity, openBelow: false, unit });
  const vector = (length: number, unit: string): VectorType => ({ kind: "vector", length, item: number(unit), orNumber: false });
  const part = (key: string, label: string, type: FieldType, standard: Json): Field => ({ ...field, key, label, type, default: standard, required: true });
  const angles = vectorEditor(context, { ...field, type: vector(3, "°"), help: `${field.help}; about the fixed x, then y, then z axis` }, pointer, vector(3, "°"));
  const others: Record<string, Editor[]> = {
    axis: [
      editorFor(context, part("axis", "Axis", vector(3, ""), [0, 1, 0]), join(pointer, "axis")),
      editorFor(context, part("degrees", "Angle", number("°"), 0), join(pointer, "degrees")),
    ],
    quaternion: [editorFor(context, part("quaternion", field.label, vector(4, ""), [1, 0, 0, 0]), join(pointer, "quaternion"))],
  };
  const host = el("div", { class: "rotation" }, angles.element, ...others["axis"]!.map((one) => one.element), ...others["quaternion"]!.map((one) => one.element));
  angles.element.querySelector(".field-control")!.append(form);
  return {
    element: host,
    update: () => {
      const now = formOf(context.value(pointer));
      form.value = now;
      angles.update();
      host.dataset["form"] = now;
      for (const [name, editors] of Object.entries(others)) {
        for (const one of editors) {
          one.element.hidden = name !== now;
          if (name === now) one.update();
        }
      }
    },
  };
}

function rawEditor(context: PanelContext, field: Field, pointer: string): Editor {
  const input = new TextInput({
    commit: (text) => {
      try {
        const value = JSON.parse(text) as Json;
        row.forgive();
        context.set(field.label, pointer, value);
      } catch {
        row.refuse("This is no JSON. Lists are [1, 2], texts are in double quotes.");
      }
    },
    restore: () => row.forgive(),
  });
  const row: FieldRow = new FieldRow(context, field, pointer, input.element, [input.element]);
  return {
    element: row.element,
    update: () => {
      row.update();
      const value = context.value(pointer);
      input.show(value === undefined ? "" : JSON.stringify(value), "none", row.wrong);
    },
  };
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
  if (field.help.includes("absent: never")) return "Never breaks";
  return field.help.startsWith("instead of the material") ? "As its material says" : "None";
}

/** Another kind keeps the fields that both have. */
export function switched(before: Json | undefined, type: VariantType, value: string): Json {
  const record = type.options.find((option) => option.value === value)?.record;
  const kept = isObject(before) ? Object.entries(before).filter(([key]) => record?.fields.some((field) => field.key === key)) : [];
  const required = record ? Object.entries(requiredParts(record)) : [];
  return { [type.tag]: value, ...Object.fromEntries([...required, ...kept]) };
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
    const all: [string, string][] = [["", "Standard"], ...names().map((name): [string, string] => [name, name]), [OWN, `Its own ${field.label.toLowerCase()}`]];
    const value = current();
    if (value !== "" && value !== OWN && !names().includes(value)) all.push([value, `${value} (there is none)`]);
    return all;
  };
  const choose = (value: string): void => {
    if (value === "") context.reset(`Standard ${field.label.toLowerCase()}`, pointer);
    else context.set(field.label, pointer, value === OWN ? ((context.value(join(`/${map}`, current())) as Json | undefined) ?? {}) : value);
  };
  const inner = changing(() => (current() === OWN ? OWN : undefined), () => recordEditor(context, record, pointer));
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
  more.addEventListener("click", () => context.set(`${field.label}: more`, pointer, { [first]: (context.value(pointer) as string | undefined) ?? "" }));
  text.element.querySelector(".field-control")!.append(more);
  const inner = changing(() => (isObject(context.value(pointer)) ? "record" : undefined), () => groupOf(field, pointer, recordEditor(context, record, pointer), true));
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
  const inner = changing(() => (on() ? "on" : undefined), () => recordEditor(within, record, pointer));
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

/** What a new member is: as little as it must be. */
export function emptyValue(type: FieldType): Json {
  switch (type.kind) {
    case "number":
      return Math.max(0, type.minimum) + (type.openBelow && type.minimum >= 0 ? 1 : 0);
    case "vector":
      return Array.from({ length: type.length }, () => emptyValue(type.item));
    case "switch":
      return false;
    case "choice":
      return type.options[0] ?? "";
    case "variant":
      return switched(undefined, type, type.options[0]?.value ?? "");
    case "record":
      return requiredParts(type);
    case "list":
      return Array.from({ length: type.least }, () => emptyValue(type.item));
    case "map":
    case "raw":
      return {};
    default:
      return "";
  }
}

function requiredParts(record: RecordType): JsonObject {
  return Object.fromEntries(record.fields.filter((field) => field.required).map((field) => [field.key, emptyValue(field.type)]));
}

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
    const one: Field = { key: String(i), label, help: field.help, type: item, required: true, default: undefined, parameter: field.parameter };
    const editor = editorFor(context, one, join(pointer, i));
    const move = (to: number): void => {
      const next = [...list()];
      next.splice(to, 0, ...next.splice(i, 1));
      set(`Move in ${name}`, next);
    };
    const up = iconButton("up", `Move ${label} up`, "", () => move(i - 1));
    const down = iconButton("down", `Move ${label} down`, "", () => move(i + 1));
    const remove = iconButton("remove", `Remove ${label}`, "", () => set(`Remove from ${name}`, list().filter((_, k) => k !== i)));
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
    const element = el("div", { class: "map-member", "data-pointer": at, "data-search": key.toLowerCase() }, name.element, value.element, remove);
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

/** 3, true, [1, 2] are what they are; anything else is text. */
export function parsedValue(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) || value === null ? text : value;
  } catch {
    return text;
  }
}

