// The timeline of orders, and the life of one.

import { frontier, waiting } from "./overlay.js";
import { css } from "./banners.js";
import { say } from "./wire.js";

/** Pixels of an order's bar with the room below it, at least and at most. */
const LANES = [9, 11];
/** Milliseconds between two drawings while the clock runs: bars grow by a pixel or two. */
const OFTEN = 200;

export class Time {
  constructor(store, state, redraw) {
    this.store = store;
    this.state = state;
    this.canvas = document.getElementById("timeline");
    this.axis = document.getElementById("axis");
    this.box = document.getElementById("time");
    this.life = document.getElementById("life");
    this.slider = document.getElementById("life-at");
    this.slider.oninput = () => {
      state.life = Number(this.slider.value);
      this.tellLife();
      redraw();
    };
    document.getElementById("life-close").onclick = () => {
      store.life = null;
      store.changed("life");
    };
    for (const name of ["hello", "status", "life"]) store.addEventListener(name, () => { this.drawn = null; });
    for (const name of ["units", "orders"]) store.addEventListener(name, () => { this.isLate = true; });
    store.addEventListener("life", () => {
      if (!store.life) {
        state.life = null;
        this.life.hidden = true;
        this.box.hidden = false;
        redraw();
        return;
      }
      state.life = store.life.slices.length - 1;
      this.slider.max = String(store.life.slices.length - 1);
      this.slider.value = this.slider.max;
      document.getElementById("life-order").value = `${store.life.order}`;
      this.life.hidden = false;
      this.box.hidden = true;
      this.tellLife();
      redraw();
    });
  }

  ask(order) { this.store.say(say.life(order)); }

  /** Shows a slice of the life. */
  go(at) {
    this.slider.value = String(at);
    this.slider.oninput();
  }

  tellLife() {
    const { slices } = this.store.life;
    const at = this.state.life;
    const slice = slices[at];
    const count = (name) => slices.slice(0, at + 1).reduce((sum, one) => sum + one[name].length, 0);
    const sum = (name) => count(name).toLocaleString("en"), many = (list) => list.length.toLocaleString("en");
    const sight = slice.sight.reduce((sum, { value }) => sum + value, 0);
    const told = {
      0: "given, nothing is done yet",
      1: `search, ${sum("taken")} portals taken, ${many(frontier(slices.slice(0, at + 1)))} seen`,
      2: `load, ${sum("loaded")} ${count("loaded") === 1 ? "sector" : "sectors"} loaded`,
      3: `integrate, ${sum("settled")} of ${sum("loaded")} sectors settled, ${many(waiting(slices.slice(0, at + 1)))} wait`,
      4: `patch, ${sum("settled")} of ${sum("loaded")} sectors settled`,
      5: `flow, directions in ${sum("loaded")} sectors`,
      6: `sight, ${sight.toLocaleString("en")} cells see the goal`,
      7: `freed, ${many(slice.freed)} sectors`,
    }[slice.stage];
    document.getElementById("life-text").value = `${Number(slice.cells).toLocaleString("en")} cells' worth of work: ${told}`;
  }

  draw(ratio) {
    const stage = this.store.stages[0];
    if (!stage || this.box.hidden) return;
    const known = [...stage.timeline.values()].map(({ number, ready, end }) => `${number} ${ready} ${end}`);
    const form = [this.canvas.clientWidth, ratio, document.documentElement.dataset.theme, ...known].join();
    if (this.drawn === form && !this.isLate) return;
    const time = performance.now();
    if (this.drawn === form && time - this.time < OFTEN) {
      this.timer ??= setTimeout(() => { this.timer = null; this.draw(this.ratio); }, OFTEN);
      return;
    }
    Object.assign(this, { drawn: form, isLate: false, time, ratio });
    // Those that go on are to be seen, whatever has ended since.
    const lanes = [...stage.timeline.values()].sort((one, other) => (one.end !== null) - (other.end !== null) || other.number - one.number);
    const room = parseFloat(getComputedStyle(this.canvas.parentElement).maxHeight), [least, most] = LANES;
    const lane = Math.max(least, Math.min(most, Math.floor(room / Math.max(1, lanes.length))));
    const height = Math.max(1, lanes.length) * lane;
    this.canvas.style.height = `${height}px`;
    const now = Math.max(1, stage.tick);
    const first = Math.min(now, ...lanes.map((order) => order.given));
    const from = Math.max(first, now - 6000), span = Math.max(200, now - from);
    const names = lanes.map((order) => `order ${order.number}`);
    const pen = prepared(this.canvas, height, ratio);
    const { left, right, at } = this.scale(pen, names, from, span);
    const style = getComputedStyle(document.documentElement);
    const soft = style.getPropertyValue("--soft"), line = style.getPropertyValue("--line");
    lanes.forEach((order, row) => {
      const y = row * lane + 1, thick = lane - 2;
      const end = at(order.end ?? now), isReady = this.store.isStudio ? order.ready !== null : true;
      const ready = Math.min(end, !isReady ? end : at(this.store.isStudio ? order.ready : order.given));
      pen.fillStyle = soft;
      pen.globalAlpha = 0.3;
      pen.fillRect(at(order.given), y, Math.max(2, ready - at(order.given)), thick);
      pen.fillStyle = css(order.banner);
      pen.globalAlpha = order.end === null ? 0.95 : 0.4;
      if (isReady) pen.fillRect(ready, y, Math.max(2, end - ready), thick);
      pen.globalAlpha = 0.5;
      // Colours as dark or as light as the page have an edge.
      pen.strokeStyle = soft;
      pen.lineWidth = 0.6;
      pen.strokeRect(at(order.given), y, Math.max(2, end - at(order.given)), thick);
      pen.globalAlpha = 1;
      pen.fillStyle = soft;
      pen.textAlign = "right";
      pen.fillText(names[row], left - 8, y + thick / 2 + 0.5);
    });
    pen.textAlign = "left";
    pen.fillStyle = soft;
    if (lanes.length === 0) pen.fillText("none yet", left, height / 2);
    this.drawAxis(ratio, { left, right, at, from, span, now, soft, line });
  }

  /** Where ticks lie: from the longest name to the right edge. */
  scale(pen, names, from, span) {
    const left = 18 + Math.max(72, ...names.map((name) => pen.measureText(name).width));
    const right = this.canvas.clientWidth - 12;
    return { left, right, at: (tick) => left + ((Math.max(from, tick) - from) / span) * (right - left) };
  }

  drawAxis(ratio, { left, right, at, from, span, now, soft, line }) {
    const pen = prepared(this.axis, 18, ratio);
    const ends = this.store.status.replayEnds;
    pen.fillStyle = soft;
    pen.fillText(ends ? `${now} of ${ends}` : `tick ${now}`, 4, 10);
    pen.fillStyle = line;
    pen.fillRect(left, 2, right - left, 1);
    pen.fillStyle = soft;
    pen.textAlign = "center";
    const step = [50, 100, 200, 500, 1000, 2000].find((size) => span / size <= 8) ?? 5000;
    for (let tick = Math.ceil(from / step) * step; tick <= from + span; tick += step) {
      pen.fillRect(at(tick), 0, 1, 5);
      const text = tick.toLocaleString("en");
      const wide = pen.measureText(text).width / 2;
      pen.fillText(text, Math.min(at(tick), right + 11 - wide), 12);
    }
  }
}

/** A canvas of a height, empty, and what draws on it. */
function prepared(canvas, height, ratio) {
  const width = canvas.clientWidth;
  const size = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== size[0]) canvas.width = size[0];
  if (canvas.height !== size[1]) canvas.height = size[1];
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = "10px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  return pen;
}
