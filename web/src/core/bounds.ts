import { isAlive, type Body, type Recording, type Vec3 } from "./recording";

export interface Sphere {
  readonly centre: Vec3;
  readonly radius: number;
}

export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** Around a mesh, in its own coordinates. */
export function meshSphere(positions: Float32Array): Sphere {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; ++i) {
    min[i % 3] = Math.min(min[i % 3]!, positions[i]!);
    max[i % 3] = Math.max(max[i % 3]!, positions[i]!);
  }
  if (positions.length === 0) return { centre: [0, 0, 0], radius: 0 };
  const centre: Vec3 = [(min[0]! + max[0]!) / 2, (min[1]! + max[1]!) / 2, (min[2]! + max[2]!) / 2];
  let squared = 0;
  for (let i = 0; i < positions.length; i += 3) {
    squared = Math.max(
      squared,
      (positions[i]! - centre[0]) ** 2 + (positions[i + 1]! - centre[1]) ** 2 + (positions[i + 2]! - centre[2]) ** 2,
    );
  }
  return { centre, radius: Math.sqrt(squared) };
}

export function radiiOf(recording: Recording): Float32Array {
  return Float32Array.from(recording.meshes, (mesh) => meshSphere(mesh.positions).radius);
}

export function unionOf(boxes: Iterable<Box>): Box | undefined {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    for (let k = 0; k < 3; ++k) {
      min[k] = Math.min(min[k]!, box.min[k]!);
      max[k] = Math.max(max[k]!, box.max[k]!);
    }
  }
  if (min[0]! > max[0]!) return undefined;
  return { min: [min[0]!, min[1]!, min[2]!], max: [max[0]!, max[1]!, max[2]!] };
}

function ballBox(body: Body, frame: number, radius: number, pose: Float32Array): Box {
  body.track.sample(frame, pose);
  return {
    min: [pose[0]! - radius, pose[1]! - radius, pose[2]! - radius],
    max: [pose[0]! + radius, pose[1]! + radius, pose[2]! + radius],
  };
}

/** Of all that is drawn in a frame; large things count by a ball around them. */
function boxesIn(recording: Recording, radii: Float32Array, frame: number): Box[] {
  const pose = new Float32Array(7);
  return recording.bodies
    .filter((body) => body.mesh >= 0 && isAlive(body, frame))
    .map((body) => ballBox(body, frame, radii[body.mesh]! * 0.8, pose));
}

/** Drops the farthest share on each side of each axis: single pieces that fly away do not count. */
function trimmed(boxes: readonly Box[], share: number): Box | undefined {
  if (boxes.length === 0) return undefined;
  const drop = Math.floor(share * boxes.length);
  const side = (k: number, which: "min" | "max"): number => {
    const sorted = boxes.map((box) => box[which][k]!).sort((a, b) => a - b);
    return which === "min" ? sorted[drop]! : sorted[sorted.length - 1 - drop]!;
  };
  return { min: [side(0, "min"), side(1, "min"), side(2, "min")], max: [side(0, "max"), side(1, "max"), side(2, "max")] };
}

const UNIT_BOX: Box = { min: [-1, -1, -1], max: [1, 1, 1] };

/** Where most of it happens, over the whole recording: what flies or rolls far away does not count. */
export function actionBox(recording: Recording): Box {
  const radii = radiiOf(recording);
  const { firstFrame, frames } = recording;
  const boxes: Box[] = [];
  for (let i = 0; i <= 8; ++i) {
    const box = trimmed(boxesIn(recording, radii, firstFrame + Math.round((i / 8) * (frames - 1))), 0.08);
    if (box) boxes.push(box);
  }
  return trimmed(boxes, 0.23) ?? UNIT_BOX;
}

/** Everything in a frame. */
export function frameBox(recording: Recording, frame: number): Box {
  return unionOf(boxesIn(recording, radiiOf(recording), frame)) ?? UNIT_BOX;
}

export function centreOf(box: Box): Vec3 {
  return [(box.min[0] + box.max[0]) / 2, (box.min[1] + box.max[1]) / 2, (box.min[2] + box.max[2]) / 2];
}

export function diagonalOf(box: Box): number {
  return Math.hypot(box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]);
}
