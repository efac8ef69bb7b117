import * as THREE from "three";

import { along, type Ray } from "../core/raycast";
import type { Vec3 } from "../core/recording";
import type { JsonObject } from "../server/contract";
import { isList, valueAt } from "../server/pointer";
import { rounded } from "./scene_edits";
import { aimed, at, type Flight } from "./flight";
import { Line } from "./lines";
import type { Pointer, StageTool, Workbench } from "./tool";

const FASTER = 120; // pixels of a drag that double the speed
const FASTEST = 8; // times what is set
const BALL = { share: 0.1, least: 0.02, most: 0.6, usual: 0.15 }; // radius over the size of what is hit; m
const ARC = 48; // points of the preview

/** Throws from the eye at what is clicked. Who drags before letting go throws harder. */
export class ThrowTool implements StageTool {
  private readonly arc = new Line(ARC, "#ff8a1f");
  private target: Pointer | undefined;
  private flight: Flight | undefined;
  private shape: JsonObject = {};

  constructor(private readonly bench: Workbench) {}

  activate(): void {
    this.bench.viewport.overlay.add(this.arc.object);
    this.bench.readout.show(`Click to throw at ${this.bench.throwSettings.speed} m/s; drag to throw harder`);
  }

  deactivate(): void {
    this.cancel();
    this.arc.object.removeFromParent();
    this.bench.readout.hide();
  }

  dispose(): void {
    this.arc.dispose();
  }

  down(pointer: Pointer): boolean {
    this.target = pointer;
    this.aim(pointer);
    return true;
  }

  move(pointer: Pointer): void {
    if (this.target) this.aim(pointer);
  }

  hover(pointer: Pointer): void {
    this.target = pointer;
    this.aim(pointer, false);
    this.target = undefined;
  }

  leave(): void {
    this.arc.hide();
    this.bench.viewport.redraw();
  }

  up(pointer: Pointer): void {
    if (!this.target) return;
    this.aim(pointer);
    const { flight } = this;
    this.cancel();
    if (flight) this.send(flight);
  }

  cancel(): void {
    this.target = this.flight = undefined;
    this.arc.hide();
    this.bench.viewport.redraw();
  }

  private aim(pointer: Pointer, tell = true): void {
    const { viewport, throwSettings, readout } = this.bench;
    const from = this.target!;
    const drag = Math.hypot(pointer.x - from.x, pointer.y - from.y);
    const speed = throwSettings.speed * Math.min(FASTEST, drag < 6 ? 1 : 2 ** (drag / FASTER));
    const hit = viewport.hitAt(from.x, from.y);
    const ray = this.fromHand(viewport.rayAt(from.x, from.y), hit?.distance ?? 0.5 * speed);
    const distance = hit && Math.hypot(...[0, 1, 2].map((k) => hit.point[k]! - ray.origin[k]!));
    const gravity = this.gravity();
    this.shape = throwSettings.shape ?? this.ballFor(hit?.body);
    this.flight = aimed(ray, distance, speed, gravity, clearanceOf(this.shape));
    const { flight } = this;
    const long = (hit ? Math.max(0.02, timeTo(flight, hit.point)) : 0.5) / (ARC - 1);
    this.arc.set((i) => at(flight, gravity, i * long));
    if (tell) readout.show("Throw", `${speed.toFixed(1)} m/s`);
    viewport.redraw();
  }

  private ballFor(body: number | undefined): JsonObject {
    const wanted = body === undefined ? 0 : BALL.share * this.bench.sizeOf(body); // what has no end has no size
    const radius = wanted > 0 ? Math.min(Math.max(wanted, BALL.least), BALL.most) : BALL.usual;
    return { name: "sphere", radius: Number(radius.toPrecision(2)) };
  }

  /** A hand is below the eye and to its right, so that the way is seen and not only its end. */
  private fromHand(ray: Ray, distance: number): Ray {
    const { camera } = this.bench.viewport.cameras;
    const end = new THREE.Vector3(...along(ray, distance));
    const hand = new THREE.Vector3(0.06, -0.1, 0).multiplyScalar(distance).applyQuaternion(camera.quaternion).add(camera.position);
    return { origin: hand.toArray(), direction: end.sub(hand).normalize().toArray() };
  }

  private gravity(): Vec3 {
    const value = valueAt(this.bench.document, "/world/gravity");
    if (typeof value === "number") return [0, -value, 0];
    return isList(value) && value.length === 3 && value.every((part) => typeof part === "number")
      ? (value as unknown as Vec3)
      : [0, -9.81, 0];
  }

  private send(flight: Flight): void {
    const { throwSettings, callbacks, isRunning, shownFrame } = this.bench;
    const body: Record<string, unknown> = {
      shape: this.shape,
      position: rounded(flight.position, 4),
      velocity: rounded(flight.velocity, 4),
    };
    if (throwSettings.material !== undefined) body["material"] = throwSettings.material;
    const when = isRunning ? {} : { at: shownFrame };
    callbacks.command("throw", { body: body as JsonObject, ...when }).catch(() => {}); // the shell has said why
  }
}

/** Until it is as near as it comes, about, s. */
function timeTo(flight: Flight, point: Vec3): number {
  const way = Math.hypot(...[0, 1, 2].map((k) => point[k]! - flight.position[k]!));
  return way / (Math.hypot(...flight.velocity) || 1);
}

/** Half the size of a shape as far as its numbers say. */
function clearanceOf(shape: JsonObject): number {
  const numbers = ["radius", "width", "height", "depth", "length"].flatMap((key) => {
    const value = shape[key];
    return typeof value === "number" ? [key === "radius" ? value : value / 2] : [];
  });
  return numbers.length === 0 ? 0.25 : Math.hypot(...numbers);
}
