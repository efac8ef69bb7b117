import type { ConnectionState } from "../server/connection";
import { CommandError } from "../server/contract";
import { el } from "../ui/dom";
import { issueText } from "./field_row";

const SHOWN = 8000; // ms, an error over the page

/** What the page has to say over everything else, and to those who cannot see it. */
export class Notices {
  readonly announcer = el("div", { class: "hidden-text", role: "status" });
  readonly toast = el("div", { class: "toast", role: "alert", hidden: true });
  readonly banner = el("div", { class: "banner", role: "alert", hidden: true });
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly keep: (text: string, level: "error") => void,
    private readonly rest: () => void,
  ) {}

  /** For those who hear the page. */
  readonly announce = (text: string): void => {
    this.announcer.textContent = text;
  };

  readonly complain = (error: unknown): void => {
    const issues = error instanceof CommandError ? error.issues : [];
    const texts = [...new Set(issues.map(issueText))]; // one mistake may be found at several places
    const text = texts.length > 0 ? texts.slice(0, 3).join(" ") : error instanceof Error ? error.message : String(error);
    if (!(error instanceof Error)) console.error(error);
    this.keep(text, "error");
    this.toast.textContent = text;
    this.toast.hidden = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.toast.hidden = true), SHOWN);
  };

  /** What was said of something that is undone now says nothing any more; the log keeps it. */
  forget(): void {
    this.toast.hidden = true;
    this.rest();
  }

  /** Shows what went wrong, and passes it on. */
  async shown<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise;
    } catch (error) {
      this.complain(error);
      throw error;
    }
  }

  connection(state: ConnectionState): void {
    this.banner.hidden = state === "open" || state === "connecting";
    this.banner.textContent =
      state === "refused"
        ? "Sunder does not answer here. Open the address that `sunder studio` prints in its terminal."
        : "The connection to Sunder was lost. Nothing is lost on its side; Studio tries again by itself. If you closed it, start it again with: sunder studio";
  }
}
