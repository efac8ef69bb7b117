import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

import { centreOf, type Box } from "../core/bounds";
import type { CameraView } from "../core/recording";

export type CameraMode = "orbit" | "fly";

const WIDTH_ASPECT = 4 / 3; // of the picture that a scene's field of view is meant for
const DEFAULT_FIELD = 40; // degrees across
const DAMPING = 0.12; // of a turn's speed in a 60th of a second
const FLIGHT = 0.7; // s, to a place that was asked for
const KEYS = { KeyW: [0, 0, -1], KeyS: [0, 0, 1], KeyA: [-1, 0, 0], KeyD: [1, 0, 0], KeyE: [0, 1, 0], KeyQ: [0, -1, 0] } as const;

/** Orbit around a point, or fly about. Both move one camera, so that changing over does not jump. */
export class Cameras {
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
  readonly orbit: OrbitControls;
  private readonly listening = new AbortController();
  private readonly pressed = new Set<string>();
  private flySpeed = 1; // m/s
  private across = DEFAULT_FIELD;
  private current: CameraMode = "orbit";
  private isLocked = false;
  private flight:
    | { from: THREE.Vector3; fromTarget: THREE.Vector3; position: THREE.Vector3; target: THREE.Vector3; share: number }
    | undefined;

  constructor(
    private readonly element: HTMLElement,
    private readonly onChange: () => void,
  ) {
    this.orbit = new OrbitControls(this.camera, element);
    this.orbit.enableDamping = true;
    this.orbit.maxPolarAngle = Math.PI * 0.98;
    this.orbit.zoomToCursor = true;
    this.orbit.addEventListener("change", onChange);
    this.orbit.addEventListener("start", () => (this.flight = undefined));
    this.listenForFlying();
  }

  /** While a tool has the mouse, the camera leaves it alone. */
  set locked(locked: boolean) {
    this.isLocked = locked;
    this.orbit.enabled = this.current === "orbit" && !locked;
  }

  get mode(): CameraMode {
    return this.current;
  }

  set mode(mode: CameraMode) {
    if (mode === "orbit" && this.current === "fly") {
      const ahead = this.camera.getWorldDirection(new THREE.Vector3());
      const distance = this.camera.position.distanceTo(this.orbit.target);
      this.orbit.target.copy(this.camera.position).addScaledVector(ahead, Math.max(distance, this.camera.near * 10));
    }
    this.current = mode;
    this.orbit.enabled = mode === "orbit" && !this.isLocked;
    this.pressed.clear();
    this.onChange();
  }

