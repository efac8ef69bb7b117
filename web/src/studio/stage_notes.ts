import type { JsonObject, TakeStatus } from "../server/contract";
import { isList } from "../server/pointer";
import { el } from "../ui/dom";

/** Over the stage: that the frames are of an earlier scene, or that there is nothing yet and what to do about it. */
export class StageNotes {
  readonly stale: HTMLElement;
  readonly before: HTMLElement;
  readonly empty: HTMLElement;

  constructor(private readonly actions: { restart(): void; showBefore(): void; addShape(name: string): void; open(): void }) {
    const start = el("button", { type: "button", class: "link", title: "These frames are kept as the take before" }, "Show the new start");
    start.addEventListener("click", () => actions.restart());
    const show = el("button", { type: "button", class: "link", title: "The frames that were seen before" }, "Show the take before");
    show.addEventListener("click", () => actions.showBefore());
    this.before = el("div", { class: "overlay stale-note before-note", hidden: true }, "This is the start of the scene.", show);
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
    this.before.hidden = take.before === null || take.before === undefined;
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
