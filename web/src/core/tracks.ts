import { NumberReader } from "./packed";

const CHANNELS = 7;

/** Where a body is at any moment of its life: kept whole in a replay, looked up among pulled frames in a live take. */
export interface Motion {
  readonly samples: number; // 0: it is never seen
  /** Into `out` from `start` on: x y z, qx qy qz qw. A frame between two whole ones lies between their poses. */
  sample(frame: number, out: Float32Array, start?: number): void;
  /** Of the centre of mass in a whole frame, m/s: what it moved since the frame before, or to the next at birth. */
  speed(frame: number, dt: number): number;
}

/**
 * Where a body is, frame by frame: centre of mass and rotation (x y z w), from `first` on. When it has come to rest
 * there are no more samples: the last one holds.
 */
export class Track implements Motion {
  constructor(
    readonly first: number,
    readonly samples: number,
    private readonly values: Float32Array, // CHANNELS per sample
  ) {}

  static readonly none = new Track(0, 0, new Float32Array(0));

  sample(frame: number, out: Float32Array, start = 0): void {
    const last = this.samples - 1;
    const at = Math.min(Math.max(frame - this.first, 0), last);
    const before = Math.floor(at);
    const share = at - before;
    const a = before * CHANNELS;
    const values = this.values;
    if (share === 0) {
      for (let k = 0; k < CHANNELS; ++k) out[start + k] = values[a + k]!;
      return;
    }
    const b = a + CHANNELS;
    for (let k = 0; k < CHANNELS; ++k) out[start + k] = values[a + k]! * (1 - share) + values[b + k]! * share;
    normalise(out, start);
  }

  speed(frame: number, dt: number): number {
    const at = Math.min(Math.max(Math.floor(frame) - this.first, 0), this.samples);
    if (this.samples < 2 || at >= this.samples) return 0;
    const b = Math.max(at, 1) * CHANNELS;
    const a = b - CHANNELS;
    const v = this.values;
    return Math.hypot(v[b]! - v[a]!, v[b + 1]! - v[a + 1]!, v[b + 2]! - v[a + 2]!) / dt;
  }
}

/** Neighbouring quaternions are near each other (the export sees to it), so a straight mean will do. */
function normalise(poses: Float32Array, start: number): void {
  const [x, y, z, w] = [poses[start + 3]!, poses[start + 4]!, poses[start + 5]!, poses[start + 6]!];
  const length = Math.sqrt(x * x + y * y + z * z + w * w) || 1;
  for (let k = start + 3; k < start + CHANNELS; ++k) poses[k] = poses[k]! / length;
}

/** Reads what io/exports/replay_tracks.h writes. */
export function readTrack(reader: NumberReader, first: number, samples: number, positionQuantum: number, rotationQuantum: number): Track {
  const values = new Float32Array(samples * CHANNELS);
  for (let k = 0; k < CHANNELS; ++k) {
    const quantum = k < 3 ? positionQuantum : rotationQuantum;
    let last = 0;
    let before = 0;
    for (let n = 0; n < samples; ++n) {
      const straightOn = n < 2 ? last : 2 * last - before;
      before = last;
      last = straightOn + reader.signed();
      values[n * CHANNELS + k] = last * quantum;
    }
  }
  for (let n = 0; n < samples; ++n) normalise(values, n * CHANNELS);
  return new Track(first, samples, values);
}
