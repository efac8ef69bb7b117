// Studio as a person meets it: the real `sunder studio`, in Debian's Chromium. Needs SUNDER (the program), the built page
// (SUNDER_WEB or web/dist) and chromium; pictures go to SUNDER_SCREENSHOTS. `./dev test` sets all of it.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { ask, complaints, launch, openStudio, patience, pictures, root, StudioProgram, untilIn, violationsOn } from "./harness.mjs";

/** A cube of 1 m without its top and with one side the wrong way round. */
const BROKEN = `v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 0 1 0\nv 1 1 0\nv 1 1 1\nv 0 1 1
f 1 2 3\nf 1 3 4\nf 1 5 6\nf 1 6 2\nf 2 6 7\nf 2 7 3\nf 3 7 8\nf 3 8 4\nf 4 5 8\nf 4 1 5\n`;

let folder;
let program;
let address;
let browser;
let page;

const open = (options) => openStudio(browser, address, options);
const studio = (code, value) => ask(page, code, value);
const until = (code, value) => untilIn(page, code, value);
const documentNow = () => studio("studio.store.document");
const row = (name) => page.locator(".tree-row", { has: page.locator(".tree-label", { hasText: new RegExp(`^${name}$`) }) }).first();
const field = (pointer) => page.locator(`[data-pointer="${pointer}"]`).first();
const drawn = (opened = page) => untilIn(opened, "studio.stage.complete && studio.stage.viewport.settled");

async function keep(name, opened = page) {
  await drawn(opened);
  await opened.screenshot({ path: join(pictures, `studio-${name}.png`) });
}

/** Where a body of the take is on the page. */
async function pixelOf(name) {
  await drawn();
  const at = await studio("studio.stage.viewport.pixelOf(studio.stage.recording.bodies.findLast((body) => body.name === value).id)", name);
  const box = await page.locator(".canvas-host canvas").boundingBox();
  return { x: box.x + at.x, y: box.y + at.y };
}

/** A place where a body is seen; its middle may be in the air. */
async function pixelOn(name) {
  await drawn();
  const box = await page.locator(".canvas-host canvas").boundingBox();
  for (let y = 150; y < box.height; y += 20) {
    for (let x = 20; x < box.width; x += 20) {
      const found = await studio("studio.stage.recording.bodies[studio.stage.viewport.hitAt(value[0], value[1])?.body]?.name", [x, y]);
      if (found === name) return { x: box.x + x, y: box.y + y };
    }
  }
  throw new Error(`${name} is not to be seen`);
}

/** Takes what is at a place by the mouse, and lets it go elsewhere. */
async function dragFrom(at, x, y) {
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + x, at.y + y, { steps: 5 });
  await page.mouse.up();
}

const violations = (opened = page) => violationsOn(opened);

before(async () => {
  mkdirSync(pictures, { recursive: true });
  folder = mkdtempSync(join(tmpdir(), "sunder-studio-"));
  copyFileSync(join(root, "scenes/demo-ball-through-wall.json"), join(folder, "wall.json"));
  copyFileSync(join(root, "web/tests/struck_beam.json"), join(folder, "beam.json"));
  browser = await launch();
  program = new StudioProgram(folder);
  address = await program.start();
});

after(async () => {
  await browser?.close();
  await program?.end();
  rmSync(folder, { recursive: true, force: true });
});

