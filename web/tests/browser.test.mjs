// The replay as a person meets it: a file opened from disk in Debian's Chromium. Needs SUNDER (the program), a built page
// (SUNDER_WEB or web/dist) and chromium; pictures go to SUNDER_SCREENSHOTS. `./dev test` sets all of it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import { complaints, launch, openPage, patience, pictures, root, sunder, violationsOn } from "./harness.mjs";

const MB = 1e6;
const LARGEST = 3 * MB; // 1,000 pieces x 240 frames, 50,000 triangles
const FIRST_PICTURE = 2_000; // ms, on a quiet machine with two cores and no graphics card
const SLACK = Number(process.env.SUNDER_TIME_SLACK ?? 6); // for machines that are not quiet

/** What the recording itself says, read without any code of ours. */
const SQL = `
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
mass, volume = db.execute("SELECT mass, volume FROM body WHERE name = ?", (sys.argv[2],)).fetchone()
figures = json.loads(db.execute("SELECT figures FROM frame WHERE number = 0").fetchone()[0])
print(json.dumps({"mass": mass, "volume": volume, "linear": figures["energy"]["linear"]}))
`;

let folder;
let browser;
let page;

function path(name) {
  return join(folder, name);
}

function replayOf(scene, name, ...settings) {
  execFileSync(sunder, ["run", scene, "-o", path(`${name}.sunder`), ...settings], {
    stdio: "ignore",
    env: { ...process.env, SUNDER_CACHE: "" },
  });
  execFileSync(sunder, ["export", path(`${name}.sunder`), "-o", path(`${name}.html`)], { stdio: "ignore" });
  return path(`${name}.html`);
}

const open = (file, options) => openPage(browser, pathToFileURL(file).href, options);

async function ready(opened) {
  await opened.waitForFunction(() => performance.getEntriesByName("first-picture").length > 0);
  return opened;
}

async function settled(opened = page) {
  await opened.waitForFunction(() => window.sunderReplay.viewport.settled);
}

async function keep(name, opened = page) {
  await settled(opened);
  await opened.screenshot({ path: join(pictures, `${name}.png`) });
}

/** What the viewport shows, to tell whether it changed. */
async function seen(opened = page) {
  await settled(opened);
  return (await opened.locator(".stage canvas").screenshot()).toString("base64");
}

const frame = () => page.evaluate(() => window.sunderReplay.player.frame);
const selected = () => page.evaluate(() => window.sunderReplay.recording.bodies[window.sunderReplay.selected]?.name ?? "");
const seek = (number) => page.evaluate((n) => window.sunderReplay.watch.seek(n), number);
const fact = (name) => page.locator(`[data-fact="${name}"]`).innerText();

async function clickBody(name) {
  await settled();
  const at = await page.evaluate((wanted) => {
    const { recording, viewport } = window.sunderReplay;
    return viewport.pixelOf(recording.bodies.find((body) => body.name === wanted).id);
  }, name);
  await page.locator(".stage canvas").click({ position: at });
}

