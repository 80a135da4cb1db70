// The panels beside the map: layers, legend, cell, orders, figures, tools.

import { say } from "./wire.js";
import { LOOK, css } from "./banners.js";
import { numbersFrom } from "./numbers.js";
import { EDGES, PORTAL } from "./lines.js";
import { hasRoutePortals } from "./overlay.js";
import { COVERS, FIELDS, OPEN_STEP } from "./scale.js";
import { isOn, ordersOnView, worldLayer } from "./store.js";

/** Layers with their keys; those of the host carry its number. */
export const LAYERS = [
  ["cost", "Cost", "1", "F1", 0], ["integration", "Integration", "2", "F2", 2],
  ["flow", "Flow", "3", "F3", 1], ["portals", "Portals", "4", "F4", 5],
  ["graph", "Graph", "5", "", 6], ["sight", "Line of sight", "6", "", 1],
  ["islands", "Islands", "7", "", 4], ["loaded", "Loaded sectors", "8", "", 3],
  ["density", "Density", "9", "", 7], ["units", "Units", "0", "", null],
  ["paths", "Paths", "W", "", null], ["trails", "Trails", "E", "", null], ["route", "Route numbers", "R", "", null],
  ["windows", "Windows in use", "U", "", null], ["numbers", "Cell numbers", "N", "", null],
  ["speed", "Crowd speed", "S", "", 8], ["discomfort", "Discomfort", "D", "", 9],
  ["potential", "Potential", "O", "", 10], ["links", "Links", "K", "", null],
];

/** The layers that are shown at first. */
export const USUAL = ["units", "loaded", "paths", "trails", "links"];
/** Layers that take each other's place: in one another's lines neither can be read. */
const INSTEAD = { flow: "portals", portals: "flow" };
/** What steps aside for which fields, which it would hide. */
const LINES = ["integration", "flow", "portals", "graph"];
const ASIDE = { loaded: [...FIELDS, "graph"], paths: LINES, trails: LINES };

/** Switches a layer on or off; a field, or the portals, take the place of what would lie over it or under
 * it, unless they are stacked on purpose. */
export function switchLayer(state, name, isStacked) {
  const { layers, aside, quiet } = state;
  aside.delete(name);
  if (!layers.delete(name)) {
    if (!isStacked && COVERS.includes(name)) for (const other of COVERS) layers.delete(other);
    layers.add(name);
    if (isStacked) return;
    layers.delete(INSTEAD[name]);
    for (const [other, fields] of Object.entries(ASIDE)) if (fields.includes(name) && layers.delete(other)) aside.add(other);
  }
  for (const other of aside) {
    if (quiet.has(other) || ASIDE[other].some((field) => layers.has(field))) continue;
    aside.delete(other);
    layers.add(other);
  }
}

/** Other layers do not help with what is shown now: they step aside, and come back after it. */
export function quieten({ layers, aside, quiet }, names) {
  for (const name of quiet) {
    if (names.includes(name)) continue;
    quiet.delete(name);
    if (!ASIDE[name].some((field) => layers.has(field)) && aside.delete(name)) layers.add(name);
  }
  for (const name of names) {
    if (!quiet.has(name) && layers.delete(name)) aside.add(name);
    quiet.add(name);
  }
}

/** What is explained of a layer where the pointer rests on it. */
const TITLES = {
  loaded: "The sectors that orders have computed. A sector is a square of 10×10 cells.",
  portals: "Where one can cross from one sector, a square of 10×10 cells, to the next",
  graph: "Portals, and the walks between them through one sector, a square of 10×10 cells",
};

/** Layers that are seen from near alone: whether a camera is near enough. */
export const NEAR = {
  graph: (camera) => camera.level <= 1, numbers: (camera) => camera.scale >= numbersFrom,
};

/** Sides of the brush, in cells. */
export const SIZES = [1, 2, 3, 5, 8, 12, 20];

/** What a unit does, as it is drawn: bits of its states, its colours, its name. */
const UNITS = [
  [1, (tints) => bands(tints), "unit on its way"], [2, (tints) => bands(tints.map((tint) => mixed(tint, "#fff", 22))), "paler: it has arrived"],
  [4, (tints) => bands(tints.map((tint) => mixed(tint, "#595959", 70))), "greyed: it is cut off"],
  [8, () => `radial-gradient(#fff 40%, ${css(LOOK)} 45%)`, "probe unit"],
  [16, (tints) => `radial-gradient(#0000 45%, #fff 50%), ${bands(tints)}`, "white ring: selected"],
];
const mixed = (tint, other, part) => `color-mix(in srgb, ${tint}, ${other} ${part}%)`;

