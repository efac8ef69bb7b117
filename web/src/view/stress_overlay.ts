import * as THREE from "three";

import { diagonalOf, meshBox, type Box } from "../core/bounds";
import type { Body, BreakStress, Mesh, Vec3 } from "../core/recording";
import { refined } from "../core/refine";
import { colourShare, pushesOf, StressField, stressScale, type StressPoints } from "../core/stress";
import { shadedOnce } from "./merged";
import { poseMatrix } from "./pose_matrix";
import { stressMaterial, stressUniforms } from "./stress_material";
import { directionBars, disposeAll, forceArrows, worstMark, type DirectionMark } from "./stress_marks";

/** A body just before it broke, and what it felt. */
export interface ShownStress {
  readonly body: Body;
  readonly frame: number; // the last before the break
  readonly stress: BreakStress;
  readonly points: StressPoints | undefined; // not known: forces are shown alone
}

export interface StressLayers {
  readonly colours: boolean;
  readonly directions: boolean;
  readonly forces: boolean;
}

const MOST_TRIANGLES = 120_000;
const CUT_STEPS = 128; // of the slice plane's texture
const BARS_ACROSS = 26; // principal directions along a body
const LEAST_BAR = 0.15; // share of the colours: where less pulls there are none

/** Where dot(normal, p) > offset is cut away; in the world. */
export interface CutPlane {
  readonly normal: THREE.Vector3;
  readonly offset: number; // m
}

/** Of many places one per cell of a lattice: the nearest to its middle. */
class Spread {
  private readonly chosen = new Map<string, { item: number; square: number }>();

  constructor(private readonly cell: number) {}

  offer(place: THREE.Vector3, item: number): void {
    if (Number.isNaN(place.x)) return;
    const cells = place.toArray().map((p) => Math.floor(p / this.cell));
    const square = place.toArray().reduce((sum, p, k) => sum + (p / this.cell - cells[k]! - 0.5) ** 2, 0);
    const key = cells.join();
    if (square < (this.chosen.get(key)?.square ?? Infinity)) this.chosen.set(key, { item, square });
  }
  items(): number[] {
    return [...this.chosen.values()].map(({ item }) => item);
  }
}

/** Draws what a body felt: colours on its surface and on a cut, principal directions, forces. */
export class StressOverlay {
  readonly object = new THREE.Group();
  private readonly surface: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial> | undefined;
  private readonly field: StressField | undefined;
  private readonly forces: THREE.Group;
  private readonly worst: THREE.Sprite;
  private readonly size: number; // of the body, m
  private readonly box: Box; // in the mesh's coordinates
  private readonly top: number;
  private bars: THREE.InstancedMesh | undefined;
  private plane: CutPlane | null = null;
  private layers: StressLayers = { colours: true, directions: false, forces: true };

  constructor(
    readonly shown: ShownStress,
    mesh: Mesh,
  ) {
    this.box = meshBox(mesh.positions);
    this.size = diagonalOf(this.box);
    this.top = stressScale(shown.stress).top;
    this.object.matrixAutoUpdate = false;
    this.forces = forceArrows(pushesOf(shown.stress, shown.body), 0.3 * this.size);
    this.worst = worstMark();
    this.worst.position.set(...shown.stress.worst.place);
    this.object.add(this.forces, this.worst);
    if (!shown.points || shown.points.count === 0) return;
    this.field = new StressField(shown.points);
    const fine = refined(mesh, Math.max(this.field.spacing, this.size / 160), MOST_TRIANGLES);
    this.surface = new THREE.Mesh(this.geometryOf(fine), stressMaterial(stressUniforms(this.top)));
    this.surface.frustumCulled = false;
    this.object.add(this.surface);
  }

