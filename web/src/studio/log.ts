import { CommandError, type Connection } from "../server/contract";
import { el, iconButton } from "../ui/dom";

interface Message {
  readonly time: number; // ms since 1970
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  readonly frame?: number;
  readonly pointer?: string;
}

const MOST_ROWS = 500;

/** What Sunder had to say, in a drawer over the timeline; the newest line is always in the status bar. */
export class LogDrawer {
  readonly element: HTMLElement;
  readonly line = el("button", {
    type: "button",
    class: "log-line",
    title: "Open the log (Ctrl L)",
    "aria-expanded": "false",
    "aria-controls": "log",
  });
  private readonly list = el("ol", { class: "log-list", tabindex: 0, "aria-label": "Messages" });
  private next = 0;
  private asking = false;

  constructor(
    private readonly connection: Connection,
    private readonly actions: { seek(frame: number): void; go(pointer: string): void },
  ) {
    const head = el(
      "header",
      { class: "drawer-head" },
      el("h2", {}, "Messages"),
      iconButton("close", "Close the log", "Ctrl L", () => this.toggle(false)),
    );
    this.element = el("section", { class: "log-drawer", id: "log", "aria-label": "Message log", hidden: true }, head, this.list);
    this.line.addEventListener("click", () => this.toggle());
    this.line.textContent = "Ready.";
  }

  toggle(open = this.element.hidden): void {
    this.element.hidden = !open;
    this.line.setAttribute("aria-expanded", String(open));
    if (open) this.list.scrollTop = this.list.scrollHeight;
  }

  /** There are so many messages by now. */
  async pull(count: number): Promise<void> {
    if (count < this.next) this.next = 0; // another program
    if (this.asking || count === this.next) return;
    this.asking = true;
    try {
      const answer = await this.connection.ask<{ from?: number; messages: Message[] }>("log", { from: this.next });
      this.next = (answer.from ?? this.next) + answer.messages.length;
      answer.messages.forEach((message) => this.add(message));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
    } finally {
      this.asking = false;
    }
  }

  /** The line below is for what was said last; that is of no use any more. */
  rest(): void {
    this.line.textContent = "";
    this.line.className = "log-line";
  }

  /** A message of the page's own. */
  say(text: string, level: Message["level"] = "info"): void {
    this.add({ time: Date.now(), level, text });
  }

  private add(message: Message): void {
    const where: Node[] = [];
    if (message.frame !== undefined) where.push(this.link(`frame ${message.frame}`, () => this.actions.seek(message.frame!)));
    if (message.pointer) where.push(this.link("show", () => this.actions.go(message.pointer!)));
    const time = new Date(message.time).toLocaleTimeString("en-GB");
    const row = el(
      "li",
      { class: `log-row ${message.level}` },
      el("time", {}, time),
      el("span", { class: "log-level" }, message.level),
      el("span", { class: "log-text" }, message.text),
      ...where,
    );
    const atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 30;
    this.list.append(row);
    while (this.list.childElementCount > MOST_ROWS) this.list.firstElementChild!.remove();
    if (atEnd) this.list.scrollTop = this.list.scrollHeight;
    this.line.textContent = message.text;
    this.line.className = `log-line ${message.level}`;
  }

  private link(text: string, action: () => void): HTMLButtonElement {
    const button = el("button", { type: "button", class: "link" }, text);
    button.addEventListener("click", action);
    return button;
  }
}
