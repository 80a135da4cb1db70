// Worlds, orders and armies over the C interface of flowtiles, in WebAssembly.
// What each call does is said in flowtiles.d.ts.

const ABI_VERSION = 4;
const ERRORS = [
  "ok", "null", "stale", "handle", "foreign", "argument", "off-map", "unreachable", "full", "not-found",
  "capacity", "save", "broken",
];
const QUALITIES = ["corridor", "exact", "everywhere"];
const READINGS = ["nearest", "bilinear", "lowest-of-four", "ahead", "crowd"];
const SHAPES = ["line", "wedge", "box", "column"];
const TARGETS = [
  "flock", "stand", "hold", "point", "follow", "pursue", "order", "attack", "flee", "flee-foes",
];
const EVENTS = [
  "arrived", "group-arrived", "reached", "lost", "stuck", "entered", "unreachable", "too-wide",
];
const SENDING = ["queued", "together", "attack", "formation"];
const SENT = ["group", "attack"];
const CHASE = ["range", "leash", "sight"];
const FORMATION = ["shape", "spacing"];
const SETTINGS = [
  "force", "follow", "separation", "alignment", "cohesion", "avoidance", "room", "range", "horizon",
  "catchUp", "patience", "pushes", "hardGroundSlows",
];
const MOST = 2n ** 64n - 1n;

/** The cost of a wall. */
export const WALL = 255;
/** What a sample says; below LINK its lowest three bits are a step. */
export const Sample = Object.freeze({
  GO: 0x00, LINK: 0x10, ARRIVED: 0x20, WAITING: 0x30, OFF_ROUTE: 0x40, UNREACHABLE: 0x50, WALL: 0x60,
});
/** Where the eight steps lead, as [x, y]. */
export const STEPS = Object.freeze(
  [[0, -1], [1, 0], [0, 1], [-1, 0], [1, -1], [1, 1], [-1, 1], [-1, -1]].map(Object.freeze),
);
/** What a unit is doing. */
export const State = Object.freeze({ MARCHING: 0, ARRIVED: 1, UNREACHABLE: 2, ENGAGED: 3 });

let wasm;
let ready;

export function init(source = new URL("flowtiles.wasm", import.meta.url)) {
  ready ??= start(source).catch((error) => {
    ready = undefined;
    throw error;
  });
  return ready;
}

async function start(source) {
  const made = await WebAssembly.instantiate(await program(await source), {});
  const { exports } = made.instance ?? made;
  const found = exports.flowtiles_abi_version?.();
  if (found !== ABI_VERSION) {
    throw new Error(`flowtiles.wasm has interface ${found}, not ${ABI_VERSION}: take it from the same package`);
  }
  wasm = exports;
}

async function program(source) {
  if (source instanceof WebAssembly.Module || source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (source instanceof URL && source.protocol === "file:") {
    return process.getBuiltinModule("node:fs").readFileSync(source);
  }
  const answer = source instanceof Response ? source : await fetch(source);
  if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}: serve flowtiles.wasm there, or import "flowtiles/inline"`);
  return answer.arrayBuffer();
}

export const memoryBytes = () => engine().memory.buffer.byteLength;

export class FlowtilesError extends Error {
  constructor(status, message) {
    super(message);
    this.name = "FlowtilesError";
    this.code = ERRORS[status] ?? "other";
  }
}

function engine() {
  if (!wasm) throw new Error("flowtiles is not loaded: `await init()` first");
  return wasm;
}

/** Names what the C interface does as this package does. */
const namesOf = (text) => text.replace(
  /`(?:flowtiles_(?:world|order|army)_)?([a-z_.]+)`/g,
  (_, name) => `\`${name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())}\``,
);

/** Calls a function of the engine, and throws what it refuses. */
function call(name, ...values) {
  const status = engine()[`flowtiles_${name}`](...values);
  if (status === 0) return;
  const bytes = new Uint8Array(wasm.memory.buffer);
  const at = wasm.flowtiles_last_error() >>> 0;
  throw new FlowtilesError(status, namesOf(new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at)))));
}

/** A piece of the engine's memory that grows as needed. */
class Room {
  at = 0;
  bytes = 0;

  /** Returns where this many bytes are. What they held may be gone. */
  of(bytes) {
    if (bytes > this.bytes) {
      this.free();
      const wanted = Math.max(64, bytes + (bytes >> 1));
      this.at = engine().flowtiles_alloc(wanted) >>> 0;
      if (this.at === 0) throw new RangeError(`the engine has no memory for ${wanted} bytes more`);
      this.bytes = wanted;
    }
    return this.at;
  }

