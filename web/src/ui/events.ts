import { digits, plural, quantity } from "../core/format";
import type { RecordedEvent, Recording } from "../core/recording";
import { el } from "./dom";

export function isBreak(event: RecordedEvent): boolean {
  return event.kind === "fracture";
}

function nameOf(event: RecordedEvent, recording: Recording): string {
  return recording.bodies[event.body]?.name ?? "something";
}

/** "wall breaks into 60 pieces" */
export function eventTitle(event: RecordedEvent, recording: Recording): string {
  switch (event.kind) {
    case "fracture":
      return `${nameOf(event, recording)} breaks into ${plural(event.pieces, "piece")}`;
    case "crack":
      return `${nameOf(event, recording)} cracks`;
    case "dent":
      return `${nameOf(event, recording)} is dented`;
    case "release":
      return `${nameOf(event, recording)}: its anchor gives way`;
    case "message":
      return event.reason;
    default:
      return `${nameOf(event, recording)}: ${event.kind}`;
  }
}

/** The numbers of an event, for its row. */
export function eventNumbers(event: RecordedEvent): string {
  const parts: string[] = [];
  if (event.impulse !== undefined) parts.push(quantity(event.impulse, "N s"));
  if (event.energy !== undefined && event.energy > 0) parts.push(`${quantity(event.energy, "J")} taken`);
  if (event.momentumError !== undefined) parts.push(`momentum kept to ${digits(event.momentumError, 1)}`);
  return parts.join(" · ");
}

const MOST_ROWS = 400;

/** All events as a list to choose from, also without a mouse. */
export class EventList {
  readonly element = el("div", {});
  private readonly list = el("ol", { class: "events" });
  private readonly none = el("p", { class: "hint" }, "Nothing broke.");
  private readonly more = el("p", { class: "hint" });
  private rows: { frame: number; button: HTMLButtonElement }[] = [];
  private shown = NaN;

  constructor(
    private readonly recording: Recording,
    private readonly onChoose: (event: RecordedEvent) => void,
  ) {
    this.element.append(this.none, this.list, this.more);
    this.refresh();
  }

  /** The recording has other events, or more of them (`fresh`: those that were there are others now). */
  refresh(fresh = false): void {
    const { events } = this.recording;
    if (fresh || events.length < this.rows.length) {
      this.rows = [];
      this.list.replaceChildren();
    }
    for (const event of events.slice(this.rows.length, MOST_ROWS)) this.add(event);
    this.none.hidden = events.length > 0;
    this.list.hidden = events.length === 0;
    const left = events.length - MOST_ROWS;
    this.more.hidden = left <= 0;
    this.more.textContent = `and ${plural(left, "more event")} on the timeline`;
    this.set(this.shown);
  }

  private add(event: RecordedEvent): void {
    const button = el(
      "button",
      { type: "button", class: "event-row", "data-kind": event.kind, title: event.reason },
      el("span", { class: "event-frame" }, String(event.frame)),
      el("span", { class: "event-title" }, eventTitle(event, this.recording)),
      el("span", { class: "event-numbers" }, eventNumbers(event)),
    );
    button.addEventListener("click", () => this.onChoose(event));
    this.rows.push({ frame: event.frame, button });
    this.list.append(el("li", {}, button));
  }

  set(frame: number): void {
    this.shown = frame;
    for (const row of this.rows) row.button.classList.toggle("past", row.frame <= frame);
  }
}
