import { el } from "../ui/dom";
import { Dialog } from "./dialog";

/** What a 1 in a mesh file may be; `key` as scenes have it. */
export interface Unit {
  readonly key: "m" | "cm" | "mm" | "in";
  readonly label: string;
  readonly metres: number;
}

export const UNITS: readonly Unit[] = [
  { key: "m", label: "metres", metres: 1 },
  { key: "cm", label: "centimetres", metres: 0.01 },
  { key: "mm", label: "millimetres", metres: 0.001 },
  { key: "in", label: "inches", metres: 0.0254 },
];
export const METRES = UNITS[0]!;

const LARGEST = 20; // m: what is larger was hardly meant so
const SMALLEST = 0.001; // m

/** In metres it would be larger, or smaller, than what people break. `size`: of its box, by axis. */
export function isDoubtful(size: readonly number[]): boolean {
  const longest = Math.max(...size);
  return longest > LARGEST || (longest > 0 && longest < SMALLEST);
}

/** The unit that gives the most usual size: nearest to 30 cm, by ratio. */
export function likelyUnit(size: readonly number[]): Unit {
  const longest = Math.max(...size);
  const oddness = (unit: Unit): number => Math.abs(Math.log((longest * unit.metres) / 0.3));
  return UNITS.reduce((best, unit) => (oddness(unit) < oddness(best) ? unit : best));
}

/** "12 × 8.5 × 30 cm" */
export function sizeText(size: readonly number[], unit: Unit): string {
  const metres = size.map((length) => length * unit.metres);
  const longest = Math.max(...metres);
  const [name, scale] =
    longest >= 1000 ? ["km", 1e-3] : longest >= 1 ? ["m", 1] : longest >= 0.01 ? ["cm", 100] : longest >= 1e-4 ? ["mm", 1000] : ["µm", 1e6];
  return `${metres.map((length) => Number((length * scale).toPrecision(3))).join(" × ")} ${name}`;
}

/** What a 1 in the file is; undefined: it shall not be added. */
export async function askForUnit(file: string, size: readonly number[]): Promise<Unit | undefined> {
  const likely = likelyUnit(size);
  let chosen: Unit | undefined;
  let marked = likely;
  const rows = UNITS.map((unit) => {
    const input = el("input", { type: "radio", name: "unit", value: unit.key, checked: unit === likely });
    input.addEventListener("change", () => (marked = unit));
    return el(
      "label",
      { class: "unit-row", "data-unit": unit.key },
      input,
      el("span", { class: "unit-name" }, unit.label),
      el("span", { class: "unit-size" }, sizeText(size, unit)),
    );
  });
  const dialog = new Dialog(
    "What unit is it in?",
    [
      el("p", {}, `${file} says no unit. In metres it would be ${sizeText(size, METRES)}, which is hardly meant.`),
      el("div", { class: "units", role: "radiogroup", "aria-label": "Unit of the mesh, with the size that it has then" }, ...rows),
    ],
    [{ label: "Leave it out" }, { label: "Add", primary: true, action: () => void (chosen = marked) }],
    "small",
  );
  await dialog.closed;
  return chosen;
}
