import { rampCss } from "../core/colours";
import { digits, plural, quantity } from "../core/format";
import type { BreakStress, RecordedEvent, Recording, Vec3 } from "../core/recording";
import { colourShare, length, pushesOf, stressScale, type Push } from "../core/stress";
import type { ShownStress, StressLayers } from "../view/stress_overlay";
import { el } from "./dom";

/** What shows it; replay and Studio have one each. */
export interface BreakStage {
  setStress(shown: ShownStress | undefined): void;
  setStressLayers(layers: StressLayers): void;
  /** The camera goes to the most strained place. */
  lookAtWorst(): void;
  /** The camera goes to bodies. */
  frame(bodies: readonly number[]): void;
}

export interface BreakActions {
  /** Goes to a break and makes it the one that is asked about. */
  choose(event: RecordedEvent): void;
  /** Someone wants to see why: this panel should be. */
  asked(): void;
  failed(error: unknown): void;
}

/** Why did it break? The numbers of one break, and what the body felt, on the stage. */
export class BreakView {
  readonly element = el("div", { class: "break-view" });
  /** Over the stage: what colours stand for, or a way to them. */
  readonly legend = el("div", { class: "stress-legend", hidden: true });
  private readonly hint = el("p", { class: "hint" });
  private readonly several = el("select", { "aria-label": "Break of this frame" });
  private readonly severalRow = el("div", { class: "row" }, el("span", { class: "label" }, "Break"), this.several);
  private readonly sentence = el("p", { class: "break-sentence" });
  private readonly facts = el("dl", { class: "facts wide-facts" });
  private readonly shownSwitch = el("input", { type: "checkbox", role: "switch" });
  private readonly layerRows = el("div", { class: "stress-layers" });
  private readonly controls: HTMLElement;
  private readonly ask = el("button", { type: "button", class: "text-button" }, "Why did it break?");
  private event: RecordedEvent | undefined;
  private wanted = false; // stress is to be seen
  private shown: RecordedEvent | undefined; // whose stress is on the stage, or on its way there
  private hasColours = true; // of what is shown
  private layers: StressLayers = { colours: true, directions: false, forces: true };

  constructor(
    private readonly recording: Recording,
    private readonly stage: BreakStage,
    private readonly actions: BreakActions,
  ) {
    this.ask.title = "Stress at the moment of the break (S)";
    this.ask.addEventListener("click", () => this.toggle());
    this.shownSwitch.addEventListener("change", () => this.toggle());
    this.several.addEventListener("change", () => {
      const event = this.recording.events[Number(this.several.value)];
      if (event) this.actions.choose(event);
    });
    this.layerRows.append(
      this.layerSwitch("colours", "Colours"),
      this.layerSwitch("directions", "Principal directions"),
      this.layerSwitch("forces", "Forces"),
    );
    this.controls = el(
      "div",
      { class: "stress-controls" },
      el("label", { class: "row switch-row" }, el("span", { class: "wide-label" }, "Show the stress (S)"), this.shownSwitch),
      this.layerRows,
    );
    this.element.append(this.hint, this.severalRow, this.sentence, this.controls, this.facts);
    this.refresh();
  }

  private layerSwitch(layer: keyof StressLayers, text: string): HTMLElement {
    const input = el("input", { type: "checkbox", role: "switch", "data-layer": layer });
    input.checked = this.layers[layer];
    input.addEventListener("change", () => {
      this.layers = { ...this.layers, [layer]: input.checked };
      this.stage.setStressLayers(this.layers);
      this.refreshLegend();
    });
    return el("label", { class: "row switch-row" }, el("span", { class: "wide-label" }, text), input);
  }

  /** Stress is seen on the stage. */
  get isShown(): boolean {
    return this.shown !== undefined;
  }

  /** The break that is asked about; undefined: none. */
  show(event: RecordedEvent | undefined): void {
    this.event = event && isBreak(event) ? event : undefined;
    this.refresh();
    this.apply();
  }

  /** Time went on, or the recording is another: what is shown of a break belongs to its frame. */
  moment(frame: number, playing: boolean): void {
    if (this.event && (playing || frame !== this.event.frame || !this.recording.events.includes(this.event))) this.show(undefined);
  }

  /** Shows or hides stress; when no break is chosen, that of the last break so far, or of the first. */
  toggle(frame = this.event?.frame ?? Infinity): void {
    if (this.event?.stress) {
      this.wanted = !this.wanted;
      this.refresh();
      this.apply();
      if (this.wanted) this.actions.asked();
      return;
    }
    const event = this.breakNear(frame);
    this.refresh();
    if (!event) return;
    this.wanted = true;
    this.actions.choose(event);
    this.actions.asked();
  }

