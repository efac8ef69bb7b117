import { describe, expect, it } from "vitest";

import { appendPatch, freeName, isWithin, join, keysOf, parentOf, removePatch, sameJson, setPatch, valueAt } from "./pointer";
import { applied } from "./testing";

describe("pointers", () => {
  it("carry any key", () => {
    const pointer = join("/materials", "a/b~c", "density");
    expect(pointer).toBe("/materials/a~1b~0c/density");
    expect(keysOf(pointer)).toEqual(["materials", "a/b~c", "density"]);
    expect(parentOf(pointer)).toBe("/materials/a~1b~0c");
    expect(valueAt({ materials: { "a/b~c": { density: 3 } } }, pointer)).toBe(3);
  });
  it("know what is within what", () => {
    expect(isWithin("/bodies/1/name", "/bodies/1")).toBe(true);
    expect(isWithin("/bodies/10", "/bodies/1")).toBe(false);
  });
  it("lead nowhere without a complaint", () => {
    expect(valueAt({ bodies: [] }, "/bodies/3/name")).toBeUndefined();
    expect(valueAt({ floor: true }, "/floor/height")).toBeUndefined();
  });
});

describe("patches", () => {
  it("make the objects above that are missing", () => {
    const patch = setPatch({ version: 1 }, "/world/solver/substeps", 4);
    expect(patch.map((one) => one.path)).toEqual(["/world", "/world/solver", "/world/solver/substeps"]);
    expect(applied({ version: 1 }, patch)).toEqual({ version: 1, world: { solver: { substeps: 4 } } });
  });
  it("replace what is there", () => {
    expect(setPatch({ world: { frames: 3 } }, "/world/frames", 4)).toEqual([{ op: "replace", path: "/world/frames", value: 4 }]);
  });
  it("append to lists, also to those that are not there", () => {
    const first = appendPatch({ version: 1 }, "/bodies", { name: "a" });
    expect(first.pointer).toBe("/bodies/0");
    const one = applied({ version: 1 }, first.patch);
    const second = appendPatch(one, "/bodies", { name: "b" });
    expect(second.pointer).toBe("/bodies/1");
    expect(applied(one, second.patch)).toEqual({ version: 1, bodies: [{ name: "a" }, { name: "b" }] });
  });
  it("take away only what is there", () => {
    expect(removePatch({ a: 1 }, "/b")).toEqual([]);
    expect(removePatch({ a: 1 }, "/a")).toEqual([{ op: "remove", path: "/a" }]);
  });
});

it("names count on", () => {
  expect(freeName("ball", new Set())).toBe("ball");
  expect(freeName("ball", new Set(["ball", "ball_2"]))).toBe("ball_3");
  expect(freeName("ball_2", new Set(["ball", "ball_2"]))).toBe("ball_3");
});

it("JSON is the same whatever the order of keys", () => {
  expect(sameJson({ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] })).toBe(true);
  expect(sameJson({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(sameJson([1, 2], [2, 1])).toBe(false);
});