  private geometryOf(mesh: Mesh): THREE.BufferGeometry {
    const shaded = shadedOnce(mesh);
    const vertices = shaded.positions.length / 3;
    const normals = new Int16Array(4 * vertices);
    const ratios = new Float32Array(vertices);
    const ofSource = new Map<number, number>(); // vertices of several normals are at one place
    for (let v = 0; v < vertices; ++v) {
      for (let k = 0; k < 3; ++k) normals[4 * v + k] = shaded.normals[3 * v + k]!;
      const source = shaded.sources[v]!;
      let ratio = ofSource.get(source);
      if (ratio === undefined) {
        ratio = this.field!.ratioAt(shaded.positions[3 * v]!, shaded.positions[3 * v + 1]!, shaded.positions[3 * v + 2]!);
        ofSource.set(source, ratio);
      }
      ratios[v] = ratio;
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(shaded.positions, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 4, true));
    geometry.setAttribute("ratio", new THREE.BufferAttribute(ratios, 1));
    geometry.setIndex(new THREE.BufferAttribute(shaded.indices, 1));
    return geometry;
  }

  /** The body itself is not to be drawn. */
  get replacesBody(): boolean {
    return this.surface !== undefined && this.layers.colours;
  }

  /** `pose`: of something with the body's coordinates, whose centre of mass is `centre`. */
  place(pose: ArrayLike<number>, centre: Vec3): void {
    const matrix = poseMatrix(pose, centre);
    if (this.object.matrix.equals(matrix)) return;
    this.object.matrix.copy(matrix);
    this.object.matrixWorldNeedsUpdate = true;
    this.refresh();
  }

  setLayers(layers: StressLayers): void {
    this.layers = layers;
    this.refresh();
  }

  setPlane(plane: CutPlane | null): void {
    this.plane = plane;
    this.refresh();
  }

  private refresh(): void {
    this.forces.visible = this.layers.forces;
    if (!this.surface) return;
    this.surface.visible = this.layers.colours;
    this.refreshCut();
    this.refreshBars();
  }

  /** In the world, m. */
  worldBox(): THREE.Box3 {
    const box = new THREE.Box3(new THREE.Vector3(...this.box.min), new THREE.Vector3(...this.box.max));
    return box.applyMatrix4(this.object.matrix);
  }

  /** Where the eye sees the most strained place from: the place, and outwards from there. */
  worstView(): { place: THREE.Vector3; outward: THREE.Vector3; distance: number } {
    const place = this.worst.position.clone();
    const outward = this.outwardAt(place).transformDirection(this.object.matrix);
    return { place: place.applyMatrix4(this.object.matrix), outward, distance: 1.3 * this.size };
  }

  /** The normal of the surface nearest to a place of the mesh. */
  private outwardAt(place: THREE.Vector3): THREE.Vector3 {
    const position = this.surface?.geometry.getAttribute("position");
    const normal = this.surface?.geometry.getAttribute("normal");
    const out = new THREE.Vector3();
    if (!position || !normal) return out.set(0, 0, 1);
    let nearest = Infinity;
    for (let v = 0; v < position.count; ++v) {
      const square = (position.getX(v) - place.x) ** 2 + (position.getY(v) - place.y) ** 2 + (position.getZ(v) - place.z) ** 2;
      if (square >= nearest) continue;
      nearest = square;
      out.set(normal.getX(v), normal.getY(v), normal.getZ(v));
    }
    return out.normalize();
  }

  /** Stress where the plane cuts the body, as a texture over its box. */
  private refreshCut(): void {
    const { uniforms } = this.surface!.material;
    const plane = uniforms["slicePlane"]!.value as THREE.Vector4;
    if (!this.plane || !this.layers.colours) {
      plane.set(0, 1, 0, 3e38);
      return;
    }
    const { normal, offset } = this.plane;
    plane.set(normal.x, normal.y, normal.z, offset);
    const axis = [normal.x, normal.y, normal.z].findIndex((part) => part !== 0);
    const [u, v] = [0, 1, 2].filter((k) => k !== axis) as [number, number];
    const box = this.worldBox();
    const from = box.min.clone().setComponent(axis, offset * normal.getComponent(axis));
    const size = box.getSize(new THREE.Vector3());
    const meshFromWorld = this.object.matrix.clone().invert();
    const values = new Uint16Array(CUT_STEPS * CUT_STEPS);
    const point = new THREE.Vector3();
    for (let j = 0, at = 0; j < CUT_STEPS; ++j) {
      for (let i = 0; i < CUT_STEPS; ++i, ++at) {
        point.copy(from);
        point.setComponent(u, from.getComponent(u) + ((i + 0.5) / CUT_STEPS) * size.getComponent(u));
        point.setComponent(v, from.getComponent(v) + ((j + 0.5) / CUT_STEPS) * size.getComponent(v));
        point.applyMatrix4(meshFromWorld);
        values[at] = THREE.DataUtils.toHalfFloat(Math.min(Math.max(this.field!.ratioAt(point.x, point.y, point.z), -1e4), 1e4));
      }
    }
    const texture = new THREE.DataTexture(values, CUT_STEPS, CUT_STEPS, THREE.RedFormat, THREE.HalfFloatType);
    texture.minFilter = texture.magFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    (uniforms["cut"]!.value as THREE.Texture | null)?.dispose();
    uniforms["cut"]!.value = texture;
    (uniforms["cutOrigin"]!.value as THREE.Vector3).copy(from);
    (uniforms["cutAcross"]!.value as THREE.Vector3).set(0, 0, 0).setComponent(u, 1 / Math.max(size.getComponent(u), 1e-12));
    (uniforms["cutUp"]!.value as THREE.Vector3).set(0, 0, 0).setComponent(v, 1 / Math.max(size.getComponent(v), 1e-12));
  }

