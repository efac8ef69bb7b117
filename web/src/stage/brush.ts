import { base64Of, bytesFromBase64 } from "../core/payload";
import type { Vec3 } from "../core/recording";
import type { Json, JsonObject } from "../server/contract";
import { isObject } from "../server/pointer";
import type { Brush } from "./contract";

/** Percent of the material's strength, one byte per vertex of the mesh. */
export const UNTOUCHED = 100;

export function untouched(vertices: number): Uint8Array {
  return new Uint8Array(vertices).fill(UNTOUCHED);
}

/** How much of a stroke reaches so far from its middle: all of it there, nothing at the rim, smooth in between. */
export function falloff(distance: number, radius: number): number {
  const t = 1 - distance / radius;
  return t <= 0 ? 0 : t * t * (3 - 2 * t);
}

/**
 * One stroke over a mesh. However often it goes over the same place, that takes up the brush once: strokes that cross
 * themselves or stand still do no more than others.
 */
export class Stroke {
  readonly values: Uint8Array;
  private readonly reached: Float32Array; // 0 to 1, by vertex
  private last: Vec3 | undefined;

  constructor(
    private readonly positions: Float32Array,
    private readonly before: Uint8Array,
    private readonly brush: Readonly<Brush>,
  ) {
    this.values = before.slice();
    this.reached = new Float32Array(before.length);
  }

  /** To a point in the mesh's coordinates, over everything between it and the one before. True: something changed. */
  to(point: Vec3): boolean {
    const from = this.last ?? point;
    this.last = point;
    let changed = false;
    const reach = this.brush.radius;
    const way = [point[0] - from[0], point[1] - from[1], point[2] - from[2]] as const;
    const squared = way[0] ** 2 + way[1] ** 2 + way[2] ** 2;
    const p = this.positions;
    for (let v = 0; v < this.values.length; ++v) {
      const x = p[3 * v]! - from[0];
      const y = p[3 * v + 1]! - from[1];
      const z = p[3 * v + 2]! - from[2];
      const along = squared > 0 ? Math.min(Math.max((x * way[0] + y * way[1] + z * way[2]) / squared, 0), 1) : 0;
      const dx = x - along * way[0];
      const dy = y - along * way[1];
      const dz = z - along * way[2];
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (distance >= reach) continue;
      const weight = falloff(distance, reach);
      if (weight <= this.reached[v]!) continue;
      this.reached[v] = weight;
      const old = this.before[v]!;
      const next = Math.round(old + (this.brush.value - old) * this.brush.strength * weight);
      if (next === this.values[v]) continue;
      this.values[v] = next;
      changed = true;
    }
    return changed;
  }

  get isEmpty(): boolean {
    return this.values.every((value, v) => value === this.before[v]);
  }
}

async function through(bytes: Uint8Array, stream: GenericTransformStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, BufferSource>);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** As scenes keep it: bodies[].strength_paint. */
export async function packedPaint(values: Uint8Array): Promise<JsonObject> {
  return { vertices: values.length, values: base64Of(await through(values, new CompressionStream("deflate"))) };
}

/** undefined: there is none, or not for a mesh with so many vertices. */
export async function unpackedPaint(paint: Json | undefined, vertices: number): Promise<Uint8Array | undefined> {
  if (!isObject(paint) || paint["vertices"] !== vertices || typeof paint["values"] !== "string") return undefined;
  try {
    const values = await through(bytesFromBase64(paint["values"]), new DecompressionStream("deflate"));
    return values.length === vertices ? values : undefined;
  } catch {
    return undefined; // the server says what is wrong with it
  }
}

/** For eyes: weak is blue, untouched grey, strong orange. sRGB, 0 to 255. */
export function heatOf(value: number): readonly [number, number, number] {
  const share = value < UNTOUCHED ? value / UNTOUCHED : Math.min(1, (value - UNTOUCHED) / UNTOUCHED);
  const [from, to] = value < UNTOUCHED ? [WEAK, GREY] : [GREY, STRONG];
  return [0, 1, 2].map((k) => Math.round(from[k]! + share * (to[k]! - from[k]!))) as unknown as [number, number, number];
}

const WEAK = [38, 96, 220];
const GREY = [168, 170, 174];
const STRONG = [240, 128, 32];
