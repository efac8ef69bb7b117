import type { Motion } from "../core/tracks";
import { mixPoses } from "../core/places";
import type { CachedFrame, FrameCache } from "./frame_cache";

const FAR_APART = 4; // frames; a speed is not taken over more

/** Where a body of a live take is, as far as its frames are here. Whoever shows a frame sees to that first. */
export class LiveMotion implements Motion {
  readonly samples = 2; // there may always be more
  private readonly a = new Float32Array(7);
  private readonly b = new Float32Array(7);

  constructor(
    private readonly cache: FrameCache,
    private readonly body: number,
  ) {}

  sample(frame: number, out: Float32Array, start = 0): void {
    const before = Math.floor(frame);
    if (!this.read(before, out, start)) {
      const newest = this.cache.newestUpTo(before);
      if (newest === undefined || !this.read(newest, out, start)) out.set(ORIGIN, start);
    }
    const share = frame - before;
    if (share === 0 || !this.read(before + 1, this.b, 0)) return;
    this.a.set(out.subarray(start, start + 7));
    mixPoses(this.a, this.b, share, out, start);
  }

  speed(frame: number, dt: number): number {
    const last = Math.floor(frame);
    if (!this.read(last, this.b, 0)) return 0;
    for (let back = 1; back <= FAR_APART; ++back) {
      if (!this.read(last - back, this.a, 0)) continue;
      return Math.hypot(this.b[0]! - this.a[0]!, this.b[1]! - this.a[1]!, this.b[2]! - this.a[2]!) / (back * dt);
    }
    return 0;
  }

  private read(frame: number, out: Float32Array, start: number): boolean {
    const known: CachedFrame | undefined = this.cache.peek(frame);
    const slot = known?.layout.slots[this.body] ?? -1;
    if (slot < 0) return false;
    const poses = known!.poses;
    for (let k = 0, from = 7 * slot; k < 7; ++k) out[start + k] = poses[from + k]!;
    return true;
  }
}

const ORIGIN = new Float32Array([0, 0, 0, 0, 0, 0, 1]);
