import type { JsonObject, Pace, TakeStatus } from "../server/contract";
import type { Stage } from "../stage/contract";
import type { BreakView } from "../ui/break_view";
import type { Timeline } from "../ui/timeline";
import { Watching, type WatchCallbacks } from "../ui/watching";
import type { Notices } from "./notices";
import type { Store } from "./store";

/** Watching a take while it may still grow: at its end the run is followed, playing ends that. */
export class TakeWatching extends Watching {
  constructor(
    private readonly take: Stage,
    timeline: Timeline,
    breaks: BreakView,
    private readonly callbacks: WatchCallbacks,
  ) {
    super(take, take, timeline, breaks, callbacks);
  }

  override togglePlay(): void {
    this.take.following = false;
    super.togglePlay();
  }
  override toEnd(): void {
    super.toEnd();
    this.take.following = true;
    this.callbacks.refresh();
  }
}

/** Making frames, and doing something to what is there while they are made. */
export class RunControl {
  constructor(
    private readonly store: Store,
    private readonly stage: Stage,
    private readonly watch: TakeWatching,
    private readonly notices: Notices,
  ) {}

  get isRunning(): boolean {
    return this.store.status?.take.state === "running";
  }

  runOrPause(): void {
    if (this.isRunning) {
      this.command("pause");
      return;
    }
    this.stage.player.playing = false;
    this.stage.following = true;
    this.command("run");
  }
  step(): void {
    this.stage.following = true;
    this.command("step", { frames: 1 });
  }
  restart(): void {
    this.command("restart");
    this.stage.seek(this.stage.player.first);
    this.stage.following = true;
  }
  /** The take that was left for the start, to be watched. */
  showBefore(): void {
    this.stage.following = false;
    this.command("take_before");
  }

  /** After undo and redo: at the start of another take, else at the last frame that the scene still makes. */
  travelled(take: TakeStatus): void {
    const { player } = this.stage;
    player.playing = false;
    if (take.state === "running") return;
    if (take.id !== this.stage.takeId) this.stage.seek(player.first);
    else if (take.valid_to < player.frame) this.watch.seek(Math.max(take.valid_to, player.first));
    this.stage.following = take.state === "still";
  }

  fromHere(): void {
    this.stage.following = true;
    this.command("run", { from: this.stage.player.frame });
  }
  playOrRun(): void {
    if (this.isRunning && this.stage.following) this.command("pause");
    else if (this.store.status?.take.state === "still") this.runOrPause();
    else this.watch.togglePlay();
  }
  setPace(pace: Pace): void {
    this.command("pace", { pace });
  }

  /** A command of a tool. Throws go through the history; so does everything else that is done by hand. */
  async byTool(name: string, args: object): Promise<unknown> {
    const answer = await this.notices.shown(this.store.command(name, args));
    // what is thrown wants to fly
    if (name === "throw" && !this.isRunning) {
      this.stage.following = true;
      this.command("run", "at" in args ? { from: args.at } : {});
    }
    return answer;
  }

  /** An action of the scene, in the frame shown. */
  act(label: string, action: JsonObject): void {
    this.command("act", { label, action, at: this.stage.player.frame });
  }

  private command(name: string, args: object = {}): void {
    this.store.command(name, args).catch(this.notices.complain);
  }
}