/** The figures, as the host sends them: name, how it is written, what it counts. */
const FIGURES = [
  ["Plan time", (v) => micros(v), "Time that a tick takes to compute directions"],
  ["Move time", (v) => micros(v), "Time that a tick takes to move all units"],
  ["Work", (v) => `${whole(v)} cells`, "Cells computed in a tick"],
  ["Waiting", (v) => counted(v, "order"), "Orders whose directions are not ready yet"],
  ["Directions", (v) => counted(v, "tile"), "Tiles of directions kept for units: one for each computed sector of each order"],
  ["Computed", (v) => counted(v, "sector"), "Sectors of ten by ten cells that at least one order has computed"],
  ["Orders", (v) => bytes(v), "Memory of all orders: their searches and directions"],
  ["Graph", (v) => bytes(v), "Memory of the portal graph, which all orders share"],
  ["Units", (v) => whole(v), "Units on the map"], ["Arrived", (v) => whole(v), "Units that have reached their goal"],
  ["Portals", (v) => whole(v), "Windows between neighbouring sectors"],
  ["Islands", (v) => whole(v), "Parts of the map between which no path leads"],
];

/** How units of one of two stages read their field, in plain words. */
const READ = { ahead: "without crowds", crowd: "with crowds" };

/** How much of the map orders compute, in plain words. */
const QUALITIES = { corridor: "near the routes", exact: "all that best paths cross", everywhere: "the whole map" };

const VIRIDIS = "#fde725, #35b779, #31688e, #440154";
const stripes = (one, other) => `repeating-linear-gradient(135deg, ${one} 0 3px, ${other} 3px 6px)`;
const bands = (colours, turn = 135) => `linear-gradient(${turn}deg, ${colours.map((colour, at) => `${colour} ${(at / colours.length) * 100}% ${((at + 1) / colours.length) * 100}%`).join()})`;
const edge = (colour) => `linear-gradient(#0000 35%, ${colour} 35% 65%, #0000 65%), #4c5a3a`;
/** The colours of paths, each once. */
const bannersOf = (paths) => [...new Set(paths.map(({ banner }) => banner))].sort().map(css);
/** What is seen in the life of an order, and in which of its stages. */
const LIFE = [
  ["#2882f0", "portal that the search took", [1]], ["#fff", "portal it has seen", [1]],
  ["#5aaaff", "sector taken up", [2, 3, 4, 5, 6]], ["#ff9628", "sector the wave has reached", [2, 3, 4]],
  ["#3cbe82", "sector that is done", [3, 4, 5, 6]], ["#ffd65a", "what this step did", [2, 3, 4]],
  ["repeating-linear-gradient(90deg, #2c3040 0 3px, #e4e4ee 3px 6px)", "sector that is freed", [7]],
];
/** The colours of directions from north, clockwise: as the shader has them. */
const COMPASS = "conic-gradient(#80cca8, #ed9429, #803380, #3378db, #80cca8)";

const whole = (v) => Math.round(v).toLocaleString("en");
const counted = (count, one) => `${whole(count)} ${one}${count === 1 ? "" : "s"}`;
const micros = (v) => (v < 1000 ? `${v.toFixed(0)} µs` : `${(v / 1000).toFixed(1)} ms`);
const bytes = (v) => (v < 1e3 ? `${v} B` : v < 1e6 ? `${(v / 1e3).toFixed(0)} kB` : `${(v / 1e6).toFixed(1)} MB`);
const NAMES = ["north", "east", "south", "west", "north-east", "south-east", "south-west", "north-west"];
const ARROWS = ["↑", "→", "↓", "←", "↗", "↘", "↙", "↖"];

/** A text about the mouse, for fingers where the page is touched. */
export function worded(text) {
  if (!matchMedia("(pointer: coarse)").matches) return text;
  const words = { "Move the pointer over": "Tap", "right-click": "long-press", "Right-click": "Long-press", "a right click or a long press": "a long press", "right click": "long press", ", or drop it on the page": "", Click: "Tap", click: "tap" };
  return text.replace(/\b(Move the pointer over|, or drop it on the page|a right click or a long press|[Rr]ight-click|right click|[Cc]lick)\b/g, (word) => words[word]);
}

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("aria-") || name.startsWith("data-")) made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}

