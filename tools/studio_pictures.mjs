#!/usr/bin/env node
// The pictures of Studio and of a replay in the docs, made in Chromium with the program and the pages that are built:
//     node tools/studio_pictures.mjs OUT      a minute or two; OUT/*.jpg go into docs/pictures
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { ask, launch, openPage, openStudio, root, StudioProgram, sunder, untilIn, web } from "../web/tests/harness.mjs";

if (process.argv.length !== 3) {
  console.error("node tools/studio_pictures.mjs OUT");
  process.exit(2);
}
const out = resolve(process.argv[2]);
mkdirSync(out, { recursive: true });

const browser = await launch();
const folder = mkdtempSync(join(tmpdir(), "sunder-pictures-"));
for (const scene of ["web/tests/struck_beam.json", "scenes/demo-ball-through-wall.json"])
  copyFileSync(join(root, scene), join(folder, scene.endsWith("beam.json") ? "beam.json" : "wall.json"));
const program = new StudioProgram(folder);

/** As it is when nothing moves any more: until then the picture may be coarse. */
async function keep(page, name) {
  await page.waitForTimeout(1000);
  await untilIn(page, "(studio ?? window.sunderReplay).viewport?.settled ?? studio.stage.viewport.settled");
  const picture = join(folder, `${name}.png`);
  await page.screenshot({ path: picture });
  execFileSync("ffmpeg", ["-v", "error", "-y", "-i", picture, "-q:v", "4", join(out, `${name}.jpg`)]);
  console.log(join(out, `${name}.jpg`));
}

/** A vase on a table: selected, then struck. */
async function vase(address) {
  const page = await openStudio(browser, address);
  const until = (code, value) => untilIn(page, code, value);
  const there = (name) => until("studio.stage.complete && studio.stage.recording.bodies.some((body) => body.name === value)", name);
  await page.getByRole("button", { name: "Add a table" }).click();
  await there("table");
  await page.getByRole("button", { name: "Add", exact: true }).last().click();
  await page.getByRole("menuitem", { name: "Vase" }).click();
  await there("vase");
  await page.keyboard.press("f");
  await keep(page, "studio-selected");

  // a ball at the vase; some frames later it is in the air
  await page.keyboard.press("b");
  const box = await page.locator(".canvas-host canvas").boundingBox();
  const at = await ask(page, "studio.stage.viewport.pixelOf(studio.stage.recording.bodies.findLast((body) => body.name === 'vase').id)");
  await page.mouse.click(box.x + at.x, box.y + at.y);
  await until("studio.store.status.take.state === 'done'");
  const [event] = await ask(page, "studio.stage.recording.events.filter((event) => event.kind === 'fracture').map((event) => event.frame)");
  await ask(page, "studio.stage.seek(value)", event + 4);
  await page.waitForTimeout(500);
  await page.mouse.move(box.x + box.width - 40, box.y + box.height - 40);
  await keep(page, "studio");
  await page.context().close();
}

/** A beam of concrete as it was when it broke, cut open. */
async function stress(address) {
  const page = await openStudio(browser, address);
  const until = (code, value) => untilIn(page, code, value);
  await ask(page, "studio.store.command('open', { path: 'beam.json', discard: true })");
  await until("studio.stage.recording.bodies.some((body) => body.name === 'beam')");
  await page.keyboard.press("Control+Enter");
  await until("studio.store.status.take.state === 'done' && studio.stage.recording.events.some((event) => event.stress)");
  for (const key of ["Home", "]", "h", "s", "z"]) await page.keyboard.press(key);
  await page.getByRole("tab", { name: "View" }).click();
  await page.getByRole("radiogroup", { name: "Slice axis" }).getByRole("radio", { name: "Z" }).click();
  await page.getByRole("tab", { name: "Take" }).click();
  await page.getByRole("switch", { name: "Principal directions" }).click();
  await until("studio.stage.viewport.stress !== undefined");
  await keep(page, "studio-stress");
  await page.context().close();
}

/** A ball through a wall, as a file that any browser opens. */
async function replay() {
  const run = (...command) => execFileSync(sunder, command, { stdio: "ignore", env: { ...process.env, SUNDER_WEB: web } });
  run("run", join(folder, "wall.json"), "-o", join(folder, "wall.sunder"));
  run("export", join(folder, "wall.sunder"), "-o", join(folder, "wall.html"));
  const page = await openPage(browser, pathToFileURL(join(folder, "wall.html")).href);
  await page.waitForFunction(() => window.sunderReplay?.viewport?.settled);
  await page.evaluate(() => window.sunderReplay.watch.seek(20));
  await keep(page, "replay");
  await page.context().close();
}

try {
  const address = await program.start();
  await vase(address);
  await stress(address);
  await replay();
} finally {
  await browser.close();
  await program.end();
  rmSync(folder, { recursive: true, force: true });
}
