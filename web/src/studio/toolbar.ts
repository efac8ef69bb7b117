import type { JsonObject } from "../server/contract";
import { valueAt } from "../server/pointer";
import type { Editing, Stage, Tool } from "../stage/contract";
import { el, iconButton, segmented, setPressed, slider, type IconName } from "../ui/dom";
import { THROWN } from "./presets";
import type { Store } from "./store";

export const TOOL_TEXTS: Readonly<Record<Tool, { label: string; key: string; icon: IconName; hint: string }>> = {
  select: { label: "Select", key: "Q", icon: "select", hint: "Click a body; drag turns the view" },
  move: { label: "Move", key: "W", icon: "move", hint: "Drag an arrow; Ctrl or Snap: in steps" },
  rotate: { label: "Rotate", key: "E", icon: "rotate", hint: "Drag a ring" },
  scale: { label: "Scale", key: "R", icon: "scale", hint: "Drag a handle; the shape's own sizes are in its properties" },
  throw: { label: "Throw", key: "B", icon: "throw", hint: "Click where the ball shall hit; it comes from the camera" },
  drag: { label: "Drag", key: "D", icon: "drag", hint: "Take hold of a body while it runs" },
  paint: { label: "Paint strength", key: "P", icon: "paint", hint: "Paint where the selected body is weak or strong" },
};

const GIZMOS: readonly Tool[] = ["move", "rotate", "scale"];
const STEEL = "\u0000steel";

/** Tools, and what the tool in hand can be set to. */
export class ToolBar {
  readonly element: HTMLElement;
  /** Over the stage, while the tool has any. */
  readonly options = el("div", { class: "tool-options", role: "group", "aria-label": "Options of the tool" });
  private readonly buttons = new Map<Tool, HTMLButtonElement>();
  private readonly hint = el("span", { class: "tool-hint" });
  private readonly editing;
  private readonly ballMaterial = el("select", { "aria-label": "Material of the ball" });
  private readonly ball = el("div", { class: "option-set" });
  private readonly brush = el("div", { class: "option-set" });
  private readonly gizmo = el("div", { class: "option-set" });
  private readonly snap = el("input", { type: "checkbox", role: "switch", "aria-label": "Snap" });

  constructor(
    private readonly stage: Stage,
    private readonly store: Store,
    private readonly actions: { announce(text: string): void; edits(editing: Editing): void },
  ) {
    const strip = el("div", { class: "tool-strip", role: "toolbar", "aria-label": "Tools" });
    for (const [tool, text] of Object.entries(TOOL_TEXTS) as [Tool, (typeof TOOL_TEXTS)[Tool]][]) {
      const button = iconButton(text.icon, text.label, text.key, () => this.use(tool));
      button.title = `${text.label} (${text.key}): ${text.hint}`;
      this.buttons.set(tool, button);
      strip.append(button);
    }
    this.editing = segmented<Editing>(
      "What gizmos change",
      [
        ["start", "Start"],
        ["current", "This frame"],
      ],
      (editing) => this.edit(editing),
    );
    this.editing.element.title = "Start: the scene as it begins. This frame: what is there now; becomes a timed action.";
    this.makeBall();
    this.makeBrush();
    this.snap.addEventListener("change", () => (stage.snap = this.snap.checked));
    this.gizmo.append(el("label", { class: "option" }, "Snap", this.snap));
    this.options.append(this.gizmo, this.ball, this.brush);
    this.element = el(
      "div",
      { class: "tool-bar" },
      strip,
      this.hint,
      el("div", { class: "editing" }, el("span", { class: "label", "aria-hidden": "true" }, "Edit"), this.editing.element),
    );
    this.refresh();
  }

  use(tool: Tool): void {
    // what moves things at the start shows the start: elsewhere there is nothing to take hold of
    if (GIZMOS.includes(tool) && this.stage.editing === "start") this.actions.edits("start");
    this.stage.tool = tool;
    this.refresh();
    this.actions.announce(`${TOOL_TEXTS[tool].label}: ${TOOL_TEXTS[tool].hint}`);
  }

  toggleSnap(): void {
    this.stage.snap = !this.stage.snap;
    this.refresh();
  }

  toggleEditing(): void {
    this.edit(this.stage.editing === "start" ? "current" : "start");
  }

  private edit(editing: Editing): void {
    this.stage.editing = editing;
    this.actions.edits(editing);
    this.refresh();
    this.actions.announce(editing === "start" ? "Gizmos change the start" : "Gizmos change this frame, as timed actions");
  }

  private refresh(): void {
    const { tool } = this.stage;
    for (const [name, button] of this.buttons) setPressed(button, name === tool);
    this.gizmo.hidden = !GIZMOS.includes(tool);
    this.ball.hidden = tool !== "throw";
    this.brush.hidden = tool !== "paint";
    this.options.hidden = this.gizmo.hidden && this.ball.hidden && this.brush.hidden;
    this.hint.textContent = TOOL_TEXTS[tool].hint;
    this.editing.set(this.stage.editing);
    this.snap.checked = this.stage.snap;
  }

  /** The scene's materials may be others now. */
  refreshMaterials(): void {
    const names = Object.keys((valueAt(this.store.document, "/materials") as JsonObject | undefined) ?? {});
    const before = this.ballMaterial.value || STEEL;
    this.ballMaterial.replaceChildren(el("option", { value: STEEL }, "Steel"), ...names.map((name) => el("option", { value: name }, name)));
    this.ballMaterial.value = names.includes(before) ? before : STEEL;
    this.setBallMaterial();
  }

  private setBallMaterial(): void {
    this.stage.throwSettings.material = this.ballMaterial.value === STEEL ? THROWN : this.ballMaterial.value;
  }

  private makeBall(): void {
    const { throwSettings } = this.stage;
    const speed = slider(
      "Speed",
      { min: 1, max: 60, step: 1 },
      (v) => `${v} m/s`,
      (v) => (throwSettings.speed = v),
    );
    const size = slider(
      "Radius",
      { min: 0, max: 0.6, step: 0.01 },
      sizeText,
      (v) => (throwSettings.shape = v > 0 ? { name: "sphere", radius: v } : undefined),
    );
    speed.set(throwSettings.speed);
    size.set(0);
    this.ballMaterial.addEventListener("change", () => this.setBallMaterial());
    this.ball.append(size.element, speed.element, el("label", { class: "option" }, this.ballMaterial));
    this.refreshMaterials();
  }

  private makeBrush(): void {
    const { brush } = this.stage;
    const radius = slider("Brush", { min: 0, max: 1, step: 0.01 }, sizeText, (v) => (brush.radius = v));
    const value = slider(
      "Strength",
      { min: 0, max: 250, step: 5 },
      (v) => `${v} %`,
      (v) => (brush.value = v),
    );
    const flow = slider(
      "Flow",
      { min: 0.05, max: 1, step: 0.05 },
      (v) => `${Math.round(100 * v)} %`,
      (v) => (brush.strength = v),
    );
    radius.set(brush.radius);
    value.set(brush.value);
    flow.set(brush.strength);
    this.brush.append(radius.element, value.element, flow.element);
  }
}

/** Of a ball or a brush; without a size of its own it has one that suits what is hit. */
function sizeText(metres: number): string {
  return metres > 0 ? `${Math.round(100 * metres)} cm` : "fits";
}
