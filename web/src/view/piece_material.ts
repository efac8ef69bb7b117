import * as THREE from "three";

import { NOISE, PIECE_FETCH, PIECE_VERTEX, SKETCHED_LIGHT, SLICE_FRAGMENT, SURFACE } from "./glsl";

export type Uniforms = Record<string, THREE.IUniform>;

/** Uniforms that all materials of the pieces share: changing one changes all. */
export function sliceUniforms(): Uniforms {
  return { slicePlane: { value: new THREE.Vector4(0, 1, 0, Infinity) } };
}

const VERTEX_PARS = /* glsl */ `
${PIECE_VERTEX}
uniform highp sampler2D paint;
uniform highp sampler2D facts;
flat varying vec4 vTurn;
flat varying vec3 vMove;
flat varying vec4 vPaint;
flat varying vec3 vFacts; // look, seed, grains per metre
flat varying float vSide;
varying vec3 vMeshPoint;
varying vec3 vWorldPoint;
`;

const VERTEX_NORMAL = /* glsl */ `
${PIECE_FETCH}
vec3 objectNormal = turned(pieceTurn, normal);
`;

const VERTEX_POINT = /* glsl */ `
vec3 transformed = turned(pieceTurn, position) + pieceMove.xyz;
vTurn = pieceTurn;
vMove = pieceMove.xyz;
vMeshPoint = position;
vWorldPoint = transformed;
vSide = piece - 2.0 * float(pieceBody);
vPaint = texelFetch(paint, texelOf(2 * pieceBody, transformsWidth), 0);
vFacts = texelFetch(facts, texelOf(pieceBody, transformsWidth), 0).xyz;
`;

const FRAGMENT_PARS = /* glsl */ `
${SLICE_FRAGMENT}
uniform highp sampler2D looks;
uniform int transformsWidth;
flat varying vec4 vTurn;
flat varying vec3 vMove;
flat varying vec4 vPaint;
flat varying vec3 vFacts;
flat varying float vSide;
varying vec3 vMeshPoint;
varying vec3 vWorldPoint;
${NOISE}
${SURFACE}
vec3 turned(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}
vec4 lookTexel(int index) {
  return texelFetch(looks, ivec2(index % transformsWidth, index / transformsWidth), 0);
}
vec3 linearOf(vec3 c) {
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}
`;

/**
 * Where the slice plane opens a piece, the eye meets the inner side of its far wall: that pixel is shaded as if it lay
 * on the plane. Nothing else can be in between, pieces being closed and apart. So every piece looks solid, in its own
 * colour and grain, without any new geometry.
 */
const FRAGMENT_SLICE = /* glsl */ `
bool isCap = false;
vec3 meshPoint = vMeshPoint;
#ifdef SLICED
  if (isCutAway(vWorldPoint)) discard;
  gl_FragDepth = gl_FragCoord.z;
  if (!gl_FrontFacing) {
    gl_FragDepth -= 6e-7; // its neighbour's wall may be at the very same place
    vec3 ray = vWorldPoint - cameraPosition;
    float along = dot(slicePlane.xyz, ray);
    float share = (slicePlane.w - dot(slicePlane.xyz, cameraPosition)) / along;
    if (along >= 0.0 || share <= 0.0 || share > 1.0) discard;
    isCap = true;
    vec3 onPlane = cameraPosition + share * ray;
    meshPoint = turned(vec4(-vTurn.xyz, vTurn.w), onPlane - vMove);
  }
#endif
`;

const FRAGMENT_COLOUR = /* glsl */ `
int lookRow = 6 * int(vFacts.x + 0.5) + (vSide > 0.5 || isCap ? 3 : 0);
vec4 look = lookTexel(lookRow);
vec4 shine = lookTexel(lookRow + 1);
vec3 grainPoint = meshPoint * vFacts.z + vFacts.y;
Surface surface = surfaceOf(grainPoint, int(look.w), 2.0 * fract(look.w), lookTexel(lookRow + 2), vSide > 0.5 && !isCap);
vec3 own = look.rgb * clamp(surface.tint, 0.2, 1.8);
vec3 painted = linearOf(vPaint.rgb) * mix(1.0, 0.72, vSide) * mix(1.0, dot(surface.tint, vec3(0.3333)), 0.35);
diffuseColor = vec4(mix(own, painted, vPaint.a), mix(shine.z, 1.0, vPaint.a));
`;

