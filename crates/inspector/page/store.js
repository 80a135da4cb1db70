// What the page knows: stages, blocks, units, orders; and the link to the host.

import { Ghosts } from "./ghosts.js";
import { link } from "./link.js";
import { Trails } from "./trails.js";
import { read, say, LAYER, BLOCK_SIDE, VERSION } from "./wire.js";

/** Cells along a side of a sector. */
const SECTOR = 10;
/** Blocks of a stage that are kept at least; the host forgets them when the page does. */
const KEPT = 900;
/** Blocks that are let go of in one message: it may have 64 kB. */
const GONE = 400;
const NO_ROWS = new Float32Array(0);
/** Orders over time that are kept, besides those that go on. */
const LANES = 24;

export class Store extends EventTarget {
  constructor() {
    super();
    this.isStudio = false;
    this.stages = [];
    this.status = { isPaused: false, speed: 1, budget: 0, undos: 0, redos: 0, selected: 0, quality: 0, replayEnds: 0 };
    this.catalogue = { scenes: [], maps: [], readings: [], qualities: [], templates: [], brushes: [] };
    this.cell = null;
    this.why = null;
    this.life = null;
    this.isLinked = false;
    this.bytes = 0;
    this.keep = KEPT;
    /** The name of the stages that were asked for last and have not come. */
    this.asked = null;
    this.link = link({
      open: () => this.linked(true),
      close: () => this.linked(false),
      message: (data) => this.take(data),
      fault: (text) => this.changed("note", { tone: "refused", text }),
    });
  }

  linked(isLinked) {
    this.isLinked = isLinked;
    // What was asked of a host that is gone does not come.
    this.asked = null;
    this.changed("link");
  }

  say(message) { this.link.say(message); }

  /** Asks for other stages, by the name that their title begins with. */
  ask(name, message) {
    this.asked = name;
    this.say(message);
  }

