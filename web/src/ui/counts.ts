import { plural } from "../core/format";
import { countBodies, type Recording } from "../core/recording";
import { el } from "./dom";

/** Over the stage: how many bodies there are in a frame, and how many breaks so far. */
export class Counts {
  readonly element = el("div", { class: "overlay" });

  constructor(private readonly recording: Recording) {}

  show(frame: number): void {
    const living = countBodies(this.recording, frame);
    const breaks = this.recording.events.reduce((count, event) => count + (event.kind === "fracture" && event.frame <= frame ? 1 : 0), 0);
    this.element.replaceChildren(el("strong", {}, plural(living, "body", "bodies")), ` · ${plural(breaks, "break")}`);
    this.element.hidden = living === 0;
  }
}
