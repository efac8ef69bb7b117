import { describe, expect, it } from "vitest";

import { exportArguments, FORMATS, type ExportChoices } from "./export";

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
});
