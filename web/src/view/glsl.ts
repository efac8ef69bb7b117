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
`;

/**
 * Noise in the coordinates of the unbroken body, so that grain runs on through neighbouring pieces. Each octave fades
 * out when it gets smaller than a pixel: nothing flickers in the distance.
 */
export const NOISE = /* glsl */ `
float hash31(ivec3 p) {
  uvec3 q = uvec3(p) * uvec3(1597334673u, 3812015801u, 2798796415u);
  uint n = (q.x ^ q.y ^ q.z) * 1597334673u;
  n = (n ^ (n >> 15u)) * 2246822519u;
  return float(n >> 8u) * (1.0 / 16777216.0);
}
// value in -1..1 and its gradient
vec4 noise(vec3 x) {
  vec3 cell = floor(x);
  ivec3 i = ivec3(cell);
  vec3 f = x - cell;
  vec3 u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  vec3 du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
  float a = hash31(i), b = hash31(i + ivec3(1, 0, 0)), c = hash31(i + ivec3(0, 1, 0)), d = hash31(i + ivec3(1, 1, 0));
  float e = hash31(i + ivec3(0, 0, 1)), g = hash31(i + ivec3(1, 0, 1)), h = hash31(i + ivec3(0, 1, 1)), k = hash31(i + ivec3(1, 1, 1));
  float k1 = b - a, k2 = c - a, k3 = e - a, k4 = a - b - c + d, k5 = a - c - e + h, k6 = a - b - e + g, k7 = -a + b + c - d + e - g - h + k;
  float value = a + k1 * u.x + k2 * u.y + k3 * u.z + k4 * u.x * u.y + k5 * u.y * u.z + k6 * u.z * u.x + k7 * u.x * u.y * u.z;
  vec3 gradient = du * vec3(k1 + k4 * u.y + k6 * u.z + k7 * u.y * u.z, k2 + k5 * u.z + k4 * u.x + k7 * u.z * u.x, k3 + k6 * u.x + k5 * u.y + k7 * u.x * u.y);
  return vec4(2.0 * value - 1.0, 2.0 * gradient);
}
float seen(float footprint) {
  return 1.0 - smoothstep(0.35, 0.9, footprint);
}
`;

/**
 * How materials look. In: a point in units of the body's grain, how many of these a pixel covers, kind of look, side.
 * Out: a factor for the colour, a change of roughness, and the slope of a fine relief.
 */
export const SURFACE = /* glsl */ `
struct Surface {
  vec3 tint;
  float rough;
  vec3 slope;
};
const int PLAIN = 0, STONE = 1, CONCRETE = 2, BRICK = 3, GLASS = 4, CERAMIC = 5, WOOD = 6, METAL = 7, ICE = 8;

void addOctave(inout vec4 sum, vec3 p, float footprint, float frequency, float amount) {
  float fade = seen(footprint * frequency);
  if (fade <= 0.0) return;
  vec4 n = noise(p * frequency + 17.3 * frequency);
  sum += amount * fade * vec4(n.x, n.yzw * frequency);
}

Surface surfaceOf(vec3 p, float footprint, int kind, bool crack) {
  Surface s = Surface(vec3(1.0), 0.0, vec3(0.0));
  vec4 broad = vec4(0.0), fine = vec4(0.0);
  if (kind == STONE || kind == CONCRETE || kind == BRICK) {
    addOctave(broad, p, footprint, 0.35, 0.6);
    addOctave(broad, p, footprint, 0.9, 0.4);
    addOctave(fine, p, footprint, 2.7, 0.55);
    addOctave(fine, p, footprint, 6.1, 0.45);
    float grit = 0.0;
    float fade = seen(footprint * 11.0);
    if (fade > 0.0) grit = fade * noise(p * 11.0).x;
    if (kind == STONE) {
      float flecks = smoothstep(0.28, 0.62, fine.x) - smoothstep(0.3, 0.7, -fine.x);
      s.tint *= 1.0 + 0.16 * broad.x + 0.13 * flecks + 0.07 * grit;
      s.tint *= mix(vec3(1.0), vec3(1.05, 1.0, 0.93), 0.9 * broad.x);
    } else if (kind == CONCRETE) {
      float pores = smoothstep(0.45, 0.8, -grit - 0.4 * fine.x);
      s.tint *= 1.0 + 0.09 * broad.x + 0.05 * fine.x - 0.12 * pores;
    } else {
      s.tint *= 1.0 + 0.14 * broad.x + 0.12 * fine.x + 0.1 * grit;
      s.tint *= mix(vec3(1.0), vec3(1.04, 0.98, 0.92), broad.x);
    }
    s.rough = 0.06 * fine.x;
    s.slope = (crack ? 0.045 : 0.012) * fine.yzw + (crack ? 0.14 : 0.02) * broad.yzw;
  } else if (kind == WOOD) {
    vec4 warp = vec4(0.0);
    addOctave(warp, p * vec3(1.0, 0.25, 1.0), footprint, 0.5, 1.0);
    float radius = length(p.xz + vec2(3.1, 1.7)) * 1.3 + 0.8 * warp.x;
    float rings = 0.5 + 0.5 * sin(6.2832 * radius);
    addOctave(fine, p * vec3(9.0, 0.6, 9.0), footprint * 4.0, 1.0, 1.0);
    s.tint *= 0.86 + 0.26 * mix(0.5, rings, seen(footprint * 2.6)) + 0.1 * fine.x;
    s.slope = crack ? 0.05 * fine.yzw : vec3(0.0);
  } else if (kind == METAL) {
    addOctave(broad, p, footprint, 0.6, 1.0);
    addOctave(fine, p, footprint, 5.0, 1.0);
    s.tint *= 1.0 + 0.04 * broad.x;
    s.rough = 0.05 * broad.x + 0.03 * fine.x;
  } else if (kind == ICE) {
    addOctave(broad, p, footprint, 0.5, 0.6);
    addOctave(fine, p, footprint, 2.0, 0.4);
    s.tint *= 1.0 + 0.08 * broad.x;
    s.slope = 0.06 * broad.yzw + 0.03 * fine.yzw;
  } else if (crack && kind != GLASS) {
    addOctave(broad, p, footprint, 0.8, 0.6);
    addOctave(fine, p, footprint, 3.0, 0.4);
    s.tint *= 1.0 + 0.04 * broad.x + 0.04 * fine.x;
    s.slope = 0.08 * broad.yzw + 0.03 * fine.yzw;
  }
  return s;
}
`;