export class Panels {
  constructor(store, state, act) {
    this.store = store;
    this.state = state;
    this.act = act;
    this.makeLayers();
    this.makeFigures();
    store.addEventListener("cell", () => this.cell());
    store.addEventListener("why", () => this.cell());
    store.addEventListener("orders", () => this.orders());
    store.addEventListener("figures", () => this.figures());
    store.addEventListener("catalogue", () => this.catalogue());
    store.addEventListener("status", () => this.status());
    store.addEventListener("note", (event) => this.note(event.detail));
    store.addEventListener("hello", () => this.hello());
    store.addEventListener("links", () => this.layers());
    const on = document.getElementById("on");
    on.onchange = () => {
      this.act.look(Number(on.value));
      this.act.toMap();
    };
    this.cell();
    this.orders();
  }

  makeLayers() {
    const list = document.getElementById("layers");
    this.buttons = new Map();
    for (const [name, title, key, second] of LAYERS) {
      const button = element("button", { className: "layer", onclick: (event) => this.act.layer(name, event.shiftKey), "data-layer": name,
        title: COVERS.includes(name) ? "With Shift: over the other fields" : TITLES[name] ?? "" },
        element("span", { className: "box", "aria-hidden": "true" }), element("span", { className: "name", textContent: title }));
      for (const text of [second, key]) if (text) button.append(element("kbd", { textContent: text }));
      this.buttons.set(name, button);
      list.append(button);
    }
    this.layers();
  }

  /** Marks the layers that are on, and those there is nothing to see of. */
  layers() {
    const { stages } = this.store;
    const offered = stages.length > 0 ? stages.reduce((bits, stage) => bits | stage.layers, 0) : 0xffff;
    for (const [name, , , , number] of LAYERS) {
      const button = this.buttons.get(name);
      button.setAttribute("aria-pressed", String(this.state.layers.has(name)));
      const isOffered = number === null || (offered >> number) & 1;
      button.disabled = !isOffered;
      // Those of crowds are there once there is one.
      button.hidden = stages.length > 0 ? !isOffered && ["speed", "discomfort", "potential"].includes(name) : ["speed", "potential"].includes(name);
      if (name === "links") button.hidden = !stages.some((stage) => stage.links.length > 0);
    }
  }

  /** The layers of the world: the one that is shown, and why it is not the one asked for. */
  worldLayers() {
    const [stage] = this.store.stages;
    const all = stage?.worldLayers ?? [];
    document.getElementById("world-layers").hidden = all.length < 2;
    const list = document.getElementById("on");
    const made = JSON.stringify(all);
    if (made !== this.madeWorldLayers) {
      this.madeWorldLayers = made;
      list.replaceChildren(...all.map((layer) => element("option", {
        value: String(layer.on), textContent: layer.isDerived ? layer.name : `${layer.name} (not derived)`,
      })));
    }
    const asked = worldLayer(stage, this.state.on);
    if (asked) list.value = String(asked.on);
    list.title = asked ? `${asked.name} (M)` : "";
    const told = document.getElementById("on-told");
    told.hidden = this.store.stages.every((one) => isOn(one, this.state.on));
    told.textContent = told.hidden ? "" : asked ? "Not derived: the ground is shown." : "There is no such layer: the ground is shown.";
  }

  /** Says what is on the map; made again when that is something else. */
  legend() {
    const rows = this.legendRows();
    const made = JSON.stringify(rows);
    if (made === this.madeLegend) return;
    this.madeLegend = made;
    document.getElementById("legend").replaceChildren(...rows.map(drawnRow));
  }

