// The timeline of orders, and the life of one.

import { frontier } from "./overlay.js";
import { css } from "./picture.js";
import { say } from "./wire.js";

export class Time {
  constructor(store, state, redraw) {
    this.store = store;
    this.state = state;
    this.canvas = document.getElementById("timeline");
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
    store.addEventListener("life", () => {
      if (!store.life) {
        state.life = null;
        this.life.hidden = true;
        this.canvas.hidden = false;
        redraw();
        return;
      }
      state.life = store.life.slices.length - 1;
      this.slider.max = String(store.life.slices.length - 1);
      this.slider.value = this.slider.max;
      document.getElementById("life-order").value = `${store.life.order}`;
      this.life.hidden = false;
      this.canvas.hidden = true;
      this.tellLife();
      redraw();
    });
  }

  ask(order) { this.store.say(say.life(order)); }

  tellLife() {
    const { slices } = this.store.life;
    const at = this.state.life;
    const slice = slices[at];
    const sum = (name) => slices.slice(0, at + 1).reduce((sum, one) => sum + one[name].length, 0);
    const sight = slice.sight.reduce((sum, run) => sum + run.cells, 0);
    const told = {
      0: "given, nothing is done yet",
      1: `search, ${sum("taken")} portals taken, ${frontier(slices.slice(0, at + 1)).length} seen`,
      2: `load, ${sum("loaded")} sectors loaded`,
      3: `integrate, ${sum("settled")} of ${sum("loaded")} sectors settled, ${slice.waiting.length} wait`,
      4: `patch, ${sum("settled")} of ${sum("loaded")} sectors settled`,
      5: `flow, directions in ${sum("loaded")} sectors`,
      6: `sight, ${sight.toLocaleString("en")} cells see the goal`,
      7: `freed, ${slice.freed.length} sectors`,
    }[slice.stage];
    document.getElementById("life-text").value = `${Number(slice.cells).toLocaleString("en")} cells of work: ${told}`;
  }

  draw(ratio) {
    const stage = this.store.stages[0];
    if (!stage || this.canvas.hidden) return;
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (this.canvas.width !== Math.round(width * ratio)) this.canvas.width = Math.round(width * ratio);
    if (this.canvas.height !== Math.round(height * ratio)) this.canvas.height = Math.round(height * ratio);
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const style = getComputedStyle(document.documentElement);
    const soft = style.getPropertyValue("--soft"), line = style.getPropertyValue("--line");
    const lanes = [...stage.timeline.values()].slice(-5);
    const now = Math.max(1, stage.tick);
    const first = Math.min(now, ...lanes.map((order) => order.given));
    const from = Math.max(first, now - 6000), span = Math.max(200, now - from);
    const left = 98, right = width - 12;
    const at = (tick) => left + ((Math.max(from, tick) - from) / span) * (right - left);
    pen.font = "10px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const axis = height - 13;
    const each = Math.min(11, (axis - 3) / Math.max(1, lanes.length));
    lanes.forEach((order, row) => {
      const y = 1 + row * each, thick = Math.max(3, each - 3);
      const end = at(order.end ?? now), ready = Math.min(end, !this.store.isStudio ? at(order.given) : order.ready === 0xffffffff ? end : at(order.ready));
      pen.fillStyle = line;
      pen.fillRect(at(order.given), y, Math.max(2, ready - at(order.given)), thick);
      pen.fillStyle = css(order.banner);
      pen.globalAlpha = order.end === null ? 0.95 : 0.4;
      pen.fillRect(ready, y, Math.max(2, end - ready), thick);
      pen.globalAlpha = 1;
      pen.fillStyle = soft;
      pen.textAlign = "right";
      if (each >= 7) pen.fillText(`order ${order.number}`, left - 8, y + thick / 2);
    });
    pen.fillStyle = soft;
    pen.textAlign = "left";
    if (lanes.length === 0) pen.fillText("Orders over time: none yet", left, axis / 2);
    const ends = this.store.status.replayEnds;
    pen.fillText(ends ? `replay, ${now} of ${ends}` : `tick ${now}`, 4, height - 6);
    pen.fillStyle = line;
    pen.fillRect(left, axis, right - left, 1);
    pen.fillStyle = soft;
    pen.textAlign = "center";
    const step = [50, 100, 200, 500, 1000, 2000].find((size) => span / size <= 8) ?? 5000;
    for (let tick = Math.ceil(from / step) * step; tick <= from + span; tick += step) {
      pen.fillRect(at(tick), axis - 2, 1, 5);
      const text = tick.toLocaleString("en");
      const wide = pen.measureText(text).width / 2;
      pen.fillText(text, Math.min(at(tick), width - wide - 1), height - 4);
    }
  }
}
