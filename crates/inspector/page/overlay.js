// What lies over the map: goals, numbers in cells, the brush, the selection.

import { LAYER, UNREACHED } from "./wire.js";
import { css } from "./picture.js";

/** Stages of an order's life. */
const SEARCH = 1, FREED = 7;
/** Steps in the order of the engine's directions. */
const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0], [1, -1], [1, 1], [-1, 1], [-1, -1]];

export class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
  }

  draw(store, camera, layers, state, options) {
    const { pen } = this;
    const { ratio } = options;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    // Chromium may go on showing an older picture of a canvas that is only cleared.
    pen.fillStyle = "rgb(0 0 0 / 1%)";
    pen.fillRect(0, 0, 1, 1);
    const count = store.stages.length;
    for (let at = 0; at < count; at++) {
      pen.save();
      pen.translate(at * camera.width, 0);
      pen.beginPath();
      pen.rect(0, 0, camera.width, camera.height);
      pen.clip();
      try {
        this.stage(store, at, camera, layers, state, options);
      } finally {
        pen.restore();
      }
    }
  }

  stage(store, at, camera, layers, state, options) {
    const stage = store.stages[at];
    if (camera.scale >= 9) this.grid(camera);
    if (layers.has("numbers") && camera.scale >= 20) this.numbers(store, at, camera, layers);
    if (store.life && at === 0 && state.life !== null) this.life(store.life, state.life, camera);
    if (layers.has("windows")) this.windows(stage, camera);
    if (layers.has("route")) this.route(stage, camera);
    this.goals(stage, camera, options);
    this.pointer(camera, state, at);
  }

  /** Thin lines around cells, stronger ones around sectors. */
  grid(camera) {
    const { pen } = this;
    const a = camera.toCell(0, 0), b = camera.toCell(camera.width, camera.height);
    const from = { x: Math.max(0, Math.floor(a.x)), y: Math.max(0, Math.floor(a.y)) };
    const to = { x: Math.min(camera.map.width, Math.ceil(b.x)), y: Math.min(camera.map.height, Math.ceil(b.y)) };
    const low = camera.toPixel(from.x, from.y), high = camera.toPixel(to.x, to.y);
    for (const strong of [false, true]) {
      pen.beginPath();
      for (let x = from.x; x <= to.x; x++) {
        if ((x % 10 === 0) !== strong) continue;
        const p = Math.round(camera.toPixel(x, 0).x) + 0.5;
        pen.moveTo(p, low.y);
        pen.lineTo(p, high.y);
      }
      for (let y = from.y; y <= to.y; y++) {
        if ((y % 10 === 0) !== strong) continue;
        const p = Math.round(camera.toPixel(0, y).y) + 0.5;
        pen.moveTo(low.x, p);
        pen.lineTo(high.x, p);
      }
      pen.strokeStyle = strong ? "rgb(10 14 20 / 38%)" : "rgb(10 14 20 / 13%)";
      pen.lineWidth = 1;
      pen.stroke();
    }
  }

  /** Cost in the upper corner, cost-to-go below. */
  numbers(store, at, camera, layers) {
    const { pen } = this;
    const a = camera.toCell(0, 0), b = camera.toCell(camera.width, camera.height);
    const size = Math.max(9, Math.min(15, camera.scale * 0.3));
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    const write = (text, x, y, weight) => {
      pen.font = `${weight} ${size}px system-ui, sans-serif`;
      pen.lineWidth = 2.6;
      pen.strokeStyle = "rgb(12 14 18 / 70%)";
      pen.strokeText(text, x, y);
      pen.fillStyle = "#fff";
      pen.fillText(text, x, y);
    };
    for (let y = Math.max(0, Math.floor(a.y)); y < Math.min(camera.map.height, b.y); y++) {
      for (let x = Math.max(0, Math.floor(a.x)); x < Math.min(camera.map.width, b.x); x++) {
        const cost = store.value(at, LAYER.ground, x, y);
        if (!cost || cost === 255) continue;
        const p = camera.toPixel(x + 0.5, y + 0.5);
        const toGo = layers.has("integration") ? store.value(at, LAYER.integration, x, y) : null;
        const both = toGo !== null && toGo !== UNREACHED;
        // Between them is the arrow of the flow.
        const apart = camera.scale * (layers.has("flow") ? 0.36 : 0.23);
        const shift = layers.has("flow") ? apart : 0;
        if (layers.has("cost") || !both) {
          if (cost > 1 || layers.has("cost")) write(String(cost), p.x, p.y - (both ? apart : shift), 500);
        }
        if (both && camera.scale >= 26) write(String(toGo), p.x, p.y + (layers.has("cost") ? apart : shift), 400);
      }
    }
  }

  /** A moment of an order's life: what was done up to it, and what waits. */
  life(life, upTo, camera) {
    const slices = life.slices.slice(0, upTo + 1);
    const now = slices[slices.length - 1];
    const all = (name) => slices.flatMap((slice) => slice[name]);
    if (now.stage === FREED) {
      this.sectors(now.freed, camera, "rgb(236 236 244 / 30%)", "rgb(40 44 60 / 70%)", [4, 4]);
      return;
    }
    this.sectors(all("loaded"), camera, "rgb(90 170 255 / 30%)", "rgb(20 60 120 / 45%)");
    this.sectors(all("settled"), camera, "rgb(60 190 130 / 38%)", "rgb(10 80 50 / 50%)");
    this.sectors(waiting(slices), camera, "rgb(255 150 40 / 62%)", "rgb(120 50 0 / 80%)");
    this.sectors([...now.loaded, ...now.settled], camera, "rgb(255 214 90 / 55%)", "rgb(90 60 0 / 80%)");
    if (now.stage <= SEARCH) {
      this.dots(all("taken"), camera, "rgb(40 130 240)");
      this.dots(frontier(slices), camera, "rgb(255 255 255)");
    }
    this.arrows(now.flow, camera);
    const { pen } = this;
    pen.fillStyle = "rgb(255 237 107 / 55%)";
    for (const { x, y, cells } of now.sight) {
      if (!camera.sees(x, y, cells, 1)) continue;
      const p = camera.toPixel(x, y);
      pen.fillRect(p.x, p.y, cells * camera.scale, camera.scale);
    }
  }

  sectors(sectors, camera, fill, line, dash = []) {
    const { pen } = this;
    const side = 10 * camera.scale;
    pen.fillStyle = fill;
    pen.strokeStyle = line;
    pen.lineWidth = 1;
    pen.setLineDash(dash);
    for (const { x, y } of sectors) {
      if (!camera.sees(x * 10, y * 10, 10, 10)) continue;
      const p = camera.toPixel(x * 10, y * 10);
      pen.fillRect(p.x, p.y, side, side);
      if (side > 5) pen.strokeRect(p.x + 0.5, p.y + 0.5, side - 1, side - 1);
    }
    pen.setLineDash([]);
  }

  /** Portals as dots. */
  dots(places, camera, fill) {
    const { pen } = this;
    const radius = Math.min(4.5, Math.max(1.6, camera.scale * 1.1));
    pen.fillStyle = fill;
    pen.strokeStyle = "rgb(18 20 28 / 80%)";
    pen.lineWidth = 1;
    for (const { x, y } of places) {
      if (!camera.sees(x, y)) continue;
      const p = camera.toPixel(x + 0.5, y + 0.5);
      pen.beginPath();
      pen.arc(p.x, p.y, radius, 0, 7);
      pen.fill();
      if (radius > 2.5) pen.stroke();
    }
  }

  /** The most frequent direction of each sector. */
  arrows(flow, camera) {
    const { pen } = this;
    const reach = Math.min(16, camera.scale * 3.2);
    if (reach < 2.5) return;
    for (const [width, tint] of [[3.6, "rgb(12 16 24 / 80%)"], [1.7, "#fff"]]) {
      pen.beginPath();
      for (const { x, y, direction } of flow) {
        if (!camera.sees(x * 10, y * 10, 10, 10)) continue;
        const p = camera.toPixel(x * 10 + 5, y * 10 + 5);
        const [dx, dy] = STEPS[direction], far = reach / Math.hypot(dx, dy);
        const tip = { x: p.x + dx * far, y: p.y + dy * far };
        pen.moveTo(p.x - dx * far, p.y - dy * far);
        pen.lineTo(tip.x, tip.y);
        for (const turn of [2.5, -2.5]) {
          const angle = Math.atan2(dy, dx) + turn;
          pen.moveTo(tip.x, tip.y);
          pen.lineTo(tip.x + Math.cos(angle) * reach * 0.7, tip.y + Math.sin(angle) * reach * 0.7);
        }
      }
      pen.lineWidth = width;
      pen.strokeStyle = tint;
      pen.stroke();
    }
  }

  /** The windows of the route's portals. */
  windows(stage, camera) {
    const { pen } = this;
    if (!stage.route) return;
    pen.lineCap = "round";
    for (const [more, tint] of [[2.4, "rgb(40 16 0 / 80%)"], [0, "#ff8c2e"]]) {
      pen.beginPath();
      for (const { window } of stage.route.gates) {
        const { x, y, length, stands } = window;
        if (!camera.sees(x, y, length, length)) continue;
        const inset = Math.min(0.35, length * 0.2);
        const a = stands ? camera.toPixel(x + 1, y + inset) : camera.toPixel(x + inset, y + 1);
        const b = stands ? camera.toPixel(x + 1, y + length - inset) : camera.toPixel(x + length - inset, y + 1);
        pen.moveTo(a.x, a.y);
        pen.lineTo(b.x, b.y);
      }
      pen.lineWidth = Math.min(6, Math.max(2, camera.scale * 0.4)) + more;
      pen.strokeStyle = tint;
      pen.stroke();
    }
    pen.lineCap = "butt";
  }

  /** The portals of the route, numbered from the goal. */
  route(stage, camera) {
    const { pen } = this;
    if (!stage.route) return;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const taken = [];
    stage.route.gates.forEach(({ x, y, number }) => {
      if (!camera.sees(x, y)) return;
      const p = camera.toPixel(x + 0.5, y + 0.5);
      const isFree = taken.every((q) => Math.abs(q.x - p.x) > 26 || Math.abs(q.y - p.y) > 18);
      pen.beginPath();
      pen.arc(p.x, p.y, !isFree ? 2.4 : number > 99 ? 11 : 9.5, 0, 7);
      pen.fillStyle = isFree ? "rgb(255 255 255 / 94%)" : "rgb(255 255 255 / 80%)";
      pen.fill();
      pen.lineWidth = 1.3;
      pen.strokeStyle = "rgb(20 24 32 / 80%)";
      pen.stroke();
      if (!isFree) return;
      taken.push(p);
      pen.font = `600 ${number > 99 ? 8.5 : 10.5}px system-ui, sans-serif`;
      pen.fillStyle = "#16202c";
      pen.fillText(String(number), p.x, p.y + 0.5);
    });
  }

  goals(stage, camera, options) {
    const { pen } = this;
    const chosen = options.order(stage);
    for (const order of stage.orders) {
      if (!camera.sees(order.goal.x, order.goal.y)) continue;
      const p = camera.toPixel(order.goal.x + 0.5, order.goal.y + 0.5);
      const isChosen = order.number === chosen?.number;
      const tint = css(order.banner);
      const ring = (radius, width, style) => {
        pen.beginPath();
        pen.arc(p.x, p.y, radius, 0, 7);
        pen.lineWidth = width;
        pen.strokeStyle = style;
        pen.stroke();
      };
      ring(13, isChosen ? 6 : 4.5, "rgb(18 16 20 / 75%)");
      ring(13, isChosen ? 3.6 : 2.4, tint);
      if (isChosen) ring(17.5, 1.2, "rgb(255 255 255 / 85%)");
      pen.beginPath();
      pen.arc(p.x, p.y, 5.4, 0, 7);
      pen.fillStyle = "#fff";
      pen.fill();
      pen.lineWidth = 1.4;
      pen.strokeStyle = "rgb(18 16 20 / 85%)";
      pen.stroke();
      pen.beginPath();
      pen.arc(p.x, p.y, 3, 0, 7);
      pen.fillStyle = tint;
      pen.fill();
    }
  }

  /** The cell under the pointer, the brush, the selection. */
  pointer(camera, state, at) {
    const { pen } = this;
    const { hover, drag, brush } = state;
    if (hover && hover.stage === at) {
      const box = brush ? brushed(hover, brush) : { x: hover.x, y: hover.y, width: 1, height: 1 };
      const p = camera.toPixel(box.x, box.y);
      const side = [Math.max(3, box.width * camera.scale), Math.max(3, box.height * camera.scale)];
      pen.lineWidth = 3;
      pen.strokeStyle = "rgb(10 12 16 / 65%)";
      pen.strokeRect(p.x - 0.5, p.y - 0.5, side[0] + 1, side[1] + 1);
      pen.lineWidth = 1.4;
      pen.strokeStyle = "#fff";
      pen.strokeRect(p.x - 0.5, p.y - 0.5, side[0] + 1, side[1] + 1);
    }
    if (drag?.kind === "select") {
      const x = Math.min(drag.from.x, drag.to.x), y = Math.min(drag.from.y, drag.to.y);
      const box = [x, y, Math.abs(drag.from.x - drag.to.x), Math.abs(drag.from.y - drag.to.y)];
      pen.fillStyle = "rgb(255 255 255 / 16%)";
      pen.fillRect(...box);
      pen.setLineDash([5, 4]);
      pen.lineWidth = 1.5;
      pen.strokeStyle = "#fff";
      pen.strokeRect(...box);
      pen.setLineDash([]);
    }
    if (state.crosshair) {
      const x = camera.width / 2, y = camera.height / 2;
      pen.lineWidth = 1.4;
      pen.strokeStyle = "#fff";
      pen.beginPath();
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        pen.moveTo(x + dx * 5, y + dy * 5);
        pen.lineTo(x + dx * 13, y + dy * 13);
      }
      pen.stroke();
    }
  }
}

/** The portals that are seen and not taken after some slices of a life. */
export const frontier = (slices) => left(slices, "frontier", ["taken", "aside"]);
/** The sectors that wait after some slices of a life. */
export const waiting = (slices) => left(slices, "waiting", ["served"]);

/** What has come in some slices and not gone. */
function left(slices, come, gone) {
  const there = new Map();
  const key = ({ x, y }) => x * 65536 + y;
  for (const slice of slices) {
    for (const name of gone) for (const place of slice[name]) there.delete(key(place));
    for (const place of slice[come]) there.set(key(place), place);
  }
  return [...there.values()];
}

/** The cells that a brush covers. */
export function brushed(cell, brush) {
  if (brush.template) {
    const { width, height } = brush.template;
    const [w, h] = brush.turns % 2 ? [height, width] : [width, height];
    return { x: cell.x - (w >> 1), y: cell.y - (h >> 1), width: w, height: h };
  }
  const size = brush.size;
  return { x: cell.x - (size >> 1), y: cell.y - (size >> 1), width: size, height: size };
}
