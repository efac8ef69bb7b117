import type { Json } from "../server/contract";
import { isList, isObject, join } from "../server/pointer";
import { formOf, quaternionOf, written, type RotationForm } from "../server/rotations";
import { el } from "../ui/dom";
import { FieldRow, type Editor, type PanelContext } from "./field_row";
import { hexOf, NumberInput, TextInput } from "./inputs";
import { labelOf, type Field, type FieldType, type NumberType, type VectorType } from "./schema";

/** Editors of single values. They show what the document has and send what is changed; they keep no values. */

const AXES = ["x", "y", "z"];
const QUATERNION = ["w", "x", "y", "z"];

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

/** What counts while the field is absent. */
function standardOf(context: PanelContext, field: Field, pointer: string): Json | undefined {
  const base = context.value(`${pointer.slice(0, pointer.lastIndexOf("/"))}/base`);
  return base === undefined ? field.default : context.schema.standard(field, base);
}

export function numberEditor(context: PanelContext, field: Field, pointer: string, type: NumberType): Editor {
  const input = new NumberInput(
    type,
    field.parameter,
    numberActions(context, field, pointer, () => row),
  );
  const suffix = el("span", { class: "unit" }, type.unit);
  const row: FieldRow = new FieldRow(context, field, pointer, el("div", { class: "number-box" }, input.element, suffix), [input.element]);
  return {
    element: row.element,
    update: () => {
      row.update();
      const value = parameterName(context.value(pointer));
      input.show(value, standardOf(context, field, pointer), row.wrong);
      suffix.textContent = resolved(context, value) || type.unit;
    },
  };
}

export function vectorEditor(context: PanelContext, field: Field, pointer: string, type: VectorType): Editor {
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
  const boxes = inputs.map((input, i) =>
    el("span", { class: `axis axis-${names[i]}` }, el("span", { class: "axis-name", "aria-hidden": "true" }, names[i]!), input.element),
  );
  const control = el("div", { class: "vector" }, ...boxes);
  const row: FieldRow = new FieldRow(
    context,
    field,
    pointer,
    control,
    inputs.map((input) => input.element),
  );
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

/** One line of text: what becomes of what is typed, and how a value is written. */
function lineEditor(
  context: PanelContext,
  field: Field,
  pointer: string,
  commit: (text: string, row: FieldRow) => void,
  shown: (value: Json | undefined) => { text: string; absent: string },
): Editor {
  const input = new TextInput({ commit: (text) => commit(text, row), restore: () => row.forgive() });
  const row: FieldRow = new FieldRow(context, field, pointer, input.element, [input.element]);
  return {
    element: row.element,
    update: () => {
      row.update();
      const { text, absent } = shown(context.value(pointer));
      input.show(text, absent, row.wrong);
    },
  };
}

export function textEditor(context: PanelContext, field: Field, pointer: string): Editor {
  const commit = (text: string, row: FieldRow): void => {
    row.forgive();
    if (text === "" && !field.required) context.reset(`Reset ${field.label.toLowerCase()}`, pointer);
    else context.set(field.label, pointer, text);
  };
  const absent = typeof field.default === "string" && field.default !== "" ? field.default : "–";
  return lineEditor(context, field, pointer, commit, (value) => ({ text: typeof value === "string" ? value : "", absent }));
}

export function switchEditor(context: PanelContext, field: Field, pointer: string): Editor {
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

export function choiceEditor(context: PanelContext, field: Field, pointer: string, options: readonly string[]): Editor {
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
      if (!field.required) shown.unshift(["", `${labelOf(String(standardOf(context, field, pointer) ?? "none"))} (default)`]);
      if (typeof value === "string" && !options.includes(value)) shown.push([value, `${value} ${resolved(context, value)}`]);
      setOptions(select, shown, typeof value === "string" ? value : "");
    },
  };
}

export function setOptions(select: HTMLSelectElement, options: readonly (readonly [string, string])[], value: string): void {
  const text = JSON.stringify(options);
  if (select.dataset["options"] !== text) {
    select.dataset["options"] = text;
    select.replaceChildren(...options.map(([key, label]) => el("option", { value: key }, label)));
  }
  select.value = value;
}

export function colourEditor(context: PanelContext, field: Field, pointer: string): Editor {
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

export function rotationEditor(context: PanelContext, field: Field, pointer: string): Editor {
  const form = el("select", { class: "rotation-form", "aria-label": `${field.label}: how it is written` });
  form.append(...FORMS.map(([value, label]) => el("option", { value }, label)));
  form.addEventListener("change", () => {
    const q = quaternionOf(context.value(pointer));
    if (q) context.set(`${field.label} as ${form.value}`, pointer, written(q, form.value as RotationForm));
  });
  const number = (unit: string): NumberType => ({
    kind: "number",
    integer: false,
    minimum: -Infinity,
    maximum: Infinity,
    openBelow: false,
    unit,
  });
  const vector = (length: number, unit: string): VectorType => ({ kind: "vector", length, item: number(unit), orNumber: false });
  const part = <T extends FieldType>(key: string, label: string, type: T, standard: Json): [PanelContext, Field, string, T] => [
    context,
    { ...field, key, label, type, default: standard, required: true },
    join(pointer, key),
    type,
  ];
  const angles = vectorEditor(
    context,
    { ...field, type: vector(3, "°"), help: `${field.help}; about the fixed x, then y, then z axis` },
    pointer,
    vector(3, "°"),
  );
  const others: Record<string, Editor[]> = {
    axis: [vectorEditor(...part("axis", "Axis", vector(3, ""), [0, 1, 0])), numberEditor(...part("degrees", "Angle", number("°"), 0))],
    quaternion: [vectorEditor(...part("quaternion", field.label, vector(4, ""), [1, 0, 0, 0]))],
  };
  const host = el(
    "div",
    { class: "rotation" },
    angles.element,
    ...others["axis"]!.map((one) => one.element),
    ...others["quaternion"]!.map((one) => one.element),
  );
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

export function rawEditor(context: PanelContext, field: Field, pointer: string): Editor {
  const commit = (text: string, row: FieldRow): void => {
    try {
      const value = JSON.parse(text) as Json;
      row.forgive();
      context.set(field.label, pointer, value);
    } catch {
      row.refuse("This is no JSON. Lists are [1, 2], texts are in double quotes.");
    }
  };
  return lineEditor(context, field, pointer, commit, (value) => ({
    text: value === undefined ? "" : JSON.stringify(value),
    absent: "none",
  }));
}
