import type { Between } from "../core/places";
import type { Player } from "../core/player";
import { isAlive, type RecordedEvent, type Recording, type Vec3 } from "../core/recording";
import { largestOf, type BreakView } from "./break_view";
import { saveBlob } from "./dom";
import type { Timeline } from "./timeline";

/** A recording and where playback stands in it; replay and Studio have one each. */
export interface WatchStage {
  readonly recording: Recording;
  readonly player: Player;
  between: Between;
  seek(frame: number): void;
}

/** The picture of it. */
export interface WatchView {
  cameraMode: "orbit" | "fly";
  setImpact(point: Vec3 | undefined): void;
  resetCamera(): void;
  /** Brings bodies into view; without any, everything. */
  frame(bodies: readonly number[]): void;
  picture(): Promise<Blob>;
}

export interface WatchCallbacks {
  /** Bodies of the recording, the first as the one that was chosen. */
  selected(): readonly number[];
  /** undefined: none. */
  select(body: number | undefined): void;
  /** Playback goes on elsewhere, or otherwise. */
  refresh(): void;
  cameraChanged(): void;
  announce(text: string): void;
  /** Of a picture, without what it ends in. */
  pictureName(): string;
  saved(name: string): void;
}

/** What people do with a recording that is shown: go through its time, choose pieces, look from elsewhere. */
export class Watching {
  constructor(
    private readonly stage: WatchStage,
    private readonly view: WatchView,
    private readonly timeline: Timeline,
    private readonly breaks: BreakView,
    private readonly page: WatchCallbacks,
  ) {}

  // ---- time

  /** To a frame; with an event, to what it tells: the place of the impact and who broke. */
  seek(frame: number, event?: RecordedEvent): void {
    this.stage.player.playing &&= event === undefined;
    this.stage.seek(frame);
    this.view.setImpact(event?.point);
    this.page.refresh();
    if (event && event.body >= 0) this.page.select(event.body);
    this.breaks.show(event);
  }
  togglePlay(): void {
    const { player } = this.stage;
    player.toggle();
    this.view.setImpact(undefined);
    this.breaks.moment(player.frame, player.playing);
    this.page.refresh();
  }
  step(frames: number): void {
    this.stage.player.step(frames);
    this.seek(this.stage.player.frame);
  }
  toStart(): void {
    this.seek(this.stage.player.first);
  }
  toEnd(): void {
    this.seek(this.stage.player.last);
  }
  jumpToEvent(direction: -1 | 1): void {
    const frame = this.timeline.eventFrame(this.stage.player.frame, direction);
    if (frame === undefined) return;
    const events = this.timeline.eventsAt(frame);
    this.seek(frame, largestOf(events, this.stage.recording) ?? events[0]);
  }
  changeSpeed(direction: -1 | 1): void {
    this.stage.player.changeSpeed(direction);
    this.page.refresh();
  }
  setSpeed(speed: number): void {
    this.stage.player.speed = speed;
    this.page.refresh();
  }
  toggleLoop(): void {
    this.stage.player.loop = !this.stage.player.loop;
    this.page.refresh();
  }
  toggleSmooth(): void {
    this.stage.between = this.stage.between === "smooth" ? "step" : "smooth";
    this.page.announce(this.stage.between === "smooth" ? "Smooth motion" : "Frame by frame");
  }

  // ---- selection

  clearSelection(): void {
    this.view.setImpact(undefined);
    this.breaks.show(undefined);
    this.page.select(undefined);
  }
  stepSelection(direction: -1 | 1): void {
    const { recording, player } = this.stage;
    const living = recording.bodies.filter((body) => body.mesh >= 0 && isAlive(body, player.frame));
    if (living.length === 0) return;
    const at = living.findIndex((body) => body.id === this.page.selected()[0]);
    const next = at < 0 ? (direction > 0 ? 0 : living.length - 1) : (at + direction + living.length) % living.length;
    this.page.select(living[next]!.id);
  }

  // ---- view

  frameSelection(): void {
    this.view.frame(this.page.selected());
  }
  resetCamera(): void {
    this.view.resetCamera();
    this.page.cameraChanged();
  }
  toggleCamera(): void {
    this.view.cameraMode = this.view.cameraMode === "orbit" ? "fly" : "orbit";
    this.page.cameraChanged();
    this.page.announce(this.view.cameraMode === "fly" ? "Fly: W A S D Q E, drag to look" : "Orbit");
  }
  toggleStress(): void {
    this.breaks.toggle(this.stage.player.frame);
  }
  savePicture(): void {
    const name = `${this.page.pictureName()}-${this.stage.player.frame}.png`;
    void this.view.picture().then((blob) => {
      saveBlob(blob, name);
      this.page.saved(name);
    });
  }
}
