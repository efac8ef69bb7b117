import { el, icon, type IconName } from "../ui/dom";

export interface MenuItem {
  readonly label: string;
  readonly key?: string; // as it is shown
  readonly icon?: IconName;
  readonly picture?: () => SVGSVGElement; // instead of an icon
  readonly hint?: string;
  readonly enabled?: () => boolean;
  readonly checked?: () => boolean;
  readonly action: () => void;
}
export type MenuEntry = MenuItem | "line" | { readonly heading: string };

const MANY = 24; // entries, that stand in columns
const MARGIN = 8; // pixels around a list

/** A button that opens a list of commands. Arrow keys, Home, End, letters, Escape. */
export class MenuButton {
  readonly button: HTMLButtonElement;
  private readonly list = el("div", { class: "menu", role: "menu", tabindex: -1, hidden: true });
  private readonly outside = (event: Event): void => {
    if (event.target instanceof Node && !this.list.contains(event.target) && !this.button.contains(event.target)) this.close(false);
  };

  constructor(
    label: string | Node,
    name: string,
    private readonly entries: () => readonly MenuEntry[],
    private readonly neighbour: (direction: -1 | 1) => void = () => undefined,
    attributes: Readonly<Record<string, string>> = {},
  ) {
    this.button = el(
      "button",
      { type: "button", class: "menu-button", "aria-haspopup": "menu", "aria-expanded": "false", ...attributes },
      label,
    );
    if (typeof label !== "string") this.button.setAttribute("aria-label", name);
    this.list.setAttribute("aria-label", name);
    this.button.addEventListener("click", () => (this.isOpen ? this.close() : this.open()));
    this.button.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        event.stopPropagation();
        this.open(event.key === "ArrowUp" ? -1 : 0);
      }
    });
    this.list.addEventListener("keydown", (event) => this.key(event));
  }

  get isOpen(): boolean {
    return !this.list.hidden;
  }

  open(focus = 0): void {
    const entries = this.entries();
    this.list.replaceChildren(...entries.map((entry) => this.row(entry)));
    this.list.classList.toggle("many", entries.length > MANY);
    const [first] = this.items;
    if (first) first.tabIndex = 0; // a way into a list that scrolls
    document.body.append(this.list);
    this.list.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    const at = this.button.getBoundingClientRect();
    this.list.style.left = `${Math.max(4, Math.min(at.left, window.innerWidth - this.list.offsetWidth - 8))}px`;
    // under its button, or as far up as it needs
    this.list.style.maxHeight = `${window.innerHeight - 2 * MARGIN}px`;
    this.list.style.top = `${Math.max(MARGIN, Math.min(at.bottom + 3, window.innerHeight - this.list.offsetHeight - MARGIN))}px`;
    this.items.at(focus)?.focus();
    document.addEventListener("pointerdown", this.outside, true);
  }

  close(refocus = true): void {
    if (!this.isOpen) return;
    this.list.hidden = true;
    this.list.remove();
    this.button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", this.outside, true);
    if (refocus) this.button.focus();
  }

  private get items(): HTMLButtonElement[] {
    return [...this.list.querySelectorAll<HTMLButtonElement>("button")].filter((item) => !item.disabled);
  }

  private row(entry: MenuEntry): HTMLElement {
    if (entry === "line") return el("div", { class: "menu-line", role: "separator" });
    if ("heading" in entry) return el("div", { class: "menu-heading", role: "presentation" }, entry.heading);
    const checked = entry.checked?.();
    const item = el(
      "button",
      {
        type: "button",
        class: "menu-item",
        role: checked === undefined ? "menuitem" : "menuitemcheckbox",
        tabindex: -1,
        title: entry.hint,
      },
      el(
        "span",
        { class: "menu-mark", "aria-hidden": "true" },
        checked === undefined ? (entry.picture?.() ?? (entry.icon ? icon(entry.icon) : "")) : checked ? "✓" : "",
      ),
      el("span", { class: "menu-label" }, entry.label),
      entry.key ? el("span", { class: "menu-key", "aria-hidden": "true" }, entry.key) : null,
    );
    if (checked !== undefined) item.setAttribute("aria-checked", String(checked));
    if (entry.key) item.setAttribute("aria-keyshortcuts", entry.key.replaceAll(" ", "+").replace("Ctrl", "Control"));
    item.disabled = entry.enabled?.() === false;
    item.addEventListener("pointerenter", () => item.focus({ preventScroll: true }));
    item.addEventListener("click", () => {
      this.close();
      entry.action();
    });
    return item;
  }

  private key(event: KeyboardEvent): void {
    event.stopPropagation();
    const items = this.items;
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const go = (index: number): void => items[(index + items.length) % items.length]?.focus();
    switch (event.key) {
      case "ArrowDown":
        go(at + 1);
        break;
      case "ArrowUp":
        go(at < 0 ? -1 : at - 1);
        break;
      case "Home":
        go(0);
        break;
      case "End":
        go(-1);
        break;
      case "Escape":
        this.close();
        break;
      case "Tab":
        this.close();
        return;
      case "ArrowLeft":
      case "ArrowRight":
        this.close();
        this.neighbour(event.key === "ArrowLeft" ? -1 : 1);
        break;
      default: {
        if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey) return;
        const letter = event.key.toLowerCase();
        const after = [...items.slice(at + 1), ...items.slice(0, at + 1)];
        after.find((item) => item.querySelector(".menu-label")?.textContent?.toLowerCase().startsWith(letter))?.focus();
      }
    }
    event.preventDefault();
  }
}

/** Menus side by side; left and right go from one to the next. */
export function menuBar(label: string, menus: readonly { name: string; entries: () => readonly MenuEntry[] }[]): HTMLElement {
  const buttons: MenuButton[] = [];
  const bar = el("nav", { class: "menu-bar", "aria-label": label });
  menus.forEach(({ name, entries }, i) => {
    const next = (direction: -1 | 1): void => buttons[(i + direction + buttons.length) % buttons.length]!.open();
    const menu = new MenuButton(name, name, entries, next);
    menu.button.addEventListener("pointerenter", () => {
      const open = buttons.find((one) => one.isOpen && one !== menu);
      if (!open) return;
      open.close(false);
      menu.open();
    });
    buttons.push(menu);
    bar.append(menu.button);
  });
  return bar;
}
