import * as THREE from "three";

import { Notice } from "../core/errors";
import { makeEnvironment } from "./environment";
import { NoiseTexture } from "./noise_texture";

export const ENVIRONMENT_LIGHT = 0.33; // of white, as seen on a white surface

/** What drawing needs whatever is drawn. */
export class Graphics {
  readonly renderer = makeRenderer();
  readonly noise = new NoiseTexture();
  private environment: THREE.Texture | undefined;

  /** Light from all around and the grain of materials. They take a while: sketches are drawn without. */
  finish(scene: THREE.Scene): void {
    if (this.environment === undefined) {
      this.noise.fill();
      this.environment = makeEnvironment(this.renderer);
    }
    scene.environment = this.environment;
    scene.environmentIntensity = ENVIRONMENT_LIGHT;
  }

  dispose(): void {
    this.environment?.dispose();
    this.noise.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}

function makeRenderer(): THREE.WebGLRenderer {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", { antialias: true, powerPreference: "high-performance" });
  if (context === null) {
    throw new Notice(
      "This browser shows no 3D pictures here (WebGL 2 is missing or switched off). Try another browser, or switch on hardware acceleration in its settings.",
    );
  }
  const renderer = new THREE.WebGLRenderer({ canvas, context, antialias: true });
  renderer.toneMapping = THREE.NeutralToneMapping;
  renderer.toneMappingExposure = 1.04;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFSoftShadowMap;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "The scene. Drag to orbit, click a piece to see its numbers.");
  return renderer;
}
