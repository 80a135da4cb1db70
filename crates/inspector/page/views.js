// How the picture is looked at: views of stages, eyes over them, and the blocks in their sight.

import { TILE } from "./tiles.js";
import { blockKey } from "./store.js";
import { BLOCK_SIDE, LAYER } from "./wire.js";

/** Cells that lines reach out of their blocks: edges of the graph, through a sector. */
export const REACH = 10;

/** A stage's part of the canvas: pixels a cell, and where the map's corner lies. */
export function viewOf(stage, at, canvas, camera, { ratio }) {
  const { columns, rows } = camera, column = at % columns, row = Math.floor(at / columns), gap = Math.round(2 * ratio);
  const left = Math.round((canvas.width / columns) * column), top = Math.round((canvas.height / rows) * row);
  const width = Math.round(canvas.width / columns) - (column + 1 < columns ? gap : 0);
  const height = Math.round(canvas.height / rows) - (row + 1 < rows ? gap : 0);
  const scale = camera.scale * ratio;
  // On whole pixels tiles are copied as they are.
  const placed = camera.wanted ? (place) => place : Math.round;
  return {
    stage, left, bottom: canvas.height - top - height, width, height, scale, map: camera.map,
    x: placed((camera.width * ratio) / 2 - camera.x * scale), y: placed((camera.height * ratio) / 2 - camera.y * scale),
  };
}

/** How a view is looked at: the middle, pixels a cell, clip space a cell. */
export function eyeOf(view, { ratio }) {
  return { pixels: view.scale, scale: view.scale / ratio, clip: [(2 * view.scale) / view.width, (2 * view.scale) / view.height] };
}

/** How a tile is looked at. */
export function eyeOfTile(tile, view, level, { ratio }) {
  const { stage, map } = view, pixels = tile.scale, side = TILE / pixels;
  // Lines reach some pixels beyond their ends.
  const more = 8 / pixels;
  return {
    stage, map, level, pixels, scale: pixels / ratio, clip: [(2 * pixels) / TILE, (2 * pixels) / TILE],
    x: (tile.column + 0.5) * side, y: (tile.row + 0.5) * side,
    area: { x: tile.column * side - more, y: tile.row * side - more, width: side + 2 * more, height: side + 2 * more },
  };
}

/** Blocks of a layer and level in an area, and whether there are all. */
export function blocksAt(stage, layer, level, area) {
  const side = BLOCK_SIDE << level;
  const last = (cells, to) => Math.min(Math.ceil(cells / side), Math.ceil(to / side)) - 1;
  const right = last(stage.width, area.x + area.width), down = last(stage.height, area.y + area.height);
  const blocks = [];
  let isWhole = true;
  for (let row = Math.max(0, Math.floor(area.y / side)); row <= down; row++) {
    for (let column = Math.max(0, Math.floor(area.x / side)); column <= right; column++) {
      const block = stage.blocks.get(blockKey(layer, level, column, row));
      if (block) blocks.push(block);
      else isWhole = false;
    }
  }
  return { blocks, isWhole };
}

/** The ground to draw a tile from, if there is enough: where it need not be sharp,
 * blocks of other levels stand in, coarser ones below finer. */
export function groundFor(stage, eye, isSharp) {
  const area = { ...eye.area, x: eye.x - TILE / eye.pixels / 2, y: eye.y - TILE / eye.pixels / 2, width: TILE / eye.pixels, height: TILE / eye.pixels };
  const found = blocksAt(stage, LAYER.ground, eye.level, area);
  if (found.isWhole) return found;
  if (isSharp) return null;
  const blocks = [];
  for (let level = 9; level >= Math.max(0, eye.level - 1); level--) blocks.push(...blocksAt(stage, LAYER.ground, level, area).blocks);
  return blocks.length > 0 ? { blocks, isWhole: false } : null;
}

/** Keeps the blocks from being let go of that tiles in view are drawn from. */
export function keepBlocks(stage, { level, reach }, time) {
  for (const block of stage.blocks.values()) if (block.level === level && meets(areaOf(block), reach)) block.stamp = time;
}

/** A block's area in cells. */
function areaOf({ level, column, row }) {
  const side = BLOCK_SIDE << level;
  return { x: column * side, y: row * side, width: side, height: side };
}

export function meets(one, area) {
  return one.x < area.x + area.width && one.x + one.width > area.x && one.y < area.y + area.height && one.y + one.height > area.y;
}

/** An area with room around it for lines and what is rounded. */
export const grown = ({ x, y, width, height }, by = REACH) => ({ x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by });
