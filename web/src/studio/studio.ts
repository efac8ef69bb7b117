import type { Body } from "../core/recording";
import type { ConnectionState, SocketConnection } from "../server/connection";
import type { JsonObject } from "../server/contract";
import { isWithin } from "../server/pointer";
import type { CreateStage, Editing, Stage } from "../stage/contract";
import { BreakView } from "../ui/break_view";
import { Counts } from "../ui/counts";
import type { DisplayPanel } from "../ui/display";
import { el, icon, iconButton, setPressed } from "../ui/dom";
import { HelpOverlay } from "../ui/help";
import { focusStageAfterClicks, listenForKeys } from "../ui/keys";
import { ThemeChoice } from "../ui/theme";
import { Timeline } from "../ui/timeline";
import { Adder } from "./add";
import { AddMenu } from "./add_menu";
import { listenForDrops } from "./drops";
import { Edits } from "./edits";
import { type ExporterInfo, Exports, formatsOf } from "./export";
import { Files } from "./files";
import { MeshImport } from "./import_mesh";
import { VolumeImport } from "./import_volume";
import { Imports } from "./imports";
import { JobStrip } from "./jobs";
import { STUDIO_KEYS } from "./keys";
import { LogDrawer } from "./log";
import { menuBar, MenuButton } from "./menu";
import { menusOf, type MenuPage } from "./menus";
import { Notices } from "./notices";
import { NowPanel } from "./now_panel";
import { ownerOf, PropertyPanel } from "./panel";
import { Pieces } from "./pieces";
import { Catalogue, type ReadyMaterial, type ShapeInfo } from "./presets";
import { RunControl, TakeWatching } from "./run_control";
import { SceneSchema } from "./schema";
import { Selection } from "./selection";
import { StageNotes } from "./stage_notes";
import { StatusView } from "./status_view";
import { Store, type SceneAnswer } from "./store";
import { Tabs } from "./tabs";
import { TakePanel } from "./take_panel";
import { ToolBar } from "./toolbar";
import { StudioTransport } from "./transport";
import { SceneTree } from "./tree";
import { ViewPanel } from "./view_panel";

/** What the program tells of itself when the page opens. */
export interface Catalogues {
  readonly schema: JsonObject;
  readonly shapes: readonly ShapeInfo[];
  readonly materials: readonly ReadyMaterial[];
  readonly exporters: readonly ExporterInfo[];
}

/** The page: puts stage, tree, panels and transport together, and shows in all of them what changed in one. */
export class Studio implements MenuPage {
  readonly element: HTMLElement;
  readonly store: Store;
  readonly stage: Stage;
  readonly selection: Selection;
  readonly watch: TakeWatching;
  readonly run: RunControl;
  readonly edits: Edits;
  readonly add: AddMenu;
  readonly files: Files;
  readonly tools: ToolBar;
  readonly transport: StudioTransport;
  readonly breaks: BreakView;
  readonly view: ViewPanel;
  readonly log: LogDrawer;
  readonly theme: ThemeChoice;
  readonly help = new HelpOverlay(
    STUDIO_KEYS.groups,
    "Drop mesh files (OBJ, PLY, STL, OFF, glTF) onto the stage to add them, volumes (NRRD) to say how strong the selected body is inside.",
  );

  private readonly notices: Notices;
  private readonly jobs: JobStrip;
  private readonly status: StatusView;
  private readonly notes: StageNotes;
  private readonly counts: Counts;
  private readonly timeline: Timeline;
  private readonly pieces: Pieces;
  private readonly tree: SceneTree;
  private readonly panel: PropertyPanel;
  private readonly now: NowPanel;
  private readonly take: TakePanel;
  private readonly tabs: Tabs<"Properties" | "View" | "Take">;
  private readonly exports: Exports;
  private readonly imports: Imports;
  private readonly addButton: MenuButton;
  private readonly panelsButton: HTMLButtonElement;
  private readonly treeButton: HTMLButtonElement;
  private readonly narrow = window.matchMedia("(max-width: 899px)"); // as in studio.css
  private statusDue = false;
  private timelineDrawn = "";
  private toFrame: string | undefined; // what was added, and is not on the stage yet

