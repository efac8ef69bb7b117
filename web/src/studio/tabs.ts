import { el } from "../ui/dom";

/** Panels of which one is seen. Left and right go from tab to tab. */
export class Tabs<Name extends string> {
  readonly list: HTMLElement;
  readonly panels: readonly HTMLElement[];
  private readonly names: readonly Name[];
  private readonly tabs = new Map<Name, { button: HTMLButtonElement; panel: HTMLElement }>();

  constructor(
    contents: Readonly<Record<Name, HTMLElement>>,
    private readonly shown: (name: Name) => void,
  ) {
    this.names = Object.keys(contents) as Name[];
    for (const name of this.names) this.add(name, contents[name]);
    const tabs = [...this.tabs.values()];
    this.list = el("div", { class: "tabs", role: "tablist", "aria-label": "Panels" }, ...tabs.map((tab) => tab.button));
    this.panels = tabs.map((tab) => tab.panel);
    this.show(this.names[0]!);
  }

  show(name: Name): void {
    for (const [one, { button, panel }] of this.tabs) {
      const isShown = one === name;
      button.setAttribute("aria-selected", String(isShown));
      button.tabIndex = isShown ? 0 : -1;
      panel.hidden = !isShown;
    }
    this.shown(name);
  }

  private add(name: Name, content: HTMLElement): void {
    const id = `tab-${name.toLowerCase()}`;
    const button = el("button", { type: "button", role: "tab", id, "aria-controls": `${id}-panel`, class: "tab" }, name);
    const panel = el("div", { class: "tab-panel", role: "tabpanel", id: `${id}-panel`, "aria-labelledby": id, tabindex: -1 }, content);
    button.addEventListener("click", () => this.show(name));
    button.addEventListener("keydown", (event) => {
      const direction = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (direction === 0) return;
      event.stopPropagation();
      const next = this.names[(this.names.indexOf(name) + direction + this.names.length) % this.names.length]!;
      this.show(next);
      this.tabs.get(next)!.button.focus();
    });
    this.tabs.set(name, { button, panel });
  }
}
