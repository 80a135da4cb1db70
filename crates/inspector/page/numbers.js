// Numbers in cells, written once for each tile.

import { LAYER, UNREACHED } from "./wire.js";
import { valueOf } from "./store.js";

/** Pixels a cell from which on its numbers are written. */
export const numbersFrom = 20;

/** A sheet of a tile's size on which numbers are written, and its texture. */
export class Numbers {
  constructor(gl, side) {
    this.gl = gl;
    this.side = side;
  }

  /** The texture with the numbers of the cells of a tile: its cost above, its cost-to-go below. */
  write(eye, layers, { ratio }) {
    const pen = this.cleared();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const size = Math.max(9, Math.min(15, eye.scale * 0.3));
    const put = (text, x, y, weight) => {
      pen.font = `${weight} ${size}px system-ui, sans-serif`;
      pen.strokeText(text, x, y);
      pen.fillText(text, x, y);
    };
    const half = this.side / eye.pixels / 2;
    // A number may be wider than its cell.
    const last = (middle, cells) => Math.min(cells - 1, Math.floor(middle + half) + 1);
    for (let y = Math.max(0, Math.floor(eye.y - half) - 1); y <= last(eye.y, eye.map.height); y++) {
      for (let x = Math.max(0, Math.floor(eye.x - half) - 1); x <= last(eye.x, eye.map.width); x++) {
        this.cell(put, eye, layers, x, y, (x + 0.5 - eye.x + half) * eye.scale, (y + 0.5 - eye.y + half) * eye.scale);
      }
    }
    return this.uploaded();
  }

  /** Writes a cell's numbers around its middle. */
  cell(put, { stage, scale }, layers, x, y, left, top) {
    const cost = valueOf(stage, LAYER.ground, x, y);
    if (!cost || cost === 255) return;
    const toGo = layers.has("integration") ? valueOf(stage, LAYER.integration, x, y) : null;
    const both = toGo !== null && toGo !== UNREACHED;
    // Between them is the arrow of the flow.
    const apart = scale * (layers.has("flow") ? 0.36 : 0.23);
    const shift = layers.has("flow") ? apart : 0;
    if ((layers.has("cost") || !both) && (cost > 1 || layers.has("cost"))) put(String(cost), left, top - (both ? apart : shift), 500);
    if (both && scale >= 26) put(String(toGo), left, top + (layers.has("cost") ? apart : shift), 400);
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
    pen.lineWidth = 2.6;
    pen.strokeStyle = "rgb(12 14 18 / 70%)";
    pen.fillStyle = "#fff";
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
