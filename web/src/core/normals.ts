import type { Mesh } from "./recording";

/** A mesh as graphics cards want it: a vertex has one normal, so it is there once per smooth patch around it. */
export interface ShadedMesh {
  readonly positions: Float32Array;
  readonly normals: Int16Array; // three per vertex, of 32767
  readonly sources: Uint32Array; // which vertex of the mesh each one is
  readonly indices: Uint32Array;
  readonly outside: number; // so many indices come first; the others are of crack faces
  readonly outsideVertices: number; // so many vertices come first; the others are of crack faces
}

/** rad; creases sharper than this stay creases. As for stills. */
export const CREASE_ANGLE = 0.35;

interface Faces {
  readonly normals: Float32Array; // unit, three per triangle
  readonly angles: Float32Array; // at each corner, rad
}

function facesOf(mesh: Mesh): Faces {
  const count = mesh.triangles.length / 3;
  const normals = new Float32Array(3 * count);
  const angles = new Float32Array(3 * count);
  const p = mesh.positions;
  const edge = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let t = 0; t < count; ++t) {
    for (let c = 0; c < 3; ++c) {
      const a = 3 * mesh.triangles[3 * t + c]!;
      const b = 3 * mesh.triangles[3 * t + ((c + 1) % 3)]!;
      const x = p[b]! - p[a]!;
      const y = p[b + 1]! - p[a + 1]!;
      const z = p[b + 2]! - p[a + 2]!;
      const length = Math.sqrt(x * x + y * y + z * z) || 1;
      edge[3 * c] = x / length;
      edge[3 * c + 1] = y / length;
      edge[3 * c + 2] = z / length;
    }
    for (let c = 0; c < 3; ++c) {
      const d = (c + 2) % 3; // the edge that comes in
      const cosine = -(edge[3 * c]! * edge[3 * d]! + edge[3 * c + 1]! * edge[3 * d + 1]! + edge[3 * c + 2]! * edge[3 * d + 2]!);
      angles[3 * t + c] = Math.acos(Math.min(Math.max(cosine, -1), 1));
    }
    const nx = edge[1]! * edge[5]! - edge[2]! * edge[4]!;
    const ny = edge[2]! * edge[3]! - edge[0]! * edge[5]!;
    const nz = edge[0]! * edge[4]! - edge[1]! * edge[3]!;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    normals[3 * t] = nx / length;
    normals[3 * t + 1] = ny / length;
    normals[3 * t + 2] = nz / length;
  }
  return { normals, angles };
}

/** Corners (3 * triangle + k) around each vertex: those of vertex v are list[start[v]] .. list[start[v + 1] - 1]. */
function cornersOfVertices(triangles: Uint32Array, vertexCount: number): { start: Uint32Array; list: Uint32Array } {
  const start = new Uint32Array(vertexCount + 1);
  for (const v of triangles) start[v + 1] = start[v + 1]! + 1;
  for (let v = 0; v < vertexCount; ++v) start[v + 1] = start[v + 1]! + start[v]!;
  const next = start.slice();
  const list = new Uint32Array(triangles.length);
  triangles.forEach((v, corner) => {
    list[next[v]!] = corner;
    next[v] = next[v]! + 1;
  });
  return { start, list };
}

/**
 * Normals are the mean of the neighbouring faces, by angle, that meet within the crease angle and are alike inside or
 * outside.
 */
export function shaded(mesh: Mesh, creaseAngle = CREASE_ANGLE): ShadedMesh {
  const { normals: faceNormals, angles } = facesOf(mesh);
  const vertexCount = mesh.positions.length / 3;
  const { start, list } = cornersOfVertices(mesh.triangles, vertexCount);
  const limit = Math.cos(creaseAngle);
  const corners = mesh.triangles.length;
  const indices = new Uint32Array(corners);
  const sources = new Uint32Array(corners); // by new vertex; there are at most as many as corners
  const normals = new Int16Array(3 * corners);
  const newest = new Int32Array(vertexCount).fill(-1); // by old vertex: of those made of it
  const before = new Int32Array(corners); // by new vertex: the one made of the same before
  let vertices = 0;
  let outsideVertices = 0;
  for (let corner = 0; corner < corners; ++corner) {
    if (corner === 3 * mesh.outside) {
      outsideVertices = vertices;
      newest.fill(-1); // crack faces share no vertices with the others
    }
    const triangle = Math.floor(corner / 3);
    const isOutside = triangle < mesh.outside;
    const v = mesh.triangles[corner]!;
    const fx = faceNormals[3 * triangle]!;
    const fy = faceNormals[3 * triangle + 1]!;
    const fz = faceNormals[3 * triangle + 2]!;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let i = start[v]!; i < start[v + 1]!; ++i) {
      const other = list[i]!;
      const t = Math.floor(other / 3);
      if (t < mesh.outside !== isOutside) continue;
      const nx = faceNormals[3 * t]!;
      const ny = faceNormals[3 * t + 1]!;
      const nz = faceNormals[3 * t + 2]!;
      if (fx * nx + fy * ny + fz * nz < limit) continue;
      const weight = angles[other]!;
      x += weight * nx;
      y += weight * ny;
      z += weight * nz;
    }
    const length = Math.sqrt(x * x + y * y + z * z);
    const scale = length > 0 ? 32767 / length : 0;
    const qx = Math.round(x * scale);
    const qy = Math.round(y * scale);
    const qz = Math.round(z * scale);
    let vertex = newest[v]!;
    for (; vertex >= 0; vertex = before[vertex]!) {
      const n = 3 * vertex;
      if (Math.abs(normals[n]! - qx) + Math.abs(normals[n + 1]! - qy) + Math.abs(normals[n + 2]! - qz) <= 24) break; // rounding
    }
    if (vertex < 0) {
      vertex = vertices++;
      before[vertex] = newest[v]!;
      newest[v] = vertex;
      sources[vertex] = v;
      normals[3 * vertex] = qx;
      normals[3 * vertex + 1] = qy;
      normals[3 * vertex + 2] = qz;
    }
    indices[corner] = vertex;
  }
  if (3 * mesh.outside >= corners) outsideVertices = vertices;
  const positions = new Float32Array(3 * vertices);
  for (let n = 0; n < vertices; ++n) {
    for (let k = 0; k < 3; ++k) positions[3 * n + k] = mesh.positions[3 * sources[n]! + k]!;
  }
  return {
    positions,
    normals: normals.slice(0, 3 * vertices),
    sources: sources.slice(0, vertices),
    indices,
    outside: 3 * mesh.outside,
    outsideVertices,
  };
}
