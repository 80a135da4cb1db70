// The picture in tiles: what is costly to draw is drawn once, kept, and copied.

/** Pixels of a tile's side. */
export const TILE = 128;
/** How many times as many textures are kept as the tiles in view need. */
const KEPT_VIEWS = 5;
/** Scales whose tiles may lie over each other in one frame. */
const MOST_SHEETS = 5;

/** Textures of a tile's size, used again and again. */
export class Pool {
  constructor(gl) {
    this.gl = gl;
    this.free = [];
    this.used = 0;
    this.made = 0;
  }

  take() {
    const { gl } = this;
    this.used++;
    if (this.free.length > 0) return this.free.pop();
    const texture = gl.createTexture();
    this.made++;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, TILE, TILE);
    return texture;
  }

  give(texture) {
    if (!texture) return;
    this.used--;
    this.free.push(texture);
  }

  /** Deletes free textures beyond as many as one view may ask for at once. */
  trim(most) {
    while (this.free.length > most) this.gl.deleteTexture(this.free.pop());
  }
}

/** The tiles that a view needs of a sheet: its columns and rows. */
export function span(view, scale) {
  const side = (TILE * view.scale) / scale;
  const from = (start) => Math.max(0, Math.floor(-start / side));
  const to = (start, length, cells) => Math.min(Math.ceil((cells * scale) / TILE), Math.ceil((length - start) / side)) - 1;
  return {
    left: from(view.x), right: to(view.x, view.width, view.map.width),
    top: from(view.y), bottom: to(view.y, view.height, view.map.height),
  };
}

/** How many tiles a view needs. */
export function tilesIn(view) {
  return (Math.ceil(view.width / TILE) + 1) * (Math.ceil(view.height / TILE) + 1);
}

/** The tiles of one stage, in a sheet for each scale. A tile has the ground, which is
 * costly to draw, and what is seen: the ground with the layers over it, which change
 * more often. */
export class Tiles {
  constructor(pool) {
    this.pool = pool;
    this.sheets = new Map();
    /** The scale that is sharp, and a coarser one that lies below it. */
    this.main = 0;
    this.cover = 0;
    this.frame = 0;
    /** What is to be seen over the ground. */
    this.seenKey = "";
  }

  /** Looks at a view: exactly while it rests or pans, roughly while it zooms. */
  look(view, isZooming, seenKey) {
    this.frame++;
    const step = Math.log2(view.scale);
    this.main = isZooming ? 2 ** Math.round(step) : view.scale;
    this.cover = 2 ** (Math.floor(step) - 2);
    this.isZooming = isZooming;
    this.seenKey = seenKey;
  }

  /** A sheet's tile, made where there is none. */
  tile(scale, column, row) {
    let sheet = this.sheets.get(scale);
    if (!sheet) this.sheets.set(scale, (sheet = new Map()));
    const key = column * 1e6 + row;
    let tile = sheet.get(key);
    if (!tile) sheet.set(key, (tile = { scale, column, row, ground: null, isOld: false, isWhole: false, seen: null, seenKey: null, isSeenOld: false, stamp: 0 }));
    tile.stamp = this.frame;
    return tile;
  }

  /** The tiles of a sheet in a view, the nearest to the middle first. */
  inView(view, scale) {
    const { left, right, top, bottom } = span(view, scale);
    const tiles = [];
    for (let row = top; row <= bottom; row++) for (let column = left; column <= right; column++) tiles.push(this.tile(scale, column, row));
    const side = (TILE * view.scale) / scale;
    const away = ({ column, row }) => Math.hypot((column + 0.5) * side + view.x - view.width / 2, (row + 0.5) * side + view.y - view.height / 2);
    return tiles.sort((one, other) => away(one) - away(other));
  }

  /** Tiles with something to draw, the most urgent first. */
  *jobs(view) {
    // While it zooms, tiles of nearly the same scale do.
    if (this.isZooming && this.isCovered(view)) return;
    const lacks = (tile) => !tile.ground || tile.isOld || this.isStale(tile);
    const sharp = this.inView(view, this.main).filter(lacks);
    if (sharp.some((tile) => !tile.ground)) yield* this.inView(view, this.cover).filter(lacks);
    yield* sharp.filter((tile) => !tile.ground);
    yield* sharp.filter((tile) => tile.ground);
  }

