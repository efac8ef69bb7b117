import { Notice } from "./errors";
import { NumberReader } from "./packed";
import type { Body, BreakStress, Vec3 } from "./recording";

/** Places all over a body, and what each bore just before it broke. In the coordinates of its mesh. */
export interface StressPoints {
  readonly count: number;
  readonly places: Float32Array; // x y z, m
  readonly tensions: Float32Array; // Pa, largest principal stress
  readonly least: Float32Array; // Pa, least principal stress
  readonly strengths: Float32Array; // Pa
  readonly directions: Float32Array; // x y z, of the largest principal stress
  /** Four points each, stress is linear in them: tets; a triangle names its last point twice, a segment three times. May be none. */
  readonly cells: Uint32Array;
}

const HEADER = 64; // bytes: origin, steps of places, stress and strength (float64), how many points and cells (uint64)
const TURN_STEPS = 127;
const DAMAGED = "What is known of the stress is damaged; make the recording again.";

/** Reads what io/recording/recording_stress.h writes. */
export function readStressPoints(bytes: Uint8Array): StressPoints {
  if (bytes.length < HEADER) throw new Notice(DAMAGED);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = Array.from({ length: 6 }, (_, i) => view.getFloat64(8 * i, true));
  const count = Number(view.getBigUint64(48, true));
  const cells = Number(view.getBigUint64(56, true));
  if (count > bytes.length || cells > bytes.length) throw new Notice(DAMAGED);
  const numbers = new NumberReader(bytes.subarray(HEADER));
  const channel = (out: Float32Array, first: number, every: number, origin: number, step: number): void => {
    let value = 0;
    for (let i = 0; i < count; ++i) {
      value += numbers.signed();
      out[first + every * i] = origin + step * value;
    }
  };
  const [x, y, z, step, stress, strength] = head as [number, number, number, number, number, number];
  const points = {
    count,
    places: new Float32Array(3 * count),
    tensions: new Float32Array(count),
    least: new Float32Array(count),
    strengths: new Float32Array(count),
    directions: new Float32Array(3 * count),
    cells: new Uint32Array(4 * cells),
  };
  [x, y, z].forEach((origin, k) => channel(points.places, k, 3, origin, step));
  channel(points.tensions, 0, 1, 0, stress);
  channel(points.least, 0, 1, 0, stress);
  channel(points.strengths, 0, 1, 0, strength);
  for (let k = 0; k < 3; ++k) channel(points.directions, k, 3, 0, 1 / TURN_STEPS);
  let corner = 0;
  for (let i = 0; i < points.cells.length; ++i) {
    corner += numbers.signed();
    if (corner < 0 || corner >= count) throw new Notice(DAMAGED);
    points.cells[i] = corner;
  }
  return points;
}

/** Where a place is among the points: the corners of a cell, and how much each counts. */
interface InCell {
  readonly cell: number; // -1: there is none
  readonly weights: readonly [number, number, number, number]; // they sum to 1; one below 0: outside
  readonly inside: number; // 0 or more: in it; less: the farther outside
}

/** Tension over strength at any place of a body: linear in the cells between its points; beside them, that of the nearest. */
export class StressField {
  /** About how long the edges of cells are, m. */
  readonly spacing: number;
  private readonly cells: Uint32Array; // four corners each; a triangle names its last one twice, a segment three times
  private readonly ratios: Float32Array;
  private readonly min: [number, number, number] = [Infinity, Infinity, Infinity];
  private readonly sizes: [number, number, number] = [1, 1, 1]; // boxes along each axis
  private readonly box: number; // m
  private readonly starts: Uint32Array; // by box, into `members`; one more at the end
  private readonly members: Uint32Array; // cells whose bounds meet the box

