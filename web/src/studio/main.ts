import "../ui/styles.css";
import "./studio.css";

import { Notice } from "../core/errors";
import { SocketConnection } from "../server/connection";
import { CommandError, type JsonObject } from "../server/contract";
import { createStage } from "../stage/stage";
import { el } from "../ui/dom";
import type { ExporterInfo } from "./export";
import type { ReadyMaterial, ShapeInfo } from "./presets";
import { Studio } from "./studio";

declare global {
  interface Window {
    /** For scripts and tests. */
    sunderStudio?: Studio;
  }
}

const NO_TOKEN = "The address is not complete. Open the one that `sunder studio` prints in its terminal: it ends with # and a key.";

async function open(): Promise<void> {
  const host = document.getElementById("app")!;
  try {
    const token = location.hash.slice(1);
    if (token === "") throw new Notice(NO_TOKEN);
    const connection = new SocketConnection(location.origin, token);
    await new Promise<void>((resolve, reject) => {
      connection.onState((state) => {
        if (state === "open") resolve();
        if (state === "refused")
          reject(
            new Notice(
              "Sunder does not answer at this address. Open the one that `sunder studio` prints in its terminal; it changes with each start.",
            ),
          );
      });
    });
    const [schema, shapes, materials, exporters] = await Promise.all([
      connection.fetchJson<JsonObject>("/schema.json"),
      connection.fetchJson<readonly ShapeInfo[]>("/shapes.json"),
      connection.fetchJson<readonly ReadyMaterial[]>("/materials.json"),
      connection.fetchJson<readonly ExporterInfo[]>("/exporters.json"),
    ]);
    const studio = new Studio(connection, host, { schema, shapes, materials, exporters }, createStage);
    window.sunderStudio = studio;
    await studio.start();
  } catch (error) {
    const known = error instanceof Notice || error instanceof CommandError;
    host.replaceChildren(el("p", { class: "notice", role: "alert" }, known ? error.message : `Studio cannot be shown: ${String(error)}`));
    if (!known) console.error(error);
  }
}

void open();
window.addEventListener("hashchange", () => location.reload()); // another key: another program