  constructor(
    readonly connection: SocketConnection,
    host: HTMLElement,
    catalogues: Catalogues,
    createStage: CreateStage,
  ) {
    // what needs no stage
    this.theme = new ThemeChoice((theme) => {
      this.stage.setTheme(theme);
      this.refreshTheme();
    });
    this.store = new Store(connection);
    this.log = new LogDrawer(connection, { seek: (frame) => this.watch.seek(frame), go: (pointer) => this.goTo(pointer) });
    const say = (text: string): void => this.log.say(text);
    this.notices = new Notices(
      (text, level) => this.log.say(text, level),
      () => this.log.rest(),
    );
    const { complain, announce } = this.notices;
    this.jobs = new JobStrip(connection, complain);
    this.status = new StatusView({ undo: () => this.edits.undo(), redo: () => this.edits.redo() });
    this.panelsButton = iconButton("panel", "Panels", "\\", () => this.togglePanels());
    this.treeButton = iconButton("group", "Scene tree", "", () => this.toggleDrawer("tree"));
    this.treeButton.classList.add("drawer-button");

    // the stage, in its place on the page
    const canvasHost = el("div", { class: "canvas-host" });
    const stageArea = el("main", { class: "stage", "aria-label": "Stage" }, canvasHost);
    const side = el("aside", { class: "side", "aria-label": "Properties" });
    const left = el("aside", { class: "left", "aria-label": "Scene tree" });
    const transportHost = el("div", { class: "transport-host" });
    const statusBar = el("section", { class: "status-bar", "aria-label": "Status" }, this.status.state, this.log.line, this.jobs.element);
    const { announcer, toast, banner } = this.notices;
    this.element = el(
      "div",
      { class: "studio" },
      this.makeBar(),
      banner,
      left,
      stageArea,
      side,
      this.log.element,
      transportHost,
      statusBar,
      this.help.element,
      announcer,
      toast,
    );
    host.replaceChildren(this.element);
    this.stage = createStage(canvasHost, connection, this.theme.theme, {
      selected: (bodies, pointers) => this.selection.set(pointers, bodies),
      edit: (label, patch) => this.notices.shown(this.store.edit(label, patch)),
      drag: (label, patchFor, merge) => this.store.drag(label, patchFor, merge, this.notices.complain),
      command: (name, args) => this.run.byTool(name, args),
      announce,
      moment: () => this.refreshMoment(),
      grown: (fresh) => this.grown(fresh),
    });
    this.store.showsStart = () => this.stage.player.frame === this.stage.player.first && !this.run.isRunning;

    // what people do with it
    this.selection = new Selection(this.store, this.stage, (byTree) => this.selectionChanged(byTree));
    const adder = new Adder(
      this.store,
      () => this.stage,
      () => this.selection.inTake,
      new Catalogue(catalogues.shapes, catalogues.materials),
    );
    this.edits = new Edits(this.store, this.selection, adder, this.notices, (take) => this.run.travelled(take));
    this.files = new Files(connection, this.store, { complain, say, opened: () => this.opened() });
    this.exports = new Exports(connection, this.jobs, formatsOf(catalogues.exporters), { complain, say });
    const meshes = new MeshImport(connection, this.jobs, adder, {
      complain,
      say,
      added: (pointer) => {
        this.selection.set([pointer]);
        this.toFrame = pointer;
        this.frameAdded();
      },
    });
    const volumes = new VolumeImport(adder, this.selection, say);
    this.imports = new Imports(connection, this.jobs, meshes, volumes, complain);
    this.add = new AddMenu(catalogues.shapes, adder, this.imports, meshes, volumes, this.files, this.stage, this.selection, this.notices);
    this.timeline = new Timeline(this.stage.recording, (frame, event) => this.watch.seek(frame, event));
    this.breaks = new BreakView(this.stage.recording, this.stage, {
      choose: (event) => this.watch.seek(event.frame, event),
      asked: () => this.tabs.show("Take"),
      failed: complain,
    });
    this.watch = new TakeWatching(this.stage, this.timeline, this.breaks, {
      selected: () => this.selection.inTake,
      select: (body) => this.selectBody(body),
      refresh: () => this.transport.refresh(),
      cameraChanged: () => undefined, // no button shows it
      announce,
      pictureName: () => (this.store.path ?? "studio").replace(/\.json$/i, "").replaceAll("/", "-"),
      saved: (name) => say(`Saved ${name}`),
    });
    this.run = new RunControl(this.store, this.stage, this.watch, this.notices);

    // what is around it
    this.transport = new StudioTransport(this.stage, this.timeline, {
      runOrPause: () => this.run.runOrPause(),
      stepRun: () => this.run.step(),
      restart: () => this.run.restart(),
      setPace: (pace) => this.run.setPace(pace),
      togglePlay: () => this.watch.togglePlay(),
      step: (frames) => this.watch.step(frames),
      toStart: () => this.watch.toStart(),
      toEnd: () => this.watch.toEnd(),
      toggleLoop: () => this.watch.toggleLoop(),
      setSpeed: (value) => this.watch.setSpeed(value),
      goToFrame: (frame) => this.watch.seek(frame),
    });
    transportHost.append(this.transport.element);
    this.tools = new ToolBar(this.stage, this.store, { announce, edits: (editing) => this.gizmosChange(editing) });
    this.notes = new StageNotes({
      restart: () => this.run.restart(),
      showBefore: () => this.run.showBefore(),
      addShape: (name) => this.add.shape(name),
      open: () => void this.files.openDialog(),
    });
    this.counts = new Counts(this.stage.recording);
    stageArea.prepend(this.tools.element);
    stageArea.append(this.tools.options, this.counts.element, this.notes.stale, this.notes.before, this.notes.empty, this.breaks.legend);
    this.pieces = new Pieces(this.stage, () => this.tree.refresh());
    this.tree = new SceneTree(this.store, {
      select: (pointers, bodies) => this.selection.set(pointers, bodies, true),
      focus: () => this.watch.frameSelection(),
      piecesOf: (pointer) => this.pieces.of(pointer),
      piecesOfBody: (body) => this.pieces.ofBody(body),
    });
    this.addButton = new MenuButton(el("span", {}, icon("add"), "Add"), "Add", () => this.add.entries(), undefined, {
      class: "text-button add-button",
      title: "Add something to the scene (Shift A)",
    });
    left.append(el("header", { class: "left-head" }, el("h2", {}, "Scene"), this.addButton.button), this.tree.element);
    this.panel = new PropertyPanel(this.store, new SceneSchema(catalogues.schema, catalogues.materials), {
      select: (pointers) => this.selection.set(pointers),
      complain,
      announce,
      renamed: (from, to) =>
        this.selection.set(this.selection.pointers.map((pointer) => (isWithin(pointer, from) ? to + pointer.slice(from.length) : pointer))),
    });
    this.now = new NowPanel(this.stage, { act: (label, action) => this.run.act(label, action), complain });
    this.panel.setTop(this.now.element);
    this.now.show(undefined);
    this.take = new TakePanel(this.stage, this.breaks.element, { seek: (frame, event) => this.watch.seek(frame, event) });
    this.view = new ViewPanel(this.stage, this.store, this.notices, { resetCamera: () => this.watch.resetCamera(), say });
    this.tabs = new Tabs({ Properties: this.panel.element, View: this.view.element, Take: this.take.element }, (tab) => {
      if (tab === "Take") this.take.refresh(true);
    });
    side.append(this.tabs.list, ...this.tabs.panels);
    this.refreshTheme();
    this.refreshPanelsButton();
    this.listen(stageArea);
  }

