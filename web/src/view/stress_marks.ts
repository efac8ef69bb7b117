import * as THREE from "three";

import { quantity } from "../core/format";
import { length, type Push } from "../core/stress";

const FORCE_COLOUR = "#ff5a36";
const MOST_ARROWS = 12;
const LEAST_FORCE = 0.02; // of the largest: less is not shown
const SHORTEST = 0.25; // of the longest arrow

/** Text or a ring that is as large on screen wherever it is. */
function sprite(
  draw: (context: CanvasRenderingContext2D, width: number, height: number) => void,
  width: number,
  height: number,
): THREE.Sprite {
  const canvas = document.createElement("canvas");
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  const context = canvas.getContext("2d")!;
  context.scale(2, 2);
  draw(context, width, height);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const made = new THREE.Sprite(new THREE.SpriteMaterial({ map, depthTest: false, sizeAttenuation: false, toneMapped: false }));
  const perPixel = 1 / 1600; // of the distance
  made.scale.set(width * perPixel, height * perPixel, 1);
  made.renderOrder = 12;
  return made;
}

function label(text: string): THREE.Sprite {
  const font = "600 22px system-ui, sans-serif";
  const measure = document.createElement("canvas").getContext("2d")!;
  measure.font = font;
  const width = Math.ceil(measure.measureText(text).width) + 20;
  return sprite(
    (context, w, h) => {
      context.fillStyle = "rgb(20 22 26 / 0.85)";
      context.beginPath();
      context.roundRect(0, 0, w, h, 8);
      context.fill();
      context.font = font;
      context.textBaseline = "middle";
      context.fillStyle = "#ffffff";
      context.fillText(text, 10, h / 2 + 1);
    },
    width,
    34,
  );
}

/** Arrows that end where a body was struck, as long as the forces are large, each with its force. */
export function forceArrows(pushes: readonly Push[], longest: number): THREE.Group {
  const group = new THREE.Group();
  const most = Math.max(...pushes.map((push) => length(push.force)), 0);
  const shown = pushes.filter((push) => length(push.force) > LEAST_FORCE * most);
  const material = new THREE.MeshBasicMaterial({ color: FORCE_COLOUR, toneMapped: false });
  const shaft = new THREE.CylinderGeometry(1, 1, 1, 16);
  const head = new THREE.ConeGeometry(1, 1, 24);
  for (const { point, force } of shown.slice(0, MOST_ARROWS)) {
    const size = length(force);
    const long = longest * Math.max(SHORTEST, size / most);
    const thick = 0.022 * longest;
    const arrow = new THREE.Group();
    const tip = new THREE.Mesh(head, material);
    tip.scale.set(2.6 * thick, 6.5 * thick, 2.6 * thick);
    tip.position.y = -3.25 * thick;
    const rod = new THREE.Mesh(shaft, material);
    rod.scale.set(thick, Math.max(long - 6.5 * thick, 0.1 * long), thick);
    rod.position.y = -6.5 * thick - 0.5 * rod.scale.y;
    const text = label(quantity(size, "N"));
    text.position.y = -long - 2.5 * thick;
    arrow.add(tip, rod, text);
    arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...force).normalize());
    arrow.position.set(...point);
    group.add(arrow);
  }
  return group;
}

/** A ring around the most strained place. */
export function worstMark(): THREE.Sprite {
  return sprite(
    (context, w, h) => {
      for (const [colour, wide] of [
        ["#14161a", 7],
        ["#ffffff", 3.5],
      ] as const) {
        context.strokeStyle = colour;
        context.lineWidth = wide;
        context.beginPath();
        context.arc(w / 2, h / 2, w / 2 - 5, 0, 2 * Math.PI);
        context.stroke();
      }
    },
    34,
    34,
  );
}

/** A short bar along a principal direction. */
export interface DirectionMark {
  readonly place: THREE.Vector3;
  readonly direction: THREE.Vector3;
  readonly share: number; // of the scale, 0 to 1
}

/** `size`: of the longest bar, m. Bars are dark on light colours and light on dark ones. */
export function directionBars(marks: readonly DirectionMark[], size: number): THREE.InstancedMesh {
  const bars = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshBasicMaterial({ toneMapped: false }), marks.length);
  const matrix = new THREE.Matrix4();
  const turn = new THREE.Quaternion();
  const along = new THREE.Vector3(1, 0, 0);
  marks.forEach(({ place, direction, share }, i) => {
    turn.setFromUnitVectors(along, direction);
    matrix.compose(place, turn, new THREE.Vector3(size * (0.4 + 0.6 * share), 0.09 * size, 0.09 * size));
    bars.setMatrixAt(i, matrix);
    bars.setColorAt(i, new THREE.Color(share > 0.6 ? "#14161a" : "#ffffff"));
  });
  bars.frustumCulled = false;
  return bars;
}

/** Frees what an object and all in it have on the graphics card. */
export function disposeAll(object: THREE.Object3D): void {
  object.traverse((one) => {
    if (one instanceof THREE.InstancedMesh) one.dispose();
    if (!(one instanceof THREE.Mesh || one instanceof THREE.Sprite)) return;
    const material = one.material as THREE.Material & { map?: THREE.Texture };
    material.map?.dispose();
    material.dispose();
    if (one instanceof THREE.Mesh) (one.geometry as THREE.BufferGeometry).dispose();
  });
  object.removeFromParent();
}
