import type { ShortcutGroup } from "../ui/help";

/** What each key does; the help overlay lists the same. */
export interface ShortcutActions {
  togglePlay(): void;
  step(frames: number): void;
  toStart(): void;
  toEnd(): void;
  jumpToEvent(direction: -1 | 1): void;
  changeSpeed(direction: -1 | 1): void;
  toggleLoop(): void;
  toggleSmooth(): void;
  toggleCamera(): void;
  resetCamera(): void;
  frameSelection(): void;
  stepSelection(direction: -1 | 1): void;
  clearSelection(): void;
  nextColours(): void;
  toggleExplosion(): void;
  toggleSlice(): void;
  toggleStress(): void;
  toggleTheme(): void;
  togglePanel(): void;
  savePicture(): void;
  toggleHelp(): void;
}

export const SHORTCUTS: readonly ShortcutGroup[] = [
  {
    title: "Playback",
    shortcuts: [
      { keys: ["Space"], text: "play, pause" },
      { keys: ["←", "→"], text: "one frame back, on" },
      { keys: ["Shift ←", "→"], text: "ten frames" },
      { keys: ["Home", "End"], text: "first, last frame" },
      { keys: ["[", "]"], text: "event before, after" },
      { keys: [",", "."], text: "slower, faster" },
      { keys: ["L"], text: "loop" },
      { keys: ["M"], text: "smooth motion between frames, or frame by frame" },
    ],
  },
  {
    title: "Camera",
    shortcuts: [
      { keys: ["drag"], text: "orbit; right button: move; wheel: nearer, farther" },
      { keys: ["V"], text: "orbit or fly" },
      { keys: ["W A S D", "Q E"], text: "fly; Shift: faster; wheel: speed" },
      { keys: ["R"], text: "the scene's own view" },
      { keys: ["F"], text: "bring the selection, or all, into view" },
    ],
  },
  {
    title: "Looking into it",
    shortcuts: [
      { keys: ["click"], text: "a piece: its numbers" },
      { keys: ["J", "K"], text: "piece before, after" },
      { keys: ["Esc"], text: "clear the selection" },
      { keys: ["C"], text: "next way to colour" },
      { keys: ["X"], text: "exploded view" },
      { keys: ["Z"], text: "slice plane" },
      { keys: ["S"], text: "stress at the break" },
    ],
  },
  {
    title: "Page",
    shortcuts: [
      { keys: ["I"], text: "save a picture (PNG)" },
      { keys: ["P"], text: "panel" },
      { keys: ["T"], text: "dark, light" },
      { keys: ["?"], text: "this list" },
    ],
  },
];

function actionOf(event: KeyboardEvent, actions: ShortcutActions): (() => void) | undefined {
  const far = event.shiftKey ? 10 : 1;
  switch (event.key.length === 1 ? event.key.toLowerCase() : event.key) {
    case " ":
      return () => actions.togglePlay();
    case "ArrowLeft":
      return () => actions.step(-far);
    case "ArrowRight":
      return () => actions.step(far);
    case "Home":
      return () => actions.toStart();
    case "End":
      return () => actions.toEnd();
    case "[":
      return () => actions.jumpToEvent(-1);
    case "]":
      return () => actions.jumpToEvent(1);
    case ",":
      return () => actions.changeSpeed(-1);
    case ".":
      return () => actions.changeSpeed(1);
    case "l":
      return () => actions.toggleLoop();
    case "m":
      return () => actions.toggleSmooth();
    case "v":
      return () => actions.toggleCamera();
    case "r":
      return () => actions.resetCamera();
    case "f":
      return () => actions.frameSelection();
    case "j":
      return () => actions.stepSelection(-1);
    case "k":
      return () => actions.stepSelection(1);
    case "Escape":
      return () => actions.clearSelection();
    case "c":
      return () => actions.nextColours();
    case "x":
      return () => actions.toggleExplosion();
    case "z":
      return () => actions.toggleSlice();
    case "s":
      return () => actions.toggleStress();
    case "t":
      return () => actions.toggleTheme();
    case "p":
      return () => actions.togglePanel();
    case "i":
      return () => actions.savePicture();
    case "?":
      return () => actions.toggleHelp();
    default:
      return undefined;
  }
}

/** Keys that a focused control needs for itself. */
function belongsToControl(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog")) return event.key !== "?";
  if (target instanceof HTMLInputElement && target.type === "range") {
    return event.key.startsWith("Arrow") ? !event.shiftKey : ["Home", "End", "PageUp", "PageDown"].includes(event.key);
  }
  if (target instanceof HTMLSelectElement) return event.key !== "?" && event.key !== "Escape";
  if (target instanceof HTMLInputElement) return event.key === " " || event.key.startsWith("Arrow");
  return (target instanceof HTMLButtonElement || target.tagName === "SUMMARY") && (event.key === " " || event.key === "Enter");
}

export function listenForShortcuts(actions: ShortcutActions, flyKey: (code: string, down: boolean) => boolean): void {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || belongsToControl(event)) return;
    if (flyKey(event.code, true)) {
      event.preventDefault();
      return;
    }
    const action = actionOf(event, actions);
    if (!action) return;
    event.preventDefault();
    action();
  });
  window.addEventListener("keyup", (event) => flyKey(event.code, false));
}