  get display(): DisplayPanel {
    return this.view.display;
  }

  /** From here on it lives: the document comes, notices come. */
  async start(): Promise<void> {
    this.store.on((event) => {
      if (event === "status") this.statusCame();
      else if (event === "refused") this.panel.update();
      else this.documentChanged();
    });
    this.connection.onState((state, again) => this.connectionChanged(state, again));
    const answer = await this.store.command<SceneAnswer>("scene");
    if (this.store.status) this.refreshStatus();
    if (answer.recovery) await this.files.offerRecoveries(answer.recovery);
  }

  private makeBar(): HTMLElement {
    const brand = el("span", { class: "brand" }, icon("blast"), "Sunder");
    const tools = el(
      "div",
      { class: "bar-group" },
      this.status.undo,
      this.status.redo,
      this.theme.button,
      this.treeButton,
      this.panelsButton,
      iconButton("help", "Keys and help", "?", () => this.help.toggle()),
    );
    return el("header", { class: "bar" }, brand, menuBar("Main menu", menusOf(this)), this.status.title, tools);
  }

  private listen(stageArea: HTMLElement): void {
    listenForKeys(STUDIO_KEYS, this, (code, down) => this.stage.key(code, down));
    this.narrow.addEventListener("change", () => this.refreshPanelsButton());
    stageArea.addEventListener("pointerdown", () => {
      delete this.element.dataset["drawer"];
      this.refreshPanelsButton();
    });
    focusStageAfterClicks(this.element, ".tool-bar button, .transport button, .bar-group button", this.stage.canvas);
    listenForDrops(stageArea, this.stage, (files, at) => void this.imports.files(files, at));
    window.addEventListener("beforeunload", (event) => {
      if (this.store.status?.document.saved === false && this.connection.state === "open") event.preventDefault();
    });
  }

