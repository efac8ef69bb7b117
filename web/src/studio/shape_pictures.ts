const SVG = "http://www.w3.org/2000/svg";

/** What shapes look like from the side, in 16 by 16 units: lines, so that they go with any colours. */
const LINES: Readonly<Record<string, string>> = {
  vase: "M6 2h4M6.500 2C7 5 4 6 4 10c0 2 1 4 2 4h4c1 0 2-2 2-4 0-4-3-5-2.500-8",
  bowl: "M2 6h12c0 4-3 7-6 7S2 10 2 6z",
  plate: "M1 8h14c-1 2-3 3-4 3H5c-1 0-3-1-4-3z",
  goblet: "M4 2h8c0 4-2 6-4 6S4 6 4 2zM8 8v5M5 14h6",
  wine_glass: "M5 1.500h6c1 4-1 6-3 6s-4-2-3-6zM8 7.500V13M5 14h6",
  mug: "M2.500 3h8v9a2 2 0 0 1-2 2h-4a2 2 0 0 1-2-2zM10.500 5c4.500 0 4.500 6 0 6",
  bottle: "M6.500 1.500h3V6C9.500 7.500 11 7.500 11 9v5.500H5V9c0-1.500 1.500-1.500 1.500-3z",
  hollow_sphere: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  mushroom: "M2 8c0-8 12-8 12 0zM6 8v6h4V8",
  shelf: "M3 1.500h10v13H3zM3 5.800h10M3 10.200h10",
  table: "M1 5h14M3 5v9M13 5v9",
  wall: "M1 4h14v9H1z",
  brick_wall: "M1 3h14v10H1zM1 6.300h14M1 9.600h14M6 3v3.300M11 3v3.300M3.500 6.300v3.300M8.500 6.300v3.300M6 9.600V13M11 9.600V13",
  pane: "M3 2h10v12H3zM5 10l5-6M7 12l4-5",
  pillar: "M5 3v10h6V3M3.500 2h9M3.500 14h9",
  fluted_column: "M5 3v10h6V3M7 3v10M9 3v10M3.500 2h9M3.500 14h9",
  figure: "M8 1.500a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM8 5.500V10M4 7h8M8 10l-3 4.500M8 10l3 4.500",
  animal: "M3 13V8h9v5M6 13v-2M10 13v-2M12 8l2-4M3 8 1.500 6",
  boat: "M1 9h14l-3 4H4zM8 9V2l4 5",
  box: "M2 5l6-3 6 3v6l-6 3-6-3zM2 5l6 3 6-3M8 8v6",
  rounded_box: "M5 3h6a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z",
  sphere: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM2 8c3 2 9 2 12 0",
  ellipsoid: "M8 4c4 0 6.500 2 6.500 4S12 12 8 12 1.500 10 1.500 8 4 4 8 4z",
  cylinder: "M3 4c0-2.500 10-2.500 10 0v8c0 2.500-10 2.500-10 0zM3 4c0 2.500 10 2.500 10 0",
  cone: "M8 1.500 3 12c0 2.500 10 2.500 10 0z",
  capsule: "M5 5a3 3 0 0 1 6 0v6a3 3 0 0 1-6 0z",
  torus: "M8 4c4 0 6.500 2 6.500 4S12 12 8 12 1.500 10 1.500 8 4 4 8 4zM5 8c1 1.300 5 1.300 6 0",
  prism: "M4 3h8l2 5-2 5H4L2 8z",
  star: "M8 1.500l2 4.500 4.500.5-3.400 3 1 4.700L8 11.800l-4.100 2.400 1-4.700-3.400-3L6 6z",
  moebius_band: "M2 8c0-5 12-5 12 0s-12 5-12 0c0-2 6-2 8 0s4 2 4 0",
  gyroid_block: "M2 2h12v12H2zM2 6c3-3 5 3 12 0M2 11c4 3 7-3 12 0",
  plane: "M1 11l4-5h10l-4 5z",
};
const OTHER = "M8 2l6 6-6 6-6-6z";

export function shapePicture(name: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("shape-picture");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", LINES[name] ?? OTHER);
  svg.append(path);
  return svg;
}
