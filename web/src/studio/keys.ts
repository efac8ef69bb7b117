import type { Tool } from "../stage/contract";
import { KeyTable, type KeyAction } from "../ui/keys";
import { CAMERA_KEYS, LOOK_KEYS, PAGE_KEYS, SELECTION_KEYS, TIME_KEYS, type WatchPage } from "../ui/watch_keys";
import type { Edits } from "./edits";
import type { Files } from "./files";
import type { LogDrawer } from "./log";
import type { RunControl } from "./run_control";
import type { Selection } from "./selection";
import { TOOL_TEXTS, type ToolBar } from "./toolbar";
import type { StudioTransport } from "./transport";

/** The parts of Studio that keys act on. */
export interface StudioPage extends WatchPage {
  readonly run: RunControl;
  readonly tools: ToolBar;
  readonly edits: Edits;
  readonly selection: Selection;
  readonly files: Files;
  readonly transport: StudioTransport;
  readonly log: LogDrawer;
  openAddMenu(): void;
  exportTake(): void;
  rename(): void;
  findProperty(): void;
}

function toolKeys(...tools: readonly Tool[]): Record<string, KeyAction<StudioPage>> {
  return Object.fromEntries(tools.map((tool) => [TOOL_TEXTS[tool].key, (page: StudioPage) => page.tools.use(tool)]));
}

/** What each key does in Studio; menus name the same keys. */
export const STUDIO_KEYS = new KeyTable<StudioPage>([
  {
    title: "Run and watch",
    shortcuts: [
      { keys: { "Ctrl Enter": ({ run }) => run.runOrPause() }, text: "run, pause the run" },
      { keys: { "Shift Enter": ({ run }) => run.step() }, text: "run one frame" },
      { keys: { "Ctrl Shift Enter": ({ run }) => run.restart() }, text: "restart" },
      { keys: { Space: ({ run }) => run.playOrRun() }, text: "play, pause; runs when nothing was run yet" },
      ...TIME_KEYS,
      { keys: { "Ctrl G": ({ transport }) => transport.focusFrame() }, text: "go to a frame" },
    ],
  },
  {
    title: "Tools",
    shortcuts: [
      { keys: toolKeys("select", "move", "rotate", "scale"), text: "select, move, rotate, scale" },
      { keys: toolKeys("throw"), text: "throw a ball: click the target" },
      { keys: toolKeys("drag"), text: "drag a body while it runs" },
      { keys: toolKeys("paint"), text: "paint strength" },
      { keys: { G: ({ tools }) => tools.toggleSnap() }, text: "snap to steps" },
      { keys: { N: ({ tools }) => tools.toggleEditing() }, text: "edit the start, or this frame" },
    ],
  },
  {
    title: "Edit",
    shortcuts: [
      {
        keys: { "Ctrl Z": ({ edits }) => edits.undo(), "Ctrl Y": ({ edits }) => edits.redo() },
        text: "undo, redo",
        also: { "Ctrl Shift Z": ({ edits }) => edits.redo() },
      },
      { keys: { "Shift A": (page) => page.openAddMenu() }, text: "add a shape" },
      { keys: { "Ctrl D": ({ edits }) => edits.duplicate() }, text: "duplicate" },
      { keys: { Delete: ({ edits }) => edits.remove() }, text: "delete" },
      { keys: { F2: (page) => page.rename() }, text: "rename" },
      { keys: { "Ctrl A": ({ selection }) => selection.setAll() }, text: "select all" },
      ...SELECTION_KEYS,
      { keys: { "/": (page) => page.findProperty() }, text: "find a property", also: { "Ctrl F": (page) => page.findProperty() } },
    ],
  },
  {
    title: "View",
    shortcuts: [
      { keys: { drag: null }, text: "turn; right button: move; wheel: nearer; Alt: also over handles" },
      { keys: { H: ({ watch }) => watch.resetCamera() }, text: "the scene’s own view" },
      ...CAMERA_KEYS,
      ...LOOK_KEYS,
    ],
  },
  {
    title: "Files and page",
    shortcuts: [
      { keys: { "Ctrl S": ({ files }) => void files.save(), "Ctrl Shift S": ({ files }) => void files.saveAs() }, text: "save, save as" },
      { keys: { "Ctrl O": ({ files }) => void files.openDialog(), "Alt N": ({ files }) => void files.create() }, text: "open, new" },
      { keys: { "Ctrl E": (page) => page.exportTake() }, text: "export" },
      { keys: { "Ctrl L": ({ log }) => log.toggle() }, text: "message log" },
      { keys: { "\\": (page) => page.togglePanels() }, text: "hide the panels" },
      ...PAGE_KEYS,
    ],
  },
]);
