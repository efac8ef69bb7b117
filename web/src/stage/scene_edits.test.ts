import { describe, expect, it } from "vitest";

import type { Vec3 } from "../core/recording";
import type { SceneDocument } from "../server/contract";
import { quaternionOf, type Quaternion } from "../server/rotations";
import { displacePatch, entryOf, NO_TURN, placeAction, scaleOf, scalePatch } from "./scene_edits";

const HALF = Math.SQRT1_2;
const QUARTER: Quaternion = [0, HALF, 0, HALF]; // about y
const scene: SceneDocument = {
  bodies: [
    { name: "ball", shape: "sphere", position: [1, 2, 3] },
    { name: "box", shape: { name: "box", scale: [1, 2, 3] }, rotation: { axis: [0, 1, 0], degrees: 30 } },
    { name: "wall", shape: { name: "box" }, position: [5, 0, 0], array: { count: [3, 1, 1] } },
    { name: "pot", mesh: "pot.obj", position: ["$x", 0, 0], rotation: { quaternion: [1, 0, 0, 0] } },
  ],
  groups: { house: { bodies: [{ name: "roof", shape: "box" }] } },
  instances: [{ name: "left", group: "house", position: [-4, 0, 0] }],
  floor: { height: 0.5 },
};
const move = (by: Vec3) => ({ pivot: [0, 0, 0] as Vec3, move: by, turn: NO_TURN });

describe("a move", () => {
  it("changes the position and nothing else", () => {
    expect(displacePatch(scene, "/bodies/0", move([0.5, 0, -1]))).toEqual([{ op: "add", path: "/bodies/0/position", value: [1.5, 2, 2] }]);
  });

  it("gives a position to what had none", () => {
    expect(displacePatch(scene, "/bodies/1", move([1, 0, 0]))).toEqual([{ op: "add", path: "/bodies/1/position", value: [1, 0, 0] }]);
  });

  it("moves the whole array, and the instance that placed a group", () => {
    expect(displacePatch(scene, "/bodies/2", move([0, 1, 0]))[0]).toMatchObject({ path: "/bodies/2/position", value: [5, 1, 0] });
    const entry = entryOf(scene, "/groups/house/bodies/0", "left/roof")!;
    expect(entry).toBe("/instances/0");
    expect(displacePatch(scene, entry, move([1, 0, 0]))).toEqual([{ op: "add", path: "/instances/0/position", value: [-3, 0, 0] }]);
    expect(entryOf(scene, "/groups/house/bodies/0", "right/roof")).toBeUndefined();
    expect(entryOf(scene, "/bodies/0", "ball")).toBe("/bodies/0");
    expect(entryOf(scene, undefined, "ball")).toBeUndefined();
  });

  it("lifts the floor", () => {
    expect(displacePatch(scene, "/floor", move([3, 0.25, 0]))).toEqual([{ op: "add", path: "/floor/height", value: 0.75 }]);
  });

  it("writes numbers where a parameter was, from where the body is", () => {
    expect(displacePatch(scene, "/bodies/3", move([1, 0, 0]))).toEqual([]); // nobody knows where it is
    const patch = displacePatch(scene, "/bodies/3", move([1, 0, 0]), { position: [7, 0, 0], rotation: NO_TURN });
    expect(patch).toEqual([{ op: "add", path: "/bodies/3/position", value: [8, 0, 0] }]);
  });

  it("changes nothing when nothing moved", () => {
    expect(displacePatch(scene, "/bodies/0", move([0, 0, 0]))).toEqual([]);
    expect(displacePatch(scene, "/bodies/0", move([1e-9, 0, 0]))).toEqual([]);
  });
});

describe("a turn", () => {
  const turn = (pivot: Vec3) => ({ pivot, move: [0, 0, 0] as Vec3, turn: QUARTER });

  it("turns about its pivot: position and rotation", () => {
    const patch = displacePatch(scene, "/bodies/0", turn([1, 0, 0]));
    expect(patch[0]).toMatchObject({ path: "/bodies/0/position", value: [4, 2, 0] });
    expect(patch[1]).toMatchObject({ path: "/bodies/0/rotation", value: [0, 90, 0] });
  });

  it("keeps to the way the file writes rotations", () => {
    expect(displacePatch(scene, "/bodies/1", turn([0, 0, 0]))[0]).toMatchObject({
      path: "/bodies/1/rotation",
      value: { axis: [0, 1, 0], degrees: 120 },
    });
    const [, rotation] = displacePatch(scene, "/bodies/3", turn([1, 0, 0]), { position: [0, 0, 0], rotation: NO_TURN });
    const value = (rotation as unknown as { value: { quaternion: number[] } }).value;
    const [w, x, y, z] = value.quaternion;
    expect([w, x, y, z].map((part) => Number(part!.toFixed(6)))).toEqual([0.707107, 0, 0.707107, 0]); // w first, as scenes have it
    expect(quaternionOf(value)![1]).toBeCloseTo(HALF);
  });

  it("leaves an array where it is: its members turn each about itself", () => {
    const patch = displacePatch(scene, "/bodies/2", turn([9, 9, 9]));
    expect(patch.map((operation) => operation.path)).toEqual(["/bodies/2/rotation"]);
  });
});

describe("a size", () => {
  it("is read from shape or mesh, in either form", () => {
    expect(scaleOf(scene, "/bodies/0")).toEqual([1, 1, 1]);
    expect(scaleOf(scene, "/bodies/1")).toEqual([1, 2, 3]);
    expect(scaleOf(scene, "/bodies/3")).toEqual([1, 1, 1]);
    expect(scaleOf(scene, "/instances/0")).toBeUndefined();
  });

  it("makes an object of what was only named", () => {
    expect(scalePatch(scene, "/bodies/0", [2, 2, 2])).toEqual([
      { op: "add", path: "/bodies/0/shape", value: { name: "sphere", scale: 2 } },
    ]);
    expect(scalePatch(scene, "/bodies/3", [1, 2, 1])).toEqual([
      { op: "add", path: "/bodies/3/mesh", value: { file: "pot.obj", scale: [1, 2, 1] } },
    ]);
    expect(scalePatch(scene, "/bodies/1", [2, 4, 6])).toEqual([{ op: "add", path: "/bodies/1/shape/scale", value: [2, 4, 6] }]);
  });
});

describe("an action", () => {
  it("says what goes where, and how it is turned only if that changed", () => {
    const to = { position: [1, 2, 3.00000004] as Vec3, rotation: QUARTER };
    expect(placeAction("wall/p3", to, false)).toEqual({ type: "place", body: "wall/p3", position: [1, 2, 3] });
    expect(quaternionOf(placeAction("wall/p3", to, true)["rotation"])![1]).toBeCloseTo(HALF);
  });
});
