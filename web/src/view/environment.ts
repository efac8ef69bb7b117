import * as THREE from "three";

interface SoftBox {
  readonly azimuth: number; // rad
  readonly elevation: number; // rad
  readonly width: number; // rad
  readonly height: number; // rad
  readonly light: number;
}

/** A photographer's room: a bright ceiling, a large window, two smaller lamps, a pale floor. */
const BOXES: readonly SoftBox[] = [
  { azimuth: 0.6, elevation: 0.85, width: 0.9, height: 0.55, light: 7 },
  { azimuth: 2.6, elevation: 0.45, width: 0.5, height: 0.7, light: 3.2 },
  { azimuth: -1.9, elevation: 0.35, width: 0.3, height: 0.8, light: 4 },
  { azimuth: -0.6, elevation: 1.25, width: 1.6, height: 0.3, light: 2.5 },
];

const WIDTH = 128;
const HEIGHT = 64;

function softEdge(distance: number): number {
  const t = Math.min(Math.max((1 - distance) / 0.25, 0), 1);
  return t * t * (3 - 2 * t);
}

/** Of one box; `azimuth` and `elevation` in rad. */
function boxLight(box: SoftBox, azimuth: number, elevation: number): number {
  const turn = Math.atan2(Math.sin(azimuth - box.azimuth), Math.cos(azimuth - box.azimuth)) * Math.cos(elevation);
  return box.light * softEdge(Math.abs(turn) / box.width) * softEdge(Math.abs(elevation - box.elevation) / box.height);
}

/** Light from a direction, whose sine of elevation is `up`, into three channels of `out`. */
function setLight(out: Float32Array, at: number, up: number, lamps: number): void {
  const wall = up > 0 ? 0.6 + 0.45 * up : 0.6 + 0.12 * Math.min(1, -2 * up); // the floor throws light back
  const warm = up > 0 ? 0.02 * up : -0.05 * up; // a little colour from above and below
  out[at] = wall + lamps + warm * (up > 0 ? -1 : 1);
  out[at + 1] = wall + lamps;
  out[at + 2] = wall + lamps + (up > 0 ? warm : -warm);
}

/** So that a white surface, lit from everywhere, is as bright as the environment's intensity says. */
function normalise(data: Float32Array): void {
  let light = 0;
  let solidAngle = 0;
  for (let y = 0; y < HEIGHT; ++y) {
    const weight = Math.cos(((y + 0.5) / HEIGHT - 0.5) * Math.PI);
    for (let x = 0; x < WIDTH; ++x) {
      light += weight * data[4 * (y * WIDTH + x) + 1]!;
      solidAngle += weight;
    }
  }
  const factor = solidAngle / light;
  for (let i = 0; i < data.length; ++i) if (i % 4 < 3) data[i] = data[i]! * factor;
}

function makePanorama(): Float32Array {
  const data = new Float32Array(4 * WIDTH * HEIGHT).fill(1);
  for (let y = 0; y < HEIGHT; ++y) {
    const elevation = ((y + 0.5) / HEIGHT - 0.5) * Math.PI;
    const up = Math.sin(elevation);
    for (let x = 0; x < WIDTH; ++x) {
      const azimuth = ((x + 0.5) / WIDTH) * 2 * Math.PI - Math.PI;
      setLight(
        data,
        4 * (y * WIDTH + x),
        up,
        BOXES.reduce((sum, box) => sum + boxLight(box, azimuth, elevation), 0),
      );
    }
  }
  return data;
}

/** What surfaces mirror and are lit by from all around, made from numbers alone. */
export function makeEnvironment(renderer: THREE.WebGLRenderer): THREE.Texture {
  const data = makePanorama();
  normalise(data);
  const panorama = new THREE.DataTexture(data, WIDTH, HEIGHT, THREE.RGBAFormat, THREE.FloatType);
  panorama.mapping = THREE.EquirectangularReflectionMapping;
  panorama.minFilter = panorama.magFilter = THREE.NearestFilter;
  panorama.needsUpdate = true;
  const generator = new THREE.PMREMGenerator(renderer);
  const environment = generator.fromEquirectangular(panorama).texture;
  generator.dispose();
  panorama.dispose();
  return environment;
}
