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
  readonly element: HTMLElement;
  private readonly rows: { frame: number; button: HTMLButtonElement }[] = [];

  constructor(recording: Recording, onChoose: (event: RecordedEvent) => void) {
    const list = el("ol", { class: "events" });
    for (const event of recording.events.slice(0, MOST_ROWS)) {
      const button = el(
        "button",
        { type: "button", class: "event-row", "data-kind": event.kind, title: event.reason },
        el("span", { class: "event-frame" }, String(event.frame)),
        el("span", { class: "event-title" }, eventTitle(event, recording)),
        el("span", { class: "event-numbers" }, eventNumbers(event)),
      );
      button.addEventListener("click", () => onChoose(event));
      this.rows.push({ frame: event.frame, button });
      list.append(el("li", {}, button));
    }
    const left = recording.events.length - MOST_ROWS;
    this.element = el("div", {}, recording.events.length === 0 ? el("p", { class: "hint" }, "Nothing broke.") : list);
    if (left > 0) this.element.append(el("p", { class: "hint" }, `and ${plural(left, "more event")} on the timeline`));
  }

  set(frame: number): void {
    for (const row of this.rows) row.button.classList.toggle("past", row.frame <= frame);
  }
}
