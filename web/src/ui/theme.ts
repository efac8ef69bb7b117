import type { Theme } from "../view/backdrop";
import { iconButton, setIcon } from "./dom";

const KEY = "sunder-theme";

/** Follows the system until someone chooses; the choice is kept where the browser lets pages from disk keep things. */
export class ThemeChoice {
  /** Shows what it would be changed to. */
  readonly button = iconButton("sun", "Light", "T", () => this.toggle());
  private chosen: Theme | null;
  private readonly system = window.matchMedia("(prefers-color-scheme: light)");

  constructor(private readonly onChange: (theme: Theme) => void) {
    this.chosen = stored();
    this.system.addEventListener("change", () => this.apply());
    this.show();
  }

  get theme(): Theme {
    return this.chosen ?? (this.system.matches ? "light" : "dark");
  }

  toggle(): void {
    this.chosen = this.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, this.chosen);
    } catch {
      // not kept, then
    }
    this.apply();
  }

  private apply(): void {
    this.show();
    this.onChange(this.theme);
  }

  private show(): void {
    const dark = this.theme === "dark";
    document.documentElement.dataset["theme"] = this.theme;
    setIcon(this.button, dark ? "sun" : "moon", dark ? "Light" : "Dark", "T");
  }
}

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "dark" || value === "light" ? value : null;
  } catch {
    return null;
  }
}
