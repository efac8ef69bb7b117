import { plural } from "../core/format";
import type { RecordedEvent, Recording } from "../core/recording";
import { lastFrame } from "../core/recording";
import { el } from "./dom";
import { eventTitle, isBreak } from "./events";

const NEAR = 6; // pixels within which a mark is meant

/** The scrub bar: all frames, the energy of motion behind them, marks where things broke. */
export class Timeline {
  readonly element: HTMLElement;
  private readonly range: HTMLInputElement;
  private readonly canvas = el("canvas", { class: "timeline-marks", "aria-hidden": "true" });
  private readonly tip = el("div", { class: "tip", hidden: true });
  private readonly byFrame = new Map<number, RecordedEvent[]>();
  private last = 0;
  private validTo = Infinity; // frames after it were made from something else

  constructor(
    private readonly recording: Recording,
    private readonly onSeek: (frame: number, event?: RecordedEvent) => void,
  ) {
    this.range = el("input", { type: "range", class: "scrub", step: 1, "aria-label": "Frame" });
    this.gather();
    this.range.addEventListener("input", () => this.onSeek(this.range.valueAsNumber));
    this.element = el("div", { class: "timeline" }, this.canvas, this.range, this.tip);
    this.range.addEventListener("pointermove", (event) => this.hover(event));
    this.range.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.range.addEventListener("pointerdown", (event) => this.press(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** The recording has more, or other, frames and events; `end` is where the run will end, if that is later. */
  refresh(end = 0, validTo = Infinity): void {
    this.validTo = validTo;
    this.gather(end);
    this.draw();
  }

  private gather(end = 0): void {
    this.last = Math.max(lastFrame(this.recording), end);
    this.range.min = String(this.recording.firstFrame);
    this.range.max = String(this.last);
    this.byFrame.clear();
    for (const event of this.recording.events) {
      if (event.kind === "message") continue;
      const list = this.byFrame.get(event.frame);
      if (list) list.push(event);
      else this.byFrame.set(event.frame, [event]);
    }
  }

  set(frame: number): void {
    this.range.value = String(frame);
    const time = this.recording.times[frame - this.recording.firstFrame] ?? 0;
    this.range.setAttribute("aria-valuetext", `frame ${frame}, ${time.toFixed(2)} seconds`);
    const length = this.last - this.recording.firstFrame;
    this.range.style.setProperty("--share", String(length > 0 ? (frame - this.recording.firstFrame) / length : 0));
  }

  /** The frame of the next event in a direction. */
  eventFrame(from: number, direction: -1 | 1): number | undefined {
    const frames = [...this.byFrame.keys()].sort((a, b) => a - b);
    return direction > 0 ? frames.find((frame) => frame > from) : frames.reverse().find((frame) => frame < from);
  }

  eventsAt(frame: number): readonly RecordedEvent[] {
    return this.byFrame.get(frame) ?? [];
  }

  draw(): void {
    const width = this.element.clientWidth;
    const height = this.element.clientHeight;
    const ratio = window.devicePixelRatio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const context = this.canvas.getContext("2d");
    if (context === null || width === 0) return;
    context.scale(ratio, ratio);
    const style = getComputedStyle(this.element);
    this.drawEnergy(context, width, height, style.getPropertyValue("--timeline-energy"));
    this.shade(context, width, height, style.getPropertyValue("--timeline-missing"), lastFrame(this.recording));
    if (this.validTo < lastFrame(this.recording))
      this.shade(context, width, height, style.getPropertyValue("--timeline-old"), this.validTo);
    for (const [frame, events] of this.byFrame) {
      const x = this.xOf(frame, width);
      const broke = events.some(isBreak);
      const tall = Math.min(1, 0.45 + 0.12 * events.length);
      context.fillStyle = style.getPropertyValue(broke ? "--mark-break" : "--mark-other");
      context.beginPath();
      context.roundRect(x - 1, height * (1 - tall) * 0.5, 2, height * tall, 1);
      context.fill();
    }
  }

  /** Everything after a frame. */
  private shade(context: CanvasRenderingContext2D, width: number, height: number, colour: string, after: number): void {
    if (after >= this.last) return;
    const x = this.xOf(after, width);
    context.fillStyle = colour;
    context.fillRect(x, 0, width - x, height);
  }

  private drawEnergy(context: CanvasRenderingContext2D, width: number, height: number, colour: string): void {
    const linear = this.recording.series.get("linear");
    const rotational = this.recording.series.get("rotational");
    if (!linear || !rotational || linear.length < 2) return;
    const values = linear.map((value, i) => Math.sqrt(Math.max(0, value + rotational[i]!)));
    const most = values.reduce((a, b) => Math.max(a, b), 0);
    if (!(most > 0)) return;
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(this.xOf(this.recording.firstFrame, width), height);
    values.forEach((value, i) => context.lineTo(this.xOf(this.recording.firstFrame + i, width), height * (1 - 0.9 * (value / most))));
    context.lineTo(this.xOf(this.recording.firstFrame + values.length - 1, width), height);
    context.fill();
  }

  /** As the range input has it: its thumb stays within. */
  private xOf(frame: number, width: number): number {
    const length = Math.max(1, this.last - this.recording.firstFrame);
    const inset = 7;
    return inset + ((frame - this.recording.firstFrame) / length) * (width - 2 * inset);
  }

  private markNear(x: number): number | undefined {
    const width = this.element.clientWidth;
    let best: number | undefined;
    for (const frame of this.byFrame.keys()) {
      const away = Math.abs(this.xOf(frame, width) - x);
      if (away <= NEAR && (best === undefined || away < Math.abs(this.xOf(best, width) - x))) best = frame;
    }
    return best;
  }

  private press(event: PointerEvent): void {
    const mark = this.markNear(event.offsetX);
    if (mark === undefined || event.button !== 0) return;
    event.preventDefault();
    this.range.focus();
    this.onSeek(mark, this.byFrame.get(mark)?.[0]);
  }

  private hover(event: PointerEvent): void {
    const width = this.element.clientWidth;
    const mark = this.markNear(event.offsetX);
    const share = Math.min(Math.max((event.offsetX - 7) / (width - 14), 0), 1);
    const frame = mark ?? Math.round(this.recording.firstFrame + share * (this.last - this.recording.firstFrame));
    const time = this.recording.times[frame - this.recording.firstFrame] ?? 0;
    this.tip.replaceChildren(el("strong", {}, `Frame ${frame}`), ` · ${time.toFixed(2)} s`);
    const events = this.eventsAt(frame);
    for (const one of events.slice(0, 4)) this.tip.append(el("div", {}, eventTitle(one, this.recording)));
    if (events.length > 4) this.tip.append(el("div", { class: "hint" }, `and ${plural(events.length - 4, "more event", "more events")}`));
    this.tip.hidden = false;
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.min(Math.max(event.offsetX, half), width - half)}px`;
  }
}
