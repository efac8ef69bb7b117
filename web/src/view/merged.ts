import * as THREE from "three";

import { shaded, type ShadedMesh } from "../core/normals";
import type { Mesh } from "../core/recording";

/** Which part of the merged index draws a body. */
interface Range {
  readonly mesh: Mesh;
  readonly start: number;
  readonly count: number;
}

const shadedMeshes = new WeakMap<Mesh, ShadedMesh>();

/** Normals take a while, so each mesh gets them once. */
export function shadedOnce(mesh: Mesh): ShadedMesh {
  let done = shadedMeshes.get(mesh);
  if (done === undefined) shadedMeshes.set(mesh, (done = shaded(mesh)));
  return done;
}

/**
 * The vertices of all bodies in common buffers; who is drawn is a matter of the index. Bodies are appended as they come;
 * only what is new goes to the graphics card. When the room is used up, it doubles.
 */
export class Merged {
  /** Changes when the buffers are others and must be bound anew. */
  buffers = 0;
  position!: THREE.BufferAttribute;
  normal!: THREE.BufferAttribute;
  piece!: THREE.BufferAttribute;
  index = new Uint32Array(0);
  private readonly ranges: (Range | undefined)[] = []; // by body
  private vertices = 0;
  private indices = 0;
  private lost = 0; // indices of ranges that were replaced

  constructor() {
    this.allocate(0);
  }

  has(body: number, mesh: Mesh): boolean {
    return this.ranges[body]?.mesh === mesh;
  }

  /** Appends a body; one that had another mesh gets the new one. */
  add(body: number, mesh: Mesh): void {
    const one = shadedOnce(mesh);
    const count = one.positions.length / 3;
    this.makeRoom(count, one.indices.length);
    this.lost += this.ranges[body]?.count ?? 0;
    const first = this.vertices;
    (this.position.array as Float32Array).set(one.positions, 3 * first);
    const normal = this.normal.array as Int16Array;
    const piece = this.piece.array as Float32Array;
    for (let n = 0; n < count; ++n) {
      for (let k = 0; k < 3; ++k) normal[4 * (first + n) + k] = one.normals[3 * n + k]!;
      piece[first + n] = 2 * body + (n < one.outsideVertices ? 0 : 1);
    }
    for (let n = 0; n < one.indices.length; ++n) this.index[this.indices + n] = first + one.indices[n]!;
    this.ranges[body] = { mesh, start: this.indices, count: one.indices.length };
    this.vertices += count;
    this.indices += one.indices.length;
    for (const attribute of [this.position, this.normal, this.piece]) {
      attribute.addUpdateRange(first * attribute.itemSize, count * attribute.itemSize);
      attribute.needsUpdate = true;
    }
  }

  /** Bodies from this number on are no more. */
  truncate(bodies: number): void {
    for (const range of this.ranges.splice(bodies)) this.lost += range?.count ?? 0;
  }

  /** More is lost than used: it is worth beginning anew. */
  get wasteful(): boolean {
    return this.lost > 30_000 && 2 * this.lost > this.indices;
  }

  clear(): void {
    this.ranges.length = 0;
    this.vertices = this.indices = this.lost = 0;
  }

  /** The triangles of a body, or nothing. */
  indicesOf(body: number): Uint32Array | undefined {
    const range = this.ranges[body];
    return range && this.index.subarray(range.start, range.start + range.count);
  }

  get room(): number {
    return this.index.length;
  }

  private makeRoom(vertices: number, indices: number): void {
    if (this.indices + indices > this.index.length) {
      const index = new Uint32Array(Math.max(2 * this.index.length, this.indices + indices, 3072));
      index.set(this.index.subarray(0, this.indices));
      this.index = index;
    }
    const room = this.position.count;
    if (this.vertices + vertices > room) this.allocate(Math.max(2 * room, this.vertices + vertices, 1024));
  }

  private allocate(room: number): void {
    const old = this.position === undefined ? undefined : [this.position.array, this.normal.array, this.piece.array];
    this.position = new THREE.BufferAttribute(enlarged(new Float32Array(3 * room), old?.[0]), 3);
    this.normal = new THREE.BufferAttribute(enlarged(new Int16Array(4 * room), old?.[1]), 4, true);
    this.piece = new THREE.BufferAttribute(enlarged(new Float32Array(room), old?.[2]), 1);
    ++this.buffers;
  }
}

function enlarged<T extends THREE.TypedArray>(room: T, old: THREE.TypedArray | undefined): T {
  if (old) room.set(old);
  return room;
}
