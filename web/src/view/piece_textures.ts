import * as THREE from "three";

import type { Places } from "../core/places";
import { SHADING_FAMILIES, type Body, type Look, type Recording } from "../core/recording";

/** Texels in rows; the index of a texel is y * width + x. */
function dataTexture(data: Float32Array | Uint8Array, width: number): THREE.DataTexture {
  const type = data instanceof Float32Array ? THREE.FloatType : THREE.UnsignedByteType;
  const texture = new THREE.DataTexture(data, width, data.length / 4 / width, THREE.RGBAFormat, type);
  texture.minFilter = texture.magFilter = THREE.NearestFilter;
  texture.generateMipmaps = false;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}

const WIDTH = 512;

function rowsFor(texels: number): number {
  return Math.max(1, Math.ceil(texels / WIDTH));
}

/** Per look: for the outside and for crack faces the colour and the family, the shine, the unevenness and the relief. */
const LOOK_TEXELS = 6;
const MOTTLE_SEEN = 2 / 3; // of the mottle that ray-traced pictures have: noise here varies more evenly
const FULL_RELIEF = 0.1; // bumps from which on the relief is as deep as it gets

export function isSeeThrough(look: Look): boolean {
  return look.shine.opacity < 1;
}

/** Metals are given by the colour they seem to have; most of what a mirror shows is darker than white. */
function mirrored(channel: number): number {
  return channel ** 0.55;
}

/** As the shaders read it: piece_material.ts. */
export function lookTexels(look: Look): number[] {
  const family = SHADING_FAMILIES.indexOf(look.family);
  const relief = Math.min(1, look.bumps / FULL_RELIEF);
  return [0, 1].flatMap((side) => {
    const shine = side === 0 ? look.shine : look.insideShine;
    const colour = side === 0 ? look.colour : look.insideColour;
    return [
      ...(shine.metallic > 0.5 ? colour.map(mirrored) : colour),
      family + 0.5 * relief, // the fraction is the relief
      shine.roughness,
      shine.metallic,
      shine.opacity,
      shine.glow,
      MOTTLE_SEEN * look.mottle,
      look.speckle,
      look.flecks - look.pores,
      look.warmth,
    ];
  });
}

/** What the shaders know of bodies: places, colours, marks, looks. */
export class PieceTextures {
  /** Two texels per body: translation and whether it is there; rotation. */
  private transformData = new Float32Array(0);
  /** Two texels per body: colour (sRGB) and how much it counts; mark (0 none, 1 related, 2 selected). */
  private paintData = new Uint8Array(0);
  /** One texel per body: look, seed of its grain, grains per metre. */
  private factData = new Float32Array(0);
  /** `looks`: see lookTexels. */
  readonly uniforms: Readonly<Record<"transforms" | "transformsWidth" | "paint" | "facts" | "looks", THREE.IUniform>>;
  private shownLooks: readonly Look[] | undefined;
  private lookCount = 0;

  constructor(private readonly recording: Recording) {
    this.uniforms = {
      transforms: { value: null },
      transformsWidth: { value: WIDTH },
      paint: { value: null },
      facts: { value: null },
      looks: { value: null },
    };
    this.refresh();
  }

  /** Bodies or looks came: makes room for them, twice as much when it was too little before. */
  refresh(): void {
    const rows = rowsFor(2 * this.recording.bodies.length);
    const present = this.transformData.length / (4 * WIDTH);
    if (rows > present) this.makeRoom(present === 0 ? rows : 2 * rows);
    const { looks } = this.recording;
    if (looks === this.shownLooks && looks.length === this.lookCount) return;
    this.shownLooks = looks;
    this.lookCount = looks.length;
    this.replace("looks", this.looksOf());
  }

