// The page: what is shown, what the buttons do, when it is drawn.

import { Camera } from "./camera.js";
import { brightness } from "./banners.js";
import { First, hasUnits } from "./first.js";
import { showGallery } from "./gallery.js";
import { Input } from "./input.js";
import { addressed, carried, isAlone, linkable } from "./link.js";
import { FLASH, Overlay, brushed } from "./overlay.js";
import { LAYERS, NEAR, Panels, SIZES, USUAL, element, quieten, switchLayer, worded } from "./panels.js";
import { Picture } from "./picture.js";
import { Store, isOn, ordersOnView } from "./store.js";
import { Time } from "./time.js";
import { Tour } from "./tour.js";
import { WALL, say } from "./wire.js";

const KEYS = [
  ["F1 – F4, 1 – 9", "layers: cost, integration, flow, portals, graph, sight, islands, loaded, density; with Shift cost, integration, flow and portals lie over each other"],
  ["0, W, E, R, U, N, K", "units, paths, trails, the route's portals numbered, their windows, numbers in cells, links"],
  ["S, D, O", "a crowd's speed, discomfort, potential"],
  ["M, Shift M", "the next movement layer of the world, the one before"],
  ["F10", "replan all orders, from the units' present positions"],
  ["G, L, P, B", "the modes Go, Look, Play, Paint"],
  ["Go", "left click: the nearest army goes there; rings at the pointer show where it would stop; right drag: it draws up on the line and looks where its arrow points; right click: add a probe unit, whose path to the goal is shown; drag: move the map. Without an army, as in Look"],
  ["Look", "left click: set the goal; right click: add a probe unit; drag: move the map; Delete: clear goal and units"],
  ["Play", "drag: select units; Ctrl A, Escape: all, none; right click: order them there; right drag: they draw up on the line and look where its arrow points; rings are the places where they will stop; in a scene, a click sends the first band there and the next to the mirrored cell"],
  ["Paint", "drag: paint; click: stamp a template; right click: explain the cell; Ctrl Z, Ctrl Y: undo, redo"],
  ["Wheel, + and −, Home", "zoom; the whole map. Drag with the middle button, with Alt and the left one, or with Shift and the right one: move the map"],
  ["Space and .", "pause, one tick"],
  ["Y", "explain the direction of the cell under the pointer"],
  ["Arrows, Enter, Shift Enter", "with the map in focus: move it; act on the cell in the middle, as the left and the right button"],
  ["Touch", "one finger: as the left button, and in Go and Look moves the map; two fingers: move and zoom; long press: as the right button, also to drag a line"],
  ["T, ?", "light or dark, these keys"],
];

/** Cells of a map that takes so long to draw that it is told. */
const LARGE = 500_000;
/** Cells of the longer side below which the sectors of a map say little. */
const SMALL = 100;
/** Layers that do not help with a stage. */
const quietOn = ({ title, width, height }) => [...(Math.max(width, height) < SMALL ? ["loaded"] : []), ...(title.startsWith("crowd-") ? ["paths"] : [])];
/** Milliseconds in which an order that was given here comes. */
const GIVEN = 3000;
/** The number of the newest order. */
const newest = (stage) => Math.max(-1, ...(stage?.orders ?? []).map(({ number }) => number));
/** The longest address that is copied. */
const LONGEST = 100_000;

class App {
  constructor() {
    this.state = {
      mode: "go", layers: new Set(USUAL), aside: new Set(), quiet: new Set(), hover: null, drag: null, flashes: [], chosen: null, on: 0, life: null,
      scene: 0, loops: false, crosshair: false, placing: false, placed: 1000, paint: { what: "brush 0", amounts: {}, size: 3, turns: 0 },
    };
    this.theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    /** Whether the pointer is a finger. */
    this.coarse = matchMedia("(pointer: coarse)");
    this.map = document.getElementById("map");
    this.over = document.getElementById("over");
    this.store = new Store();
    this.camera = new Camera();
    this.picture = new Picture(this.map);
    this.overlay = new Overlay(this.over);
    this.panels = new Panels(this.store, this.state, this);
    this.first = new First(this.store, this.state, this);
    this.time = new Time(this.store, this.state, () => this.redraw());
    this.input = new Input(this.map, this);
    this.tour = new Tour(this.store, this);
    this.wire();
    new ResizeObserver(() => this.resize()).observe(document.getElementById("view"));
    this.resize();
    this.frames = 0;
    this.redraw();
    setTimeout(() => this.picture.warm());
  }

