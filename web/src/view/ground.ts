import * as THREE from "three";

import type { Places } from "../core/places";
import type { Body, Recording } from "../core/recording";
import { LOOK_KINDS } from "../core/recording";
import { NOISE, SURFACE } from "./glsl";

/** A half-space of the scene: endless, so it fades out into the backdrop far from where things happen. */
export class Ground {
  readonly mesh: THREE.Mesh<THREE.CircleGeometry, THREE.MeshStandardMaterial>;
  private readonly uniforms: { [name: string]: THREE.IUniform };

  constructor(
    readonly body: Body,
    recording: Recording,
    private readonly focus: THREE.Vector3,
    reach: number, // m, of the action
  ) {
    const look = recording.looks[body.look]!;
    this.uniforms = {
      focus: { value: focus },
      fade: { value: new THREE.Vector2(1.3 * reach, 5.5 * reach) },
      kind: { value: LOOK_KINDS.indexOf(look.kind) },
      grains: { value: 40 / reach },
    };
    const geometry = new THREE.CircleGeometry(6 * reach, 64).rotateX(-Math.PI / 2) as THREE.CircleGeometry;
    const material = new THREE.MeshStandardMaterial({
      color: new THREE.Color(...look.colour),
      roughness: look.kind === "metal" ? 0.45 : look.kind === "ceramic" || look.kind === "ice" ? 0.35 : 0.92,
      metalness: look.kind === "metal" ? 0.6 : 0,
      transparent: true,
    });
    material.onBeforeCompile = (shader) => this.adapt(shader);
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.receiveShadow = true;
    this.mesh.renderOrder = -5;
    this.mesh.matrixAutoUpdate = false;
  }

  private adapt(shader: THREE.WebGLProgramParametersWithUniforms): void {
    Object.assign(shader.uniforms, this.uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vWorldPoint;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvWorldPoint = (modelMatrix * vec4(position, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        uniform vec3 focus; uniform vec2 fade; uniform int kind; uniform float grains; varying vec3 vWorldPoint;
        ${NOISE}
        ${SURFACE}`,
      )
      .replace(
        "#include <color_fragment>",
        `Surface surface = surfaceOf(vWorldPoint * grains, length(fwidth(vWorldPoint)) * grains, kind, false);
        diffuseColor.rgb *= mix(vec3(1.0), clamp(surface.tint, 0.4, 1.5), 0.4);
        float away = 1.0 - smoothstep(fade.x, fade.y, distance(vWorldPoint, focus));
        diffuseColor.a = away * away;`,
      );
  }

  update(places: Places): void {
    this.mesh.visible = places.alive[this.body.id] === 1;
    const pose = places.poses.subarray(7 * this.body.id, 7 * this.body.id + 7);
    const turn = new THREE.Quaternion(pose[3], pose[4], pose[5], pose[6]);
    const normal = new THREE.Vector3(0, 1, 0).applyQuaternion(turn);
    const point = new THREE.Vector3(pose[0], pose[1], pose[2]);
    const below = this.focus.clone().addScaledVector(normal, -normal.dot(this.focus.clone().sub(point)));
    this.mesh.matrix.compose(below, turn, new THREE.Vector3(1, 1, 1));
    this.mesh.matrixWorldNeedsUpdate = true;
  }
}
