import type { Status, TakeStatus } from "../server/contract";
import { el, iconButton } from "../ui/dom";

/** Name of the scene, what can be undone, how the run is: in the bar above and in the line below. */
export class StatusView {
  readonly title = el("h1", {});
  readonly state = el("span", { class: "run-state" });
  readonly undo: HTMLButtonElement;
  readonly redo: HTMLButtonElement;

  constructor(actions: { undo(): void; redo(): void }) {
    this.undo = iconButton("undo", "Undo", "Ctrl Z", () => actions.undo());
    this.redo = iconButton("redo", "Redo", "Ctrl Y", () => actions.redo());
  }

  show(status: Status, path: string | null): void {
    const { document: scene, take } = status;
    const name = path ?? "Untitled scene";
    this.title.replaceChildren(name, scene.saved ? "" : el("span", { class: "unsaved", title: "not saved" }, " •"));
    document.title = `${scene.saved ? "" : "• "}${name} – Sunder Studio`;
    this.undo.disabled = !scene.undo;
    this.redo.disabled = !scene.redo;
    this.undo.title = scene.undo ? `Undo: ${scene.undo} (Ctrl Z)` : "Nothing to undo";
    this.redo.title = scene.redo ? `Redo: ${scene.redo} (Ctrl Y)` : "Nothing to redo";
    this.state.textContent = stateText(status);
    this.state.dataset["state"] = take.state;
  }
}

function stateText({ take }: Status): string {
  if (take.waiting) return take.waiting + workText(take);
  switch (take.state) {
    case "still":
      return "Ready to run";
    case "running":
      return `Running: frame ${take.last} of ${take.wanted}${workText(take) || `, ${take.fps.toFixed(take.fps < 3 ? 1 : 0)} frames/s`}`;
    case "paused":
      return `Paused at frame ${take.last} of ${take.wanted}`;
    case "done":
      return `Done: ${take.last} frames${take.problem ? "; see the log" : ""}`;
    case "failed":
      return take.problem ? `The run failed: ${take.problem}` : "The run failed; see the log";
  }
}

/** What a frame that takes long is at. */
export function workText({ work }: TakeStatus): string {
  return work && work.seconds >= 1 && work.stage !== "" ? `, ${work.stage}` : "";
}