  /** The rows of the legend: a text each, and for some colours with a form. */
  legendRows() {
    const { layers } = this.state;
    const stage = this.store.stages[0];
    const chosen = this.act.chosen?.(stage);
    const of = chosen ? ` of order ${chosen.number}` : "";
    const orders = stage?.orders ?? [];
    const rows = [];
    if (!stage) return rows;
    const bar = (text, colours, low, high) => rows.push({ text, colours, low, high });
    const swatch = (colours, text, form = "") => rows.push({ text, colours, form });
    const plain = (text, form = "") => rows.push({ text, form });
    const isSeen = (name) => layers.has(name) && (!this.act.camera || NEAR[name](this.act.camera));
    const ofOrder = ["integration", "flow", "sight", "route", "windows"].some((name) => layers.has(name));
    if (ofOrder && orders.length > 0 && !chosen) plain("No order is on this layer: choose one in the list.", "closer");
    const made = this.store.life?.slices[this.state.life]?.stage;
    for (const [colour, text, in_stages] of LIFE) if (in_stages.includes(made)) swatch(colour, text);
    if (layers.has("cost")) {
      const dearest = stage?.dearest ?? 1;
      if (dearest > 1) bar("Cost of a step", "#faf7e6, #f5a829 50%, #7a174d", "1", whole(dearest));
      else swatch("#faf7e6", "cost 1 of a step");
      swatch(stripes("#12141f", "#3a3d48"), "wall");
    }
    if (layers.has("integration")) {
      const { low, high, step } = stage?.scale ?? {};
      if (step) {
        bar(`Cost-to-go${of}, in steps of open ground`, VIRIDIS, low === 0 ? "0, the goal" : whole(low), whole(high));
        swatch("linear-gradient(#0000 40%, #0a101c 40% 60%, #0000 60%), #35b779", `a line every ${step === 1 ? "step" : `${whole(step)} steps`}; every fifth is strong`);
      } else plain(`No cost-to-go${of} is in view.`);
    }
    if (layers.has("flow")) {
      plain(`Direction${of}: dashes move along it`, "compass");
      swatch("#ffed6b", "yellow: the goal is in sight");
      swatch(stripes("#eee", "#aaa"), "waits for its directions");
      swatch("#6b6470", "the goal cannot be reached");
    }
    if (isSeen("numbers")) plain("Numbers: costs yellow, costs-to-go white, in steps.");
    if (layers.has("sight")) swatch("#ffed6b", `the goal${of} is in sight`);
    if (layers.has("portals")) swatch(PORTAL, this.act.camera && hasRoutePortals(layers, this.act.camera) ? `portal on the route${of}; closer up, all` : "portal: a window between sectors");
    if (isSeen("graph")) {
      const isNear = this.act.camera?.scale >= EDGES;
      swatch("radial-gradient(#fff7d6 45%, #051a24 55%)", isNear ? "portal, a node of the graph" : "portals near each other, as one node", "round");
      swatch(edge("#fff7d6"), isNear ? "edge: a walk through one sector; strong in that at the pointer" : "edges between them: the stronger, the more");
      if (isNear) swatch(edge("#ff8c2e"), `edge on the route${of}`);
    }
    if (layers.has("route")) swatch("#fff", `portal on the routes${of}, counted from the goal over all branches; dot: no room for its number`, "round");
    if (layers.has("windows")) swatch("#ff8c2e", `window of a portal on the route${of}`);
    if (layers.has("loaded")) this.loadedRows(swatch, stage);
    if (layers.has("islands")) {
      swatch("linear-gradient(90deg, #e56, #7c5, #56c)", "cut off from the mainland");
      if (this.act.camera?.level > 2) plain("Small islands show closer up.", "closer");
    }
    // Of two settings side by side one may read the crowd.
    const reader = this.store.stages.map((one) => this.act.chosen(one)).find((order) => order?.hasStream);
    this.crowdRows(bar, plain, { of, chosen: reader ?? chosen, stages: this.store.stages });
    if (layers.has("paths") && stage?.paths.length > 0) swatch(`${bands(bannersOf(stage.paths), 90)} center / 100% 30% no-repeat`, "path of a unit");
    if (layers.has("trails") && stage?.trails.rows.length > 0) swatch(`linear-gradient(90deg, #0000, ${css(stage.units.banners[0] ?? 0)}) center / 100% 20% no-repeat`, "trail: where a unit went");
    if (layers.has("links") && stage?.links.length > 0) {
      swatch("#d070c8", "entry of a link; an arrow leads to its end");
    }
    const tints = stage?.units.banners.map(css);
    if (layers.has("units")) for (const [bit, look, text] of UNITS) if (stage?.units.states & bit) swatch(look(tints), text, "round");
    if (layers.has("units") && stage?.ghosts.now.size + stage?.ghosts.aimed.size > 0) swatch("radial-gradient(#8888 52%, #888 57%)", "ring: where a unit will stop", "round");
    const goal = chosen ?? orders.at(-1);
    if (goal) swatch(`radial-gradient(${css(goal.banner)} 25%, #fff 30% 45%, ${css(goal.banner)} 50%)`, "goal; second ring: of the chosen order", "round");
    for (const [, title] of this.act.far ?? []) plain(`${title}: come closer to see them.`, "closer");
    if (rows.length === 0) plain("The ground alone.", "empty");
    return rows;
  }