  wire() {
    const { store } = this;
    store.addEventListener("block", ({ detail }) => {
      const stage = store.stages[detail.stage];
      if (stage?.on === detail.on) this.picture.changed(stage, detail);
    });
    for (const name of ["block", "route", "links", "orders", "cell", "status"]) store.addEventListener(name, () => this.redraw());
    store.addEventListener("orders", () => { this.openOn(); this.chooseGiven(); });
    for (const name of ["units", "ghosts", "paths"]) store.addEventListener(name, () => this.again());
    store.addEventListener("hello", () => this.hello());
    store.addEventListener("figures", ({ detail }) => this.loop(detail));
    store.addEventListener("link", () => {
      document.getElementById("unlinked").hidden = store.isLinked;
      this.sentView = null;
      this.input.told = "null";
      this.tellView();
      if (store.isLinked) this.begun ??= this.begin();
    });
    const on = (id, act, event = "onclick") => { document.getElementById(id)[event] = act; };
    document.querySelectorAll("#modes button").forEach((button) => { button.onclick = () => this.mode(button.dataset.mode); });
    on("own", () => this.own());
    on("theme", () => this.theme());
    on("help", () => this.help());
    on("pause", () => this.say(store.status.isPaused ? say.resume() : say.pause()));
    on("again", () => this.restart());
    on("loop", () => this.loops());
    on("step", () => this.say(say.step()));
    on("replan", () => this.say(say.replan()));
    on("speed", (event) => this.say(say.speed(Number(event.target.value))), "onchange");
    on("budget", (event) => this.say(say.budget(Number(event.target.value))), "onchange");
    on("play", () => showGallery(store.catalogue.scenes, this.state.scene, this));
    on("scenes", () => this.scene(), "onclose");
    on("quality", (event) => this.say(say.quality(Number(event.target.value))), "onchange");
    on("new-kind", () => this.newKind(), "onchange");
    on("new", () => document.getElementById("new-map").showModal());
    on("new-map", () => this.newMap(), "onclose");
    on("open", () => document.getElementById("file").click());
    on("file", (event) => { if (event.target.files[0]) this.open(event.target.files[0]); event.target.value = ""; }, "onchange");
    on("save", (event) => { this.drawer(""); this.save(event.target.value); event.target.value = ""; }, "onchange");
    // What was clicked does not keep the keyboard: Space pauses, and letters are layers.
    addEventListener("click", (event) => {
      if (event.detail > 0 && event.target.closest("button, input[type=checkbox]")) this.toMap();
    });
    document.querySelectorAll("[data-opens]").forEach((button) => { button.onclick = () => this.drawer(button.dataset.opens); });
    document.getElementById("more").addEventListener("click", ({ target }) => { if (target.closest("button")) this.drawer(""); });
    // On a telephone there is no room for them beside the modes.
    const phone = matchMedia("(max-width: 560px)"), first = document.getElementById("first"), more = document.getElementById("more");
    const place = () => (phone.matches ? more.prepend(first) : more.before(first));
    phone.onchange = place;
    place();
    document.querySelectorAll("dialog").forEach((dialog) => dialog.addEventListener("close", () => this.toMap()));
    const list = document.getElementById("keys-list");
    for (const [keys, what] of KEYS) list.append(element("b", { textContent: keys }), element("span", { textContent: what }));
  }

  say(message) { this.store.say(message); }

  /** Gives the keyboard to the map, unless a dialog has it. */
  toMap() {
    if (!document.querySelector("dialog[open]")) document.activeElement?.blur();
  }

  /** What can be said, for scripts that drive the page. */
  get words() { return say; }

