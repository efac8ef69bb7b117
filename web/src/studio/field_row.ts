import type { Issue, Json } from "../server/contract";
import { isWithin, sameJson } from "../server/pointer";
import { el, iconButton } from "../ui/dom";
import { rangeText, type Field, type SceneSchema } from "./schema";
import type { Store } from "./store";

/** What editors need of the panel around them. Pointers are those of the first thing selected; others follow. */
export interface PanelContext {
  readonly store: Store;
  readonly schema: SceneSchema;
  set(label: string, pointer: string, value: Json): void;
  drag(label: string, pointer: string, value: Json): void;
  reset(label: string, pointer: string): void;
  /** Shows another part of the scene. */
  go(pointer: string): void;
  value(pointer: string): Json | undefined;
}

export interface Editor {
  readonly element: HTMLElement;
  /** Shows what the document has now. */
  update(): void;
}

let lastId = 0;
export function freshId(): string {
  return `field-${++lastId}`;
}

/** Label, control, reset, help while focus is in it, and what is wrong with it. */
export class FieldRow {
  readonly element: HTMLElement;
  readonly id = freshId();
  private localError: string | undefined;
  private readonly reset: HTMLButtonElement;
  private readonly error: HTMLElement;
  private readonly label: HTMLElement;

  constructor(
    private readonly context: PanelContext,
    private readonly field: Field,
    private readonly pointer: string,
    control: HTMLElement,
    private readonly inputs: readonly HTMLElement[],
  ) {
    const help = helpText(field);
    this.error = el("p", { class: "field-error", id: `${this.id}-error`, hidden: true });
    this.reset = iconButton("reset", `Reset ${field.label} to its default`, "", () => this.clear());
    this.reset.classList.add("field-reset");
    const single = inputs.length === 1 && inputs[0] instanceof HTMLElement && isLabelable(inputs[0]);
    this.label = single
      ? el("label", { class: "field-label", for: this.id, title: help }, field.label)
      : el("span", { class: "field-label", id: `${this.id}-label`, title: help }, field.label);
    if (field.type.kind === "vector" && field.type.item.unit !== "")
      this.label.append(el("span", { class: "label-unit" }, field.type.item.unit));
    if (single) inputs[0]!.id = this.id;
    else control.setAttribute("role", "group");
    if (!single) control.setAttribute("aria-labelledby", `${this.id}-label`);
    for (const input of inputs) input.setAttribute("aria-describedby", `${this.id}-help ${this.id}-error`);
    this.element = el(
      "div",
      { class: "field", "data-pointer": pointer, "data-search": `${field.label} ${field.key} ${field.help}`.toLowerCase() },
      this.label,
      el("div", { class: "field-control" }, control),
      this.reset,
      el("p", { class: "field-help", id: `${this.id}-help` }, help),
      this.error,
    );
  }

  /** Something that was never sent. */
  refuse(message: string): void {
    this.localError = message;
    this.update();
  }
  forgive(): void {
    this.localError = undefined;
    this.context.store.forgetRefused();
    this.update();
  }

  /** What was typed is wrong and should stay to be seen. */
  get wrong(): boolean {
    return this.localError !== undefined || this.context.store.refused.some((issue) => issue.pointer.startsWith(this.pointer));
  }

  update(accepted = false): void {
    if (accepted) this.localError = undefined;
    const value = this.context.value(this.pointer);
    const { field } = this;
    const set = value !== undefined;
    this.element.classList.toggle("is-set", set && !sameJson(value, field.default));
    this.reset.hidden = !set || field.required;
    const issues = this.context.store.issuesAt(this.pointer).filter((issue) => !this.isToldInside(issue));
    const text = this.localError ?? issues.map(issueText).join(" ");
    this.error.hidden = text === "";
    this.error.textContent = text;
    this.error.classList.toggle("warning", this.localError === undefined && issues.every((issue) => issue.severity === "warning"));
    this.inputs.forEach((input, i) => {
      const invalid = text !== "" && (this.inputs.length === 1 || this.localError !== undefined || pointsAt(issues, this.pointer, i));
      if (invalid) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    });
  }

  /** A row within this one, which is to be seen, says it. */
  private isToldInside(issue: Issue): boolean {
    return [...this.element.querySelectorAll<HTMLElement>("[data-pointer]")].some((row) => {
      const folded = row.closest("details:not([open])");
      return isWithin(issue.pointer, row.dataset["pointer"]!) && (folded === null || !this.element.contains(folded));
    });
  }

  private clear(): void {
    this.localError = undefined;
    this.context.reset(`Reset ${this.field.label.toLowerCase()}`, this.pointer);
  }
}

/** In a vector, the part that is meant; all of them when none is. */
function pointsAt(issues: readonly Issue[], pointer: string, index: number): boolean {
  return issues.some((issue) => issue.pointer === pointer || issue.pointer === `${pointer}/${index}`);
}

export function issueText(issue: Issue): string {
  const allowed = issue.allowed && !issue.message.includes(issue.allowed) ? ` Allowed: ${issue.allowed}.` : "";
  const text = issue.message.charAt(0).toUpperCase() + issue.message.slice(1);
  return `${text}${/[.!?]$/.test(text) ? "" : "."}${allowed}`;
}

/** Description, range, default. */
export function helpText(field: Field): string {
  const { type } = field;
  const range = type.kind === "number" ? rangeText(type) : type.kind === "vector" ? rangeText(type.item) : "";
  const standard =
    field.default !== undefined && typeof field.default !== "object" && field.default !== "" ? `default ${String(field.default)}` : "";
  return [field.help, range, standard].filter((part) => part !== "").join(" · ");
}

function isLabelable(element: HTMLElement): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;
}
