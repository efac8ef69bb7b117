import { TOOLS, type Stage } from "../stage/contract";
import type { BreakView } from "../ui/break_view";
import type { AddMenu } from "./add_menu";
import { STUDIO_KEYS, type StudioPage } from "./keys";
import type { MenuEntry, MenuItem } from "./menu";
import type { Store } from "./store";
import { TOOL_TEXTS } from "./toolbar";
import type { ViewPanel } from "./view_panel";

/** The parts of Studio that menus show the state of. */
export interface MenuPage extends StudioPage {
  readonly store: Store;
  readonly stage: Stage;
  readonly add: AddMenu;
  readonly view: ViewPanel;
  readonly breaks: BreakView;
  readonly hasPanels: boolean;
  copyFacts(): void;
}

/** The main menu. What has a key does what the key does. */
export function menusOf(page: MenuPage): { name: string; entries: () => readonly MenuEntry[] }[] {
  return [
    { name: "File", entries: () => fileMenu(page) },
    { name: "Edit", entries: () => editMenu(page) },
    { name: "Add", entries: () => page.add.entries() },
    { name: "Run", entries: () => runMenu(page) },
    { name: "View", entries: () => viewMenu(page) },
    { name: "Help", entries: () => [keyed(page, "Keys and mouse", "?", { icon: "help" })] },
  ];
}

function keyed(page: MenuPage, label: string, key: string, more: Omit<MenuItem, "label" | "key" | "action"> = {}): MenuItem {
  const action = STUDIO_KEYS.named(key);
  return { label, key, ...more, action: () => action(page) };
}

function fileMenu(page: MenuPage): MenuEntry[] {
  return [
    keyed(page, "New scene", "Alt N"),
    keyed(page, "Open…", "Ctrl O", { icon: "open" }),
    { label: "Open recent…", action: () => void page.files.recentDialog() },
    {
      label: "Recover unsaved work…",
      enabled: () => (page.store.status?.document.recoveries ?? 0) > 0,
      action: () => void page.files.recoverDialog(),
    },
    "line",
    keyed(page, "Save", "Ctrl S", { icon: "save" }),
    keyed(page, "Save as…", "Ctrl Shift S"),
    "line",
    keyed(page, "Export…", "Ctrl E", { icon: "export" }),
    keyed(page, "Save a picture", "I", { icon: "camera" }),
  ];
}

function editMenu(page: MenuPage): MenuEntry[] {
  const undo = page.store.status?.document.undo;
  const redo = page.store.status?.document.redo;
  const enabled = (): boolean => page.selection.hasParts;
  return [
    keyed(page, undo ? `Undo: ${undo}` : "Undo", "Ctrl Z", { icon: "undo", enabled: () => Boolean(undo) }),
    keyed(page, redo ? `Redo: ${redo}` : "Redo", "Ctrl Y", { icon: "redo", enabled: () => Boolean(redo) }),
    "line",
    keyed(page, "Duplicate", "Ctrl D", { enabled }),
    keyed(page, "Rename", "F2", { enabled }),
    keyed(page, "Delete", "Delete", { icon: "remove", enabled }),
    "line",
    keyed(page, "Select all bodies", "Ctrl A"),
    keyed(page, "Select nothing", "Esc"),
    { label: "Copy the selection as text", enabled: () => page.selection.inTake.length > 0, action: () => page.copyFacts() },
    "line",
    keyed(page, "Find a property", "/", { icon: "search" }),
  ];
}

function runMenu(page: MenuPage): MenuEntry[] {
  const running = page.run.isRunning;
  const pace = page.store.status?.take.pace;
  return [
    keyed(page, running ? "Pause" : "Run", "Ctrl Enter", { icon: running ? "pause" : "play" }),
    keyed(page, "Run one frame", "Shift Enter", { icon: "stepOn" }),
    { label: "Run on from this frame", action: () => page.run.fromHere() },
    keyed(page, "Restart", "Ctrl Shift Enter", { icon: "restart" }),
    "line",
    { label: "As fast as it can", checked: () => pace !== "real", action: () => page.run.setPace("fast") },
    { label: "In real time", checked: () => pace === "real", action: () => page.run.setPace("real") },
    "line",
    keyed(page, "Go to frame…", "Ctrl G"),
    keyed(page, "Event before", "["),
    keyed(page, "Event after", "]"),
    "line",
    ...TOOLS.map((tool): MenuEntry => {
      const { label, key, icon, hint } = TOOL_TEXTS[tool];
      return keyed(page, label, key, { icon, hint });
    }),
  ];
}

function viewMenu(page: MenuPage): MenuEntry[] {
  return [
    keyed(page, "Bring the selection into view", "F", { icon: "focus" }),
    keyed(page, "The scene’s own view", "H", { icon: "home" }),
    { label: "Keep this view in the scene", action: () => page.view.keepView() },
    keyed(page, "Fly", "V", { icon: "fly", checked: () => page.stage.cameraMode === "fly" }),
    "line",
    keyed(page, "Next way to colour", "C"),
    keyed(page, "Exploded view", "X"),
    keyed(page, "Slice plane", "Z"),
    keyed(page, "Stress at the break", "S", { checked: () => page.breaks.isShown }),
    keyed(page, "Smooth motion between frames", "M", { checked: () => page.stage.between === "smooth" }),
    "line",
    keyed(page, "Panels", "\\", { checked: () => page.hasPanels }),
    keyed(page, "Message log", "Ctrl L", { checked: () => !page.log.element.hidden }),
    keyed(page, "Light colours", "T", { checked: () => page.theme.theme === "light" }),
  ];
}