  hello() {
    const { store, camera } = this;
    if (store.stages.length === 0) return;
    const [{ width, height, isFresh }] = store.stages;
    const isAgain = this.isAgain && camera.map.width === width && camera.map.height === height && store.stages.length === this.shownStages;
    camera.map = { width, height };
    quieten(this.state, quietOn(store.stages[0]));
    this.panels.layers();
    this.resize();
    if (isFresh || store.stages.length !== this.shownStages) {
      this.shownStages = store.stages.length;
      store.stages[0].isFresh = false;
      this.isAgain = false;
      this.calm = 0;
      this.began = performance.now();
      if (!isAgain) camera.fit();
      this.state.chosen = null;
      this.given = null;
      this.state.on = 0;
      this.isOpened = false;
      this.state.life = null;
      // What was known of a cell was known of another map.
      store.cell = null;
      store.why = null;
      this.input.told = "null";
      // Those chosen for another map say little of this one.
      if (!isAgain && store.isStudio) this.layers(this.usual);
      this.panels.fresh();
      if (this.late) this.panels.note(this.late);
      this.late = null;
    }
    this.show();
    this.sentView = null;
    this.moved();
  }

  /** Shows the chosen layer of the world where it is derived, and the ground elsewhere. */
  show() {
    for (const stage of this.store.show(this.state.on)) this.picture.renew(stage);
    this.panels.worldLayers();
    this.panels.orders();
  }

  /** The layers that are shown at first, but for those that do not help here. */
  get usual() { return USUAL.filter((name) => !this.state.quiet.has(name)); }

  /** An order is given: once it is there, it is the chosen one. */
  gives() { this.given = { after: newest(this.store.stages[0]), until: performance.now() + GIVEN }; }

  /** Chooses the order that was given here. */
  chooseGiven() {
    const [stage] = this.store.stages, { after, until } = this.given ?? {};
    if (performance.now() > until) this.given = null;
    if (!this.given || !(newest(stage) > after)) return;
    this.given = null;
    if (this.chosen(stage)?.number !== newest(stage)) this.choose(newest(stage));
  }

  /** A world whose orders are all on another layer than the ground opens on that. */
  openOn() {
    const [stage] = this.store.stages, orders = stage?.orders ?? [];
    if (this.isOpened || orders.length === 0) return;
    this.isOpened = true;
    const [{ on }] = orders;
    if (this.state.on === 0 && !isOn(stage, on) && orders.every((order) => order.on === on)) this.look(on);
  }

  /** Chooses a layer of the world to show. */
  look(on) {
    this.state.on = on;
    this.show();
    this.tellView();
    this.redraw();
  }

  /** Goes on to the next layer of the world that is derived, or to the one before. */
  nextLayer(by) {
    const stage = this.store.stages[0];
    const all = (stage?.worldLayers ?? []).filter(({ isDerived }) => isDerived).map(({ on }) => on);
    if (all.length > 1) this.look(all[(all.indexOf(stage.on) + by + all.length) % all.length]);
  }

  /** Says in a line what can be done with what is shown. */
  hint() {
    const line = document.getElementById("hint");
    const far = this.far.map(([, title]) => title.toLowerCase());
    const closer = far.length > 0 ? `Come closer, with the wheel or +, to see: ${far.join(", ")}. ` : "";
    const text = closer + (this.isOnWall ? this.tellWall() : this.advice());
    if (line.textContent === text) return;
    line.textContent = text;
    line.title = text;
    line.classList.toggle("closer", far.length > 0 || this.isOnWall);
    this.map.style.cursor = this.isOnWall && !this.isNearOpen ? "not-allowed" : "";
  }

  /** What is said of a wall before the click. */
  tellWall() {
    const goes = this.state.mode === "go" && hasUnits(this.store.stages[0]);
    return worded(`A wall: nobody can walk here. ${goes && this.isNearOpen ? "A click sends the army to open ground nearby, where the rings are." : "Click on open ground."}`);
  }

  /** Whether the host has found open ground near the wall that is aimed at. */
  get isNearOpen() { return this.store.stages.some(({ ghosts }) => ghosts.aimed.size > 0); }