  loadedRows(swatch, stage) {
    const tints = ordersOnView(stage).slice(-4).map((order) => css(order.banner));
    swatch(tints.length > 1 ? bands(tints) : tints[0] ?? "#ccc", "sector (10×10 cells) loaded by an order; striped: by several");
    const isFreed = [...stage?.blocks.values() ?? []].some((block) => block.hasFreed);
    if (isFreed) swatch(stripes("#eee", "#aaa"), "freed just now");
  }

  /** The layers of a crowd: whose values they are, and in what unit. */
  crowdRows(bar, plain, { of, chosen, stages }) {
    const { layers } = this.state;
    if (layers.has("density")) {
      const isCrowd = stages.some((stage) => stage.orders.some((order) => order.hasStream));
      bar(isCrowd ? "Density, in units a cell" : "Density: the part of a cell that units cover", "#fcd959, #8c0d40", "0", isCrowd ? "3 and more" : "1");
    }
    const own = ["speed", "discomfort", "potential"].filter((name) => layers.has(name));
    if (own.length > 0 && !chosen?.hasStream) {
      const what = own.includes("discomfort") ? "only painted discomfort is shown" : "nothing is shown";
      const who = chosen ? `Order ${chosen.number} reads no crowd` : "No order is chosen";
      // A crowd that has arrived has no field.
      if (chosen && stages[0].crowds?.has(chosen.number)) plain(`The crowd of order ${chosen.number} has arrived: ${what}.`, "closer");
      else plain(`${who}: ${what}. Choose one that does, or select units in the mode Play and have them read: crowd.`, "closer");
    }
    if (layers.has("speed")) bar(`Speed${of}, as a part of what the ground allows`, "#1a408c, #bff2ff", "0", "1");
    if (layers.has("discomfort")) bar(`Discomfort${of}, in steps on open ground`, "#bf9ed9, #4d0d61", "0", "8 and more");
    if (layers.has("potential")) {
      const known = (chosen?.hasStream && chosen.potential) || stages[0].crowds?.get(chosen?.number), farthest = known ? whole(known) : "farthest";
      bar(`Potential${of}, in cells of open ground`, VIRIDIS, "0, the goal", farthest);
    }
  }

  hello() {
    document.body.classList.toggle("looks", !this.store.isStudio);
    this.titles();
    this.layers();
  }

  /** What each of several stages is, over its upper left corner. */
  titles() {
    const { stages } = this.store, box = document.getElementById("stages");
    box.hidden = stages.length < 2;
    box.style.gridTemplateColumns = `repeat(${this.act.camera?.columns ?? 1}, 1fr)`;
    box.replaceChildren(...stages.map(({ title }) => element("span", { textContent: READ[title.split(", ").at(-1)] ?? title, title })));
  }

  cell() {
    const box = document.getElementById("cell");
    const { cell, why } = this.store;
    if (!cell || !this.state.hover) {
      box.replaceChildren(element("p", { className: "empty", textContent: worded("Move the pointer over the map.") }));
      return;
    }
    const facts = element("dl");
    const fact = (name, value) => facts.append(element("dt", { textContent: name }), element("dd", { textContent: value }));
    fact("Cell", `${cell.x}, ${cell.y}`);
    fact("Sector", `${Math.floor(cell.x / 10)}, ${Math.floor(cell.y / 10)}`);
    const stage = this.store.stages[cell.stage];
    if (stage?.worldLayers.length > 1) fact("Movement", shortName(stage, cell.on));
    if (cell.cost === 0) fact("Cost", "off the map");
    else {
      const under = cell.ground !== cell.cost ? ` (ground ${cell.ground === 255 ? "wall" : cell.ground})` : "";
      fact("Cost", (cell.cost === 255 ? "wall" : String(cell.cost)) + under);
      fact("Direction", direction(cell.flow));
      if (cell.toGo !== null) fact("Cost-to-go", `${(cell.toGo / OPEN_STEP).toLocaleString("en")} steps`);
      fact("Tile", cell.isLoaded ? "loaded" : "not loaded");
      if (cell.island !== null) fact("Island", `${cell.island}${cell.isMainland ? ", the mainland" : ""}`);
      fact("Portals around", String(cell.portals));
      for (const [name, value] of linkFacts(stage, cell)) fact(name, value);
      for (const [name, value] of Object.entries(cell.crowd)) fact(name[0].toUpperCase() + name.slice(1), value.toFixed(2));
    }
    const parts = [facts];
    const isSame = why && why.x === cell.x && why.y === cell.y;
    if (isSame) parts.push(element("p", { className: "why", textContent: why.text }));
    else parts.push(element("p", {}, element("button", { textContent: "Why?", title: "Explain this cell (Y)", onclick: () => this.act.why() })));
    box.replaceChildren(...parts);
    if (isSame && why !== this.shownWhy) parts.at(-1).scrollIntoView({ block: "nearest" });
    this.shownWhy = why;
  }

