import { distinct } from "../core/colours";
import type { LiveBody } from "../live/live_recording";
import { readMesh } from "../live/mesh_store";
import type { Connection } from "../server/contract";
import { HeatOverlay } from "../view/heat_overlay";
import type { Workbench } from "./tool";

interface Shown {
  readonly body: LiveBody;
  readonly overlay: HeatOverlay;
}

const COLOURS = 256; // grains beyond have the colours of others

/** Colours whole bodies by the grains that cracks would run between. The server says which place is of which. */
export class GrainPreview {
  private shown: Shown[] = [];
  private on = false;
  private asked = 0; // the last answer counts

  constructor(
    private readonly bench: Workbench,
    private readonly connection: Connection,
  ) {}

  set(on: boolean): void {
    this.on = on;
    this.refresh();
  }

  /** The document or the take changed. */
  refresh(): void {
    const asked = ++this.asked;
    if (!this.on) {
      this.replace([]);
      return;
    }
    const { recording } = this.bench;
    const bodies = recording.bodies.filter(
      (body) => body.parent < 0 && body.mesh >= 0 && body.method !== "" && this.bench.isThere(body.id),
    );
    Promise.all(bodies.map((body) => this.ask(body))).then(
      (all) => {
        const made = all.flatMap((one) => one ?? []);
        if (asked === this.asked) this.replace(made);
        else for (const { overlay } of made) overlay.dispose();
      },
      (error: unknown) => this.bench.callbacks.announce(error instanceof Error ? error.message : String(error)),
    );
  }

  /** undefined: its method knows of no grains. */
  private async ask(body: LiveBody): Promise<Shown | undefined> {
    const { bytes } = await this.connection.askBytes("grains", { body: body.id });
    if (bytes.byteLength === 0) return undefined;
    const { mesh, end } = readMesh(bytes);
    const overlay = new HeatOverlay(mesh);
    overlay.paint(
      Uint8Array.from(new Uint32Array(bytes.slice(end)), (grain) => grain % COLOURS),
      (grain) => {
        const [r, g, b] = distinct(grain);
        return [255 * r, 255 * g, 255 * b];
      },
    );
    return { body, overlay };
  }

  private replace(shown: Shown[]): void {
    for (const { overlay } of this.shown) overlay.dispose();
    this.shown = shown;
    for (const { overlay } of shown) this.bench.viewport.overlay.add(overlay.object);
    this.place();
    this.bench.viewport.redraw();
  }

  /** Where the bodies are now. */
  place(): void {
    for (const { body, overlay } of this.shown) {
      overlay.object.visible = this.bench.isThere(body.id) && this.bench.recording.bodies[body.id]?.hash === body.hash;
      if (overlay.object.visible) overlay.place(this.bench.poseOf(body.id), body.centre);
    }
  }

  dispose(): void {
    this.set(false);
  }
}
