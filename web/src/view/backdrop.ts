import * as THREE from "three";

import type { BackgroundKind } from "../core/recording";

export type Theme = "dark" | "light";

interface Gradient {
  readonly top: string;
  readonly horizon: string;
  readonly bottom: string;
}

/** A scene without wishes has a backdrop that goes with the theme. */
export function gradientOf(kind: BackgroundKind, theme: Theme): Gradient {
  switch (kind) {
    case "sky":
      return theme === "dark"
        ? { top: "#16263f", horizon: "#5d7693", bottom: "#3a4656" }
        : { top: "#5f93cf", horizon: "#dbe8f3", bottom: "#cfd6db" };
    case "dark":
      return { top: "#0d0e11", horizon: "#17191d", bottom: "#0e0f11" };
    case "white":
      return { top: "#ffffff", horizon: "#ffffff", bottom: "#f6f6f6" };
    case "studio":
      return theme === "dark"
        ? { top: "#22252b", horizon: "#3a3e46", bottom: "#2a2d33" }
        : { top: "#dfe3e8", horizon: "#f3f5f7", bottom: "#e3e6ea" };
  }
}

/** Fills the picture behind everything else; the horizon stays where the horizon is. */
export class Backdrop {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;

  constructor() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    const material = new THREE.ShaderMaterial({
      uniforms: {
        top: { value: new THREE.Color() },
        horizon: { value: new THREE.Color() },
        bottom: { value: new THREE.Color() },
        viewFromClip: { value: new THREE.Matrix4() },
        worldFromView: { value: new THREE.Matrix4() },
      },
      vertexShader: /* glsl */ `
        uniform mat4 viewFromClip;
        uniform mat4 worldFromView;
        varying vec3 vRay;
        void main() {
          vec4 view = viewFromClip * vec4(position.xy, 1.0, 1.0);
          vRay = mat3(worldFromView) * (view.xyz / view.w);
          gl_Position = vec4(position.xy, 1.0, 1.0);
        }
      `,
      // between neighbours in colour a little noise, so that there are no bands
      fragmentShader: /* glsl */ `
        uniform vec3 top;
        uniform vec3 horizon;
        uniform vec3 bottom;
        varying vec3 vRay;
        void main() {
          float up = normalize(vRay).y;
          vec3 colour = mix(horizon, up > 0.0 ? top : bottom, smoothstep(0.0, up > 0.0 ? 0.75 : 0.45, abs(up)));
          gl_FragColor = vec4(colour, 1.0);
          #include <colorspace_fragment>
          float dither = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
          gl_FragColor.rgb += dither / 255.0;
        }
      `,
      depthTest: false,
      depthWrite: false,
      toneMapped: false,
    });
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  show(kind: BackgroundKind, theme: Theme): void {
    const gradient = gradientOf(kind, theme);
    for (const name of ["top", "horizon", "bottom"] as const) {
      (this.mesh.material.uniforms[name]!.value as THREE.Color).set(gradient[name]);
    }
  }

  useCamera(camera: THREE.PerspectiveCamera): void {
    (this.mesh.material.uniforms["viewFromClip"]!.value as THREE.Matrix4).copy(camera.projectionMatrixInverse);
    (this.mesh.material.uniforms["worldFromView"]!.value as THREE.Matrix4).copy(camera.matrixWorld);
  }
}
