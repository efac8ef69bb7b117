import { CommandError, type Connection, type Job, type JsonObject } from "../server/contract";
import { el, iconButton } from "../ui/dom";

export function secondsText(seconds: number): string {
  return seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
}

/** Work that goes on: what, how far, how long, and a way to end it. */
export class JobStrip {
  readonly element = el("div", { class: "jobs", role: "group", "aria-label": "Work in progress" });
  private readonly waiting = new Map<number, { resolve(result: JsonObject): void; reject(error: Error): void }>();
  private readonly uploads = new Map<symbol, { label: string; share: number; cancel(): void }>();
  private jobs: readonly Job[] = [];
  private shown = "";

  constructor(
    private readonly connection: Connection,
    private readonly complain: (error: unknown) => void,
  ) {}

  /** What a job made, when it is done. */
  result(id: number): Promise<JsonObject> {
    const promise = new Promise<JsonObject>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.settle();
    return promise;
  }

  setStatus(jobs: readonly Job[]): void {
    this.jobs = jobs;
    this.settle();
    this.draw();
  }

  /** Something on its way to the server. */
  upload(label: string, cancel: () => void): { share(value: number): void; end(): void } {
    const key = Symbol(label);
    this.uploads.set(key, { label, share: 0, cancel });
    this.draw();
    return {
      share: (value) => {
        this.uploads.set(key, { label, share: value, cancel });
        this.draw();
      },
      end: () => {
        this.uploads.delete(key);
        this.draw();
      },
    };
  }

  private settle(): void {
    for (const job of this.jobs) {
      const waiting = this.waiting.get(job.id);
      if (!waiting || job.state === "running") continue;
      this.waiting.delete(job.id);
      if (job.state === "done") waiting.resolve(job.result ?? {});
      else waiting.reject(new CommandError(job.error ?? `${job.label} was cancelled.`));
    }
  }

  private draw(): void {
    const running = this.jobs.filter((job) => job.state === "running");
    const ids = [...running.map((job) => job.id), ...[...this.uploads.keys()].map(String)].join();
    if (ids !== this.shown) {
      this.shown = ids;
      this.element.replaceChildren(
        ...running.map((job) =>
          strip(`job-${job.id}`, job.label, () => void this.connection.ask("cancel", { job: job.id }).catch(this.complain)),
        ),
        ...[...this.uploads].map(([, upload]) => strip("upload", upload.label, () => upload.cancel())),
      );
    }
    const bars = [...this.element.querySelectorAll("progress")];
    const shares = [...running.map((job) => job.share), ...[...this.uploads.values()].map((upload) => upload.share)];
    bars.forEach((bar, i) => {
      bar.value = shares[i] ?? 0;
    });
    running.forEach((job, i) => {
      const note = this.element.children[i]?.querySelector(".job-eta");
      if (note) note.textContent = job.eta === null || job.eta === undefined ? "" : secondsText(job.eta);
    });
  }
}

function strip(id: string, label: string, cancel: () => void): HTMLElement {
  return el(
    "div",
    { class: "job", "data-job": id },
    el("span", { class: "job-label" }, label),
    el("progress", { max: 1, value: 0, "aria-label": label }),
    el("span", { class: "job-eta" }),
    iconButton("close", `Cancel: ${label}`, "", cancel),
  );
}