  advice() {
    const { store, state } = this;
    const { isPaused, replayEnds, takesClicks } = store.status;
    if (store.stages.length === 0) return "";
    const isTouched = this.coarse.matches;
    const [click, right, zoom] = isTouched ? ["Tap", "Long press", "Two fingers: zoom."] : ["Click", "Right click", "Wheel: zoom."];
    if (!store.isStudio) return `${zoom} Drag: move the map. ${click}: explain a cell.`;
    if (replayEnds) {
      const space = isPaused ? "Space goes on" : "Space pauses";
      return `A replay is played, and checked against its hashes: ${space}. At its end you can go on with it.`;
    }
    if (state.mode === "paint") {
      const more = isTouched ? "The button Undo takes it back. Two fingers: move and zoom the map." : "Ctrl Z: undo. Right drag: move the map.";
      return `${state.paint.what.startsWith("stamp") ? `${click}: stamp.` : "Drag: paint."} ${right}: explain the cell. ${more}`;
    }
    const rest = `${right}: add a probe unit. Drag: move the map. ${zoom}`;
    if (state.mode === "go" && hasUnits(store.stages[0])) {
      return `${click}: the nearest army goes there. ${right}, dragged: it draws up on a line. Drag: move the map. ${zoom}`;
    }
    if (state.mode === "play") {
      if (state.placing) return `${click} where the units are to stand. ${isTouched ? "The button again" : "Escape"}: no units.`;
      const bands = takesClicks ? `${click}: the first band there, the second mirrored. ` : "";
      return `${bands}Drag: select. ${right}: order the selected there; dragged: draw them up on a line.`;
    }
    return `${click}: set a goal. ${rest}`;
  }

  mode(mode) {
    this.state.mode = mode;
    this.state.placing = false;
    document.querySelectorAll("#modes button").forEach((button) => button.setAttribute("aria-checked", String(button.dataset.mode === mode)));
    this.panels.tools();
    this.first.draw();
    this.redraw();
  }

  /** Opens a drawer of a narrow page, or closes it. */
  drawer(name) {
    const { dataset } = document.body;
    dataset.drawer = dataset.drawer === name ? "" : name;
    document.querySelectorAll("[data-opens]").forEach((button) => button.setAttribute("aria-expanded", String(button.dataset.opens === dataset.drawer)));
  }

  /** Takes the brush for walls, in a size that is seen. */
  wall() {
    this.state.paint.size = SIZES.find((size) => size * this.camera.scale >= 12) ?? SIZES.at(-1);
    this.paints("brush 0");
  }

  /** Shows the directions where an army is, or no longer. */
  directions() {
    const { state, camera } = this, [stage] = this.store.stages;
    this.layer("flow");
    if (!state.layers.has("flow")) camera.fit();
    else if (camera.scale < 12) {
      const order = this.chosen(stage);
      const [x, y] = stage.paths.find(({ banner }) => banner === order?.banner)?.points[0] ?? [order?.goal.x, order?.goal.y];
      if (x !== undefined) Object.assign(camera, { x, y, scale: 14, wanted: null });
    }
    this.moved();
  }

  /** Begins again with what is shown, and looks from where it looks now. */
  restart() {
    const [stage] = this.store.stages;
    if (stage?.width * stage?.height >= LARGE) this.panels.note({ tone: "done", text: "Drawing the map…" });
    this.isAgain = true;
    this.store.ask(stage?.title, say.again());
  }

  loops() {
    this.state.loops = !this.state.loops;
    this.calm = 0;
    document.getElementById("loop").setAttribute("aria-pressed", String(this.state.loops));
  }

  /** Restarts once nothing has moved for two seconds, or after a minute: figures come four times a second. */
  loop({ stage }) {
    const { store, state } = this, [first] = store.stages;
    if (stage !== 0 || !state.loops || store.status.isPaused || this.isAgain || !first) return;
    const { total, now } = first.units;
    // Only units in view are known: all of them are to stand.
    const isCalm = total > 0 && now.size === total && this.stood?.size === now.size
      && [...now].every(([id, { x, y }]) => { const old = this.stood.get(id); return old && Math.hypot(old.x - x, old.y - y) < 0.03; });
    this.stood = now;
    this.calm = isCalm ? this.calm + 1 : 0;
    if (this.calm >= 8 || performance.now() - this.began > 60000) this.restart();
  }

