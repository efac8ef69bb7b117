import { describe, expect, it } from "vitest";

import type { RecordedEvent } from "../core/recording";
import { bodyOf, recordingOf } from "../core/testing";
import { breakFacts, breakSentence, largestOf, shortName } from "./break_view";

const EVENT: RecordedEvent = {
  frame: 5,
  kind: "fracture",
  body: 0,
  pieces: 23,
  reason: "tension 61.2 MPa",
  point: [0, 0, 0],
  impulse: 0.5,
  energy: 0,
  massError: 0,
  momentumError: 2e-16,
  angularMomentumError: 3e-16,
  stress: {
    worst: { place: [0.01, 0.3, -0.004], direction: [1, 0, 0], tension: 61.2e6, strength: 45e6 },
    contacts: [
      { point: [0, 9, 0], force: [0, 0, -12], time: 1 / 30 },
      { point: [0.02, 0, 0], force: [0, 0, -1], time: 40e-6 },
      { point: [0, 0, 0], force: [3000, 0, -3999], time: 48e-6 },
    ],
    strainEnergy: 0.31,
    cracks: 14,
    rounds: 5,
    elements: 4012,
  },
};

describe("of several breaks in a frame", () => {
  it("the one of the largest body comes first", () => {
    const recording = recordingOf([bodyOf(0, { mass: 2 }), bodyOf(1, { mass: 30 }), bodyOf(2, { mass: 0.03 })]);
    const events = [0, 1, 2].map((body): RecordedEvent => ({ ...EVENT, body }));
    expect(largestOf(events, recording)).toBe(events[1]);
    expect(largestOf([], recording)).toBeUndefined();
  });
  it("names fit into a list", () => {
    expect(shortName("brick/p3")).toBe("brick/p3");
    const short = shortName("shelf/board/p3/p0/p12/p11/p4/p7");
    expect(short).toHaveLength(27);
    expect(short).toMatch(/^shelf\/.*….*p7$/);
  });
});

describe("why it broke", () => {
  it("is one sentence", () => {
    const recording = recordingOf([bodyOf(0, { name: "glass" })]);
    expect(breakSentence(EVENT, recording)).toBe(
      "glass broke into 23 pieces. A push of 5.00 kN pulled it apart: tension reached 61.2 MPa, 1.36 times what it bears there.",
    );
    expect(breakSentence({ ...EVENT, stress: undefined }, recording)).toBe("glass broke into 23 pieces: tension 61.2 MPa.");
    expect(breakSentence({ ...EVENT, kind: "dent" }, recording)).toContain("glass was dented.");
    expect(breakSentence({ ...EVENT, kind: "crack" }, recording)).toContain("glass cracked.");
  });

  it("has all numbers that are known, with units", () => {
    const facts = new Map(breakFacts(EVENT, recordingOf([bodyOf(0)])));
    expect(facts.get("Strength")).toBe("45.0 MPa");
    expect(facts.get("Ratio")).toBe("1.36 ×");
    expect(facts.get("Force")).toBe("5.00 kN in 2 contacts");
    expect(facts.get("Contact time")).toBe("48.0 µs");
    expect(facts.get("Cracks")).toBe("14 in 5 rounds");
    expect(facts.get("Strain energy")).toBe("310 mJ");
    expect(facts.get("Solved with")).toBe("4,012 tets");
    const plain = breakFacts({ ...EVENT, stress: undefined, energy: undefined }, recordingOf([bodyOf(0)]));
    expect(plain.map(([name]) => name)).toEqual(["Pieces", "Impulse", "Mass kept to", "Momentum", "Spin"]);
  });
});
