import type { Json } from "../server/contract";
import { sameJson } from "../server/pointer";
import { el } from "../ui/dom";
import { numberText, stepOf, stepped, typedNumber } from "./numbers";
import type { NumberType } from "./schema";

const DRAG_START = 3; // pixels until a press becomes a drag
const PIXELS_PER_STEP = 6;

export interface NumberActions {
  commit(value: Json): void;
  /** Again and again while it is dragged or an arrow key is held. */
  drag(value: number): void;
  /** The field was emptied. */
  clear(): void;
  /** What was typed is no number. */
  refuse(text: string): void;
  /** Escape: as it was. */
  restore(): void;
}

/** A number to type, to drag sideways, to step with the arrow keys. Also takes "$parameter" and small sums. */
export class NumberInput {
  readonly element: HTMLInputElement;
  private value: Json | undefined;
  private standard: Json | undefined;
  private typed = false;
  private sent = false; // what was typed is on its way
  private press: { x: number; value: number; dragging: boolean } | undefined;

  constructor(
    readonly type: NumberType,
    private readonly parameter: boolean,
    private readonly actions: NumberActions,
    attributes: Readonly<Record<string, string>> = {},
  ) {
    this.element = el("input", {
      type: "text",
      inputmode: "decimal",
      class: "number",
      autocomplete: "off",
      spellcheck: "false",
      ...attributes,
    });
    this.element.addEventListener("input", () => {
      this.typed = true;
      this.sent = false;
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("blur", () => this.commit());
    this.element.addEventListener("pointerdown", (event) => this.pressed(event));
    this.element.addEventListener("pointermove", (event) => this.moved(event));
    this.element.addEventListener("pointerup", () => this.released());
    this.element.addEventListener("pointercancel", () => (this.press = undefined));
  }

  /** What was typed stays while someone is at it, on its way, or wrong (`keep`). */
  show(value: Json | undefined, fallback: Json | undefined, keep: boolean): void {
    const taken = this.sent && !sameJson(value, this.value);
    if (taken || keep) this.sent = false;
    this.value = value;
    this.standard = fallback;
    this.element.placeholder =
      typeof fallback === "number" ? String(Number(fallback.toPrecision(4))) : typeof fallback === "string" ? fallback : "–";
    if (this.typed && !taken && (keep || this.sent || document.activeElement === this.element)) return;
    this.typed = false;
    this.element.value = textOf(value);
    this.element.classList.toggle("is-parameter", typeof value === "string");
  }

  private get number(): number {
    if (typeof this.value === "number") return this.value;
    return typeof this.standard === "number" ? this.standard : 0;
  }

  private commit(): void {
    if (!this.typed || this.sent) return;
    const text = this.element.value.trim();
    const value: Json = this.parameter && /^\$./.test(text) ? text : typedNumber(text);
    if (text === textOf(this.value) || value === this.value) {
      this.typed = false;
      this.element.value = textOf(this.value);
      this.actions.restore();
    } else if (text === "") {
      this.typed = false;
      this.actions.clear();
    } else if (Number.isNaN(value)) {
      this.actions.refuse(text);
    } else {
      this.sent = true;
      this.actions.commit(value);
    }
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Enter") {
      this.commit();
      this.element.select();
    } else if (event.key === "Escape") {
      if (!this.typed) return; // for who is around
      event.stopPropagation();
      this.typed = this.sent = false;
      this.element.value = textOf(this.value);
      this.actions.restore();
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      const typed = this.typed ? typedNumber(this.element.value) : NaN;
      const from = Number.isNaN(typed) ? this.number : typed;
      const scale = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
      this.step(from, event.key === "ArrowUp" ? 1 : -1, stepOf(from, this.type) * (this.type.integer ? Math.max(scale, 1) : scale));
    }
  }

  private step(from: number, notches: number, step: number): void {
    const value = stepped(from, notches, this.type, step);
    this.typed = false;
    this.value = value;
    this.element.value = numberText(value);
    this.actions.drag(value);
  }

  private pressed(event: PointerEvent): void {
    if (event.button !== 0 || document.activeElement === this.element || typeof this.value === "string") return;
    this.press = { x: event.clientX, value: this.number, dragging: false };
    event.preventDefault(); // the cursor is set when it turns out to be a click
  }

  private moved(event: PointerEvent): void {
    if (!this.press) return;
    const away = event.clientX - this.press.x;
    if (!this.press.dragging) {
      if (Math.abs(away) < DRAG_START) return;
      this.press.dragging = true;
      this.element.setPointerCapture(event.pointerId);
      this.element.classList.add("dragging");
    }
    const scale = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
    const step = stepOf(this.press.value, this.type) * (this.type.integer ? Math.max(scale, 1) : scale);
    this.step(this.press.value, Math.trunc(away / PIXELS_PER_STEP), step);
  }

  private released(): void {
    if (!this.press) return;
    if (!this.press.dragging) {
      this.element.focus();
      this.element.select();
    }
    this.element.classList.remove("dragging");
    this.press = undefined;
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === "number" ? numberText(value) : typeof value === "string" ? value : "";
}

/** A line of text; Enter and leaving commit, Escape restores. */
export class TextInput {
  readonly element: HTMLInputElement;
  private value = "";
  private typed = false;
  private sent = false;

  constructor(
    private readonly actions: { commit(text: string): void; restore(): void },
    attributes: Readonly<Record<string, string>> = {},
  ) {
    this.element = el("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
    this.element.addEventListener("input", () => {
      this.typed = true;
      this.sent = false;
    });
    this.element.addEventListener("blur", () => this.commit());
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.commit();
      if (event.key !== "Escape" || !this.typed) return;
      event.stopPropagation();
      this.typed = this.sent = false;
      this.element.value = this.value;
      actions.restore();
    });
  }

  show(value: string, placeholder: string, keep: boolean): void {
    const taken = this.sent && value !== this.value;
    if (taken || keep) this.sent = false;
    this.value = value;
    this.element.placeholder = placeholder;
    if (this.typed && !taken && (keep || this.sent || document.activeElement === this.element)) return;
    this.typed = false;
    this.element.value = value;
  }

  private commit(): void {
    if (!this.typed || this.sent) return;
    if (this.element.value === this.value) {
      this.typed = false;
      this.actions.restore();
    } else {
      this.sent = true;
      this.actions.commit(this.element.value);
    }
  }
}

/** #rrggbb of a colour as scenes write it; undefined: a parameter, or none. */
export function hexOf(value: Json | undefined): string | undefined {
  if (typeof value === "string") return /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : undefined;
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const parts = value.map((part) => (typeof part === "number" ? Math.round(255 * Math.min(Math.max(part, 0), 1)) : NaN));
  return parts.some(Number.isNaN) ? undefined : `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