const FRAGMENT_NORMAL = /* glsl */ `
#ifdef SLICED
  if (isCap) normal = normalize((viewMatrix * vec4(slicePlane.xyz, 0.0)).xyz);
#endif
{
  vec3 slope = (viewMatrix * vec4(turned(vTurn, surface.slope), 0.0)).xyz * (1.0 - 0.8 * vPaint.a);
  normal = normalize(normal - (slope - dot(slope, normal) * normal));
}
`;

/** Reflections of glass are as bright as they are, however little of it is seen otherwise. */
const FRAGMENT_OUT = /* glsl */ `
#ifdef SEE_THROUGH
  float facing = abs(dot(normalize(vViewPosition), normal));
  float veil = mix(diffuseColor.a, 1.0, 0.75 * pow(1.0 - facing, 4.0));
  gl_FragColor = vec4(totalDiffuse * veil * shine.w + totalSpecular + totalEmissiveRadiance, veil);
#else
  gl_FragColor = vec4(outgoingLight, 1.0);
#endif
`;

function replaced(text: string, include: string, by: string): string {
  const what = `#include <${include}>`;
  if (!text.includes(what)) throw new Error(`three's shader has no ${what} any more`);
  return text.replace(what, by);
}

function adapt(shader: THREE.WebGLProgramParametersWithUniforms, uniforms: Uniforms): void {
  Object.assign(shader.uniforms, uniforms);
  let vertex = replaced(shader.vertexShader, "common", `#include <common>\n${VERTEX_PARS}`);
  vertex = replaced(vertex, "beginnormal_vertex", VERTEX_NORMAL);
  vertex = replaced(vertex, "begin_vertex", VERTEX_POINT);
  shader.vertexShader = vertex;

  let fragment = replaced(shader.fragmentShader, "common", `#include <common>\n${FRAGMENT_PARS}`);
  fragment = replaced(fragment, "clipping_planes_fragment", FRAGMENT_SLICE);
  fragment = replaced(fragment, "color_fragment", FRAGMENT_COLOUR);
  fragment = replaced(
    fragment,
    "roughnessmap_fragment",
    "float roughnessFactor = clamp(mix(shine.x, max(shine.x, 0.6), vPaint.a) + surface.rough, 0.02, 1.0);",
  );
  fragment = replaced(fragment, "metalnessmap_fragment", "float metalnessFactor = shine.y * (1.0 - vPaint.a);");
  fragment = replaced(fragment, "normal_fragment_maps", FRAGMENT_NORMAL);
  // nothing is between the light and a cut: what was has been cut away
  const lights = THREE.ShaderChunk.lights_fragment_begin.replaceAll("receiveShadow", "(receiveShadow && !isCap)");
  fragment = replaced(fragment, "lights_fragment_begin", lights);
  fragment = replaced(fragment, "opaque_fragment", FRAGMENT_OUT);
  shader.fragmentShader = fragment;
}

export type Layer = "solid" | "seeThrough";

export function pieceMaterial(layer: Layer, uniforms: Uniforms): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial();
  material.defines = { ...material.defines };
  if (layer === "seeThrough") {
    material.defines["SEE_THROUGH"] = "";
    material.transparent = true;
    material.blending = THREE.CustomBlending;
    material.blendSrc = THREE.OneFactor;
    material.blendDst = THREE.OneMinusSrcAlphaFactor;
    material.depthWrite = false;
  }
  material.onBeforeCompile = (shader) => adapt(shader, uniforms);
  material.customProgramCacheKey = () => `piece ${layer}`;
  return material;
}

/** With the slice plane, both sides of a surface are needed; without, only the front is drawn. */
export function setSliced(material: THREE.Material & { defines?: Record<string, unknown> }, sliced: boolean, layer: Layer): void {
  const defines = (material.defines ??= {});
  if (sliced) defines["SLICED"] = "";
  else delete defines["SLICED"];
  material.side = sliced && layer === "solid" ? THREE.DoubleSide : THREE.FrontSide;
  material.needsUpdate = true;
}

