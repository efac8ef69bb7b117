/** Who is in a frame, and where in its numbers. Frames between two births share one. */
interface Layout {
  readonly ids: Uint32Array; // ascending
  readonly slots: Int32Array; // by body; -1: not there
}

/** All that is there in one frame. */
export interface CachedFrame {
  readonly number: number;
  readonly layout: Layout;
  readonly poses: Float32Array; // seven per slot: centre of mass, m; rotation x y z w
}

const CHANNELS = 7;
const WORDS = 1 + CHANNELS; // of one body in an answer

function layoutOf(ids: Uint32Array): Layout {
  const slots = new Int32Array(ids.length === 0 ? 0 : ids[ids.length - 1]! + 1).fill(-1);
  ids.forEach((id, slot) => (slots[id] = slot));
  return { ids, slots };
}

/** Who comes to those that are there; who has died leaves. */
function grownLayout(layout: Layout, fresh: readonly number[], isDead: (body: number) => boolean): Layout {
  const ids = [...layout.ids].filter((id) => !isDead(id));
  ids.push(...fresh);
  return layoutOf(Uint32Array.from(ids).sort());
}

function moved(before: CachedFrame, layout: Layout): Float32Array {
  if (layout === before.layout) return before.poses.slice();
  const poses = new Float32Array(CHANNELS * layout.ids.length);
  layout.ids.forEach((id, slot) => {
    const old = before.layout.slots[id] ?? -1;
    if (old >= 0) poses.set(before.poses.subarray(CHANNELS * old, CHANNELS * (old + 1)), CHANNELS * slot);
  });
  return poses;
}

/**
 * Reads an answer to `frames`: u32 number, u32 count, count times u32 body and seven f32. Its first frame has all that
 * live, the others only what changed. `diedIn`: the first frame without a body.
 */
export function readFrames(bytes: ArrayBuffer, diedIn: (body: number) => number): CachedFrame[] {
  const words = new Uint32Array(bytes, 0, Math.floor(bytes.byteLength / 4));
  const floats = new Float32Array(bytes, 0, words.length);
  const frames: CachedFrame[] = [];
  for (let at = 0; at + 2 <= words.length; ) {
    const number = words[at]!;
    const count = words[at + 1]!;
    at += 2;
    if (at + WORDS * count > words.length) throw new Error(`frame ${number} is cut short`);
    frames.push(readFrame(frames[frames.length - 1], number, words, floats, at, count, diedIn));
    at += WORDS * count;
  }
  return frames;
}

function readFrame(
  before: CachedFrame | undefined,
  number: number,
  words: Uint32Array,
  floats: Float32Array,
  at: number,
  count: number,
  diedIn: (body: number) => number,
): CachedFrame {
  const bodyAt = (i: number): number => words[at + WORDS * i]!;
  let layout: Layout;
  if (before === undefined) {
    layout = layoutOf(Uint32Array.from({ length: count }, (_, i) => bodyAt(i)).sort());
  } else {
    const fresh: number[] = [];
    for (let i = 0; i < count; ++i) if ((before.layout.slots[bodyAt(i)] ?? -1) < 0) fresh.push(bodyAt(i));
    layout = fresh.length === 0 ? before.layout : grownLayout(before.layout, fresh, (body) => diedIn(body) <= number);
  }
  const poses = before === undefined ? new Float32Array(CHANNELS * count) : moved(before, layout);
  for (let i = 0; i < count; ++i) {
    const slot = CHANNELS * layout.slots[bodyAt(i)]!;
    const from = at + WORDS * i + 1;
    for (let k = 0; k < CHANNELS; ++k) poses[slot + k] = floats[from + k]!;
  }
  return { number, layout, poses };
}

/** Poses that were pulled, the least recently used ones leave when there are too many. */
export class FrameCache {
  private readonly frames = new Map<number, CachedFrame>(); // in the order of their use
  private used = 0;

  constructor(private readonly limit: number /* bytes */) {}

  get bytes(): number {
    return this.used;
  }
  get count(): number {
    return this.frames.size;
  }

  has(frame: number): boolean {
    return this.frames.has(frame);
  }

  /** Does not count as use. */
  peek(frame: number): CachedFrame | undefined {
    return this.frames.get(frame);
  }

  /** Marks a frame as used. */
  touch(frame: number): void {
    const known = this.frames.get(frame);
    if (known === undefined) return;
    this.frames.delete(frame);
    this.frames.set(frame, known);
  }

  add(frames: readonly CachedFrame[]): void {
    for (const frame of frames) {
      this.remove(frame.number);
      this.frames.set(frame.number, frame);
      this.used += bytesOf(frame);
    }
    for (const number of this.frames.keys()) {
      if (this.used <= this.limit || this.frames.size <= 2) break;
      this.remove(number);
    }
  }

  /** The first of [from, to] that is not here, looking forward. */
  firstMissing(from: number, to: number): number | undefined {
    for (let frame = from; frame <= to; ++frame) if (!this.frames.has(frame)) return frame;
    return undefined;
  }

  /** The newest of the frames at or before this one. */
  newestUpTo(frame: number): number | undefined {
    let newest: number | undefined;
    for (const number of this.frames.keys()) if (number <= frame && (newest === undefined || number > newest)) newest = number;
    return newest;
  }

  clear(): void {
    this.frames.clear();
    this.used = 0;
  }

  private remove(frame: number): void {
    const known = this.frames.get(frame);
    if (known === undefined) return;
    this.used -= bytesOf(known);
    this.frames.delete(frame);
  }
}

function bytesOf(frame: CachedFrame): number {
  return frame.poses.byteLength + frame.layout.ids.byteLength;
}
