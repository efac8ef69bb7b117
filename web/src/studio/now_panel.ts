import { digits, mass, plural } from "../core/format";
import { childrenOf, type Body } from "../core/recording";
import type { Json, JsonObject } from "../server/contract";
import { rotated, written, type Quaternion } from "../server/rotations";
import type { Stage } from "../stage/contract";
import { el, section } from "../ui/dom";
import { NumberInput } from "./inputs";
import type { NumberType } from "./schema";

type Part = "position" | "rotation" | "velocity" | "angular_velocity";
const PARTS: readonly (readonly [Part, string, string])[] = [
  ["position", "Position", "m"],
  ["rotation", "Rotation", "°"],
  ["velocity", "Velocity", "m/s"],
  ["angular_velocity", "Spin", "rad/s"],
];
const ANY = (unit: string): NumberType => ({
  kind: "number",
  integer: false,
  minimum: -Infinity,
  maximum: Infinity,
  openBelow: false,
  unit,
});

/** The selected body as it is in the frame shown. What is changed here becomes a timed action of the scene. */
export class NowPanel {
  readonly element: HTMLElement;
  private readonly title = el("span", {});
  private readonly facts = el("dl", { class: "facts" });
  private readonly inputs = new Map<Part, NumberInput[]>();
  private readonly values = new Map<Part, readonly number[]>(); // as far as known
  private readonly push: NumberInput[];
  private readonly impulse = [0, 0, 0];
  private body: Body | undefined;

  constructor(
    private readonly stage: Stage,
    private readonly actions: { act(label: string, action: JsonObject): void; complain(error: unknown): void },
  ) {
    const rows = PARTS.map(([part, label, unit]) => this.row(part, label, unit));
    this.push = [0, 1, 2].map((k) => this.number(ANY("N s"), `Impulse ${"xyz"[k]}`, (value) => (this.impulse[k] = value)));
    const send = el("button", { type: "button", class: "text-button small" }, "Push");
    send.addEventListener("click", () => this.act({ type: "push", impulse: [...this.impulse] }));
    const pushRow = el(
      "div",
      { class: "field" },
      el(
        "span",
        { class: "field-label", title: "N s, at the centre of mass, in this frame" },
        "Impulse",
        el("span", { class: "label-unit" }, "N s"),
      ),
      el("div", { class: "field-control" }, this.vector(this.push), send),
    );
    const part = section(
      "",
      true,
      this.facts,
      el("p", { class: "hint" }, "Changes here happen at this frame, as actions of the scene."),
      ...rows,
      pushRow,
    );
    part.querySelector("summary")!.prepend(this.title);
    part.classList.add("now");
    this.element = part;
  }

  show(body: Body | undefined): void {
    this.body = body;
    this.element.hidden = body === undefined;
    if (body) this.refresh();
  }

  /** Another frame. */
  refresh(): void {
    const { body } = this;
    if (!body) return;
    const { player, recording } = this.stage;
    const frame = player.frame;
    const alive = body.track.samples > 0 && body.born <= frame && frame < body.died;
    this.title.textContent = `${body.name} in frame ${frame}`;
    const pieces = childrenOf(recording, body.id).length;
    const facts: [string, string][] = [
      ["Mass", body.kind === "static" ? "fixed" : mass(body.mass)],
      [
        "State",
        alive
          ? "there"
          : frame < body.born
            ? `appears in frame ${body.born}`
            : `broke in frame ${body.died}${pieces > 0 ? ` into ${plural(pieces, "piece")}` : ""}`,
      ],
    ];
    if (alive) {
      const speed = body.track.speed(frame, recording.dt);
      facts.push(["Speed", `${digits(speed)} m/s`], ["Momentum", body.kind === "static" ? "–" : `${digits(speed * body.mass)} N s`]);
    }
    this.facts.replaceChildren(
      ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", { "data-fact": name.toLowerCase() }, value)]),
    );
    for (const row of this.element.querySelectorAll<HTMLElement>(".field"))
      row.classList.toggle("unavailable", !alive || body.kind === "static");
    if (!alive) return;
    const pose = new Float32Array(7);
    body.track.sample(frame, pose);
    const q: Quaternion = [pose[3]!, pose[4]!, pose[5]!, pose[6]!];
    const offset = rotated(q, body.centre);
    const noise = 1e-6 * Math.hypot(pose[0]!, pose[1]!, pose[2]!, ...body.centre); // of single precision
    this.set(
      "position",
      [0, 1, 2].map((k) => pose[k]! - offset[k]!),
      noise,
    );
    this.set("rotation", written(q, "angles") as number[]);
    this.set("velocity", this.velocity(body, frame, pose));
    this.inputs.get("angular_velocity")!.forEach((input) => input.show(undefined, undefined, false)); // frames do not have it
    this.push.forEach((input) => input.show(undefined, 0, true));
  }

  private velocity(body: Body, frame: number, pose: Float32Array): number[] {
    const { dt } = this.stage.recording;
    const before = new Float32Array(7);
    if (frame - 1 < body.born || frame === this.stage.recording.firstFrame) return [0, 0, 0];
    body.track.sample(frame - 1, before);
    return [0, 1, 2].map((k) => (pose[k]! - before[k]!) / dt);
  }

  /** What is smaller than `noise` is nothing. */
  private set(part: Part, values: readonly number[], noise = 0): void {
    const clean = values.map((value) => (Math.abs(value) <= noise ? 0 : value));
    this.values.set(part, clean);
    this.inputs.get(part)!.forEach((input, k) => input.show(Number(clean[k]!.toPrecision(5)), undefined, false));
  }

  private row(part: Part, label: string, unit: string): HTMLElement {
    const inputs = [0, 1, 2].map((k) => this.number(ANY(unit), `${label} now ${"xyz"[k]}`, (value) => this.changePart(part, k, value)));
    this.inputs.set(part, inputs);
    return el(
      "div",
      { class: "field" },
      el("span", { class: "field-label" }, label, el("span", { class: "label-unit" }, unit)),
      el("div", { class: "field-control" }, this.vector(inputs)),
    );
  }

  private vector(inputs: readonly NumberInput[]): HTMLElement {
    return el(
      "div",
      { class: "vector" },
      ...inputs.map((input, k) =>
        el("span", { class: `axis axis-${"xyz"[k]}` }, el("span", { class: "axis-name", "aria-hidden": "true" }, "xyz"[k]!), input.element),
      ),
    );
  }

  private number(type: NumberType, label: string, commit: (value: number) => void): NumberInput {
    const take = (value: Json): void => {
      if (typeof value === "number") commit(value);
    };
    const refuse = (text: string): void => this.actions.complain(new Error(`“${text}” is no number.`));
    return new NumberInput(
      type,
      false,
      { commit: take, drag: () => undefined, clear: () => this.refresh(), refuse, restore: () => this.refresh() },
      { "aria-label": label },
    );
  }

  private changePart(part: Part, k: number, value: number): void {
    const now = [...(this.values.get(part) ?? [0, 0, 0])];
    now[k] = value;
    this.values.set(part, now);
    this.act({ type: "place", [part]: now });
  }

  private act(what: JsonObject): void {
    if (!this.body) return;
    this.actions.act(`${what["type"] === "push" ? "Push" : "Change"} ${this.body.name}`, { ...what, body: this.body.name });
  }
}