  /** Of the last frame so far that has breaks, or of the first: the largest body that broke in it. */
  private breakNear(frame: number): RecordedEvent | undefined {
    const known = this.recording.events.filter((event) => event.stress !== undefined);
    const at = (known.filter((one) => one.frame <= frame).at(-1) ?? known[0])?.frame;
    return largestOf(
      known.filter((one) => one.frame === at),
      this.recording,
    );
  }

  private apply(): void {
    const event = this.wanted && this.event?.stress ? this.event : undefined;
    if (event === this.shown) return;
    this.shown = event;
    this.refreshLegend();
    if (!event) {
      this.stage.setStress(undefined);
      return;
    }
    this.recording.stream("stress", this.recording.events.indexOf(event)).then(
      (points) => {
        const body = this.recording.bodies[event.body];
        if (this.shown !== event || !body || !event.stress) return;
        this.hasColours = points !== undefined;
        this.refreshLegend();
        this.stage.setStress({ body, frame: event.frame - 1, stress: event.stress, points });
        this.stage.setStressLayers(this.layers);
        this.stage.frame([body.id]);
      },
      (error: unknown) => this.actions.failed(error),
    );
  }

  private refresh(): void {
    const { event } = this;
    const known = event?.stress !== undefined;
    this.hint.hidden = event !== undefined;
    this.hint.textContent = this.recording.events.some((one) => one.stress !== undefined)
      ? "Choose a break on the timeline, with [ and ], or press S."
      : "Bodies that break by a method that solves for stress are told of here: choose their break on the timeline.";
    this.shownSwitch.checked = known && this.wanted;
    this.controls.hidden = !known;
    this.layerRows.hidden = !this.wanted;
    this.facts.hidden = this.sentence.hidden = event === undefined;
    this.refreshSeveral();
    this.refreshLegend();
    if (!event) return;
    this.sentence.textContent = breakSentence(event, this.recording);
    this.facts.replaceChildren(
      ...breakFacts(event, this.recording).flatMap(([name, text]) => [el("dt", {}, name), this.fact(name, text, event)]),
    );
  }

  private fact(name: string, text: string, event: RecordedEvent): HTMLElement {
    const key = name.toLowerCase().replaceAll(" ", "-");
    if (name !== "Where" || !event.stress) return el("dd", { "data-break": key }, text);
    const button = el("button", { type: "button", class: "link", title: "Look at it there" }, text);
    button.addEventListener("click", () => {
      if (!this.wanted) this.toggle();
      this.stage.lookAtWorst();
    });
    return el("dd", { "data-break": key }, button);
  }

  private refreshSeveral(): void {
    const { event } = this;
    const all = event ? this.recording.events.flatMap((one, i) => (one.frame === event.frame && isBreak(one) ? [i] : [])) : [];
    this.severalRow.hidden = all.length < 2;
    this.several.replaceChildren(
      ...all.map((i) => {
        const one = this.recording.events[i]!;
        return el(
          "option",
          { value: i, selected: one === event },
          `${shortName(this.recording.bodies[one.body]?.name ?? "?")} (${plural(one.pieces, "piece")})`,
        );
      }),
    );
  }

  private refreshLegend(): void {
    const stress = this.event?.stress;
    this.legend.hidden = !stress;
    if (!stress) return;
    this.legend.replaceChildren(...(this.wanted ? legendOf(stress, this.layers.colours && this.hasColours) : [this.ask]));
  }
}

/** Of the body that was heaviest; undefined: there is none. */
export function largestOf(events: readonly RecordedEvent[], recording: Recording): RecordedEvent | undefined {
  const massOf = (event: RecordedEvent): number => recording.bodies[event.body]?.mass ?? 0;
  return events.reduce<RecordedEvent | undefined>((best, one) => (best && massOf(best) >= massOf(one) ? best : one), undefined);
}

/** A path of fragments, cut in the middle: what it was part of, and which piece it is. */
export function shortName(name: string, most = 28): string {
  if (name.length <= most) return name;
  const half = Math.floor((most - 1) / 2);
  return `${name.slice(0, half)}…${name.slice(name.length - half)}`;
}

function inOnePiece(event: RecordedEvent): boolean {
  return event.kind === "crack" || event.kind === "dent";
}

function isBreak(event: RecordedEvent): boolean {
  return event.kind === "fracture" || inOnePiece(event);
}