const PLAIN_VERTEX = /* glsl */ `
${PIECE_VERTEX}
varying vec3 vWorldPoint;
flat varying float vPiece;
void main() {
  ${PIECE_FETCH}
  vWorldPoint = turned(pieceTurn, position) + pieceMove.xyz;
  vPiece = float(pieceBody);
  gl_Position = projectionMatrix * viewMatrix * vec4(vWorldPoint, 1.0);
}
`;

/** Depth as three's shadow maps want it. */
export function shadowMaterial(uniforms: Uniforms): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms,
    vertexShader: PLAIN_VERTEX,
    fragmentShader: /* glsl */ `
      #include <common>
      #include <packing>
      ${SLICE_FRAGMENT}
      varying vec3 vWorldPoint;
      void main() {
        if (isCutAway(vWorldPoint)) discard;
        gl_FragColor = packDepthToRGBA(gl_FragCoord.z);
      }
    `,
    side: THREE.DoubleSide,
  });
}

/** Body id + 1 as colour, for finding out what is under the pointer. */
export function idMaterial(uniforms: Uniforms): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms,
    vertexShader: PLAIN_VERTEX,
    fragmentShader: /* glsl */ `
      ${SLICE_FRAGMENT}
      varying vec3 vWorldPoint;
      flat varying float vPiece;
      void main() {
        if (isCutAway(vWorldPoint)) discard;
        int id = int(vPiece + 0.5) + 1;
        gl_FragColor = vec4(float(id & 255), float((id >> 8) & 255), float((id >> 16) & 255), 255.0) / 255.0;
      }
    `,
    side: THREE.DoubleSide,
  });
}

/** Marks as red: what outlines are made of. Bodies without one are not drawn. */
export function markMaterial(uniforms: Uniforms): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms,
    vertexShader: /* glsl */ `
      ${PIECE_VERTEX}
      uniform highp sampler2D paint;
      varying vec3 vWorldPoint;
      flat varying float vMark;
      void main() {
        ${PIECE_FETCH}
        vWorldPoint = turned(pieceTurn, position) + pieceMove.xyz;
        vMark = texelFetch(paint, texelOf(2 * pieceBody + 1, transformsWidth), 0).x * 127.5;
        gl_Position = vMark > 0.1 ? projectionMatrix * viewMatrix * vec4(vWorldPoint, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      ${SLICE_FRAGMENT}
      varying vec3 vWorldPoint;
      flat varying float vMark;
      void main() {
        if (vMark < 0.1 || isCutAway(vWorldPoint)) discard;
        gl_FragColor = vec4(vMark, 0.0, 0.0, 1.0);
      }
    `,
    side: THREE.DoubleSide,
  });
}

/** Colours of the looks in plain light: compiled in a moment, for pictures that are shown until the rest is ready. */
export function sketchMaterial(uniforms: Uniforms, towardsLight: THREE.Vector3): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms: { ...uniforms, towardsLight: { value: towardsLight } },
    vertexShader: /* glsl */ `
      ${PIECE_VERTEX}
      ${SKETCHED_LIGHT}
      uniform highp sampler2D facts;
      uniform highp sampler2D looks;
      varying vec3 vColour;
      void main() {
        ${PIECE_FETCH}
        int look = int(texelFetch(facts, texelOf(pieceBody, transformsWidth), 0).x + 0.5);
        int side = int(piece + 0.5) - 2 * pieceBody;
        vec3 colour = texelFetch(looks, texelOf(6 * look + 3 * side, transformsWidth), 0).rgb;
        vColour = colour * sketchedLight(turned(pieceTurn, normal));
        gl_Position = projectionMatrix * viewMatrix * vec4(turned(pieceTurn, position) + pieceMove.xyz, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      varying vec3 vColour;
      void main() {
        gl_FragColor = vec4(vColour, 1.0);
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
      }
    `,
  });
}
