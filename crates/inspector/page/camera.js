// Where the page looks: a middle and a scale, moved smoothly.

import { TILE } from "./tiles.js";

export class Camera {
  constructor() {
    this.x = 0;
    this.y = 0;
    this.scale = 1; // pixels a cell
    this.wanted = null;
    this.width = 1;
    this.height = 1;
    this.map = { width: 1, height: 1 };
    /** Stages beside each other, and below each other. */
    this.columns = 1;
    this.rows = 1;
  }

  /** Divides a pane between stages: the way in which they are larger. */
  arrange(count, width, height) {
    const { map } = this, scale = (columns, rows) => Math.min(width / columns / map.width, height / rows / map.height);
    const isStacked = scale(1, count) > scale(count, 1);
    Object.assign(this, { columns: isStacked ? 1 : count, rows: isStacked ? count : 1 });
    this.resize(width / this.columns, height / this.rows);
  }

  /** Where a stage lies in the pane. */
  corner(stage) { return { left: (stage % this.columns) * this.width, top: Math.floor(stage / this.columns) * this.height }; }

  /** The stage at a place of the pane. */
  stageAt(x, y) {
    const nth = (at, side, count) => Math.min(count - 1, Math.max(0, Math.floor(at / side)));
    return nth(y, this.height, this.rows) * this.columns + nth(x, this.width, this.columns);
  }

  /** The view of the whole map. */
  get whole() {
    const { width, height } = this.map;
    return { x: width / 2, y: height / 2, scale: Math.min(this.width / width, this.height / height) * 0.98, wanted: null };
  }

  /** Shows the whole map. */
  fit() { Object.assign(this, this.whole); }

  /** Takes another size; a view of the whole map remains one. */
  resize(width, height) {
    const isWhole = Object.entries(this.whole).every(([name, value]) => this[name] === value);
    Object.assign(this, { width, height });
    if (isWhole) this.fit();
  }

  /** The smallest scale that makes sense. */
  get least() {
    return Math.min(this.width / this.map.width, this.height / this.map.height) * 0.7;
  }

  toCell(px, py) {
    return {
      x: (px - this.width / 2) / this.scale + this.x,
      y: (py - this.height / 2) / this.scale + this.y,
    };
  }

  toPixel(x, y) {
    return {
      x: (x - this.x) * this.scale + this.width / 2,
      y: (y - this.y) * this.scale + this.height / 2,
    };
  }

  /** Whether cells are in view, or what is drawn around them. */
  sees(x, y, width = 1, height = 1) {
    const from = this.toPixel(x, y), to = this.toPixel(x + width, y + height);
    return to.x > -20 && to.y > -20 && from.x < this.width + 20 && from.y < this.height + 20;
  }

  /** Zooms so that what lies under a pixel stays there. */
  zoom(factor, px, py) {
    const from = this.wanted ?? { scale: this.scale };
    const scale = Math.min(96, Math.max(this.least, from.scale * factor));
    this.wanted = { scale, px, py, under: this.toCell(px, py) };
  }

  /** As `zoom`, without a glide: the fingers are the glide. */
  zoomAtOnce(factor, px, py) {
    const under = this.toCell(px, py);
    this.wanted = null;
    this.scale = Math.min(96, Math.max(this.least, this.scale * factor));
    this.x = under.x - (px - this.width / 2) / this.scale;
    this.y = under.y - (py - this.height / 2) / this.scale;
    this.hold();
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    if (this.wanted) this.wanted.under = this.toCell(this.wanted.px, this.wanted.py);
    this.hold();
  }

  /** Goes on toward what is wanted; whether there is more to go. */
  advance(milliseconds) {
    if (!this.wanted) return false;
    const { scale, px, py, under } = this.wanted;
    const part = 1 - Math.exp(-milliseconds / 60);
    this.scale *= (scale / this.scale) ** part;
    if (Math.abs(Math.log(scale / this.scale)) < 0.002) {
      this.scale = scale;
      this.wanted = null;
    }
    this.x = under.x - (px - this.width / 2) / this.scale;
    this.y = under.y - (py - this.height / 2) / this.scale;
    this.hold();
    return true;
  }

  /** Keeps the middle on the map. */
  hold() {
    this.x = Math.min(this.map.width, Math.max(0, this.x));
    this.y = Math.min(this.map.height, Math.max(0, this.y));
  }

  /** The coarsest level whose texels are not larger than about a pixel. */
  get level() {
    const cells = 1 / this.scale;
    return Math.max(0, Math.min(9, Math.floor(Math.log2(Math.max(1, cells)) + 0.35)));
  }

  /** The cells of tiles in view, which reach out of it, and of lines that end in them. */
  get reach() {
    const { x, y, width, height } = this.area, more = Math.ceil(TILE / this.scale) + 10;
    return { x: x - more, y: y - more, width: width + 2 * more, height: height + 2 * more };
  }

  /** The cells in view. */
  get area() {
    const a = this.toCell(0, 0), b = this.toCell(this.width, this.height);
    const x = Math.floor(a.x) - 1, y = Math.floor(a.y) - 1;
    return { x, y, width: Math.ceil(b.x) + 2 - x, height: Math.ceil(b.y) + 2 - y };
  }
}
