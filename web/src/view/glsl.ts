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
 * How materials look. In: a point in units of the body's grain, kind of look, whether a crack made the face. Out: a
 * factor for the colour, a change of roughness, and the slope of a fine relief.
 */
export const SURFACE = /* glsl */ `
struct Surface {
  vec3 tint;
  float rough;
  vec3 slope;
};
const int PLAIN = 0, STONE = 1, CONCRETE = 2, BRICK = 3, GLASS = 4, CERAMIC = 5, WOOD = 6, METAL = 7, ICE = 8;

/* Two look-ups serve all looks: where they are depends on the look, that there are two does not. (Compilers copy each.) */
Surface surfaceOf(vec3 p, int kind, bool crack) {
  Surface s = Surface(vec3(1.0), 0.0, vec3(0.0));
  bool mineral = kind == STONE || kind == CONCRETE || kind == BRICK;
  vec3 broadScale = mineral ? vec3(0.37) : kind == WOOD ? vec3(0.5, 0.12, 0.5) : vec3(kind == METAL ? 0.7 : kind == ICE ? 0.6 : 1.1);
  vec4 broad = noise(p * broadScale);
  vec4 fine = noise(kind == WOOD ? p * vec3(5.0, 0.35, 5.0) : p * 2.9 + 3.7);
  if (mineral) {
    if (kind == STONE) {
      float flecks = smoothstep(0.12, 0.5, fine.w) - 0.8 * smoothstep(0.15, 0.6, -fine.w);
      s.tint *= 1.0 + 0.2 * broad.w + 0.22 * flecks;
      s.tint *= mix(vec3(1.0), vec3(1.04, 1.0, 0.95), 0.9 * broad.w);
    } else if (kind == CONCRETE) {
      s.tint *= 1.0 + 0.14 * broad.w + 0.07 * fine.w - 0.16 * smoothstep(0.35, 0.7, -fine.w);
    } else {
      s.tint *= 1.0 + 0.18 * broad.w + 0.2 * fine.w;
      s.tint *= mix(vec3(1.0), vec3(1.05, 0.98, 0.92), broad.w);
    }
    s.rough = 0.08 * fine.w;
    s.slope = (crack ? 0.42 : 0.13) * fine.xyz + (crack ? 0.45 : 0.06) * broad.xyz;
  } else if (kind == WOOD) {
    float radius = 1.3 * length(p.xz + vec2(3.1, 1.7)) + 1.1 * broad.w;
    float seen = 1.0 - smoothstep(0.15, 0.5, fwidth(radius));
    s.tint *= 0.97 + 0.2 * seen * sin(6.2832 * radius) + 0.16 * fine.w;
    s.slope = crack ? 0.4 * fine.xyz : vec3(0.0);
  } else if (kind == METAL) {
    s.tint *= 1.0 + 0.05 * broad.w;
    s.rough = 0.07 * broad.w;
  } else if (kind == ICE) {
    s.tint *= 1.0 + 0.1 * broad.w;
    s.slope = 0.3 * broad.xyz;
  } else if (crack && kind != GLASS) {
    s.tint *= 1.0 + 0.09 * broad.w;
    s.slope = 0.35 * broad.xyz;
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
