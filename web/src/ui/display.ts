import { COLOUR_LABELS, rampCss, type ColourMode, type Painter } from "../core/colours";
import { digits } from "../core/format";
import type { Axis, Slice } from "../view/viewport";
import { el, segmented, slider } from "./dom";

export interface DisplayActions {
  colours(mode: ColourMode): Painter;
  explode(strength: number): void;
  slice(slice: Slice | null): void;
  /** What there is to slice now, m. */
  sliceRange(axis: Axis): { from: number; to: number };
}

/** How things are shown: colours, exploded view, slice plane. */
export class DisplayPanel {
  readonly element: HTMLElement;
  private readonly select = el("select", { id: "colour-by" });
  private readonly legend = el("div", { class: "ramp-legend", hidden: true });
  private readonly explosion;
  private readonly sliceOn = el("input", { type: "checkbox", role: "switch" });
  private readonly axis;
  private readonly position;
  private readonly flip = el("button", { type: "button", class: "text-button", "aria-pressed": "false" }, "Flip");
  private readonly sliceRow = el("div", { class: "slice-controls" });
  private sliceAxis: Axis = "x";
  private sliceFlipped = false;
  private range = { from: 0, to: 1 }; // m, of the axis, as it was when the plane was put there

  constructor(
    private readonly modes: readonly ColourMode[],
    private readonly actions: DisplayActions,
  ) {
    for (const mode of modes) this.select.append(el("option", { value: mode }, COLOUR_LABELS[mode]));
    this.select.addEventListener("change", () => this.setColours(this.select.value as ColourMode));
    this.explosion = slider(
      "Explode",
      { min: 0, max: 1.5, step: 0.01 },
      (v) => `${Math.round(100 * v)} %`,
      (v) => actions.explode(v),
    );
    this.axis = segmented<Axis>(
      "Slice axis",
      [
        ["x", "X"],
        ["y", "Y"],
        ["z", "Z"],
      ],
      (axis) => this.placeSlice(axis),
    );
    this.position = slider(
      "Position",
      { min: 0, max: 1, step: 0.002 },
      (v) => this.metresText(v),
      () => this.applySlice(),
    );
    this.sliceOn.addEventListener("change", () => this.placeSlice(this.sliceAxis));
    this.flip.addEventListener("click", () => this.flipSlice());
    this.sliceRow.append(el("div", { class: "row" }, this.axis.element, this.flip), this.position.element);
    this.element = el(
      "div",
      { class: "display" },
      el("div", { class: "row" }, el("label", { class: "label", for: "colour-by" }, "Colour by"), this.select),
      this.legend,
      this.explosion.element,
      el("label", { class: "row switch-row" }, el("span", { class: "label" }, "Slice"), this.sliceOn),
      this.sliceRow,
    );
    this.explosion.set(0);
    this.axis.set(this.sliceAxis);
    this.applySlice();
  }

  setColours(mode: ColourMode): void {
    this.select.value = mode;
    const { scale } = this.actions.colours(mode);
    this.legend.hidden = scale === undefined;
    if (!scale) return;
    this.legend.replaceChildren(
      el("span", {}, digits(scale.from)),
      el("span", { class: "ramp", style: `background: ${rampCss()}` }),
      el("span", {}, `${digits(scale.to)} ${scale.unit}`),
    );
  }

  nextColours(): void {
    const at = this.modes.indexOf(this.select.value as ColourMode);
    this.setColours(this.modes[(at + 1) % this.modes.length]!);
  }

  toggleExplosion(): void {
    const strength = this.explosion.input.valueAsNumber > 0 ? 0 : 0.35;
    this.explosion.set(strength);
    this.actions.explode(strength);
  }

  toggleSlice(): void {
    this.sliceOn.checked = !this.sliceOn.checked;
    this.placeSlice(this.sliceAxis);
  }

  /** Through the middle of what is there now; it stays there while time goes on. */
  private placeSlice(axis: Axis): void {
    this.sliceAxis = axis;
    this.axis.set(axis);
    this.range = this.actions.sliceRange(axis);
    this.position.set(0.5);
    this.applySlice();
  }

  private flipSlice(): void {
    this.sliceFlipped = !this.sliceFlipped;
    this.flip.setAttribute("aria-pressed", String(this.sliceFlipped));
    this.applySlice();
  }

  private metres(share: number): number {
    return this.range.from + share * (this.range.to - this.range.from);
  }

  private metresText(share: number): string {
    const decimals = Math.max(0, Math.min(6, Math.ceil(2 - Math.log10(Math.max(this.range.to - this.range.from, 1e-6)))));
    return `${this.metres(share).toFixed(decimals)} m`;
  }

  private applySlice(): void {
    this.sliceRow.hidden = !this.sliceOn.checked;
    const position = this.metres(this.position.input.valueAsNumber);
    this.actions.slice(this.sliceOn.checked ? { axis: this.sliceAxis, position, flipped: this.sliceFlipped } : null);
  }
}
