import { SHADING_FAMILIES } from "../core/recording";

/** Shader text shared by everything that draws pieces. Data textures are read by texel; see piece_textures.ts. */

/** Vertex side: where a piece is. `piece` is 2 * body + side (1: made by a crack). */
export const PIECE_VERTEX = /* glsl */ `
attribute float piece;
uniform highp sampler2D transforms; // two texels per body: translation and alive, rotation
uniform int transformsWidth;

vec3 turned(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}
ivec2 texelOf(int index, int width) {
  return ivec2(index % width, index / width);
}
`;

/** Reads `pieceMove` and `pieceTurn`. */
export const PIECE_FETCH = /* glsl */ `
int pieceBody = int(piece + 0.5) / 2;
vec4 pieceMove = texelFetch(transforms, texelOf(2 * pieceBody, transformsWidth), 0);
vec4 pieceTurn = texelFetch(transforms, texelOf(2 * pieceBody + 1, transformsWidth), 0);
`;

/** Fragment side of the slice plane: what lies beyond it is not there. */
export const SLICE_FRAGMENT = /* glsl */ `
uniform vec4 slicePlane; // dot(xyz, point) > w is cut away
bool isCutAway(vec3 point) { return dot(slicePlane.xyz, point) > slicePlane.w; }
`;

/**
 * Noise in the coordinates of the unbroken body, so that grain runs on through neighbouring pieces. What gets smaller
 * than a pixel fades out (mipmaps), so nothing flickers in the distance. See noise_texture.ts.
 */
export const NOISE = /* glsl */ `
uniform mediump sampler3D noiseTexture;
// Turned against the axes, so that no plane of the model meets the same noise twice, though it repeats every 16 cells.
const mat3 NOISE_TURN = mat3(0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6);
// slope and value, -1..1; one unit is one cell of the noise
vec4 noise(vec3 p) {
  vec4 n = 2.0 * texture(noiseTexture, NOISE_TURN * p * (1.0 / 16.0)) - 1.0;
  return vec4(n.xyz * NOISE_TURN, n.w);
}
`;

/**
 * How materials look, by the family of their look. In: a point in units of the body's grain, the family's number, how deep
 * the relief is, amounts (mottle, speckle, flecks or, below 0, pores, warmth), whether a crack made the face. Out: a factor
 * for the colour, a change of roughness, and the slope of a fine relief.
 */
export const SURFACE = /* glsl */ `
struct Surface {
  vec3 tint;
  float rough;
  vec3 slope;
};
${SHADING_FAMILIES.map((family, number) => `const int ${family.toUpperCase()} = ${number};`).join("\n")}

/* Two look-ups serve all looks: where they are depends on the look, that there are two does not. (Compilers copy each.) */
Surface surfaceOf(vec3 p, int family, float relief, vec4 amounts, bool crack) {
  Surface s = Surface(vec3(1.0), 0.0, vec3(0.0));
  float mottle = amounts.x;
  vec3 broadScale = family == GRAINED ? vec3(0.37) : family == WOOD ? vec3(0.5, 0.12, 0.5) : vec3(family == METAL ? 0.7 : family == FROSTED ? 0.6 : 1.1);
  vec4 broad = noise(p * broadScale);
  vec4 fine = noise(family == WOOD ? p * vec3(5.0, 0.35, 5.0) : p * 2.9 + 3.7);
  if (family == GRAINED) {
    float flecks = smoothstep(0.12, 0.5, fine.w) - 0.8 * smoothstep(0.15, 0.6, -fine.w);
    float pores = smoothstep(0.35, 0.7, -fine.w);
    s.tint *= 1.0 + mottle * broad.w + amounts.y * fine.w + max(amounts.z, 0.0) * flecks + min(amounts.z, 0.0) * pores;
    s.tint *= 1.0 + amounts.w * broad.w * vec3(0.05, -0.02, -0.08);
    s.rough = 0.08 * fine.w;
    s.slope = crack ? 0.42 * fine.xyz + 0.45 * broad.xyz : relief * (0.13 * fine.xyz + 0.06 * broad.xyz);
  } else if (family == WOOD) {
    float radius = 1.3 * length(p.xz + vec2(3.1, 1.7)) + 1.1 * broad.w;
    float seen = 1.0 - smoothstep(0.15, 0.5, fwidth(radius));
    s.tint *= 0.97 + mottle * (1.2 * seen * sin(6.2832 * radius) + fine.w);
    s.slope = crack ? 0.4 * fine.xyz : vec3(0.0);
  } else if (family == METAL) {
    s.tint *= 1.0 + 0.05 * broad.w;
    s.rough = 0.07 * broad.w;
  } else if (family == FROSTED) {
    s.tint *= 1.0 + 0.1 * broad.w;
    s.slope = 0.3 * broad.xyz;
  } else if (family == PLAIN) {
    s.tint *= 1.0 + mottle * broad.w + amounts.y * fine.w;
    s.slope = relief * (0.13 * fine.xyz + 0.06 * broad.xyz);
    if (crack) {
      s.tint *= 1.0 + 0.09 * broad.w;
      s.slope = 0.35 * broad.xyz;
    }
  }
  return s;
}
`;

/** Light on a matt white surface, about as lights.ts and environment.ts make it, without shadows. */
export const SKETCHED_LIGHT = /* glsl */ `
uniform vec3 towardsLight;
float sketchedLight(vec3 normal) {
  return 0.33 + 0.17 * max(normal.y, 0.0) + 0.62 * max(dot(normal, towardsLight), 0.0);
}
`;
