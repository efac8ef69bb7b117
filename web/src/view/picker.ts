import * as THREE from "three";

import type { Pieces } from "./pieces";

/** Finds the body under a point by drawing that one pixel in ids. */
export class Picker {
  private readonly target = new THREE.WebGLRenderTarget(1, 1, { depthBuffer: true });
  private readonly scene = new THREE.Scene();
  private readonly pixel = new Uint8Array(4);

  constructor(
    private readonly renderer: THREE.WebGLRenderer,
    private readonly pieces: Pieces,
  ) {
    this.target.texture.minFilter = this.target.texture.magFilter = THREE.NearestFilter;
    this.target.texture.generateMipmaps = false;
  }

  /** Pixels of the page from the canvas' upper left; -1: nothing there. */
  async pick(camera: THREE.PerspectiveCamera, x: number, y: number, width: number, height: number): Promise<number> {
    const parent = this.pieces.group.parent;
    const shadows = this.renderer.shadowMap.autoUpdate;
    const clear = this.renderer.getClearColor(new THREE.Color());
    const alpha = this.renderer.getClearAlpha();
    camera.setViewOffset(width, height, Math.floor(x), Math.floor(y), 1, 1);
    this.scene.add(this.pieces.group);
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.setRenderTarget(this.target);
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.clear();
    this.pieces.withIds(() => this.renderer.render(this.scene, camera));
    const reading = this.renderer.readRenderTargetPixelsAsync(this.target, 0, 0, 1, 1, this.pixel);
    this.renderer.setRenderTarget(null);
    this.renderer.setClearColor(clear, alpha);
    this.renderer.shadowMap.autoUpdate = shadows;
    parent?.add(this.pieces.group);
    camera.clearViewOffset();
    await reading;
    const [r, g, b] = this.pixel;
    return r! + 256 * g! + 65536 * b! - 1;
  }
}
