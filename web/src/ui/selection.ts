import { digits, mass, plural, seconds, volume } from "../core/format";
import type { Body, Recording } from "../core/recording";
import { childrenOf } from "../core/recording";
import { el, iconButton } from "./dom";

export interface SelectionActions {
  select(body: number): void;
  step(direction: -1 | 1): void;
  frame(): void;
  clear(): void;
}

/** The numbers of one body. */
export class SelectionPanel {
  readonly element: HTMLElement;
  private readonly body = el("div", {});
  private speed: HTMLElement | undefined;
  private current: Body | undefined;

  constructor(
    private readonly recording: Recording,
    private readonly actions: SelectionActions,
  ) {
    const tools = el(
      "div",
      { class: "row tools" },
      iconButton("previous", "Previous piece", "J", () => actions.step(-1)),
      iconButton("next", "Next piece", "K", () => actions.step(1)),
      iconButton("focus", "Bring into view", "F", () => actions.frame()),
      iconButton("close", "Clear selection", "Esc", () => actions.clear()),
    );
    this.element = el("div", { class: "selection" }, this.body, tools);
    this.show(undefined);
  }

  show(body: Body | undefined): void {
    this.current = body;
    this.element.classList.toggle("empty", body === undefined);
    if (body === undefined) {
      this.body.replaceChildren(el("p", { class: "hint" }, "Click a piece to see its numbers."));
      return;
    }
    this.speed = el("dd", { "data-fact": "speed" });
    const rows: [string, Node][] = [
      ["Mass", fact("mass", body.kind === "static" ? "fixed" : mass(body.mass))],
      ["Volume", fact("volume", volume(body.volume))],
      ["Speed", this.speed],
      ["Born", fact("born", this.momentText(body.born))],
      ["Gone", fact("gone", Number.isFinite(body.died) ? this.momentText(body.died) : "never")],
      ["Parent", this.parentFact(body)],
      ["Pieces", this.piecesFact(body)],
      ["Material", fact("material", this.materialText(body))],
    ];
    this.body.replaceChildren(
      this.path(body),
      el("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [el("dt", {}, name), value])),
    );
  }

  update(frame: number): void {
    if (!this.current || !this.speed) return;
    const alive = frame >= this.current.born && frame < this.current.died;
    this.speed.textContent = alive ? `${digits(this.current.track.speed(frame, this.recording.dt))} m/s` : "not there now";
  }

  private momentText(frame: number): string {
    return `frame ${frame} · ${seconds(frame * this.recording.dt)}`;
  }

  private materialText(body: Body): string {
    const look = this.recording.looks[body.look];
    if (!look) return "–";
    const named = look.name !== "" && !look.name.startsWith("/");
    return named && look.name !== look.kind ? `${look.name} (${look.kind})` : look.kind;
  }

  /** The name, with every ancestor to be clicked. */
  private path(body: Body): HTMLElement {
    const chain: Body[] = [];
    for (let at: Body | undefined = body; at; at = this.recording.bodies[at.parent]) chain.unshift(at);
    const path = el("p", { class: "path", "data-fact": "name", title: body.name });
    chain.forEach((one, i) => {
      const above = chain[i - 1];
      const own = above ? one.name.slice(above.name.length + 1) : one.name;
      if (above) path.append(el("span", { class: "slash" }, "/"));
      path.append(one === body ? el("strong", {}, own) : this.link(one.id, own));
    });
    return path;
  }

  private parentFact(body: Body): HTMLElement {
    const parent = this.recording.bodies[body.parent];
    if (!parent) return fact("parent", "none: from the scene");
    const siblings = childrenOf(this.recording, parent.id).length - 1;
    return el("dd", { "data-fact": "parent" }, this.link(parent.id, parent.name), ` · ${plural(siblings, "sibling")}`);
  }

  private piecesFact(body: Body): HTMLElement {
    const children = childrenOf(this.recording, body.id).length;
    return fact("pieces", children > 0 ? `broke into ${children}` : body.method ? "whole" : "never breaks");
  }

  private link(id: number, text: string): HTMLButtonElement {
    const button = el("button", { type: "button", class: "link", title: "Show it, or what is left of it" }, text);
    button.addEventListener("click", () => this.actions.select(id));
    return button;
  }
}

function fact(name: string, text: string): HTMLElement {
  return el("dd", { "data-fact": name }, text);
}
