import type { SocketConnection } from "../server/connection";
import { CommandError, type JsonObject } from "../server/contract";
import { el, saveBlob } from "../ui/dom";
import { choose, Dialog } from "./dialog";
import { withEnding } from "./files";
import type { JobStrip } from "./jobs";

export interface Format {
  readonly ending: string; // empty: a folder
  readonly label: string;
  readonly forWhom: string;
  readonly render?: boolean; // ray-traced
  readonly download: boolean;
  readonly frames?: "shown" | "all"; // without: those that are chosen
  readonly choice?: "script" | "stress"; // that only this format has
}

/** What people set in the dialog, as far as the format has it. */
export interface ExportChoices {
  readonly first: number; // frames
  readonly last: number;
  readonly shown: number;
  readonly script: boolean; // for Blender
  readonly stress: boolean; // what bodies felt when they broke
}

/** As GET /exporters.json has it. */
export interface ExporterInfo {
  readonly ending: string;
  readonly label: string;
  readonly help: string;
  readonly one_file: boolean;
  readonly options: string; // "--tolerance --blender-script"
}

/** What is drawn, or kept as it is. */
const OTHERS: readonly Format[] = [
  { ending: ".mp4", label: "Film (.mp4)", forWhom: "ray-traced, everyone", download: true, render: true },
  { ending: ".png", label: "Picture (.png)", forWhom: "ray-traced, of the frame shown", download: true, render: true, frames: "shown" },
  { ending: ".sunder", label: "Recording (.sunder)", forWhom: "Sunder itself: open, render, export later", download: true, frames: "all" },
];

/** All that a take can be exported as: the program's exporters come first. */
export function formatsOf(exporters: readonly ExporterInfo[]): readonly Format[] {
  const formats = exporters.map(({ ending, label, help, one_file, options }): Format => {
    const choice = options.includes("--blender-script") ? "script" : options.includes("--without-stress") ? "stress" : undefined;
    return {
      ending,
      label: ending ? `${label} (${ending})` : label,
      forWhom: help,
      download: one_file,
      ...(choice ? { choice } : {}),
    };
  });
  return [...formats, ...OTHERS];
}

/** Hands the take over to other programs. */
export class Exports {
  constructor(
    private readonly connection: SocketConnection,
    private readonly jobs: JobStrip,
    private readonly formats: readonly Format[],
    private readonly callbacks: { complain(error: unknown): void; say(text: string): void },
  ) {}

  open(sceneName: string, frames: { first: number; last: number; shown: number; running: boolean }): void {
    let format = this.formats.find((one) => one.ending === ".glb") ?? this.formats[0]!;
    const name = el("input", {
      type: "text",
      class: "wide-input",
      id: "export-name",
      value: `${sceneName}${format.ending}`,
      spellcheck: "false",
    });
    const select = el("select", { id: "export-format", autofocus: true });
    select.append(...this.formats.map((one, i) => el("option", { value: i, selected: one === format }, `${one.label} – ${one.forWhom}`)));
    const from = el("input", { type: "number", id: "export-from", min: frames.first, max: frames.last, value: frames.first });
    const to = el("input", { type: "number", id: "export-to", min: frames.first, max: frames.last, value: frames.last });
    const script = tickedBox("export-script");
    const stress = tickedBox("export-stress");
    const choiceRows = {
      script: row("export-script", "Import script for Blender", script, "sets frame rate, range and visibility; run it in Blender"),
      stress: row(
        "export-stress",
        "With stress",
        stress,
        "what bodies felt when they broke; without it the file is smaller, the numbers stay",
      ),
    };
    const range = el(
      "div",
      { class: "dialog-row" },
      el("label", { for: "export-from" }, "Frames"),
      el("span", { class: "range-box" }, from, el("label", { for: "export-to" }, "to"), to),
    );
    const showChoices = (): void => {
      range.hidden = format.frames !== undefined;
      for (const [choice, element] of Object.entries(choiceRows)) element.hidden = choice !== format.choice;
    };
    showChoices();
    select.addEventListener("change", () => {
      const stem = withoutEnding(name.value, this.formats);
      format = this.formats[Number(select.value)]!;
      name.value = stem + format.ending;
      showChoices();
    });
    const note = frames.running
      ? "The run goes on; what is there by now is exported."
      : frames.last === frames.first
        ? "There is only the start. Run the scene first to export its motion."
        : "";
    const body = [
      row("export-format", "Format", select),
      row("export-name", "File", name, "in the project folder"),
      range,
      ...Object.values(choiceRows),
      ...(note ? [el("p", { class: "hint" }, note)] : []),
    ];
    const start = (): Promise<void> => {
      const choices = {
        first: from.valueAsNumber,
        last: to.valueAsNumber,
        shown: frames.shown,
        script: script.checked,
        stress: stress.checked,
      };
      return this.start(format, withEnding(name.value.trim(), format.ending), exportArguments(format, choices));
    };
    new Dialog("Export the take", body, [{ label: "Cancel" }, { label: "Export", primary: true, action: start }]);
  }