/** "glass broke into 23 pieces: tension reached 61.2 MPa, 1.36 times what it bears there." */
export function breakSentence(event: RecordedEvent, recording: Recording): string {
  const name = recording.bodies[event.body]?.name ?? "A body";
  const what =
    event.kind === "crack"
      ? `${name} cracked`
      : event.kind === "dent"
        ? `${name} was dented`
        : `${name} broke into ${plural(event.pieces, "piece")}`;
  if (!event.stress) return `${what}: ${event.reason}.`;
  const { tension, strength } = event.stress.worst;
  const push = hardestPush(event, recording);
  const blow = push ? ` A push of ${quantity(length(push.force), "N")} pulled it apart:` : ":";
  const much = tension > strength ? `${digits(tension / strength)} times what it bears there` : "less than what tears it, but it gave way";
  return `${what}${push ? "." : ""}${blow} tension reached ${quantity(tension, "Pa")}, ${much}.`;
}

function hardestPush({ stress, body }: RecordedEvent, recording: Recording): Push | undefined {
  const pushed = recording.bodies[body];
  return stress && pushed ? pushesOf(stress, pushed)[0] : undefined;
}

/** Name and text of all numbers that are known. */
export function breakFacts(event: RecordedEvent, recording: Recording): [string, string][] {
  const facts: [string, string][] = [];
  const { stress } = event;
  if (stress) {
    const { worst } = stress;
    const push = hardestPush(event, recording);
    facts.push(
      ["Tension", quantity(worst.tension, "Pa")],
      ["Strength", quantity(worst.strength, "Pa")],
      ["Ratio", `${digits(worst.tension / worst.strength)} ×`],
      ["Where", placeText(worst.place)],
    );
    if (push) {
      const force = quantity(length(push.force), "N");
      facts.push(
        ["Force", push.contacts > 1 ? `${force} in ${push.contacts} contacts` : force],
        ["Contact time", quantity(push.time, "s")],
      );
    }
    facts.push(["Cracks", `${stress.cracks} in ${plural(stress.rounds, "round")}`]);
  }
  facts.push(["Pieces", inOnePiece(event) ? "one, in which cracks end or which has a dent" : String(event.pieces)]);
  if (event.impulse !== undefined) facts.push(["Impulse", quantity(event.impulse, "N s")]);
  if (stress) facts.push(["Strain energy", quantity(stress.strainEnergy, "J")]);
  if (event.energy !== undefined) facts.push(["Breaking took", quantity(event.energy, "J")]);
  if (stress) facts.push(["Solved with", plural(stress.elements, "tet")]);
  if (event.massError !== undefined) facts.push(["Mass kept to", digits(event.massError, 2)]);
  if (event.momentumError !== undefined) facts.push(["Momentum", `kept to ${digits(event.momentumError, 2)}`]);
  if (event.angularMomentumError !== undefined) facts.push(["Spin", `kept to ${digits(event.angularMomentumError, 2)}`]);
  return facts;
}

function placeText(place: Vec3): string {
  return `${place.map((part) => digits(part)).join(", ")} m`;
}

/** Colours and what they stand for; the white line is where tension is the strength. */
function legendOf(stress: BreakStress, coloured: boolean): HTMLElement[] {
  const { top, strength } = stressScale(stress);
  const percent = (ratio: number): number => 100 * colourShare(ratio, top);
  const share = percent(1);
  const megapascals = (value: number): string => digits(value / 1e6);
  const title = el("div", { class: "stress-title" }, el("strong", {}, "Tension"), " in MPa");
  if (!coloured) return [title, el("div", {}, `no colours; at most ${megapascals(stress.worst.tension)}`)];
  const line = el("span", { class: "stress-strength", style: `left: ${share}%` });
  const bar = el("div", { class: "stress-bar", style: `background: ${rampCss()}` }, line);
  const ticks = el("div", { class: "stress-ticks" }, el("span", { style: "left: 0" }, "0"));
  ticks.append(el("span", { class: "stress-at-strength", style: `left: ${share}%` }, megapascals(strength)));
  const between = top / 4; // in the middle
  if (Math.abs(percent(between) - share) > 20 && share < 80)
    ticks.append(el("span", { style: `left: ${percent(between)}%` }, megapascals(between * strength)));
  if (share < 80) ticks.append(el("span", { style: "left: 100%" }, megapascals(top * strength)));
  const notes = el("div", { class: "stress-notes" }, "white line: strength · ring: most strained");
  return [title, bar, ticks, notes];
}
