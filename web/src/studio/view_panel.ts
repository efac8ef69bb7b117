import { COLOUR_MODES } from "../core/colours";
import { setPatch } from "../server/pointer";
import type { Stage } from "../stage/contract";
import { DisplayPanel } from "../ui/display";
import { el } from "../ui/dom";
import type { Notices } from "./notices";
import type { Store } from "./store";

/** How the take is shown, and from where. */
export class ViewPanel {
  readonly element: HTMLElement;
  readonly display: DisplayPanel;

  constructor(
    private readonly stage: Stage,
    private readonly store: Store,
    private readonly notices: Notices,
    private readonly actions: { resetCamera(): void; say(text: string): void },
  ) {
    this.display = new DisplayPanel(COLOUR_MODES, {
      colours: (mode) => stage.setColours(mode),
      explode: (strength) => stage.setExplosion(strength),
      slice: (slice) => stage.setSlice(slice),
      sliceRange: (axis) => stage.sliceRange(axis),
    });
    this.element = el("div", { class: "view-panel" }, this.display.element, this.grainSwitch(), this.buttons());
  }

  private grainSwitch(): HTMLElement {
    const input = el("input", { type: "checkbox", role: "switch" });
    input.addEventListener("change", () => this.stage.setGrains(input.checked));
    return el(
      "label",
      { class: "row switch-row", title: "What bodies that break by stress are made of: properties, fracture, grains" },
      el("span", { class: "label" }, "Grains"),
      input,
    );
  }

  private buttons(): HTMLElement {
    const keep = el("button", { type: "button", class: "text-button" }, "Keep this view in the scene");
    keep.title = "The scene's camera: replays, renders and exports show it from here";
    keep.addEventListener("click", () => this.keepView());
    const clear = el("button", { type: "button", class: "text-button" }, "Back to the scene’s view");
    clear.addEventListener("click", () => this.actions.resetCamera());
    return el("div", { class: "view-buttons" }, keep, clear);
  }

  keepView(): void {
    const view = this.stage.cameraView();
    const short = (v: readonly number[]): number[] => v.map((part) => Number(part.toFixed(3)));
    const camera = { position: short(view.position), target: short(view.target), field_of_view: Number(view.fieldOfView.toFixed(1)) };
    const patch = setPatch(this.store.document, "/view/camera", camera);
    this.notices.shown(this.store.edit("Keep this view", patch)).then(
      () => this.actions.say("The scene is seen from here from now on"),
      () => undefined,
    );
  }
}
