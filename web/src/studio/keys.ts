import type { ShortcutGroup } from "../ui/help";
import type { Tool } from "./contract";

/** What each key does; help and menus say the same. */
export interface KeyActions {
  useTool(tool: Tool): void;
  runOrPause(): void;
  stepRun(): void;
  restart(): void;
  playOrRun(): void;
  step(frames: number): void;
  toStart(): void;
  toEnd(): void;
  jumpToEvent(direction: -1 | 1): void;
  changeSpeed(direction: -1 | 1): void;
  toggleLoop(): void;
  toggleSmooth(): void;
  toggleSnap(): void;
  toggleEditing(): void;
  goToFrame(): void;
  undo(): void;
  redo(): void;
  duplicate(): void;
  remove(): void;
  rename(): void;
  selectAll(): void;
  clearSelection(): void;
  stepSelection(direction: -1 | 1): void;
  save(): void;
  saveAs(): void;
  open(): void;
  create(): void;
  exportTake(): void;
  addShape(): void;
  toggleLog(): void;
  findProperty(): void;
  frameSelection(): void;
  resetCamera(): void;
  toggleCamera(): void;
  nextColours(): void;
  toggleExplosion(): void;
  toggleSlice(): void;
  toggleStress(): void;
  toggleTheme(): void;
  togglePanels(): void;
  savePicture(): void;
  toggleHelp(): void;
}

export const STUDIO_KEYS: readonly ShortcutGroup[] = [
  {
    title: "Run and watch",
    shortcuts: [
      { keys: ["Ctrl Enter"], text: "run, pause the run" },
      { keys: ["Shift Enter"], text: "run one frame" },
      { keys: ["Ctrl Shift Enter"], text: "restart" },
      { keys: ["Space"], text: "play, pause; runs when nothing was run yet" },
      { keys: ["←", "→"], text: "one frame back, on; Shift: ten" },
      { keys: ["Home", "End"], text: "first, newest frame" },
      { keys: ["[", "]"], text: "event before, after" },
      { keys: ["Ctrl G"], text: "go to a frame" },
      { keys: [",", "."], text: "slower, faster" },
      { keys: ["L", "M"], text: "loop; smooth or frame by frame" },
    ],
  },
  {
    title: "Tools",
    shortcuts: [
      { keys: ["Q", "W", "E", "R"], text: "select, move, rotate, scale" },
      { keys: ["B"], text: "throw a ball: click the target" },
      { keys: ["D"], text: "drag a body while it runs" },
      { keys: ["P"], text: "paint strength" },
      { keys: ["G"], text: "snap to steps" },
      { keys: ["N"], text: "edit the start, or this frame" },
    ],
  },
  {
    title: "Edit",
    shortcuts: [
      { keys: ["Ctrl Z", "Ctrl Y"], text: "undo, redo" },
      { keys: ["Shift A"], text: "add a shape" },
      { keys: ["Ctrl D"], text: "duplicate" },
      { keys: ["Delete"], text: "delete" },
      { keys: ["F2"], text: "rename" },
      { keys: ["Ctrl A", "Esc"], text: "select all, nothing" },
      { keys: ["J", "K"], text: "piece before, after" },
      { keys: ["/"], text: "find a property" },
    ],
  },
  {
    title: "View",
    shortcuts: [
      { keys: ["drag"], text: "turn; right button: move; wheel: nearer; Alt: also over handles" },
      { keys: ["F", "H"], text: "bring into view; the scene’s own view" },
      { keys: ["V"], text: "orbit or fly (W A S D Q E)" },
      { keys: ["C", "X", "Z"], text: "colours, exploded view, slice" },
      { keys: ["S"], text: "stress at the break: why did it break?" },
      { keys: ["T", "\\"], text: "dark or light; hide the panels" },
      { keys: ["I"], text: "save a picture" },
    ],
  },
  {
    title: "Files",
    shortcuts: [
      { keys: ["Ctrl S", "Ctrl Shift S"], text: "save, save as" },
      { keys: ["Ctrl O", "Alt N"], text: "open, new" },
      { keys: ["Ctrl E"], text: "export" },
      { keys: ["Ctrl L"], text: "message log" },
      { keys: ["?"], text: "this list" },
    ],
  },
];

type Action = (actions: KeyActions) => void;