  private async start(format: Format, path: string, args: JsonObject): Promise<void> {
    if (format.ending === ".sunder") {
      const answer = await this.asking<JsonObject>("keep", { path });
      if (answer) this.callbacks.say(`Kept as ${String(answer["path"] ?? path)}`);
      return;
    }
    const answer = await this.asking<{ job: number }>(format.render ? "render" : "export", { path, ...args });
    if (answer) void this.finish(format, answer.job, path, args["blender_script"] === true);
  }

  /** Replaces a file only when told to. */
  private async asking<T>(command: string, args: JsonObject): Promise<T | undefined> {
    try {
      return await this.connection.ask<T>(command, args);
    } catch (error) {
      if (!(error instanceof CommandError) || !/replace|overwrite|there already/i.test(error.message)) throw error;
      const answer = await choose("Replace it?", error.message, [{ label: "Replace", value: true, danger: true }]);
      return answer ? this.connection.ask<T>(command, { ...args, force: true }) : undefined;
    }
  }

  private async finish(format: Format, job: number, path: string, script: boolean): Promise<void> {
    try {
      const result = await this.jobs.result(job);
      const made = String(result["path"] ?? path);
      this.callbacks.say(`Exported ${made}`);
      const name = made.slice(made.lastIndexOf("/") + 1);
      const folder = String(result["folder"] ?? "the project folder");
      const lines: Node[] = [el("p", {}, el("strong", {}, name), ` is in ${folder}.`)];
      if (script)
        lines.push(
          el("p", {}, "To open it in Blender:"),
          el("pre", { class: "command" }, `cd ${quoted(folder)}\nblender --python import_blender.py -- ${quoted(name)}`),
        );
      const buttons = format.download ? [{ label: "Download a copy", action: () => this.download(made) }] : [];
      new Dialog("Exported", lines, [...buttons, { label: "Done", primary: true }], "small");
    } catch (error) {
      this.callbacks.complain(error);
    }
  }

  private async download(path: string): Promise<void> {
    const bytes = await this.connection.fetchBytes(`/file?path=${encodeURIComponent(path)}`);
    saveBlob(new Blob([bytes]), path.slice(path.lastIndexOf("/") + 1));
  }
}

/** A name without the ending that one of the formats gave it. */
export function withoutEnding(name: string, formats: readonly Format[]): string {
  const lower = name.toLowerCase();
  const known = formats.find((format) => format.ending && lower.endsWith(format.ending));
  return known ? name.slice(0, -known.ending.length) : name;
}

/** What the server is told besides the path. */
export function exportArguments({ frames, choice }: Format, choices: ExportChoices): JsonObject {
  const { first, last, shown } = choices;
  return {
    ...(frames === "shown" ? { frame: shown } : frames === "all" ? {} : { first, last }),
    ...(choice === "script" ? { blender_script: choices.script } : {}),
    ...(choice === "stress" ? { without_stress: !choices.stress } : {}),
  };
}

function tickedBox(id: string): HTMLInputElement {
  const input = el("input", { type: "checkbox", role: "switch", id });
  input.checked = true;
  return input;
}

function row(id: string, label: string, control: HTMLElement, hint = ""): HTMLElement {
  return el("div", { class: "dialog-row" }, el("label", { for: id }, label), control, hint ? el("span", { class: "hint" }, hint) : null);
}

/** For a shell, if it needs to be. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
