import type { Ray } from "../core/raycast";
import type { Vec3 } from "../core/recording";

/** How a thrown thing flies. */
export interface Flight {
  readonly position: Vec3; // m
  readonly velocity: Vec3; // m/s
}

const LONGEST = 0.5; // s until it meets what was aimed at

function scaled(v: Vec3, factor: number): Vec3 {
  return [factor * v[0], factor * v[1], factor * v[2]];
}
function sum(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function at(flight: Flight, gravity: Vec3, time: number): Vec3 {
  return sum(sum(flight.position, scaled(flight.velocity, time)), scaled(gravity, 0.5 * time * time));
}

/**
 * From the eye towards a point, so that it meets the point: gravity is made up for by aiming higher. What is far away is
 * thrown from nearer, so that nobody waits. `clearance`: what it needs to have room, m.
 */
export function aimed(ray: Ray, distance: number | undefined, speed: number, gravity: Vec3, clearance: number): Flight {
  const far = distance ?? speed * LONGEST;
  const flown = Math.max(Math.min(far - 2 * clearance, speed * LONGEST), 0.5 * far);
  const start = far - flown;
  const position = sum(ray.origin, scaled(ray.direction, start));
  if (distance === undefined) return { position, velocity: scaled(ray.direction, speed) };
  return { position, velocity: launch(scaled(ray.direction, flown), speed, gravity) ?? scaled(ray.direction, speed) };
}

/** The flatter of the two ways to reach `way` with a speed; undefined: out of reach. */
export function launch(way: Vec3, speed: number, gravity: Vec3): Vec3 | undefined {
  // |way / t - gravity t / 2|^2 = speed^2, a quadratic in t^2
  const gg = dot(gravity, gravity);
  const ww = dot(way, way);
  if (gg === 0) return scaled(way, speed / Math.sqrt(ww));
  const b = speed * speed + dot(way, gravity);
  const root = b * b - gg * ww;
  if (root < 0 || b <= 0) return undefined;
  const time = Math.sqrt((2 * ww) / (b + Math.sqrt(root)));
  return sum(scaled(way, 1 / time), scaled(gravity, -0.5 * time));
}

function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
