import * as THREE from "three";

/** A line over the picture whose points change. */
export class Line {
  readonly object: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private readonly points: THREE.BufferAttribute;

  constructor(count: number, colour: string, closed = false) {
    this.points = new THREE.BufferAttribute(new Float32Array(3 * count), 3);
    this.points.setUsage(THREE.DynamicDrawUsage);
    const geometry = new THREE.BufferGeometry().setAttribute("position", this.points);
    const material = new THREE.LineBasicMaterial({ color: colour, depthTest: false, transparent: true, toneMapped: false });
    this.object = closed ? new THREE.LineLoop(geometry, material) : new THREE.Line(geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 30;
    this.object.visible = false;
  }

  set(at: (index: number, count: number) => readonly [number, number, number]): void {
    for (let i = 0; i < this.points.count; ++i) this.points.setXYZ(i, ...at(i, this.points.count));
    this.points.needsUpdate = true;
    this.object.visible = true;
  }

  hide(): void {
    this.object.visible = false;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.object.removeFromParent();
  }
}