  orders() {
    const box = document.getElementById("orders");
    const stage = this.store.stages[0];
    const orders = stage?.orders ?? [];
    // A crowd that has arrived keeps its scale.
    for (const { number, hasStream, potential } of orders) if (hasStream) (stage.crowds ??= new Map()).set(number, Math.max(potential, stage.crowds.get(number) ?? 0));
    const chosen = this.act.chosen(stage);
    const made = orders.map((o) => `${o.number} ${o.goal.x} ${o.goal.y} ${o.loaded} ${o.units} ${o.cutOff} ${o.ready} ${o.number === chosen?.number} ${o.on} ${isOn(stage, o.on)}`).join();
    if (made === this.madeOrders) return;
    this.madeOrders = made;
    if (orders.length === 0) {
      const text = this.store.isStudio ? worded("None yet. A click on the map sets a goal, a right click or a long press adds a unit.") : "None is shown.";
      box.replaceChildren(element("p", { className: "empty", textContent: text }));
      return;
    }
    const focus = document.activeElement?.dataset?.order;
    const top = box.scrollTop;
    box.replaceChildren(...[...orders].reverse().map((order) => this.orderRow(order, order.number === chosen?.number)));
    box.scrollTop = top;
    if (focus) box.querySelector(`[data-order="${focus}"]`)?.focus();
  }

  orderRow(order, isChosen) {
    const dot = element("span", { className: "dot" });
    dot.style.background = css(order.banner);
    const isWaiting = this.store.isStudio && order.ready === null;
    const count = element("span", { className: "count" });
    if (order.units > 0) count.append(`${counted(order.units, "unit")}, `);
    if (order.cutOff > 0) count.append(element("b", { className: "cut-off", textContent: `${whole(order.cutOff)} cut off` }), ", ");
    count.append(counted(order.loaded, "sector"), isWaiting ? ", waits" : "");
    const stage = this.store.stages[0];
    if (stage.worldLayers.length > 1) count.append(`, ${shortName(stage, order.on)}`);
    const button = element("button", {
      className: isOn(stage, order.on) ? "order" : "order elsewhere", "data-order": String(order.number), "aria-pressed": String(isChosen),
      title: `Order ${order.number} to the cell in column ${order.goal.x}, row ${order.goal.y}: show its directions`, onclick: () => this.act.choose(order.number),
    }, dot, element("span", { textContent: `order ${order.number} to (${order.goal.x}, ${order.goal.y})` }), count);
    const row = element("div", { className: "orders-row" }, button);
    if (this.store.isStudio && isChosen) row.append(element("button", {
      className: "watch", textContent: "Watch how it was computed", title: `How order ${order.number} was computed, step by step`,
      onclick: () => this.act.life(order.number),
    }));
    return row;
  }

  /** Something else is shown: the messages about what was before are removed. */
  fresh() {
    this.cell();
    this.figures();
    document.getElementById("notes").replaceChildren();
  }

  makeFigures() {
    const box = document.getElementById("figures");
    const drawing = "http://www.w3.org/2000/svg";
    this.rows = FIGURES.map(([name, , title]) => {
      const svg = document.createElementNS(drawing, "svg");
      svg.setAttribute("viewBox", "0 0 62 17");
      svg.setAttribute("preserveAspectRatio", "none");
      svg.setAttribute("aria-hidden", "true");
      const under = document.createElementNS(drawing, "path"), path = document.createElementNS(drawing, "path");
      under.setAttribute("class", "under");
      svg.append(under, path);
      const value = element("b", { textContent: "–" });
      box.append(element("div", { className: "figure", title }, element("span", { textContent: name }), svg, value));
      return { under, path, value };
    });
  }

