import { plural } from "../core/format";
import { isAlive, type Recording } from "../core/recording";
import { el } from "./dom";

/** Over the stage: how many bodies there are in a frame, and how many breaks so far. */
export class Counts {
  readonly element = el("div", { class: "overlay" });

  constructor(private readonly recording: Recording) {}

  show(frame: number): void {
    const { bodies, events } = this.recording;
    const living = bodies.reduce((count, body) => count + (body.mesh >= 0 && isAlive(body, frame) ? 1 : 0), 0);
    const breaks = events.reduce((count, event) => count + (event.kind === "fracture" && event.frame <= frame ? 1 : 0), 0);
    this.element.replaceChildren(el("strong", {}, plural(living, "body", "bodies")), ` · ${plural(breaks, "break")}`);
    this.element.hidden = living === 0;
  }
}
