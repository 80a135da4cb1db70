// Portals, the graph and paths as lines: eight numbers each, ends and tint.

import { BANNERS } from "./banners.js";
import { BLOCK_SIDE } from "./wire.js";

/** Lines of a path that are left out together when they are out of view. */
const CHUNK = 24;
/** Pixels a cell from which on each edge of the graph is drawn. */
export const EDGES = 4;
/** Pixels a cell from which on all portals are drawn, and not those of the route alone. */
export const PORTALS = 2;
/** The colour of portals. */
export const PORTAL = "#5cedf5";

/** Windows as lines on their borders. */
export function portalLines(block) {
  const view = new DataView(block.bytes.buffer, block.bytes.byteOffset, block.bytes.byteLength);
  const count = view.byteLength / 10;
  const light = new Float32Array(count * 8), dark = new Float32Array(count * 8);
  for (let at = 0; at < count; at++) {
    const from = at * 10;
    const x = view.getUint16(from, true), y = view.getUint16(from + 2, true);
    const length = view.getUint8(from + 4), stands = view.getUint8(from + 5) === 1;
    const inset = Math.max(0.3, length * 0.14);
    const ends = stands ? [x + 1, y + inset, x + 1, y + length - inset] : [x + inset, y + 1, x + length - inset, y + 1];
    light.set([...ends, 0.36, 0.93, 0.96, 1], at * 8);
    dark.set([...ends, 0.02, 0.1, 0.14, 0.75], at * 8);
  }
  return { light, dark };
}

/** Colours of the graph: of its nodes and edges, of those of the route, of what is around. */
const GRAPH = [1, 0.97, 0.84], ROUTE = [1, 0.55, 0.18], INK = [0.02, 0.1, 0.14];
/** How strong an edge is that is neither at the pointer nor on the route. */
const FAINT = 0.2;

/** A block's nodes and edges, in cells of the map: four numbers each, both its ends. */
function graphOf(block) {
  if (block.graph) return block.graph;
  const view = new DataView(block.bytes.buffer, block.bytes.byteOffset, block.bytes.byteLength);
  const side = BLOCK_SIDE << block.level, left = block.column * side, top = block.row * side;
  const nodes = [], edges = [];
  for (let from = 0; from < view.byteLength; from += 12) {
    const ax = view.getInt16(from, true), ay = view.getInt16(from + 2, true), bx = view.getInt16(from + 4, true), by = view.getInt16(from + 6, true);
    (ax === bx && ay === by ? nodes : edges).push(left + ax, top + ay, left + bx, top + by);
  }
  return (block.graph = { nodes: new Int32Array(nodes), edges: new Int32Array(edges) });
}

/** Lines between the middles of cells, four numbers each, in one tint. */
function tinted(ends, ...tint) {
  const rows = new Float32Array(ends.length * 2);
  for (let at = 0; at < ends.length; at += 4) {
    for (let n = 0; n < 4; n++) rows[at * 2 + n] = ends[at + n] + 0.5;
    rows.set(tint, at * 2 + 4);
  }
  return rows;
}

/** Edges as faint lines, and nodes as dots: lines from a place to itself. */
export function graphLines(block) {
  const { nodes, edges } = graphOf(block);
  return { light: tinted(edges, ...GRAPH, FAINT), nodes: tinted(nodes, ...GRAPH, 1), dark: tinted(nodes, ...INK, 0.75) };
}

/** Adds a block's part to what is counted in squares of the map: portals, with the sum of
 * their places, and edges from square to square. */
function countIn(squares, bundles, block, side) {
  const { nodes, edges } = graphOf(block);
  const keyOf = (x, y) => Math.floor(y / side) * 65536 + Math.floor(x / side);
  for (let at = 0; at < nodes.length; at += 4) {
    const key = keyOf(nodes[at], nodes[at + 1]), square = squares.get(key) ?? { x: 0, y: 0, count: 0 };
    square.x += nodes[at];
    square.y += nodes[at + 1];
    square.count++;
    squares.set(key, square);
  }
  for (let at = 0; at < edges.length; at += 4) {
    const a = keyOf(edges[at], edges[at + 1]), b = keyOf(edges[at + 2], edges[at + 3]);
    if (a === b) continue;
    const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
    bundles.set(key, (bundles.get(key) ?? 0) + 1);
  }
}

/** The graph from afar: portals in squares of the map as one dot, the edges between two
 * squares as one line, the stronger the more they are. */
