import { CommandError, type Connection, type Status, type TakeStatus } from "../server/contract";
import { FrameCache, readFrames, type CachedFrame } from "./frame_cache";
import { LiveRecording, type BodyNews, type FigureNews } from "./live_recording";
import { MeshStore } from "./mesh_store";

interface BodiesAnswer {
  readonly bodies: readonly BodyNews[];
  readonly looks: readonly unknown[];
  readonly last: number;
  readonly deaths?: readonly (readonly [number, number])[];
}

const AHEAD = 32; // frames that are pulled before they are wanted
const BEHIND = 8;
const SPAN = 16; // frames of one question
const NOTICE = 200; // ms after which a notice of what changed has surely come
const FIGURES = 8; // frames of a run that goes on, whose figures are asked for together

/** Everything that was pulled of another take, until it can be shown. */
interface Replacement {
  readonly take: TakeStatus;
  readonly bodies: readonly BodyNews[];
  readonly looks: readonly unknown[];
  readonly last: number;
  readonly frames: readonly CachedFrame[];
}

export interface PullerEvents {
  /** `fresh`: it is another take. */
  grown(fresh: boolean): void;
  failed(error: unknown): void;
}

/**
 * Asks for what the take has and the recording lacks. Notices only say that there is more: however many come while an
 * answer is under way, the next question is for the newest. Frames are asked for around the one that is wanted.
 */
export class Puller {
  readonly meshes: MeshStore;
  private take = -1; // that the recording has
  private asking = -1; // take that is being asked about
  private bodiesTold = 0; // so many the server spoke of when it was last asked for bodies
  private pulling = false;
  private wanted = 0;
  private readonly asked = new Map<number, readonly [number, number]>(); // frames under way, by question
  private questions = 0;
  private ended = false;
  private readonly forget: () => void;

  constructor(
    private readonly connection: Connection,
    readonly recording: LiveRecording,
    readonly cache: FrameCache,
    private readonly events: PullerEvents,
  ) {
    this.meshes = new MeshStore(connection);
    this.forget = connection.onStatus(() => void this.pull());
  }

  dispose(): void {
    this.ended = true;
    this.forget();
  }

  get takeId(): number {
    return this.take;
  }

  private get status(): Status | undefined {
    return this.connection.status;
  }

  // ---- what there is besides frames

  private async pull(): Promise<void> {
    if (this.pulling) return;
    this.pulling = true;
    try {
      while (!this.ended && (await this.pullNext()));
    } finally {
      this.pulling = false;
    }
  }

  /** True: ask again. */
  private async pullNext(): Promise<boolean> {
    try {
      return await this.pullOnce();
    } catch (error) {
      // refused because another take came in between? its notice is there, or comes soon
      if (error instanceof CommandError && !this.isOutdated) await new Promise((done) => setTimeout(done, NOTICE));
      if (error instanceof CommandError && this.isOutdated) return true;
      if (!this.ended) this.events.failed(error);
      return false;
    }
  }

  /** What was asked about is not what is shown any more. */
  private get isOutdated(): boolean {
    return this.status?.take.id !== this.asking;
  }

  /** True when something was pulled, so that there may be more. */
  private async pullOnce(): Promise<boolean> {
    const take = this.status?.take;
    if (take === undefined) return false;
    this.asking = take.id;
    if (take.id !== this.take) {
      const fresh = await this.pullTake(take);
      if (this.status?.take.id === take.id) this.replace(fresh);
      return true;
    }
    const { recording } = this;
    const more = take.last > recording.lastFrame || take.bodies > this.bodiesTold;
    if (more) await this.pullMore(take);
    const events = take.events > recording.events.length && (await this.pullEvents(take));
    const behind = take.last + 1 - recording.figuresUpTo;
    const figures = behind >= (take.state === "running" ? FIGURES : 1) && (await this.pullFigures(take));
    if (more || events || figures) this.events.grown(false);
    return more || events || figures;
  }

  private async pullTake(take: TakeStatus): Promise<Replacement> {
    const bodies: BodyNews[] = [];
    let answer: BodiesAnswer;
    do {
      answer = await this.connection.ask<BodiesAnswer>("bodies", { take: take.id, from: bodies.length });
      bodies.push(...answer.bodies);
    } while (answer.bodies.length > 0 && bodies.length < take.bodies);
    const frame = Math.min(Math.max(this.wanted, take.first), answer.last);
    const [frames] = await Promise.all([
      this.connection.askBytes("frames", { take: take.id, from: frame, to: frame }),
      this.meshes.need(bodies.flatMap((body) => body.mesh ?? [])),
    ]);
    const died = new Map(bodies.map((body) => [body.id, body.died ?? Infinity]));
    return { take, bodies, looks: answer.looks, last: answer.last, frames: readFrames(frames.bytes, (body) => died.get(body) ?? Infinity) };
  }

