import { describe, expect, it } from "vitest";

import { CommandError, type Json } from "./contract";
import { valueAt } from "./pointer";
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

  it("sends only the newest of a drag, the first and the last always", async () => {
    const { store, connection } = start();
    await store.pull();
    for (let frames = 11; frames <= 40; ++frames) store.drag("Frames", "/world/frames", frames, "scrub");
    await new Promise((resolve) => setTimeout(resolve, 0));
    await store.settled();
    const sent = connection.asked.filter((one) => one.command === "edit");
    expect(sent.length).toBeLessThan(5);
    expect(sent.every((one) => one.args["merge"] === "scrub")).toBe(true);
    expect(valueAt(store.document, "/world/frames")).toBe(40);
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
