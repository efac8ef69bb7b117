/** What one key does on a page. */
export type KeyAction<Page> = (page: Page) => void;

/** A line of the list of keys. */
export interface Shortcut<Page> {
  /** By the name that is shown, like "Ctrl Shift S"; null: the mouse, or a key that the stage takes for itself. */
  readonly keys: Readonly<Record<string, KeyAction<Page> | null>>;
  readonly text: string;
  /** Keys that go with them and are not shown. */
  readonly also?: Readonly<Record<string, KeyAction<Page>>>;
}

export interface ShortcutGroup<Page> {
  readonly title: string;
  readonly shortcuts: readonly Shortcut<Page>[];
}

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const NAMES: Readonly<Record<string, string>> = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };

/** A key press as lists and menus write it. Shift that is needed to type a sign is not said. */
export function keyName(press: KeyPress): string {
  const { key } = press;
  const letter = key.length === 1 ? key.toUpperCase() : key;
  const isSign = key.length === 1 && key !== " " && letter === key.toLowerCase();
  const modifiers = [
    ...(press.ctrlKey || press.metaKey ? ["Ctrl"] : []),
    ...(press.altKey ? ["Alt"] : []),
    ...(press.shiftKey && !isSign ? ["Shift"] : []),
  ];
  return [...modifiers, NAMES[key] ?? letter].join(" ");
}

/** All keys of a page: help lists them, menus name them, and what is pressed is looked up here. */
export class KeyTable<Page> {
  private readonly actions = new Map<string, KeyAction<Page>>();

  constructor(readonly groups: readonly ShortcutGroup<Page>[]) {
    for (const { keys, also } of groups.flatMap((group) => group.shortcuts)) {
      for (const [name, action] of Object.entries({ ...keys, ...also })) {
        if (this.actions.has(name)) throw new Error(`the key ${name} has two meanings`);
        if (action) this.actions.set(name, action);
      }
    }
  }

  /** What a key does, by its name. */
  named(name: string): KeyAction<Page> {
    const action = this.actions.get(name);
    if (!action) throw new Error(`there is no key ${name}`);
    return action;
  }

  /** What a key press means; undefined: nothing. */
  pressed(press: KeyPress): KeyAction<Page> | undefined {
    return this.actions.get(keyName(press));
  }
}

/** Keys that a focused control needs for itself. */
function belongsToControl(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("[role=menu]")) return true;
  if (target.closest("dialog")) return event.key !== "?"; // the list of keys goes as it came
  const control = event.ctrlKey || event.metaKey;
  const typing = target instanceof HTMLInputElement && !["checkbox", "radio", "range", "color", "button"].includes(target.type);
  if (typing || target instanceof HTMLTextAreaElement) {
    return !control || ["a", "z", "y"].includes(event.key.toLowerCase()); // text has its own undo while it is typed
  }
  if (control) return false;
  if (target instanceof HTMLInputElement && target.type === "range") {
    return event.key.startsWith("Arrow") ? !event.shiftKey : ["Home", "End", "PageUp", "PageDown"].includes(event.key);
  }
  if (target instanceof HTMLSelectElement) return event.key !== "?" && event.key !== "Escape";
  if (target instanceof HTMLInputElement) return event.key === " " || event.key.startsWith("Arrow");
  return (
    (target instanceof HTMLButtonElement || target.tagName === "SUMMARY") &&
    (event.key === " " || (event.key === "Enter" && !event.shiftKey))
  );
}

/** The page's keys from now on. `stageKey` is asked first: flying and gizmos need some; true: taken. */
export function listenForKeys<Page>(table: KeyTable<Page>, page: Page, stageKey: (code: string, down: boolean) => boolean): void {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || belongsToControl(event)) return;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const action = plain && stageKey(event.code, true) ? () => undefined : table.pressed(event);
    if (!action) return;
    event.preventDefault();
    action(page);
  });
  window.addEventListener("keyup", (event) => stageKey(event.code, false));
}

/** Who clicks one of these with the mouse goes on with the keys of the page, not with those of the button. */
export function focusStageAfterClicks(element: HTMLElement, buttons: string, canvas: HTMLCanvasElement): void {
  element.addEventListener("click", (event) => {
    if (event.detail > 0 && event.target instanceof Element && event.target.closest(buttons)) canvas.focus({ preventScroll: true });
  });
}
