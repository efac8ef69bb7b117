import { describe, expect, it } from "vitest";

import { numberText, stepped, typedNumber } from "./numbers";
import type { NumberType } from "./schema";

const metres: NumberType = { kind: "number", integer: false, minimum: -Infinity, maximum: Infinity, openBelow: false, unit: "m" };

describe("typed numbers", () => {
  it.each([
    ["3", 3],
    [" -0.5 ", -0.5],
    [".25", 0.25],
    ["1e-3", 0.001],
    ["1,5", 1.5],
    ["2*0.3+1", 1.6],
    ["-(1+2)^2/3", -3],
    ["2^-1", 0.5],
    ["1e3-1", 999],
  ])("%s is %d", (text, value) => expect(typedNumber(text)).toBeCloseTo(value, 12));
  it.each(["", "abc", "1 2", "3 m", "1/0", "(1", "2**3", "$x", "1e999"])("%s is none", (text) => expect(typedNumber(text)).toBeNaN());
});

describe("steps", () => {
  it("are a tenth of the number's size", () => {
    expect(stepped(2, 1, metres)).toBe(2.1);
    expect(stepped(0.25, -1, metres)).toBe(0.24);
    expect(stepped(340, 1, metres)).toBe(350);
    expect(stepped(0, 3, metres)).toBe(0.3);
    expect(stepped(0, 1, { ...metres, minimum: 0, maximum: 1 })).toBe(0.01);
  });
  it("stay within what is allowed", () => {
    expect(stepped(0.99, 10, { ...metres, minimum: 0, maximum: 1 })).toBe(1);
    expect(stepped(1, -1, { ...metres, integer: true, minimum: 1 })).toBe(1);
    expect(stepped(0.1, -50, { ...metres, minimum: 0, openBelow: true })).toBeGreaterThan(0);
  });
  it("do not gather rounding", () => {
    expect(numberText(0.1 + 0.2)).toBe("0.3");
    expect(numberText(1e-7)).toBe("1e-7");
  });
});
