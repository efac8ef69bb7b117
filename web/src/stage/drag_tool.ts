import * as THREE from "three";

import { toWorld } from "../core/raycast";
import type { Vec3 } from "../core/recording";
import { rounded } from "./scene_edits";
import { Line } from "./lines";
import type { Pointer, StageTool, Workbench } from "./tool";

/** A rubber band from a point of a body to the pointer, while a run goes on. */
export class DragTool implements StageTool {
  private readonly band = new Line(2, "#ff8a1f");
  private held: { body: number; local: Vec3; plane: THREE.Plane } | undefined;
  private target: Vec3 = [0, 0, 0];
  private told: Vec3 | undefined; // the target that was sent last
  private busy = false;

  constructor(private readonly bench: Workbench) {}

  activate(): void {
    this.bench.viewport.overlay.add(this.band.object);
    this.bench.readout.show("Drag a body while the run goes on");
  }

  deactivate(): void {
    this.cancel();
    this.band.object.removeFromParent();
    this.bench.readout.hide();
  }

  dispose(): void {
    this.band.dispose();
  }

  down(pointer: Pointer): boolean {
    const { viewport, recording, isRunning, callbacks } = this.bench;
    const hit = viewport.hitAt(pointer.x, pointer.y);
    const body = hit && recording.bodies[hit.body];
    if (!hit || !body || body.halfSpace) return false; // the camera's
    if (!isRunning) {
      callbacks.announce("Nothing runs: press Run, then drag a body");
      return true;
    }
    if (body.kind !== "dynamic") {
      callbacks.announce(`${body.name} is ${body.kind}: only dynamic bodies can be dragged`);
      return true;
    }
    const facing = viewport.cameras.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, new THREE.Vector3(...hit.point));
    this.held = { body: body.id, local: hit.local, plane };
    this.target = hit.point;
    this.told = hit.point;
    this.send("pull_begin", { body: body.name, point: rounded(hit.local) });
    return true;
  }

  move(pointer: Pointer): void {
    if (!this.held) return;
    const { origin, direction } = this.bench.viewport.rayAt(pointer.x, pointer.y);
    const ray = new THREE.Ray(new THREE.Vector3(...origin), new THREE.Vector3(...direction));
    const point = ray.intersectPlane(this.held.plane, new THREE.Vector3());
    if (point) this.target = point.toArray();
    this.tell();
  }

  /** The newest target goes out when the one before has been taken. */
  private tell(): void {
    if (!this.held || this.busy || this.told === this.target) return;
    this.told = this.target;
    this.send("pull_move", { target: rounded(this.target) });
  }

  private send(command: string, args: object): void {
    this.busy = true;
    this.bench.callbacks
      .command(command, args)
      .catch(() => this.drop())
      .finally(() => {
        this.busy = false;
        this.tell();
      });
  }

  up(): void {
    this.cancel();
  }

  cancel(): void {
    if (!this.held) return;
    this.drop();
    this.bench.callbacks.command("pull_end", {}).catch(() => {}); // the shell has said why
  }

  private drop(): void {
    this.held = undefined;
    this.band.hide();
    this.bench.viewport.redraw();
  }

  animate(): boolean {
    const { held } = this;
    if (!held) return false;
    const from = this.grip(held.body, held.local);
    const far = Math.hypot(...[0, 1, 2].map((k) => this.target[k]! - from[k]!));
    this.band.set((i) => (i === 0 ? from : (this.target as [number, number, number])));
    this.bench.readout.show(this.bench.recording.bodies[held.body]!.name, `${far.toFixed(2)} m`);
    return true;
  }

  /** Where the held point is now; of a body that broke, on the piece that is nearest to it. */
  private grip(id: number, local: Vec3): [number, number, number] {
    const { recording, viewport } = this.bench;
    const { alive } = viewport.places;
    if (alive[id] === 1) return [...toWorld(this.bench.poseOf(id), recording.bodies[id]!.centre, local)];
    let nearest: [number, number, number] = [...this.target];
    let least = Infinity;
    for (const body of recording.bodies) {
      if (alive[body.id] !== 1 || body.root !== recording.bodies[id]?.root) continue;
      const away = Math.hypot(...[0, 1, 2].map((k) => body.centre[k]! - local[k]!)); // pieces have its coordinates
      if (away >= least) continue;
      least = away;
      nearest = [...toWorld(this.bench.poseOf(body.id), body.centre, local)];
    }
    return nearest;
  }
}