  /** To what is looked at, m. */
  get distance(): number {
    return this.camera.position.distanceTo(this.orbit.target);
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1);
    const across = Math.tan(THREE.MathUtils.degToRad(this.across) / 2);
    const up = across / Math.min(this.camera.aspect, WIDTH_ASPECT);
    this.camera.fov = THREE.MathUtils.radToDeg(2 * Math.atan(up));
    this.camera.updateProjectionMatrix();
  }

  /** `size`: of the scene, m. */
  setScale(size: number): void {
    this.camera.near = size / 500;
    this.camera.far = size * 60;
    this.orbit.minDistance = size / 100;
    this.orbit.maxDistance = size * 25;
    this.flySpeed = size / 4;
    this.camera.updateProjectionMatrix();
  }

  look(view: CameraView): void {
    this.stop();
    this.across = view.fieldOfView;
    this.camera.position.set(...view.position);
    this.orbit.target.set(...view.target);
    this.settle();
  }

  /** Shows a whole box, from the present direction or a given one. */
  frame(box: Box, direction?: THREE.Vector3): void {
    this.stop();
    const centre = new THREE.Vector3(...centreOf(box));
    const from = (direction ?? this.camera.position.clone().sub(this.orbit.target)).normalize();
    this.orbit.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(from, Math.max(this.distanceFor(box, from), this.camera.near * 4));
    this.settle();
  }

  /** The least from which all corners of a box are seen, with a little room around them. */
  private distanceFor(box: Box, from: THREE.Vector3): number {
    const room = 1.15;
    const up = Math.tan(THREE.MathUtils.degToRad(this.camera.fov) / 2) / room;
    const turn = new THREE.Matrix4().lookAt(from, new THREE.Vector3(), this.camera.up).invert();
    const half = new THREE.Vector3(...box.max).sub(new THREE.Vector3(...box.min)).multiplyScalar(0.5);
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const p = new THREE.Vector3(corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z);
      p.applyMatrix4(turn);
      distance = Math.max(distance, p.z + Math.abs(p.y) / up, p.z + Math.abs(p.x) / (up * this.camera.aspect));
    }
    return distance;
  }

  /** As a scene would say it. */
  get view(): CameraView {
    const { position } = this.camera;
    const ahead =
      this.current === "fly"
        ? this.camera.getWorldDirection(new THREE.Vector3()).multiplyScalar(this.distance).add(position)
        : this.orbit.target;
    return { position: [position.x, position.y, position.z], target: [ahead.x, ahead.y, ahead.z], fieldOfView: this.across };
  }

  dispose(): void {
    this.listening.abort();
    this.orbit.dispose();
  }

  /** Goes to look at a place from another one; at once for those who want no motion. */
  flyTo(position: THREE.Vector3, target: THREE.Vector3): void {
    if (this.current === "fly") this.mode = "orbit";
    this.stop();
    this.flight = { from: this.camera.position.clone(), fromTarget: this.orbit.target.clone(), position, target, share: 0 };
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) this.goOn(FLIGHT);
    this.onChange();
  }

  private goOn(seconds: number): void {
    const { flight } = this;
    if (!flight) return;
    flight.share = Math.min(flight.share + seconds / FLIGHT, 1);
    const eased = flight.share * flight.share * (3 - 2 * flight.share);
    this.camera.position.lerpVectors(flight.from, flight.position, eased);
    this.orbit.target.lerpVectors(flight.fromTarget, flight.target, eased);
    if (flight.share === 1) this.flight = undefined;
    this.settle();
  }

  /** Whatever is left of a drag or a flight does not go on. */
  private stop(): void {
    this.flight = undefined;
    this.orbit.enableDamping = false;
    this.orbit.update();
    this.orbit.enableDamping = true;
  }

  private settle(): void {
    this.camera.lookAt(this.orbit.target);
    this.orbit.update();
    this.onChange();
  }

  /** Lets time pass; true while the camera moves by itself. */
  advance(seconds: number): boolean {
    if (this.flight) {
      this.goOn(seconds);
      return true;
    }
    if (this.current === "orbit") {
      this.orbit.dampingFactor = 1 - (1 - DAMPING) ** (60 * seconds); // as long on slow machines as on fast ones
      return this.orbit.update();
    }
    if (this.pressed.size === 0) return false;
    const move = new THREE.Vector3();
    for (const [key, [x, y, z]] of Object.entries(KEYS)) if (this.pressed.has(key)) move.add(new THREE.Vector3(x, y, z));
    const fast = this.pressed.has("ShiftLeft") || this.pressed.has("ShiftRight") ? 4 : 1;
    move.applyQuaternion(this.camera.quaternion).multiplyScalar(this.flySpeed * fast * Math.min(seconds, 0.1));
    this.camera.position.add(move);
    return true;
  }

  private listenForFlying(): void {
    let looking = false;
    this.element.addEventListener("pointerdown", (event) => {
      looking = this.current === "fly" && event.button === 0 && !this.isLocked;
      if (looking) this.element.setPointerCapture(event.pointerId);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (looking && this.current === "fly") this.turn(event.movementX, event.movementY);
    });
    this.element.addEventListener("pointerup", () => (looking = false));
    this.element.addEventListener("pointercancel", () => (looking = false));
    this.element.addEventListener(
      "wheel",
      (event) => {
        if (this.current !== "fly") return;
        event.preventDefault();
        this.flySpeed *= Math.exp(-0.001 * event.deltaY);
      },
      { passive: false },
    );
    window.addEventListener("blur", () => this.pressed.clear(), { signal: this.listening.signal });
  }

  private turn(x: number, y: number): void {
    const angles = new THREE.Euler().setFromQuaternion(this.camera.quaternion, "YXZ");
    angles.y -= 0.0035 * x;
    angles.x = Math.min(Math.max(angles.x - 0.0035 * y, -1.55), 1.55);
    angles.z = 0;
    this.camera.quaternion.setFromEuler(angles);
    this.onChange();
  }

  /** True when the key is one of flying's and flying is on. */
  key(code: string, down: boolean): boolean {
    if (this.current !== "fly" || !(code in KEYS || code.startsWith("Shift"))) return false;
    if (down) this.pressed.add(code);
    else this.pressed.delete(code);
    if (down) this.onChange();
    return code in KEYS;
  }
}
