import * as THREE from "three";

import { diagonalOf, meshBox } from "../core/bounds";
import type { Places } from "../core/places";
import type { Recording } from "../core/recording";
import { Merged } from "./merged";
import {
  idMaterial,
  markMaterial,
  pieceMaterial,
  setSliced,
  shadowMaterial,
  sketchMaterial,
  sliceUniforms,
  type Layer,
  type Uniforms,
} from "./piece_material";
import { isSeeThrough, PieceTextures } from "./piece_textures";

/** One draw call: the chosen bodies' triangles, in a buffer that is filled anew when the choice changes. */
class DrawnLayer {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  private chosen = new THREE.BufferAttribute(new Uint32Array(0), 1);
  private buffers = -1;

  constructor(
    readonly layer: Layer,
    private readonly merged: Merged,
    uniforms: Uniforms,
    depth: THREE.ShaderMaterial,
  ) {
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), pieceMaterial(layer, uniforms));
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    this.mesh.castShadow = layer === "solid";
    this.mesh.customDepthMaterial = depth;
    this.mesh.renderOrder = layer === "solid" ? 0 : 2;
    this.mesh.visible = false;
  }

  choose(bodies: number, wanted: (body: number) => boolean): void {
    this.bind();
    const target = this.chosen.array as Uint32Array;
    let count = 0;
    for (let body = 0; body < bodies; ++body) {
      const indices = this.merged.indicesOf(body);
      if (indices === undefined || !wanted(body)) continue;
      target.set(indices, count);
      count += indices.length;
    }
    this.chosen.clearUpdateRanges();
    this.chosen.addUpdateRange(0, count);
    this.chosen.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, count);
    this.mesh.visible = count > 0;
  }

  /** Other buffers make another geometry: three frees buffers with the geometry that had them. */
  private bind(): void {
    const { merged } = this;
    if (this.buffers === merged.buffers && this.chosen.count === merged.room) return;
    this.buffers = merged.buffers;
    this.chosen = new THREE.BufferAttribute(new Uint32Array(merged.room), 1);
    this.chosen.setUsage(THREE.DynamicDrawUsage);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", merged.position);
    geometry.setAttribute("normal", merged.normal);
    geometry.setAttribute("piece", merged.piece);
    geometry.setIndex(this.chosen);
    geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
  }
}

/** All bodies with meshes. They are taken in when they are first drawn, or before, when there is time. */
export class Pieces {
  readonly group = new THREE.Group();
  readonly textures: PieceTextures;
  private readonly merged = new Merged();
  private readonly layers: DrawnLayer[] = [];
  private readonly uniforms: Uniforms;
  private readonly depth: THREE.ShaderMaterial;
  private readonly idMaterial: THREE.ShaderMaterial;
  private sketch: THREE.ShaderMaterial | undefined;
  private marks: THREE.ShaderMaterial | undefined;
  private readonly sizes: number[] = []; // m, of root bodies, by body
  private next = 0; // no body before it is left to take in
  private drawnGeneration = -1;
  private painted = false;
  private sliced = false;

  constructor(
    private readonly recording: Recording,
    noise: THREE.Texture,
  ) {
    this.textures = new PieceTextures(recording);
    this.uniforms = {
      ...this.textures.uniforms,
      ...sliceUniforms(),
      noiseTexture: { value: noise },
    };
    this.depth = shadowMaterial(this.uniforms);
    this.idMaterial = idMaterial(this.uniforms);
    this.addLayer("solid");
    this.refresh();
  }

  /** Of everything that ever lives. */
  get triangles(): number {
    return this.recording.bodies.reduce((sum, body) => sum + (this.recording.meshes[body.mesh]?.triangles.length ?? 0) / 3, 0);
  }

  private addLayer(layer: Layer): void {
    const drawn = new DrawnLayer(layer, this.merged, this.uniforms, this.depth);
    if (this.sliced) setSliced(drawn.mesh.material, true, layer);
    this.layers.push(drawn);
    this.group.add(drawn.mesh);
  }

  /** Bodies came, or others are in their places. */
  refresh(): void {
    const { bodies, looks } = this.recording;
    this.textures.refresh();
    this.merged.truncate(bodies.length);
    if (this.merged.wasteful) this.merged.clear();
    this.sizes.length = 0;
    this.next = 0;
    if (this.layers.length === 1 && looks.some(isSeeThrough)) this.addLayer("seeThrough");
    this.drawnGeneration = -1;
  }

  private take(id: number): void {
    const body = this.recording.bodies[id]!;
    const mesh = this.recording.meshes[body.mesh];
    if (mesh === undefined || this.merged.has(id, mesh)) return;
    this.merged.add(id, mesh);
  }

  private sizeOf(root: number): number {
    const mesh = this.recording.meshes[this.recording.bodies[root]?.mesh ?? -1];
    return (this.sizes[root] ??= mesh ? diagonalOf(meshBox(mesh.positions)) : 1);
  }

  /** Takes in bodies that will be needed later, for about so long; true when none are left. */
  prepare(milliseconds: number): boolean {
    const end = performance.now() + milliseconds;
    const { bodies } = this.recording;
    for (; this.next < bodies.length; ++this.next) {
      if (performance.now() > end) return false;
      this.take(this.next);
    }
    return true;
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
    const { bodies, looks } = this.recording;
    for (const body of bodies) {
      if (places.alive[body.id] !== 1) continue;
      this.take(body.id);
      this.textures.setFacts(body, this.sizeOf(body.root));
    }
    for (const layer of this.layers) {
      const through = layer.layer === "seeThrough";
      layer.choose(bodies.length, (id) => places.alive[id] === 1 && (!this.painted && isSeeThrough(looks[bodies[id]!.look]!)) === through);
    }
  }

  /** null: nothing is cut away. `plane`: what lies where dot(normal, p) > offset goes. */
  setSlice(plane: { normal: THREE.Vector3; offset: number } | null): void {
    const uniform = this.uniforms["slicePlane"]!.value as THREE.Vector4;
    if (plane) uniform.set(plane.normal.x, plane.normal.y, plane.normal.z, plane.offset);
    else uniform.set(0, 1, 0, 3e38);
    if (this.sliced === (plane !== null)) return;
    this.sliced = plane !== null;
    for (const layer of this.layers) setSliced(layer.mesh.material, this.sliced, layer.layer);
  }

  /** Draws ids instead of looks while `draw` runs. */
  withIds(draw: () => void): void {
    this.withMaterial(this.idMaterial, draw);
  }

  /** Draws marks instead of looks while `draw` runs. */
  withMarks(draw: () => void): void {
    this.marks ??= markMaterial(this.uniforms);
    this.withMaterial(this.marks, draw);
  }

  /** Draws plain colours while `draw` runs: what can be shown at once. `towardsLight`: a unit vector. */
  sketched(towardsLight: THREE.Vector3, draw: () => void): void {
    this.sketch ??= sketchMaterial(this.uniforms, towardsLight);
    this.withMaterial(this.sketch, draw);
  }

  private withMaterial(material: THREE.Material, draw: () => void): void {
    const materials = this.layers.map((layer) => layer.mesh.material);
    for (const layer of this.layers) (layer.mesh as THREE.Mesh).material = material;
    draw();
    this.layers.forEach((layer, i) => (layer.mesh.material = materials[i]!));
  }
}
