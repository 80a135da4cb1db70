// The protocol: messages to and from the host. Numbers are little-endian.

export const LAYER = {
  ground: 0, flow: 1, integration: 2, loaded: 3, islands: 4, portals: 5,
  graph: 6, density: 7, speed: 8, discomfort: 9, potential: 10,
};
/** The version of the protocol that this page speaks. */
export const VERSION = 8;
/** Layers that show the field of one order, the chosen one. */
export const OF_ORDER = new Set([LAYER.flow, LAYER.integration, LAYER.speed, LAYER.discomfort, LAYER.potential]);
export const BLOCK_SIDE = 100;
export const UNREACHED = 0xffffffff;
/** The tick of what has not come yet. */
export const NEVER = 0xffffffff;
/** The cost of a wall. */
export const WALL = 255;
export const NONE = 0xffffffffffffffffn;

/** Steps in the order of the engine's directions. */
export const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0], [1, -1], [1, 1], [-1, 1], [-1, -1]];

/** Writes a message: a kind, then numbers by their types. */
export function message(kind, ...parts) {
  const sizes = { u8: 1, u16: 2, u32: 4, i32: 4, f32: 4, u64: 8 };
  let length = 1;
  for (const [type] of parts) length += sizes[type];
  const view = new DataView(new ArrayBuffer(length));
  view.setUint8(0, kind);
  let at = 1;
  for (const [type, value] of parts) {
    if (type === "u8") view.setUint8(at, value);
    else if (type === "u16") view.setUint16(at, value, true);
    else if (type === "u32") view.setUint32(at, value, true);
    else if (type === "i32") view.setInt32(at, value, true);
    else if (type === "f32") view.setFloat32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += sizes[type];
  }
  return view.buffer;
}

/** A layer of the world: its number, and the team that sees it, as one number. */
const onLayer = (on) => [["u16", on >> 3], ["u8", on & 7]];
const cell = (c) => [["i32", c.x], ["i32", c.y]];
const area = (r) => [["i32", r.x], ["i32", r.y], ["u32", r.width], ["u32", r.height]];

/** What a page can say. */
export const say = {
  view: (r, level, layers, order, on) =>
    message(1, ...area(r), ["u8", level], ["u32", layers], ["u64", order ?? NONE], ...onLayer(on)),
  forget: (keys) => message(2, ["u16", keys.length], ...keys.flatMap((k) => [
    ["u8", k.stage], ["u8", k.layer], ["u8", k.level], ["u16", k.column], ["u16", k.row], ...onLayer(k.on)])),
  hover: (stage, c) => message(3, ["u8", stage], ...cell(c)),
  why: (stage, c, order) => message(4, ["u8", stage], ...cell(c), ["u64", order ?? NONE]),
  goal: (c) => message(5, ...cell(c)),
  source: (c) => message(6, ...cell(c)),
  clear: () => message(7),
  select: (l, t, r, b) => message(8, ["f32", l], ["f32", t], ["f32", r], ["f32", b]),
  send: (c) => message(9, ...cell(c)),
  paint: (stroke, brush, amount, r) => message(10, ["u32", stroke], ["u8", brush], ["u8", amount], ...area(r)),
  stamp: (template, turns, c) => message(11, ["u8", template], ["u8", turns], ...cell(c)),
  undo: () => message(12),
  redo: () => message(13),
  pause: () => message(14, ["u8", 0], ["f32", 1]),
  resume: () => message(14, ["u8", 1], ["f32", 1]),
  step: () => message(14, ["u8", 2], ["f32", 1]),
  speed: (value) => message(14, ["u8", 3], ["f32", value]),
  budget: (cells) => message(15, ["u32", cells]),
  newMap: (kind, width, height, seed, hasArmy = false) =>
    message(16, ["u8", kind], ["u32", width], ["u32", height], ["u64", seed], ["u8", Number(hasArmy)]),
  scene: (number, reading, beside, seed) =>
    message(17, ["u8", number], ["u8", reading], ["u8", beside], ["u64", seed]),
  place: (c, count) => message(18, ...cell(c), ["u32", count]),
  replan: () => message(19),
  life: (order) => message(20, ["u64", order]),
  click: (c) => message(21, ...cell(c)),
  read: (reading) => message(22, ["u8", reading]),
  strokeEnd: () => message(23),
  ownLayer: (on) => message(24, ...onLayer(on)),
  march: (c) => message(25, ...cell(c)),
  quality: (number) => message(26, ["u8", number]),
  again: () => message(27),
};

class Reader {
  constructor(buffer) {
    this.view = new DataView(buffer);
    this.at = 0;
  }
  get left() { return this.view.byteLength - this.at; }
  u8() { return this.view.getUint8(this.at++); }
  u16() { const v = this.view.getUint16(this.at, true); this.at += 2; return v; }
  i16() { const v = this.view.getInt16(this.at, true); this.at += 2; return v; }
  u32() { const v = this.view.getUint32(this.at, true); this.at += 4; return v; }
  i32() { const v = this.view.getInt32(this.at, true); this.at += 4; return v; }
  f32() { const v = this.view.getFloat32(this.at, true); this.at += 4; return v; }
  /** A layer of the world, as `onLayer` writes it. */
  on() { const number = this.u16(); return number * 8 + this.u8(); }
  f64() { const v = this.view.getFloat64(this.at, true); this.at += 8; return v; }
  u64() { const v = this.view.getBigUint64(this.at, true); this.at += 8; return v; }
  text() {
    const length = this.u16();
    return new TextDecoder().decode(this.bytes(length));
  }
  bytes(length) {
    const bytes = new Uint8Array(this.view.buffer, this.at, length);
    this.at += length;
    return bytes;
  }
  rest() { return new Uint8Array(this.view.buffer, this.at); }
  list(count, read) { return Array.from({ length: count }, () => read(this)); }
}

