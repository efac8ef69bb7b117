import { plural } from "../core/format";
import type { JsonObject } from "../server/contract";
import type { Adder } from "./add";
import type { Selection } from "./selection";

/** Volumes of the project into the scene: how strong the selected bodies are inside. */
export class VolumeImport {
  constructor(
    private readonly adder: Pick<Adder, "volume">,
    private readonly selection: Pick<Selection, "sources">,
    private readonly say: (text: string) => void,
  ) {}

  /** Bodies of the scene that are selected. */
  get bodies(): readonly string[] {
    return this.selection.sources.filter((pointer) => /\/bodies\/\d+$/.test(pointer));
  }

  /** What was sent just now: used if there is a body to use it on. */
  async sent(answer: JsonObject): Promise<void> {
    const path = String(answer["path"]);
    if (this.bodies.length > 0) return this.path(path);
    const samples = (answer["samples"] as readonly number[]).join(" × ");
    this.say(`${path}: a volume of ${samples} samples, kept in the project. Select a body, then Add, Strength volume of the project.`);
  }

  /** One of the project's files. */
  async path(path: string): Promise<void> {
    const { bodies } = this;
    await this.adder.volume(bodies, path);
    this.say(`${path}: the strength inside ${plural(bodies.length, "body", "bodies")}`);
  }
}
