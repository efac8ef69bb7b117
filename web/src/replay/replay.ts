import { COLOUR_MODES } from "../core/colours";
import { mass, plural } from "../core/format";
import type { Between } from "../core/places";
import { Player } from "../core/player";
import { isAlive, lastFrame, type RecordedEvent, type Recording } from "../core/recording";
import { BreakView } from "../ui/break_view";
import { DisplayPanel } from "../ui/display";
import { el, iconButton, section, setIcon, setPressed } from "../ui/dom";
import { EventList } from "../ui/events";
import { HelpOverlay } from "../ui/help";
import { energyCurves, momentumCurves, Plot } from "../ui/plots";
import { SelectionPanel } from "../ui/selection";
import { ThemeChoice } from "../ui/theme";
import { Timeline } from "../ui/timeline";
import { Transport } from "../ui/transport";
import { Viewport } from "../view/viewport";
import { listenForShortcuts, SHORTCUTS, type ShortcutActions } from "./shortcuts";

const CLICK_DISTANCE = 4; // pixels; who moves farther drags
const MARK_SHAPE = "M8 .8 14.6 4.4v7.2L8 15.2 1.4 11.6V4.4zM8.6 3 7 6.6l2.2 1.5L6.4 13l.4-3.7-2.4-1.5z";

/** One recording in the page: puts drawing, playback and panels together. */
export class Replay implements ShortcutActions {
  readonly viewport: Viewport;
  readonly player: Player;
  readonly element: HTMLElement;
  selected = -1;

  private between: Between = "smooth";
  private shownFrame = NaN;
  private readonly theme: ThemeChoice;
  private readonly display: DisplayPanel;
  private readonly selection: SelectionPanel;
  private readonly breaks: BreakView;
  private readonly timeline: Timeline;
  private readonly transport: Transport;
  private readonly events: EventList;
  private readonly plots: Plot[];
  private readonly help: HelpOverlay;
  private readonly counts = el("div", { class: "overlay" });
  private readonly announcer = el("div", { class: "hidden-text", role: "status" });
  private readonly cameraButton: HTMLButtonElement;
  private readonly themeButton: HTMLButtonElement;
  private readonly panelButton: HTMLButtonElement;

  constructor(
    readonly recording: Recording,
    host: HTMLElement,
  ) {
    this.theme = new ThemeChoice((theme) => {
      this.viewport.setTheme(theme);
      this.refreshTheme();
    });
    const stage = el("main", { class: "stage" });
    this.player = new Player(recording.firstFrame, lastFrame(recording), recording.dt);
    this.cameraButton = iconButton("fly", "Fly", "V", () => this.toggleCamera());
    this.themeButton = iconButton("sun", "Light", "T", () => this.toggleTheme());
    this.panelButton = iconButton("panel", "Panel", "P", () => this.togglePanel());
    this.timeline = new Timeline(recording, (frame, event) => this.seek(frame, event));
    this.transport = new Transport(recording, this.player, this.timeline, {
      toggle: () => this.togglePlay(),
      step: (frames) => this.step(frames),
      toStart: () => this.toStart(),
      loop: () => this.toggleLoop(),
      speed: (value) => this.setSpeed(value),
    });
    this.selection = new SelectionPanel(recording, {
      select: (body) => this.select(body),
      step: (direction) => this.stepSelection(direction),
      frame: () => this.frameSelection(),
      clear: () => this.clearSelection(),
    });
    this.events = new EventList(recording, (event) => this.seek(event.frame, event));
    this.plots = this.makePlots();
    this.help = new HelpOverlay(SHORTCUTS, aboutText(recording));
    const side = el("aside", { class: "side", "aria-label": "Panel" });
    this.element = el("div", { class: "app" }, this.makeBar(), stage, side, this.transport.element, this.help.element, this.announcer);
    host.replaceChildren(this.element);
    this.viewport = new Viewport(stage, recording, this.theme.theme);
    this.display = new DisplayPanel(COLOUR_MODES, {
      colours: (mode) => this.viewport.setColours(mode),
      explode: (strength) => this.viewport.setExplosion(strength),
      slice: (slice) => this.viewport.setSlice(slice),
      sliceRange: (axis) => this.viewport.sliceRange(axis),
    });
    this.breaks = new BreakView(recording, this.viewport, {
      choose: (event) => this.seek(event.frame, event),
      asked: () => undefined, // it is always there
      failed: (error) => this.announce(String(error)),
    });
    stage.append(this.counts, this.breaks.legend);
    side.append(
      section("View", true, this.display.element),
      section("Why did it break?", true, this.breaks.element),
      section("Selection", true, this.selection.element),
      section("Energy", true, this.plots[0]!.element),
      section("Momentum", true, this.plots[1]!.element),
      section(`Events (${recording.events.length})`, false, this.events.element),
    );
    this.refreshThemeButton();
    this.refreshButtons();
    this.listen();
  }

