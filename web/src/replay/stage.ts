import type { Between } from "../core/places";
import type { Player } from "../core/player";
import type { Recording } from "../core/recording";
import type { WatchStage } from "../ui/watching";
import type { Viewport } from "../view/viewport";

/** A recording that is all there, its playback, and the picture of it. */
export class ReplayStage implements WatchStage {
  between: Between = "smooth";

  constructor(
    readonly recording: Recording,
    readonly player: Player,
    private readonly viewport: Viewport,
    private readonly moment: () => void, // time stands elsewhere, or went on
  ) {}

  /** Draws from now on, as the screen wants pictures. */
  run(): void {
    this.show();
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
      this.show();
      this.viewport.tick(seconds);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  private show(): void {
    this.viewport.show(this.player.moment, this.between);
    this.moment();
  }

  seek(frame: number): void {
    this.player.seek(frame);
    this.show();
  }
}
