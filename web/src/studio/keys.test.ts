import { describe, expect, it } from "vitest";

import { actionOf, STUDIO_KEYS, type KeyActions } from "./keys";

function pressed(key: string, modifiers: Partial<Record<"ctrlKey" | "shiftKey" | "altKey", boolean>> = {}): string {
  const called: string[] = [];
  const actions = new Proxy({}, { get: (_, name) => (...args: unknown[]) => called.push([String(name), ...args].join(" ")) }) as KeyActions;
  actionOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...modifiers })?.(actions);
  return called.join();
}

describe("keys", () => {
  it("mean what the list says", () => {
    expect(pressed("w")).toBe("useTool move");
    expect(pressed("Z", { ctrlKey: true, shiftKey: true })).toBe("redo");
    expect(pressed("z", { ctrlKey: true })).toBe("undo");
    expect(pressed("z")).toBe("toggleSlice");
    expect(pressed("Enter", { ctrlKey: true })).toBe("runOrPause");
    expect(pressed("ArrowRight", { shiftKey: true })).toBe("step 10");
    expect(pressed("?", { shiftKey: true })).toBe("toggleHelp");
    expect(pressed("n", { altKey: true })).toBe("create");
  });
  it("leave the browser its own", () => {
    expect(pressed("r", { ctrlKey: true })).toBe("");
    expect(pressed("t", { ctrlKey: true })).toBe("");
    expect(pressed("Tab")).toBe("");
  });
  it("of the list all do something", () => {
    const names: Record<string, string> = { "←": "ArrowLeft", "→": "ArrowRight", Esc: "Escape", Space: " " };
    for (const { keys } of STUDIO_KEYS.flatMap((group) => group.shortcuts)) {
      for (const text of keys.filter((one) => one !== "drag")) {
        const parts = text.split(" ");
        const key = parts.at(-1)!;
        const modifiers = { ctrlKey: parts.includes("Ctrl"), shiftKey: parts.includes("Shift"), altKey: parts.includes("Alt") };
        expect(pressed(names[key] ?? key, modifiers), text).not.toBe("");
      }
    }
  });
});