  /** Layers that are on and cannot be seen from so far away. */
  get far() {
    const { layers } = this.state;
    return LAYERS.filter(([name]) => layers.has(name) && NEAR[name] && !NEAR[name](this.camera));
  }

  layer(name, isStacked) {
    if (this.panels.buttons.get(name).disabled) return;
    switchLayer(this.state, name, isStacked);
    this.layered();
  }

  /** The layers are others. */
  layered() {
    this.panels.layers();
    this.first.draw();
    this.sentView = null;
    this.tellView();
    this.redraw();
  }

  /** Shows these layers and no others. */
  layers(names) {
    const { state } = this;
    state.aside.clear();
    for (const name of state.quiet) if (!names.includes(name)) state.aside.add(name);
    state.layers = new Set(names);
    this.layered();
  }

  theme(wanted) {
    const root = document.documentElement;
    const theme = typeof wanted === "string" ? wanted : root.dataset.theme === "dark" ? "light" : "dark";
    root.dataset.theme = theme;
    if (this.store) this.redraw();
  }

  help() {
    const dialog = document.getElementById("keys");
    dialog.showModal();
    // The button at its end has the focus, and is scrolled to.
    dialog.scrollTop = 0;
  }

  why() {
    const { hover } = this.state;
    if (hover) this.explain(hover.stage, hover);
  }

  /** Asks why a cell has its direction, by the order whose field is on view. */
  explain(at, { x, y }) {
    const { store } = this, stage = store.stages[at];
    const chosen = this.chosen(stage);
    if (chosen || !stage?.orders.length) {
      this.say(say.why(at, { x, y }, chosen?.number));
      return;
    }
    store.why = { stage: at, x, y, text: "No order is on the layer that is shown, so the cell has no direction: choose one in the list." };
    store.changed("why");
  }

  clear() { this.say(say.clear()); }

  placing() {
    this.state.placing = !this.state.placing;
    this.panels.tools();
  }

  chosen(stage) {
    const orders = ordersOnView(stage);
    return orders.find((order) => order.number === this.state.chosen) ?? orders[orders.length - 1];
  }

  /** Chooses an order, and the layer of the world that it is on. */
  choose(number) {
    this.state.chosen = number;
    const order = this.store.stages[0]?.orders.find((one) => one.number === number);
    if (order && !isOn(this.store.stages[0], order.on)) this.state.on = order.on;
    this.show();
    this.sentView = null;
    this.tellView();
    this.redraw();
  }

  /** What the brush paints from now on. */
  paints(what) {
    this.state.paint.what = what;
    const brush = this.store.catalogue.brushes[Number(what.slice(6))];
    const shown = what.startsWith("brush") && brush?.layer;
    if (shown && !this.state.layers.has(shown)) this.layer(shown);
    this.panels.tools();
    this.first.draw();
  }

  /** How much a brush paints. */
  amount(number) { return this.state.paint.amounts[number] ?? this.store.catalogue.brushes[number]?.usual ?? 0; }

  life(number) { this.time.ask(number); }

  brush() {
    const { what, size, turns } = this.state.paint;
    const template = what.startsWith("stamp") ? this.store.catalogue.templates[Number(what.slice(6))] : null;
    return { size, turns, template };
  }

  scene() {
    const dialog = document.getElementById("scenes");
    if (dialog.returnValue !== "play") return;
    dialog.returnValue = "";
    const value = (id) => Number(document.getElementById(id).value || 255);
    this.tour.elsewhere();
    this.store.ask(this.store.catalogue.scenes[this.state.scene].name, say.scene(this.state.scene, value("reading"), value("beside"), 8));
    this.mode("go");
  }

  chooseScene(at) {
    this.state.scene = at;
    document.querySelectorAll("#gallery .scene").forEach((scene) => scene.setAttribute("aria-selected", String(Number(scene.dataset.scene) === at)));
  }

  /** A country has a size and armies of its own. */
  newKind() {
    const isCountry = this.store.catalogue.maps[Number(document.getElementById("new-kind").value)] === "country";
    for (const id of ["new-width", "new-height"]) document.getElementById(id).parentElement.hidden = isCountry;
    document.getElementById("new-army-label").hidden = isCountry;
    document.getElementById("new-told").hidden = !isCountry;
  }

