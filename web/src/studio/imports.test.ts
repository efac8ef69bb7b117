import { describe, expect, it } from "vitest";

import { Adder } from "./add";
import type { Stage } from "../stage/contract";
import { Catalogue } from "./presets";
import { VolumeImport } from "./import_volume";
import { importKind } from "./imports";
import { Store } from "./store";
import { FakeConnection } from "./testing";

describe("files that are brought in", () => {
  it("are meshes or volumes by their names", () => {
    expect(["cup.OBJ", "cup.glb"].map(importKind)).toEqual(["mesh", "mesh"]);
    expect(importKind("Weak layers.nrrd")).toBe("volume");
    expect(["wall.json", "take.sunder", "nrrd", "cup.obj.exe"].map(importKind)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe("a volume", () => {
  async function sent(sources: readonly string[]) {
    const store = new Store(new FakeConnection({ bodies: [{ name: "a" }, { name: "b", strength_volume: { file: "old.nrrd" } }] }));
    await store.pull();
    store.path = "scenes/wall.json";
    const said: string[] = [];
    const adder = new Adder(
      store,
      () => ({}) as Stage,
      () => [],
      new Catalogue([], []),
    );
    await new VolumeImport(adder, { sources }, (text) => said.push(text)).sent({ path: "volumes/weak.nrrd", samples: [4, 5, 6] });
    return { bodies: store.document["bodies"], said: said.join() };
  }
  const weak = { file: "../volumes/weak.nrrd" }; // relative to the scene

  it("says how strong the selected bodies are inside", async () => {
    expect((await sent(["/bodies/0"])).bodies).toEqual([
      { name: "a", strength_volume: weak },
      { name: "b", strength_volume: { file: "old.nrrd" } },
    ]);
    const { bodies, said } = await sent(["/bodies/0", "/bodies/1", "/materials/stone"]);
    expect(bodies).toEqual([
      { name: "a", strength_volume: weak },
      { name: "b", strength_volume: weak },
    ]);
    expect(said).toMatch(/2 bodies/);
  });
  it("waits in the project when no body is selected", async () => {
    const { bodies, said } = await sent([""]);
    expect(bodies).toEqual([{ name: "a" }, { name: "b", strength_volume: { file: "old.nrrd" } }]);
    expect(said).toMatch(/4 × 5 × 6 samples.*kept in the project/);
  });
});
