import { SPEEDS } from "../core/player";
import type { Status } from "../server/contract";
import type { Stage } from "../stage/contract";
import { el, icon, iconButton, setIcon, setPressed } from "../ui/dom";
import type { Timeline } from "../ui/timeline";
import { secondsText } from "./jobs";

const SLOW = 2; // s: frames that take longer are said to be at work

export interface TransportActions {
  runOrPause(): void;
  stepRun(): void;
  restart(): void;
  setPace(pace: "real" | "fast"): void;
  togglePlay(): void;
  step(frames: number): void;
  toStart(): void;
  toEnd(): void;
  toggleLoop(): void;
  setSpeed(value: number): void;
  goToFrame(frame: number): void;
}

/** Making frames on the left (run, step, restart), watching them on the right (play, scrub). */
export class StudioTransport {
  readonly element: HTMLElement;
  private readonly run = el("button", { type: "button", class: "run-button", "aria-keyshortcuts": "Control+Enter" });
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly live: HTMLButtonElement;
  private readonly pace = el("select", {
    "aria-label": "Pace of the run",
    title: "As fast as it can, or not faster than it will be watched",
  });
  private readonly speed = el("select", { "aria-label": "Playback speed", title: "Playback speed ( , and . )" });
  private readonly frame = el("input", {
    class: "frame-input",
    type: "text",
    inputmode: "numeric",
    "aria-label": "Frame: go to",
    title: "Go to a frame (Ctrl G)",
  });
  private readonly last = el("span", { class: "frame-last" });
  private readonly time = el("span", { class: "frame-time" });
  private readonly atWork = el("span", { class: "at-work" });
  private runState = "";
  private showsPause = false;
  private newest = 0; // frame
  private since = 0; // ms, when it came; a run that is not going on has no frame at work
  private running = false;
  private workStage = ""; // what the frame at work is at

  constructor(
    private readonly stage: Stage,
    private readonly timeline: Timeline,
    actions: TransportActions,
  ) {
    this.run.addEventListener("click", actions.runOrPause);
    this.pace.append(el("option", { value: "fast" }, "Fast"), el("option", { value: "real" }, "Real time"));
    this.pace.addEventListener("change", () => actions.setPace(this.pace.value as "real" | "fast"));
    this.play = iconButton("play", "Play", "Space", actions.togglePlay);
    this.loop = iconButton("loop", "Loop", "L", actions.toggleLoop);
    this.live = iconButton("next", "To the newest frame, and follow the run", "End", actions.toEnd);
    for (const speed of SPEEDS) this.speed.append(el("option", { value: speed }, `${speed} ×`));
    this.speed.addEventListener("change", () => actions.setSpeed(Number(this.speed.value)));
    this.frame.addEventListener("change", () => {
      const wanted = Number.parseInt(this.frame.value, 10);
      if (Number.isFinite(wanted)) actions.goToFrame(wanted);
      this.refresh();
    });
    this.frame.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.frame.blur();
    });
    this.element = el(
      "footer",
      { class: "transport" },
      el(
        "div",
        { class: "transport-buttons", role: "toolbar", "aria-label": "Run" },
        this.run,
        iconButton("stepOn", "Run one frame", "Shift Enter", actions.stepRun),
        iconButton("restart", "Restart: back to the start, frames are dropped", "Ctrl Shift Enter", actions.restart),
        this.pace,
        this.atWork,
      ),
      el("span", { class: "divider" }),
      el(
        "div",
        { class: "transport-buttons", role: "toolbar", "aria-label": "Playback" },
        iconButton("start", "To the start", "Home", actions.toStart),
        iconButton("back", "One frame back", "←", () => actions.step(-1)),
        this.play,
        iconButton("forward", "One frame on", "→", () => actions.step(1)),
        this.live,
        this.loop,
        this.speed,
      ),
      timeline.element,
      el("div", { class: "readout" }, el("span", { class: "frame-number" }, this.frame, this.last), this.time),
    );
    window.setInterval(() => this.tellOfWork(), 1000);
    this.setStatus(undefined);
    this.refresh();
  }

  focusFrame(): void {
    this.frame.focus();
    this.frame.select();
  }

  setStatus(status: Status | undefined): void {
    this.workStage = status?.take.work?.stage ?? "";
    const state = status?.take.state ?? "still";
    const running = state === "running";
    const label = running
      ? "Pause"
      : state === "still" || status?.take.stale
        ? "Run"
        : state === "done"
          ? "Run on"
          : state === "failed"
            ? "Try again"
            : "Go on";
    const key = `${state}${label}`;
    if (key !== this.runState) {
      this.runState = key;
      this.run.replaceChildren(icon(running ? "pause" : "play"), el("span", {}, label));
      this.run.title = running
        ? "Pause the run (Ctrl Enter)"
        : label === "Run on"
          ? "Make the scene longer by 150 frames, and run them (Ctrl Enter; Ctrl Z takes it back)"
          : "Simulate: make the next frames (Ctrl Enter)";
      this.run.classList.toggle("running", running);
    }
    this.pace.value = status?.take.pace ?? "fast";
    const last = status?.take.last ?? 0;
    if (running && this.running && last === this.newest) return;
    [this.running, this.newest, this.since] = [running, last, performance.now()];
    this.tellOfWork();
  }

  /** Without Sunder nothing can be run. */
  setConnected(connected: boolean): void {
    this.run.disabled = !connected;
  }

  /** Breaking things can take long: which frame is at work, and for how long. */
  private tellOfWork(): void {
    const seconds = this.running ? (performance.now() - this.since) / 1000 : 0;
    const stage = this.workStage === "" ? "" : `: ${this.workStage}`;
    this.atWork.textContent = seconds < SLOW ? "" : `frame ${this.newest + 1}, ${secondsText(seconds)}${stage}`;
    this.atWork.title = this.atWork.textContent;
  }

  refresh(): void {
    const { player, recording } = this.stage;
    if (player.playing !== this.showsPause) {
      this.showsPause = player.playing;
      if (player.playing) setIcon(this.play, "pause", "Pause playback", "Space");
      else setIcon(this.play, "play", "Play", "Space");
    }
    setPressed(this.loop, player.loop);
    setPressed(this.live, this.stage.following);
    this.speed.value = String(player.speed);
    if (document.activeElement !== this.frame) this.frame.value = String(player.frame);
    this.last.textContent = ` / ${player.last}`;
    this.time.textContent = `${(recording.times[player.frame - recording.firstFrame] ?? player.frame * recording.dt).toFixed(2)} s`;
    this.timeline.set(player.frame);
  }
}