  newMap() {
    const dialog = document.getElementById("new-map");
    if (dialog.returnValue !== "draw") return;
    dialog.returnValue = "";
    const value = (id) => Number(document.getElementById(id).value);
    const side = (id) => Math.max(10, Math.min(8000, Math.round(value(id)) || 10));
    const kind = value("new-kind");
    this.tour.elsewhere();
    this.store.ask(this.store.catalogue.maps[kind], say.newMap(kind, side("new-width"), side("new-height"), Math.max(0, Math.min(2 ** 53 - 1, Math.round(value("new-seed")) || 0)), document.getElementById("new-army").checked));
    this.mode("go");
  }

  async open(file) {
    try {
      await this.store.link.open(file.name, file);
      this.panels.clearRefused();
      this.tour.elsewhere();
    } catch ({ message }) {
      // The host names the file where it has looked into it.
      this.panels.note({ tone: "refused", text: message.startsWith(file.name) ? message : `${file.name}: ${message}` });
    }
  }

  /** The host answers for the first time: opens what the address carries, or shows the tour. */
  async begin() {
    addEventListener("hashchange", () => this.openCarried());
    if (!(await this.openCarried()) && isAlone()) this.tour.soon();
  }

  /** Opens the session that the address carries; whether there is one. */
  async openCarried() {
    if (location.hash === this.written) return false;
    let replay = null;
    try {
      replay = await carried();
    } catch {
      const damaged = { tone: "refused", text: "The session in the address is damaged: copy the whole link." };
      // A first map takes all notes away.
      if (this.store.stages.length > 0) this.panels.note(damaged);
      else this.late = damaged;
    }
    if (replay) await this.open(new File([replay], "link.replay"));
    return replay !== null;
  }

  /** Goes to a session that no other page shares. */
  async own() {
    try {
      const { blob } = await this.store.link.save("own");
      location.assign(`/?own=${await blob.text()}`);
    } catch ({ message }) {
      this.panels.note({ tone: "refused", text: message });
    }
  }

