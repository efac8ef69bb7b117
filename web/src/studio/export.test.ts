import { describe, expect, it } from "vitest";

import { exportArguments, formatsOf, withoutEnding, type ExportChoices } from "./export";

// as the program says: GET /exporters.json
const FORMATS = formatsOf([
  { ending: ".html", label: "Replay", help: "one file", one_file: true, options: "--without-stress" },
  { ending: ".glb", label: "glTF", help: "Blender", one_file: true, options: "--tolerance --blender-script" },
  { ending: ".usda", label: "USD", help: "Houdini", one_file: true, options: "--tolerance" },
  { ending: ".pvd", label: "VTK", help: "ParaView", one_file: false, options: "--every" },
  { ending: "", label: "Folder of pieces", help: "OBJ", one_file: false, options: "--pieces-as" },
]);

const CHOICES: ExportChoices = { first: 3, last: 60, shown: 12, script: true, stress: true };
const argumentsOf = (ending: string, choices: Partial<ExportChoices> = {}) =>
  exportArguments(FORMATS.find((format) => format.ending === ending)!, { ...CHOICES, ...choices });

describe("an export", () => {
  it("leaves out stress when told to, and only of what can have it", () => {
    expect(argumentsOf(".html")).toEqual({ first: 3, last: 60, without_stress: false });
    expect(argumentsOf(".html", { stress: false })).toEqual({ first: 3, last: 60, without_stress: true });
    const others = FORMATS.filter((format) => format.ending !== ".html");
    for (const format of others)
      expect(exportArguments(format, { ...CHOICES, stress: false }), format.label).not.toHaveProperty("without_stress");
  });
  it("has Blender's script when wanted", () => {
    expect(argumentsOf(".glb")).toEqual({ first: 3, last: 60, blender_script: true });
    expect(argumentsOf(".glb", { script: false })).toEqual({ first: 3, last: 60, blender_script: false });
    expect(argumentsOf(".usda")).toEqual({ first: 3, last: 60 });
  });
  it("is of the frames that suit the format", () => {
    expect(argumentsOf(".png")).toEqual({ frame: 12 });
    expect(argumentsOf(".sunder")).toEqual({});
    expect(argumentsOf(".mp4")).toEqual({ first: 3, last: 60 });
  });
  it("is what the program can write, a film, a picture or the recording", () => {
    expect(FORMATS.map((format) => format.ending)).toEqual([".html", ".glb", ".usda", ".pvd", "", ".mp4", ".png", ".sunder"]);
    expect(FORMATS.map((format) => format.label)[0]).toBe("Replay (.html)");
    expect(FORMATS.filter((format) => !format.download).map((format) => format.ending)).toEqual([".pvd", ""]);
  });
  it("changes its ending with the format", () => {
    expect(withoutEnding("wall.v2.GLB", FORMATS)).toBe("wall.v2");
    expect(withoutEnding("wall.v2", FORMATS)).toBe("wall.v2");
  });
});