  private makeRoom(rows: number): void {
    this.transformData = enlarged(new Float32Array(4 * WIDTH * rows), this.transformData);
    this.paintData = enlarged(new Uint8Array(4 * WIDTH * rows), this.paintData);
    this.factData = enlarged(new Float32Array(4 * WIDTH * rows), this.factData);
    this.replace("transforms", this.transformData);
    this.replace("paint", this.paintData);
    this.replace("facts", this.factData);
  }

  private replace(name: "transforms" | "paint" | "facts" | "looks", data: Float32Array | Uint8Array): void {
    (this.uniforms[name].value as THREE.DataTexture | null)?.dispose();
    this.uniforms[name].value = dataTexture(data, WIDTH);
  }

  private changed(name: "transforms" | "paint" | "facts"): void {
    (this.uniforms[name].value as THREE.DataTexture).needsUpdate = true;
  }

  /** `size`: of what it was part of at first, m. */
  setFacts(body: Body, size: number): void {
    const at = 4 * body.id;
    const seed = (body.root * 7.31) % 97;
    const grains = Math.fround(40 / size);
    const data = this.factData;
    if (data[at] === body.look && data[at + 1] === Math.fround(seed) && data[at + 2] === grains) return;
    data[at] = body.look;
    data[at + 1] = seed;
    data[at + 2] = grains;
    this.changed("facts");
  }

  private looksOf(): Float32Array {
    const data = new Float32Array(4 * WIDTH * rowsFor(LOOK_TEXELS * this.recording.looks.length));
    this.recording.looks.forEach((look, i) => data.set(lookTexels(look), 4 * LOOK_TEXELS * i));
    return data;
  }

  setPlaces(places: Places): void {
    const { poses, offsets, alive } = places;
    const data = this.transformData;
    for (const body of this.recording.bodies) {
      const out = 8 * body.id;
      data[out + 3] = alive[body.id]!;
      if (!alive[body.id]) continue;
      const pose = 7 * body.id;
      const shift = 3 * body.id;
      const [x, y, z, w] = [poses[pose + 3]!, poses[pose + 4]!, poses[pose + 5]!, poses[pose + 6]!];
      const [cx, cy, cz] = body.centre;
      // worldFromMesh * p = R (p - c) + x
      const tx = 2 * (y * cz - z * cy);
      const ty = 2 * (z * cx - x * cz);
      const tz = 2 * (x * cy - y * cx);
      data[out] = poses[pose]! + offsets[shift]! - (cx + w * tx + y * tz - z * ty);
      data[out + 1] = poses[pose + 1]! + offsets[shift + 1]! - (cy + w * ty + z * tx - x * tz);
      data[out + 2] = poses[pose + 2]! + offsets[shift + 2]! - (cz + w * tz + x * ty - y * tx);
      data[out + 4] = x;
      data[out + 5] = y;
      data[out + 6] = z;
      data[out + 7] = w;
    }
    this.changed("transforms");
  }

  /** sRGB 0..1; `strength` 0: the look's own colour. */
  setColour(body: number, colour: readonly number[], strength: number): void {
    const at = 8 * body;
    for (let k = 0; k < 3; ++k) this.paintData[at + k] = Math.round(255 * colour[k]!);
    this.paintData[at + 3] = Math.round(255 * strength);
    this.changed("paint");
  }

  /** Anything is marked. */
  hasMarks = false;

  setMark(body: number, mark: 0 | 1 | 2): void {
    this.paintData[8 * body + 4] = mark;
    this.hasMarks ||= mark > 0;
    this.changed("paint");
  }

  clearMarks(): void {
    this.hasMarks = false;
    for (let i = 4; i < this.paintData.length; i += 8) this.paintData[i] = 0;
    this.changed("paint");
  }

  dispose(): void {
    for (const name of ["transforms", "paint", "facts", "looks"] as const) (this.uniforms[name].value as THREE.DataTexture).dispose();
  }
}

function enlarged<T extends Float32Array | Uint8Array>(room: T, old: T): T {
  room.set(old);
  return room;
}