  /** Puts a text on the clipboard; returns false if the browser does not let it. */
  async copy(text, told) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return false;
    }
    this.panels.note({ tone: "done", text: told });
    return true;
  }

  async save(what) {
    if (!what) return;
    let file;
    try {
      file = await this.store.link.save(what === "link" ? "replay" : what);
    } catch ({ message }) {
      this.panels.note({ tone: "refused", text: message });
      return;
    }
    const { name, blob } = file;
    this.panels.clearRefused();
    this.saved = { name, size: blob.size };
    if (what === "link") {
      // A session of a page's own may be over when the link is opened.
      const address = location.href.split(/\?own=|#/)[0] + await addressed(blob);
      this.saved.text = address;
      if (address.length > LONGEST) {
        const text = `This session is too long for a link (${address.length.toLocaleString("en")} letters): save it as a replay.`;
        this.panels.note({ tone: "refused", text });
      } else if (!(await this.copy(address, `The link is on the clipboard: opened, it shows what you did, tick by tick (${address.length.toLocaleString("en")} letters).`))) {
        this.written = `#${address.split("#")[1]}`;
        location.hash = this.written;
        this.panels.note({ tone: "done", text: "The link is in the address bar." });
      }
      return;
    }
    if (what === "test") {
      const text = await blob.text();
      this.saved.text = text;
      // Without leave for the clipboard it is saved as a file.
      if (await this.copy(text, `The test is on the clipboard: ${text.split("\n").length} lines.`)) return;
    }
    const link = element("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    this.panels.note({ tone: "done", text: `Saved ${name}.` });
  }

  resize() {
    const pane = document.getElementById("view");
    this.ratio = Math.min(2, devicePixelRatio || 1);
    const width = pane.clientWidth, height = pane.clientHeight;
    for (const canvas of [this.map, this.over]) {
      canvas.width = Math.max(1, Math.round(width * this.ratio));
      canvas.height = Math.max(1, Math.round(height * this.ratio));
    }
    this.camera.arrange(Math.max(1, this.store.stages.length), width, height);
    this.panels.titles();
    this.moved();
  }

  /** The camera has moved. */
  moved() {
    this.tellView();
    this.redraw();
  }

  /** Sends the host what is in view: at once, and not too often. */
  tellView() {
    const { store, camera } = this;
    if (!store.isLinked || store.stages.length === 0) return;
    const { x, y, width, height } = camera.reach;
    const side = 100 << camera.level;
    const left = Math.max(0, Math.floor(x / side) * side), top = Math.max(0, Math.floor(y / side) * side);
    const area = {
      x: left, y: top,
      width: Math.max(0, Math.ceil((x + width) / side) * side - left),
      height: Math.max(0, Math.ceil((y + height) / side) * side - top),
    };
    let bits = 0;
    for (const [name, , , , number] of LAYERS) if (number !== null && this.state.layers.has(name)) bits |= 1 << number;
    const key = [area.x, area.y, area.width, area.height, camera.level, bits, this.state.chosen, this.state.on].join();
    if (key === this.sentView) return;
    this.sentView = key;
    const layers = 1 + [...bits.toString(2)].filter((bit) => bit === "1").length;
    store.keepFor((area.width / side) * (area.height / side) * layers);
    store.say(say.view(area, camera.level, bits, this.state.chosen, this.state.on));
  }

  redraw() {
    this.isOverOld = true;
    this.again();
  }

  /** Draws the map once more, and what lies over it only where that has changed. */
  again() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((time) => this.draw(time));
  }

  /** Whether the pointer is on a wall, where a click finds no open ground. */
  get isOnWall() {
    const { hover, mode } = this.state, { cell, isStudio } = this.store;
    return isStudio && mode !== "paint" && hover !== null && cell?.stage === hover.stage && cell.x === hover.x && cell.y === hover.y && cell.cost === WALL;
  }

  /** The order whose making is at its start, where nothing is there but its goal. */
  get alone() {
    const { life } = this.store;
    return life?.slices[this.state.life]?.stage === 0 ? life.order : null;
  }

  /** The cells of a stage that the pointer is on, or that the brush covers. */
  box(stage) {
    const { hover, mode } = this.state;
    if (!hover || this.store.stages[hover.stage] !== stage) return null;
    return mode === "paint" ? brushed(hover, this.brush()) : { x: hover.x, y: hover.y, width: 1, height: 1 };
  }

  draw(time) {
    this.asked = false;
    const { store, camera, state } = this;
    const step = Math.min(100, time - (this.last ?? time - 16));
    this.last = time;
    if (camera.advance(step)) this.moved();
    const isDark = document.documentElement.dataset.theme === "dark";
    const options = {
      ratio: this.ratio, time: performance.now(), step, dim: brightness(),
      back: isDark ? [0.05, 0.06, 0.075] : [0.86, 0.845, 0.8], quiet: isDark ? [0.09, 0.1, 0.12] : [0.93, 0.925, 0.91], order: (stage) => this.chosen(stage), alone: this.alone, box: (stage) => this.box(stage), isOnWall: this.isOnWall,
    };
    this.picture.draw(store, camera, state.layers, options);
    if (state.flashes.length > 0) this.isOverOld = true;
    state.flashes = state.flashes.filter(({ since }) => options.time < since + FLASH);
    if (this.isOverOld) this.overlay.draw(store, camera, state.layers, state, options);
    this.isOverOld = false;
    this.input.tellAim();
    this.time.draw(this.ratio);
    this.panels.legend();
    this.hint();
    this.frames++;
    // Tiles are still missing, streams move, ghosts fade, or units glide between two pictures of them.
    if (state.flashes.length > 0 || !this.picture.isWhole || this.picture.isMoving || store.stages.some(({ units, ghosts }) => ghosts.isFading || (units.count > 0 && units.part(performance.now()) < 1))) this.again();
  }
}

// The studio has most to do: it begins before the page is made.
linkable().then(() => { window.inspector = new App(); }).catch((error) => {
  document.getElementById("hint").textContent = error.message;
  throw error;
});