  /** Copies values into it, and returns where they are. */
  put(Type, values) {
    const at = this.of(values.length * Type.BYTES_PER_ELEMENT);
    if (values.length > 0) new Type(wasm.memory.buffer, at, values.length).set(values);
    return at;
  }

  free() {
    if (this.bytes > 0) wasm.flowtiles_dealloc(this.at, this.bytes);
    this.at = this.bytes = 0;
  }
}

// What goes in: cells, bytes, structs. What comes out: a struct, and an array.
const [cellsIn, bytesIn, structIn, sendingIn, chasesIn, out, many] = Array.from({ length: 7 }, () => new Room());

const data = (at) => new DataView(engine().memory.buffer, at);

/** Makes a call that writes something small, and reads it. */
function get(bytes, read, name, ...values) {
  const at = out.of(bytes);
  call(name, ...values, at);
  return read(data(at));
}

const u32 = (view) => view.getUint32(0, true);
const u64 = (view) => view.getBigUint64(0, true);
const cell = (view) => ({ x: view.getInt32(0, true), y: view.getInt32(4, true) });

/** Makes a call that fills the array, of entries of this many bytes, again with more room if it has
 * too little; returns the number of entries. */
function fill(each, write) {
  const count = out.of(8);
  for (;;) {
    try {
      write(Math.floor(many.bytes / each), count);
      return u32(data(count));
    } catch (error) {
      if (error.code !== "capacity") throw error;
      many.of(each * u32(data(count)));
    }
  }
}

/** Makes a call that fills an array of this type, and returns a copy. */
function array(Type, name, ...values) {
  const length = fill(Type.BYTES_PER_ELEMENT, (room, count) => call(name, ...values, many.at, room, count));
  return new Type(wasm.memory.buffer, many.at, length).slice();
}

const bytes = (name, ...values) => array(Uint8Array, name, ...values);

/** Makes a call that writes a path, and returns that; null if there is none. */
function path(name, ...values) {
  let links;
  // Without room, the call would take both arrays for ones to leave out.
  many.of(12);
  const length = fill(12, (room, count) => {
    links = many.at + 8 * room;
    call(name, ...values, many.at, links, room, count);
  });
  if (length === 0) return null;
  const { buffer } = wasm.memory;
  // What is no number of a link is -1 with a sign.
  return { points: new Float32Array(buffer, many.at, 2 * length).slice(), links: new Int32Array(buffer, links, length).slice() };
}

function numberOf(what, list, name) {
  const number = list.indexOf(name);
  if (number < 0) throw new TypeError(`"${name}" is no ${what}: give one of ${list.join(", ")}`);
  return number;
}

/** Returns a whole number that fits: WebAssembly would cut off what does not, without a word. */
function whole(what, value, least = 0, most = 2 ** 32 - 1) {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const found = typeof value === "string" ? JSON.stringify(value) : String(value);
  throw new TypeError(`${what} is ${found}: give a whole number from ${least} to ${most}`);
}

/** An id of a group or an order, which C has in 64 bits. */
const id64 = (what, value) => BigInt(whole(what, value, 0, Number.MAX_SAFE_INTEGER));
const groupOf = (group) => id64("group", group);

const coordinate = (what, value) => whole(what, value, -(2 ** 31), 2 ** 31 - 1);
const spot = ({ x, y }) => [coordinate("x of a cell", x), coordinate("y of a cell", y)];
const size = (width, height) => [whole("width", width), whole("height", height)];
const rect = ({ width = 1, height = 1, ...corner }) => [...spot(corner), ...size(width, height)];
const byte = (what, value) => whole(what, value, 0, 255);

/** Puts costs: an array of bytes would cut off numbers that do not fit. */
function putCosts(costs) {
  const fit = costs instanceof Uint8Array ? costs : Array.from(costs, (cost) => byte("a cost", cost));
  return [bytesIn.put(Uint8Array, fit), fit.length];
}

export const layerForTeam = (layer, team) => whole("layer", layer) % 65536 + 65536 * whole("team", team, 0, 7);

/** Returns cells as pairs of numbers; an array of { x, y } is turned into them. */
function pairs(cells) {
  const flat = ArrayBuffer.isView(cells) ? cells : cells.flatMap(spot);
  if (flat.length % 2) throw new TypeError("cells are pairs of x and y: give an even number of values");
  return flat;
}