  figures() {
    const stage = this.store.stages[0];
    if (!stage || stage.figures.length === 0) return;
    // A game sends figures only if it wants to.
    for (const part of [document.getElementById("figures"), document.getElementById("figures").previousElementSibling]) part.hidden = false;
    this.rows.forEach(({ under, path, value }, at) => {
      const now = stage.figures[at];
      value.textContent = now === undefined ? "–" : FIGURES[at][1](now);
      const past = stage.history.slice(-60).map((values) => values[at]);
      const low = Math.min(...past), span = Math.max(...past) - low || 1;
      const points = past.map((v, i) => `${(i / 59 * 62).toFixed(1)},${(15 - (v - low) / span * 13).toFixed(1)}`);
      path.setAttribute("d", points.length > 1 ? `M${points.join("L")}` : "");
      under.setAttribute("d", points.length > 1 ? `M0,17L${points.join("L")}L${((past.length - 1) / 59 * 62).toFixed(1)},17Z` : "");
    });
  }

  catalogue() {
    const { maps, readings, qualities } = this.store.catalogue;
    const fill = (id, first, names) => {
      const options = names.map((name, at) => element("option", { value: String(at), textContent: name }));
      document.getElementById(id).replaceChildren(...(first === null ? [] : [element("option", { value: "255", textContent: first })]), ...options);
    };
    fill("quality", null, qualities.map((name) => QUALITIES[name] ?? name));
    fill("reading", "as given", readings);
    fill("beside", "none", readings);
    fill("new-kind", null, maps);
    document.getElementById("new-kind").value = String(Math.max(0, maps.indexOf("rooms")));
    this.tools();
  }

  status() {
    const { isPaused, speed, budget, undos, redos, selected, quality, watchers } = this.store.status;
    const shared = document.getElementById("shared");
    shared.hidden = !(watchers > 1);
    shared.firstChild.textContent = `${counted(watchers - 1, "other page")} ${watchers === 2 ? "shares" : "share"} this session: each sees and changes what the others do.`;
    const pause = document.getElementById("pause");
    pause.textContent = isPaused ? "▶" : "❚❚";
    pause.setAttribute("aria-label", isPaused ? "Go on" : "Pause");
    for (const [id, value] of [["speed", speed], ["budget", budget], ["quality", quality]]) {
      const list = document.getElementById(id);
      const near = [...list.options].find((option) => Math.abs(Number(option.value) - value) < 1e-3);
      if (near && document.activeElement !== list) list.value = near.value;
    }
    const undo = document.getElementById("undo"), redo = document.getElementById("redo");
    if (undo) undo.disabled = undos === 0;
    if (redo) redo.disabled = redos === 0;
    const told = document.getElementById("selected");
    if (told) told.textContent = `${whole(selected)} selected`;
  }

  /** The tools of the mode. */
  tools() {
    const box = document.getElementById("tools");
    const { mode, paint } = this.state;
    const parts = [];
    if (mode === "look") parts.push(element("button", { textContent: "Clear", title: "Take the goal and the units of this mode away (Delete)", onclick: () => this.act.clear() }));
    if (mode === "play") {
      const count = element("input", { type: "number", min: "1", max: "20000", value: String(this.state.placed), "aria-label": "Units to place",
        onchange: () => { this.state.placed = Math.max(1, Math.min(20000, Number(count.value) || 1)); } });
      const place = element("button", { textContent: "Place units", title: "Then click where", "aria-pressed": String(this.state.placing), onclick: () => this.act.placing() });
      if (this.state.placing) place.classList.add("main");
      const readings = this.store.catalogue.readings.map((name, at) => element("option", { value: String(at), textContent: `read: ${name}` }));
      const reads = element("select", { id: "reads", "aria-label": "How the selected units read their field", title: "How the selected units read their field",
        onchange: () => { this.act.say(say.read(Number(reads.value))); reads.value = ""; } },
      element("option", { value: "", textContent: "Selected…" }), ...readings);
      parts.push(place, count, reads, element("span", { id: "selected", className: "empty" }));
    }
    if (mode === "paint") {
      const { brushes, templates } = this.store.catalogue;
      const stamps = templates.map(({ name }, at) => [`stamp ${at}`, name]);
      const group = (label, options) => {
        const made = element("optgroup", { label });
        made.append(...options.map(([value, textContent]) => element("option", { value, textContent })));
        return made;
      };
      const what = element("select", { id: "brush", "aria-label": "What to paint", onchange: () => this.act.paints(what.value) },
        ...[...new Set(brushes.map((one) => one.group))].map((label) =>
          group(label, brushes.map((one, at) => [`brush ${at}`, one.name]).filter((_, at) => brushes[at].group === label))),
        group("Stamp", stamps));
      what.value = paint.what;
      parts.push(what);
      const number = Number(paint.what.slice(6)), brush = paint.what.startsWith("brush") && brushes[number];
      if (brush && brush.most > 0) {
        const { least, most } = brush;
        const amount = element("input", { type: "number", min: String(least), max: String(most), value: String(this.act.amount(number)), "aria-label": brush.hint, title: brush.hint,
          onchange: () => { paint.amounts[number] = Math.max(least, Math.min(most, Math.round(Number(amount.value)) || least)); } });
        parts.push(amount);
      }
      if (!paint.what.startsWith("stamp")) {
        const size = element("select", { "aria-label": "Brush", onchange: () => { paint.size = Number(size.value); } },
          ...SIZES.map((n) => element("option", { value: String(n), textContent: `${n}×${n}` })));
        size.value = String(paint.size);
        parts.push(size);
      } else parts.push(element("button", { textContent: "Turn", onclick: () => { paint.turns = (paint.turns + 1) % 4; } }));
      parts.push(element("button", { id: "undo", textContent: "Undo", title: "Ctrl Z", onclick: () => this.act.say(say.undo()) }),
        element("button", { id: "redo", textContent: "Redo", title: "Ctrl Y", onclick: () => this.act.say(say.redo()) }));
    }
    box.replaceChildren(...parts);
    this.status();
  }

