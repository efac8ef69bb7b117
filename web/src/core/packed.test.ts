import { describe, expect, it } from "vitest";

import { NumberReader } from "./packed";
import { packed } from "./testing";

describe("NumberReader", () => {
  it("gives back numbers of any size and sign", () => {
    const numbers = [0, 1, -1, 63, 64, -64, -65, 300, -12345, 2 ** 31, -(2 ** 31) - 1, 2 ** 40];
    const reader = new NumberReader(packed(numbers));
    expect(numbers.map(() => reader.signed())).toEqual(numbers);
    expect(reader.done).toBe(true);
  });

  it("says so when the bytes end early or make no number", () => {
    expect(() => new NumberReader(Uint8Array.of(0x80)).number()).toThrow(/ends early/);
    expect(() => new NumberReader(new Uint8Array(20).fill(0xff)).number()).toThrow(/cannot be/);
  });
});
