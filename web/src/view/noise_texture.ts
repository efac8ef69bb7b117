import * as THREE from "three";

const SIZE = 64; // texels along a side; the texture repeats
const CELLS = 16; // of the coarser of its two octaves

function smooth(t: number): number {
  return t * t * t * (t * (t * 6 - 15) + 10);
}

/** The same numbers in every page. */
function randomLattice(cells: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length: cells ** 3 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 8388608 - 1;
  });
}

function addOctave(values: Float32Array, cells: number, seed: number, amount: number): void {
  const lattice = randomLattice(cells, seed);
  const low = new Uint16Array(SIZE);
  const high = new Uint16Array(SIZE);
  const share = new Float32Array(SIZE);
  for (let i = 0; i < SIZE; ++i) {
    const at = (i * cells) / SIZE;
    low[i] = Math.floor(at);
    high[i] = (low[i]! + 1) % cells;
    share[i] = smooth(at - low[i]!);
  }
  // along x, then y, then z: a third of the work
  const alongX = new Float32Array(SIZE * cells * cells);
  for (let row = 0; row < cells * cells; ++row) {
    for (let x = 0; x < SIZE; ++x) {
      const a = lattice[row * cells + low[x]!]!;
      alongX[row * SIZE + x] = a + share[x]! * (lattice[row * cells + high[x]!]! - a);
    }
  }
  const alongY = new Float32Array(SIZE * SIZE * cells);
  for (let z = 0; z < cells; ++z) {
    for (let y = 0; y < SIZE; ++y) {
      const a = (z * cells + low[y]!) * SIZE;
      const b = (z * cells + high[y]!) * SIZE;
      const out = (z * SIZE + y) * SIZE;
      for (let x = 0; x < SIZE; ++x) alongY[out + x] = alongX[a + x]! + share[y]! * (alongX[b + x]! - alongX[a + x]!);
    }
  }
  for (let z = 0; z < SIZE; ++z) {
    const a = low[z]! * SIZE * SIZE;
    const b = high[z]! * SIZE * SIZE;
    const out = z * SIZE * SIZE;
    for (let i = 0; i < SIZE * SIZE; ++i)
      values[out + i] = values[out + i]! + amount * (alongY[a + i]! + share[z]! * (alongY[b + i]! - alongY[a + i]!));
  }
}

/**
 * Smooth noise that repeats: its slope along x, y, z in red, green and blue, its value in alpha, each 0..1 for -1..1.
 * One look-up costs far less than computing it, and mipmaps take away what is smaller than a pixel.
 */
export class NoiseTexture extends THREE.Data3DTexture {
  constructor() {
    super(new Uint8Array(4 * SIZE ** 3), SIZE, SIZE, SIZE);
    this.format = THREE.RGBAFormat;
    this.wrapS = this.wrapT = this.wrapR = THREE.RepeatWrapping;
    this.magFilter = THREE.LinearFilter;
    this.minFilter = THREE.LinearMipmapLinearFilter;
    this.generateMipmaps = true;
  }

  /** Takes a while. */
  fill(): void {
    const data = this.image.data as Uint8Array;
    fillNoise(new Uint8ClampedArray(data.buffer, data.byteOffset, data.length));
    this.needsUpdate = true;
  }
}

function fillNoise(data: Uint8ClampedArray): void {
  const values = new Float32Array(SIZE ** 3);
  addOctave(values, CELLS, 1, 0.62);
  addOctave(values, 2 * CELLS, 2, 0.38);
  const byte = (value: number): number => 127.5 + 127.5 * value; // the array rounds it
  const mask = SIZE - 1;
  let i = 0;
  for (let z = 0; z < SIZE; ++z) {
    const zLow = ((z - 1) & mask) * SIZE * SIZE;
    const zHigh = ((z + 1) & mask) * SIZE * SIZE;
    for (let y = 0; y < SIZE; ++y) {
      const row = (z * SIZE + y) * SIZE;
      const yLow = (z * SIZE + ((y - 1) & mask)) * SIZE;
      const yHigh = (z * SIZE + ((y + 1) & mask)) * SIZE;
      for (let x = 0; x < SIZE; ++x, i += 4) {
        data[i] = byte(values[row + ((x + 1) & mask)]! - values[row + ((x - 1) & mask)]!);
        data[i + 1] = byte(values[yHigh + x]! - values[yLow + x]!);
        data[i + 2] = byte(values[zHigh + y * SIZE + x]! - values[zLow + y * SIZE + x]!);
        data[i + 3] = byte(values[row + x]!);
      }
    }
  }
}
