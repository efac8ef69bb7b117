import type { Vec3 } from "../core/recording";
import type { Connection, JsonObject } from "../server/contract";
import { el } from "../ui/dom";
import type { Adder } from "./add";
import { Dialog } from "./dialog";
import type { JobStrip } from "./jobs";
import { askForUnit, isDoubtful, METRES, sizeText } from "./units";

interface Defect {
  readonly kind: string;
  readonly count: number;
}
interface Diagnosis {
  readonly vertices: number;
  readonly triangles: number;
  readonly solid: boolean;
  readonly repairable: boolean;
  readonly summary: string;
  readonly volume: number | null;
  readonly bounds: { readonly min: readonly number[]; readonly max: readonly number[]; readonly size: readonly number[] };
  readonly defects: readonly Defect[];
}

/** Meshes of the project into the scene: looked at, mended if need be. */
export class MeshImport {
  constructor(
    private readonly connection: Connection,
    private readonly jobs: JobStrip,
    private readonly adder: Adder,
    private readonly callbacks: { complain(error: unknown): void; added(pointer: string): void; say(text: string): void },
  ) {}

  /** What was sent just now, as the server found it. */
  sent(answer: JsonObject, at: Vec3 | undefined): Promise<void> {
    return this.examined(String(answer["path"]), answer["diagnosis"] as unknown as Diagnosis, at);
  }

  /** One of the project's files. */
  async path(path: string): Promise<void> {
    try {
      await this.examined(path, await this.connection.ask<Diagnosis>("diagnose", { path }), undefined);
    } catch (error) {
      this.callbacks.complain(error);
    }
  }

  private async examined(path: string, diagnosis: Diagnosis, at: Vec3 | undefined): Promise<void> {
    if (diagnosis.solid) return this.add(path, diagnosis, at);
    await this.offerRepair(path, diagnosis, at);
  }

  private async add(path: string, diagnosis: Diagnosis, at: Vec3 | undefined): Promise<void> {
    // files seldom say their unit: asked for where metres make no sense
    const { size } = diagnosis.bounds;
    const unit = isDoubtful(size) ? await askForUnit(path, size) : METRES;
    if (unit === undefined) return;
    this.callbacks.added(await this.adder.mesh(path, diagnosis.bounds, diagnosis.volume ?? undefined, unit, at));
    this.callbacks.say(`${path}: ${diagnosis.triangles.toLocaleString("en")} triangles, ${sizeText(size, unit)}, added to the scene`);
  }

  private async offerRepair(path: string, diagnosis: Diagnosis, at: Vec3 | undefined): Promise<void> {
    const defects = el(
      "ul",
      { class: "defects" },
      ...diagnosis.defects.map((defect) =>
        el("li", {}, el("strong", {}, defect.count.toLocaleString("en")), ` ${defect.kind.replaceAll("_", " ")}`),
      ),
    );
    const why = `${path} is not the closed surface of a solid, so it has no inside to break.`;
    const text = el("p", {}, why);
    const numbers = el(
      "p",
      { class: "hint" },
      `${diagnosis.vertices.toLocaleString("en")} vertices, ${diagnosis.triangles.toLocaleString("en")} triangles. ${diagnosis.summary ?? ""}`,
    );
    const others = [{ label: "Leave it out" }, { label: "Add as it is", action: () => this.add(path, diagnosis, at) }];
    const tryTo = async (options: JsonObject): Promise<void> => {
      text.textContent = `Repairing ${path}…`;
      await this.repair(path, at, options).finally(() => (text.textContent = why));
    };
    const isOpen = diagnosis.defects.some((defect) => defect.kind === "open_edges");
    const close = { label: "Close openings and add", primary: true, action: () => tryTo({ close_openings: true }) };
    const repair = {
      label: "Repair and add",
      primary: true,
      // openings too large to be a slip are the person's to decide on
      action: () =>
        tryTo({}).catch((error: unknown) => {
          dialog.setButtons(isOpen ? [...others, close] : others);
          throw error;
        }),
    };
    const dialog = new Dialog("This mesh has defects", [text, defects, numbers], diagnosis.repairable ? [...others, repair] : others);
    await dialog.closed;
  }

  private async repair(path: string, at: Vec3 | undefined, options: JsonObject): Promise<void> {
    const { job } = await this.connection.ask<{ job: number }>("repair", { path, ...options });
    const result = await this.jobs.result(job);
    const repaired = String(result["path"]);
    await this.add(repaired, await this.connection.ask<Diagnosis>("diagnose", { path: repaired }), at);
    const report = result["report"] as JsonObject | undefined;
    const actions = (report?.["actions"] as readonly { what: string; count: number }[] | undefined) ?? [];
    this.callbacks.say(
      `${repaired}: ${actions.map((one) => (one.count > 1 ? `${one.what} (${one.count})` : one.what)).join(", ") || "repaired"}`,
    );
  }
}
