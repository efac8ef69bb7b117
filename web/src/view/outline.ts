import * as THREE from "three";

import type { Pieces } from "./pieces";

const WIDTH = 2; // pixels of the page
const SELECTED = new THREE.Color("#ff8a1f").convertLinearToSRGB();
const RELATED = new THREE.Color("#3fa2ff").convertLinearToSRGB();

/** Lines around what is marked, seen through whatever is before it: bodies keep their looks. */
export class Outline {
  private readonly marks = new THREE.WebGLRenderTarget(1, 1, { depthBuffer: true });
  private readonly alone = new THREE.Scene(); // the bodies, while their marks are drawn
  private readonly lines = new THREE.Scene();
  private readonly flat = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
  private readonly material = lineMaterial();

  constructor(
    private readonly renderer: THREE.WebGLRenderer,
    private readonly pieces: Pieces,
  ) {
    this.marks.texture.minFilter = this.marks.texture.magFilter = THREE.NearestFilter;
    this.marks.texture.generateMipmaps = false;
    const page = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.material);
    page.frustumCulled = false;
    this.lines.add(page);
  }

  /** Over the picture that was drawn just now. */
  draw(camera: THREE.Camera): void {
    if (!this.pieces.textures.hasMarks) return;
    const { renderer } = this;
    const size = renderer.getDrawingBufferSize(new THREE.Vector2());
    if (this.marks.width !== size.x || this.marks.height !== size.y) this.marks.setSize(size.x, size.y);
    this.drawMarks(camera);
    // the lines over it
    this.material.uniforms["marks"]!.value = this.marks.texture;
    (this.material.uniforms["reach"]!.value as THREE.Vector2).set(1 / size.x, 1 / size.y).multiplyScalar(WIDTH * renderer.getPixelRatio());
    const before = renderer.autoClear;
    renderer.autoClear = false;
    renderer.render(this.lines, this.flat);
    renderer.autoClear = before;
  }

  private drawMarks(camera: THREE.Camera): void {
    const { renderer, pieces } = this;
    const parent = pieces.group.parent;
    const shadows = renderer.shadowMap.autoUpdate;
    const clear = renderer.getClearColor(new THREE.Color());
    const alpha = renderer.getClearAlpha();
    this.alone.add(pieces.group);
    renderer.shadowMap.autoUpdate = false;
    renderer.setRenderTarget(this.marks);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    pieces.withMarks(() => renderer.render(this.alone, camera));
    // all as it was
    renderer.setRenderTarget(null);
    renderer.setClearColor(clear, alpha);
    renderer.shadowMap.autoUpdate = shadows;
    parent?.add(pieces.group);
  }

  dispose(): void {
    this.marks.dispose();
    this.material.dispose();
  }
}

/** A pixel is on a line when what is marked begins or ends within reach of it. */
function lineMaterial(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms: {
      marks: { value: null },
      reach: { value: new THREE.Vector2() },
      selected: { value: SELECTED },
      related: { value: RELATED },
    },
    vertexShader: /* glsl */ `
      varying vec2 vPlace;
      void main() {
        vPlace = 0.5 * position.xy + 0.5;
        gl_Position = vec4(position.xy, 0.0, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      uniform sampler2D marks;
      uniform vec2 reach;
      uniform vec3 selected;
      uniform vec3 related;
      varying vec2 vPlace;
      void main() {
        float here = texture2D(marks, vPlace).r;
        float around = 0.0;
        float near = 0.0;
        for (int i = 0; i < 8; ++i) {
          float angle = 0.785398 * float(i);
          float there = texture2D(marks, vPlace + reach * vec2(cos(angle), sin(angle))).r;
          around = max(around, there);
          near += there > 0.1 ? 0.125 : 0.0;
        }
        // outside of what is marked, along its rim
        float line = here > 0.1 ? 0.0 : smoothstep(0.0, 0.3, near);
        if (line <= 0.0) discard;
        gl_FragColor = vec4(around > 0.75 ? selected : related, line);
      }
    `,
    transparent: true,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  });
}
