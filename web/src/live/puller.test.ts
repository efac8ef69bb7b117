import { describe, expect, it } from "vitest";

import { bodyOf, recordingOf, TETRAHEDRON, trackOf } from "../core/testing";
import type { Recording } from "../core/recording";
import { FrameCache } from "./frame_cache";
import { LiveRecording } from "./live_recording";
import { Puller } from "./puller";
import { FakeConnection, settled } from "./testing";

const path = Array.from({ length: 200 }, (_, i) => [i, 0, 0, 0, 0, 0, 1]);

/** One body that becomes two in frame 10; 200 frames. */
function breaking(): Recording {
  const small = { ...TETRAHEDRON, positions: TETRAHEDRON.positions.map((x) => x / 2) };
  return recordingOf(
    [
      bodyOf(0, { track: trackOf(0, path), died: 10 }),
      bodyOf(1, { parent: 0, root: 0, mesh: 1, born: 10, track: trackOf(10, path.slice(10)) }),
      bodyOf(2, { parent: 0, root: 0, mesh: 1, born: 10, track: trackOf(10, path.slice(10)) }),
    ],
    {
      frames: 200,
      meshes: [TETRAHEDRON, small],
      events: [
        {
          frame: 10,
          kind: "fracture",
          body: 0,
          pieces: 2,
          reason: "",
          point: undefined,
          impulse: undefined,
          energy: undefined,
          massError: undefined,
          momentumError: undefined,
          angularMomentumError: undefined,
          stress: undefined,
        },
      ],
      series: new Map([["energy", Float32Array.from({ length: 200 }, (_, i) => i)]]),
    },
  );
}

function pullerOf(connection: FakeConnection) {
  const cache = new FrameCache(1e6);
  const recording = new LiveRecording(cache, () => Promise.reject(new Error("no stress here")));
  const news: boolean[] = [];
  const errors: unknown[] = [];
  const puller = new Puller(connection, recording, cache, { grown: (fresh) => news.push(fresh), failed: (error) => errors.push(error) });
  return { cache, recording, puller, news, errors };
}

describe("Puller", () => {
  it("has bodies, meshes, looks and the frame to show before it says that there is a take", async () => {
    const connection = new FakeConnection(breaking());
    const { recording, cache, news } = pullerOf(connection);
    connection.tell(0);
    await settled();
    expect(news[0]).toBe(true);
    expect(recording.bodies.map((body) => body.name)).toEqual(["b0"]);
    expect(recording.meshes[0]!.triangles).toEqual(TETRAHEDRON.triangles);
    expect(recording.looks[0]!.kind).toBe("stone");
    expect(cache.has(0)).toBe(true);
  });

  it("grows: pieces, deaths, events and figures come with the frames that have them", async () => {
    const connection = new FakeConnection(breaking());
    const { recording, errors } = pullerOf(connection);
    connection.tell(0);
    await settled();
    connection.tell(12, { state: "paused" });
    await settled();
    expect(recording.bodies.length).toBe(3);
    expect(recording.bodies[0]!.died).toBe(10);
    expect(recording.bodies[2]!.mesh).toBe(recording.bodies[1]!.mesh);
    expect(recording.lastFrame).toBe(12);
    expect(recording.events.length).toBe(1);
    expect([...recording.series.get("energy")!]).toEqual(Array.from({ length: 13 }, (_, i) => i));
    expect(recording.times.length).toBe(13);
    expect(errors).toEqual([]);
  });

  it("asks for the newest only, however many notices come while it waits", async () => {
    const connection = new FakeConnection(breaking());
    const { puller, cache, recording } = pullerOf(connection);
    connection.tell(0);
    await settled();
    const open = connection.hold();
    puller.want(0, true);
    for (let frame = 20; frame <= 60; ++frame) {
      connection.tell(frame);
      await settled();
      puller.want(recording.lastFrame, true);
    }
    const before = connection.count("frames");
    open();
    await settled();
    puller.want(recording.lastFrame, true);
    await settled();
    expect(recording.lastFrame).toBe(60);
    expect(cache.has(60)).toBe(true);
    expect(connection.count("frames")).toBeLessThanOrEqual(before + 1); // nothing queued up behind the slow answer
    expect(cache.has(40)).toBe(false);
  });

  it("gets what a jump back needs at once, then what is around it, and then no more", async () => {
    const connection = new FakeConnection(breaking());
    const { puller, cache } = pullerOf(connection);
    connection.tell(199);
    await settled();
    puller.want(100, false);
    await settled();
    expect(cache.has(100)).toBe(true);
    for (let i = 0; i < 20; ++i) {
      puller.want(100, false);
      await settled();
    }
    expect(cache.firstMissing(92, 132)).toBeUndefined();
    const asked = connection.count("frames");
    puller.want(100, false);
    await settled();
    expect(connection.count("frames")).toBe(asked);
  });

  it("puts another take in the place of the first in one go, and asks for no mesh twice", async () => {
    const connection = new FakeConnection(breaking());
    const { recording, cache, puller, news } = pullerOf(connection);
    connection.tell(12);
    await settled();
    const meshes = connection.count("meshes") + connection.count("GET");
    const [mesh] = recording.meshes;
    const open = connection.hold();
    connection.tell(0, { id: 2 });
    await settled();
    expect(recording.bodies.length).toBe(3); // still the old one
    expect(puller.takeId).toBe(1);
    open();
    await settled();
    expect(puller.takeId).toBe(2);
    expect(recording.bodies.length).toBe(1);
    expect(recording.meshes[0]).toBe(mesh);
    expect(cache.count).toBe(1);
    expect(connection.count("meshes") + connection.count("GET")).toBe(meshes);
    expect(news.filter(Boolean).length).toBe(2);
  });

  it("goes on with the take that came while it asked about the one before", async () => {
    const connection = new FakeConnection(breaking());
    const { puller, errors } = pullerOf(connection);
    connection.tell(12);
    await settled();
    const open = connection.hold();
    connection.tell(0, { id: 2 });
    await settled();
    connection.tell(0, { id: 3 }); // nothing more is told
    open();
    await settled();
    expect(puller.takeId).toBe(3);
    expect(errors).toEqual([]);
  });

  it("ends when the server counts bodies that it does not tell of", async () => {
    const connection = new FakeConnection(breaking());
    const { recording } = pullerOf(connection);
    connection.tell(0, { bodies: 7 });
    await settled();
    connection.tell(1, { bodies: 9 });
    await settled();
    expect(recording.lastFrame).toBe(1);
    expect(connection.count("bodies")).toBeLessThan(6);
  });
});
