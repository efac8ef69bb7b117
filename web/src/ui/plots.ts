import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import { digits, quantity } from "../core/format";
import type { Recording } from "../core/recording";
import { el } from "./dom";

export interface Curve {
  readonly label: string;
  readonly colour: string; // name of a CSS variable
  readonly values: Float32Array;
}

function sums(values: Float32Array): Float32Array {
  let sum = 0;
  return values.map((value) => (sum += value));
}

function lengths(recording: Recording, name: string): Float32Array | undefined {
  const [x, y, z] = ["x", "y", "z"].map((axis) => recording.series.get(`${name}_${axis}`));
  return x && y && z ? x.map((value, i) => Math.hypot(value, y[i]!, z[i]!)) : undefined;
}

/** J; what is taken adds up, potential energy counts from its lowest. */
export function energyCurves(recording: Recording): Curve[] {
  const curve = (label: string, colour: string, values: Float32Array | undefined): Curve[] =>
    values && values.length > 0 ? [{ label, colour, values }] : [];
  const summed = (name: string): Float32Array | undefined => {
    const values = recording.series.get(name);
    return values && sums(values);
  };
  const potential = recording.series.get("potential");
  const lowest = potential ? potential.reduce((a, b) => Math.min(a, b), Infinity) : 0;
  return [
    ...curve("Linear", "--curve-1", recording.series.get("linear")),
    ...curve("Rotational", "--curve-2", recording.series.get("rotational")),
    ...curve(
      "Potential",
      "--curve-3",
      potential?.map((value) => value - lowest),
    ),
    ...curve("Contact loss", "--curve-4", summed("contact")),
    ...curve("Friction loss", "--curve-5", summed("friction")),
    ...curve("Breaking loss", "--curve-6", summed("breaking")),
  ].filter((one) => one.values.some((value) => value !== 0));
}

export function momentumCurves(recording: Recording): { linear: Curve[]; angular: Curve[] } {
  const linear = lengths(recording, "momentum");
  const angular = lengths(recording, "angular");
  return {
    linear: linear ? [{ label: "Momentum", colour: "--curve-1", values: linear }] : [],
    angular: angular ? [{ label: "Angular", colour: "--curve-2", values: angular }] : [],
  };
}

export interface Scale {
  readonly key: string;
  readonly unit: string;
  readonly curves: readonly Curve[];
}

/** Curves over time with the playhead in them; a click goes there. */
export class Plot {
  readonly element: HTMLElement;
  private readonly host = el("div", { class: "plot" });
  private readonly legend = el("ul", { class: "plot-legend" });
  private readonly playhead = el("div", { class: "plot-playhead" });
  private readonly values: { output: HTMLElement; curve: Curve; unit: string }[] = [];
  private readonly hidden = new Set<number>();
  private plot: uPlot | undefined;
  private index = 0;

  constructor(
    private readonly recording: Recording,
    label: string,
    private scales: readonly Scale[],
    private readonly onSeek: (frame: number) => void,
  ) {
    this.element = el("figure", { class: "plot-figure", role: "group", "aria-label": label }, this.host, this.legend);
    this.makeLegend();
    new ResizeObserver(() => this.resize()).observe(this.host);
  }

  /** Other curves of the same recording, which has grown. */
  setScales(scales: readonly Scale[]): void {
    const labels = (all: readonly Scale[]): string => all.flatMap((scale) => scale.curves.map((curve) => curve.label)).join();
    const same = labels(scales) === labels(this.scales);
    this.scales = scales;
    if (!same) this.hidden.clear();
    this.makeLegend();
    this.rebuild();
  }

  private makeLegend(): void {
    this.legend.replaceChildren();
    this.values.length = 0;
    let number = 0;
    for (const scale of this.scales) for (const curve of scale.curves) this.addToLegend(curve, scale.unit, ++number);
  }

  private addToLegend(curve: Curve, unit: string, number: number): void {
    const output = el("output", { class: "value" });
    const button = el(
      "button",
      { type: "button", class: "curve", "aria-pressed": String(!this.hidden.has(number)), title: `Show or hide: ${curve.label}` },
      el("span", { class: "swatch", style: `background: var(${curve.colour})` }),
      curve.label,
      output,
    );
    button.addEventListener("click", () => {
      const shown = !this.hidden.delete(number);
      if (shown) this.hidden.add(number);
      button.setAttribute("aria-pressed", String(!shown));
      this.plot?.setSeries(number, { show: !shown });
    });
    this.values.push({ output, curve, unit });
    this.legend.append(el("li", {}, button));
  }

  /** Colours come from the theme, so the plot is made anew when that changes. */
  rebuild(): void {
    if (this.host.clientWidth === 0) return;
    this.plot?.destroy();
    const style = getComputedStyle(this.element);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const axis: uPlot.Axis = {
      stroke: colour("--text-soft"),
      font: "11px system-ui, sans-serif",
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { show: false },
    };
    const curves = this.scales.flatMap((scale) => scale.curves.map((curve) => ({ curve, scale })));
    this.plot = new uPlot(
      {
        width: this.host.clientWidth,
        height: 128,
        padding: [8, 12, 0, 0],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { size: 5 }, y: false },
        scales: { x: { time: false } },
        axes: [
          { ...axis, size: 22, values: (_, ticks) => ticks.map((t) => `${t} s`) },
          ...this.scales.map(
            (scale, i): uPlot.Axis => ({
              ...axis,
              scale: scale.key,
              side: i === 0 ? 3 : 1,
              size: 42,
              grid: { ...axis.grid, show: i === 0 },
              values: (_, ticks) => ticks.map((t) => (t === 0 ? "0" : quantity(t, "").replace(/\.0+ /, " ").trim())),
            }),
          ),
        ],
        series: [
          {},
          ...curves.map(
            ({ curve, scale }, i): uPlot.Series => ({
              label: curve.label,
              scale: scale.key,
              stroke: colour(curve.colour),
              width: 1.5,
              points: { show: false },
              show: !this.hidden.has(i + 1),
            }),
          ),
        ],
      },
      [Array.from(this.recording.times), ...curves.map(({ curve }) => Array.from(curve.values))],
      this.host,
    );
    this.plot.over.append(this.playhead);
    this.plot.over.addEventListener("click", (event) => this.seekTo(event.offsetX));
    this.set(this.index + this.recording.firstFrame);
  }

  private seekTo(x: number): void {
    if (!this.plot) return;
    this.onSeek(this.recording.firstFrame + this.plot.posToIdx(x));
  }

  private resize(): void {
    const width = this.host.clientWidth;
    if (width === 0) return;
    if (!this.plot) this.rebuild();
    else if (this.plot.width !== width) this.plot.setSize({ width, height: 128 });
    this.movePlayhead();
  }

  set(frame: number): void {
    this.index = frame - this.recording.firstFrame;
    for (const { output, curve, unit } of this.values) output.textContent = quantity(roundTiny(curve.values[this.index] ?? 0), unit);
    this.movePlayhead();
  }

  private movePlayhead(): void {
    if (!this.plot) return;
    const x = this.plot.valToPos(this.recording.times[this.index] ?? 0, "x");
    this.playhead.style.transform = `translateX(${digits(x, 4)}px)`;
  }
}

/** What is nothing but rounding is shown as nothing. */
function roundTiny(value: number): number {
  return Math.abs(value) < 1e-9 ? 0 : value;
}