  /** Takes away what was refused before. */
  clearRefused() { document.querySelectorAll("#notes .refused").forEach((line) => line.remove()); }

  note({ tone, text: told }) {
    if (tone !== "refused" && this.act.tour?.asksItself) return;
    const text = worded(told), box = document.getElementById("notes");
    // What is said again is shown once, for longer.
    for (const same of [...box.children].filter((line) => line.textContent === text)) same.remove();
    const line = element("p", { textContent: text, className: tone === "refused" ? "refused" : "" });
    box.append(line);
    while (box.children.length > 3) box.firstChild.remove();
    setTimeout(() => line.remove(), tone === "refused" ? 9000 : 6000);
  }
}

/** A row of the legend as it is seen. */
function drawnRow({ text, colours, form, low, high }) {
  if (form === "compass") {
    const disc = element("i");
    disc.style.background = COMPASS;
    const letters = [["N", "start center"], ["E", "center end"], ["S", "end center"], ["W", "center start"]].map(([letter, place]) => {
      const made = element("span", { textContent: letter });
      made.style.placeItems = place;
      return made;
    });
    return element("div", { className: "row" }, element("div", { className: "compass", role: "img", title: "North light green, south dark purple, west blue, east orange" }, disc, ...letters), element("span", { textContent: text }));
  }
  if (!colours) return element("p", { className: `empty ${form}`, textContent: text });
  const drawn = element("div", { className: low ? "bar" : `swatch ${form}` });
  drawn.style.background = low ? `linear-gradient(90deg, ${colours})` : colours;
  if (!low) return element("div", { className: "row" }, drawn, element("span", { textContent: text }));
  return element("div", {}, element("div", { textContent: text }), drawn,
    element("div", { className: "ends" }, element("span", { textContent: low }), element("span", { textContent: high })));
}

/** A layer of the world in a word or two. */
function shortName(stage, on) {
  const layer = worldLayer(stage, on);
  const name = on < 8 ? "ground" : `layer ${on >> 3}`;
  return layer && layer.teams !== 255 ? `${name}, team ${on & 7}` : name;
}

/** What is said of the links that begin or end in a cell. */
function linkFacts(stage, { x, y }) {
  return (stage?.links ?? []).flatMap(({ number, price, entry, exit, width, height, isOnAll }) => {
    const at = (area) => x >= area.x && y >= area.y && x < area.x + width && y < area.y + height;
    const told = `, price ${whole(price)}${isOnAll ? "" : ", on some layers only"}`;
    const facts = [];
    if (at(entry)) facts.push([`Link ${number}`, `to ${exit.x + x - entry.x}, ${exit.y + y - entry.y}${told}`]);
    if (at(exit)) facts.push([`Link ${number}`, `from ${entry.x + x - exit.x}, ${entry.y + y - exit.y}${told}`]);
    return facts;
  });
}

function direction(flow) {
  const code = flow & 15;
  if (code < 8) return `${ARROWS[code]} ${NAMES[code]}${flow & 16 ? ", goal in sight" : ""}`;
  return { 8: "the goal", 9: "waits", 10: "off the route", 11: "unreachable", 12: "none, a wall", 13: "into the link" }[code] ?? "none";
}