before(async () => {
  mkdirSync(pictures, { recursive: true });
  folder = mkdtempSync(join(tmpdir(), "sunder-replay-"));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a replay from disk", { timeout: 1_200_000 }, () => {
  before(async () => {
    page = await ready(await open(replayOf(join(root, "scenes/demo-ball-through-wall.json"), "wall")));
  });

  it("shows the scene, its title and its first frame", async () => {
    assert.equal(await page.locator("h1").innerText(), "Ball through a wall");
    assert.match(await page.title(), /Ball through a wall/);
    assert.equal(await frame(), 0);
    assert.match(await page.locator(".overlay").first().innerText(), /2 bodies/);
    await keep("start");
  });

  it("plays and pauses", async () => {
    const still = await seen();
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.sunderReplay.player.frame > 9);
    await page.getByRole("button", { name: "Pause" }).click();
    const stopped = await frame();
    assert.notEqual(await seen(), still);
    assert.equal(await frame(), stopped);
    assert.equal(await page.getByRole("button", { name: "Play" }).count(), 1);
  });

  it("loops, or stops at the end", async () => {
    await page.evaluate(() => window.sunderReplay.watch.seek(88));
    await page.keyboard.press("l");
    await page.keyboard.press("Space");
    await page.waitForFunction(() => !window.sunderReplay.player.playing);
    assert.equal(await frame(), 90);
    await page.keyboard.press("l");
    assert.equal(await page.getByRole("button", { name: "Loop" }).getAttribute("aria-pressed"), "true");
    await page.evaluate(() => window.sunderReplay.watch.seek(88));
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.sunderReplay.player.frame < 60);
    await page.keyboard.press("Space");
  });

  it("steps, jumps and changes speed by keys", async () => {
    await page.keyboard.press("Home");
    assert.equal(await frame(), 0);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await frame(), 1);
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal(await frame(), 11);
    await page.keyboard.press("End");
    assert.equal(await frame(), 90);
    await page.keyboard.press(",");
    assert.equal(await page.getByLabel("Speed").inputValue(), "0.5");
    await page.keyboard.press(".");
  });

  it("scrubs with the mouse and with the keys of a slider", async () => {
    const bar = await page.getByLabel("Frame", { exact: true }).boundingBox();
    await page.mouse.move(bar.x + 0.6 * bar.width, bar.y + bar.height / 2);
    await page.mouse.down();
    await page.mouse.move(bar.x + 0.5 * bar.width, bar.y + bar.height / 2, { steps: 4 });
    await page.mouse.up();
    assert.ok(Math.abs((await frame()) - 45) <= 1, `frame ${await frame()}`);
    const before = await frame();
    await page.getByLabel("Frame", { exact: true }).press("ArrowRight");
    assert.equal(await frame(), before + 1);
  });

  it("marks breaks on the timeline: hovering tells, clicking goes there", async () => {
    const [broke, pieces] = await page.evaluate(() => {
      const event = window.sunderReplay.recording.events.find((one) => one.kind === "fracture");
      return [event.frame, event.pieces];
    });
    const bar = await page.getByLabel("Frame", { exact: true }).boundingBox();
    const x = bar.x + 7 + (broke / 90) * (bar.width - 14);
    await page.mouse.move(x + 3, bar.y + bar.height / 2);
    assert.match(await page.locator(".tip").innerText(), new RegExp(`wall breaks into ${pieces} pieces`));
    await page.mouse.click(x + 3, bar.y + bar.height / 2);
    assert.equal(await frame(), broke);
    assert.equal(await selected(), "wall");
    await page.keyboard.press("Home");
    await page.keyboard.press("]");
    assert.equal(await frame(), broke);
    await page.keyboard.press("[");
    assert.equal(await frame(), broke, "there is none before");
    await page.locator("summary", { hasText: "Events" }).click();
    await seek(60);
    await page.locator(".event-row").first().click();
    assert.equal(await frame(), broke);
    await page.locator("summary", { hasText: "Events" }).click();
  });

  it("tells a piece's numbers when it is clicked", async () => {
    await page.keyboard.press("Escape");
    await seek(0);
    await clickBody("ball");
    await page.waitForFunction(() => window.sunderReplay.selected >= 0);
    assert.equal(await selected(), "ball");
    const truth = JSON.parse(execFileSync("python3", ["-c", SQL, path("wall.sunder"), "ball"]).toString());
    assert.equal(await fact("mass"), `${truth.mass.toPrecision(3)} kg`);
    assert.equal(await fact("volume"), `${(1000 * truth.volume).toPrecision(3)} l`);
    assert.equal(await fact("speed"), "18.0 m/s");
    assert.match(await fact("born"), /^frame 0/);
    await keep("selected");
  });

  it("leads from a piece to its parent and its siblings", async () => {
    await seek(14);
    await page.keyboard.press("k");
    await page.evaluate(() => {
      const { recording } = window.sunderReplay;
      window.sunderReplay.select(recording.bodies.find((body) => body.name === "wall/p3").id);
    });
    assert.equal((await fact("name")).replace(/\s/g, ""), "wall/p3");
    assert.match(await fact("parent"), /wall · 59 siblings/);
    const before = await seen();
    await page.locator('[data-fact="parent"] .link').click();
    assert.equal(await selected(), "wall");
    assert.equal(await fact("pieces"), "broke into 60");
    assert.notEqual(await seen(), before, "its pieces are marked");
    await page.keyboard.press("Escape");
    assert.equal(await selected(), "");
  });

  it("explodes", async () => {
    await seek(9);
    const spread = () =>
      page.evaluate(() => {
        const { viewport, recording } = window.sunderReplay;
        const at = recording.bodies.filter((body) => body.name.startsWith("wall/")).map((body) => viewport.pixelOf(body.id));
        const middle = at.reduce((sum, p) => sum + p.x / at.length, 0);
        return at.reduce((sum, p) => sum + Math.abs(p.x - middle) / at.length, 0);
      });
    const whole = await spread();
    await page.getByLabel("Explode").fill("0.5");
    const apart = await spread();
    assert.ok(apart > 1.3 * whole, `${whole} to ${apart} pixels`);
    await keep("exploded");
    await page.keyboard.press("x");
    assert.ok(Math.abs((await spread()) - whole) < 0.01 * whole);
  });

  it("slices, and what is cut away cannot be clicked", async () => {
    await seek(0);
    await settled();
    const there = (x, y) => page.evaluate(([u, v]) => window.sunderReplay.viewport.bodyAt(u, v), [x, y]);
    const wall = await page.evaluate(() =>
      window.sunderReplay.viewport.pixelOf(window.sunderReplay.recording.bodies.findIndex((b) => b.name === "wall")),
    );
    const [left, right] = [
      { x: wall.x - 120, y: wall.y },
      { x: wall.x + 150, y: wall.y },
    ];
    assert.ok((await there(left.x, left.y)) >= 0 && (await there(right.x, right.y)) >= 0);
    const whole = await seen();
    await page.getByRole("switch", { name: "Slice" }).check();
    assert.ok((await there(left.x, left.y)) >= 0);
    assert.equal(await there(right.x, right.y), -1);
    assert.notEqual(await seen(), whole);
    await page.getByRole("button", { name: "Flip" }).click();
    assert.equal(await there(left.x, left.y), -1);
    assert.ok((await there(right.x, right.y)) >= 0);
    await page.getByRole("button", { name: "Flip" }).click();
    await seek(12);
    await page.locator(".segmented label", { hasText: "Z" }).click();
    await page.getByLabel("Position").fill("0.5");
    await keep("sliced");
    await page.keyboard.press("z");
    await seek(0);
    assert.equal(await seen(), whole, "as before");
  });

  it("colours by everything it knows", async () => {
    await seek(20);
    const options = await page.getByLabel("Colour by").locator("option").allInnerTexts();
    assert.deepEqual(options, ["Material", "Piece", "Parent", "Age", "Speed"], "stress is not in this recording");
    const views = new Set();
    for (const option of options) {
      await page.getByLabel("Colour by").selectOption(option.toLowerCase());
      views.add(await seen());
      if (option !== "Parent") await keep(`colour-${option.toLowerCase()}`);
    }
    assert.equal(views.size, options.length);
    assert.match(await page.locator(".ramp-legend").innerText(), /m\/s/);
    await page.locator(".stage canvas").focus();
    await page.keyboard.press("c");
    assert.equal(await page.getByLabel("Colour by").inputValue(), "material");
  });

  it("plots energy and momentum; a click goes to that time", async () => {
    assert.equal(await page.locator(".plot canvas").count(), 2);
    const over = await page.locator(".plot .u-over").first().boundingBox();
    await page.mouse.click(over.x + 0.5 * over.width, over.y + 20);
    assert.ok(Math.abs((await frame()) - 45) <= 2, `frame ${await frame()}`);
    const first = await page.locator(".plot-playhead").first().getAttribute("style");
    await page.keyboard.press("ArrowRight");
    assert.notEqual(await page.locator(".plot-playhead").first().getAttribute("style"), first);
    await seek(0);
    const kinetic = await page.locator(".curve", { hasText: "Linear" }).locator(".value").innerText();
    const truth = JSON.parse(execFileSync("python3", ["-c", SQL, path("wall.sunder"), "ball"]).toString());
    assert.equal(kinetic, `${(truth.linear / 1000).toPrecision(3)} kJ`);
  });

  it("orbits, flies, comes back, and brings a piece into view", async () => {
    const eye = () => page.evaluate(() => window.sunderReplay.viewport.cameras.camera.position.toArray());
    const home = await eye();
    const stage = await page.locator(".stage").boundingBox();
    await page.mouse.move(stage.x + 300, stage.y + 300);
    await page.mouse.down();
    await page.mouse.move(stage.x + 420, stage.y + 340, { steps: 5 });
    await page.mouse.up();
    await settled();
    assert.notDeepEqual(await eye(), home);
    await page.keyboard.press("v");
    const start = await eye();
    await page.keyboard.down("w");
    await page.waitForFunction(([x, y, z]) => {
      const p = window.sunderReplay.viewport.cameras.camera.position;
      return Math.hypot(p.x - x, p.y - y, p.z - z) > 0.2;
    }, start);
    await page.keyboard.up("w");
    await page.keyboard.press("r");
    const back = await eye();
    back.forEach((x, k) => assert.ok(Math.abs(x - home[k]) < 1e-6, `${back} is not ${home}`));
    await page.keyboard.press("k");
    await page.keyboard.press("f");
    await settled();
    const near = await eye();
    assert.notDeepEqual(near, home);
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
  });

  it("saves a picture", async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("i")]);
    assert.equal(download.suggestedFilename(), `ball-through-a-wall-${await frame()}.png`);
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(bytes.length > 20_000, `${bytes.length} bytes`);
  });

  it("lists its keys on request", async () => {
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    assert.match(await page.getByRole("dialog").innerText(), /bring the selection/);
    await keep("help");
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("dialog").count(), 0);
  });

  it("follows the system's theme until one is chosen", async () => {
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), "dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
    const light = await seen();
    await page.keyboard.press("t");
    assert.equal(await theme(), "dark");
    assert.notEqual(await seen(), light);
    await page.keyboard.press("t");
    assert.equal(await theme(), "light");
  });

  it("can be reached whole by the keyboard", async () => {
    await page.locator(".stage canvas").focus();
    const reached = new Set();
    for (let i = 0; i < 60; ++i) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.id ?? ""));
    }
    for (const name of ["Play", "Loop", "Speed", "Frame", "Explode", "colour-by", "Keys and help", "Save a picture"]) {
      assert.ok(reached.has(name), `${name} is not among ${[...reached].join(", ")}`);
    }
  });

  it("says nothing on the console", () => assert.deepEqual(complaints, []));
});