function putCells(cells) {
  const flat = pairs(cells);
  return [cellsIn.put(Int32Array, flat), flat.length / 2];
}

const putGoal = (goal) => putGoals([goal]);

function putGoals(goals) {
  const flats = goals.map((goal) => {
    if (goal === null || typeof goal !== "object") throw new TypeError(`a goal is ${goal}: give { x, y } or { cells }`);
    return pairs(goal.cells ?? [goal]);
  });
  let cells = bytesIn.of(4 * flats.reduce((sum, flat) => sum + flat.length, 0));
  const words = goals.flatMap(({ layer = 0, quality = "corridor", orNearest = false }, at) => {
    const flat = flats[at];
    if (flat.length > 0) new Int32Array(wasm.memory.buffer, cells, flat.length).set(flat);
    const goal = [cells, flat.length / 2, whole("layer", layer), numberOf("quality", QUALITIES, quality), orNearest ? 1 : 0];
    cells += 4 * flat.length;
    return goal;
  });
  return structIn.put(Uint32Array, words);
}

const putLine = ({ left, right }) => structIn.put(Float32Array, [left.x, left.y, right.x, right.y]);

const putRect = (area) => structIn.put(Int32Array, rect(area));
const putRects = (areas) => [structIn.put(Int32Array, areas.flatMap(rect)), areas.length];
const putSights = (seeing) => bytesIn.put(Uint32Array, seeing.map(({ sight }) => whole("sight", sight)));
const teamOf = (team) => byte("team", team);
const bitsOf = (teams) => teams.reduce((bits, team) => bits | (1 << whole("team", team, 0, 7)), 0);

const report = (view) => ({
  cells: Number(u64(view)), sectors: view.getUint32(8, true), rebuilt: view.getUint32(12, true),
  orders: view.getUint32(16, true),
});

