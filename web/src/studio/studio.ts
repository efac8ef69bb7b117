import { COLOUR_MODES } from "../core/colours";
import { plural } from "../core/format";
import { isAlive, type Body, type RecordedEvent } from "../core/recording";
import { BreakView } from "../ui/break_view";
import { DisplayPanel } from "../ui/display";
import { el, icon, iconButton, setIcon, setPressed } from "../ui/dom";
import { HelpOverlay } from "../ui/help";
import { ThemeChoice } from "../ui/theme";
import { Timeline } from "../ui/timeline";
import { Adder } from "./add";
import type { ConnectionState, SocketConnection } from "./connection";
import { CommandError, type CreateStage, type Editing, type JsonObject, type Stage, type Status, type Tool } from "./contract";
import { Exports, saveBlob } from "./export";
import { issueText } from "./field_row";
import { Files } from "./files";
import { MeshImport } from "./import_mesh";
import { JobStrip } from "./jobs";
import { listenForKeys, STUDIO_KEYS, type KeyActions } from "./keys";
import { LogDrawer } from "./log";
import { menuBar, MenuButton, type MenuEntry } from "./menu";
import { NowPanel } from "./now_panel";
import { nameOf, ownerOf, PropertyPanel } from "./panel";
import { isWithin } from "./pointer";
import { SHAPE_GROUPS } from "./presets";
import { labelOf, SceneSchema } from "./schema";
import { Store, type SceneAnswer } from "./store";
import { TakePanel } from "./take_panel";
import { TOOL_TEXTS, ToolBar } from "./toolbar";
import { StudioTransport } from "./transport";
import { SceneTree, type Piece } from "./tree";

export interface ShapeInfo {
  readonly name: string;
  readonly help: string;
  readonly open: boolean;
}

const TABS = ["Properties", "View", "Take"] as const;
type Tab = (typeof TABS)[number];

/** The page: puts stage, tree, panels and transport together, and sends what people do to the server. */
export class Studio implements KeyActions {
  readonly element: HTMLElement;
  readonly store: Store;
  readonly stage: Stage;
  pointers: readonly string[] = [];
  bodies: readonly number[] = []; // pieces of the take that were chosen by themselves

