// The fields, and their scales: costs up to the highest there is, costs-to-go from the
// lowest to the highest in view, in round steps.

import { BLOCK_SIDE, LAYER, UNREACHED, WALL } from "./wire.js";

/** Fields that cover the ground: one at a time, unless they are stacked on purpose. */
export const COVERS = ["cost", "integration", "flow"];
/** Fields before which the ground steps back, and the tint of loaded sectors goes. */
export const FIELDS = [...COVERS, "density", "speed", "discomfort", "potential"];
/** Units of a cost-to-go that a step over open ground costs. */
export const OPEN_STEP = 5;
/** Texels along a side of the squares whose lowest and highest value is known. */
const SQUARE = 10;
/** Steps of open ground between two lines are one of these, times a power of ten. */
const ROUND = [1, 2, 5, 10];
/** About as many lines are in view. */
const LINES = 12;

/** The highest cost of the ground that is known, walls apart. */
export function dearestOf(stage) {
  let dearest = 1;
  for (const block of stage.blocks.values()) {
    if (block.layer !== LAYER.ground) continue;
    if (block.dearest === undefined) {
      block.dearest = 1;
      for (let at = 1; at < block.bytes.length; at += 4) if (block.bytes[at] < WALL) block.dearest = Math.max(block.dearest, block.bytes[at]);
    }
    dearest = Math.max(dearest, block.dearest);
  }
  return dearest;
}

/** The lowest and highest cost-to-go of each square of a block. */
function rangesOf(block) {
  if (block.ranges) return block.ranges;
  const squares = BLOCK_SIDE / SQUARE;
  const low = new Float64Array(squares * squares).fill(Infinity), high = new Float64Array(squares * squares).fill(-Infinity);
  const view = new DataView(block.bytes.buffer, block.bytes.byteOffset);
  for (let at = 0; at < BLOCK_SIDE * BLOCK_SIDE; at++) {
    const value = view.getUint32(block.isPlain ? 0 : at * 4, true);
    if (value === UNREACHED) continue;
    const square = Math.floor(at / BLOCK_SIDE / SQUARE) * squares + Math.floor((at % BLOCK_SIDE) / SQUARE);
    low[square] = Math.min(low[square], value);
    high[square] = Math.max(high[square], value);
  }
  return (block.ranges = { low, high });
}

/** The lowest and highest cost-to-go that blocks have in an area, in steps of open ground. */
function rangeIn(blocks, area) {
  let low = Infinity, high = -Infinity;
  for (const block of blocks) {
    const side = SQUARE << block.level, count = BLOCK_SIDE / SQUARE;
    const ranges = rangesOf(block);
    for (let at = 0; at < count * count; at++) {
      const x = (block.column * count + (at % count)) * side, y = (block.row * count + Math.floor(at / count)) * side;
      if (x >= area.x + area.width || x + side <= area.x || y >= area.y + area.height || y + side <= area.y) continue;
      low = Math.min(low, ranges.low[at]);
      high = Math.max(high, ranges.high[at]);
    }
  }
  return { low: low / OPEN_STEP, high: high / OPEN_STEP };
}

/** The scale that fits what is in view: the one before while that does, so that colours do
 * not flicker; null where nothing is reached. */
export function fitted(before, blocks, area) {
  const { low, high } = rangeIn(blocks, area);
  if (low > high) return null;
  if (before && low >= before.low && high <= before.high && high - low > (before.high - before.low) / 2) return before;
  const wanted = Math.max(1, (high - low) / LINES), ten = 10 ** Math.floor(Math.log10(wanted));
  const step = ROUND.find((round) => round * ten >= wanted * 0.999) * ten;
  const from = Math.floor(low / step) * step;
  return { low: from, high: Math.max(from + step, Math.ceil(high / step) * step), step };
}
