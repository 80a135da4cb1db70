// Numbers in cells, written once for each tile.

import { LAYER, UNREACHED, WALL } from "./wire.js";
import { OPEN_STEP } from "./scale.js";
import { valueOf } from "./store.js";

/** Pixels a cell from which on its numbers are written. */
export const numbersFrom = 13;
/** Pixels a cell from which on costs-to-go have parts of steps. */
const PARTS_FROM = 34;
/** Colours of numbers: costs are not to be taken for costs-to-go. */
const COST_TINT = "#ffd27a", TO_GO_TINT = "#fff";
/** Without and with the arrow of the flow: how high one or two numbers are, and how far
 * below the middle, in parts of a cell. */
const PLACES = [
  [{ high: 0.5, down: [0] }, { high: 0.38, down: [-0.23, 0.23] }],
  [{ high: 0.42, down: [-0.24] }, { high: 0.28, down: [-0.35, -0.07] }],
];

/** Steps from which on a cost-to-go is written without parts: it would run into the next. */
const WHOLE_FROM = 10;

/** A cost-to-go in steps of open ground. */
function steps(toGo, scale) {
  const exact = toGo / OPEN_STEP;
  return String(scale < PARTS_FROM || exact >= WHOLE_FROM ? Math.round(exact) : exact);
}

/** A sheet of a tile's size on which numbers are written, and its texture. */
export class Numbers {
  constructor(gl, side) {
    this.gl = gl;
    this.side = side;
  }

  /** The texture with the numbers of the cells of a tile: costs, costs-to-go below them, and
   * below both the arrow of the flow. */
  write(eye, layers, { ratio }) {
    const pen = this.cleared();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const half = this.side / eye.pixels / 2;
    // A number may be wider than its cell.
    const last = (middle, cells) => Math.min(cells - 1, Math.floor(middle + half) + 1);
    for (let y = Math.max(0, Math.floor(eye.y - half) - 1); y <= last(eye.y, eye.map.height); y++) {
      for (let x = Math.max(0, Math.floor(eye.x - half) - 1); x <= last(eye.x, eye.map.width); x++) {
        this.cell(eye, layers, x, y, (x + 0.5 - eye.x + half) * eye.scale, (y + 0.5 - eye.y + half) * eye.scale);
      }
    }
    return this.uploaded();
  }

  /** Writes a cell's numbers around its middle. */
  cell({ stage, scale }, layers, x, y, left, top) {
    const cost = valueOf(stage, LAYER.ground, x, y);
    if (!cost || cost === WALL) return;
    const [hasCost, hasToGo, hasFlow] = ["cost", "integration", "flow"].map((name) => layers.has(name));
    const toGo = hasToGo ? valueOf(stage, LAYER.integration, x, y) : null;
    const texts = [];
    if (hasCost || (!hasToGo && cost > 1)) texts.push([String(cost), COST_TINT]);
    if (toGo !== null && toGo !== UNREACHED) texts.push([steps(toGo, scale), TO_GO_TINT]);
    const places = PLACES[hasFlow ? 1 : 0][texts.length - 1];
    texts.forEach(([text, tint], at) => this.put(text, tint, left, top + places.down[at] * scale, scale, places.high));
  }

  /** Writes a number so large that it fits its cell, if that can be read. */
  put(text, tint, x, y, scale, high) {
    const { pen } = this, size = Math.min(15, scale * high, (scale - 1) / (0.6 * text.length));
    if (size < 6) return;
    pen.font = `550 ${size.toFixed(1)}px system-ui, sans-serif`;
    pen.lineWidth = size * 0.28;
    pen.fillStyle = tint;
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  }

  /** The empty sheet's pen. */
  cleared() {
    const { side } = this;
    // Read in every tile: the browser is to keep it in memory, not on the graphics card.
    this.pen ??= Object.assign(document.createElement("canvas"), { width: side, height: side }).getContext("2d", { willReadFrequently: true });
    const { pen } = this;
    pen.resetTransform();
    pen.clearRect(0, 0, side, side);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    pen.strokeStyle = "rgb(12 14 18 / 75%)";
    return pen;
  }

  uploaded() {
    const { gl } = this;
    this.texture ??= gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, this.pen.canvas);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    return this.texture;
  }
}
