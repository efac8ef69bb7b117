import { el, iconButton } from "../ui/dom";

export interface DialogButton {
  readonly label: string;
  readonly primary?: boolean;
  readonly danger?: boolean;
  /** Closes unless it says false, or rejects: then the error is shown in the dialog. */
  readonly action?: () => unknown;
}

let lastDialog = 0;

/** A modal box. Escape and the cross close it; the first field or button has the focus. */
export class Dialog {
  readonly element: HTMLDialogElement;
  readonly closed: Promise<void>;
  private readonly error = el("p", { class: "dialog-error", role: "alert", hidden: true });
  private readonly buttons: HTMLElement;

  constructor(title: string, body: readonly (Node | string)[], buttons: readonly DialogButton[], kind = "") {
    const id = `dialog-${++lastDialog}`;
    const head = el(
      "header",
      {},
      el("h2", { id }, title),
      iconButton("close", "Close", "Esc", () => this.close()),
    );
    this.buttons = el("footer", { class: "dialog-buttons" });
    const form = el("form", { method: "dialog" }, el("div", { class: "dialog-body" }, ...body), this.error, this.buttons);
    this.element = el("dialog", { class: `dialog ${kind}`, "aria-labelledby": id }, head, form);
    this.setButtons(buttons);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.buttons.querySelector<HTMLButtonElement>("button.primary-button")?.click();
    });
    this.element.addEventListener("keydown", (event) => event.stopPropagation()); // the page's keys are not for here
    document.body.append(this.element);
    this.closed = new Promise((resolve) => {
      this.element.addEventListener("close", () => {
        this.element.remove();
        resolve();
      });
    });
    this.element.showModal();
    this.element.querySelector<HTMLElement>("[autofocus]")?.focus();
  }

  setButtons(buttons: readonly DialogButton[]): void {
    this.buttons.replaceChildren(...buttons.map((button) => this.buttonOf(button)));
    this.buttons.hidden = buttons.length === 0;
  }

  complain(error: unknown): void {
    this.error.hidden = false;
    this.error.textContent = error instanceof Error ? error.message : String(error);
  }

  close(): void {
    this.element.close();
  }

  private buttonOf(button: DialogButton): HTMLButtonElement {
    const element = el(
      "button",
      { type: "button", class: `text-button ${button.primary ? "primary-button" : ""} ${button.danger ? "danger-button" : ""}` },
      button.label,
    );
    element.addEventListener("click", () => void this.act(button, element));
    return element;
  }

  private async act(button: DialogButton, element: HTMLButtonElement): Promise<void> {
    element.disabled = true;
    this.error.hidden = true;
    try {
      if ((await button.action?.()) !== false) this.close();
    } catch (error) {
      this.complain(error);
    } finally {
      element.disabled = false;
    }
  }
}

/** Which of a few; undefined: closed without an answer. */
export async function choose<T>(
  title: string,
  text: string,
  options: readonly { label: string; value: T; primary?: boolean; danger?: boolean }[],
): Promise<T | undefined> {
  let chosen: T | undefined;
  const dialog = new Dialog(
    title,
    [el("p", {}, text)],
    options.map(({ label, value, primary, danger }) => ({
      label,
      primary: primary ?? false,
      danger: danger ?? false,
      action: () => void (chosen = value),
    })),
    "small",
  );
  await dialog.closed;
  return chosen;
}
