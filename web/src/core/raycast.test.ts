import { describe, expect, it } from "vitest";

import { Places } from "./places";
import { hitMesh, Raycaster, toMesh, toWorld } from "./raycast";
import type { Vec3 } from "./recording";
import { bodyOf, recordingOf, TETRAHEDRON, trackOf } from "./testing";

const HALF = Math.SQRT1_2;
const down = { origin: [0.1, 5, 0.1] as Vec3, direction: [0, -1, 0] as Vec3 };

function casterOf(...bodies: Parameters<typeof recordingOf>[0]): Raycaster {
  const recording = recordingOf(bodies);
  const places = new Places(recording);
  places.update(0, "step");
  return new Raycaster(recording, places);
}

describe("Raycaster", () => {
  it("finds the nearest triangle of a mesh", () => {
    const hit = hitMesh(TETRAHEDRON, down)!;
    expect(hit.distance).toBeCloseTo(5 - 0.8);
    expect(hit.triangle).toBe(2);
    expect(hitMesh(TETRAHEDRON, { origin: [2, 5, 2], direction: [0, -1, 0] })).toBeUndefined();
    expect(hitMesh(TETRAHEDRON, down, 4)).toBeUndefined();
  });

  it("finds the nearest body, where it is and how it is turned", () => {
    const low = bodyOf(0);
    const high = bodyOf(1, { centre: [0.25, 0.25, 0.25], track: trackOf(0, [[0.1, 2, 0.1, 0, HALF, 0, HALF]]) });
    const hit = casterOf(low, high).hit(down)!;
    expect(hit.body).toBe(1);
    expect(hit.point[1]).toBeGreaterThan(1.7);
    expect(hit.normal[1]).toBeGreaterThan(0);
    const back = toWorld([0.1, 2, 0.1, 0, HALF, 0, HALF], [0.25, 0.25, 0.25], hit.local);
    back.forEach((x, k) => expect(x).toBeCloseTo(hit.point[k]!, 6));
    toMesh([0.1, 2, 0.1, 0, HALF, 0, HALF], [0.25, 0.25, 0.25], hit.point).forEach((x, k) => expect(x).toBeCloseTo(hit.local[k]!, 6));
  });

  it("sees the floor, and what is behind a cut", () => {
    const floor = bodyOf(0, { mesh: -1, halfSpace: true, track: trackOf(0, [[0, -1, 0, 0, 0, 0, 1]]) });
    const caster = casterOf(floor, bodyOf(1));
    expect(caster.hit(down)!.body).toBe(1);
    const cut = caster.hit(down, { isCut: (point) => point[1] > 0.5 })!;
    expect(cut.body).toBe(1);
    expect(cut.point[1]).toBeCloseTo(0); // its lower side, from within
    expect(caster.hit({ origin: [4, 5, 4], direction: [0, -1, 0] })!).toMatchObject({ body: 0, triangle: -1, point: [4, -1, 4] });
    expect(caster.hit({ origin: [4, 5, 4], direction: [0, 1, 0] })).toBeUndefined();
    expect(caster.hit(down, { only: (body) => body.id === 0 })!.body).toBe(0);
  });

  it("does not see who is not there", () => {
    expect(casterOf(bodyOf(0, { born: 3, track: trackOf(3, [[0, 0, 0, 0, 0, 0, 1]]) })).hit(down)).toBeUndefined();
  });
});
