import type { Theme } from "../view/backdrop";

const KEY = "sunder-theme";

/** Follows the system until someone chooses; the choice is kept where the browser lets pages from disk keep things. */
export class ThemeChoice {
  private chosen: Theme | null;
  private readonly system = window.matchMedia("(prefers-color-scheme: light)");

  constructor(private readonly onChange: (theme: Theme) => void) {
    this.chosen = stored();
    this.system.addEventListener("change", () => this.apply());
    document.documentElement.dataset["theme"] = this.theme;
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
    document.documentElement.dataset["theme"] = this.theme;
    this.onChange(this.theme);
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