  constructor(readonly points: StressPoints) {
    const { places, tensions, strengths, cells, count } = points;
    // points with nothing between them are cells of their own
    this.cells = cells.length > 0 ? cells : Uint32Array.from({ length: 4 * count }, (_, i) => i >> 2);
    this.ratios = tensions.map((tension, i) => tension / strengths[i]!);
    const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
    places.forEach((p, i) => {
      this.min[i % 3] = Math.min(this.min[i % 3]!, p);
      max[i % 3] = Math.max(max[i % 3]!, p);
    });
    const size = max.map((p, k) => Math.max(p - this.min[k]!, 0));
    this.spacing = this.meanEdge(Math.max(...size, 0));
    this.box = Math.max(this.spacing, Math.max(...size) / 256, 1e-30);
    size.forEach((s, k) => (this.sizes[k] = Math.floor(s / this.box) + 1));
    const boxes = this.sizes[0] * this.sizes[1] * this.sizes[2];
    this.starts = new Uint32Array(boxes + 1);
    for (let t = 0; t < this.cells.length; t += 4) this.boxesOf(t, (c) => ++this.starts[c + 1]!);
    for (let c = 0; c < boxes; ++c) this.starts[c + 1]! += this.starts[c]!;
    this.members = new Uint32Array(this.starts[boxes]!);
    const next = this.starts.slice(0, boxes);
    for (let t = 0; t < this.cells.length; t += 4) this.boxesOf(t, (c) => (this.members[next[c]!++] = t));
  }

  private meanEdge(size: number): number {
    const { places } = this.points;
    let sum = 0;
    let edges = 0;
    for (let t = 0; t < this.cells.length; t += 4) {
      const [a, b] = [3 * this.cells[t]!, 3 * this.cells[t + 1]!];
      if (a === b) continue;
      sum += Math.hypot(places[a]! - places[b]!, places[a + 1]! - places[b + 1]!, places[a + 2]! - places[b + 2]!);
      ++edges;
    }
    return edges > 0 ? sum / edges : size / Math.max(1, Math.cbrt(this.points.count));
  }

  private axisBox(value: number, k: number): number {
    return Math.min(Math.max(Math.floor((value - this.min[k]!) / this.box), 0), this.sizes[k]! - 1);
  }

  private boxesOf(cell: number, visit: (box: number) => void): void {
    const { places } = this.points;
    const range = [0, 1, 2].map((k) => {
      const values = [0, 1, 2, 3].map((i) => places[3 * this.cells[cell + i]! + k]!);
      return [this.axisBox(Math.min(...values), k), this.axisBox(Math.max(...values), k)] as const;
    });
    for (let z = range[2]![0]; z <= range[2]![1]; ++z) {
      for (let y = range[1]![0]; y <= range[1]![1]; ++y) {
        for (let x = range[0]![0]; x <= range[0]![1]; ++x) visit(x + this.sizes[0] * (y + this.sizes[1] * z));
      }
    }
  }

  /** The cell that a place is in, or is least outside of. */
  private locate(x: number, y: number, z: number): InCell {
    const centre = [this.axisBox(x, 0), this.axisBox(y, 1), this.axisBox(z, 2)] as const;
    let best: InCell = { cell: -1, weights: [1, 0, 0, 0], inside: -Infinity };
    const most = Math.max(...this.sizes);
    for (let ring = 0; ring <= most; ++ring) {
      const found = best.cell >= 0;
      this.shell(centre, ring, (cell) => {
        const here = this.inCell(cell, x, y, z);
        if (here.inside > best.inside) best = here;
      });
      // beside the cells, one in the next boxes may be nearer
      if (best.inside >= 0 || (found && best.cell >= 0)) break;
    }
    return best;
  }

  private shell(centre: readonly [number, number, number], ring: number, visit: (cell: number) => void): void {
    for (let k = Math.max(centre[2] - ring, 0); k <= Math.min(centre[2] + ring, this.sizes[2] - 1); ++k) {
      for (let j = Math.max(centre[1] - ring, 0); j <= Math.min(centre[1] + ring, this.sizes[1] - 1); ++j) {
        const whole = ring === 0 || Math.abs(k - centre[2]) === ring || Math.abs(j - centre[1]) === ring;
        for (let i = centre[0] - ring; i <= centre[0] + ring; i += whole ? 1 : 2 * ring) {
          if (i < 0 || i >= this.sizes[0]) continue;
          const c = i + this.sizes[0] * (j + this.sizes[1] * k);
          for (let at = this.starts[c]!; at < this.starts[c + 1]!; ++at) visit(this.members[at]!);
        }
      }
    }
  }

