export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4] as const;

/** Where playback stands. Time comes in from outside, so that it can be tested and driven by any clock. */
export class Player {
  playing = false;
  loop = true;
  speed = 1;
  private at: number;

  constructor(
    private from: number,
    private to: number,
    private dt: number, // s per frame
  ) {
    this.at = from;
  }

  get first(): number {
    return this.from;
  }
  get last(): number {
    return this.to;
  }

  /** There are other frames now; the playhead stays where it is, if that is among them. */
  setRange(first: number, last: number, dt = this.dt): void {
    this.from = first;
    this.to = last;
    this.dt = dt;
    this.seek(this.at);
  }

  /** In frames; between two of them while playing. */
  get moment(): number {
    return this.at;
  }
  get frame(): number {
    return Math.floor(this.at + 1e-9);
  }

  /** Lets so much time pass; true when anything changed. */
  advance(seconds: number): boolean {
    if (!this.playing || this.last === this.first) return false;
    const length = this.last - this.first;
    let next = this.at + (seconds * this.speed) / this.dt;
    if (next > this.last) {
      if (this.loop) {
        next = this.first + ((next - this.first) % length);
      } else {
        next = this.last;
        this.playing = false;
      }
    }
    this.at = next;
    return true;
  }

  /** Playing from the end begins anew. */
  toggle(): void {
    this.playing = !this.playing;
    if (this.playing && this.at >= this.last) this.at = this.first;
  }

  seek(frame: number): void {
    this.at = Math.min(Math.max(frame, this.first), this.last);
  }

  /** To a whole frame, so many away; playback stops. */
  step(frames: number): void {
    this.playing = false;
    const from = frames > 0 ? Math.floor(this.at + 1e-9) : Math.ceil(this.at - 1e-9);
    this.seek(from + frames);
  }

  /** The next slower (-1) or faster (+1) speed. */
  changeSpeed(direction: -1 | 1): void {
    const at = SPEEDS.findIndex((speed) => speed >= this.speed);
    const index = Math.min(Math.max((at < 0 ? SPEEDS.length - 1 : at) + direction, 0), SPEEDS.length - 1);
    this.speed = SPEEDS[index]!;
  }
}
