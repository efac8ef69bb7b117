const PREFIXES: readonly (readonly [number, string])[] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
];

/** Three digits: 12.3, 0.0123, 1230. */
export function digits(value: number, count = 3): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(Number(value.toPrecision(count))); // as it will be shown: 0.9999 is 1.00
  if (size >= 1e6 || size < 1e-4) return value.toExponential(count - 1).replace("e+", "e");
  const decimals = Math.max(0, count - 1 - Math.floor(Math.log10(size)));
  return value.toFixed(Math.min(decimals, 12));
}

/** With a prefix that keeps it short: 12.3 kJ. */
export function quantity(value: number, unit: string): string {
  if (value === 0) return `0 ${unit}`;
  const size = Math.abs(value);
  const [factor, prefix] = PREFIXES.find(([least]) => size >= least * 0.9995) ?? [1, ""];
  return `${digits(value / factor)} ${prefix}${unit}`;
}

/** kg, and t or g and below. */
export function mass(kilograms: number): string {
  if (kilograms >= 1000) return `${digits(kilograms / 1000)} t`;
  return kilograms >= 1 || kilograms === 0 ? `${digits(kilograms)} kg` : quantity(kilograms * 1000, "g");
}

/** m³, litres or cm³. */
export function volume(cubicMetres: number): string {
  if (cubicMetres >= 0.1 || cubicMetres === 0) return `${digits(cubicMetres)} m³`;
  return cubicMetres >= 1e-3 ? `${digits(cubicMetres * 1e3)} l` : `${digits(cubicMetres * 1e6)} cm³`;
}

export function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