describe("pictures to look at", { timeout: 1_200_000 }, () => {
  for (const theme of ["dark", "light"]) {
    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
    ]) {
      it(`${theme} at ${width} x ${height}`, async () => {
        const opened = await ready(await open(path("wall.html"), { viewport: { width, height }, colorScheme: theme }));
        await opened.evaluate(() => window.sunderReplay.watch.seek(14));
        await keep(`replay-${theme}-${width}x${height}`, opened);
        assert.deepEqual(complaints, []);
        await opened.context().close();
      });
    }
  }
});

describe("stress at the moment of fracture", { timeout: 1_200_000 }, () => {
  it("is told and shown, on the surface and inside", async (test) => {
    const file = replayOf(join(root, "web/tests/struck_beam.json"), "beam");
    execFileSync(sunder, ["export", path("beam.sunder"), "-o", path("plain.html"), "--without-stress"], { stdio: "ignore" });
    test.diagnostic(`${statSync(file).size} bytes, ${statSync(path("plain.html")).size} without stress`);
    assert.ok(statSync(file).size - statSync(path("plain.html")).size < 100_000);

    const opened = await ready(await open(file));
    await opened.keyboard.press("s"); // goes to the break
    await opened.waitForFunction(() => window.sunderReplay.viewport.stress !== undefined);
    assert.match(await opened.locator(".break-sentence").innerText(), /beam broke into \d+ pieces.*tension reached .* MPa/);
    assert.match(await opened.locator(".stress-legend").innerText(), /Tension in MPa/);
    const stress = await opened.evaluate(() => window.sunderReplay.recording.events.find((event) => event.stress).stress);
    assert.equal(await opened.locator('[data-break="tension"]').innerText(), `${(stress.worst.tension / 1e6).toPrecision(3)} MPa`);
    const surface = await seen(opened);
    await opened.keyboard.press("z");
    await opened.getByRole("switch", { name: "Principal directions" }).click();
    assert.notEqual(await seen(opened), surface);
    assert.deepEqual(await violationsOn(opened), []);
    await keep("replay-stress", opened);
    await opened.locator(".stage canvas").focus();
    await opened.keyboard.press("Space"); // what is played is what happened
    await opened.waitForFunction(() => window.sunderReplay.viewport.stress === undefined);
    await opened.context().close();

    // without the points there are still the numbers and the forces
    const plain = await ready(await open(path("plain.html")));
    await plain.keyboard.press("s");
    await plain.waitForFunction(() => window.sunderReplay.viewport.stress !== undefined);
    assert.match(await plain.locator(".break-sentence").innerText(), /tension reached .* MPa/);
    await plain.context().close();
    assert.deepEqual(complaints, []);
  });
});

