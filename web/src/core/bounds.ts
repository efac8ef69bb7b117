import { rotated } from "./places";
import { isAlive, type Body, type Mesh, type Recording, type Vec3 } from "./recording";

export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

const UNIT_BOX: Box = { min: [-1, -1, -1], max: [1, 1, 1] };

export function centreOf(box: Box): Vec3 {
  return [(box.min[0] + box.max[0]) / 2, (box.min[1] + box.max[1]) / 2, (box.min[2] + box.max[2]) / 2];
}

export function diagonalOf(box: Box): number {
  return Math.hypot(box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]);
}

export function unionOf(boxes: Iterable<Box>): Box | undefined {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    for (let k = 0; k < 3; ++k) {
      min[k] = Math.min(min[k]!, box.min[k]!);
      max[k] = Math.max(max[k]!, box.max[k]!);
    }
  }
  return min[0] > max[0] ? undefined : { min, max };
}

/** Around a mesh, in its own coordinates. */
export function meshBox(positions: Float32Array): Box {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; ++i) {
    const k = i % 3;
    min[k] = Math.min(min[k]!, positions[i]!);
    max[k] = Math.max(max[k]!, positions[i]!);
  }
  return positions.length === 0 ? { min: [0, 0, 0], max: [0, 0, 0] } : { min, max };
}

/** Where bodies are, by the boxes of their meshes. */
export class Extents {
  private readonly boxes = new WeakMap<Mesh, Box>();
  private readonly pose = new Float32Array(7);

  constructor(private readonly recording: Recording) {}

  /** Around the mesh of a body in its own coordinates, m. */
  own(body: Body): Box {
    const mesh = this.recording.meshes[body.mesh];
    if (mesh === undefined) return { min: [0, 0, 0], max: [0, 0, 0] };
    let box = this.boxes.get(mesh);
    if (box === undefined) this.boxes.set(mesh, (box = meshBox(mesh.positions)));
    return box;
  }

  /** In the world, at a pose: centre of mass, rotation x y z w. */
  at(body: Body, pose: ArrayLike<number>): Box {
    const own = this.own(body);
    const middle = centreOf(own);
    const [x, y, z] = rotated(pose, middle[0] - body.centre[0], middle[1] - body.centre[1], middle[2] - body.centre[2]);
    const centre = [pose[0]! + x, pose[1]! + y, pose[2]! + z];
    const half = [0, 0, 0];
    for (let axis = 0; axis < 3; ++axis) {
      const reach = (own.max[axis]! - own.min[axis]!) / 2;
      const edge = rotated(pose, axis === 0 ? reach : 0, axis === 1 ? reach : 0, axis === 2 ? reach : 0);
      for (let k = 0; k < 3; ++k) half[k] = half[k]! + Math.abs(edge[k]!);
    }
    return {
      min: [centre[0]! - half[0]!, centre[1]! - half[1]!, centre[2]! - half[2]!],
      max: [centre[0]! + half[0]!, centre[1]! + half[1]!, centre[2]! + half[2]!],
    };
  }

  /** Where most of what is drawn in a frame is; the outermost share of its volume on each side does not count. */
  inFrame(frame: number, dropped: number): Box | undefined {
    const bodies = this.recording.bodies.filter((body) => body.mesh >= 0 && isAlive(body, frame));
    const boxes = bodies.map((body) => {
      body.track.sample(frame, this.pose);
      return this.at(body, this.pose);
    });
    return trimmed(
      boxes,
      bodies.map((body) => body.volume),
      dropped,
    );
  }

  /** Where most of what is there at first is. */
  start(): Box {
    return this.inFrame(this.recording.firstFrame, 0.01) ?? UNIT_BOX;
  }

  /** Where most of it happens, over the whole recording: what flies or rolls far away does not count. */
  action(): Box {
    const { firstFrame, frames } = this.recording;
    const boxes: Box[] = [];
    for (let i = 0; i <= 8; ++i) {
      const box = this.inFrame(firstFrame + Math.round((i / 8) * (frames - 1)), 0.06);
      if (box) boxes.push(box);
    }
    return (
      trimmed(
        boxes,
        boxes.map(() => 1),
        0.23,
      ) ?? UNIT_BOX
    );
  }
}

function trimmed(boxes: readonly Box[], weights: readonly number[], dropped: number): Box | undefined {
  if (boxes.length === 0) return undefined;
  const total = weights.reduce((a, b) => a + b, 0);
  const side = (k: number, which: "min" | "max"): number => {
    const outwards = which === "min" ? 1 : -1;
    const values = Float64Array.from(boxes, (box) => outwards * box[which][k]!);
    const order = Uint32Array.from(boxes, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
    let passed = 0;
    for (const i of order) {
      passed += weights[i]!;
      if (passed > dropped * total) return boxes[i]![which][k]!;
    }
    return boxes[order[order.length - 1]!]![which][k]!;
  };
  return { min: [side(0, "min"), side(1, "min"), side(2, "min")], max: [side(0, "max"), side(1, "max"), side(2, "max")] };
}
