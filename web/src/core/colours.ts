import type { Body, Recording, Vec3 } from "./recording";

/** Ways to colour bodies. `material` is how they look; all others are one colour per body. */
export const COLOUR_MODES = ["material", "piece", "parent", "age", "speed"] as const;
export type ColourMode = (typeof COLOUR_MODES)[number];

export const COLOUR_LABELS: Readonly<Record<ColourMode, string>> = {
  material: "Material",
  piece: "Piece",
  parent: "Parent",
  age: "Age",
  speed: "Speed",
};

/** For a quantity: 0..1 to a colour, as lightness and hue both rise. sRGB 0..1, from dark violet to light yellow. */
const RAMP: readonly Vec3[] = [
  [0.18, 0.2, 0.42],
  [0.2, 0.38, 0.63],
  [0.16, 0.56, 0.66],
  [0.32, 0.72, 0.55],
  [0.68, 0.83, 0.36],
  [0.98, 0.86, 0.32],
];

export function ramp(value: number): Vec3 {
  const at = Math.min(Math.max(value, 0), 1) * (RAMP.length - 1);
  const i = Math.min(Math.floor(at), RAMP.length - 2);
  const share = at - i;
  const a = RAMP[i]!;
  const b = RAMP[i + 1]!;
  return [0, 1, 2].map((k) => a[k]! * (1 - share) + b[k]! * share) as unknown as Vec3;
}

export function rampCss(): string {
  const stops = RAMP.map((c) => `rgb(${c.map((x) => Math.round(255 * x)).join(" ")})`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

/** Colours that tell neighbours apart: hues a golden step from each other, in two lightnesses. sRGB 0..1. */
export function distinct(number: number): Vec3 {
  const hue = (number * 0.61803398875) % 1;
  const tier = Math.floor(number) % 3;
  const lightness = [0.66, 0.76, 0.58][tier]!;
  const saturation = [0.6, 0.55, 0.5][tier]!;
  const channel = (shift: number): number => {
    const k = (shift + 12 * hue) % 12;
    return lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

export interface ColourScale {
  readonly unit: string;
  readonly from: number;
  readonly to: number;
}

/** Colours of all bodies in a mode. Quantities share one scale over the whole recording, so frames can be compared. */
export class Painter {
  private known: ColourScale | undefined;

  constructor(
    private readonly recording: Recording,
    readonly mode: ColourMode,
  ) {
    this.refresh();
  }

  get scale(): ColourScale | undefined {
    return this.known;
  }

  /** The recording has grown. */
  refresh(): void {
    this.known = this.scaleOf(this.mode);
  }

  /** Depends on the frame, so that it must be asked again when that changes. */
  get changes(): boolean {
    return this.mode === "speed" || this.mode === "age";
  }

  colour(body: Body, frame: number): Vec3 {
    switch (this.mode) {
      case "material":
        return [1, 1, 1];
      case "piece":
        return distinct(body.id);
      case "parent":
        return distinct(body.parent >= 0 ? body.parent : body.id);
      case "age":
        return ramp(this.share((frame - body.born) * this.recording.dt));
      case "speed":
        return ramp(Math.sqrt(this.share(body.track.speed(frame, this.recording.dt)))); // slow ones differ too
    }
  }

  private share(value: number): number {
    const scale = this.scale;
    return scale === undefined || scale.to <= scale.from ? 0 : (value - scale.from) / (scale.to - scale.from);
  }

  private scaleOf(mode: ColourMode): ColourScale | undefined {
    const { bodies, dt, frames, firstFrame } = this.recording;
    if (mode === "age") {
      const oldest = Math.min(...bodies.filter((body) => body.parent >= 0).map((body) => body.born), firstFrame + frames);
      return { unit: "s", from: 0, to: Math.max(dt, (firstFrame + frames - 1 - oldest) * dt) };
    }
    if (mode === "speed") return { unit: "m/s", from: 0, to: this.fastSpeed() };
    return undefined;
  }

  /** What all but the fastest hundredth of the movements stay below. */
  private fastSpeed(): number {
    const speeds: number[] = [];
    const { bodies, dt, frames, firstFrame } = this.recording;
    const step = Math.max(1, Math.floor(frames / 24));
    for (const body of bodies) {
      for (let frame = firstFrame; frame < firstFrame + frames; frame += step) {
        if (body.mesh < 0 || frame < body.born || frame >= body.died || body.track.samples < 2) continue;
        const speed = body.track.speed(frame, dt);
        if (speed > 1e-3) speeds.push(speed);
      }
    }
    if (speeds.length === 0) return 1;
    speeds.sort((a, b) => a - b);
    return speeds[Math.floor(0.99 * (speeds.length - 1))]!;
  }
}