describe("a thousand pieces", { timeout: 1_200_000 }, () => {
  it("fit into 3 MB and are there in 2 s", async (test) => {
    const file = replayOf(join(root, "web/tests/many_pieces.json"), "many");
    const opened = await ready(await open(file));
    const facts = await opened.evaluate(() => {
      const { recording, viewport } = window.sunderReplay;
      const pieces = recording.bodies.filter((body) => body.parent >= 0).length;
      return {
        pieces,
        frames: recording.frames,
        triangles: viewport.triangles,
        first: performance.getEntriesByName("first-picture")[0].startTime,
      };
    });
    const { size } = statSync(file);
    test.diagnostic(
      `${facts.pieces} pieces, ${facts.frames} frames, ${facts.triangles} triangles: ${(size / MB).toFixed(2)} MB, first picture after ${Math.round(facts.first)} ms`,
    );
    assert.ok(facts.pieces >= 1000 && facts.frames >= 240 && facts.triangles <= 50_000, JSON.stringify(facts));
    assert.ok(size <= LARGEST, `${size} bytes`);
    assert.ok(facts.first <= FIRST_PICTURE * SLACK, `${facts.first} ms, with a slack of ${SLACK}`);
    await opened.evaluate(() => window.sunderReplay.watch.seek(40));
    await keep("many", opened);
    assert.deepEqual(complaints, []);
    await opened.context().close();
  });
});