  // ---- what changed, shown everywhere

  private documentChanged(): void {
    this.selection.documentChanged();
    this.stage.setDocument(this.store.document);
    this.tools.refreshMaterials();
    this.tree.refresh();
    this.panel.update();
    this.refreshStatus();
  }

  private opened(): void {
    this.selection.set([]);
    this.stage.opened();
  }

  private selectionChanged(byTree: boolean): void {
    const { pointers, bodies, sources } = this.selection;
    if (!byTree) this.tree.setSelection(pointers, bodies);
    this.panel.show(sources);
    this.refreshNow();
  }

  private selectBody(body: number | undefined): void {
    this.selection.set([], body === undefined ? [] : [body]);
    if (body !== undefined) this.notices.announce(this.stage.recording.bodies[body]?.name ?? "");
  }

  private connectionChanged(state: ConnectionState, again: boolean): void {
    this.notices.connection(state);
    this.transport.setConnected(state === "open");
    if (again) void this.store.pull();
  }

  /** Notices come up to thirty times a second: shown once per picture. What waits for a job hears it at once. */
  private statusCame(): void {
    this.jobs.setStatus(this.store.status?.jobs ?? []);
    if (this.statusDue) return;
    this.statusDue = true;
    requestAnimationFrame(() => {
      this.statusDue = false;
      this.refreshStatus();
    });
  }

  private refreshStatus(): void {
    const { status } = this.store;
    if (!status) return;
    this.status.show(status, this.store.path);
    this.transport.setStatus(status);
    this.take.setStatus(status);
    this.take.refresh();
    this.refreshTimeline();
    this.notes.show(status.take, this.store.document);
    void this.log.pull(status.log);
    this.counts.show(this.stage.player.frame);
  }

  /** Frames to come, and frames made from an earlier scene, are marked. */
  private refreshTimeline(): void {
    const take = this.store.status?.take;
    const end = take && take.state !== "still" ? take.wanted : 0;
    const validTo = take && (take.stale || take.valid_to < take.last) ? take.valid_to : Infinity;
    const { recording } = this.stage;
    const key = [end, validTo, recording.firstFrame, recording.frames, recording.events.length, take?.id].join();
    if (key === this.timelineDrawn) return;
    this.timelineDrawn = key;
    this.timeline.refresh(end, validTo);
    this.transport.refresh();
  }

