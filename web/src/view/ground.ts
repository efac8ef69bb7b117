import * as THREE from "three";

import type { Places } from "../core/places";
import type { Body, Recording } from "../core/recording";
import { NOISE, SKETCHED_LIGHT } from "./glsl";

/** How even a floor is: a share of its colour. */
const MOTTLE = 0.045;

/** 1 where things happen, 0 far away and towards the horizon. */
const FADING = /* glsl */ `
uniform vec3 focus;
uniform vec2 fade;
varying vec3 vWorldPoint;
float fading(vec3 towardsEye, vec3 normal) {
  float away = 1.0 - smoothstep(fade.x, fade.y, distance(vWorldPoint, focus));
  return away * away * smoothstep(0.0, 0.13, abs(dot(normalize(towardsEye), normalize(normal))));
}
`;

/** A half-space of the scene: endless, so it fades out into the backdrop far from where things happen. */
export class Ground {
  readonly mesh: THREE.Mesh<THREE.CircleGeometry, THREE.MeshLambertMaterial>;
  private sketch: THREE.ShaderMaterial | undefined;

  constructor(
    readonly body: Body,
    recording: Recording,
    private readonly focus: THREE.Vector3,
    private readonly reach: number, // m, of the action
    private readonly noise: THREE.Texture,
    private readonly surroundings: number, // light from all around
  ) {
    const look = recording.looks[body.look]!;
    const geometry = new THREE.CircleGeometry(6 * reach, 64).rotateX(-Math.PI / 2) as THREE.CircleGeometry;
    // it fills most of the picture: plain, without reflections
    const material = new THREE.MeshLambertMaterial({ color: new THREE.Color(...look.colour), transparent: true });
    material.onBeforeCompile = (shader) => this.adapt(shader);
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.receiveShadow = true;
    this.mesh.renderOrder = -5;
    this.mesh.matrixAutoUpdate = false;
  }

  private adapt(shader: THREE.WebGLProgramParametersWithUniforms): void {
    Object.assign(shader.uniforms, {
      ...this.fadingUniforms(),
      grains: { value: 16 / this.reach },
      surroundings: { value: this.surroundings },
      noiseTexture: { value: this.noise },
    });
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vWorldPoint;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvWorldPoint = (modelMatrix * vec4(position, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        uniform float grains; uniform float surroundings;
        ${FADING}
        ${NOISE}`,
      )
      .replace(
        "#include <color_fragment>",
        `diffuseColor.rgb *= 1.0 + float(${MOTTLE}) * (noise(vWorldPoint * grains).w + noise(vWorldPoint * grains * 7.3).w);
        diffuseColor.a = fading(vViewPosition, vNormal);
        totalEmissiveRadiance += surroundings * diffuseColor.rgb;`,
      );
  }

  private fadingUniforms(): Record<string, THREE.IUniform> {
    return { focus: { value: this.focus }, fade: { value: new THREE.Vector2(1.3 * this.reach, 5.5 * this.reach) } };
  }

  /** Draws it in plain light while `draw` runs. */
  sketched(towardsLight: THREE.Vector3, draw: () => void): void {
    this.sketch ??= new THREE.ShaderMaterial({
      uniforms: { ...this.fadingUniforms(), colour: { value: this.mesh.material.color }, towardsLight: { value: towardsLight } },
      vertexShader: /* glsl */ `
        varying vec3 vWorldPoint;
        varying vec3 vNormal;
        void main() {
          vWorldPoint = (modelMatrix * vec4(position, 1.0)).xyz;
          vNormal = mat3(modelMatrix) * normal;
          gl_Position = projectionMatrix * viewMatrix * vec4(vWorldPoint, 1.0);
        }
      `,
      fragmentShader: /* glsl */ `
        ${FADING}
        ${SKETCHED_LIGHT}
        uniform vec3 colour;
        varying vec3 vNormal;
        void main() {
          gl_FragColor = vec4(colour * sketchedLight(normalize(vNormal)), fading(cameraPosition - vWorldPoint, vNormal));
          #include <tonemapping_fragment>
          #include <colorspace_fragment>
        }
      `,
      transparent: true,
    });
    const { material } = this.mesh;
    (this.mesh as THREE.Mesh).material = this.sketch;
    draw();
    this.mesh.material = material;
  }

  dispose(): void {
    this.sketch?.dispose();
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
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