  /** Barycentric coordinates in a cell, or where it is nearest to what lies beside its plane or line. */
  private inCell(cell: number, x: number, y: number, z: number): InCell {
    const { places } = this.points;
    const p = 3 * this.cells[cell]!;
    const edge = (i: number): [number, number, number] => {
      const q = 3 * this.cells[cell + i]!;
      return [places[q]! - places[p]!, places[q + 1]! - places[p + 1]!, places[q + 2]! - places[p + 2]!];
    };
    const [a, b, c] = [edge(1), edge(2), edge(3)];
    const d: [number, number, number] = [x - places[p]!, y - places[p + 1]!, z - places[p + 2]!];
    const corners = (i: number): number => this.cells[cell + i]!;
    if (corners(2) !== corners(3)) {
      const whole = triple(a, b, c);
      if (whole === 0) return { cell, weights: [1, 0, 0, 0], inside: -Infinity };
      const [u, v, w] = [triple(d, b, c) / whole, triple(a, d, c) / whole, triple(a, b, d) / whole];
      return { cell, weights: [1 - u - v - w, u, v, w], inside: Math.min(1 - u - v - w, u, v, w) };
    }
    // triangles, segments and points: the foot on the plane or line, and how far it is
    let [u, v] = [0, 0];
    if (corners(1) !== corners(2)) {
      const [aa, ab, bb, da, db] = [dot(a, a), dot(a, b), dot(b, b), dot(d, a), dot(d, b)];
      const whole = aa * bb - ab * ab;
      if (whole > 0) [u, v] = [(da * bb - db * ab) / whole, (db * aa - da * ab) / whole];
    } else if (corners(0) !== corners(1)) {
      u = dot(d, a) / dot(a, a);
    }
    const beside = Math.hypot(...([0, 1, 2] as const).map((k) => d[k] - u * a[k] - v * b[k]));
    const within = Math.min(1 - u - v, u, v, 0);
    return { cell, weights: [1 - u - v, u, v, 0], inside: within - beside / this.box };
  }

  /** Index of the point that counts most at a place. */
  nearest(x: number, y: number, z: number): number {
    const { cell, weights } = this.locate(x, y, z);
    return cell < 0 ? 0 : this.cells[cell + weights.indexOf(Math.max(...weights))]!;
  }

  /** Tension over strength. */
  ratioAt(x: number, y: number, z: number): number {
    const { cell, weights } = this.locate(x, y, z);
    if (cell < 0) return 0;
    let sum = 0;
    let all = 0;
    weights.forEach((weight, i) => {
      const counts = Math.max(weight, 0);
      sum += counts * this.ratios[this.cells[cell + i]!]!;
      all += counts;
    });
    return sum / all;
  }
}

function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function triple(a: Vec3, b: Vec3, c: Vec3): number {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/** What colours stand for: tension over strength from none to `top`. */
export interface StressScale {
  readonly top: number; // ratio of the last colour
  readonly strength: number; // Pa, where it was strained most; stress in Pa is the ratio times this
}

export function stressScale({ worst }: BreakStress): StressScale {
  return { top: Math.max(worst.tension / worst.strength, 1), strength: worst.strength };
}

/** Place of a ratio among the colours, 0 to 1: by its root, so that one sees both what just breaks and what is far beyond. */
export function colourShare(ratio: number, top: number): number {
  return Math.sqrt(Math.min(Math.max(ratio / top, 0), 1));
}

const ONE_PLACE = 0.3; // of a body's size, about

/** What pushed at one place, taken together. */
export interface Push {
  readonly point: Vec3; // m, of the hardest contact there
  readonly force: Vec3; // N, of all
  readonly time: number; // s, how long the hardest lasted
  readonly contacts: number;
}

/** All that pushed a body, the hardest first. Contacts near a harder one are part of its push. */
export function pushesOf(stress: BreakStress, body: Body): Push[] {
  const reach = ONE_PLACE * Math.cbrt(body.volume);
  const pushes: { point: Vec3; force: [number, number, number]; time: number; contacts: number }[] = [];
  for (const { point, force, time } of [...stress.contacts].sort((a, b) => length(b.force) - length(a.force))) {
    const known = pushes.find((push) => length(minus(push.point, point)) <= reach);
    if (known === undefined) pushes.push({ point, force: [...force], time, contacts: 1 });
    else {
      force.forEach((part, k) => (known.force[k] = known.force[k]! + part));
      ++known.contacts;
    }
  }
  return pushes.sort((a, b) => length(b.force) - length(a.force));
}

function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function length(v: Vec3): number {
  return Math.hypot(...v);
}