export class World {
  #handle;
  constructor(handle) { this.#handle = handle; }
  /** The handle of the C interface. */
  get handle() { return this.#handle; }

  static open(width, height) {
    return new World(get(8, u64, "world_open", ...size(width, height)));
  }

  static fromCosts(width, height, costs) {
    return new World(get(8, u64, "world_from_costs", ...size(width, height), ...putCosts(costs)));
  }

  static load(save, cellsMax = Infinity) {
    const most = cellsMax === Infinity ? MOST : BigInt(cellsMax);
    return new World(get(8, u64, "world_load", bytesIn.put(Uint8Array, save), save.length, most));
  }

  free() { call("world_free", this.#handle); }
  fork() { return new World(get(8, u64, "world_fork", this.#handle)); }
  dropClaims() { call("world_drop_claims", this.#handle); }
  save() { return bytes("world_save", this.#handle); }
  hash() { return get(8, u64, "world_hash", this.#handle); }

  stats() {
    return get(40, (view) => {
      const names = ["width", "height", "sectors", "portals", "orders", "waiting", "tiles"];
      const counts = names.map((name, at) => [name, view.getUint32(4 * at, true)]);
      return { ...Object.fromEntries(counts), bytes: Number(view.getBigUint64(32, true)) };
    }, "world_stats", this.#handle);
  }

  tick(cells = 4000) {
    if (!(cells >= 0)) throw new RangeError(`a tick cannot have ${cells} cells of work: give 0 or more`);
    const budget = cells === Infinity ? MOST : BigInt(Math.floor(cells));
    return get(24, (view) => ({
      cells: Number(u64(view)), owed: Number(view.getBigUint64(8, true)), waiting: view.getUint32(16, true),
    }), "world_tick", this.#handle, budget);
  }

  edit(area, cost) {
    return get(24, report, "world_edit", this.#handle, ...rect(area), byte("cost", cost));
  }

  editRows(area, costs) {
    return get(24, report, "world_edit_rows", this.#handle, putRect(area), ...putCosts(costs));
  }

  editCells(cells, costs) {
    const [at, count] = putCells(cells);
    if (costs.length !== count) throw new TypeError(`${count} cells have ${costs.length} costs: give one each`);
    return get(24, report, "world_edit_cells", this.#handle, at, ...putCosts(costs));
  }

  costs(area, layer = 0) {
    return bytes("world_costs", this.#handle, whole("layer", layer), putRect(area));
  }

  addLayer({ costs = {}, size: width = 1, wallCosts = [] } = {}) {
    const at = structIn.of(261);
    call("movement_default", at);
    const movement = new Uint8Array(wasm.memory.buffer, at, 261);
    for (const [kind, cost] of Object.entries(costs)) movement[byte("kind", Number(kind))] = byte("cost", cost);
    movement[256] = byte("size", width);
    movement.set(wallCosts.slice(0, 4).map((cost) => byte("wallCosts", cost)), 257);
    return get(4, u32, "world_add_layer", this.#handle, at);
  }

  surcharge(layer, areas) {
    const [at, count] = putRects(areas.map(([area]) => area));
    const amounts = bytesIn.put(Uint8Array, areas.map(([, amount]) => byte("surcharge", amount)));
    call("world_surcharge", this.#handle, whole("layer", layer), at, amounts, count);
  }

  addLink(area, end, price) {
    return get(4, u32, "world_add_link", this.#handle, putRect(area), ...spot(end), whole("price", price));
  }

  removeLink(link) { call("world_remove_link", this.#handle, whole("link", link)); }

  stamp({ width, height, costs }, at, turn = 0) {
    const template = [...size(width, height), ...putCosts(costs)];
    return Number(get(8, u64, "world_stamp", this.#handle, ...template, ...spot(at), byte("turn", turn)));
  }

  stampPolygon(corners, { cost = WALL, rim = 0, rimCost = 1 } = {}) {
    const fine = corners.flatMap(({ x, y }) => [x, y].map((at) => Math.round(16 * at)));
    const at = bytesIn.put(Int32Array, fine.map((at) => coordinate("a corner, in sixteenths of a cell,", at)));
    const around = [byte("cost", cost), whole("rim, in sixteenths of a cell,", Math.round(16 * rim)), byte("rimCost", rimCost)];
    return Number(get(8, u64, "world_stamp_polygon", this.#handle, at, corners.length, ...around));
  }

  unstamp(stamp) { return get(24, report, "world_unstamp", this.#handle, id64("stamp", stamp)); }

  addGate(area, teams) { return Number(get(8, u64, "world_add_gate", this.#handle, putRect(area), bitsOf(teams))); }
  setGate(gate, teams) { return get(24, report, "world_set_gate", this.#handle, id64("gate", gate), bitsOf(teams)); }
  removeGate(gate) { return get(24, report, "world_remove_gate", this.#handle, id64("gate", gate)); }

  addFog(team) { call("world_add_fog", this.#handle, teamOf(team)); }
  removeFog(team) { return get(24, report, "world_remove_fog", this.#handle, teamOf(team)); }

  reveal(team, areas) {
    return get(24, report, "world_reveal", this.#handle, teamOf(team), ...putRects(areas));
  }

  revealAround(team, eyes) {
    const [at, count] = putCells(eyes);
    return get(24, report, "world_reveal_around", this.#handle, teamOf(team), at, putSights(eyes), count);
  }

  forget(team, areas, cost = 1) {
    return get(24, report, "world_forget", this.#handle, teamOf(team), ...putRects(areas), byte("cost", cost));
  }

  setOpaque(kinds) {
    const at = bytesIn.put(Uint8Array, Array.from(kinds, (kind) => byte("kind", kind)));
    call("world_set_opaque", this.#handle, at, kinds.length);
  }

  known(team, area) {
    return orNothing(() => bytes("world_known_rows", this.#handle, teamOf(team), putRect(area)), "not-found");
  }

  reachable(from, to, layer = 0) {
    return get(4, u32, "world_reachable", this.#handle, whole("layer", layer), ...spot(from), ...spot(to)) === 1;
  }

  travelCost(from, to, layer = 0) {
    return orNothing(() => Number(get(8, u64, "world_travel_cost", this.#handle, whole("layer", layer), ...spot(from), ...spot(to))));
  }

  nearestReachable(from, goal, layer = 0) {
    return orNothing(() => get(8, cell, "world_nearest_reachable", this.#handle, whole("layer", layer), ...spot(from), ...spot(goal)));
  }

  isFree(area, layer = 0) {
    return get(4, u32, "world_is_free", this.#handle, whole("layer", layer), putRect(area)) === 1;
  }

  nearestFree(from, size, layer = 0) {
    return orNothing(() => get(8, cell, "world_nearest_free", this.#handle, whole("layer", layer), ...spot(from), whole("size", size)));
  }

  order(goal, units = []) {
    return new Order(get(8, u64, "order_new", this.#handle, putGoal(goal), ...putCells(units)));
  }

  orderByNumber(number) {
    return new Order(get(8, u64, "order_by_number", this.#handle, BigInt(number)));
  }

  army(settings) { return new Army(newArmy(this.#handle, settings)); }
  loadArmy(save) {
    return new Army(get(8, u64, "army_load", this.#handle, bytesIn.put(Uint8Array, save), save.length));
  }
}

/** Returns what a question finds, or null where there is nothing to be found. */
function orNothing(question, code = "unreachable") {
  try {
    return question();
  } catch (error) {
    if (error.code === code) return null;
    throw error;
  }
}

export class Order {
  #handle;
  constructor(handle) { this.#handle = handle; }
  /** The handle of the C interface. */
  get handle() { return this.#handle; }

  free() { call("order_free", this.#handle); }
  get number() { return Number(get(8, u64, "order_number", this.#handle)); }
  aim(goal, units = []) { call("order_aim", this.#handle, putGoal(goal), ...putCells(units)); }
  cover(cells) { call("order_cover", this.#handle, ...putCells(cells)); }

  sample(x, y) {
    return get(1, (view) => view.getUint8(0), "order_sample_many", this.#handle, ...putCells([{ x, y }]));
  }

  sampleMany(cells) { return this.#bytes("order_sample_many", cells); }
  seeGoal(cells) { return this.#bytes("order_see_goal", cells); }

  #bytes(name, cells) {
    const [at, count] = putCells(cells);
    const bytes = many.of(count);
    call(name, this.#handle, at, count, bytes);
    return new Uint8Array(wasm.memory.buffer, bytes, count).slice();
  }

  costsToGo(cells) {
    const [at, count] = putCells(cells);
    const costs = many.of(8 * count);
    call("order_costs_to_go", this.#handle, at, count, costs);
    return Float64Array.from(new BigUint64Array(wasm.memory.buffer, costs, count), (cost) => cost === MOST ? Infinity : Number(cost));
  }

  sampleRows(area) { return array(Uint8Array, "order_sample_rows", this.#handle, putRect(area)); }
  costToGoRows(area) { return array(Uint32Array, "order_cost_to_go_rows", this.#handle, putRect(area)); }

  path(x, y) { return path("order_path", this.#handle, ...spot({ x, y })); }
  linkExit(x, y) { return get(8, cell, "order_link_exit", this.#handle, ...spot({ x, y })); }
}

function newArmy(world, settings) {
  if (!settings) return get(8, u64, "army_new", world, 0);
  const at = structIn.of(52);
  call("settings_default", at);
  const view = data(at);
  for (const [name, value] of Object.entries(settings)) {
    const place = 4 * numberOf("setting", SETTINGS, name);
    if (place < 44) view.setFloat32(place, value, true);
    else view.setUint32(place, whole(name, Number(value)), true);
  }
  return get(8, u64, "army_new", world, at);
}

function putTarget({ kind, order, ...values }) {
  const at = structIn.of(40);
  call("target_default", at);
  const view = data(at);
  if (order) view.setBigUint64(0, order.handle, true);
  view.setUint32(8, numberOf("target", TARGETS, kind), true);
  if (values.unit !== undefined) view.setUint32(12, whole("unit", values.unit), true);
  for (const [place, name] of ["x", "y", "range", "leash", "sight", "safe"].entries()) {
    if (values[name] !== undefined) view.setFloat32(16 + 4 * place, values[name], true);
  }
  return at;
}

function putUnits(units) {
  const at = bytesIn.of(32 * units.length);
  const view = data(at);
  for (const [index, { id, group, x, y, radius = 0.3, speed = 4 }] of units.entries()) {
    const unit = 32 * index;
    view.setBigUint64(unit, groupOf(group), true);
    view.setUint32(unit + 8, whole("id", id), true);
    for (const [place, value] of [x, y, radius, speed].entries()) view.setFloat32(unit + 12 + 4 * place, value, true);
  }
  return [at, units.length];
}

const check = (words, what, known) => Object.keys(words).forEach((word) => numberOf(what, known, word));

/** Puts groups, which are numbers or have a chase of their own. */
function putGroups(groups) {
  groups.forEach((sent) => check(sent, "word on a group that is sent", SENT));
  const numbers = groups.map((sent) => groupOf(sent?.group ?? sent));
  return [many.put(BigUint64Array, numbers), numbers.length];
}

/** Puts how groups are sent, and the chases of those that have their own. */
function putSending(how, groups) {
  check(how, "word on how groups are sent", SENDING);
  const { queued = false, together = false, attack = false, formation } = how;
  check(formation ?? {}, "word on a formation", FORMATION);
  const [at, chases] = [sendingIn.of(40), chasesIn.of(16 * groups.length)];
  call("sending_default", at);
  const view = data(at);
  const set = (place, value) => view.setUint32(place, value ? 1 : 0, true);
  set(0, queued);
  set(4, together);
  const plain = CHASE.map((_, place) => view.getFloat32(12 + 4 * place, true));
  putChase(view, 8, attack, plain);
  for (const [index, sent] of groups.entries()) {
    putChase(data(chases + 16 * index), 0, sent.attack ?? false, plain);
  }
  view.setUint32(36, chases, true);
  if (formation) {
    set(24, true);
    view.setUint32(28, numberOf("shape", SHAPES, formation.shape), true);
    view.setFloat32(32, formation.spacing ?? 1, true);
  }
  return at;
}

function putChase(view, at, attack, plain) {
  check(attack, "word on an attack", CHASE);
  view.setUint32(at, attack ? 1 : 0, true);
  for (const [place, name] of CHASE.entries()) view.setFloat32(at + 4 + 4 * place, attack[name] ?? plain[place], true);
}

export class Army {
  #handle;
  #rooms = { ids: new Room(), positions: new Room(), velocities: new Room(), states: new Room() };
  constructor(handle) { this.#handle = handle; }
  /** The handle of the C interface. */
  get handle() { return this.#handle; }

  free() {
    call("army_free", this.#handle);
    for (const room of Object.values(this.#rooms)) room.free();
  }

  fork(world) { return new Army(get(8, u64, "army_fork", this.#handle, world.handle)); }
  save() { return bytes("army_save", this.#handle); }
  hash() { return get(8, u64, "army_hash", this.#handle); }

  addGroup(reading = "ahead") {
    return Number(get(8, u64, "army_add_group", this.#handle, numberOf("reading", READINGS, reading)));
  }

  get groups() { return Array.from(array(BigUint64Array, "army_groups", this.#handle), Number); }
  putOutOfWalls() { return get(4, u32, "army_put_out_of_walls", this.#handle); }

  removeGroup(group) { call("army_remove_group", this.#handle, groupOf(group)); }

  addUnits(units) {
    call("army_add_units", this.#handle, ...putUnits(units));
  }

  hasRoom(units) {
    const [at, count] = putUnits(units.map((unit) => ({ ...unit, id: 0 })));
    const rooms = many.of(count);
    call("army_has_room", this.#handle, at, count, rooms);
    return Array.from(new Uint8Array(wasm.memory.buffer, rooms, count), (room) => room === 1);
  }

  removeUnits(ids) {
    // It may be a view of the engine's memory, which is stale once that grows.
    ids = ids.slice();
    return get(4, u32, "army_remove_units", this.#handle, bytesIn.put(Uint32Array, ids), ids.length);
  }

  setPosition(unit, x, y) { call("army_set_position", this.#handle, whole("unit", unit), x, y); }
  setTeam(group, team) { call("army_set_team", this.#handle, groupOf(group), teamOf(team)); }
  setLayer(group, layer) { call("army_set_layer", this.#handle, groupOf(group), whole("layer", layer)); }
  setRank(group, rank) { call("army_set_rank", this.#handle, groupOf(group), byte("rank", rank)); }
  setGroup(unit, group) { call("army_set_group", this.#handle, whole("unit", unit), groupOf(group)); }

  order(group, goal) {
    return new Order(get(8, u64, "army_order", this.#handle, groupOf(group), putGoal(goal)));
  }

  march(group, goal) { call("army_order", this.#handle, groupOf(group), putGoal(goal), 0); }
  send(group, target) { call("army_send", this.#handle, groupOf(group), putTarget(target)); }
  queue(group, target) { call("army_queue", this.#handle, groupOf(group), putTarget(target)); }

  sendAll(groups, goal, how = {}) {
    call("army_send_all", this.#handle, ...putGroups(groups), putGoal(goal), putSending(how, groups));
  }

  patrolAll(groups, goals, how = {}) {
    call("army_patrol_all", this.#handle, ...putGroups(groups), putGoals(goals), goals.length, putSending(how, groups));
  }

  drawUp(groups, line, how = {}) {
    call("army_draw_up", this.#handle, ...putGroups(groups), putLine(line), putSending(how, groups));
  }

  ghosts(groups, to) {
    const room = this.count;
    const [ids, places] = [this.#rooms.ids.of(4 * room), this.#rooms.positions.of(8 * room)];
    const [x, y, line] = to.left ? [0, 0, putLine(to)] : [...spot(to), 0];
    const count = get(4, u32, "army_ghosts", this.#handle, ...putGroups(groups), x, y, line, ids, places, room);
    return {
      ids: new Uint32Array(wasm.memory.buffer, ids, count).slice(),
      places: new Float32Array(wasm.memory.buffer, places, 2 * count).slice(),
    };
  }

  form(group, shape, spacing = 1) {
    call("army_form", this.#handle, groupOf(group), numberOf("shape", SHAPES, shape), spacing);
  }

  disband(group) { call("army_disband", this.#handle, groupOf(group)); }

  setManner(group, { team = 0, foes = [], reading = "ahead", together = false }) {
    call("army_set_manner", this.#handle, groupOf(group), teamOf(team), bitsOf(foes), numberOf("reading", READINGS, reading), together ? 1 : 0);
  }

  look(sight, groups = []) {
    const at = many.put(BigUint64Array, groups.map(({ group }) => groupOf(group)));
    return get(4, u32, "army_look", this.#handle, whole("sight", sight), at, putSights(groups), groups.length);
  }

  step(seconds = 0.05) { call("army_step", this.#handle, seconds); }
  setJamCosts(layer, costs) {
    if (costs.length !== 4) throw new TypeError(`${costs.length} costs of jams are given: give one for each of 4 levels`);
    const at = bytesIn.put(Uint8Array, costs.map((cost) => byte("cost of a jam", cost)));
    call("army_set_jam_costs", this.#handle, whole("layer", layer), at);
  }

  noteJams() { call("army_note_jams", this.#handle); }
  get isSettled() { return get(4, u32, "army_is_settled", this.#handle) === 1; }
  get count() { return get(4, u32, "army_read", this.#handle, 0, 0, 0, 0, 0); }

  get ids() { return this.#read("ids", Uint32Array, 1); }
  get positions() { return this.#read("positions", Float32Array, 2); }
  get velocities() { return this.#read("velocities", Float32Array, 2); }
  get states() { return this.#read("states", Uint8Array, 1); }

  #read(name, Type, each) {
    const count = this.count;
    const at = this.#rooms[name].of(count * each * Type.BYTES_PER_ELEMENT);
    const places = Object.keys(this.#rooms).map((other) => other === name ? at : 0);
    get(4, u32, "army_read", this.#handle, ...places, count);
    return new Type(wasm.memory.buffer, at, count * each);
  }

  nearestFoe(unit, within) {
    const [foe] = this.nearestFoes([unit], within);
    return foe === unit ? null : foe;
  }

  nearestFoes(ids, within) {
    // It may be a view of the engine's memory, which is stale once that grows.
    ids = Uint32Array.from(ids, (id) => whole("unit", id));
    const foes = many.of(4 * ids.length);
    call("army_nearest_foes", this.#handle, bytesIn.put(Uint32Array, ids), ids.length, within, foes);
    return new Uint32Array(wasm.memory.buffer, foes, ids.length).slice();
  }

  stopOf(unit) {
    const [x, y] = this.stopsOf([unit]);
    return Number.isNaN(x) ? null : { x, y };
  }

  stopsOf(ids) {
    // It may be a view of the engine's memory, which is stale once that grows.
    ids = Uint32Array.from(ids, (id) => whole("unit", id));
    const stops = many.of(8 * ids.length);
    call("army_stops_of", this.#handle, bytesIn.put(Uint32Array, ids), ids.length, stops);
    return new Float32Array(wasm.memory.buffer, stops, 2 * ids.length).slice();
  }

  path(unit) { return path("army_path", this.#handle, whole("unit", unit)); }

  events() {
    const length = fill(24, (room, count) => call("army_events", this.#handle, many.at, room, count));
    return Array.from({ length }, (_, index) => {
      const view = data(many.at + 24 * index);
      return {
        kind: EVENTS[view.getUint32(8, true)] ?? "other", group: Number(u64(view)), unit: view.getUint32(12, true),
        value: view.getUint32(16, true),
      };
    });
  }
}
