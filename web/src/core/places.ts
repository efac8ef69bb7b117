import { isAlive, lastFrame, type Body, type Recording } from "./recording";

export type Between = "step" | "smooth";

/**
 * Who is there and where, at any moment. Between two frames, fragments are on their way from where their parent was:
 * they have its coordinates, so its pose is theirs.
 */
export class Places {
  alive = new Uint8Array(0);
  /** Seven per body: centre of mass (m, world), rotation x y z w. Meaningful where alive. */
  poses = new Float32Array(0);
  /** Three per body: what the exploded view adds to the centre, m. */
  offsets = new Float32Array(0);
  /** Grows whenever the set of the living changes. */
  generation = 0;

  private readonly from = new Float32Array(7);
  private readonly to = new Float32Array(7);

  constructor(private readonly recording: Recording) {
    this.makeRoom(recording.bodies.length);
  }

  /** For so many bodies; when there were fewer before, for twice as many. */
  private makeRoom(bodies: number): void {
    if (bodies <= this.alive.length) return;
    const room = this.alive.length === 0 ? bodies : 2 * bodies;
    this.alive = enlarged(this.alive, new Uint8Array(room));
    this.poses = enlarged(this.poses, new Float32Array(7 * room));
    this.offsets = enlarged(this.offsets, new Float32Array(3 * room));
  }

  /** Nobody is there until the next update: the bodies are others now. */
  clear(): void {
    this.alive.fill(0);
    ++this.generation;
  }

  /** One is not there, until the next update. */
  hide(body: number): void {
    this.alive[body] = 0;
    ++this.generation;
  }

  /** `moment`: in frames, whole or not. */
  update(moment: number, between: Between): void {
    const last = lastFrame(this.recording);
    const clamped = Math.min(Math.max(moment, this.recording.firstFrame), last);
    const at = between === "smooth" ? clamped : Math.floor(clamped);
    const frame = Math.ceil(at);
    let changed = false;
    this.makeRoom(this.recording.bodies.length);
    for (const body of this.recording.bodies) {
      const alive = isAlive(body, frame) ? 1 : 0;
      if (alive !== this.alive[body.id]) {
        this.alive[body.id] = alive;
        changed = true;
      }
      if (alive) this.place(body, at, frame);
    }
    if (changed) ++this.generation;
  }

  private place(body: Body, at: number, frame: number): void {
    const start = 7 * body.id;
    if (at === frame || body.born < frame) {
      body.track.sample(at, this.poses, start);
      return;
    }
    body.track.sample(frame, this.poses, start);
    const ancestor = this.livingAncestor(body, frame - 1);
    if (ancestor === undefined) return;
    ancestor.track.sample(frame - 1, this.from);
    carry(this.from, ancestor, body);
    this.to.set(this.poses.subarray(start, start + 7));
    mixPoses(this.from, this.to, at - (frame - 1), this.poses, start);
  }

  private livingAncestor(body: Body, frame: number): Body | undefined {
    for (let id = body.parent; id >= 0; ) {
      const ancestor = this.recording.bodies[id];
      if (ancestor === undefined || isAlive(ancestor, frame)) return ancestor;
      id = ancestor.parent;
    }
    return undefined;
  }

  /** Pieces move away from the middle of what they were part of, and upwards from its lowest one. */
  explode(strength: number): void {
    this.offsets.fill(0);
    if (strength === 0) return;
    for (const family of this.families().values()) {
      if (family.length < 2) continue;
      const middle = this.middleOf(family);
      for (const body of family) {
        const p = 7 * body.id;
        for (let k = 0; k < 3; ++k) {
          this.offsets[3 * body.id + k] = strength * (this.poses[p + k]! - middle[k]!);
        }
      }
    }
  }

  private families(): Map<number, Body[]> {
    const families = new Map<number, Body[]>();
    for (const body of this.recording.bodies) {
      if (!this.alive[body.id] || body.mesh < 0) continue;
      const family = families.get(body.root);
      if (family) family.push(body);
      else families.set(body.root, [body]);
    }
    return families;
  }

  private middleOf(family: readonly Body[]): [number, number, number] {
    let mass = 0;
    let lowest = Infinity;
    const sum: [number, number, number] = [0, 0, 0];
    for (const body of family) {
      const p = 7 * body.id;
      mass += body.mass;
      for (let k = 0; k < 3; ++k) sum[k] = sum[k]! + body.mass * this.poses[p + k]!;
      lowest = Math.min(lowest, this.poses[p + 1]!);
    }
    return mass > 0 ? [sum[0] / mass, lowest, sum[2] / mass] : [0, lowest, 0];
  }
}

function enlarged<T extends Uint8Array | Float32Array>(old: T, room: T): T {
  room.set(old);
  return room;
}

/** From the pose of a body to that of something that has its coordinates and another centre of mass. */
function carry(pose: Float32Array, from: Body, to: Body): void {
  const [x, y, z] = [to.centre[0] - from.centre[0], to.centre[1] - from.centre[1], to.centre[2] - from.centre[2]];
  const [px, py, pz] = rotated(pose, x, y, z);
  pose[0] = pose[0]! + px;
  pose[1] = pose[1]! + py;
  pose[2] = pose[2]! + pz;
}

/** A vector turned by the rotation of a pose. */
export function rotated(pose: ArrayLike<number>, x: number, y: number, z: number): [number, number, number] {
  const [qx, qy, qz, qw] = [pose[3]!, pose[4]!, pose[5]!, pose[6]!];
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  return [x + qw * tx + qy * tz - qz * ty, y + qw * ty + qz * tx - qx * tz, z + qw * tz + qx * ty - qy * tx];
}

/** Between two poses, into `out` from `start` on. */
export function mixPoses(a: Float32Array, b: Float32Array, share: number, out: Float32Array, start: number): void {
  const same = a[3]! * b[3]! + a[4]! * b[4]! + a[5]! * b[5]! + a[6]! * b[6]! < 0 ? -1 : 1;
  for (let k = 0; k < 7; ++k) out[start + k] = a[k]! * (1 - share) + b[k]! * share * (k < 3 ? 1 : same);
  const q = start + 3;
  const length = Math.sqrt(out[q]! ** 2 + out[q + 1]! ** 2 + out[q + 2]! ** 2 + out[q + 3]! ** 2) || 1;
  for (let k = q; k < q + 4; ++k) out[k] = out[k]! / length;
}
