import { describe, expect, it } from "vitest";

import { digits, mass, plural, quantity, volume } from "./format";

describe("format", () => {
  it("keeps three digits and fitting prefixes", () => {
    expect(digits(1234.5)).toBe("1235");
    expect(digits(0.012345)).toBe("0.0123");
    expect(quantity(43100, "J")).toBe("43.1 kJ");
    expect(quantity(999.9, "J")).toBe("1.00 kJ");
    expect(quantity(-0.0021, "N s")).toBe("-2.10 mN s");
    expect(quantity(0, "J")).toBe("0 J");
    expect(digits(NaN)).toBe("–");
  });

  it("chooses units people use", () => {
    expect([mass(2500), mass(71.6), mass(0.0125)]).toEqual(["2.50 t", "71.6 kg", "12.5 g"]);
    expect([volume(1.2), volume(0.0286), volume(0.00002)]).toEqual(["1.20 m³", "28.6 l", "20.0 cm³"]);
    expect([plural(1, "piece"), plural(1500, "body", "bodies")]).toEqual(["1 piece", "1,500 bodies"]);
  });
});
