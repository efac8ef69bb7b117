import { el, iconButton } from "./dom";
import type { ShortcutGroup } from "./keys";

/** The list of keys, over everything else. */
export class HelpOverlay {
  readonly element: HTMLDialogElement;

  constructor(groups: readonly ShortcutGroup<never>[], about: string) {
    const close = iconButton("close", "Close", "Esc", () => this.element.close());
    this.element = el(
      "dialog",
      { class: "help", "aria-labelledby": "help-title" },
      el("header", {}, el("h2", { id: "help-title" }, "Keys and mouse"), close),
      el("div", { class: "help-groups" }, ...groups.map(groupElement)),
      el("p", { class: "hint" }, about),
    );
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.element.close(); // beside the box
    });
  }

  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}

function groupElement(group: ShortcutGroup<never>): HTMLElement {
  const rows = group.shortcuts.flatMap((shortcut) => [
    el("dt", {}, ...Object.keys(shortcut.keys).flatMap((key, i) => (i > 0 ? [" ", el("kbd", {}, key)] : [el("kbd", {}, key)]))),
    el("dd", {}, shortcut.text),
  ]);
  return el("section", {}, el("h3", {}, group.title), el("dl", {}, ...rows));
}
