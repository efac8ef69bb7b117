import { describe, expect, it } from "vitest";

import { CommandError, type Json, type PatchFor } from "../server/contract";
import { setPatch, valueAt } from "../server/pointer";
import { Store } from "./store";
import { FakeConnection } from "./testing";

function start(document: Json = { version: 1, world: { frames: 10 } }) {
  const connection = new FakeConnection(document);
  connection.check = (next) => {
    const frames = valueAt(next, "/world/frames");
    return typeof frames === "number" && frames < 1
      ? [{ pointer: "/world/frames", message: "must be at least 1", severity: "error" as const }]
      : [];
  };
  return { connection, store: new Store(connection) };
}

const frames =
  (value: number): PatchFor =>
  (document) =>
    setPatch(document, "/world/frames", value);

/** One after the other as answers come: in the middle of a drag, before the rest of it is sent. */
function atAnswers(store: Store, ...acts: (() => void)[]): void {
  store.on(() => acts.shift()?.());
}

describe("the store", () => {
  it("shows what the server has", async () => {
    const { store, connection } = start();
    await store.pull();
    await store.edit("Frames", [{ op: "replace", path: "/world/frames", value: 20 }]);
    expect(valueAt(store.document, "/world/frames")).toBe(20);
    await store.undo();
    expect(valueAt(store.document, "/world/frames")).toBe(10);
    await store.redo();
    expect(store.document).toEqual(connection.document);
  });

  it("keeps what was refused at its pointer until the next edit", async () => {
    const { store } = start();
    await store.pull();
    const events: string[] = [];
    store.on((event) => events.push(event));
    await expect(store.edit("Frames", [{ op: "replace", path: "/world/frames", value: 0 }])).rejects.toThrow(CommandError);
    expect(events).toEqual(["refused"]);
    expect(store.issuesAt("/world")).toHaveLength(1);
    expect(store.issuesAt("/bodies")).toHaveLength(0);
    expect(valueAt(store.document, "/world/frames")).toBe(10);
    await store.edit("Frames", [{ op: "replace", path: "/world/frames", value: 5 }]);
    expect(store.issuesAt("/world")).toHaveLength(0);
  });

  it("pulls when someone else changed the document", async () => {
    const { store, connection } = start();
    await store.pull();
    connection.changeBehind({ version: 1, title: "thrown" });
    await store.pull();
    expect(store.document).toEqual({ version: 1, title: "thrown" });
  });

  it("does edits one after the other", async () => {
    const { store, connection } = start({ version: 1, bodies: [] });
    await store.pull();
    await Promise.all(["a", "b", "c"].map((name) => store.edit("Add", [{ op: "add", path: "/bodies/-", value: { name } }])));
    expect([...store.names()]).toEqual(["a", "b", "c"]);
    expect(connection.version).toBe(4);
  });
});

describe("a drag", () => {
  it("sends only the newest, the last always", async () => {
    const { store, connection } = start();
    await store.pull();
    for (let value = 11; value <= 40; ++value) void store.drag("Frames", frames(value), "scrub");
    await store.settled();
    const sent = connection.asked.filter((one) => one.command === "edit");
    expect(sent.length).toBeLessThan(5);
    expect(sent.every((one) => one.args["merge"] === "scrub")).toBe(true);
    expect(valueAt(store.document, "/world/frames")).toBe(40);
  });

  it("is taken back as a whole by an undo that was asked for in the middle of it", async () => {
    const { store, connection } = start();
    await store.pull();
    void store.drag("Frames", frames(20), "scrub");
    let undone: Promise<unknown> | undefined;
    atAnswers(store, () => {
      undone = store.undo();
      void store.drag("Frames", frames(30), "scrub");
    });
    await store.settled();
    await undone;
    expect(connection.asked.map((one) => one.command)).toEqual(["scene", "edit", "edit", "undo"]);
    expect(valueAt(store.document, "/world/frames")).toBe(10);
    await store.redo();
    expect(valueAt(store.document, "/world/frames")).toBe(30);
  });

  it("is waited for to its end", async () => {
    const { store } = start();
    await store.pull();
    const seen: unknown[] = [];
    const see = (): void => void seen.push(valueAt(store.document, "/world/frames"));
    const ends = [store.drag("Frames", frames(20), "scrub").then(see)];
    atAnswers(store, () => ends.push(store.drag("Frames", frames(30), "scrub").then(see)));
    await store.settled();
    see();
    await Promise.all(ends);
    expect(seen).toEqual([30, 30, 30]);
  });

  it("goes on after a value that is refused, which is told once", async () => {
    const { store } = start();
    await store.pull();
    const refused: unknown[] = [];
    const drag = (value: number): void => void store.drag("Frames", frames(value), "scrub", (error) => refused.push(error));
    drag(20);
    let shown = 0;
    atAnswers(
      store,
      () => drag(0),
      () => {
        shown = store.issuesAt("/world/frames").length;
        drag(30);
      },
    );
    await store.settled();
    expect(refused).toEqual([expect.any(CommandError)]);
    expect(shown).toBe(1);
    expect(store.issuesAt("/world/frames")).toHaveLength(0);
    expect(valueAt(store.document, "/world/frames")).toBe(30);
    await store.undo();
    expect(valueAt(store.document, "/world/frames")).toBe(10);
  });

  it("is made for the document that is there when its turn comes", async () => {
    const { store } = start({ version: 1 });
    await store.pull();
    void store.edit("World", [{ op: "add", path: "/world", value: { gravity: 0 } }]);
    await store.drag("Frames", frames(20), "scrub");
    expect(store.document["world"]).toEqual({ gravity: 0, frames: 20 });
  });

  it("does not lose its last value to another one", async () => {
    const { store } = start({ version: 1, world: {} });
    await store.pull();
    const gravity: PatchFor = (document) => setPatch(document, "/world/gravity", 5);
    await Promise.all([store.drag("Frames", frames(20), "one"), store.drag("Gravity", gravity, "other")]);
    expect(store.document["world"]).toEqual({ frames: 20, gravity: 5 });
  });
});
