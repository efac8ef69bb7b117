import * as THREE from "three";

import { ramp } from "../core/colours";
import { SLICE_FRAGMENT } from "./glsl";
import type { Uniforms } from "./piece_material";

const COLOURS = 256;

/** From no tension to the most that is told apart. */
function colourTable(): THREE.DataTexture {
  const bytes = new Uint8Array(4 * COLOURS);
  for (let i = 0; i < COLOURS; ++i) bytes.set([...ramp(i / (COLOURS - 1)).map((channel) => Math.round(255 * channel)), 255], 4 * i);
  const texture = new THREE.DataTexture(bytes, COLOURS, 1, THREE.RGBAFormat);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** `top`: tension over strength that the last colour stands for. */
export function stressUniforms(top: number): Uniforms {
  return {
    slicePlane: { value: new THREE.Vector4(0, 1, 0, 3e38) },
    colourTable: { value: colourTable() },
    top: { value: top },
    cut: { value: null }, // tension over strength on the slice plane
    cutOrigin: { value: new THREE.Vector3() },
    cutAcross: { value: new THREE.Vector3() }, // world point to place in the texture
    cutUp: { value: new THREE.Vector3() },
  };
}

/**
 * A body coloured by tension over strength, by vertex on its surface and by texture where a slice plane opens it. Light
 * comes from the eye, so that colours are those of the legend. A white line runs where tension is the strength. How the
 * cut is drawn: see piece_material.ts.
 */
export function stressMaterial(uniforms: Uniforms): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms,
    side: THREE.DoubleSide,
    vertexShader: /* glsl */ `
      attribute float ratio;
      varying float vRatio;
      varying vec3 vWorldPoint;
      varying vec3 vNormal;
      void main() {
        vRatio = ratio;
        vec4 world = modelMatrix * vec4(position, 1.0);
        vWorldPoint = world.xyz;
        vNormal = mat3(modelMatrix) * normal;
        gl_Position = projectionMatrix * viewMatrix * world;
      }
    `,
    fragmentShader: /* glsl */ `
      ${SLICE_FRAGMENT}
      uniform sampler2D colourTable;
      uniform highp sampler2D cut;
      uniform vec3 cutOrigin;
      uniform vec3 cutAcross;
      uniform vec3 cutUp;
      uniform float top;
      varying float vRatio;
      varying vec3 vWorldPoint;
      varying vec3 vNormal;
      void main() {
        if (isCutAway(vWorldPoint)) discard;
        float shown = vRatio;
        vec3 normal = normalize(vNormal);
        if (!gl_FrontFacing) {
          vec3 ray = vWorldPoint - cameraPosition;
          float along = dot(slicePlane.xyz, ray);
          float share = (slicePlane.w - dot(slicePlane.xyz, cameraPosition)) / along;
          if (along >= 0.0 || share <= 0.0 || share > 1.0) discard;
          vec3 onPlane = cameraPosition + share * ray - cutOrigin;
          shown = texture2D(cut, vec2(dot(onPlane, cutAcross), dot(onPlane, cutUp))).r;
          normal = slicePlane.xyz;
        }
        vec3 colour = texture2D(colourTable, vec2(clamp(sqrt(max(shown, 0.0) / top), 0.002, 0.998), 0.5)).rgb;
        float fromStrength = abs(shown - 1.0) / max(fwidth(shown), 1e-6);
        colour = mix(vec3(1.0), colour, smoothstep(0.6, 1.4, fromStrength));
        float facing = abs(dot(normal, normalize(cameraPosition - vWorldPoint)));
        gl_FragColor = vec4(colour * (0.62 + 0.38 * facing), 1.0);
        #include <colorspace_fragment>
      }
    `,
  });
}
