type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string | null | undefined;

/** An element with attributes and children: el("p", { class: "hint" }, "…"). */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** Drawn on 16 × 16 with the text's colour. */
const ICONS = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  back: "M11 3v10L4.5 8zM3 3h1.6v10H3z",
  forward: "M5 3v10l6.5-5zM11.4 3H13v10h-1.6z",
  start: "M13 3v10L8 8zM8 3v10L3 8zM2 3h1.3v10H2z",
  loop: "M4.2 4.2A5.3 5.3 0 0 1 12.6 5.4l1.4-1v4h-4l1.5-1.5A3.6 3.6 0 0 0 5.4 5.4zM11.8 11.8A5.3 5.3 0 0 1 3.4 10.6l-1.4 1v-4h4L4.5 9.1a3.6 3.6 0 0 0 6.1 1.5z",
  orbit: "M8 1.5 14 4.8v6.4l-6 3.3-6-3.3V4.8zm0 1.9L4.6 5.3 8 7.1l3.4-1.8zM3.6 6.6v3.7L7.2 12.3V8.5zm8.8 0L8.8 8.5v3.8l3.6-2z",
  fly: "M14.5 2 1.5 7.2l4.3 1.9L12 4.4 7.3 10.1l.2 3.7 2-2.6 2.7 1.3z",
  home: "M8 2 1.5 7.6l1 1.2L3.5 8v6h3.6v-4h1.8v4h3.6V8l1 .8 1-1.2z",
  camera: "M5.6 3 4.6 4.5H2v8.5h12V4.5h-2.6L10.4 3zM8 5.8a2.9 2.9 0 1 1 0 5.8 2.9 2.9 0 0 1 0-5.8zm0 1.5a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8z",
  sun: "M8 4.8a3.2 3.2 0 1 1 0 6.4 3.2 3.2 0 0 1 0-6.4zM7.3 1h1.4v2.3H7.3zm0 11.7h1.4V15H7.3zM1 7.3h2.3v1.4H1zm11.7 0H15v1.4h-2.3zM2.5 3.5l1-1 1.6 1.6-1 1zm8.4 8.4 1-1 1.6 1.6-1 1zm1-7.8 1.6-1.6 1 1-1.6 1.6zM2.5 12.5l1.6-1.6 1 1-1.6 1.6z",
  moon: "M6.2 1.8a6.3 6.3 0 1 0 8 8A5.6 5.6 0 0 1 6.2 1.8z",
  help: "M8 1.2a6.8 6.8 0 1 0 0 13.6A6.8 6.8 0 0 0 8 1.2zm-.8 9.2h1.6V12H7.2zM8 4c1.7 0 2.8 1 2.8 2.4 0 1.1-.6 1.7-1.3 2.1-.5.3-.7.5-.7 1v.2H7.2v-.4c0-1 .5-1.5 1.2-2 .5-.3.8-.5.8-.9 0-.5-.4-.9-1.2-.9-.8 0-1.2.5-1.3 1.1H5.2C5.3 5 6.4 4 8 4z",
  panel: "M1.5 2.5h13v11h-13zM3 4v8h6V4zm7.3 0v8H13V4z",
  previous: "M10.5 3 5.5 8l5 5 1.1-1.1L7.7 8l3.9-3.9z",
  next: "M5.5 3l5 5-5 5-1.1-1.1L8.3 8 4.4 4.1z",
  close: "M3.6 2.5 8 6.9l4.4-4.4 1.1 1.1L9.1 8l4.4 4.4-1.1 1.1L8 9.1l-4.4 4.4-1.1-1.1L6.9 8 2.5 3.6z",
  focus: "M2 2h4v1.5H3.5V6H2zm8 0h4v4h-1.5V3.5H10zM2 10h1.5v2.5H6V14H2zm10.5 0H14v4h-4v-1.5h2.5zM8 5.6a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8z",
} as const;
export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/** A button that shows a picture and says its name and key. */
export function iconButton(name: IconName, label: string, key: string, action: () => void): HTMLButtonElement {
  const title = key ? `${label} (${key})` : label;
  const button = el("button", { type: "button", class: "icon-button", "aria-label": label, title }, icon(name));
  button.addEventListener("click", action);
  return button;
}

export function setIcon(button: HTMLButtonElement, name: IconName, label: string, key: string): void {
  button.replaceChildren(icon(name));
  button.setAttribute("aria-label", label);
  button.title = key ? `${label} (${key})` : label;
}

export function setPressed(button: HTMLElement, pressed: boolean): void {
  button.setAttribute("aria-pressed", String(pressed));
}

/** One of a few, side by side. */
export function segmented<T extends string>(
  label: string,
  options: readonly (readonly [T, string])[],
  onChange: (value: T) => void,
): { element: HTMLElement; set(value: T): void } {
  const name = `choice-${label.toLowerCase().replace(/\W+/g, "-")}`;
  const inputs = new Map<T, HTMLInputElement>();
  const element = el("div", { class: "segmented", role: "radiogroup", "aria-label": label });
  for (const [value, text] of options) {
    const input = el("input", { type: "radio", name, value });
    input.addEventListener("change", () => onChange(value));
    inputs.set(value, input);
    element.append(el("label", {}, input, el("span", {}, text)));
  }
  return {
    element,
    set(value: T): void {
      const input = inputs.get(value);
      if (input) input.checked = true;
    },
  };
}

/** A labelled slider with its value beside it. */
export function slider(
  label: string,
  range: { min: number; max: number; step: number },
  text: (value: number) => string,
  onInput: (value: number) => void,
): { element: HTMLElement; input: HTMLInputElement; set(value: number): void } {
  const input = el("input", { type: "range", ...range, "aria-label": label });
  const output = el("output", { class: "value" });
  const refresh = (): void => {
    output.textContent = text(input.valueAsNumber);
    input.setAttribute("aria-valuetext", output.textContent);
    input.style.setProperty("--share", String((input.valueAsNumber - range.min) / (range.max - range.min)));
  };
  input.addEventListener("input", () => {
    refresh();
    onInput(input.valueAsNumber);
  });
  return {
    element: el("label", { class: "slider" }, el("span", { class: "label" }, label), input, output),
    input,
    set(value: number): void {
      input.value = String(value);
      refresh();
    },
  };
}

/** A part of the side panel that can be folded. */
export function section(title: string, open: boolean, ...children: readonly Node[]): HTMLDetailsElement {
  return el("details", { class: "section", open }, el("summary", {}, title), el("div", { class: "section-body" }, ...children));
}
