import type { Player } from "../core/player";
import { SPEEDS } from "../core/player";
import type { Recording } from "../core/recording";
import { el, iconButton, setIcon, setPressed } from "./dom";
import type { Timeline } from "./timeline";

export interface TransportActions {
  toggle(): void;
  step(frames: number): void;
  toStart(): void;
  loop(): void;
  speed(value: number): void;
}

/** Play, step, speed, and the timeline. */
export class Transport {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly speed = el("select", { "aria-label": "Speed", title: "Speed ( , and . )" });
  private readonly frame = el("span", { class: "frame-number" });
  private readonly time = el("span", { class: "frame-time" });
  private showsPause = false;

  constructor(
    private readonly recording: Recording,
    private readonly player: Player,
    private readonly timeline: Timeline,
    actions: TransportActions,
  ) {
    this.play = iconButton("play", "Play", "Space", actions.toggle);
    this.play.classList.add("primary");
    this.loop = iconButton("loop", "Loop", "L", actions.loop);
    for (const speed of SPEEDS) this.speed.append(el("option", { value: speed }, `${speed} ×`));
    this.speed.addEventListener("change", () => actions.speed(Number(this.speed.value)));
    this.element = el(
      "footer",
      { class: "transport" },
      el(
        "div",
        { class: "transport-buttons" },
        iconButton("start", "To the start", "Home", actions.toStart),
        iconButton("back", "One frame back", "←", () => actions.step(-1)),
        this.play,
        iconButton("forward", "One frame on", "→", () => actions.step(1)),
        this.loop,
        this.speed,
      ),
      timeline.element,
      el("div", { class: "readout" }, this.frame, this.time),
    );
    this.refresh();
  }

  refresh(): void {
    const { player, recording } = this;
    if (player.playing !== this.showsPause) {
      this.showsPause = player.playing;
      if (player.playing) setIcon(this.play, "pause", "Pause", "Space");
      else setIcon(this.play, "play", "Play", "Space");
    }
    setPressed(this.loop, player.loop);
    this.speed.value = String(player.speed);
    this.frame.textContent = `${player.frame} / ${player.last}`;
    this.time.textContent = `${(recording.times[player.frame - recording.firstFrame] ?? 0).toFixed(2)} s`;
    this.timeline.set(player.frame);
  }
}
