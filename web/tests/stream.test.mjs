// A long run of 1,000 moving bodies, watched live: it keeps its pace, no side grows, a slow tab slows nobody, closing it
// loses nothing. SUNDER_STREAM_SECONDS: how long (20; five minutes in the full tests).
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { ask, complaints, launch, openStudio, StudioProgram, untilIn } from "./harness.mjs";

const SECONDS = Number(process.env.SUNDER_STREAM_SECONDS ?? 20);
const RATE = 30; // frames per second
const FRAMES = Math.ceil((SECONDS + 30) * RATE);
const MB = 1e6;

/** They fly and turn for ever, without gravity and far from each other. */
const SCENE = {
  version: 1,
  world: { gravity: [0, 0, 0], frames: FRAMES },
  bodies: [
    {
      name: "piece",
      shape: { name: "box", width: 0.2, height: 0.2, depth: 0.2 },
      velocity: [0.01, 0.02, 0],
      angular_velocity: [0.3, 0.5, 0.2],
      array: { count: [10, 10, 10], step: [0.6, 0.6, 0.6] },
    },
  ],
};

let folder;
let program;
let address;
let browser;
let page;

/** Resident memory of the program, bytes. */
function memoryOfProgram() {
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.process.pid}/status`, "utf8"))[1]);
}

async function memoryOfPage(session) {
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find((metric) => metric.name === "JSHeapUsedSize").value;
}

const wait = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

/** Frames made and frames shown, per second, over a while. */
async function pace(seconds) {
  const look = () => ask(page, "[performance.now(), studio.store.status.take.last, studio.stage.shownFrame]");
  const [start, made, shown] = await look();
  await wait(seconds);
  const [end, madeThen, shownThen] = await look();
  return { made: (1000 * (madeThen - made)) / (end - start), shown: (1000 * (shownThen - shown)) / (end - start), behind: madeThen - shownThen };
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "sunder-stream-"));
  writeFileSync(join(folder, "many.json"), JSON.stringify(SCENE));
  program = new StudioProgram(folder);
  address = await program.start(join(folder, "many.json"));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await program?.end();
  rmSync(folder, { recursive: true, force: true });
});

describe("A long run that is watched", { timeout: 1000 * (10 * SECONDS + 600) }, () => {
  it("comes at its pace, and neither side grows", async () => {
    page = await openStudio(browser, address);
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    await page.locator(".run-button").click();
    await untilIn(page, "studio.store.status.take.last > 60");
    const before = { page: await memoryOfPage(session), program: memoryOfProgram() };
    const { made, shown, behind } = await pace(SECONDS);
    const then = { page: await memoryOfPage(session), program: memoryOfProgram() };
    const grown = { page: (then.page - before.page) / MB, program: (then.program - before.program) / MB };
    console.log(`${SECONDS} s of 1,000 moving bodies: ${made.toFixed(1)} frames/s made, ${shown.toFixed(1)} shown, ${behind} behind; page ${(then.page / MB).toFixed(0)} MB (${grown.page.toFixed(1)} more), program ${(then.program / MB).toFixed(0)} MB (${grown.program.toFixed(1)} more)`);
    assert.ok(made > 0.9 * RATE, `${made} frames per second`);
    assert.ok(Math.abs(shown - made) < 0.1 * made && behind < 2 * RATE, `${shown} shown, ${behind} behind`);
    // frames are kept up to a limit: 64 MB of them, and figures of a few bytes per frame
    assert.ok(grown.page < 64 + 0.05 * SECONDS, `the page has ${grown.page} MB more`);
    assert.ok(grown.program < 16 + 0.05 * SECONDS, `the program has ${grown.program} MB more`);
  });

  it("is not slowed by a slow tab", async () => {
    const slow = await openStudio(browser, address);
    const session = await slow.context().newCDPSession(slow);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 20 });
    const { made } = await pace(8);
    assert.ok(made > 0.9 * RATE, `${made} frames per second`);
    await slow.context().close();
  });

  it("loses nothing when the tab is closed", async () => {
    const last = await ask(page, "studio.store.status.take.last");
    await page.context().close();
    await wait(2);
    page = await openStudio(browser, address);
    await untilIn(page, "studio.store.status.take.last > value", last + RATE);
    await ask(page, "studio.stage.seek(value)", last);
    await untilIn(page, "studio.stage.complete && studio.stage.shownFrame === value", last);
    assert.equal(await ask(page, "studio.store.status.take.state"), "running");
  });

  it("complains of nothing in the console", () => assert.deepEqual(complaints, []));
});