  /** Directions on the surface, and on the cut. */
  private refreshBars(): void {
    if (this.bars) disposeAll(this.bars);
    this.bars = undefined;
    if (!this.layers.directions) return;
    const cell = this.size / BARS_ACROSS;
    this.bars = directionBars([...this.surfaceMarks(cell), ...this.cutMarks(cell)], 0.85 * cell);
    this.object.add(this.bars);
  }

  private isCut(placeInMesh: THREE.Vector3): boolean {
    if (!this.plane || !this.layers.colours) return false;
    return placeInMesh.clone().applyMatrix4(this.object.matrix).dot(this.plane.normal) > this.plane.offset;
  }

  private surfaceMarks(cell: number): DirectionMark[] {
    const position = this.surface!.geometry.getAttribute("position");
    const normal = this.surface!.geometry.getAttribute("normal");
    const chosen = new Spread(cell);
    const place = new THREE.Vector3();
    for (let v = 0; v < position.count; ++v) chosen.offer(place.fromBufferAttribute(position, v), v);
    return chosen.items().flatMap((v) => {
      const at = new THREE.Vector3().fromBufferAttribute(position, v);
      const outward = new THREE.Vector3(normal.getX(v), normal.getY(v), normal.getZ(v)).normalize();
      return this.isCut(at) ? [] : this.markAt(at, this.field!.nearest(at.x, at.y, at.z), outward, cell);
    });
  }

  private cutMarks(cell: number): DirectionMark[] {
    if (!this.plane || !this.layers.colours) return [];
    const { points } = this.field!;
    const meshFromWorld = this.object.matrix.clone().invert();
    const outward = this.plane.normal.clone().transformDirection(meshFromWorld);
    const onPlane = (i: number): THREE.Vector3 => {
      const world = new THREE.Vector3().fromArray(points.places, 3 * i).applyMatrix4(this.object.matrix);
      const above = world.dot(this.plane!.normal) - this.plane!.offset;
      return Math.abs(above) > 0.5 * cell
        ? world.setScalar(NaN)
        : world.addScaledVector(this.plane!.normal, -above).applyMatrix4(meshFromWorld);
    };
    const chosen = new Spread(cell);
    for (let i = 0; i < points.count; ++i) chosen.offer(onPlane(i), i);
    return chosen.items().flatMap((i) => this.markAt(onPlane(i), i, outward, cell));
  }

  /** The bar of a point, drawn at a place a little above the surface; none where nothing pulls. */
  private markAt(place: THREE.Vector3, point: number, outward: THREE.Vector3, cell: number): DirectionMark[] {
    const { points } = this.field!;
    const share = colourShare(points.tensions[point]! / points.strengths[point]!, this.top);
    if (share < LEAST_BAR) return [];
    const direction = new THREE.Vector3().fromArray(points.directions, 3 * point).normalize();
    return [{ place: place.clone().addScaledVector(outward, 0.06 * cell), direction, share }];
  }

  dispose(): void {
    const uniforms = this.surface?.material.uniforms;
    (uniforms?.["cut"]!.value as THREE.Texture | null)?.dispose();
    (uniforms?.["colourTable"]!.value as THREE.Texture | null)?.dispose();
    disposeAll(this.object);
  }
}
