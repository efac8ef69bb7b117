import * as THREE from "three";

import { diagonalOf, meshBox } from "../core/bounds";
import { shaded, type ShadedMesh } from "../core/normals";
import type { Places } from "../core/places";
import type { Recording } from "../core/recording";
import { idMaterial, pieceMaterial, setSliced, shadowMaterial, sliceUniforms, type Layer, type Uniforms } from "./piece_material";
import { isSeeThrough, PieceTextures } from "./piece_textures";

interface Range {
  readonly start: number;
  readonly count: number;
}

/** The merged vertices of all bodies that ever live; who is drawn is a matter of the index. */
interface Merged {
  readonly position: THREE.BufferAttribute;
  readonly normal: THREE.BufferAttribute;
  readonly piece: THREE.BufferAttribute;
  readonly index: Uint32Array;
  readonly ranges: readonly Range[]; // of the index, by body
}

function merge(recording: Recording): Merged {
  const meshes: ShadedMesh[] = recording.meshes.map((mesh) => shaded(mesh));
  let vertices = 0;
  let indices = 0;
  for (const body of recording.bodies) {
    const mesh = meshes[body.mesh];
    if (mesh === undefined) continue;
    vertices += mesh.positions.length / 3;
    indices += mesh.indices.length;
  }
  const position = new Float32Array(3 * vertices);
  const normal = new Int16Array(4 * vertices);
  const piece = new Float32Array(vertices);
  const index = new Uint32Array(indices);
  const ranges: Range[] = [];
  let v = 0;
  let i = 0;
  for (const body of recording.bodies) {
    const mesh = meshes[body.mesh];
    ranges.push({ start: i, count: mesh?.indices.length ?? 0 });
    if (mesh === undefined) continue;
    const count = mesh.positions.length / 3;
    position.set(mesh.positions, 3 * v);
    for (let n = 0; n < count; ++n) {
      for (let k = 0; k < 3; ++k) normal[4 * (v + n) + k] = mesh.normals[3 * n + k]!;
      piece[v + n] = 2 * body.id + (n < mesh.outsideVertices ? 0 : 1);
    }
    for (let n = 0; n < mesh.indices.length; ++n) index[i + n] = v + mesh.indices[n]!;
    v += count;
    i += mesh.indices.length;
  }
  return {
    position: new THREE.BufferAttribute(position, 3),
    normal: new THREE.BufferAttribute(normal, 4, true),
    piece: new THREE.BufferAttribute(piece, 1),
    index,
    ranges,
  };
}

/** One draw call: the chosen bodies' triangles, in a buffer that is filled anew when the choice changes. */
class DrawnLayer {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  readonly geometry = new THREE.BufferGeometry();
  private readonly chosen: THREE.BufferAttribute;

  constructor(
    readonly layer: Layer,
    private readonly merged: Merged,
    uniforms: Uniforms,
    depth: THREE.ShaderMaterial,
  ) {
    this.chosen = new THREE.BufferAttribute(new Uint32Array(merged.index.length), 1);
    this.chosen.setUsage(THREE.DynamicDrawUsage);
    this.geometry.setAttribute("position", merged.position);
    this.geometry.setAttribute("normal", merged.normal);
    this.geometry.setAttribute("piece", merged.piece);
    this.geometry.setIndex(this.chosen);
    this.geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    this.mesh = new THREE.Mesh(this.geometry, pieceMaterial(layer, uniforms));
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    this.mesh.castShadow = layer === "solid";
    this.mesh.customDepthMaterial = depth;
    this.mesh.renderOrder = layer === "solid" ? 0 : 2;
  }

  choose(wanted: (body: number) => boolean): void {
    const target = this.chosen.array as Uint32Array;
    let count = 0;
    this.merged.ranges.forEach((range, body) => {
      if (range.count === 0 || !wanted(body)) return;
      target.set(this.merged.index.subarray(range.start, range.start + range.count), count);
      count += range.count;
    });
    this.chosen.clearUpdateRanges();
    this.chosen.addUpdateRange(0, count);
    this.chosen.needsUpdate = true;
    this.geometry.setDrawRange(0, count);
    this.mesh.visible = count > 0;
  }
}

/** All bodies with meshes. */
export class Pieces {
  readonly group = new THREE.Group();
  readonly textures: PieceTextures;
  readonly triangles: number; // of everything that ever lives
  private readonly layers: readonly DrawnLayer[];
  private readonly uniforms: Uniforms;
  private readonly idMaterial: THREE.ShaderMaterial;
  private readonly seeThrough: readonly boolean[]; // by body
  private drawnGeneration = -1;
  private painted = false;

  constructor(recording: Recording, noise: THREE.Texture) {
    const sizes = new Float32Array(recording.bodies.length);
    for (const body of recording.bodies) {
      const mesh = recording.meshes[body.mesh];
      if (body.parent < 0 && mesh) sizes[body.id] = diagonalOf(meshBox(mesh.positions));
    }
    this.textures = new PieceTextures(recording, sizes);
    this.uniforms = {
      ...this.textures.uniforms,
      ...sliceUniforms(),
      noiseTexture: { value: noise },
      selectedColour: { value: new THREE.Color("#ff8a1f") },
      relatedColour: { value: new THREE.Color("#3fa2ff") },
    };
    this.seeThrough = recording.bodies.map((body) => isSeeThrough(recording.looks[body.look]!));
    const merged = merge(recording);
    this.triangles = merged.index.length / 3;
    const depth = shadowMaterial(this.uniforms);
    this.idMaterial = idMaterial(this.uniforms);
    const layers: Layer[] = this.seeThrough.some(Boolean) ? ["solid", "seeThrough"] : ["solid"];
    this.layers = layers.map((layer) => new DrawnLayer(layer, merged, this.uniforms, depth));
    for (const layer of this.layers) this.group.add(layer.mesh);
  }

  /** Whether bodies have colours instead of looks: glass is not seen through then. */
  setPainted(painted: boolean): void {
    if (painted !== this.painted) this.drawnGeneration = -1;
    this.painted = painted;
  }

  update(places: Places): void {
    this.textures.setPlaces(places);
    if (places.generation === this.drawnGeneration) return;
    this.drawnGeneration = places.generation;
    for (const layer of this.layers) {
      const through = layer.layer === "seeThrough";
      layer.choose((body) => places.alive[body] === 1 && (this.seeThrough[body]! && !this.painted) === through);
    }
  }

  /** null: nothing is cut away. `plane`: what lies where dot(normal, p) > offset goes. */
  setSlice(plane: { normal: THREE.Vector3; offset: number } | null): void {
    const uniform = this.uniforms["slicePlane"]!.value as THREE.Vector4;
    const was = Number.isFinite(uniform.w) && uniform.w < 1e30;
    if (plane) uniform.set(plane.normal.x, plane.normal.y, plane.normal.z, plane.offset);
    else uniform.set(0, 1, 0, 3e38);
    if (was !== (plane !== null)) for (const layer of this.layers) setSliced(layer.mesh.material, plane !== null, layer.layer);
  }

  /** Draws ids instead of looks while `draw` runs. */
  withIds(draw: () => void): void {
    const materials = this.layers.map((layer) => layer.mesh.material);
    for (const layer of this.layers) (layer.mesh as THREE.Mesh).material = this.idMaterial;
    draw();
    this.layers.forEach((layer, i) => (layer.mesh.material = materials[i]!));
  }
}
