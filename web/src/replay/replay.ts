import { COLOUR_MODES } from "../core/colours";
import { mass, plural } from "../core/format";
import { Player } from "../core/player";
import { countBodies, lastFrame, type Recording } from "../core/recording";
import { BreakView } from "../ui/break_view";
import { Counts } from "../ui/counts";
import { DisplayPanel } from "../ui/display";
import { el, iconButton, section, setIcon, setPressed } from "../ui/dom";
import { EventList } from "../ui/events";
import { HelpOverlay } from "../ui/help";
import { focusStageAfterClicks, listenForKeys } from "../ui/keys";
import { energyCurves, momentumCurves, Plot } from "../ui/plots";
import { SelectionPanel } from "../ui/selection";
import { ThemeChoice } from "../ui/theme";
import { Timeline } from "../ui/timeline";
import { Transport } from "../ui/transport";
import type { WatchPage } from "../ui/watch_keys";
import { Watching } from "../ui/watching";
import { Viewport } from "../view/viewport";
import { REPLAY_KEYS } from "./keys";
import { ReplayStage } from "./stage";

const CLICK_DISTANCE = 4; // pixels; who moves farther drags
const MARK_SHAPE = "M8 .8 14.6 4.4v7.2L8 15.2 1.4 11.6V4.4zM8.6 3 7 6.6l2.2 1.5L6.4 13l.4-3.7-2.4-1.5z";

/** One recording in the page: puts drawing, playback and panels together. */
export class Replay implements WatchPage {
  readonly viewport: Viewport;
  readonly player: Player;
  readonly element: HTMLElement;
  readonly watch: Watching;
  readonly display: DisplayPanel;
  readonly theme: ThemeChoice;
  readonly help: HelpOverlay;
  selected = -1;

  private shownFrame = NaN;
  private readonly stage: ReplayStage;
  private readonly selection: SelectionPanel;
  private readonly breaks: BreakView;
  private readonly timeline: Timeline;
  private readonly transport: Transport;
  private readonly events: EventList;
  private readonly plots: Plot[];
  private readonly counts: Counts;
  private readonly announcer = el("div", { class: "hidden-text", role: "status" });
  private readonly cameraButton: HTMLButtonElement;
  private readonly panelButton: HTMLButtonElement;

  constructor(
    readonly recording: Recording,
    host: HTMLElement,
  ) {
    this.theme = new ThemeChoice((theme) => {
      this.viewport.setTheme(theme);
      this.refreshTheme();
    });
    const stageArea = el("main", { class: "stage" });
    this.player = new Player(recording.firstFrame, lastFrame(recording), recording.dt);
    this.cameraButton = iconButton("fly", "Fly", "V", () => this.watch.toggleCamera());
    this.panelButton = iconButton("panel", "Panel", "P", () => this.togglePanels());
    this.timeline = new Timeline(recording, (frame, event) => this.watch.seek(frame, event));
    this.transport = new Transport(recording, this.player, this.timeline, {
      toggle: () => this.watch.togglePlay(),
      step: (frames) => this.watch.step(frames),
      toStart: () => this.watch.toStart(),
      loop: () => this.watch.toggleLoop(),
      speed: (value) => this.watch.setSpeed(value),
    });
    this.selection = new SelectionPanel(recording, {
      select: (body) => this.select(body),
      step: (direction) => this.watch.stepSelection(direction),
      frame: () => this.watch.frameSelection(),
      clear: () => this.watch.clearSelection(),
    });
    this.events = new EventList(recording, (event) => this.watch.seek(event.frame, event));
    this.plots = this.makePlots();
    this.counts = new Counts(recording);
    this.help = new HelpOverlay(REPLAY_KEYS.groups, aboutText(recording));
    const side = el("aside", { class: "side", "aria-label": "Panel" });
    this.element = el("div", { class: "app" }, this.makeBar(), stageArea, side, this.transport.element, this.help.element, this.announcer);
    host.replaceChildren(this.element);
    this.viewport = new Viewport(stageArea, recording, this.theme.theme);
    this.stage = new ReplayStage(recording, this.player, this.viewport, () => this.refreshMoment());
    this.display = new DisplayPanel(COLOUR_MODES, {
      colours: (mode) => this.viewport.setColours(mode),
      explode: (strength) => this.viewport.setExplosion(strength),
      slice: (slice) => this.viewport.setSlice(slice),
      sliceRange: (axis) => this.viewport.sliceRange(axis),
    });
    this.breaks = new BreakView(recording, this.viewport, {
      choose: (event) => this.watch.seek(event.frame, event),
      asked: () => undefined, // it is always there
      failed: (error) => this.announce(String(error)),
    });
    this.watch = new Watching(this.stage, this.viewport, this.timeline, this.breaks, {
      selected: () => (this.selected < 0 ? [] : [this.selected, ...this.descendantsOf(this.selected)]),
      select: (body) => this.select(body ?? -1),
      refresh: () => this.transport.refresh(),
      cameraChanged: () => this.refreshButtons(),
      announce: (text) => this.announce(text),
      pictureName: () => fileName(recording.title),
      saved: () => this.announce("Picture saved"),
    });
    stageArea.append(this.counts.element, this.breaks.legend);
    side.append(
      section("View", true, this.display.element),
      section("Why did it break?", true, this.breaks.element),
      section("Selection", true, this.selection.element),
      section("Energy", true, this.plots[0]!.element),
      section("Momentum", true, this.plots[1]!.element),
      section(`Events (${recording.events.length})`, false, this.events.element),
    );
    this.refreshButtons();
    this.listen();
  }