export function graphFromAfar(blocks, side) {
  const squares = new Map(), bundles = new Map();
  for (const block of blocks) countIn(squares, bundles, block, side);
  const middle = ({ x, y, count }) => [x / count, y / count];
  const most = Math.max(1, ...bundles.values());
  const under = [], light = [];
  for (const [key, count] of bundles) {
    const ends = [squares.get(Math.floor(key / 2 ** 26)), squares.get(key % 2 ** 26)];
    // A square whose block is not here yet has no middle.
    if (!ends[0] || !ends[1]) continue;
    const strength = 0.3 + 0.7 * Math.sqrt(count / most), line = [...middle(ends[0]), ...middle(ends[1])];
    under.push(...tinted(line, ...INK, 0.6 * strength));
    light.push(...tinted(line, ...GRAPH, strength));
  }
  const dots = [...squares.values()].flatMap((square) => [...middle(square), ...middle(square)]);
  return {
    under: new Float32Array(under), light: new Float32Array(light),
    nodes: tinted(dots, ...GRAPH, 1), dark: tinted(dots, ...INK, 0.75),
  };
}

/** The edges that are strong: those of the route, and through the sector at the pointer. */
export function strongLines(blocks, route, sector) {
  const key = (x, y) => x * 65536 + y, onRoute = new Set((route?.crossings ?? []).map(({ x, y }) => key(x, y)));
  const ofRoute = [], ofSector = [];
  for (const block of blocks) {
    const { edges } = graphOf(block);
    for (let at = 0; at < edges.length; at += 4) {
      const ends = edges.subarray(at, at + 4), [ax, ay, bx, by] = ends;
      if (onRoute.has(key(ax, ay)) && onRoute.has(key(bx, by))) ofRoute.push(...ends);
      else if (sector && touches(sector, ax, ay) && touches(sector, bx, by)) ofSector.push(...ends);
    }
  }
  return {
    dark: tinted([...ofSector, ...ofRoute], ...INK, 0.6),
    light: new Float32Array([...tinted(ofSector, ...GRAPH, 1), ...tinted(ofRoute, ...ROUTE, 1)]),
  };
}

/** Whether a portal lies at a sector: its cell is in it, or across its upper or left border. */
const touches = (sector, x, y) => {
  const dx = x - sector.x * 10, dy = y - sector.y * 10;
  return dx >= -1 && dy >= -1 && dx < 10 && dy < 10 && (dx >= 0 || dy >= 0);
};

/** The colour around the lines of paths. */
const SHADE = [0.06, 0.06, 0.09, 0.5];

/** Paths as lines that stay within some cells of them, in chunks that know their place. */
export function pathLines(stage, slack) {
  const all = stage.paths.map(({ banner, points, thin }) => ({ tint: [...BANNERS[banner % 8], 1], points: straightened(points, slack), thin }));
  const count = all.reduce((sum, { points }) => sum + Math.max(0, points.length - 1), 0);
  const light = new Float32Array(count * 8), dark = new Float32Array(count * 8), chunks = [];
  let from = 0;
  for (const { tint, points, thin } of all) {
    let chunk = null;
    for (let at = 1; at < points.length; at++, from++) {
      const a = points[at - 1], b = points[at];
      if (at % CHUNK === 1) chunks.push(chunk = { from, count: 0, thin, x: a[0], y: a[1], width: 0, height: 0 });
      chunk.count++;
      widen(chunk, a);
      widen(chunk, b);
      for (const [lines, colour] of [[light, tint], [dark, SHADE]]) lines.set([...a, ...b, ...colour], from * 8);
    }
  }
  return { light, dark, chunks };
}

/** Makes an area hold a point. */
function widen(area, [x, y]) {
  const right = Math.max(area.x + area.width, x), down = Math.max(area.y + area.height, y);
  area.x = Math.min(area.x, x);
  area.y = Math.min(area.y, y);
  area.width = right - area.x;
  area.height = down - area.y;
}

/** The points of a path that keep it within some cells of all of them. They are chosen from
 * the goal on: lines stay as they are while the unit walks. */
function straightened(points, slack) {
  if (slack === 0 || points.length === 0) return points;
  let last = points.at(-1), line;
  const kept = [last];
  for (let at = points.length - 2; at >= 0; at--) {
    const on = through(kept.at(-1), points[at], slack, line);
    if (!on) kept.push(last);
    line = on ?? through(last, points[at], slack);
    last = points[at];
  }
  kept.push(last);
  return kept;
}

/** The lines from a point that pass another within some cells, of those that pass the points
 * before it so: between which angles they lie, and how far they reach. Null if there is none. */
function through(from, to, slack, line) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]], far = Math.hypot(dx, dy), angle = Math.atan2(dy, dx);
  const { ahead, low, high, reach } = line ?? { ahead: angle, low: -Infinity, high: Infinity, reach: 0 };
  const turn = Math.atan2(Math.sin(angle - ahead), Math.cos(angle - ahead));
  if (turn < low || turn > high || far < reach) return null;
  const play = far > slack ? Math.asin(slack / far) : Math.PI;
  return { ahead, low: Math.max(low, turn - play), high: Math.min(high, turn + play), reach: far };
}