  private makePlots(): Plot[] {
    const seek = (frame: number): void => this.seek(frame);
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
        iconButton("home", "Reset view", "R", () => this.resetCamera()),
        iconButton("focus", "Bring into view", "F", () => this.frameSelection()),
        iconButton("camera", "Save a picture", "I", () => this.savePicture()),
        this.themeButton,
        this.panelButton,
        iconButton("help", "Keys and help", "?", () => this.toggleHelp()),
      ),
    );
  }

  // ---- time

  /** Draws from now on, as the screen wants pictures. */
  run(): void {
    this.refreshMoment();
    this.viewport.tick(0);
    void this.viewport.finished().then(() => {
      performance.mark("first-picture");
      void this.viewport.finishLooks();
      this.goOn();
    });
  }

  /** The first picture comes alone: on slow machines a second one would only hold it up. */
  private goOn(): void {
    let before = performance.now();
    const tick = (now: number): void => {
      const seconds = Math.min((now - before) / 1000, 0.25);
      before = now;
      this.player.advance(seconds);
      this.refreshMoment();
      this.viewport.tick(seconds);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  private refreshMoment(): void {
    this.viewport.show(this.player.moment, this.between);
    const frame = this.player.frame;
    if (frame === this.shownFrame) return;
    this.shownFrame = frame;
    this.breaks.moment(frame, this.player.playing);
    this.transport.refresh();
    this.selection.update(frame);
    this.events.set(frame);
    for (const plot of this.plots) plot.set(frame);
    const living = this.recording.bodies.filter((body) => body.mesh >= 0 && isAlive(body, frame)).length;
    this.counts.replaceChildren(el("strong", {}, plural(living, "body", "bodies")), ` · ${plural(this.breaksUntil(frame), "break")}`);
  }

  private breaksUntil(frame: number): number {
    return this.recording.events.filter((event) => event.kind === "fracture" && event.frame <= frame).length;
  }

  private afterJump(): void {
    this.viewport.setImpact(undefined);
    this.refreshMoment();
    this.transport.refresh();
  }

  /** To a frame; with an event, to what it tells: the place of the impact and who broke. */
  seek(frame: number, event?: RecordedEvent): void {
    this.player.playing &&= event === undefined;
    this.player.seek(frame);
    this.afterJump();
    if (!event) return;
    this.viewport.setImpact(event.point);
    if (event.body >= 0) this.select(event.body);
    this.breaks.show(event);
  }

  togglePlay(): void {
    this.player.toggle();
    this.breaks.moment(this.player.frame, this.player.playing);
    this.afterJump();
  }
  step(frames: number): void {
    this.player.step(frames);
    this.afterJump();
  }
  toStart(): void {
    this.seek(this.player.first);
  }
  toEnd(): void {
    this.seek(this.player.last);
  }
  jumpToEvent(direction: -1 | 1): void {
    const frame = this.timeline.eventFrame(this.player.frame, direction);
    if (frame !== undefined) this.seek(frame, this.timeline.eventsAt(frame)[0]);
  }
  changeSpeed(direction: -1 | 1): void {
    this.player.changeSpeed(direction);
    this.transport.refresh();
  }
  private setSpeed(value: number): void {
    this.player.speed = value;
    this.transport.refresh();
  }
  toggleLoop(): void {
    this.player.loop = !this.player.loop;
    this.transport.refresh();
  }
  toggleSmooth(): void {
    this.between = this.between === "smooth" ? "step" : "smooth";
    this.announce(this.between === "smooth" ? "Smooth motion" : "Frame by frame");
  }

  // ---- selection

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

  clearSelection(): void {
    this.viewport.setImpact(undefined);
    this.breaks.show(undefined);
    this.select(-1);
  }

  stepSelection(direction: -1 | 1): void {
    const living = this.recording.bodies.filter((body) => body.mesh >= 0 && isAlive(body, this.player.frame));
    if (living.length === 0) return;
    const at = living.findIndex((body) => body.id === this.selected);
    const next = at < 0 ? (direction > 0 ? 0 : living.length - 1) : (at + direction + living.length) % living.length;
    this.select(living[next]!.id);
  }

  frameSelection(): void {
    this.viewport.frame(this.selected < 0 ? [] : [this.selected, ...this.descendantsOf(this.selected)]);
  }

  // ---- view

  toggleCamera(): void {
    this.viewport.cameras.mode = this.viewport.cameras.mode === "orbit" ? "fly" : "orbit";
    this.refreshButtons();
    this.announce(this.viewport.cameras.mode === "fly" ? "Fly: W A S D Q E, drag to look" : "Orbit");
  }
  resetCamera(): void {
    this.viewport.resetCamera();
    this.refreshButtons();
  }
  nextColours(): void {
    this.display.nextColours();
  }
  toggleExplosion(): void {
    this.display.toggleExplosion();
  }
  toggleSlice(): void {
    this.display.toggleSlice();
  }
  toggleStress(): void {
    this.breaks.toggle(this.player.frame);
  }
  toggleTheme(): void {
    this.theme.toggle();
  }
  togglePanel(): void {
    this.element.classList.toggle(window.innerWidth <= 820 ? "narrow-panel" : "wide");
    this.refreshButtons();
  }
  toggleHelp(): void {
    this.help.toggle();
  }

  savePicture(): void {
    void this.viewport.picture().then((blob) => {
      const link = el("a", { href: URL.createObjectURL(blob), download: `${fileName(this.recording.title)}-${this.player.frame}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      this.announce("Picture saved");
    });
  }

  private refreshThemeButton(): void {
    const dark = this.theme.theme === "dark";
    setIcon(this.themeButton, dark ? "sun" : "moon", dark ? "Light" : "Dark", "T");
  }

  private refreshTheme(): void {
    this.refreshThemeButton();
    this.timeline.draw();
    for (const plot of this.plots) plot.rebuild();
  }

  private refreshButtons(): void {
    const flying = this.viewport.cameras.mode === "fly";
    setIcon(this.cameraButton, flying ? "orbit" : "fly", flying ? "Orbit" : "Fly", "V");
    setPressed(this.cameraButton, flying);
    setPressed(this.panelButton, !this.element.classList.contains("wide"));
  }

  private announce(text: string): void {
    this.announcer.textContent = text;
  }

  private listen(): void {
    listenForShortcuts(this, (code, down) => this.viewport.cameras.key(code, down));
    // who clicks with a mouse goes on with the keys of the page, not with those of the button
    this.element.addEventListener("click", (event) => {
      if (event.detail > 0 && event.target instanceof Element && event.target.closest("button") && !event.target.closest("dialog")) {
        this.viewport.canvas.focus({ preventScroll: true });
      }
    });
    const { canvas } = this.viewport;
    let pressedAt = { x: 0, y: 0 };
    canvas.addEventListener("pointerdown", (event) => (pressedAt = { x: event.clientX, y: event.clientY }));
    canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.clientX - pressedAt.x, event.clientY - pressedAt.y) > CLICK_DISTANCE) return;
      void this.viewport.bodyAt(event.offsetX, event.offsetY).then((body) => this.select(body));
    });
    canvas.addEventListener("dblclick", () => this.frameSelection());
  }
}

function aboutText(recording: Recording): string {
  const made = recording.program ? `Recorded with Sunder ${recording.program}: ` : "";
  const bodies = plural(recording.bodies.length, "body", "bodies");
  return `${made}${plural(recording.frames, "frame")}, ${bodies} in all, ${plural(recording.events.length, "event")}.`;
}

function fileName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "replay";
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
