// Portals, the graph and paths as lines: eight numbers each, ends and tint.

import { BANNERS } from "./banners.js";

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

/** Edges as lines, and nodes as dots: lines from a place to itself. */
export function graphLines(block) {
  const view = new DataView(block.bytes.buffer, block.bytes.byteOffset, block.bytes.byteLength);
  const light = [], nodes = [], dark = [];
  for (let from = 0; from < view.byteLength; from += 12) {
    const ends = [0, 2, 4, 6].map((by) => view.getInt16(from + by, true) + 0.5);
    if (ends[0] !== ends[2] || ends[1] !== ends[3]) light.push(...ends, 1, 0.97, 0.84, 0.5);
    else {
      nodes.push(...ends, 1, 0.97, 0.84, 1);
      dark.push(...ends, 0.02, 0.1, 0.14, 0.75);
    }
  }
  return { light: new Float32Array(light), nodes: new Float32Array(nodes), dark: new Float32Array(dark) };
}

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