  private readonly theme: ThemeChoice;
  private readonly schema: SceneSchema;
  private readonly tree: SceneTree;
  private readonly panel: PropertyPanel;
  private readonly now: NowPanel;
  private readonly take: TakePanel;
  private readonly breaks: BreakView;
  private readonly display: DisplayPanel;
  private readonly toolBar: ToolBar;
  private readonly timeline: Timeline;
  private readonly transport: StudioTransport;
  private readonly log: LogDrawer;
  private readonly jobs: JobStrip;
  private readonly files: Files;
  private readonly exports: Exports;
  private readonly meshes: MeshImport;
  private readonly adder: Adder;
  private readonly help = new HelpOverlay(STUDIO_KEYS, "Drop mesh files (OBJ, PLY, STL, OFF, glTF) onto the stage to add them.");
  private readonly announcer = el("div", { class: "hidden-text", role: "status" });
  private readonly toast = el("div", { class: "toast", role: "alert", hidden: true });
  private readonly banner = el("div", { class: "banner", role: "alert", hidden: true });
  private readonly title = el("h1", {});
  private readonly counts = el("div", { class: "overlay" });
  private readonly staleNote = el("div", { class: "overlay stale-note", hidden: true });
  private readonly empty: HTMLElement;
  private readonly state = el("span", { class: "run-state" });
  private readonly undoButton: HTMLButtonElement;
  private readonly redoButton: HTMLButtonElement;
  private readonly themeButton: HTMLButtonElement;
  private readonly panelsButton: HTMLButtonElement;
  private readonly addButton: MenuButton;
  private readonly tabs = new Map<Tab, { button: HTMLButtonElement; panel: HTMLElement }>();
  private readonly shapesByName: ReadonlyMap<string, ShapeInfo>;
  private readonly children = new Map<number, number[]>(); // of each body of the take
  private knownBodies = 0;
  private treeTimer: ReturnType<typeof setTimeout> | undefined;
  private statusDue = false;
  private timelineDrawn = "";
  private toastTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly connection: SocketConnection,
    host: HTMLElement,
    schema: JsonObject,
    shapes: readonly ShapeInfo[],
    createStage: CreateStage,
  ) {
    this.schema = new SceneSchema(schema);
    this.shapesByName = new Map(shapes.map((shape) => [shape.name, shape]));
    this.theme = new ThemeChoice((theme) => {
      this.stage.setTheme(theme);
      this.refreshTheme();
    });
    this.store = new Store(connection);
    const complain = (error: unknown): void => this.complain(error);
    const say = (text: string): void => this.log.say(text);
    this.undoButton = iconButton("undo", "Undo", "Ctrl Z", () => this.undo());
    this.redoButton = iconButton("redo", "Redo", "Ctrl Y", () => this.redo());
    this.themeButton = iconButton("sun", "Light", "T", () => this.toggleTheme());
    this.panelsButton = iconButton("panel", "Panels", "\\", () => this.togglePanels());
    this.log = new LogDrawer(connection, { seek: (frame) => this.seek(frame), go: (pointer) => this.goTo(pointer) });
    this.jobs = new JobStrip(connection, complain);
    const canvasHost = el("div", { class: "canvas-host" });
    const stageArea = el("main", { class: "stage", "aria-label": "Stage" });
    const side = el("aside", { class: "side", "aria-label": "Properties" });
    const left = el("aside", { class: "left", "aria-label": "Scene tree" });
    const transportHost = el("div", { class: "transport-host" });
    this.element = el("div", { class: "studio" }, this.makeBar(), left, stageArea, side, this.log.element, transportHost, this.makeStatusBar(), this.help.element, this.announcer, this.toast, this.banner);
    host.replaceChildren(this.element);
    stageArea.append(canvasHost);
    this.stage = createStage(canvasHost, connection, this.theme.theme, {
      selected: (bodies, pointers) => this.select(pointers, bodies),
      edit: (label, patch, merge) => this.shown(this.store.edit(label, patch, merge)),
      command: (name, args) => this.stageCommand(name, args),
      announce: (text) => this.announce(text),
      moment: () => this.refreshMoment(),
      grown: (fresh) => this.grown(fresh),
    });
    this.store.showsStart = () => this.stage.player.frame === this.stage.player.first && this.store.status?.take.state !== "running";
    this.adder = new Adder(this.store, () => this.stage, () => this.selectedBodies());
    this.files = new Files(connection, this.store, { complain, say, opened: () => this.opened() });
    this.exports = new Exports(connection, this.jobs, { complain, say });
    this.meshes = new MeshImport(connection, this.jobs, this.adder, { complain, say, added: (pointer) => this.select([pointer]) });
    this.timeline = new Timeline(this.stage.recording, (frame, event) => this.seek(frame, event));
    this.transport = new StudioTransport(this.stage, this.timeline, {
      runOrPause: () => this.runOrPause(),
      stepRun: () => this.stepRun(),
      restart: () => this.restart(),
      setPace: (pace) => this.command("pace", { pace }),
      togglePlay: () => this.togglePlay(),
      step: (frames) => this.step(frames),
      toStart: () => this.toStart(),
      toEnd: () => this.toEnd(),
      toggleLoop: () => this.toggleLoop(),
      setSpeed: (value) => {
        this.stage.player.speed = value;
        this.transport.refresh();
      },
      goToFrame: (frame) => this.seek(frame),
    });
    transportHost.append(this.transport.element);
    this.toolBar = new ToolBar(this.stage, this.store, (tool) => this.useTool(tool), (editing) => this.setEditing(editing));
    this.empty = this.makeEmptyState();
    const start = el("button", { type: "button", class: "link", title: "Drops these frames" }, "Show the new start");
    start.addEventListener("click", () => this.restart());
    this.staleNote.append("Made from an earlier scene.", start);
    stageArea.prepend(this.toolBar.element);
    this.breaks = new BreakView(this.stage.recording, this.stage, { choose: (event) => this.seek(event.frame, event), asked: () => this.showTab("Take"), failed: complain });
    stageArea.append(this.toolBar.options, this.counts, this.staleNote, this.empty, this.breaks.legend);
    this.tree = new SceneTree(this.store, {
      select: (pointers, bodies) => this.select(pointers, bodies, false),
      focus: () => this.frameSelection(),
      piecesOf: (pointer) => this.stage.bodiesOf(pointer).flatMap((id) => this.pieceOf(id)),
      piecesOfBody: (body) => (this.children.get(body) ?? []).flatMap((id) => this.pieceOf(id)),
    });
    this.addButton = new MenuButton(el("span", {}, icon("add"), "Add"), "Add", () => this.addMenu(), undefined, { class: "text-button add-button", title: "Add something to the scene (Shift A)" });
    left.append(el("header", { class: "left-head" }, el("h2", {}, "Scene"), this.addButton.button), this.tree.element);
    this.panel = new PropertyPanel(this.store, this.schema, {
      select: (pointers) => this.select(pointers),
      complain,
      announce: (text) => this.announce(text),
      renamed: (from, to) => this.select(this.pointers.map((pointer) => (isWithin(pointer, from) ? to + pointer.slice(from.length) : pointer))),
    });
    this.now = new NowPanel(this.stage, { act: (label, action) => void this.act(label, action), complain });
    this.panel.setTop(this.now.element);
    this.now.show(undefined);
    this.take = new TakePanel(this.stage, this.breaks.element, { seek: (frame, event) => this.seek(frame, event) });
    this.display = new DisplayPanel(COLOUR_MODES, {
      colours: (mode) => this.stage.setColours(mode),
      explode: (strength) => this.stage.setExplosion(strength),
      slice: (slice) => this.stage.setSlice(slice),
      sliceRange: (axis) => this.stage.sliceRange(axis),
    });
    this.makeTabs(side);
    this.refreshTheme();
    this.refreshButtons();
    this.listen(stageArea);
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
    if (answer.recovery) await this.files.offerRecovery(answer.recovery);
  }

  // ---- making the page

  private makeBar(): HTMLElement {
    const brand = el("span", { class: "brand" }, icon("blast"), "Sunder");
    const menus = menuBar("Main menu", [
      { name: "File", entries: () => this.fileMenu() },
      { name: "Edit", entries: () => this.editMenu() },
      { name: "Add", entries: () => this.addMenu() },
      { name: "Run", entries: () => this.runMenu() },
      { name: "View", entries: () => this.viewMenu() },
      { name: "Help", entries: () => this.helpMenu() },
    ]);
    const tools = el("div", { class: "bar-group" }, this.undoButton, this.redoButton, this.themeButton, this.panelsButton, iconButton("help", "Keys and help", "?", () => this.toggleHelp()));
    return el("header", { class: "bar" }, brand, menus, this.title, tools);
  }

  private makeStatusBar(): HTMLElement {
    return el("section", { class: "status-bar", "aria-label": "Status" }, this.state, this.log.line, this.jobs.element);
  }

  private makeTabs(side: HTMLElement): void {
    const list = el("div", { class: "tabs", role: "tablist", "aria-label": "Panels" });
    const panels: Record<Tab, HTMLElement> = {
      Properties: this.panel.element,
      View: el("div", { class: "view-panel" }, this.display.element, this.makeGrainSwitch(), this.makeViewButtons()),
      Take: this.take.element,
    };
    side.append(list);
    for (const tab of TABS) {
      const id = `tab-${tab.toLowerCase()}`;
      const button = el("button", { type: "button", role: "tab", id, "aria-controls": `${id}-panel`, class: "tab" }, tab);
      const panel = el("div", { class: "tab-panel", role: "tabpanel", id: `${id}-panel`, "aria-labelledby": id, tabindex: -1 }, panels[tab]);
      button.addEventListener("click", () => this.showTab(tab));
      button.addEventListener("keydown", (event) => {
        const direction = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (direction === 0) return;
        event.stopPropagation();
        const next = TABS[(TABS.indexOf(tab) + direction + TABS.length) % TABS.length]!;
        this.showTab(next);
        this.tabs.get(next)!.button.focus();
      });
      this.tabs.set(tab, { button, panel });
      list.append(button);
      side.append(panel);
    }
    this.showTab("Properties");
  }

  private makeGrainSwitch(): HTMLElement {
    const input = el("input", { type: "checkbox", role: "switch" });
    input.addEventListener("change", () => this.stage.setGrains(input.checked));
    return el("label", { class: "row switch-row", title: "What bodies that break by stress are made of: properties, fracture, grains" }, el("span", { class: "label" }, "Grains"), input);
  }

  private makeViewButtons(): HTMLElement {
    const keep = el("button", { type: "button", class: "text-button" }, "Keep this view in the scene");
    keep.title = "The scene's camera: replays, renders and exports show it from here";
    keep.addEventListener("click", () => this.keepView());
    const clear = el("button", { type: "button", class: "text-button" }, "Back to the scene’s view");
    clear.addEventListener("click", () => this.resetCamera());
    return el("div", { class: "view-buttons" }, keep, clear);
  }

  private makeEmptyState(): HTMLElement {
    const add = (shape: string, label: string): HTMLButtonElement => {
      const button = el("button", { type: "button", class: "text-button" }, label);
      button.addEventListener("click", () => this.addShapeNamed(shape));
      return button;
    };
    const open = el("button", { type: "button", class: "text-button" }, "Open a scene…");
    open.addEventListener("click", () => this.open());
    return el(
      "div",
      { class: "empty-state", hidden: true },
      el("p", { class: "empty-title" }, "Nothing to break yet"),
      el("p", { class: "hint" }, "Add a shape, drop a mesh file here, or open a scene."),
      el("div", { class: "empty-buttons" }, add("table", "Add a table"), add("vase", "Add a vase"), add("wall", "Add a wall"), open),
    );
  }

  private showTab(tab: Tab): void {
    for (const [name, { button, panel }] of this.tabs) {
      const shown = name === tab;
      button.setAttribute("aria-selected", String(shown));
      button.tabIndex = shown ? 0 : -1;
      panel.hidden = !shown;
    }
    if (tab === "Take") this.take.refresh(true);
  }

  // ---- menus

  private fileMenu(): MenuEntry[] {
    return [
      { label: "New scene", key: "Alt N", action: () => this.create() },
      { label: "Open…", key: "Ctrl O", icon: "open", action: () => this.open() },
      { label: "Open recent…", action: () => void this.files.recentDialog() },
      "line",
      { label: "Save", key: "Ctrl S", icon: "save", action: () => this.save() },
      { label: "Save as…", key: "Ctrl Shift S", action: () => this.saveAs() },
      "line",
      { label: "Export…", key: "Ctrl E", icon: "export", action: () => this.exportTake() },
      { label: "Save a picture", key: "I", icon: "camera", action: () => this.savePicture() },
    ];
  }

  private editMenu(): MenuEntry[] {
    const undo = this.store.status?.document.undo;
    const redo = this.store.status?.document.redo;
    const some = (): boolean => this.pointers.some((pointer) => pointer !== "");
    return [
      { label: undo ? `Undo: ${undo}` : "Undo", key: "Ctrl Z", icon: "undo", enabled: () => Boolean(undo), action: () => this.undo() },
      { label: redo ? `Redo: ${redo}` : "Redo", key: "Ctrl Y", icon: "redo", enabled: () => Boolean(redo), action: () => this.redo() },
      "line",
      { label: "Duplicate", key: "Ctrl D", enabled: some, action: () => this.duplicate() },
      { label: "Rename", key: "F2", enabled: some, action: () => this.rename() },
      { label: "Delete", key: "Delete", icon: "remove", enabled: some, action: () => this.remove() },
      "line",
      { label: "Select all bodies", key: "Ctrl A", action: () => this.selectAll() },
      { label: "Select nothing", key: "Esc", action: () => this.clearSelection() },
      { label: "Copy the selection as text", enabled: () => this.selectedBodies().length > 0, action: () => void this.copyFacts() },
      "line",
      { label: "Find a property", key: "/", icon: "search", action: () => this.findProperty() },
    ];
  }

  private addMenu(): MenuEntry[] {
    const known = new Set(SHAPE_GROUPS.flatMap((group) => group.names));
    const groups = [...SHAPE_GROUPS, { title: "Others", names: [...this.shapesByName.keys()].filter((name) => !known.has(name)) }];
    const shapes = groups.flatMap(({ title, names }): MenuEntry[] => [
      { heading: title },
      ...names.flatMap((name): MenuEntry[] => {
        const shape = this.shapesByName.get(name);
        return shape ? [{ label: labelOf(name), hint: shape.help, action: () => this.addShapeNamed(name) }] : [];
      }),
    ]);
    return [
      { label: "Mesh file from this computer…", icon: "open", action: () => this.chooseMeshFiles() },
      { label: "Mesh of the project…", icon: "body", action: () => void this.addProjectMesh() },
      ...shapes,
      { heading: "Not a shape" },
      { label: "Material", icon: "material", action: () => this.added(this.adder.material()) },
      { label: "Wind or drag", icon: "force", action: () => this.added(this.adder.entry("Add drag", "/fields", { type: "drag", linear: 0.1 })) },
      { label: "Uniform force", icon: "force", action: () => this.added(this.adder.entry("Add a force", "/fields", { type: "uniform", acceleration: [0, 0, 0] })) },
      { label: "Radial force", icon: "force", action: () => this.added(this.adder.entry("Add a force", "/fields", { type: "radial", strength: 10 })) },
      { label: "Push of the selected body", icon: "clock", enabled: () => this.selectedBodies().length === 1, action: () => this.addPush() },
      { label: "Blast", icon: "blast", action: () => this.added(this.adder.entry("Add a blast", "/explosions", { time: 0.5, centre: [0, 0.5, 0], radius: 2, impulse: 100 })) },
    ];
  }

  private runMenu(): MenuEntry[] {
    const running = this.store.status?.take.state === "running";
    return [
      { label: running ? "Pause" : "Run", key: "Ctrl Enter", icon: running ? "pause" : "play", action: () => this.runOrPause() },
      { label: "Run one frame", key: "Shift Enter", icon: "stepOn", action: () => this.stepRun() },
      { label: "Run on from this frame", action: () => this.runFromHere() },
      { label: "Restart", key: "Ctrl Shift Enter", icon: "restart", action: () => this.restart() },
      "line",
      { label: "As fast as it can", checked: () => this.store.status?.take.pace !== "real", action: () => this.command("pace", { pace: "fast" }) },
      { label: "In real time", checked: () => this.store.status?.take.pace === "real", action: () => this.command("pace", { pace: "real" }) },
      "line",
      { label: "Go to frame…", key: "Ctrl G", action: () => this.goToFrame() },
      { label: "Event before", key: "[", action: () => this.jumpToEvent(-1) },
      { label: "Event after", key: "]", action: () => this.jumpToEvent(1) },
      "line",
      ...(Object.entries(TOOL_TEXTS) as [Tool, (typeof TOOL_TEXTS)[Tool]][]).map(([tool, text]): MenuEntry => ({ label: text.label, key: text.key, icon: text.icon, hint: text.hint, action: () => this.useTool(tool) })),
    ];
  }

  private viewMenu(): MenuEntry[] {
    return [
      { label: "Bring the selection into view", key: "F", icon: "focus", action: () => this.frameSelection() },
      { label: "The scene’s own view", key: "H", icon: "home", action: () => this.resetCamera() },
      { label: "Keep this view in the scene", action: () => this.keepView() },
      { label: "Fly", key: "V", icon: "fly", checked: () => this.stage.cameraMode === "fly", action: () => this.toggleCamera() },
      "line",
      { label: "Next way to colour", key: "C", action: () => this.nextColours() },
      { label: "Exploded view", key: "X", action: () => this.toggleExplosion() },
      { label: "Slice plane", key: "Z", action: () => this.toggleSlice() },
      { label: "Stress at the break", key: "S", checked: () => this.breaks.isShown, action: () => this.toggleStress() },
      { label: "Smooth motion between frames", key: "M", checked: () => this.stage.between === "smooth", action: () => this.toggleSmooth() },
      "line",
      { label: "Panels", key: "\\", checked: () => !this.element.classList.contains("wide"), action: () => this.togglePanels() },
      { label: "Message log", key: "Ctrl L", checked: () => !this.log.element.hidden, action: () => this.toggleLog() },
      { label: "Light colours", key: "T", checked: () => this.theme.theme === "light", action: () => this.toggleTheme() },
    ];
  }

  private helpMenu(): MenuEntry[] {
    return [{ label: "Keys and mouse", key: "?", icon: "help", action: () => this.toggleHelp() }];
  }

  // ---- the document

  private documentChanged(): void {
    this.pointers = this.pointers.filter((pointer) => nameOf(this.store.document, pointer) !== "" || pointer === "");
    this.stage.setDocument(this.store.document);
    this.toolBar.refreshMaterials();
    this.tree.refresh();
    this.panel.update();
    this.refreshStatus();
  }

  private opened(): void {
    this.select([]);
    this.stage.following = true;
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

  private refreshStatus(): void {
    const { status } = this.store;
    if (!status) return;
    const { document: scene, take } = status;
    const name = this.store.path ?? "Untitled scene";
    this.title.replaceChildren(name, scene.saved ? "" : el("span", { class: "unsaved", title: "not saved" }, " •"));
    document.title = `${scene.saved ? "" : "• "}${name} – Sunder Studio`;
    this.undoButton.disabled = !scene.undo;
    this.redoButton.disabled = !scene.redo;
    this.undoButton.title = scene.undo ? `Undo: ${scene.undo} (Ctrl Z)` : "Nothing to undo";
    this.redoButton.title = scene.redo ? `Redo: ${scene.redo} (Ctrl Y)` : "Nothing to redo";
    this.state.textContent = stateText(status);
    this.state.dataset["state"] = take.state;
    this.transport.setStatus(status);
    this.take.setStatus(status);
    this.take.refresh();
    this.refreshTimeline();
    this.staleNote.hidden = !take.stale;
    const bodies = this.store.document["bodies"];
    const instances = this.store.document["instances"];
    this.empty.hidden = (Array.isArray(bodies) && bodies.length > 0) || (Array.isArray(instances) && instances.length > 0);
    void this.log.pull(status.log);
    this.refreshCounts();
  }

  private connectionChanged(state: ConnectionState, again: boolean): void {
    this.banner.hidden = state === "open" || state === "connecting";
    this.banner.textContent =
      state === "refused"
        ? "Sunder does not answer here. Open the address that `sunder studio` prints in its terminal."
        : "The connection to Sunder was lost. Nothing is lost on its side; Studio tries again by itself. If you closed it, start it again with: sunder studio";
    if (again) void this.store.pull();
  }

  /** Shows what went wrong, and passes it on. */
  private async shown<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise;
    } catch (error) {
      this.complain(error);
      throw error;
    }
  }

  private complain(error: unknown): void {
    const issues = error instanceof CommandError ? error.issues : [];
    const text = issues.length > 0 ? issues.slice(0, 3).map(issueText).join(" ") : error instanceof Error ? error.message : String(error);
    if (!(error instanceof Error)) console.error(error);
    this.log.say(text, "error");
    this.toast.textContent = text;
    this.toast.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => (this.toast.hidden = true), 8000);
  }

  private command(name: string, args: object = {}): void {
    this.store.command(name, args).catch((error: unknown) => this.complain(error));
  }

  undo(): void {
    this.store.undo().catch((error: unknown) => this.complain(error));
  }
  redo(): void {
    this.store.redo().catch((error: unknown) => this.complain(error));
  }
  save(): void {
    void this.files.save();
  }
  saveAs(): void {
    void this.files.saveAs();
  }
  open(): void {
    void this.files.openDialog();
  }
  create(): void {
    void this.files.create();
  }
  exportTake(): void {
    const take = this.store.status?.take;
    const stem = (this.store.path ?? "untitled").replace(/\.json$/i, "");
    this.exports.open(stem.slice(stem.lastIndexOf("/") + 1), { first: take?.first ?? 0, last: take?.last ?? 0, shown: this.stage.player.frame, running: take?.state === "running" });
  }

  // ---- adding and taking away

  addShape(): void {
    this.addButton.open();
  }
  addShapeNamed(name: string): void {
    this.added(this.adder.shape(name));
  }

  private added(pointer: Promise<string>): void {
    pointer.then((where) => this.select([where]), (error: unknown) => this.complain(error));
  }

  /** A timed action, to be set in its properties. */
  private addPush(): void {
    const body = this.stage.recording.bodies[this.selectedBodies()[0]!];
    if (body) this.added(this.adder.entry("Add a push", "/actions", { type: "push", time: 0.5, body: body.name, impulse: [0, Number(body.mass.toPrecision(2)), 0] }));
  }

  private chooseMeshFiles(): void {
    const input = el("input", { type: "file", multiple: true, accept: ".obj,.ply,.stl,.off,.gltf,.glb" });
    input.addEventListener("change", () => void this.meshes.files([...(input.files ?? [])]));
    input.click();
  }

  private async addProjectMesh(): Promise<void> {
    const path = await this.files.choosePath(["meshes"], "Add a mesh of the project", "Add");
    if (path !== undefined) await this.meshes.path(path);
  }

  duplicate(): void {
    this.adder.duplicate(this.pointers).then((made) => this.select(made), (error: unknown) => this.complain(error));
  }
  remove(): void {
    if (!this.pointers.some((pointer) => pointer !== "")) return;
    this.adder.remove(this.pointers).then(() => this.select([]), (error: unknown) => this.complain(error));
  }
  rename(): void {
    this.showTab("Properties");
    this.panel.focusName();
  }

  // ---- selection

  /** Parts of the scene, and pieces of the take; what is selected on the stage follows. */
  select(pointers: readonly string[], bodies: readonly number[] = [], tell = true): void {
    this.pointers = pointers;
    this.bodies = bodies;
    const shown = this.selectedBodies();
    if (!sameNumbers(shown, this.stage.selection)) this.stage.select(shown);
    if (tell) this.tree.setSelection(pointers, bodies);
    const sources = pointers.length > 0 ? pointers : [...new Set(bodies.flatMap((body) => this.stage.pointerOf(body) ?? []))];
    this.panel.show(sources.length > 0 ? sources : [""]);
    this.refreshNow();
  }

  selectedBodies(): readonly number[] {
    return this.bodies.length > 0 ? this.bodies : this.pointers.flatMap((pointer) => (pointer === "" ? [] : this.stage.bodiesOf(pointer)));
  }

  /** One body of the take is shown with its state in this frame. */
  private refreshNow(): void {
    const [only, ...others] = this.selectedBodies();
    const body: Body | undefined = only !== undefined && others.length === 0 ? this.stage.recording.bodies[only] : undefined;
    const wanted = body && (this.stage.editing === "current" || this.bodies.length > 0 || this.stage.player.frame > this.stage.player.first);
    this.now.show(wanted ? body : undefined);
  }

  private goTo(pointer: string): void {
    this.select([ownerOf(pointer)]);
    this.showTab("Properties");
    this.panel.reveal(pointer);
  }

  selectAll(): void {
    const bodies = this.store.document["bodies"];
    this.select(Array.isArray(bodies) ? bodies.map((_, i) => `/bodies/${i}`) : []);
  }
  clearSelection(): void {
    this.stage.setImpact(undefined);
    this.breaks.show(undefined);
    this.select([]);
  }
  stepSelection(direction: -1 | 1): void {
    const { recording, player } = this.stage;
    const living = recording.bodies.filter((body) => body.mesh >= 0 && isAlive(body, player.frame));
    if (living.length === 0) return;
    const at = living.findIndex((body) => body.id === this.selectedBodies()[0]);
    const next = living[at < 0 ? (direction > 0 ? 0 : living.length - 1) : (at + direction + living.length) % living.length]!;
    this.select([], [next.id]);
    this.announce(next.name);
  }

  private pieceOf(id: number): Piece[] {
    const body = this.stage.recording.bodies[id];
    return body ? [{ id, name: body.name, note: "", pieces: this.children.get(id)?.length ?? 0 }] : [];
  }

  /** Who came of whom; the tree is drawn anew when that changed, but not with every frame of a run. */
  private gatherChildren(): void {
    const { bodies } = this.stage.recording;
    this.children.clear();
    for (const { id, parent } of bodies) {
      const list = this.children.get(parent);
      if (list) list.push(id);
      else this.children.set(parent, [id]);
    }
    this.knownBodies = bodies.length;
    this.tree.refresh();
  }

  /** All numbers of what is selected, to be pasted anywhere. */
  private async copyFacts(): Promise<void> {
    const { recording } = this.stage;
    const text = this.selectedBodies()
      .map((id) => {
        const { track, ...facts } = recording.bodies[id]!;
        const pose = new Float32Array(7);
        track.sample(this.stage.player.frame, pose);
        return JSON.stringify({ ...facts, frame: this.stage.player.frame, centre_of_mass: [...pose.slice(0, 3)], rotation_xyzw: [...pose.slice(3)] }, null, 2);
      })
      .join("\n");
    await navigator.clipboard.writeText(text);
    this.log.say("Copied the numbers of the selection");
  }

  // ---- the run

  runOrPause(): void {
    if (this.store.status?.take.state === "running") {
      this.command("pause");
      return;
    }
    this.stage.player.playing = false;
    this.stage.following = true;
    this.command("run");
  }
  stepRun(): void {
    this.stage.following = true;
    this.command("step", { frames: 1 });
  }
  restart(): void {
    this.command("restart");
    this.stage.seek(this.stage.player.first);
    this.stage.following = true;
  }
  private runFromHere(): void {
    this.stage.following = true;
    this.command("run", { from: this.stage.player.frame });
  }

  playOrRun(): void {
    const state = this.store.status?.take.state;
    if (state === "running" && this.stage.following) this.command("pause");
    else if (state === "still") this.runOrPause();
    else this.togglePlay();
  }

  /** Throws go through the history; so does everything else that is done by hand. */
  private async stageCommand(name: string, args: object): Promise<unknown> {
    const answer = await this.shown(this.store.command(name, args));
    // what is thrown wants to fly
    if (name === "throw" && this.store.status?.take.state !== "running") {
      this.stage.following = true;
      this.command("run", "at" in args ? { from: (args as { at: number }).at } : {});
    }
    return answer;
  }

  private async act(label: string, action: JsonObject): Promise<void> {
    try {
      await this.store.command("act", { label, action, at: this.stage.player.frame });
    } catch (error) {
      this.complain(error);
    }
  }

  // ---- watching

  private refreshMoment(): void {
    this.transport.refresh();
    this.take.set(this.stage.player.frame);
    this.breaks.moment(this.stage.player.frame, this.stage.player.playing);
    this.refreshNow();
    this.refreshCounts();
  }

  private grown(fresh: boolean): void {
    this.refreshTimeline();
    this.take.grown(fresh);
    if (fresh) this.gatherChildren();
    else if (this.stage.recording.bodies.length !== this.knownBodies) {
      this.treeTimer ??= setTimeout(() => {
        this.treeTimer = undefined;
        this.gatherChildren();
      }, 400);
    }
    if (fresh) this.bodies = [];
    const shown = this.selectedBodies();
    if (!sameNumbers(shown, this.stage.selection)) this.stage.select(shown);
    this.refreshMoment();
  }

  private refreshCounts(): void {
    const { recording, player } = this.stage;
    const living = recording.bodies.reduce((count, body) => count + (body.mesh >= 0 && isAlive(body, player.frame) ? 1 : 0), 0);
    const breaks = recording.events.reduce((count, event) => count + (event.kind === "fracture" && event.frame <= player.frame ? 1 : 0), 0);
    this.counts.replaceChildren(el("strong", {}, plural(living, "body", "bodies")), ` · ${plural(breaks, "break")}`);
    this.counts.hidden = living === 0;
  }

  seek(frame: number, event?: RecordedEvent): void {
    this.stage.player.playing &&= event === undefined;
    this.stage.seek(frame);
    this.stage.setImpact(event?.point);
    this.transport.refresh();
    if (event && event.body >= 0) this.select([], [event.body]);
    this.breaks.show(event);
  }
  togglePlay(): void {
    this.stage.following = false;
    this.stage.player.toggle();
    this.breaks.moment(this.stage.player.frame, this.stage.player.playing);
    this.transport.refresh();
  }
  step(frames: number): void {
    this.stage.player.playing = false;
    this.seek(this.stage.player.frame + frames);
  }
  toStart(): void {
    this.seek(this.stage.player.first);
  }
  toEnd(): void {
    this.seek(this.stage.player.last);
    this.stage.following = true;
    this.transport.refresh();
  }
  jumpToEvent(direction: -1 | 1): void {
    const frame = this.timeline.eventFrame(this.stage.player.frame, direction);
    if (frame !== undefined) this.seek(frame, this.timeline.eventsAt(frame)[0]);
  }
  changeSpeed(direction: -1 | 1): void {
    this.stage.player.changeSpeed(direction);
    this.transport.refresh();
  }
  toggleLoop(): void {
    this.stage.player.loop = !this.stage.player.loop;
    this.transport.refresh();
  }
  toggleSmooth(): void {
    this.stage.between = this.stage.between === "smooth" ? "step" : "smooth";
    this.announce(this.stage.between === "smooth" ? "Smooth motion" : "Frame by frame");
  }
  goToFrame(): void {
    this.transport.focusFrame();
  }

  // ---- tools and view

  useTool(tool: Tool): void {
    this.stage.tool = tool;
    this.toolBar.refresh();
    this.announce(`${TOOL_TEXTS[tool].label}: ${TOOL_TEXTS[tool].hint}`);
  }
  toggleSnap(): void {
    this.stage.snap = !this.stage.snap;
    this.toolBar.refresh();
  }
  toggleEditing(): void {
    this.setEditing(this.stage.editing === "start" ? "current" : "start");
  }
  private setEditing(editing: Editing): void {
    this.stage.editing = editing;
    if (editing === "start") this.toStart();
    this.toolBar.refresh();
    this.refreshNow();
    this.announce(editing === "start" ? "Gizmos change the start" : "Gizmos change this frame, as timed actions");
  }
  frameSelection(): void {
    this.stage.frame(this.selectedBodies());
  }
  resetCamera(): void {
    this.stage.resetCamera();
  }
  toggleCamera(): void {
    this.stage.cameraMode = this.stage.cameraMode === "orbit" ? "fly" : "orbit";
    this.announce(this.stage.cameraMode === "fly" ? "Fly: W A S D Q E, drag to look" : "Orbit");
  }
  private keepView(): void {
    const view = this.stage.cameraView();
    const short = (v: readonly number[]): number[] => v.map((part) => Number(part.toFixed(3)));
    const camera = { position: short(view.position), target: short(view.target), field_of_view: Number(view.fieldOfView.toFixed(1)) };
    const before = this.store.document["view"];
    const patch = typeof before === "object" && before !== null ? { op: "add" as const, path: "/view/camera", value: camera } : { op: "add" as const, path: "/view", value: { camera } };
    this.shown(this.store.edit("Keep this view", [patch])).then(() => this.log.say("The scene is seen from here from now on"), () => undefined);
  }
  nextColours(): void {
    this.display.nextColours();
  }
  toggleExplosion(): void {
    this.display.toggleExplosion();
  }
  toggleSlice(): void {
    this.display.toggleSlice();
  }
  toggleStress(): void {
    this.breaks.toggle(this.stage.player.frame);
  }
  toggleTheme(): void {
    this.theme.toggle();
  }
  togglePanels(): void {
    this.element.classList.toggle("wide");
    this.refreshButtons();
  }
  toggleLog(): void {
    this.log.toggle();
  }
  toggleHelp(): void {
    this.help.toggle();
  }
  findProperty(): void {
    this.showTab("Properties");
    this.panel.focusSearch();
  }
  savePicture(): void {
    const name = `${(this.store.path ?? "studio").replace(/\.json$/i, "").replaceAll("/", "-")}-${this.stage.player.frame}.png`;
    void this.stage.picture().then((blob) => {
      saveBlob(blob, name);
      this.log.say(`Saved ${name}`);
    });
  }

  private refreshTheme(): void {
    const dark = this.theme.theme === "dark";
    setIcon(this.themeButton, dark ? "sun" : "moon", dark ? "Light" : "Dark", "T");
    this.timeline.draw();
    this.take.refresh(true);
  }

  private refreshButtons(): void {
    setPressed(this.panelsButton, !this.element.classList.contains("wide"));
  }

  private announce(text: string): void {
    this.announcer.textContent = text;
  }

  private listen(stageArea: HTMLElement): void {
    listenForKeys(this, (code, down) => this.stage.key(code, down));
    // who clicks a tool with the mouse goes on with the keys of the page, not with those of the button
    this.element.addEventListener("click", (event) => {
      if (event.detail > 0 && event.target instanceof Element && event.target.closest(".tool-bar button, .transport button, .bar-group button")) {
        this.stage.canvas.focus({ preventScroll: true });
      }
    });
    const over = (on: boolean): void => void stageArea.classList.toggle("drop-target", on);
    window.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault(); // otherwise the browser leaves the page
      over(true);
    });
    window.addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) over(false);
    });
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      over(false);
      const box = this.stage.canvas.getBoundingClientRect();
      const inside = event.clientX >= box.left && event.clientX < box.right && event.clientY >= box.top && event.clientY < box.bottom;
      const at = inside ? this.stage.placeAt(event.clientX - box.left, event.clientY - box.top) : undefined;
      void this.meshes.files([...(event.dataTransfer?.files ?? [])], at);
    });
    window.addEventListener("beforeunload", (event) => {
      if (this.store.status?.document.saved === false && this.connection.state === "open") event.preventDefault();
    });
  }
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function stateText({ take }: Status): string {
  if (take.waiting) return take.waiting;
  switch (take.state) {
    case "still":
      return "Ready to run";
    case "running":
      return `Running: frame ${take.last} of ${take.wanted}, ${take.fps.toFixed(0)} frames/s`;
    case "paused":
      return `Paused at frame ${take.last} of ${take.wanted}`;
    case "done":
      return `Done: ${take.last} frames`;
    case "failed":
      return "The run failed; see the log";
  }
}
