// Portals, the graph and paths as lines: eight numbers each, ends and tint.

import { BANNERS } from "./banners.js";
import { BLOCK_SIDE } from "./wire.js";

/** Lines of a path that are left out together when they are out of view. */
const CHUNK = 24;

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
  const side = BLOCK_SIDE << block.level, corner = [block.column * side, block.row * side];
  const nodes = [], edges = [];
  for (let from = 0; from < view.byteLength; from += 12) {
    const ends = [0, 2, 4, 6].map((by, at) => view.getInt16(from + by, true) + corner[at % 2]);
    (ends[0] === ends[2] && ends[1] === ends[3] ? nodes : edges).push(ends);
  }
  return (block.graph = { nodes, edges });
}

const middles = (cells) => cells.map((cell) => cell + 0.5);
const table = (rows) => new Float32Array(rows.flat());

/** Edges as faint lines, and nodes as dots: lines from a place to itself. */
export function graphLines(block) {
  const { nodes, edges } = graphOf(block);
  return {
    light: table(edges.map((ends) => [...middles(ends), ...GRAPH, FAINT])),
    nodes: table(nodes.map((ends) => [...middles(ends), ...GRAPH, 1])),
    dark: table(nodes.map((ends) => [...middles(ends), ...INK, 0.75])),
  };
}

/** The graph from afar: portals in squares of the map as one dot, the edges between two
 * squares as one line, the stronger the more they are. */
export function graphFromAfar(blocks, side) {
  const squares = new Map(), bundles = new Map();
  const keyOf = (x, y) => Math.floor(y / side) * 65536 + Math.floor(x / side);
  for (const block of blocks) {
    for (const [x, y] of graphOf(block).nodes) {
      const key = keyOf(x, y), square = squares.get(key) ?? { x: 0, y: 0, count: 0 };
      squares.set(key, { x: square.x + x, y: square.y + y, count: square.count + 1 });
    }
    for (const [ax, ay, bx, by] of graphOf(block).edges) {
      const ends = [keyOf(ax, ay), keyOf(bx, by)];
      if (ends[0] === ends[1]) continue;
      const key = Math.min(...ends) * 2 ** 26 + Math.max(...ends);
      bundles.set(key, { ends, count: (bundles.get(key)?.count ?? 0) + 1 });
    }
  }
  const middle = ({ x, y, count }) => middles([x / count, y / count]);
  // Squares of blocks that are not here yet have no middle.
  const there = [...bundles.values()].filter(({ ends }) => ends.every((key) => squares.has(key)));
  const most = Math.max(1, ...there.map(({ count }) => count));
  const lines = there.map(({ ends, count }) => [ends.flatMap((key) => middle(squares.get(key))), 0.3 + 0.7 * Math.sqrt(count / most)]);
  const dots = [...squares.values()].map((square) => [...middle(square), ...middle(square)]);
  return {
    under: table(lines.map(([ends, a]) => [...ends, ...INK, 0.6 * a])), light: table(lines.map(([ends, a]) => [...ends, ...GRAPH, a])),
    nodes: table(dots.map((ends) => [...ends, ...GRAPH, 1])), dark: table(dots.map((ends) => [...ends, ...INK, 0.75])),
  };
}

/** The edges that are strong: those of the route, and through the sector at the pointer. */
export function strongLines(blocks, route, sector) {
  const key = (x, y) => x * 65536 + y, onRoute = new Set((route?.crossings ?? []).map(({ x, y }) => key(x, y)));
  const light = [], dark = [];
  for (const block of blocks) {
    for (const ends of graphOf(block).edges) {
      const [ax, ay, bx, by] = ends;
      const isRoute = onRoute.has(key(ax, ay)) && onRoute.has(key(bx, by));
      if (!isRoute && !(sector && touches(sector, ax, ay) && touches(sector, bx, by))) continue;
      light.push([...middles(ends), ...(isRoute ? ROUTE : GRAPH), 1]);
      dark.push([...middles(ends), ...INK, 0.6]);
    }
  }
  return { light: table(light), dark: table(dark) };
}

/** Whether a portal lies at a sector: its cell is in it, or across its upper or left border. */
const touches = ({ x, y }, ...cell) => {
  const [dx, dy] = [cell[0] - x * 10, cell[1] - y * 10];
  return dx >= -1 && dy >= -1 && dx < 10 && dy < 10 && (dx >= 0 || dy >= 0);
};

/** Paths as lines that stay within some cells of them, in chunks that know their place. */
export function pathLines(stage, slack) {
  const light = [], dark = [], chunks = [];
  stage.paths.forEach((path) => {
    const tint = BANNERS[path.banner % 8], cells = straightened(path.cells, slack);
    let chunk = null;
    for (let at = 1; at < cells.length; at++) {
      const a = cells[at - 1], b = cells[at];
      if (at % CHUNK === 1) chunks.push(chunk = { from: light.length / 8, count: 0, x: a.x, y: a.y, width: 1, height: 1 });
      chunk.count++;
      widen(chunk, a);
      widen(chunk, b);
      const ends = [a.x + 0.5, a.y + 0.5, b.x + 0.5, b.y + 0.5];
      light.push(...ends, ...tint, 1);
      dark.push(...ends, 0.06, 0.06, 0.09, 0.5);
    }
  });
  return { light: new Float32Array(light), dark: new Float32Array(dark), chunks };
}

/** Makes an area hold a cell. */
function widen(area, { x, y }) {
  const right = Math.max(area.x + area.width, x + 1), down = Math.max(area.y + area.height, y + 1);
  area.x = Math.min(area.x, x);
  area.y = Math.min(area.y, y);
  area.width = right - area.x;
  area.height = down - area.y;
}

/** The cells of a path that keep it within some cells of all of them. */
function straightened(cells, slack) {
  const kept = cells.length > 0 ? [cells[0]] : [];
  const between = (from, to) => {
    const a = cells[from], b = cells[to], [dx, dy] = [b.x - a.x, b.y - a.y], length = dx * dx + dy * dy;
    let most = slack, farthest = null;
    for (let at = from + 1; at < to; at++) {
      const { x, y } = cells[at];
      const part = length > 0 ? Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / length)) : 0;
      const away = Math.hypot(x - a.x - part * dx, y - a.y - part * dy);
      if (away > most) [most, farthest] = [away, at];
    }
    if (farthest !== null) {
      between(from, farthest);
      between(farthest, to);
    } else kept.push(b);
  };
  if (cells.length > 1) between(0, cells.length - 1);
  return kept;
}