  changed(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  take(data) {
    this.bytes += data.byteLength;
    this.hear(read(data));
  }

  hear(told) {
    this[`take_${told.kind}`](told);
    this.changed(told.kind, told);
  }

  take_hello({ version, isStudio, stages }) {
    if (version !== VERSION) {
      // Another program serves this address now: it has a page of its own.
      location.reload();
      return;
    }
    this.isStudio = isStudio;
    this.stages = stages.map((stage, at) => {
      const known = this.stages[at];
      if (known && known.serial === stage.serial) return Object.assign(known, stage);
      const blocks = new Map();
      return {
        // Blocks of each layer of the world that was on view; `blocks` are those of `on`.
        ...stage, blocks, shelves: new Map([[0, blocks]]), on: 0, units: emptyUnits(), ghosts: new Ghosts(), trails: new Trails(stage), orders: [], route: null, paths: [], links: [],
        figures: [], work: 0, figuredAt: 0, history: [], timeline: new Map(), tick: 0, isFresh: true,
      };
    });
    if (this.stages[0]?.isFresh && isNamed(this.stages[0], this.asked)) this.asked = null;
  }

  take_block(block) {
    const stage = this.stages[block.stage];
    if (!stage || stage.serial !== block.serial) return;
    block.stamp = performance.now();
    // After two bytes for the side, the highest bit is that of freed sectors.
    block.hasFreed = block.layer === LAYER.loaded && block.bytes.some((byte, at) => at > 2 && at % 2 === 1 && byte === 128);
    const key = blockKey(block.layer, block.level, block.column, block.row);
    const blocks = shelf(stage, block.on);
    const known = blocks.get(key);
    block.difference = difference(known, block);
    if (known) known.release?.();
    blocks.delete(key);
    blocks.set(key, block);
    if (blocksOf(stage).length > this.keep) this.thin(stage);
  }

  /** Shows a layer of the world on each stage that has it, and the ground on others; returns
   * the stages on which it is another than before. */
  show(asked) {
    const changed = this.stages.filter((stage) => stage.on !== toShow(stage, asked));
    for (const stage of changed) {
      stage.on = toShow(stage, asked);
      stage.blocks = shelf(stage, stage.on);
    }
    return changed;
  }

  /** Keeps room for what is in view, and as much again. */
  keepFor(blocks) { this.keep = Math.max(KEPT, 2 * blocks); }

  /** Lets go of blocks that were drawn longest ago. */
  thin(stage) {
    const all = blocksOf(stage).sort((a, b) => a.stamp - b.stamp);
    const gone = all.slice(0, Math.floor(this.keep / 4));
    for (const block of gone) {
      block.release?.();
      shelf(stage, block.on).delete(blockKey(block.layer, block.level, block.column, block.row));
    }
    for (let at = 0; at < gone.length; at += GONE) this.say(say.forget(gone.slice(at, at + GONE)));
  }

  take_units(units) {
    const stage = this.stages[units.stage];
    if (!stage) return;
    stage.units.take(units);
    stage.trails.take(units.tick, stage.units.now);
    stage.tick = units.tick;
  }

  take_ghosts({ stage, bytes }) { this.stages[stage]?.ghosts.take(bytes); }

  take_orders({ stage, tick, orders }) {
    const on = this.stages[stage];
    if (!on) return;
    const living = new Set(orders.map((order) => order.number));
    for (const order of orders) on.timeline.set(order.number, { ...order, end: null });
    for (const [number, order] of on.timeline) {
      if (!living.has(number) && order.end === null) order.end = tick;
    }
    const ended = [...on.timeline.values()].filter((order) => order.end !== null);
    for (const { number } of ended.slice(0, Math.max(0, on.timeline.size - LANES))) on.timeline.delete(number);
    on.orders = orders;
    on.tick = tick;
  }

  take_route(route) {
    const stage = this.stages[route.stage];
    if (stage) stage.route = route;
  }

  take_paths({ stage, paths }) {
    if (this.stages[stage]) this.stages[stage].paths = paths;
  }

  take_links({ stage, links }) {
    if (this.stages[stage]) this.stages[stage].links = links;
  }

  take_figures({ stage, values }) {
    const on = this.stages[stage];
    if (!on) return;
    on.figures = values;
    // The cells computed since orders wait; nothing is known of the time before the first figures.
    on.work = values[3] > 0 ? on.work + values[2] * (on.tick - (on.figuredAt || on.tick)) : 0;
    on.figuredAt = on.tick;
    on.history.push(values);
    if (on.history.length > 120) on.history.shift();
  }

  take_cell(cell) { this.cell = cell; }
  take_why(why) { this.why = why; }
  take_note() {}

  take_life({ order, slices }) {
    const place = ([x, y, value]) => ({ x, y, value });
    const named = ([name, value]) => [name, Array.isArray(value) ? value.map(place) : value];
    this.life = slices.length ? { order, slices: slices.map((slice) => Object.fromEntries(Object.entries(slice).map(named))) } : null;
  }

  take_status(status) { this.status = status; }

  take_catalogue(catalogue) {
    const templates = catalogue.templates.map(([name, width, height]) => ({ name, width, height }));
    const brushes = catalogue.brushes.map(({ amounts: [least, most, usual], ...brush }) => ({ ...brush, least, most, usual }));
    this.catalogue = { ...catalogue, templates, brushes };
  }

  /** The byte or the number of a cell in a layer, if it is there at level 0. */
  value(stage, layer, x, y) { return valueOf(this.stages[stage], layer, x, y); }
}

/** Whether a stage is of a scene, or a kind of map, of this name. */
export const isNamed = (stage, name) => stage?.title === name || [",", " "].some((end) => stage?.title.startsWith(name + end));

/** The blocks of a layer of the world. */
function shelf(stage, on) {
  if (!stage.shelves.has(on)) stage.shelves.set(on, new Map());
  return stage.shelves.get(on);
}

/** All blocks of a stage, of every layer of its world. */
export const blocksOf = (stage) => [...stage.shelves.values()].flatMap((blocks) => [...blocks.values()]);

/** What the host sent of a layer of a stage's world, as a team sees it: its name in blocks is that
 * of the first of the teams that see it alike. */
export const worldLayer = (stage, on) => stage?.worldLayers.find((layer) => layer.on >> 3 === on >> 3 && (layer.teams >> (on & 7)) & 1);

/** The layer to show on a stage: the one asked for, or the ground if that is not derived. */
function toShow(stage, asked) {
  const found = worldLayer(stage, asked);
  return found?.isDerived ? found.on : 0;
}

/** Whether a layer is the one on view: the same, and a team that sees all gates alike. */
export function isOn(stage, on) {
  const found = worldLayer(stage, on);
  return found !== undefined && found.on === stage.on;
}

/** The orders on the layer on view. */
export const ordersOnView = (stage) => (stage?.orders ?? []).filter(({ on }) => isOn(stage, on));

/** How many cells orders have computed, and which part of the map's sectors that is; null
 * before the host sends it. */
export function computed({ figures, width, height }) {
  const sectors = figures[5];
  if (sectors === undefined) return null;
  return { cells: sectors * SECTOR ** 2, part: sectors / (Math.ceil(width / SECTOR) * Math.ceil(height / SECTOR)) };
}

/** The byte or the number of a stage's cell in a layer, if it is there at level 0. */
export function valueOf(on, layer, x, y) {
  const column = Math.floor(x / BLOCK_SIDE), row = Math.floor(y / BLOCK_SIDE);
  const block = on?.blocks.get(blockKey(layer, 0, column, row));
  if (!block) return null;
  const dx = x - column * BLOCK_SIDE, dy = y - row * BLOCK_SIDE;
  if (layer === LAYER.ground) {
    const at = block.isPlain ? 0 : ((dy + 1) * (BLOCK_SIDE + 2) + dx + 1) * 4;
    return block.bytes[at + 1];
  }
  if (layer === LAYER.integration) {
    const at = block.isPlain ? 0 : (dy * BLOCK_SIDE + dx) * 4;
    const [a, b, c, d] = block.bytes.subarray(at, at + 4);
    return ((d << 24) | (c << 16) | (b << 8) | a) >>> 0;
  }
  return block.bytes[block.isPlain ? 0 : dy * BLOCK_SIDE + dx];
}

/** The cells in which a block shows something else than the one before it, if any:
 * with a texel around, which light and edges reach to. */
function difference(known, block) {
  const { level, layer, bytes, isPlain } = block;
  const side = BLOCK_SIDE << level, all = { x: block.column * side, y: block.row * side, width: side, height: side };
  const isSame = known && known.order === block.order && known.isPlain === isPlain && known.bytes.length === bytes.length;
  if (isSame && bytes.every((byte, at) => byte === known.bytes[at])) return null;
  if (!isSame || isPlain || layer === LAYER.portals || layer === LAYER.graph) return all;
  const head = layer === LAYER.loaded ? 2 : 0;
  const rim = layer === LAYER.loaded || layer === LAYER.ground ? 1 : 0;
  const texels = layer === LAYER.loaded ? bytes[0] + 256 * bytes[1] : BLOCK_SIDE;
  const row = texels + 2 * rim, size = (bytes.length - head) / row / row, cells = side / texels;
  let [left, top, right, bottom] = [row, row, -1, -1];
  for (let at = head; at < bytes.length; at++) {
    if (bytes[at] === known.bytes[at]) continue;
    const texel = Math.floor((at - head) / size), x = texel % row, y = Math.floor(texel / row);
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const reach = 3;
  return {
    x: all.x + (left - rim - reach) * cells, y: all.y + (top - rim - reach) * cells,
    width: (right - left + 1 + 2 * reach) * cells, height: (bottom - top + 1 + 2 * reach) * cells,
  };
}

export function blockKey(layer, level, column, row) {
  return ((layer * 16 + level) * 65536 + column) * 65536 + row;
}

/** Rows of units apart from those of sources, which are larger. */
function parted(data, states) {
  if ((states & 8) === 0) return { specks: data, sources: NO_ROWS };
  const specks = [], sources = [];
  for (let at = 0; at < data.length; at += 8) (data[at + 6] === 3 ? sources : specks).push(...data.subarray(at, at + 8));
  return { specks: new Float32Array(specks), sources: new Float32Array(sources) };
}

/** Units of two pictures, to be drawn between them. */
function emptyUnits() {
  return {
    count: 0, total: 0, now: new Map(), data: NO_ROWS, specks: NO_ROWS, sources: NO_ROWS, largest: 0, arrived: 0, states: 0, banners: [], span: 33, bytes: null,
    take({ total, bytes }) {
      const time = performance.now();
      if (this.stamp) this.span = this.span * 0.8 + Math.min(200, time - this.stamp) * 0.2;
      this.stamp = time;
      const count = bytes.byteLength / 16;
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      const before = this.now, now = new Map();
      // Eight numbers a unit: where it was, where it is, radius, banner, state, selected.
      const data = new Float32Array(count * 8);
      let arrived = 0, states = 0, largest = 0, banners = 0;
      for (let at = 0; at < count; at++) {
        const from = at * 16, to = at * 8;
        const id = view.getUint32(from, true);
        const x = view.getFloat32(from + 4, true), y = view.getFloat32(from + 8, true);
        const old = before.get(id);
        const isNear = old !== undefined && Math.abs(old.x - x) + Math.abs(old.y - y) < 4;
        data[to] = isNear ? old.x : x;
        data[to + 1] = isNear ? old.y : y;
        data[to + 2] = x;
        data[to + 3] = y;
        data[to + 4] = bytes[from + 12] / 64;
        data[to + 5] = bytes[from + 13];
        data[to + 6] = bytes[from + 14];
        data[to + 7] = bytes[from + 15];
        largest = Math.max(largest, data[to + 4]);
        // Probe units wear a colour of their own.
        if (bytes[from + 14] !== 3) banners |= 1 << (bytes[from + 13] % 8);
        if (bytes[from + 14] === 1) arrived++;
        states |= (1 << bytes[from + 14]) | (bytes[from + 15] << 4);
        now.set(id, { x, y, banner: bytes[from + 13], isProbe: bytes[from + 14] === 3 });
      }
      Object.assign(this, { count, total, now, data, arrived, states, largest, ...parted(data, states), banners: [0, 1, 2, 3, 4, 5, 6, 7].filter((banner) => (banners >> banner) & 1) });
    },
    // States: a bit for each that a unit in view has, and 16 if one is selected.
    /** How far between the two pictures it is now, 0 to 1. */
    part(time) { return this.stamp ? Math.min(1, (time - this.stamp) / this.span) : 1; },
  };
}
