import type { Mesh } from "./recording";

/**
 * A mesh whose edges are no longer than `longest` (m): longer ones are halved, again and again, both triangles at an edge
 * alike, so that it stays closed. Stops when there would be more than `most` triangles. Crack faces stay behind.
 */
export function refined(mesh: Mesh, longest: number, most: number): Mesh {
  let { positions, triangles, outside } = mesh;
  for (;;) {
    const halves = new Map<number, number>(); // middle of an edge, by its ends
    const points = Array.from(positions);
    const vertices = positions.length / 3;
    const middle = (a: number, b: number): number | undefined => {
      const square =
        (points[3 * a]! - points[3 * b]!) ** 2 +
        (points[3 * a + 1]! - points[3 * b + 1]!) ** 2 +
        (points[3 * a + 2]! - points[3 * b + 2]!) ** 2;
      if (square <= longest * longest) return undefined;
      const key = Math.min(a, b) * vertices + Math.max(a, b);
      let at = halves.get(key);
      if (at === undefined) {
        halves.set(key, (at = points.length / 3));
        for (let k = 0; k < 3; ++k) points.push(0.5 * (points[3 * a + k]! + points[3 * b + k]!));
      }
      return at;
    };
    const made: number[] = [];
    let madeOutside = 0;
    for (let t = 0; t < triangles.length; t += 3) {
      if (t === 3 * outside) madeOutside = made.length / 3;
      split([triangles[t]!, triangles[t + 1]!, triangles[t + 2]!], middle, made);
    }
    if (3 * outside >= triangles.length) madeOutside = made.length / 3;
    if (halves.size === 0 || made.length > 3 * most) return { positions, triangles, outside };
    positions = Float32Array.from(points);
    triangles = Uint32Array.from(made);
    outside = madeOutside;
  }
}

/** A triangle with some of its edges halved, as one to four. */
function split(corners: readonly [number, number, number], middle: (a: number, b: number) => number | undefined, made: number[]): void {
  const halves = corners.map((corner, i) => middle(corner, corners[(i + 1) % 3]!));
  const count = halves.filter((half) => half !== undefined).length;
  if (count === 0) {
    made.push(...corners);
    return;
  }
  // turned so that the first edge is halved, and with two the last is not
  let turn = 0;
  while (halves[turn] === undefined || (count === 2 && halves[(turn + 1) % 3] === undefined)) ++turn;
  const [a, b, c] = [0, 1, 2].map((i) => corners[(turn + i) % 3]!) as [number, number, number];
  const [ab, bc, ca] = [0, 1, 2].map((i) => halves[(turn + i) % 3]) as [number, number | undefined, number | undefined];
  if (bc === undefined) made.push(a, ab, c, ab, b, c);
  else if (ca === undefined) made.push(ab, b, bc, a, ab, bc, a, bc, c);
  else made.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
}