describe("Studio", { timeout: 1_800_000 }, () => {
  it("opens with an empty scene and says what to do", async () => {
    page = await open();
    await page.getByText("Nothing to break yet").waitFor();
    assert.deepEqual(await violations(), []);
    await keep("empty");
  });

  it("opens the wall from the project folder", async () => {
    await page.keyboard.press("Control+o");
    await page.getByRole("option", { name: "wall.json" }).dblclick();
    await row("wall").waitFor();
    await until("studio.stage.complete && studio.stage.recording.bodies.some((body) => body.name === 'wall')");
    assert.match(await page.locator("h1").innerText(), /wall\.json/);
    await keep("wall-1280-dark");
  });

  it("refuses a bad value at its field, takes a good one, undoes and redoes it", async () => {
    await row("stone").click();
    const density = field("/materials/stone/density");
    const input = density.locator("input");
    assert.equal(await input.getAttribute("placeholder"), "2500"); // the default
    await input.click();
    await input.fill("-5");
    await input.press("Enter");
    await density.locator(".field-error:not([hidden])").waitFor();
    assert.match(await density.locator(".field-error").innerText(), /0/);
    assert.equal(await input.getAttribute("aria-invalid"), "true");
    assert.equal((await documentNow()).materials.stone.density, undefined);
    await keep("bad-value");
    await input.press("Escape");
    await density.locator(".field-error").waitFor({ state: "hidden" });

    await input.fill("heavy");
    await input.press("Enter");
    assert.match(await density.locator(".field-error").innerText(), /no number/);
    await input.fill("2000+600");
    await input.press("Enter");
    await until("studio.store.document.materials.stone.density === 2600");
    await page.getByRole("button", { name: "Undo" }).click();
    await until("studio.store.document.materials.stone.density === undefined");
    assert.equal(await input.inputValue(), "");
    await page.getByRole("button", { name: "Redo" }).click();
    await until("studio.store.document.materials.stone.density === 2600");
    assert.equal(await input.inputValue(), "2600");
    await density.getByRole("button", { name: /^Reset/ }).click();
    await until("studio.store.document.materials.stone.density === undefined");
  });

  it("makes one undo step of a value that is dragged, of one body and of two, however soon it is undone", async () => {
    const before = await documentNow();
    await row("wall").click();
    for (const others of [[], ["ball"]]) {
      for (const name of others) await row(name).click({ modifiers: ["Control"] });
      const input = field("/bodies/0/position").getByLabel("Position x");
      const box = await input.boundingBox();
      await page.mouse.move(box.x + 20, box.y + 10);
      await page.mouse.down();
      for (let x = 0; x <= 60; x += 6) await page.mouse.move(box.x + 20 + x, box.y + 10);
      await page.mouse.up();
      await page.keyboard.press("Control+z");
      await page.evaluate(() => window.sunderStudio.store.settled());
      assert.deepEqual(await documentNow(), before);
      await page.keyboard.press("Control+y");
      await page.evaluate(() => window.sunderStudio.store.settled());
      const moved = (await documentNow()).bodies.filter((body, i) => body.position?.[0] !== before.bodies[i].position?.[0]);
      assert.equal(moved.length, 1 + others.length);
      await page.keyboard.press("Control+z");
      await page.evaluate(() => window.sunderStudio.store.settled());
    }
    assert.deepEqual(await documentNow(), before);
  });

  it("finds properties by their name and description", async () => {
    await page.keyboard.press("Escape");
    await row("stone").click();
    const search = page.getByLabel("Find a property");
    await search.fill("bounce");
    assert.equal(await field("/materials/stone/density").isVisible(), false);
    assert.equal(await field("/materials/stone/restitution").isVisible(), true); // "0 = no bounce"
    await search.fill("");
  });

  it("runs 60 frames live and shows on the timeline what breaks", async () => {
    await page.locator(".run-button").click();
    await until("studio.store.status.take.last >= 60 && studio.stage.player.last >= 60");
    await until("studio.stage.recording.events.some((event) => event.kind === 'fracture')");
    await until("studio.store.status.take.state === 'done'");
    await page.getByRole("tab", { name: "Take" }).click();
    await page.locator(".event-row[data-kind=fracture]").first().waitFor();
    assert.match(await page.locator(".event-title").first().innerText(), /wall breaks into \d+ pieces/);
    await until("studio.stage.player.frame >= 60 && studio.stage.complete"); // the playhead followed
    const [, now] = /^(\d+) bodies/.exec(await page.locator(".overlay").first().innerText());
    const ever = await studio("studio.stage.recording.bodies.filter((body) => !body.halfSpace).length");
    assert.equal(
      await page
        .locator("dt", { hasText: /^Bodies$/ })
        .locator("+ dd")
        .innerText(),
      `${now} now, ${ever} ever`,
    );
    await keep("run");
  });

  it("scrubs back", async () => {
    const pieces = await studio("studio.stage.recording.bodies.filter((body) => body.mesh >= 0).length");
    assert.ok(pieces > 20, `${pieces} bodies`);
    await page.getByLabel("Frame", { exact: true }).focus();
    await page.keyboard.press("Home");
    await until("studio.stage.complete && studio.stage.player.frame === 0");
    assert.match(await page.locator(".overlay").first().innerText(), /2 bodies · 0 breaks/);
    await page.locator(".event-row[data-kind=fracture]").first().click();
    await until("studio.stage.complete && studio.stage.player.frame > 0");
    await page.getByLabel("Frame: go to").fill("0");
    await page.getByLabel("Frame: go to").press("Enter");
    await until("studio.stage.complete && studio.stage.player.frame === 0");
    await page.getByRole("tab", { name: "Properties" }).click();
  });

  it("takes a broken mesh, says what is wrong and repairs it", async () => {
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "crate.obj"));
      return transfer;
    }, BROKEN);
    await page.locator(".canvas-host canvas").focus();
    await page.keyboard.press("h"); // the scene's own view: beside the wall
    await drawn();
    const box = await page.locator(".canvas-host canvas").boundingBox();
    const at = { clientX: box.x + 0.22 * box.width, clientY: box.y + 0.8 * box.height };
    await page.dispatchEvent(".canvas-host canvas", "drop", { dataTransfer: data, ...at });
    const dialog = page.getByRole("dialog", { name: "This mesh has defects" });
    await dialog.waitFor();
    assert.ok((await dialog.locator(".defects li").count()) > 0);
    assert.deepEqual(await violations(), []);
    await page.screenshot({ path: join(pictures, "studio-defects.png") });
    await dialog.getByRole("button", { name: "Repair and add" }).click();
    await dialog.getByRole("alert").filter({ hasText: "the surface is open" }).waitFor(); // the missing top may be meant
    await page.screenshot({ path: join(pictures, "studio-defects-open.png") });
    await dialog.getByRole("button", { name: "Close openings and add" }).click();
    await row("crate").waitFor();
    await dialog.waitFor({ state: "detached" });
    await until("studio.stage.recording.bodies.some((body) => body.name === 'crate')");
    const crate = (await documentNow()).bodies.at(-1);
    assert.match(crate.mesh, /crate.*repaired/);
  });

  it("asks for the unit of a mesh that is hardly in metres, and shows what was added", async () => {
    const before = await documentNow();
    const times99 = (numbers) => numbers.split(" ").map((one) => 99 * Number(one));
    const big = BROKEN.replace(/^v (.*)$/gm, (_, numbers) => `v ${times99(numbers).join(" ")}`);
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "goblet.obj"));
      return transfer;
    }, big);
    await page.dispatchEvent(".canvas-host canvas", "drop", { dataTransfer: data });
    const defects = page.getByRole("dialog", { name: "This mesh has defects" });
    await defects.getByRole("button", { name: "Add as it is" }).click();
    const dialog = page.getByRole("dialog", { name: "What unit is it in?" });
    await dialog.getByText("9.9 × 9.9 × 9.9 cm").waitFor();
    assert.equal(await dialog.getByRole("radio", { checked: true }).getAttribute("value"), "mm");
    assert.deepEqual(await violations(), []);
    await page.screenshot({ path: join(pictures, "studio-unit.png") });
    await dialog.getByRole("button", { name: "Leave it out" }).click();
    await dialog.waitFor({ state: "detached" });
    await defects.waitFor({ state: "detached" });
    assert.deepEqual(await documentNow(), before);
    // the one that was repaired, in millimetres: the camera goes where it is
    await studio("void studio.add.meshes.path(value)", "meshes/goblet.obj");
    await defects.getByRole("button", { name: "Repair and add" }).click();
    await defects.getByRole("button", { name: "Close openings and add" }).click();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await until("studio.store.document.bodies.at(-1).name === 'goblet'");
    assert.equal((await documentNow()).bodies.at(-1).mesh.unit, "mm");
    await until("studio.stage.recording.bodies.some((body) => body.name === 'goblet') && studio.stage.complete");
    await until("studio.stage.viewport.cameras.distance < 1 && studio.stage.viewport.settled");
    await keep("unit-added");
    await page.locator(".canvas-host canvas").focus();
    await page.keyboard.press("Control+z");
    await until("studio.store.document.bodies.at(-1).name !== 'goblet'");
    assert.deepEqual(await documentNow(), before);
    await page.keyboard.press("h");
  });

  it("takes a volume for the body that is selected, and gives it up again", async () => {
    await row("crate").click();
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "weak.nrrd"));
      return transfer;
    }, "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 1 1 2\nencoding: ascii\n\n100 50\n");
    await page.dispatchEvent(".canvas-host canvas", "drop", { dataTransfer: data });
    await until("studio.store.document.bodies.at(-1).strength_volume?.file === 'volumes/weak.nrrd'");
    const pointer = `/bodies/${(await documentNow()).bodies.length - 1}/strength_volume`;
    await page.locator(`details[data-pointer="${pointer}"] > summary`).click();
    await page.getByRole("button", { name: "Remove strength volume" }).click();
    await until("studio.store.document.bodies.at(-1).strength_volume === undefined");
  });

  it("paints where it is weak", async () => {
    await row("crate").click();
    await page.keyboard.press("f"); // near enough to paint
    await page.locator(".canvas-host canvas").focus();
    await page.keyboard.press("p");
    const at = await pixelOf("crate");
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 25, at.y + 5, { steps: 4 });
    await page.mouse.up();
    await until("studio.store.document.bodies.at(-1).strength_paint !== undefined");
    await keep("paint");
    await page.keyboard.press("Control+z");
    await until("studio.store.document.bodies.at(-1).strength_paint === undefined");
    await page.keyboard.press("Control+y");
    await until("studio.store.document.bodies.at(-1).strength_paint !== undefined");
    await page.keyboard.press("q");
  });

  it("saves, and after a reload all is as it was", async () => {
    await page.keyboard.press("Control+s");
    await until("studio.store.status.document.saved");
    const before = await documentNow();
    assert.deepEqual(JSON.parse(readFileSync(join(folder, "wall.json"), "utf8")), before);
    await page.reload();
    await until("studio?.stage.complete && studio.store.version >= 0");
    assert.deepEqual(await documentNow(), before);
    assert.match(await page.locator("h1").innerText(), /wall\.json$/);
    await row("crate").waitFor();
  });

  it("throws a ball, and something breaks", async () => {
    await row("ball").click();
    await page.keyboard.press("Delete"); // nothing but the thrown one shall do it
    await until("!studio.store.names().has('ball')");
    await until("studio.stage.complete && !studio.stage.recording.bodies.some((body) => body.name === 'ball')");
    await page.keyboard.press("h");
    await page.locator(".canvas-host canvas").focus();
    await page.keyboard.press("b");
    await page.getByLabel("Radius").fill("0.3");
    await page.getByLabel("Speed", { exact: true }).fill("30");
    await keep("throw");
    const at = await pixelOf("wall");
    await page.mouse.move(at.x, at.y);
    await page.mouse.click(at.x, at.y);
    await until("studio.store.document.bodies.length > value", (await documentNow()).bodies.length - 1);
    await until("studio.stage.recording.events.some((event) => event.kind === 'fracture')");
    const [event] = await studio(
      "studio.stage.recording.events.filter((event) => event.kind === 'fracture').map((event) => ({ name: studio.stage.recording.bodies[event.body].name, point: event.point }))",
    );
    assert.equal(event.name, "wall");
    const undo = await studio("studio.store.status.document.undo");
    assert.match(undo, /[Tt]hrow/);
    await keep("thrown");
  });

  it("brings back what was seen when a throw is undone, and throws again", async () => {
    if (await studio("studio.run.isRunning")) await page.keyboard.press("Control+Enter");
    await until("studio.store.status.take.state !== 'running'");
    const thrown = await documentNow();
    for (let round = 0; round < 2; ++round) {
      await page.locator(".canvas-host canvas").focus();
      await page.keyboard.press("Control+z");
      await until("studio.store.status.take.state === 'still' && studio.stage.complete && studio.stage.player.last === 0");
      assert.equal(await studio("studio.stage.recording.events.length"), 0);
      await keep("undone");
      // moving works at once
      await row("wall").click();
      await page.locator(".canvas-host canvas").focus();
      await page.keyboard.press("w");
      await until("studio.stage.tools.move.controls.object !== undefined");
      await page.keyboard.press("q");
      // what was watched is one click away, and one back
      await page.getByRole("button", { name: "Show the take before" }).click();
      await until("studio.store.status.take.stale && studio.stage.recording.events.length > 0");
      await page.getByRole("button", { name: "Show the new start" }).click();
      await until("studio.store.status.take.state === 'still' && studio.stage.complete && studio.stage.player.last === 0");
      // done again it is what it was
      await page.locator(".canvas-host canvas").focus();
      await page.keyboard.press("Control+y");
      await until(
        "studio.store.status.take.state !== 'still' && studio.stage.recording.events.length > 0 && !studio.store.status.take.stale",
      );
      assert.deepEqual(await documentNow(), thrown);
    }
    await page.keyboard.press("Control+z");
    await until("studio.store.status.take.state === 'still' && studio.stage.complete && studio.stage.player.last === 0");
    await page.keyboard.press("b");
    const at = await pixelOf("wall");
    await page.mouse.move(at.x, at.y);
    await page.mouse.click(at.x, at.y);
    await until("studio.stage.recording.events.some((event) => event.kind === 'fracture')");
    await page.keyboard.press("q");
  });

  it("asks before it drops unsaved changes, and finds them again after a crash", async () => {
    const edited = await documentNow();
    const thrown = edited.bodies.at(-1);
    assert.equal(thrown.name, "ball");
    await until("!studio.store.status.document.saved");
    await page.keyboard.press("Control+o");
    await page.getByRole("option", { name: "wall.json" }).dblclick();
    await page.getByRole("dialog", { name: "Unsaved changes" }).getByRole("button", { name: "Close" }).click();
    assert.deepEqual(await documentNow(), edited);
    // the autosave is there a moment after the last change: wait for it on disk, then pull the plug
    const autosave = join(folder, ".sunder/autosave");
    const kept = () =>
      existsSync(autosave) &&
      readdirSync(autosave).some(
        (name) => JSON.parse(JSON.parse(readFileSync(join(autosave, name), "utf8")).text).bodies.at(-1).name === thrown.name,
      );
    for (const end = Date.now() + patience; !kept(); await new Promise((done) => setTimeout(done, 100)))
      assert.ok(Date.now() < end, "no autosave");
    await program.end("SIGKILL");
    await page.locator(".banner:not([hidden])").waitFor(); // says that the connection is lost
    assert.equal(await page.locator(".run-button").isDisabled(), true);
    await page.screenshot({ path: join(pictures, "studio-lost.png") });
    await page.context().close();
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !/ERR_CONNECTION_REFUSED|WebSocket connection/.test(text)));
    address = await program.start(join(folder, "wall.json"));
    page = await open();
    await page.getByRole("dialog", { name: "Recover unsaved changes?" }).getByRole("button", { name: "Recover" }).click();
    await until("studio.store.document.bodies.at(-1).name === value", thrown.name);
    assert.deepEqual(await documentNow(), edited);
  });

  it("has no serious accessibility problems, dark and light", async () => {
    await row("wall").click();
    for (const theme of ["dark", "light"]) {
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
      for (const tab of ["Properties", "View", "Take"]) {
        await page.getByRole("tab", { name: tab }).click();
        assert.deepEqual(await violations(), [], `${theme}, ${tab}`);
      }
      await page.getByRole("tab", { name: "Properties" }).click();
      await page.locator(".canvas-host canvas").focus();
      await page.keyboard.press("t");
    }
    await page.keyboard.press("?");
    assert.deepEqual(await violations(), [], "help");
    await keep("help");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+e");
    assert.deepEqual(await violations(), [], "export");
    await keep("export");
    await page.keyboard.press("Escape");
  });

  it("can be reached with the keyboard, all of it", async () => {
    await page.evaluate(() => {
      const visible = (one) => one.checkVisibility({ checkVisibilityCSS: true }) && one.getClientRects().length > 0;
      const wanted = [...document.querySelectorAll("button, input, select, summary, [tabindex='0'], .canvas-host canvas")].filter(
        (one) => visible(one) && !one.disabled,
      );
      // one of a group of radio buttons, of tabs, of rows of the tree: arrow keys reach the others
      window.unreached = new Set(wanted.filter((one) => one.tabIndex >= 0 && !(one.type === "radio" && !one.checked)));
      window.left = wanted
        .filter((one) => one.tabIndex < 0 && !one.closest("[role=tablist], [role=tree]"))
        .map((one) => one.outerHTML.slice(0, 120));
      document.addEventListener("focusin", (event) => window.unreached.delete(event.target));
      document.body.focus();
    });
    for (let presses = 0; presses < 250; ++presses) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate(() => window.unreached.size)) === 0) break;
    }
    assert.deepEqual(await page.evaluate(() => [...window.unreached].map((one) => one.outerHTML.slice(0, 160))), []);
    assert.deepEqual(await page.evaluate(() => window.left), []);
  });

  it("opens menus and walks them with the arrow keys", async () => {
    await page.getByRole("button", { name: "File" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("menuitem", { name: "New scene" }).waitFor();
    assert.deepEqual(await violations(), []);
    await page.keyboard.press("ArrowRight"); // Edit
    await page.keyboard.press("ArrowRight"); // Add
    await page.getByRole("menuitem", { name: "Vase" }).waitFor();
    await keep("add-menu");
    await page.keyboard.press("Escape");
  });

  it("puts a vase on a table as a new user would", async () => {
    await page.keyboard.press("Alt+n");
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("button", { name: "Add a table" }).click();
    await until("studio.stage.recording.bodies.some((body) => body.name === 'table' && studio.stage.recording.meshes[body.mesh])");
    await page.getByRole("button", { name: "Add", exact: true }).last().click();
    await page.getByRole("menuitem", { name: "Vase" }).click();
    await until("studio.store.document.bodies.length === 2");
    const [table, vase] = (await documentNow()).bodies;
    assert.equal(vase.position[1], 0.75); // the table's height
    assert.deepEqual([vase.position[0], vase.position[2]], [table.position[0], table.position[2]]);
    await until("studio.stage.complete && studio.stage.recording.bodies.some((body) => body.name === 'vase')");
    await page.keyboard.press("f");
    await page.keyboard.press("b");
    const at = await pixelOf("vase");
    await page.mouse.move(at.x, at.y);
    await page.mouse.click(at.x, at.y);
    await until("studio.stage.recording.events.some((event) => event.kind === 'fracture')");
    await keep("vase");
    await page.keyboard.press("Control+e");
    await page.getByRole("dialog").getByRole("button", { name: "Export" }).click();
    const exported = page.getByRole("dialog", { name: "Exported" });
    await exported.waitFor();
    const [box, done] = [await exported.boundingBox(), await exported.getByRole("button", { name: "Done" }).boundingBox()];
    assert.ok(box.y > 50 && done.y + done.height < box.y + box.height, "the dialog shows all it has");
    await page.screenshot({ path: join(pictures, "studio-exported.png") });
    await page.keyboard.press("Escape");
    assert.ok(readFileSync(join(folder, "untitled.glb")).length > 1000);
    assert.ok(readFileSync(join(folder, "import_blender.py")).length > 100);
  });

  it("ends a render at once when its cross is pressed", async () => {
    const { job } = await studio("studio.connection.ask('render', { path: 'film.mp4', width: 3840, height: 2160 })");
    const cross = page.getByRole("group", { name: "Work in progress" }).getByRole("button");
    await cross.waitFor();
    await until("studio.store.status.jobs.find((job) => job.id === value).eta !== undefined", job);
    await cross.click();
    const pressed = Date.now();
    await until("studio.store.status.jobs.find((job) => job.id === value).state === 'cancelled'", job);
    assert.ok(Date.now() - pressed < 5000, "no picture is waited for");
    await cross.waitFor({ state: "detached" });
    assert.equal(existsSync(join(folder, "film.mp4")), false);
  });

  it("moves, turns and scales what is selected with handles, at the start", async () => {
    await page.keyboard.press("Control+Shift+Enter"); // restart
    await until("studio.store.status.take.state === 'still' && studio.stage.complete");
    await row("vase").click();
    await page.locator(".canvas-host canvas").focus();
    const before = await documentNow();
    for (const [key, part] of [
      ["w", "position"],
      ["e", "rotation"],
      ["r", "shape"],
    ]) {
      await page.keyboard.press(key);
      const middle = await pixelOf("vase");
      await dragFrom({ x: middle.x + 4, y: middle.y - 4 }, 30, -30); // the handle in the middle: all directions
      await page.keyboard.press("Control+z"); // at once: none of the drag comes after it
      await page.evaluate(() => window.sunderStudio.store.settled());
      assert.deepEqual(await documentNow(), before);
      await page.keyboard.press("Control+y");
      await until(`JSON.stringify(studio.store.document.bodies[1].${part}) !== value`, JSON.stringify(before.bodies[1][part]));
      await keep(`gizmo-${part}`);
      assert.equal(
        await studio("studio.stage.tools[studio.stage.tool].controls.object !== undefined"),
        true,
        "the handles are still there",
      );
      await page.keyboard.press("Control+z");
      await page.evaluate(() => window.sunderStudio.store.settled()); // the status comes by itself, earlier or later
      assert.deepEqual(await documentNow(), before);
      await until("studio.store.status.document.undo === 'Throw a ball'");
    }
  });

  it("makes single frames, and changes what is there in one of them", async () => {
    await page.keyboard.press("q");
    await page.keyboard.press("Shift+Enter");
    await until("studio.store.status.take.last === 1 && studio.store.status.take.state === 'paused' && studio.stage.shownFrame === 1");
    await row("ball").click();
    await page.locator(".canvas-host canvas").focus();
    await page.keyboard.press("n"); // this frame
    await page.keyboard.press("w");
    await dragFrom(await pixelOf("ball"), 0, -60);
    await until("studio.store.document.actions?.length === 1");
    const [action] = (await documentNow()).actions;
    assert.equal(action.type, "place");
    assert.equal(action.body, "ball");
    assert.ok(action.time > 0 && action.time < 0.05);
    await page.keyboard.press("Control+z");
    await until("!studio.store.document.actions?.length");
    await page.keyboard.press("n");
    await page.keyboard.press("q");
  });

  it("drags a body by the mouse while it runs", async () => {
    const at = await pixelOn("table");
    await page.keyboard.press("d");
    await studio("studio.connection.ask('run', { frames: 900 })"); // long enough for slow machines
    await until("studio.store.status.take.state === 'running' && studio.store.status.take.last > 3");
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    for (let i = 1; i <= 6; ++i) {
      await page.mouse.move(at.x + 10 * i, at.y - 8 * i);
      await page.waitForTimeout(100);
    }
    await page.mouse.up();
    await until("studio.store.document.actions?.some((action) => action.type === 'pull' && action.path.length > 1)");
    await page.keyboard.press("q");
  });

  it("runs on while earlier frames are looked at", async () => {
    await until("studio.store.status.take.state === 'running'");
    await page.getByLabel("Frame", { exact: true }).focus();
    await page.keyboard.press("Home");
    const last = await studio("studio.store.status.take.last");
    await until("studio.store.status.take.last > value", last + 5);
    assert.equal(await studio("studio.stage.player.frame"), 0);
    await page.keyboard.press("Control+Enter"); // pause
    await until("studio.store.status.take.state !== 'running'");
  });

  it("says which frame is at work when one takes long", async () => {
    await until("studio.store.status.take.state !== 'running'");
    const word = page.locator(".at-work");
    assert.equal(await word.textContent(), "");
    // said again and again: a true notice may come in between
    await until(
      "studio.transport.setStatus({ take: { state: 'running', last: 11, pace: 'fast' } }), /^frame 12, [2-9] s$/.test(document.querySelector('.at-work').textContent)",
    );
    await studio("studio.transport.setStatus(studio.store.status)");
    assert.equal(await word.textContent(), "");
  });

  it("saves under a name and opens what was open before", async () => {
    await page.locator(".canvas-host canvas").focus();
    await page.keyboard.press("Control+Shift+s");
    const dialog = page.getByRole("dialog", { name: "Save the scene as" });
    await dialog.getByRole("textbox").fill("table");
    await keep("save-as");
    await dialog.getByRole("button", { name: "Save" }).click();
    await until("studio.store.status.document.path === 'table.json'");
    const table = await documentNow();
    for (const [name, path] of [
      ["wall.json", "wall.json"],
      ["table.json", "table.json"],
    ]) {
      await page.getByRole("button", { name: "File" }).click();
      await page.getByRole("menuitem", { name: "Open recent…" }).click();
      await page.getByRole("dialog", { name: "Open recent" }).getByText(name).click();
      await until("studio.store.status.document.path === value && studio.stage.complete", path);
    }
    assert.deepEqual(await documentNow(), table);
  });

  it("looks good in both sizes and colours", async () => {
    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
    ]) {
      for (const colorScheme of ["dark", "light"]) {
        const opened = await open({ viewport: { width, height }, colorScheme });
        await opened.locator(".tree-row", { hasText: "vase" }).first().click();
        const overflow = await opened.evaluate(() => {
          const wide = [...document.querySelectorAll(".bar, .tool-bar, .transport, .status-bar, .tab-panel, .tree")].filter(
            (one) => one.scrollWidth > one.clientWidth + 1,
          );
          return wide.map((one) => one.className);
        });
        assert.deepEqual(overflow, [], `${width} ${colorScheme}`);
        await keep(`${width}x${height}-${colorScheme}`, opened);
        await opened.context().close();
      }
    }
  });

  it("can be used in a narrow window", async () => {
    for (const [width, height] of [
      [820, 700],
      [390, 844],
    ]) {
      const opened = await open({ viewport: { width, height } });
      const seen = async (selector) => {
        const box = await opened.locator(selector).first().boundingBox();
        const inside = box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
        assert.ok(inside, `${selector} at ${width}: ${JSON.stringify(box)}`);
        return box;
      };
      const canvas = await seen(".canvas-host canvas");
      assert.ok(canvas.width === width && canvas.height > 0.4 * height, `the stage has ${canvas.width} x ${canvas.height}`);
      for (const one of [".run-button", ".tool-strip", ".editing", ".timeline", ".readout", ".status-bar", ".menu-bar"]) await seen(one);
      // panels come when they are asked for, one at a time, and go when the stage is pressed
      await opened.getByRole("button", { name: "Scene tree" }).click();
      await opened.locator(".tree-row", { hasText: "vase" }).first().click();
      await seen(".left");
      await seen(".run-button");
      await opened.getByRole("button", { name: "Panels" }).click();
      await seen(".side");
      assert.equal(await opened.locator(".left").isVisible(), false);
      assert.deepEqual(await violations(opened), []);
      await keep(`${width}x${height}-panel`, opened);
      await opened.mouse.click(10, canvas.y + canvas.height / 2);
      assert.equal(await opened.locator(".side").isVisible(), false);
      await opened.keyboard.press("b");
      await seen(".tool-options");
      await keep(`${width}x${height}`, opened);
      await opened.getByRole("navigation").getByRole("button", { name: "Add" }).click();
      await seen(".menu");
      await opened.screenshot({ path: join(pictures, `studio-${width}x${height}-add.png`) });
      await opened.keyboard.press("Escape");
      const overflow = await opened.evaluate(() =>
        [...document.querySelectorAll(".bar, .tool-bar, .tool-options, .transport, .status-bar")]
          .filter((one) => one.scrollWidth > one.clientWidth + 1)
          .map((one) => one.className),
      );
      assert.deepEqual(overflow, [], `${width}`);
      await opened.context().close();
    }
  });

  it("shows what a beam felt and why it broke", async () => {
    page = await open();
    await studio("studio.store.command('open', { path: 'beam.json', discard: true })");
    await until("studio.stage.recording.bodies.some((body) => body.name === 'beam')");
    await page.keyboard.press("Control+Enter");
    await until("studio.store.status.take.state === 'done' && studio.stage.recording.events.some((event) => event.stress)");
    assert.equal(await page.locator(".stress-legend").isVisible(), false);
    await page.keyboard.press("Home");
    await page.keyboard.press("]"); // the break
    await page.keyboard.press("h"); // another scene was looked at before
    await page.getByRole("button", { name: "Why did it break?" }).waitFor();
    const before_ = (await page.locator(".canvas-host canvas").screenshot()).toString("base64");
    await page.keyboard.press("s");
    await until("studio.stage.viewport.stress !== undefined && studio.stage.viewport.settled");

    // the panel says why, in the numbers of the event
    const stress = await studio("studio.stage.recording.events.find((event) => event.stress).stress");
    assert.match(
      await page.locator(".break-sentence").innerText(),
      /beam broke into \d+ pieces\. A push of .* kN pulled it apart: tension reached .* MPa/,
    );
    const told = async (name) => page.locator(`[data-break="${name}"]`).innerText();
    assert.equal(await told("tension"), `${(stress.worst.tension / 1e6).toPrecision(3)} MPa`);
    assert.equal(await told("strength"), `${(stress.worst.strength / 1e6).toPrecision(3)} MPa`);
    assert.equal(await told("cracks"), `${stress.cracks} in ${stress.rounds} round${stress.rounds === 1 ? "" : "s"}`);
    for (const name of ["ratio", "force", "contact-time", "pieces", "strain-energy", "momentum", "mass-kept-to"])
      assert.notEqual(await told(name), "");
    // it was pulled on the far side of the blow
    assert.ok(stress.worst.place[1] < 0.03 && stress.worst.tension > stress.worst.strength, JSON.stringify(stress.worst));

    // colours, their legend and the force are there
    assert.match(await page.locator(".stress-legend").innerText(), /Tension in MPa/);
    assert.match(await page.locator(".stress-ticks").innerText(), /\d/);
    const coloured = (await page.locator(".canvas-host canvas").screenshot()).toString("base64");
    assert.notEqual(coloured, before_);
    assert.ok((await studio("studio.stage.viewport.stress.forces.children.length")) >= 1);
    assert.equal(await studio("studio.stage.viewport.places.alive[studio.stage.viewport.stress.shown.body.id]"), 0);
    await keep("stress-1280-dark");

    // a slice shows the inside, directions are bars, forces can be hidden
    await page.keyboard.press("z");
    await page.getByRole("tab", { name: "View" }).click();
    await page.getByRole("radiogroup", { name: "Slice axis" }).getByRole("radio", { name: "Z" }).click();
    await until("studio.stage.viewport.settled");
    assert.notEqual((await page.locator(".canvas-host canvas").screenshot()).toString("base64"), coloured);
    await page.getByRole("tab", { name: "Take" }).click();
    await page.getByRole("switch", { name: "Principal directions" }).click();
    assert.ok((await studio("studio.stage.viewport.stress.bars.count")) > 50);
    await keep("stress-slice");
    await page.getByRole("switch", { name: "Forces" }).click();
    assert.equal(await studio("studio.stage.viewport.stress.forces.visible"), false);

    // the camera goes to the most strained place
    const from = await studio("studio.stage.cameraView().target");
    await page.locator('[data-break="where"] button').click();
    await until(
      "Math.hypot(...studio.stage.cameraView().target.map((part, k) => part - value[k])) > 0.01 && studio.stage.viewport.settled",
      from,
    );

    assert.deepEqual(await violations(), []);
    await page.keyboard.press("t");
    await keep("stress-1280-light");
    assert.deepEqual(await violations(), []);
    await page.keyboard.press("t");

    // the grains it is made of
    await page.keyboard.press("Home");
    await until("studio.stage.complete && studio.stage.viewport.stress === undefined");
    await page.getByRole("tab", { name: "View" }).click();
    await page.getByRole("switch", { name: "Grains" }).click();
    await until("studio.stage.viewport.overlay.children.some((child) => child.visible && child.geometry?.attributes.color)");
    await keep("grains");
    await page.getByRole("switch", { name: "Grains" }).click();
    await until("!studio.stage.viewport.overlay.children.some((child) => child.geometry?.attributes.color)");
    await page.keyboard.press("]");
    await until("studio.stage.viewport.stress !== undefined");

    // going on leaves it; another key press comes back to the last break
    await page.keyboard.press("End");
    await until("studio.stage.viewport.stress === undefined");
    assert.equal(await page.locator(".stress-legend").isVisible(), false);
    await page.keyboard.press("s");
    await until("studio.stage.viewport.stress !== undefined");
    await page.keyboard.press("s");
    await until("studio.stage.viewport.stress === undefined");
  });

  it("makes the scene longer when it runs on, and says so", async () => {
    const frames = (await documentNow()).world.frames;
    assert.equal(await page.locator(".run-button").innerText(), "Run on");
    await page.locator(".run-button").click();
    await until("studio.store.document.world.frames === value", frames + 150);
    await until(
      "studio.store.status.take.state === 'done' && studio.store.status.document.undo === value",
      `Run on to frame ${frames + 150}`,
    );
    await page.getByLabel("Undo").click();
    await until("studio.store.document.world.frames === value", frames);
    await until("studio.stage.player.frame === value && studio.store.status.take.valid_to === value", frames);
  });

  it("complains of nothing in the console", () => assert.deepEqual(complaints, []));
});