  private refreshMoment(): void {
    const { player } = this.stage;
    this.transport.refresh();
    this.take.set(player.frame);
    this.breaks.moment(player.frame, player.playing);
    this.refreshNow();
    this.counts.show(player.frame);
  }

  /** A mesh from a file may be anywhere, and of any size: the camera goes there as soon as it is there. */
  private frameAdded(): void {
    const bodies = this.toFrame === undefined ? [] : this.stage.bodiesOf(this.toFrame).filter((id) => this.stage.isThere(id));
    if (bodies.length === 0) return;
    this.toFrame = undefined;
    this.stage.frame(bodies);
  }

  private grown(fresh: boolean): void {
    this.refreshTimeline();
    this.take.grown(fresh);
    this.pieces.grown(fresh);
    this.selection.takeChanged(fresh);
    this.frameAdded();
    this.refreshMoment();
  }

  /** One body of the take is shown with its state in this frame. */
  private refreshNow(): void {
    const [only, ...others] = this.selection.inTake;
    const body: Body | undefined = only !== undefined && others.length === 0 ? this.stage.recording.bodies[only] : undefined;
    const wanted =
      body && (this.stage.editing === "current" || this.selection.bodies.length > 0 || this.stage.player.frame > this.stage.player.first);
    this.now.show(wanted ? body : undefined);
  }

  private gizmosChange(editing: Editing): void {
    if (editing === "start") this.watch.toStart();
    this.refreshNow();
  }

  private refreshTheme(): void {
    this.timeline.draw();
    this.take.refresh(true);
  }

  private refreshPanelsButton(): void {
    setPressed(this.panelsButton, this.hasPanels);
    setPressed(this.treeButton, this.element.dataset["drawer"] === "tree");
  }

  /** In a narrow window panels lie over the stage, one at a time. */
  private toggleDrawer(drawer: "tree" | "panel"): void {
    if (this.element.dataset["drawer"] === drawer) delete this.element.dataset["drawer"];
    else this.element.dataset["drawer"] = drawer;
    this.refreshPanelsButton();
  }

  // ---- what keys and menus do with the page itself

  get hasPanels(): boolean {
    return this.narrow.matches ? this.element.dataset["drawer"] === "panel" : !this.element.classList.contains("wide");
  }
  togglePanels(): void {
    if (this.narrow.matches) return this.toggleDrawer("panel");
    this.element.classList.toggle("wide");
    this.refreshPanelsButton();
  }
  openAddMenu(): void {
    this.addButton.open();
  }
  /** In a narrow window the panel has to come first. */
  private showPanel(tab: "Properties" | "Take"): void {
    if (this.narrow.matches && !this.hasPanels) this.toggleDrawer("panel");
    this.tabs.show(tab);
  }
  rename(): void {
    this.showPanel("Properties");
    this.panel.focusName();
  }
  findProperty(): void {
    this.showPanel("Properties");
    this.panel.focusSearch();
  }
  private goTo(pointer: string): void {
    this.selection.set([ownerOf(pointer)]);
    this.showPanel("Properties");
    this.panel.reveal(pointer);
  }
  copyFacts(): void {
    void navigator.clipboard.writeText(this.selection.facts()).then(() => this.log.say("Copied the numbers of the selection"));
  }
  exportTake(): void {
    const take = this.store.status?.take;
    const stem = (this.store.path ?? "untitled").replace(/\.json$/i, "");
    this.exports.open(stem.slice(stem.lastIndexOf("/") + 1), {
      first: take?.first ?? 0,
      last: take?.last ?? 0,
      shown: this.stage.player.frame,
      running: this.run.isRunning,
    });
  }
}
