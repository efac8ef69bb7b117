/** A line of numbers over the picture: what is being edited and by how much. */
export class Readout {
  readonly element = document.createElement("output");

  constructor(host: HTMLElement) {
    this.element.className = "stage-readout";
    this.element.hidden = true;
    Object.assign(this.element.style, {
      position: "absolute",
      left: "50%",
      bottom: "14px",
      transform: "translateX(-50%)",
      padding: "6px 12px",
      borderRadius: "7px",
      background: "color-mix(in srgb, var(--surface, #202226) 88%, transparent)",
      color: "var(--text, #fff)",
      font: "12px/1.4 system-ui, sans-serif",
      fontVariantNumeric: "tabular-nums",
      whiteSpace: "pre",
      pointerEvents: "none",
    });
    host.append(this.element);
  }

  show(what: string, numbers = ""): void {
    const text = numbers === "" ? what : `${what}   ${numbers}`;
    if (this.element.textContent !== text) this.element.textContent = text;
    this.element.hidden = false;
  }

  hide(): void {
    this.element.hidden = true;
  }
}
