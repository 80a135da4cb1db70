// What lies over the map at times: an order's life, the route, the selection.

import { PORTAL, PORTALS } from "./lines.js";
import { STEPS } from "./wire.js";

/** Stages of an order's life. */
const SEARCH = 1, FREED = 7;
/** Milliseconds in which what was painted stops being lit. */
export const FLASH = 700;
/** Pixels of the arrow ahead of a line. */
const AHEAD = 34;

export class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
  }

  draw(store, camera, layers, state, { ratio }) {
    const { pen } = this;
    // A canvas that lies over all of the map costs time in every frame, even if empty.
    const isEmpty = !isNeeded(store, camera, layers, state);
    if (isEmpty && this.canvas.hidden) return;
    this.canvas.hidden = isEmpty;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    // Chromium may go on showing an older picture of a canvas that is only cleared.
    pen.fillStyle = "rgb(0 0 0 / 1%)";
    pen.fillRect(0, 0, 1, 1);
    const count = store.stages.length;
    for (let at = 0; at < count; at++) {
      pen.save();
      const { left, top } = camera.corner(at);
      pen.translate(left, top);
      pen.beginPath();
      pen.rect(0, 0, camera.width, camera.height);
      pen.clip();
      try {
        this.stage(store, at, camera, layers, state);
      } finally {
        pen.restore();
      }
    }
  }

  stage(store, at, camera, layers, state) {
    const stage = store.stages[at];
    if (store.life && at === 0 && state.life !== null) this.life(store.life, state.life, camera);
    if (layers.has("windows") || hasRoutePortals(layers, camera)) this.windows(stage, camera, layers.has("windows") ? "#ff8c2e" : PORTAL);
    if (layers.has("links")) this.links(stage, camera);
    if (layers.has("route")) this.route(stage, camera);
    this.flashes(camera, state);
    this.pointer(camera, state);
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
    for (const { x, y, value: cells } of now.sight) {
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
      for (const { x, y, value: direction } of flow) {
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
  windows(stage, camera, colour) {
    const { pen } = this;
    if (!stage.route) return;
    pen.lineCap = "round";
    for (const [more, tint] of [[2.4, "rgb(10 20 28 / 80%)"], [0, colour]]) {
      pen.beginPath();
      for (const { window: { x, y, width, height }, stands } of stage.route.crossings) {
        const length = stands ? height : width;
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

  /** Links: the areas of entries and of ends, each pair joined by an arrow. */
  links(stage, camera) {
    const { pen } = this;
    const shown = stage.links.filter(({ entry, exit, width, height }) => {
      const x = Math.min(entry.x, exit.x), y = Math.min(entry.y, exit.y);
      return camera.sees(x, y, Math.abs(entry.x - exit.x) + width, Math.abs(entry.y - exit.y) + height);
    });
    if (shown.length === 0) return;
    for (const { entry, exit, width, height } of shown) {
      for (const [{ x, y }, fill] of [[entry, "rgb(226 60 208 / 60%)"], [exit, "rgb(226 60 208 / 18%)"]]) {
        const p = camera.toPixel(x, y);
        // An area is seen from afar, too.
        const w = Math.max(4, width * camera.scale), h = Math.max(4, height * camera.scale);
        pen.fillStyle = fill;
        pen.fillRect(p.x, p.y, w, h);
        pen.lineWidth = 1.4;
        pen.strokeStyle = "#8a0f7c";
        pen.strokeRect(p.x, p.y, w, h);
      }
    }
    pen.lineCap = "round";
    for (const [width, tint] of [[4.4, "rgb(48 0 44 / 75%)"], [2, "#ff8df0"]]) {
      pen.beginPath();
      for (const link of shown) arrow(pen, ...[link.entry, link.exit].map(({ x, y }) =>
        camera.toPixel(x + link.width / 2, y + link.height / 2)));
      pen.lineWidth = width;
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
    stage.route.crossings.forEach(({ x, y, number }) => {
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

  /** A line to draw up on, and where units on it look. */
  line({ from, to }, camera) {
    const { pen } = this, [a, b] = [from, to].map(({ x, y }) => camera.toPixel(x, y));
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, long = Math.hypot(b.x - a.x, b.y - a.y);
    const ahead = { x: middle.x + (b.y - a.y) / long * AHEAD, y: middle.y - (b.x - a.x) / long * AHEAD };
    pen.lineCap = "round";
    for (const [width, tint] of [[3.6, "rgb(12 16 24 / 60%)"], [1.5, "#fff"]]) {
      pen.beginPath();
      pen.moveTo(a.x, a.y);
      pen.lineTo(b.x, b.y);
      arrow(pen, middle, ahead);
      pen.lineWidth = width;
      pen.strokeStyle = tint;
      pen.stroke();
    }
    pen.lineCap = "butt";
  }

  /** What was painted just now lights up. */
  flashes(camera, { flashes }) {
    const { pen } = this, now = performance.now();
    for (const { area: { x, y, width, height }, since } of flashes) {
      const from = camera.toPixel(x, y);
      pen.fillStyle = `rgb(255 255 255 / ${Math.max(0, 80 * (1 - (now - since) / FLASH))}%)`;
      pen.fillRect(from.x, from.y, width * camera.scale, height * camera.scale);
    }
  }

  /** The selection or the line that is dragged, the middle. */
  pointer(camera, state) {
    const { pen } = this;
    const { drag } = state;
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
    if (drag?.isLine) this.line(drag, camera);
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

/** Adds an arrow between two pixels to a path. */
function arrow(pen, from, to) {
  pen.moveTo(from.x, from.y);
  pen.lineTo(to.x, to.y);
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const head = Math.min(11, Math.hypot(to.x - from.x, to.y - from.y) / 2);
  for (const turn of [2.6, -2.6]) {
    pen.moveTo(to.x, to.y);
    pen.lineTo(to.x + Math.cos(angle + turn) * head, to.y + Math.sin(angle + turn) * head);
  }
}

/** Whether the portals of the route alone are shown: so many lie so near each other. */
export const hasRoutePortals = (layers, camera) => layers.has("portals") && camera.scale < PORTALS;

/** Whether there is anything to draw. */
const isNeeded = (store, camera, layers, { life, drag, crosshair, flashes }) =>
  flashes.length > 0 || (store.life !== null && life !== null) || drag?.kind === "select" || drag?.isLine || crosshair
  || (layers.has("links") && store.stages.some((stage) => stage.links.length > 0))
  || ((hasRoutePortals(layers, camera) || ["route", "windows"].some((name) => layers.has(name))) && store.stages.some((stage) => stage.route));

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
