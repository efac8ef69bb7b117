import type { DisplayPanel } from "./display";
import type { HelpOverlay } from "./help";
import type { Shortcut } from "./keys";
import type { ThemeChoice } from "./theme";
import type { Watching } from "./watching";

/** Keys that replays and Studio have in common. */

export interface WatchPage {
  readonly watch: Watching;
  readonly display: DisplayPanel;
  readonly theme: ThemeChoice;
  readonly help: HelpOverlay;
  togglePanels(): void;
}

type WatchShortcuts = readonly Shortcut<WatchPage>[];

export const TIME_KEYS: WatchShortcuts = [
  {
    keys: { "←": ({ watch }) => watch.step(-1), "→": ({ watch }) => watch.step(1) },
    text: "one frame back, on; Shift: ten",
    also: { "Shift ←": ({ watch }) => watch.step(-10), "Shift →": ({ watch }) => watch.step(10) },
  },
  { keys: { Home: ({ watch }) => watch.toStart(), End: ({ watch }) => watch.toEnd() }, text: "first, last frame" },
  { keys: { "[": ({ watch }) => watch.jumpToEvent(-1), "]": ({ watch }) => watch.jumpToEvent(1) }, text: "event before, after" },
  { keys: { ",": ({ watch }) => watch.changeSpeed(-1), ".": ({ watch }) => watch.changeSpeed(1) }, text: "slower, faster" },
  { keys: { L: ({ watch }) => watch.toggleLoop(), M: ({ watch }) => watch.toggleSmooth() }, text: "loop; smooth motion or frame by frame" },
];

export const CAMERA_KEYS: WatchShortcuts = [
  { keys: { F: ({ watch }) => watch.frameSelection() }, text: "bring the selection, or all, into view" },
  { keys: { V: ({ watch }) => watch.toggleCamera() }, text: "orbit or fly" },
  { keys: { "W A S D": null, "Q E": null }, text: "fly; Shift: faster; wheel: speed" },
];

export const SELECTION_KEYS: WatchShortcuts = [
  { keys: { J: ({ watch }) => watch.stepSelection(-1), K: ({ watch }) => watch.stepSelection(1) }, text: "piece before, after" },
  { keys: { Esc: ({ watch }) => watch.clearSelection() }, text: "select nothing" },
];

export const LOOK_KEYS: WatchShortcuts = [
  {
    keys: {
      C: ({ display }) => display.nextColours(),
      X: ({ display }) => display.toggleExplosion(),
      Z: ({ display }) => display.toggleSlice(),
    },
    text: "colours, exploded view, slice",
  },
  { keys: { S: ({ watch }) => watch.toggleStress() }, text: "stress at the break: why did it break?" },
];

export const PAGE_KEYS: WatchShortcuts = [
  { keys: { I: ({ watch }) => watch.savePicture() }, text: "save a picture (PNG)" },
  { keys: { T: ({ theme }) => theme.toggle() }, text: "dark, light" },
  { keys: { "?": ({ help }) => help.toggle() }, text: "this list" },
];
