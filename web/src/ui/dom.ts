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
  camera:
    "M5.6 3 4.6 4.5H2v8.5h12V4.5h-2.6L10.4 3zM8 5.8a2.9 2.9 0 1 1 0 5.8 2.9 2.9 0 0 1 0-5.8zm0 1.5a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8z",
  sun: "M8 4.8a3.2 3.2 0 1 1 0 6.4 3.2 3.2 0 0 1 0-6.4zM7.3 1h1.4v2.3H7.3zm0 11.7h1.4V15H7.3zM1 7.3h2.3v1.4H1zm11.7 0H15v1.4h-2.3zM2.5 3.5l1-1 1.6 1.6-1 1zm8.4 8.4 1-1 1.6 1.6-1 1zm1-7.8 1.6-1.6 1 1-1.6 1.6zM2.5 12.5l1.6-1.6 1 1-1.6 1.6z",
  moon: "M6.2 1.8a6.3 6.3 0 1 0 8 8A5.6 5.6 0 0 1 6.2 1.8z",
  help: "M8 1.2a6.8 6.8 0 1 0 0 13.6A6.8 6.8 0 0 0 8 1.2zm-.8 9.2h1.6V12H7.2zM8 4c1.7 0 2.8 1 2.8 2.4 0 1.1-.6 1.7-1.3 2.1-.5.3-.7.5-.7 1v.2H7.2v-.4c0-1 .5-1.5 1.2-2 .5-.3.8-.5.8-.9 0-.5-.4-.9-1.2-.9-.8 0-1.2.5-1.3 1.1H5.2C5.3 5 6.4 4 8 4z",
  panel: "M1.5 2.5h13v11h-13zM3 4v8h6V4zm7.3 0v8H13V4z",
  previous: "M10.5 3 5.5 8l5 5 1.1-1.1L7.7 8l3.9-3.9z",
  next: "M5.5 3l5 5-5 5-1.1-1.1L8.3 8 4.4 4.1z",
  close: "M3.6 2.5 8 6.9l4.4-4.4 1.1 1.1L9.1 8l4.4 4.4-1.1 1.1L8 9.1l-4.4 4.4-1.1-1.1L6.9 8 2.5 3.6z",
  focus:
    "M2 2h4v1.5H3.5V6H2zm8 0h4v4h-1.5V3.5H10zM2 10h1.5v2.5H6V14H2zm10.5 0H14v4h-4v-1.5h2.5zM8 5.6a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8z",
  select: "M3 1.5v11.6l3-2.8 1.9 4.2 1.8-.8-1.9-4.1h4.1z",
  move: "M8 .8 10.4 3.4H8.8v3.8h3.8V5.6L15.2 8l-2.6 2.4V8.8H8.8v3.8h1.6L8 15.2 5.6 12.6h1.6V8.8H3.4v1.6L.8 8l2.6-2.4v1.6h3.8V3.4H5.6z",
  rotate: "M8 2a6 6 0 0 1 5.2 3l1.3-.8v4.3h-4.2l1.5-1.5A4.3 4.3 0 1 0 12.2 9.500l1.600.5A6 6 0 1 1 8 2z",
  scale: "M2 2h5v1.600H4.800l7.600 7.600V9H14v5H9v-1.600h2.200L3.600 4.800V7H2z",
  throw:
    "M11.200 1.800a3.100 3.100 0 1 1 0 6.200 3.100 3.100 0 0 1 0-6.200zM7.500 8.300l.9.9-4.700 4.700-.9-.9zM4.800 7l.8.8-3.300 3.300-.8-.8zm4.400 4.400.8.8-2 2-.8-.8z",
  drag: "M5 7V3.400a1 1 0 0 1 2 0V6h.5V2.300a1 1 0 0 1 2 0V6h.5V3.200a1 1 0 0 1 2 0V7h.400V5.200a1 1 0 0 1 1.800 0V10c0 3-1.800 4.800-4.600 4.800-2.300 0-3.500-.9-4.700-3L2.500 8.300a1 1 0 0 1 1.600-1.100L5 8.500z",
  paint:
    "M13.800 1.500c-2.800 1.200-5.400 3.600-7 6.100l1.700 1.700c2.500-1.600 4.600-4.300 5.800-7.200zM5.900 8.700c-1.700.1-2.700 1.200-2.800 2.600 0 1-.5 1.700-1.500 2 2.800 1.700 6.300.700 6.200-2.700z",
  undo: "M6 3.200V.8L1.500 4.600 6 8.400V5.200c3.200 0 5.200 1.400 5.200 3.800 0 1.900-1.300 3.200-3.400 3.800l.5 1.900c3-.8 4.900-2.900 4.900-5.700 0-3.700-2.900-5.800-7.200-5.800z",
  redo: "M10 3.200V.8l4.500 3.800L10 8.400V5.200C6.800 5.200 4.800 6.600 4.800 9c0 1.900 1.300 3.200 3.400 3.800l-.5 1.900c-3-.8-4.900-2.900-4.900-5.700 0-3.700 2.900-5.800 7.200-5.800z",
  add: "M7.200 2.500h1.600v4.700h4.700v1.600H8.800v4.700H7.200V8.800H2.500V7.200h4.700z",
  remove:
    "M6 1.800h4l.6 1.200H14v1.500H2V3h3.400zM3.200 5.500h9.600l-.7 8.700H3.900zm2.900 1.700.2 5.200h1l-.1-5.200zm2.800 0-.1 5.200h1l.2-5.200z",
  up: "M8 4.200 13.200 10l-1.100 1L8 6.400 3.900 11l-1.100-1z",
  down: "M8 11.800 2.800 6l1.100-1L8 9.600 12.100 5l1.100 1z",
  reset: "M4.300 4.300A5.200 5.200 0 1 1 2.800 8.600h1.700A3.500 3.500 0 1 0 5.500 5.500L7.200 7.200H2.500V2.500z",
  search:
    "M6.800 1.800a5 5 0 0 1 4 8l3.500 3.500-1.100 1.100-3.500-3.500a5 5 0 1 1-2.900-9.100zm0 1.600a3.400 3.400 0 1 0 0 6.800 3.400 3.400 0 0 0 0-6.800z",
  log: "M2 2.500h12v9H8.500L5 14.500v-3H2zm2 2.200v1.300h8V4.700zm0 2.900v1.300h5.500V7.600z",
  world:
    "M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zm-.7 1.700C6 4 5.200 5.600 5 7.300h2.300zm1.400 0v4.100H11C10.800 5.600 10 4 8.700 3.200zM5 8.700c.2 1.700 1 3.300 2.300 4.100V8.700zm3.700 0v4.100c1.300-.8 2.100-2.400 2.300-4.100zM4 5a5 5 0 0 0-.9 2.300h.5A9 9 0 0 1 4 5zm8 0c.2.700.4 1.500.4 2.300h.5A5 5 0 0 0 12 5zM3.100 8.700A5 5 0 0 0 4 11a9 9 0 0 1-.4-2.300zm9.300 0A9 9 0 0 1 12 11a5 5 0 0 0 .9-2.300z",
  material:
    "M8 1.800a6.200 6.200 0 1 1 0 12.400A6.200 6.200 0 0 1 8 1.800zM5.900 4.300a2 2 0 0 0-1.400 1.900c0 .6.600.6.800 0 .3-.9.900-1.300 1.600-1.500.5-.2.100-.7-1-.4z",
  body: "M8 1.500 14 4.800v6.400l-6 3.300-6-3.300V4.800z",
  pin: "M5 1.500h6v1.400l-1 .8v3.500l2 2v1.300H8.700v4L8 15.500l-.7-1v-4H4V9.200l2-2V3.700l-1-.8z",
  force:
    "M1.500 4.500h8.300L8 2.700 9.100 1.600 13 5.300 9.100 9 8 7.900l1.800-1.800H1.500zm1.800 5.400h6.500L8 8.100M3.300 11h7.200l-1.400-1.400 1-1 3.100 3-3.100 3-1-1 1.400-1.400H3.300z",
  blast:
    "M8 .8 9.400 5l3.800-2.200L11 6.600l4.200 1.400L11 9.400l2.200 3.800L9.400 11 8 15.200 6.600 11l-3.800 2.200L5 9.400.8 8 5 6.600 2.800 2.800 6.600 5z",
  clock:
    "M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zm0 1.600a4.900 4.900 0 1 0 0 9.800 4.900 4.900 0 0 0 0-9.800zM7.300 4.500h1.400v3.200l2.300 1.400-.7 1.200-3-1.800z",
  group: "M1.500 3h5l1.400 1.600h6.600v8.900h-13z",
  stop: "M3.500 3.500h9v9h-9z",
  restart: "M2.500 3H4v10H2.500zM13 3v10L5 8z",
  stepOn: "M3 3v10l7-5zM11.500 3H13v10h-1.500z",
  open: "M1.500 3h4.700l1.400 1.600h5.900V6H4.800l-1.700 5.800L1.500 13zM5.700 7.200h9.500L13 13H3.900z",
  save: "M2 2h9.300L14 4.700V14H2zm2.500 1.500v3h6v-3zM8 8.300a2.100 2.100 0 1 0 0 4.200 2.100 2.100 0 0 0 0-4.200z",
  export: "M8 1 12 5h-2.800v5H6.800V5H4zM2 9h1.800v3.700h8.400V9H14v5.500H2z",
  link: "M6.500 9.500 9.500 6.500M6.900 4.600l1.600-1.600a3.100 3.100 0 0 1 4.500 4.500L11.400 9.100l-1.100-1.100L11.900 6.400A1.600 1.600 0 0 0 9.600 4.100L8 5.700zM9.100 11.400 7.500 13A3.100 3.100 0 0 1 3 8.500l1.600-1.600L5.700 8 4.100 9.600a1.600 1.600 0 0 0 2.300 2.300L8 10.300z",
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

/** Hands a file to the person: the browser keeps it where it keeps downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
