import * as THREE from "three";

import type { Vec3 } from "../core/recording";

/**
 * A main light with shadows, and a weak one from straight above whose shadow map is coarse: its shadows are as soft as
 * those under an overcast sky, and darken the ground where things touch it.
 */
export class Lights {
  readonly group = new THREE.Group();
  private readonly main = new THREE.DirectionalLight("#fff1de", 1.95);
  private readonly sky = new THREE.DirectionalLight("#e6efff", 0.55);
  private readonly directions: Map<THREE.DirectionalLight, THREE.Vector3>;
  private covered = 0; // m, radius
  private sceneSize: number; // m

  constructor(
    towards: Vec3,
    sceneSize: number, // m
  ) {
    this.sceneSize = sceneSize;
    this.directions = new Map([
      [this.main, new THREE.Vector3(...towards).normalize()],
      [this.sky, new THREE.Vector3(0.08, 1, 0.05).normalize()],
    ]);
    for (const light of this.directions.keys()) {
      light.castShadow = true;
      this.group.add(light, light.target);
    }
    this.main.shadow.mapSize.set(2048, 2048);
    this.sky.shadow.mapSize.set(320, 320);
  }

  /** Towards the main light. */
  get direction(): THREE.Vector3 {
    return this.directions.get(this.main)!;
  }

  /** Another direction towards the main light, another size of the scene. */
  set(towards: Vec3, sceneSize: number): void {
    this.directions
      .get(this.main)!
      .set(...towards)
      .normalize();
    if (sceneSize !== this.sceneSize) this.covered = 0;
    this.sceneSize = sceneSize;
  }

  /** Shadows are cast in what the camera sees around the point it looks at: near by they are as sharp as far away. */
  follow(camera: THREE.PerspectiveCamera, distance: number): void {
    const half = Math.tan(THREE.MathUtils.degToRad(camera.fov) / 2) * Math.max(1, camera.aspect);
    const wanted = Math.min(1.9 * distance * half, 3 * this.sceneSize);
    // in few steps: shadows must not swim while the camera moves
    const radius = 1.3 ** Math.ceil(Math.log(wanted) / Math.log(1.3));
    const centre = camera.getWorldDirection(new THREE.Vector3()).multiplyScalar(distance).add(camera.position);
    for (const [light, direction] of this.directions) this.place(light, direction, centre, radius);
    this.covered = radius;
  }

  private place(light: THREE.DirectionalLight, direction: THREE.Vector3, centre: THREE.Vector3, radius: number): void {
    const texel = (2 * radius) / light.shadow.mapSize.x;
    const reach = 2 * radius + this.sceneSize;
    light.target.position.copy(snapped(centre, direction, texel));
    light.position.copy(light.target.position).addScaledVector(direction, reach);
    light.target.updateMatrixWorld();
    light.updateMatrixWorld();
    if (radius === this.covered) return;
    const camera = light.shadow.camera;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = 0.01 * reach;
    camera.far = 2 * reach;
    camera.updateProjectionMatrix();
    light.shadow.normalBias = light === this.main ? 1.5 * texel : texel;
    light.shadow.bias = (-0.6 * texel) / reach;
  }
}

/** Moved to a whole number of the shadow map's texels, as the light sees it. */
function snapped(point: THREE.Vector3, direction: THREE.Vector3, texel: number): THREE.Vector3 {
  const view = new THREE.Matrix4().lookAt(direction, new THREE.Vector3(), new THREE.Vector3(0, 1, 0));
  const seen = point.clone().applyMatrix4(view.clone().invert());
  seen.x = Math.round(seen.x / texel) * texel;
  seen.y = Math.round(seen.y / texel) * texel;
  return seen.applyMatrix4(view);
}
