import * as THREE from "three";

import type { Mesh } from "../core/recording";
import { shadedOnce } from "./merged";
import { poseMatrix } from "./pose_matrix";

/** Colours over a body, by vertex of its mesh. */
export class HeatOverlay {
  readonly object: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;
  private readonly colours: THREE.BufferAttribute;
  private readonly sources: Uint32Array;

  constructor(mesh: Mesh) {
    const shaded = shadedOnce(mesh);
    const vertices = shaded.positions.length / 3;
    const normals = new Int16Array(4 * vertices);
    for (let v = 0; v < vertices; ++v) for (let k = 0; k < 3; ++k) normals[4 * v + k] = shaded.normals[3 * v + k]!;
    this.sources = shaded.sources;
    this.colours = new THREE.BufferAttribute(new Uint8Array(4 * vertices), 4, true);
    this.colours.setUsage(THREE.DynamicDrawUsage);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(shaded.positions, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 4, true));
    geometry.setAttribute("color", this.colours);
    geometry.setIndex(new THREE.BufferAttribute(shaded.indices, 1));
    // a little nearer than the body itself, which is at the same place
    const material = new THREE.MeshLambertMaterial({
      vertexColors: true,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -4,
    });
    material.emissive.setScalar(0.12);
    this.object = new THREE.Mesh(geometry, material);
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
    this.object.renderOrder = 1;
  }

  paint(values: Uint8Array, colourOf: (value: number) => readonly [number, number, number]): void {
    const linear = Array.from({ length: 256 }, (_, value) => {
      const [r, g, b] = colourOf(value);
      const colour = new THREE.Color().setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace);
      return [colour.r, colour.g, colour.b].map((channel) => Math.round(255 * channel));
    });
    const out = this.colours.array as Uint8Array;
    this.sources.forEach((vertex, v) => {
      const [r, g, b] = linear[values[vertex]!]!;
      out[4 * v] = r!;
      out[4 * v + 1] = g!;
      out[4 * v + 2] = b!;
      out[4 * v + 3] = 255;
    });
    this.colours.needsUpdate = true;
  }

  /** `pose`: of the centre of mass. */
  place(pose: ArrayLike<number>, centre: readonly [number, number, number]): void {
    this.object.matrix.copy(poseMatrix(pose, centre));
    this.object.matrixWorldNeedsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.object.removeFromParent();
  }
}
