import { describe, expect, it } from "vitest";

import { PLAIN_LOOK, type Look } from "../core/recording";
import { isSeeThrough, lookTexels } from "./piece_textures";

const close = (values: readonly number[]): unknown[] => values.map((value) => expect.closeTo(value, 12) as unknown);

describe("looks as shaders read them", () => {
  it("are what was served, whatever the look is called", () => {
    const clay: Look = {
      ...PLAIN_LOOK,
      kind: "a look of next year",
      family: "grained",
      mottle: 0.09,
      bumps: 0.04,
      speckle: 0.05,
      pores: 0.1,
      warmth: 0.5,
      shine: { roughness: 0.85, metallic: 0, opacity: 1, glow: 1 },
    };
    // colour; family 1 and 0.4 of the relief; shine; mottle, speckle, pores below zero, warmth
    expect(lookTexels(clay).slice(0, 12)).toEqual(close([0.6, 0.6, 0.6, 1.2, 0.85, 0, 1, 1, 0.06, 0.05, -0.1, 0.5]));
    expect(lookTexels(clay).slice(12, 18)).toEqual(close([0.7, 0.7, 0.7, 1.2, 0.88, 0]));
    expect(lookTexels({ ...clay, family: "frosted", bumps: 5 })[3]).toBe(5.5); // the family stays readable
  });
  it("of metals are as bright as what they mirror", () => {
    const mirror: Look = { ...PLAIN_LOOK, shine: { ...PLAIN_LOOK.shine, metallic: 1 } };
    expect(lookTexels(mirror)[0]).toBeCloseTo(0.6 ** 0.55, 12);
    expect(lookTexels(mirror)[12]).toBe(0.7); // crack faces that are not metallic
  });
  it("are seen through when they let light through", () => {
    expect(isSeeThrough(PLAIN_LOOK)).toBe(false);
    expect(isSeeThrough({ ...PLAIN_LOOK, shine: { ...PLAIN_LOOK.shine, opacity: 0.4 } })).toBe(true);
  });
});