const readers = {
  1: (r) => ({
    kind: "hello", version: r.u8(), isStudio: r.u8() === 1,
    stages: r.list(r.u8(), () => ({
      serial: r.u32(), width: r.u32(), height: r.u32(), layers: r.u32(), title: r.text(),
      worldLayers: r.list(r.u16(), () => ({ number: r.u16(), teams: r.u8(), isDerived: r.u8() === 1, name: r.text() })),
    })),
  }),
  2: (r) => ({
    kind: "block", stage: r.u8(), layer: r.u8(), level: r.u8(), isPlain: r.u8() === 1,
    column: r.u16(), row: r.u16(), serial: r.u32(), order: r.u64(), on: r.on(), bytes: r.rest(),
  }),
  3: (r) => ({ kind: "units", stage: r.u8(), tick: r.u32(), total: r.u32(), bytes: r.rest() }),
  4: (r) => ({
    kind: "orders", stage: r.u8(), tick: r.u32(),
    orders: r.list(r.u16(), () => ({
      number: r.u64(), banner: r.u8(), bit: r.u16(), goal: { x: r.i32(), y: r.i32() },
      units: r.u32(), cutOff: r.u32(), hasStream: r.u8() === 1, potential: r.f32(), loaded: r.u32(), given: r.u32(), ready: r.u32(), farthest: r.u32(), on: r.on(),
    })),
  }),
  5: (r) => {
    const route = { kind: "route", stage: r.u8(), order: r.u64(), crossings: [] };
    while (r.left > 0) {
      route.crossings.push({
        number: r.u32(), x: r.u16(), y: r.u16(), window: { x: r.u16(), y: r.u16(), length: r.u8(), stands: r.u8() === 1 },
      });
    }
    return route;
  },
  6: (r) => {
    const paths = { kind: "paths", stage: r.u8(), paths: [] };
    while (r.left > 0) {
      const banner = r.u8();
      paths.paths.push({ banner, cells: r.list(r.u32(), () => ({ x: r.u16(), y: r.u16() })) });
    }
    return paths;
  },
  7: (r) => {
    const figures = { kind: "figures", stage: r.u8(), values: [] };
    while (r.left > 0) figures.values.push(r.f64());
    return figures;
  },
  8: (r) => ({
    kind: "cell", stage: r.u8(), x: r.i32(), y: r.i32(), on: r.on(), cost: r.u8(), ground: r.u8(),
    flow: r.u8(), isLoaded: r.u8() === 1, island: r.u32(), isMainland: r.u8() === 1, portals: r.u8(), toGo: r.u64(),
    crowd: { density: r.f32(), speed: r.f32(), discomfort: r.f32(), potential: r.f32() },
  }),
  9: (r) => ({ kind: "why", stage: r.u8(), x: r.i32(), y: r.i32(), text: r.text() }),
  10: (r) => ({ kind: "note", tone: r.u8(), text: r.text() }),
  11: (r) => ({
    kind: "life", order: r.u64(),
    slices: r.list(r.u32(), () => ({
      cells: r.u64(), stage: r.u8(),
      ...Object.fromEntries(["taken", "frontier", "aside", "loaded", "settled", "waiting", "served", "freed"].map((name) =>
        [name, r.list(r.u32(), () => ({ x: r.u16(), y: r.u16() }))])),
      flow: r.list(r.u32(), () => ({ x: r.u16(), y: r.u16(), direction: r.u16() })),
      sight: r.list(r.u32(), () => ({ x: r.u16(), y: r.u16(), cells: r.u16() })),
    })),
  }),
  12: (r) => ({
    kind: "status", isPaused: r.u8() === 1, speed: r.f32(), budget: r.u32(),
    undos: r.u32(), redos: r.u32(), selected: r.u32(), takesClicks: r.u8() === 1, quality: r.u8(), replayEnds: r.u32(),
  }),
  13: (r) => ({
    kind: "catalogue",
    scenes: r.list(r.u8(), () => ({ name: r.text(), about: r.text(), group: r.text(), picture: r.bytes(r.u16()) })),
    maps: r.list(r.u8(), () => r.text()),
    readings: r.list(r.u8(), () => r.text()),
    qualities: r.list(r.u8(), () => r.text()),
    templates: r.list(r.u8(), () => ({ name: r.text(), width: r.u8(), height: r.u8() })),
    brushes: r.list(r.u8(), () => ({
      group: r.text(), name: r.text(), hint: r.text(), least: r.u8(), most: r.u8(), usual: r.u8(), layer: r.u8(),
    })),
  }),
  14: (r) => {
    const links = { kind: "links", stage: r.u8(), links: [] };
    while (r.left > 0) {
      links.links.push({
        number: r.u32(), price: r.u32(), entry: { x: r.u16(), y: r.u16() }, exit: { x: r.u16(), y: r.u16() },
        width: r.u8(), height: r.u8(), isOnAll: r.u8() === 1,
      });
    }
    return links;
  },
};

/** Reads a message of the host. */
export function read(buffer) {
  const reader = new Reader(buffer);
  const kind = readers[reader.u8()];
  if (!kind) throw new Error("a message of an unknown kind");
  return kind(reader);
}
