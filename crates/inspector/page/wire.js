// The protocol: messages to and from the host. All are JSON but blocks and units, which are
// bytes: numbers in them are little-endian.

export const LAYER = {
  ground: 0, flow: 1, integration: 2, loaded: 3, islands: 4, portals: 5,
  graph: 6, density: 7, speed: 8, discomfort: 9, potential: 10,
};
/** The version of the protocol that this page speaks. */
export const VERSION = 13;
/** Layers that show the field of one order, the chosen one. */
export const OF_ORDER = new Set([LAYER.flow, LAYER.integration, LAYER.speed, LAYER.discomfort, LAYER.potential]);
export const BLOCK_SIDE = 100;
export const UNREACHED = 0xffffffff;
/** The cost of a wall. */
export const WALL = 255;

/** Steps in the order of the engine's directions. */
export const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0], [1, -1], [1, 1], [-1, 1], [-1, -1]];

/** The names of the layers, by number. */
const NAMES = Object.keys(LAYER);

/** A layer of the world: its number, and the team that sees it, as one number on the page. */
const onLayer = (on) => ({ number: on >> 3, team: on & 7 });
const cell = ({ x, y }) => ({ x: x | 0, y: y | 0 });
const area = ({ x, y, width, height }) => ({ ...cell({ x, y }), width: width >>> 0, height: height >>> 0 });
/** A number of a list, none for 255. */
const choice = (number) => (number === 255 ? null : number);
const ask = (request) => ({ request });

/** What a page can say. */
export const say = {
  view: (r, level, layers, order, on) => ({ view: { area: area(r), level, layers, order: order ?? null, on: onLayer(on) } }),
  forget: (blocks) => ({ forget: blocks.map(({ stage, on, layer, level, column, row }) =>
    ({ stage, on: onLayer(on), layer: NAMES[layer], level, column, row })) }),
  hover: (stage, c) => ({ hover: { stage, cell: cell(c) } }),
  why: (stage, c, order) => ask({ why: { stage, cell: cell(c), order: order ?? null } }),
  goal: (c) => ask({ goal: cell(c) }),
  source: (c) => ask({ source: cell(c) }),
  clear: () => ask("clear"),
  select: (...sides) => ask({ select: sides }),
  send: (c) => ask({ send: cell(c) }),
  drawUp: (...ends) => ask({ "draw-up": ends }),
  aim: (aim) => ask({ aim }),
  paint: (stroke, brush, amount, r) => ask({ paint: { stroke: stroke >>> 0, brush, amount, area: area(r) } }),
  stamp: (template, turns, c) => ask({ stamp: { template, turns, cell: cell(c) } }),
  undo: () => ask("undo"),
  redo: () => ask("redo"),
  pause: () => ask({ time: "pause" }),
  resume: () => ask({ time: "resume" }),
  step: () => ask({ time: "step" }),
  speed: (speed) => ask({ time: { speed } }),
  budget: (cells) => ask({ budget: cells >>> 0 }),
  newMap: (kind, width, height, seed, has_army = false) => ask({ new: { kind, width, height, seed, has_army } }),
  scene: (scene, reading, beside, seed) => ask({ scene: { scene, reading: choice(reading), beside: choice(beside), seed } }),
  place: (c, count) => ask({ place: { cell: cell(c), count: count >>> 0 } }),
  replan: () => ask("replan"),
  life: (order) => ask({ life: order }),
  click: (c) => ask({ click: cell(c) }),
  read: (reading) => ask({ read: reading }),
  strokeEnd: () => ask("stroke-end"),
  ownLayer: (on) => ask({ "own-layer": onLayer(on) }),
  march: (c) => ask({ march: cell(c) }),
  marchUp: (...ends) => ask({ "march-up": ends }),
  quality: (number) => ask({ quality: number }),
  again: () => ask("again"),
};

const BLOCK = 1, UNITS = 2, GHOSTS = 3, NO_ORDER = 0xffffffffffffffffn;

/** Reads a message of the host. */
export function read(buffer) {
  const view = new DataView(buffer), kind = view.getUint8(0);
  const u8 = (at) => view.getUint8(at), u16 = (at) => view.getUint16(at, true), u32 = (at) => view.getUint32(at, true);
  if (kind === BLOCK) {
    const order = view.getBigUint64(13, true);
    return {
      kind: "block", stage: u8(1), layer: u8(2), level: u8(3), isPlain: u8(4) === 1, column: u16(5), row: u16(7), serial: u32(9),
      order: order === NO_ORDER ? null : Number(order), on: u16(21) * 8 + u8(23), bytes: new Uint8Array(buffer, 24),
    };
  }
  if (kind === UNITS) return { kind: "units", stage: u8(1), tick: u32(2), total: u32(6), bytes: new Uint8Array(buffer, 10) };
  if (kind === GHOSTS) return { kind: "ghosts", stage: u8(1), bytes: new Uint8Array(buffer, 2) };
  return JSON.parse(new TextDecoder().decode(buffer));
}
