import { describe, expect, it } from "vitest";

import { isDoubtful, likelyUnit, sizeText, UNITS } from "./units";

describe("the unit of a mesh", () => {
  it("is asked for when metres make no sense", () => {
    expect(isDoubtful([60, 99, 60])).toBe(true);
    expect(isDoubtful([2e-4, 1e-4, 1e-4])).toBe(true);
    expect(isDoubtful([0.2, 1.4, 3])).toBe(false);
    expect(isDoubtful([0, 0, 0])).toBe(false);
  });
  it("is most likely the one that gives a usual size", () => {
    expect(likelyUnit([60, 99, 60]).key).toBe("mm"); // a goblet
    expect(likelyUnit([25, 30, 25]).key).toBe("cm");
    expect(likelyUnit([0.0002, 0.0001, 0.0001]).key).toBe("m");
  });
  it("is shown with the size that it gives", () => {
    expect(UNITS.map((unit) => sizeText([60, 99, 60], unit))).toEqual([
      "60 × 99 × 60 m",
      "60 × 99 × 60 cm",
      "6 × 9.9 × 6 cm",
      "1.52 × 2.51 × 1.52 m",
    ]);
    expect(sizeText([1200, 3, 3], UNITS[0]!)).toBe("1.2 × 0.003 × 0.003 km");
  });
});
