import { Extents, type Box } from "./bounds";
import { rotated, type Places } from "./places";
import type { Body, Mesh, Recording, Vec3 } from "./recording";

export interface Ray {
  readonly origin: Vec3;
  readonly direction: Vec3; // unit
}

export interface MeshHit {
  readonly distance: number; // along the ray, m
  readonly triangle: number;
}

export interface Hit {
  readonly body: number;
  readonly distance: number; // m
  readonly point: Vec3; // world
  readonly normal: Vec3; // unit, world, towards the eye
  readonly local: Vec3; // the point in the mesh's coordinates
  readonly triangle: number; // -1: of a half-space
}

export function along(ray: Ray, distance: number): Vec3 {
  return [0, 1, 2].map((k) => ray.origin[k]! + distance * ray.direction[k]!) as unknown as Vec3;
}

/** A vector turned back by the rotation of a pose. */
function unturned(pose: ArrayLike<number>, v: Vec3): Vec3 {
  return rotated([0, 0, 0, -pose[3]!, -pose[4]!, -pose[5]!, pose[6]!], v[0], v[1], v[2]);
}

/** From the world into the coordinates of a body's mesh, at a pose (of its centre of mass). */
export function toMesh(pose: ArrayLike<number>, centre: Vec3, point: Vec3): Vec3 {
  const [x, y, z] = unturned(pose, [point[0] - pose[0]!, point[1] - pose[1]!, point[2] - pose[2]!]);
  return [x + centre[0], y + centre[1], z + centre[2]];
}

export function toWorld(pose: ArrayLike<number>, centre: Vec3, point: Vec3): Vec3 {
  const [x, y, z] = rotated(pose, point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]);
  return [x + pose[0]!, y + pose[1]!, z + pose[2]!];
}

function meetsBox(ray: Ray, box: Box, farthest: number): boolean {
  let near = 0;
  let far = farthest;
  for (let k = 0; k < 3; ++k) {
    const a = (box.min[k]! - ray.origin[k]!) / ray.direction[k]!;
    const b = (box.max[k]! - ray.origin[k]!) / ray.direction[k]!;
    if (Number.isNaN(a) || Number.isNaN(b)) continue; // along a side, in its plane
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near <= far;
}

/** The nearest triangle that a ray meets, from either side; `accept`: whether a distance counts. */
export function hitMesh(mesh: Mesh, ray: Ray, farthest = Infinity, accept?: (distance: number) => boolean): MeshHit | undefined {
  const p = mesh.positions;
  const [ox, oy, oz] = ray.origin;
  const [dx, dy, dz] = ray.direction;
  let distance = farthest;
  let triangle = -1;
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const a = 3 * mesh.triangles[t]!;
    const b = 3 * mesh.triangles[t + 1]!;
    const c = 3 * mesh.triangles[t + 2]!;
    // Moeller and Trumbore
    const ux = p[b]! - p[a]!;
    const uy = p[b + 1]! - p[a + 1]!;
    const uz = p[b + 2]! - p[a + 2]!;
    const vx = p[c]! - p[a]!;
    const vy = p[c + 1]! - p[a + 1]!;
    const vz = p[c + 2]! - p[a + 2]!;
    const px = dy * vz - dz * vy;
    const py = dz * vx - dx * vz;
    const pz = dx * vy - dy * vx;
    const determinant = ux * px + uy * py + uz * pz;
    if (determinant === 0) continue;
    const inverse = 1 / determinant;
    const sx = ox - p[a]!;
    const sy = oy - p[a + 1]!;
    const sz = oz - p[a + 2]!;
    const u = inverse * (sx * px + sy * py + sz * pz);
    if (u < 0 || u > 1) continue;
    const qx = sy * uz - sz * uy;
    const qy = sz * ux - sx * uz;
    const qz = sx * uy - sy * ux;
    const v = inverse * (dx * qx + dy * qy + dz * qz);
    if (v < 0 || u + v > 1) continue;
    const d = inverse * (vx * qx + vy * qy + vz * qz);
    if (d <= 0 || d >= distance || (accept && !accept(d))) continue;
    distance = d;
    triangle = t / 3;
  }
  return triangle < 0 ? undefined : { distance, triangle };
}

function faceNormal(mesh: Mesh, triangle: number): Vec3 {
  const p = mesh.positions;
  const [a, b, c] = [0, 1, 2].map((k) => 3 * mesh.triangles[3 * triangle + k]!) as [number, number, number];
  const [ux, uy, uz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!];
  const [vx, vy, vz] = [p[c]! - p[a]!, p[c + 1]! - p[a + 1]!, p[c + 2]! - p[a + 2]!];
  const n: Vec3 = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(...n) || 1;
  return [n[0] / length, n[1] / length, n[2] / length];
}

/** What a ray meets first among all that is there. */
export class Raycaster {
  private readonly extents: Extents;

  constructor(
    private readonly recording: Recording,
    private readonly places: Places,
  ) {
    this.extents = new Extents(recording);
  }

  /** `isCut`: points of the world that are cut away; `only`: no other bodies count. */
  hit(
    ray: Ray,
    options: { isCut?: ((point: Vec3) => boolean) | undefined; only?: ((body: Body) => boolean) | undefined } = {},
  ): Hit | undefined {
    let best: Hit | undefined;
    for (const body of this.recording.bodies) {
      if (this.places.alive[body.id] !== 1 || (options.only && !options.only(body))) continue;
      best = this.hitBody(body, ray, best?.distance ?? Infinity, options.isCut) ?? best;
    }
    return best;
  }

  private poseOf(body: Body): Float32Array {
    const pose = this.places.poses.slice(7 * body.id, 7 * body.id + 7);
    for (let k = 0; k < 3; ++k) pose[k] = pose[k]! + this.places.offsets[3 * body.id + k]!;
    return pose;
  }

  private hitBody(body: Body, ray: Ray, farthest: number, isCut?: (point: Vec3) => boolean): Hit | undefined {
    const pose = this.poseOf(body);
    const local: Ray = { origin: toMesh(pose, body.centre, ray.origin), direction: unturned(pose, ray.direction) };
    const found = body.halfSpace ? hitPlane(local, farthest) : this.hitOwn(body, local, ray, farthest, isCut);
    if (found === undefined) return undefined;
    const own = found.triangle < 0 ? ([0, 1, 0] as const) : faceNormal(this.recording.meshes[body.mesh]!, found.triangle);
    const normal = rotated(pose, ...own);
    const facing = normal[0] * ray.direction[0] + normal[1] * ray.direction[1] + normal[2] * ray.direction[2] > 0 ? -1 : 1;
    return {
      body: body.id,
      distance: found.distance,
      point: along(ray, found.distance),
      normal: [facing * normal[0], facing * normal[1], facing * normal[2]],
      local: along(local, found.distance),
      triangle: found.triangle,
    };
  }

  private hitOwn(body: Body, local: Ray, ray: Ray, farthest: number, isCut?: (point: Vec3) => boolean): MeshHit | undefined {
    const mesh = this.recording.meshes[body.mesh];
    if (mesh === undefined || !meetsBox(local, this.extents.own(body), farthest)) return undefined;
    return hitMesh(mesh, local, farthest, isCut && ((distance) => !isCut(along(ray, distance))));
  }
}

function hitPlane(local: Ray, farthest: number): MeshHit | undefined {
  const distance = -local.origin[1] / local.direction[1];
  return distance > 0 && distance < farthest ? { distance, triangle: -1 } : undefined;
}