  /** At once, so that no picture shows half of each. */
  private replace(fresh: Replacement): void {
    this.take = fresh.take.id;
    this.bodiesTold = Math.max(fresh.take.bodies, fresh.bodies.length);
    this.asked.clear();
    this.cache.clear();
    this.recording.begin(fresh.take.first, fresh.take.dt);
    this.recording.setLooks(fresh.looks);
    this.recording.addBodies(fresh.bodies, (hash) => this.meshes.get(hash));
    this.recording.setLast(fresh.last);
    this.cache.add(fresh.frames);
    this.meshes.tidy(this.recording.hashes);
    this.events.grown(true);
  }

  /** Bodies before frames: a frame is only wanted once all that is in it can be drawn. */
  private async pullMore(take: TakeStatus): Promise<void> {
    const { recording } = this;
    if (take.bodies <= this.bodiesTold) {
      recording.setLast(take.last);
      return;
    }
    const from = recording.bodies.length;
    const answer = await this.connection.ask<BodiesAnswer>("bodies", { take: take.id, from, deaths_from: recording.lastFrame });
    await this.meshes.need(answer.bodies.flatMap((body) => body.mesh ?? []));
    if (this.take !== take.id) return;
    if (answer.looks.length !== recording.looks.length) recording.setLooks(answer.looks);
    recording.addBodies(answer.bodies, (hash) => this.meshes.get(hash));
    recording.setDeaths(answer.deaths ?? []);
    // an answer that is full has bodies of later frames still to come
    if (answer.bodies.length > 0 && recording.bodies.length < take.bodies) return;
    this.bodiesTold = Math.max(take.bodies, recording.bodies.length);
    recording.setLast(answer.last);
  }

  private async pullEvents(take: TakeStatus): Promise<boolean> {
    const from = this.recording.events.length;
    const answer = await this.connection.ask<{ events: readonly unknown[] }>("events", { take: take.id, from });
    if (this.take !== take.id) return true;
    this.recording.addEvents(answer.events);
    return answer.events.length > 0;
  }

  private async pullFigures(take: TakeStatus): Promise<boolean> {
    const from = this.recording.figuresUpTo;
    const answer = await this.connection.ask<FigureNews>("figures", { take: take.id, from, to: take.last });
    if (this.take !== take.id) return true;
    if (answer.times.length > 0) this.recording.addFigures(answer);
    return answer.times.length > 0;
  }

  // ---- frames

  /**
   * Called as often as pictures are drawn, with the frame that should be shown. One question for what is wanted now, one
   * for what will be wanted soon: never a queue.
   */
  want(frame: number, following: boolean): void {
    this.wanted = frame;
    const { cache, recording } = this;
    const last = recording.lastFrame;
    if (this.take < 0 || frame > last) return;
    cache.touch(frame);
    if (following) {
      if (!cache.has(frame) && this.asked.size === 0) this.ask(frame, frame);
      return;
    }
    if (!cache.has(frame) && !this.isAsked(frame) && this.asked.size < 2) this.askFrom(frame, Math.min(frame + SPAN - 1, last));
    if (this.asked.size > 0) return;
    const missing =
      cache.firstMissing(frame, Math.min(frame + AHEAD, last)) ?? cache.firstMissing(Math.max(frame - BEHIND, recording.firstFrame), frame);
    if (missing !== undefined) this.askFrom(missing, Math.min(missing + SPAN - 1, last));
  }

  /** As far as nothing of it is here. */
  private askFrom(from: number, to: number): void {
    let end = from;
    while (end < to && !this.cache.has(end + 1)) ++end;
    this.ask(from, end);
  }

  private isAsked(frame: number): boolean {
    for (const [from, to] of this.asked.values()) if (from <= frame && frame <= to) return true;
    return false;
  }

  private ask(from: number, to: number): void {
    const question = ++this.questions;
    const { take } = this;
    this.asked.set(question, [from, to]);
    this.connection
      .askBytes("frames", { take, from, to })
      .then((answer) => {
        if (take !== this.take || this.ended) return;
        this.cache.add(readFrames(answer.bytes, (body) => this.recording.bodies[body]?.died ?? Infinity));
      })
      .catch((error: unknown) => {
        if (take === this.take && take === this.status?.take.id && !this.ended) this.events.failed(error);
      })
      .finally(() => this.asked.delete(question));
  }
}
