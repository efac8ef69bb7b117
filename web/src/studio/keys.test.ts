import { describe, expect, it } from "vitest";

import { KeyTable } from "../ui/keys";
import { REPLAY_KEYS } from "../replay/keys";
import { STUDIO_KEYS } from "./keys";
import { menusOf, type MenuPage } from "./menus";

type Modifiers = Partial<Record<"ctrlKey" | "shiftKey" | "altKey", boolean>>;

/** A page that notes what was asked of its parts: "watch.step 10". */
function notingPage(called: string[], path = ""): never {
  const note = (...args: unknown[]): void => void called.push([path, ...args].join(" "));
  return new Proxy(note, { get: (_, name) => notingPage(called, path === "" ? String(name) : `${path}.${String(name)}`) }) as never;
}

function pressedIn<Page>(table: KeyTable<Page>, key: string, modifiers: Modifiers): string {
  const called: string[] = [];
  table.pressed({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...modifiers })?.(notingPage(called));
  return called.join();
}
const pressed = (key: string, modifiers: Modifiers = {}): string => pressedIn(STUDIO_KEYS, key, modifiers);
const inReplay = (key: string, modifiers: Modifiers = {}): string => pressedIn(REPLAY_KEYS, key, modifiers);

describe("keys", () => {
  it("mean what the list says", () => {
    expect(pressed("w")).toBe("tools.use move");
    expect(pressed("Z", { ctrlKey: true, shiftKey: true })).toBe("edits.redo");
    expect(pressed("z", { ctrlKey: true })).toBe("edits.undo");
    expect(pressed("z")).toBe("display.toggleSlice");
    expect(pressed("Enter", { ctrlKey: true })).toBe("run.runOrPause");
    expect(pressed("Enter", { shiftKey: true })).toBe("run.step");
    expect(pressed("A", { shiftKey: true })).toBe("openAddMenu");
    expect(pressed("n", { altKey: true })).toBe("files.create");
  });
  it("are the same in replays and in Studio where both have them", () => {
    for (const key of ["ArrowRight", "Home", "]", ".", "l", "m", "f", "v", "k", "Escape", "c", "x", "z", "s", "i", "t", "?"]) {
      expect(inReplay(key), key).not.toBe("");
      expect(inReplay(key), key).toBe(pressed(key));
    }
    expect(inReplay("ArrowRight", { shiftKey: true })).toBe("watch.step 10");
    expect([inReplay(" "), pressed(" ")]).toEqual(["watch.togglePlay", "run.playOrRun"]);
    expect([inReplay("r"), pressed("h")]).toEqual(["watch.resetCamera", "watch.resetCamera"]);
    expect([inReplay("p"), pressed("\\")]).toEqual(["togglePanels", "togglePanels"]);
  });
  it("that are signs mean the same with Shift, where a keyboard needs it", () => {
    expect(pressed("?", { shiftKey: true })).toBe("help.toggle");
    expect(pressed("/", { shiftKey: true })).toBe("findProperty");
    expect(pressed("L", { shiftKey: true })).toBe("");
  });
  it("leave the browser its own", () => {
    expect(pressed("r", { ctrlKey: true })).toBe("");
    expect(pressed("t", { ctrlKey: true })).toBe("");
    expect(pressed("Tab")).toBe("");
  });
  it("mean one thing", () => {
    const twice = { keys: { A: () => undefined }, text: "" };
    expect(() => new KeyTable([{ title: "", shortcuts: [twice, twice] }])).toThrow("two meanings");
  });
  it("of menus are in the list", () => {
    const page = notingPage([]) as MenuPage;
    for (const { name, entries } of menusOf(page)) if (name !== "Add") expect(entries().length, name).toBeGreaterThan(0);
  });
});
