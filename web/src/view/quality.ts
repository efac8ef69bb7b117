/** What a picture may take while things move, s. */
const SLOW = 1 / 20;
const FAST = 1 / 50;
const COARSEST = 0.4;
const REST = 0.25; // s without a new picture, after which a sharp one is worth it

/**
 * How many pixels are drawn: all of them where the machine can, fewer while things move where it cannot (no graphics
 * card, a 4K screen on a laptop). As soon as the picture stands still it is drawn in full.
 */
export class Quality {
  private moving: number; // share of the pixels' side while things move
  private still = 0; // s since the last picture
  private sharp = false;
  private recent = 0; // s per picture, smoothed

  constructor(slowMachine: boolean) {
    this.moving = slowMachine ? COARSEST : 1;
  }

  get scale(): number {
    return this.sharp ? 1 : this.moving;
  }

  /** A picture of something that moves was drawn, so long after the one before. */
  drew(seconds: number): void {
    this.still = 0;
    this.sharp = false;
    this.recent = this.recent === 0 ? seconds : 0.8 * this.recent + 0.2 * seconds;
    if (this.recent > SLOW) this.moving = Math.max(COARSEST, this.moving * 0.93);
    else if (this.recent < FAST) this.moving = Math.min(1, this.moving * 1.03);
  }

  /** Nothing changed; true when a sharp picture is due. */
  rested(seconds: number): boolean {
    this.still += seconds;
    if (this.sharp || this.moving === 1 || this.still < REST) return false;
    this.sharp = true;
    this.recent = 0;
    return true;
  }
}

/** Whether pictures are made by the processor. */
export function isSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER);
  return /swiftshader|llvmpipe|software|basic render/i.test(String(name));
}