describe("what cannot be shown", { timeout: 600_000 }, () => {
  async function noticeOf(file, prepare) {
    const context = await browser.newContext();
    const opened = await context.newPage();
    opened.on("pageerror", (error) => complaints.push(String(error)));
    await prepare?.(opened);
    await opened.goto(pathToFileURL(file).href);
    const text = await opened.getByRole("alert").innerText({ timeout: patience });
    await context.close();
    assert.deepEqual(complaints, []);
    return text;
  }

  it("damaged data get a sentence", async () => {
    const html = readFileSync(path("wall.html"), "utf8");
    const at = html.indexOf('octet-stream">') + 30_000;
    writeFileSync(path("bad.html"), html.slice(0, at) + "AAAABBBB" + html.slice(at + 8));
    assert.match(await noticeOf(path("bad.html")), /damaged; export it again/);
    writeFileSync(path("cut.html"), html.replace(/(octet-stream">.{2000})[^<]*/, "$1"));
    assert.match(await noticeOf(path("cut.html")), /damaged; export it again/);
  });

  it("a page without a recording gets a sentence", async () => {
    const empty = readFileSync(path("wall.html"), "utf8").replace(/(octet-stream">)[^<]*/, "$1");
    writeFileSync(path("empty.html"), empty);
    assert.match(await noticeOf(path("empty.html")), /sunder export/);
  });

  it("a browser without WebGL gets a sentence", async () => {
    const text = await noticeOf(path("wall.html"), (opened) =>
      opened.addInitScript(() => {
        const original = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
          return kind.startsWith("webgl") ? null : original.call(this, kind, ...rest);
        };
      }),
    );
    assert.match(text, /WebGL 2 is missing/);
  });
});