  /** Draws from now on, as the screen wants pictures. */
  run(): void {
    this.stage.run();
  }

  private makePlots(): Plot[] {
    const seek = (frame: number): void => this.watch.seek(frame);
    const momentum = momentumCurves(this.recording);
    return [
      new Plot(this.recording, "Energy over time", [{ key: "energy", unit: "J", curves: energyCurves(this.recording) }], seek),
      new Plot(
        this.recording,
        "Momentum over time",
        [
          { key: "momentum", unit: "N s", curves: momentum.linear },
          { key: "angular", unit: "N m s", curves: momentum.angular },
        ],
        seek,
      ),
    ];
  }

  private makeBar(): HTMLElement {
    const brand = el("span", { class: "brand" }, markSvg(), "Sunder");
    return el(
      "header",
      { class: "bar" },
      brand,
      el("span", { class: "divider" }),
      el("h1", {}, this.recording.title || "Replay"),
      el(
        "div",
        { class: "bar-group", role: "toolbar", "aria-label": "View" },
        this.cameraButton,
        iconButton("home", "Reset view", "R", () => this.watch.resetCamera()),
        iconButton("focus", "Bring into view", "F", () => this.watch.frameSelection()),
        iconButton("camera", "Save a picture", "I", () => this.watch.savePicture()),
        this.theme.button,
        this.panelButton,
        iconButton("help", "Keys and help", "?", () => this.help.toggle()),
      ),
    );
  }

  private refreshMoment(): void {
    const frame = this.player.frame;
    if (frame === this.shownFrame) return;
    this.shownFrame = frame;
    this.breaks.moment(frame, this.player.playing);
    this.transport.refresh();
    this.selection.update(frame);
    this.events.set(frame);
    for (const plot of this.plots) plot.set(frame);
    this.counts.show(frame);
  }

  /** A body that is there is marked; one that is not, by the pieces that are left of it. */
  select(id: number): void {
    this.selected = id;
    const body = this.recording.bodies[id];
    this.selection.show(body);
    this.selection.update(this.player.frame);
    if (!body) {
      this.viewport.setMarks(-1, []);
      return;
    }
    this.viewport.setMarks(id, this.descendantsOf(id));
    this.announce(`${body.name}, ${mass(body.mass)}`);
  }

  private descendantsOf(id: number): number[] {
    const found = new Set([id]);
    for (const body of this.recording.bodies) if (found.has(body.parent)) found.add(body.id); // children come later
    found.delete(id);
    return [...found];
  }

  togglePanels(): void {
    this.element.classList.toggle(window.innerWidth <= 820 ? "narrow-panel" : "wide");
    this.refreshButtons();
  }

  private refreshTheme(): void {
    this.timeline.draw();
    for (const plot of this.plots) plot.rebuild();
  }

  private refreshButtons(): void {
    const flying = this.viewport.cameraMode === "fly";
    setIcon(this.cameraButton, flying ? "orbit" : "fly", flying ? "Orbit" : "Fly", "V");
    setPressed(this.cameraButton, flying);
    setPressed(this.panelButton, !this.element.classList.contains("wide"));
  }

  private announce(text: string): void {
    this.announcer.textContent = text;
  }

  private listen(): void {
    listenForKeys(REPLAY_KEYS, this, (code, down) => this.viewport.cameras.key(code, down));
    focusStageAfterClicks(this.element, ".app > :not(dialog) button", this.viewport.canvas);
    const { canvas } = this.viewport;
    let pressedAt = { x: 0, y: 0 };
    canvas.addEventListener("pointerdown", (event) => (pressedAt = { x: event.clientX, y: event.clientY }));
    canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.clientX - pressedAt.x, event.clientY - pressedAt.y) > CLICK_DISTANCE) return;
      void this.viewport.bodyAt(event.offsetX, event.offsetY).then((body) => this.select(body));
    });
    canvas.addEventListener("dblclick", () => this.watch.frameSelection());
  }
}

function aboutText(recording: Recording): string {
  const made = recording.program ? `Recorded with Sunder ${recording.program}: ` : "";
  const bodies = plural(countBodies(recording), "body", "bodies");
  return `${made}${plural(recording.frames, "frame")}, ${bodies} in all, ${plural(recording.events.length, "event")}.`;
}

function fileName(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "replay"
  );
}

function markSvg(): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", MARK_SHAPE);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}