  /** Whether a tile shows other layers than wanted, or old ones. */
  isStale(tile) { return tile.isSeenOld || tile.seenKey !== this.seenKey; }

  /** What is shown of a tile, if there is: other layers only where new ones come. */
  seenOf(tile) { return tile.seenKey === this.seenKey || tile.scale === this.main ? tile.seen : null; }

  /** Tiles that show a view: coarse ones first, none that is hidden wholly. */
  shown(view) {
    const far = (scale) => Math.abs(Math.log2(scale / view.scale));
    const scales = [...this.sheets.keys()].sort((one, other) => far(one) - far(other));
    const shown = [];
    for (const scale of scales) {
      const { there, isWhole } = this.thereOf(view, scale);
      const bare = there.filter((tile) => !shown.some(([{ scale: finer }]) => this.hides(view, finer, tile)));
      for (const tile of bare) tile.stamp = this.frame;
      if (bare.length > 0) shown.unshift(bare);
      if (isWhole || shown.length === MOST_SHEETS) break;
    }
    return shown;
  }

  /** Whether another sheet shows all that a view has of a tile. */
  hides(view, scale, tile) {
    const side = (TILE * view.scale) / tile.scale;
    const x = view.x + tile.column * side, y = view.y + tile.row * side;
    const [left, top] = [Math.max(0, x), Math.max(0, y)];
    const part = { ...view, x: view.x - left, y: view.y - top, width: Math.min(view.width, x + side) - left, height: Math.min(view.height, y + side) - top };
    return this.thereOf(part, scale).isWhole;
  }

  /** The tiles of a sheet that show something of a view, and whether it is all. */
  thereOf(view, scale) {
    const { left, right, top, bottom } = span(view, scale);
    const there = [];
    let isWhole = true;
    for (let row = top; row <= bottom; row++) for (let column = left; column <= right; column++) {
      const tile = this.sheets.get(scale).get(column * 1e6 + row);
      if (tile?.ground) there.push(tile);
      isWhole &&= Boolean(tile?.ground) && tile.isWhole;
    }
    return { there, isWhole };
  }

  /** Whether tiles of half to twice the scale show all of a view. */
  isCovered(view) {
    return [...this.sheets.keys()].some((scale) => Math.abs(Math.log2(scale / view.scale)) <= 1 && this.thereOf(view, scale).isWhole);
  }

  /** What lies in an area of cells has changed: its ground, or the layers over it. */
  changed(area, isGround, isLayer) {
    for (const [scale, sheet] of this.sheets) {
      const side = TILE / scale, isUsed = scale === this.main || scale === this.cover;
      for (const [key, tile] of sheet) {
        const x = tile.column * side, y = tile.row * side;
        if (x >= area.x + area.width || x + side <= area.x || y >= area.y + area.height || y + side <= area.y) continue;
        tile.isSeenOld ||= isLayer;
        if (!isGround) continue;
        tile.isOld = true;
        if (!isUsed) this.drop(sheet, key, tile);
      }
    }
  }

  drop(sheet, key, tile) {
    this.pool.give(tile.ground);
    this.pool.give(tile.seen);
    sheet.delete(key);
  }

  /** Lets go of the tiles that were out of view longest. */
  thin(view) {
    const most = tilesIn(view);
    this.pool.trim(most);
    if (this.pool.used <= 2 * KEPT_VIEWS * most) return;
    const old = [];
    for (const sheet of this.sheets.values()) for (const [key, tile] of sheet) if (tile.stamp < this.frame) old.push([sheet, key, tile]);
    old.sort((one, other) => one[2].stamp - other[2].stamp);
    for (const one of old.slice(0, Math.ceil(old.length / 4))) this.drop(...one);
    for (const [scale, sheet] of this.sheets) if (sheet.size === 0) this.sheets.delete(scale);
  }

  clear() {
    for (const sheet of this.sheets.values()) for (const [key, tile] of sheet) this.drop(sheet, key, tile);
    this.sheets.clear();
  }
}
