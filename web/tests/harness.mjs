// What the tests in Chromium share: where things are, the browser, pages whose complaints are kept, `sunder studio`.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const sunder = resolve(process.env.SUNDER ?? join(root, "build/release/src/sunder"));
export const web = resolve(process.env.SUNDER_WEB ?? join(root, "web/dist"));
export const pictures = resolve(process.env.SUNDER_SCREENSHOTS ?? join(root, "build/web/screenshots"));
export const patience = Number(process.env.SUNDER_PATIENCE ?? 240_000); // ms; the machine may be busy with other things
export const complaints = []; // errors and warnings of all consoles

export function launch() {
  const executablePath = process.env.CHROMIUM ?? execFileSync("sh", ["-c", "command -v chromium"]).toString().trim();
  const args = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-background-networking",
  ];
  return chromium.launch({ executablePath, args });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds serious or worse. */
export async function violationsOn(page) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map((one) => `${one.id}: ${one.nodes.map((node) => `${node.target} ${node.any.map((check) => check.message).join(" ")}`).join("; ")}`);
}

/** A page in a context of its own. */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "dark", ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || (message.type() === "warning" && !message.text().includes("GL Driver Message")))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => void dialog.accept()); // leaving with unsaved changes
  await page.goto(address);
  return page;
}

/** `sunder studio` on a project folder. */
export class StudioProgram {
  constructor(folder) {
    this.folder = folder;
  }

  /** Resolves with the address that it prints. */
  start(...args) {
    const process_ = spawn(sunder, ["studio", ...args, "--project", this.folder, "--no-browser"], {
      env: { ...process.env, SUNDER_WEB: web, SUNDER_CACHE: "" },
    });
    this.process = process_;
    let talk = "";
    process_.stderr.on("data", (data) => (talk += data));
    return new Promise((done, fail) => {
      let said = "";
      process_.stdout.on("data", (data) => {
        said += data;
        const found = /http:\/\/127\.0\.0\.1:\d+\/#\S+/.exec(said);
        if (found) done(found[0]);
      });
      process_.on("exit", (code) => fail(new Error(`sunder studio ended with ${code}: ${talk}`)));
    });
  }

  async end(signal = "SIGINT") {
    if (!this.process || this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((done) => this.process.on("exit", done));
    this.process.kill(signal);
    await ended;
  }
}

/** What an expression of `studio` and `value` comes to on a page. */
export const ask = (page, code, value) =>
  page.evaluate(([text, given]) => new Function("studio", "value", `return ${text}`)(window.sunderStudio, given), [code, value]);

/** Waits until it is true. Asked from outside: the page's own policy forbids scripts made of text. */
export async function untilIn(page, code, value) {
  const end = Date.now() + patience;
  while (!(await ask(page, code, value))) {
    if (Date.now() > end)
      throw new Error(
        `waited in vain for: ${code}\n${JSON.stringify(await ask(page, "[studio?.store.status, studio?.stage.player.frame, studio?.stage.complete]"))}`,
      );
    await new Promise((done) => setTimeout(done, 50));
  }
}

export async function openStudio(browser, address, options = {}) {
  const page = await openPage(browser, address, options);
  await untilIn(page, "studio?.stage.complete");
  return page;
}
