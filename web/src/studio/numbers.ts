import type { NumberType } from "./schema";

/** What a person types into a number field: a number, or a small sum: 2*0.3+1, (1/3)^2. NaN when it is neither. */
export function typedNumber(text: string): number {
  const tokens = text.replaceAll(",", ".").match(/\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|[-+*/^()]|\S/g) ?? [];
  let at = 0;
  const atom = (): number => {
    const token = tokens[at++];
    if (token === "-") return -power();
    if (token === "+") return power();
    if (token === "(") {
      const value = sum();
      return tokens[at++] === ")" ? value : NaN;
    }
    return token !== undefined && /^[\d.]/.test(token) ? Number(token) : NaN;
  };
  const power = (): number => {
    const base = atom();
    if (tokens[at] !== "^") return base;
    ++at;
    return base ** power();
  };
  const product = (): number => {
    let value = power();
    while (tokens[at] === "*" || tokens[at] === "/") value = tokens[at++] === "*" ? value * power() : value / power();
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-") value = tokens[at++] === "+" ? value + product() : value - product();
    return value;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : NaN;
}

/** As short as it can be without becoming another number; 0.1 + 0.2 is 0.3. */
export function numberText(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** One notch of an arrow key: a tenth of the size the number has, never finer than 1 for whole ones. */
export function stepOf(value: number, type: NumberType): number {
  if (type.integer) return 1;
  if (value === 0) return type.maximum - type.minimum <= 2 ? 0.01 : 0.1;
  const size = Math.max(Math.abs(value), 1e-3);
  return 10 ** Math.max(Math.floor(Math.log10(size)) - 1, -4);
}

/** So many notches on, within what is allowed, rounded to the notch. */
export function stepped(value: number, notches: number, type: NumberType, step = stepOf(value, type)): number {
  const next = Math.round((value + notches * step) / step) * step;
  const least = type.openBelow ? type.minimum + step * 1e-3 : type.minimum;
  const within = Math.min(Math.max(next, least), type.maximum);
  return Number(within.toPrecision(12));
}
