import "../ui/styles.css";

import { decodePage } from "../core/decode";
import { Notice } from "../core/errors";
import { el } from "../ui/dom";
import { Replay } from "./replay";

declare global {
  interface Window {
    /** For scripts and tests. */
    sunderReplay?: Replay;
  }
}

async function open(): Promise<void> {
  const host = document.getElementById("app")!;
  const place = document.getElementById("sunder-recording");
  try {
    const recording = await decodePage(place?.textContent ?? "");
    place?.remove(); // its text is of no more use
    document.title = recording.title ? `${recording.title} – Sunder replay` : "Sunder replay";
    const replay = new Replay(recording, host);
    replay.run();
    window.sunderReplay = replay;
  } catch (error) {
    const text = error instanceof Notice ? error.message : `This replay cannot be shown: ${String(error)}`;
    host.replaceChildren(el("p", { class: "notice", role: "alert" }, text));
    if (!(error instanceof Notice)) console.error(error);
  }
}

void open();
