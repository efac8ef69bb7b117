import { countBodies, lastFrame, type RecordedEvent } from "../core/recording";
import type { Status, TakeStatus } from "../server/contract";
import type { Stage } from "../stage/contract";
import { el, section } from "../ui/dom";
import { EventList } from "../ui/events";
import { energyCurves, momentumCurves, Plot, type Scale } from "../ui/plots";
import { secondsText } from "./jobs";

const REDRAW = 700; // ms, at most so often while a run goes on

/** The run in numbers: how far it is, its energy and momentum, what broke. */
export class TakePanel {
  readonly element: HTMLElement;
  private readonly facts = el("dl", { class: "facts" });
  private readonly energy: Plot;
  private readonly momentum: Plot;
  private readonly events: EventList;
  private take: TakeStatus | undefined;
  private stale = true;
  private drawn = 0;

  constructor(
    private readonly stage: Stage,
    whyItBroke: HTMLElement,
    actions: { seek(frame: number, event?: RecordedEvent): void },
  ) {
    const seek = (frame: number): void => actions.seek(frame);
    this.energy = new Plot(stage.recording, "Energy over time", [], seek);
    this.momentum = new Plot(stage.recording, "Momentum over time", [], seek);
    this.events = new EventList(stage.recording, (event) => actions.seek(event.frame, event));
    this.element = el(
      "div",
      {},
      section("Take", true, this.facts),
      section("Why did it break?", true, whyItBroke),
      section("Energy", true, this.energy.element),
      section("Momentum", false, this.momentum.element),
      section("Events", true, this.events.element),
    );
  }

  grown(fresh: boolean): void {
    this.events.refresh(fresh);
    this.showFacts();
    this.stale = true;
    this.refresh();
  }

  /** Draws anew if that is due; cheap when the panel is not seen. */
  refresh(force = false): void {
    if (this.element.offsetParent === null || (!this.stale && !force)) return;
    const now = performance.now();
    if (!force && now - this.drawn < REDRAW) return;
    this.drawn = now;
    this.stale = false;
    const { recording } = this.stage;
    const momentum = momentumCurves(recording);
    const energy: Scale[] = [{ key: "energy", unit: "J", curves: energyCurves(recording) }];
    this.energy.setScales(energy);
    this.momentum.setScales([
      { key: "momentum", unit: "N s", curves: momentum.linear },
      { key: "angular", unit: "N m s", curves: momentum.angular },
    ]);
    this.set(this.stage.player.frame);
  }

  set(frame: number): void {
    this.events.set(frame);
    this.energy.set(frame);
    this.momentum.set(frame);
  }

  setStatus({ take }: Status): void {
    this.take = take;
    this.showFacts();
  }

  private showFacts(): void {
    const { take } = this;
    if (!take) return;
    const { recording } = this.stage;
    const [now, ever] = [countBodies(recording, lastFrame(recording)), countBodies(recording)];
    const states = { still: "not run yet", running: "running", paused: "paused", done: "done", failed: "failed" };
    const facts: [string, string][] = [
      ["State", states[take.state] + (take.stale ? ", made from an earlier scene" : "")],
      ["Frames", `${take.last} of ${take.wanted}`],
      ["Bodies", `${now.toLocaleString("en")} now, ${ever.toLocaleString("en")} ever`],
      ["Breaks", take.breaks.toLocaleString("en")],
    ];
    if (take.state === "running")
      facts.push(["Speed", `${take.fps.toFixed(1)} frames/s${take.eta === null ? "" : `, ${secondsText(take.eta)} left`}`]);
    if (take.waiting) facts.push(["Doing", take.waiting]);
    this.facts.replaceChildren(...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
  }
}
