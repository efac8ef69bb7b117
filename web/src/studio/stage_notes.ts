import type { JsonObject, TakeStatus } from "../server/contract";
import { isList } from "../server/pointer";
import { el } from "../ui/dom";

/** Over the stage: that the frames are of an earlier scene, or that there is nothing yet and what to do about it. */
export class StageNotes {
  readonly stale: HTMLElement;
  readonly empty: HTMLElement;

  constructor(private readonly actions: { restart(): void; addShape(name: string): void; open(): void }) {
    const start = el("button", { type: "button", class: "link", title: "Drops these frames" }, "Show the new start");
    start.addEventListener("click", () => actions.restart());
    this.stale = el("div", { class: "overlay stale-note", hidden: true }, "Made from an earlier scene.", start);
    const buttons = [
      this.adding("table", "Add a table"),
      this.adding("vase", "Add a vase"),
      this.adding("wall", "Add a wall"),
      button("Open a scene…", () => actions.open()),
    ];
    this.empty = el(
      "div",
      { class: "empty-state", hidden: true },
      el("p", { class: "empty-title" }, "Nothing to break yet"),
      el("p", { class: "hint" }, "Add a shape, drop a mesh file here, or open a scene."),
      el("div", { class: "empty-buttons" }, ...buttons),
    );
  }

  show(take: TakeStatus, scene: JsonObject): void {
    this.stale.hidden = !take.stale;
    this.empty.hidden = ["bodies", "instances"].some((key) => isList(scene[key]) && scene[key].length > 0);
  }

  private adding(shape: string, label: string): HTMLButtonElement {
    return button(label, () => this.actions.addShape(shape));
  }
}

function button(label: string, action: () => void): HTMLButtonElement {
  const element = el("button", { type: "button", class: "text-button" }, label);
  element.addEventListener("click", action);
  return element;
}
