import { KeyTable } from "../ui/keys";
import { CAMERA_KEYS, LOOK_KEYS, PAGE_KEYS, SELECTION_KEYS, TIME_KEYS, type WatchPage } from "../ui/watch_keys";

/** What each key does in a replay. */
export const REPLAY_KEYS = new KeyTable<WatchPage>([
  { title: "Playback", shortcuts: [{ keys: { Space: ({ watch }) => watch.togglePlay() }, text: "play, pause" }, ...TIME_KEYS] },
  {
    title: "Camera",
    shortcuts: [
      { keys: { drag: null }, text: "orbit; right button: move; wheel: nearer, farther" },
      { keys: { R: ({ watch }) => watch.resetCamera() }, text: "the scene's own view" },
      ...CAMERA_KEYS,
    ],
  },
  { title: "Looking into it", shortcuts: [{ keys: { click: null }, text: "a piece: its numbers" }, ...SELECTION_KEYS, ...LOOK_KEYS] },
  { title: "Page", shortcuts: [{ keys: { P: (page) => page.togglePanels() }, text: "panel" }, ...PAGE_KEYS] },
]);