const WITH_CONTROL: Readonly<Record<string, Action>> = {
  z: (a) => a.undo(),
  "shift+z": (a) => a.redo(),
  y: (a) => a.redo(),
  d: (a) => a.duplicate(),
  a: (a) => a.selectAll(),
  s: (a) => a.save(),
  "shift+s": (a) => a.saveAs(),
  o: (a) => a.open(),
  e: (a) => a.exportTake(),
  l: (a) => a.toggleLog(),
  g: (a) => a.goToFrame(),
  f: (a) => a.findProperty(),
  enter: (a) => a.runOrPause(),
  "shift+enter": (a) => a.restart(),
};

const ALONE: Readonly<Record<string, Action>> = {
  q: (a) => a.useTool("select"),
  w: (a) => a.useTool("move"),
  e: (a) => a.useTool("rotate"),
  r: (a) => a.useTool("scale"),
  b: (a) => a.useTool("throw"),
  d: (a) => a.useTool("drag"),
  p: (a) => a.useTool("paint"),
  g: (a) => a.toggleSnap(),
  n: (a) => a.toggleEditing(),
  " ": (a) => a.playOrRun(),
  "shift+enter": (a) => a.stepRun(),
  arrowleft: (a) => a.step(-1),
  arrowright: (a) => a.step(1),
  "shift+arrowleft": (a) => a.step(-10),
  "shift+arrowright": (a) => a.step(10),
  home: (a) => a.toStart(),
  end: (a) => a.toEnd(),
  "[": (a) => a.jumpToEvent(-1),
  "]": (a) => a.jumpToEvent(1),
  ",": (a) => a.changeSpeed(-1),
  ".": (a) => a.changeSpeed(1),
  l: (a) => a.toggleLoop(),
  m: (a) => a.toggleSmooth(),
  delete: (a) => a.remove(),
  f2: (a) => a.rename(),
  escape: (a) => a.clearSelection(),
  j: (a) => a.stepSelection(-1),
  k: (a) => a.stepSelection(1),
  "/": (a) => a.findProperty(),
  f: (a) => a.frameSelection(),
  h: (a) => a.resetCamera(),
  v: (a) => a.toggleCamera(),
  c: (a) => a.nextColours(),
  x: (a) => a.toggleExplosion(),
  z: (a) => a.toggleSlice(),
  s: (a) => a.toggleStress(),
  t: (a) => a.toggleTheme(),
  "\\": (a) => a.togglePanels(),
  i: (a) => a.savePicture(),
  "shift+a": (a) => a.addShape(),
  "?": (a) => a.toggleHelp(),
  "shift+?": (a) => a.toggleHelp(),
};

/** What a key press means; undefined: nothing. */
export function actionOf(event: { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; altKey: boolean }): Action | undefined {
  const key = `${event.shiftKey ? "shift+" : ""}${event.key.toLowerCase()}`;
  if (event.altKey) return key === "n" ? (a) => a.create() : undefined;
  return (event.ctrlKey || event.metaKey ? WITH_CONTROL : ALONE)[key];
}

/** Keys that a focused control needs for itself. */
function belongsToControl(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog, [role=menu]")) return true;
  const typing = target instanceof HTMLInputElement && !["checkbox", "radio", "range", "color", "button"].includes(target.type);
  const control = event.ctrlKey || event.metaKey;
  if (typing || target instanceof HTMLTextAreaElement) {
    return !control || ["a", "z", "y"].includes(event.key.toLowerCase()); // text has its own undo while it is typed
  }
  if (control) return false;
  if (target instanceof HTMLInputElement && target.type === "range") return event.key.startsWith("Arrow") || ["Home", "End", "PageUp", "PageDown"].includes(event.key);
  if (target instanceof HTMLSelectElement) return event.key !== "?" && event.key !== "Escape";
  if (target instanceof HTMLInputElement) return event.key === " " || event.key.startsWith("Arrow");
  return (target instanceof HTMLButtonElement || target.tagName === "SUMMARY") && (event.key === " " || (event.key === "Enter" && !event.shiftKey));
}

export function listenForKeys(actions: KeyActions, stageKey: (code: string, down: boolean) => boolean): void {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || belongsToControl(event)) return;
    if (!event.ctrlKey && !event.metaKey && !event.altKey && stageKey(event.code, true)) {
      event.preventDefault();
      return;
    }
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    action(actions);
  });
  window.addEventListener("keyup", (event) => stageKey(event.code, false));
}
