// Mouse, fingers and keys.

import { say } from "./wire.js";
import { LOOK } from "./banners.js";
import { hasUnits } from "./first.js";
import { isOn } from "./store.js";
import { LAYERS } from "./panels.js";
import { brushed } from "./overlay.js";

/** Milliseconds after which a finger that rests is a right button. */
const LONG = 500;
/** Milliseconds between two messages of where the pointer aims. */
const AIMS = 100;
/** Modes in which dragging with the left button, or with a finger, moves the map. */
const MOVERS = ["go", "look"];
/** Cells and pixels from which on a drag is a line, and no click. */
const LINE_CELLS = 1.5, LINE_PIXELS = 8;

export class Input {
  constructor(canvas, app) {
    this.canvas = canvas;
    this.app = app;
    this.stroke = null;
    /** What the host was told last of what is aimed at. */
    this.told = "null";
    this.toldAt = 0;
    /** Whether the pointer is a finger, which rests nowhere. */
    this.isFinger = false;
    /** Where the fingers are, by pointer. */
    this.fingers = new Map();
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.cancel(event));
    canvas.addEventListener("pointerleave", (event) => this.leave(event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("focus", () => this.focus());
    canvas.addEventListener("blur", () => { app.state.crosshair = false; app.redraw(); });
    addEventListener("keydown", (event) => this.key(event));
    this.drop();
  }

  /** Where an event is: stage, pixel in the stage, cell. */
  place(event) {
    this.isFinger = event.pointerType === "touch";
    const box = this.canvas.getBoundingClientRect();
    const { camera } = this.app;
    const px = event.clientX - box.left, py = event.clientY - box.top;
    const stage = camera.stageAt(px, py), { left, top } = camera.corner(stage);
    const x = px - left, y = py - top, point = camera.toCell(x, y);
    return { stage, x, y, point, cell: { x: Math.floor(point.x), y: Math.floor(point.y) } };
  }

  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.app.state.crosshair = false;
    this.app.drawer("");
    if (event.pointerType === "touch" && this.touched(event)) return;
    const at = this.place(event);
    const { state } = this.app;
    const isRight = event.button === 2;
    const pans = event.button === 1 || event.altKey || (MOVERS.includes(state.mode) && event.button === 0) || (isRight && event.shiftKey);
    this.press = { at, x: event.clientX, y: event.clientY, button: event.button, moved: false, pans, last: null };
    if (isRight && !pans && this.drawsUp) this.aim(at);
    // A finger may be the first of two: it paints once it moves, or is lifted.
    if (event.pointerType !== "touch") this.begin();
  }

  /** Begins the stroke of a press in the mode Paint. */
  begin() {
    const { press } = this;
    if (this.app.state.mode !== "paint" || press.button !== 0 || press.pans || this.stroke !== null) return;
    this.stroke = Math.floor(Math.random() * 0xffffffff);
    this.paint(press.at.cell);
  }

  /** A finger is set down; whether it is the second or a later one. */
  touched(event) {
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    clearTimeout(this.rests);
    if (this.fingers.size > 1) {
      this.cancelPress();
      return true;
    }
    this.rests = setTimeout(() => {
      if (!this.press || this.press.moved) return;
      const { at } = this.press;
      if (this.drawsUp) {
        this.press.button = 2;
        this.aim(at);
        return;
      }
      this.cancelPress();
      this.act(at, true);
    }, LONG);
    return false;
  }

  /** What is ordered here: "send" the selected units, "march" of the nearest army, "click" for
   * all groups of a scene; null for nothing. */
  get order() {
    const { state, store: { isStudio, status, stages } } = this.app;
    if (!isStudio || status.replayEnds > 0 || state.placing) return null;
    if (state.mode === "go") return hasUnits(stages[0]) ? "march" : null;
    if (state.mode !== "play") return null;
    return status.selected > 0 ? "send" : status.takesClicks ? "click" : null;
  }

  /** Whether a drag with the right button is a line on which units draw up. */
  get drawsUp() { return ["march", "send"].includes(this.order); }

  /** A line is begun where the button was pressed, or leads from there. */
  aim(at) {
    const { state, camera } = this.app, { point: from } = this.press.at;
    const cells = Math.hypot(at.point.x - from.x, at.point.y - from.y);
    const isLine = cells >= LINE_CELLS && cells * camera.scale >= LINE_PIXELS;
    // What a line is for stays, whatever mode or selection comes while it is dragged.
    state.drag = { kind: "line", order: state.drag?.order ?? this.order, from, to: isLine ? at.point : from, isLine };
    this.app.redraw();
  }

  /** The order that is about to be given, by the line that is dragged or the pointer that rests. */
  get aimed() {
    const { state: { drag, hover }, store: { status, stages } } = this.app, order = drag?.order ?? this.order;
    if (order === null) return null;
    if (drag?.kind === "line" && (drag.isLine || order === "send")) return { [order]: [drag.from.x, drag.from.y, drag.to.x, drag.to.y] };
    const stage = stages[hover?.stage];
    // Other pages would see it, too.
    if (this.press || this.isFinger || !stage || status.watchers > 1) return null;
    const { x, y } = hover;
    if (x < 0 || y < 0 || x >= stage.width || y >= stage.height) return null;
    return { [order]: order === "click" ? { x, y } : [x + 0.5, y + 0.5, x + 0.5, y + 0.5] };
  }

  /** Tells the host what is aimed at, so that it shows where units would stop. */
  tellAim() {
    const { aimed } = this, key = JSON.stringify(aimed), now = performance.now();
    if (this.told === key) return;
    // Not each cell that the pointer crosses: for a large army it takes the host long.
    if (aimed && !this.press && now - this.toldAt < AIMS) {
      this.app.again();
      return;
    }
    Object.assign(this, { told: key, toldAt: now });
    this.app.say(say.aim(aimed));
  }

  /** Ends what was dragged; returns it. */
  endDrag() {
    const { state } = this.app, { drag } = state;
    state.drag = null;
    return drag;
  }

  /** Two fingers move and zoom the map; whether there are two. */
  pinch(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return false;
    const before = this.spread();
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    if (this.fingers.size < 2) return false;
    const after = this.spread();
    const { camera } = this.app, box = this.canvas.getBoundingClientRect();
    camera.pan(after.x - before.x, after.y - before.y);
    camera.zoomAtOnce(after.far / before.far, (after.x - box.left) % camera.width, (after.y - box.top) % camera.height);
    this.app.moved();
    return true;
  }

  /** The middle between two fingers, and how far apart they are. */
  spread() {
    const [one, two = one] = this.fingers.values();
    return { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2, far: Math.max(20, Math.hypot(one.x - two.x, one.y - two.y)) };
  }

  move(event) {
    if (this.pinch(event)) return;
    const at = this.place(event);
    const { state, camera } = this.app;
    const press = this.press;
    if (press) {
      const dx = event.clientX - press.x, dy = event.clientY - press.y;
      if (!press.moved && Math.hypot(dx, dy) > (event.pointerType === "touch" ? 10 : 4)) {
        press.moved = true;
        clearTimeout(this.rests);
        this.begin();
      }
      if (state.drag?.kind === "line") this.aim(at);
      else if (press.moved && (press.pans || press.button === 2)) {
        camera.pan(event.clientX - (press.lastX ?? press.x), event.clientY - (press.lastY ?? press.y));
        this.app.moved();
      } else if (press.moved && state.mode === "play" && press.button === 0) {
        state.drag = { kind: "select", from: { x: press.at.x, y: press.at.y }, to: { x: at.x, y: at.y }, stage: press.at.stage };
      } else if (this.stroke !== null) {
        this.paint(at.cell);
      }
      press.lastX = event.clientX;
      press.lastY = event.clientY;
    }
    this.hover(at);
  }

  hover({ stage, cell }) {
    const { state } = this.app;
    if (state.hover && state.hover.x === cell.x && state.hover.y === cell.y && state.hover.stage === stage) {
      if (state.drag) this.app.redraw();
      return;
    }
    state.hover = { ...cell, stage };
    this.app.say(say.hover(stage, cell));
    this.app.redraw();
  }

  up(event) {
    clearTimeout(this.rests);
    this.fingers.delete(event.pointerId);
    if (this.press && !this.press.moved) this.begin();
    const press = this.press;
    this.press = null;
    const drag = this.endDrag();
    this.endStroke();
    if (!press) return;
    this.app.gives();
    const at = this.place(event);
    if (drag?.isLine) this.app.say(say[drag.order === "march" ? "marchUp" : "drawUp"](drag.from.x, drag.from.y, drag.to.x, drag.to.y));
    else if (drag?.kind === "line") {
      this.hover(at);
      this.act(press.at, true);
    } else if (drag) {
      const { camera } = this.app;
      const a = camera.toCell(Math.min(drag.from.x, drag.to.x), Math.min(drag.from.y, drag.to.y));
      const b = camera.toCell(Math.max(drag.from.x, drag.to.x), Math.max(drag.from.y, drag.to.y));
      this.app.say(say.select(a.x, a.y, b.x, b.y));
    } else if (!press.moved) {
      this.hover(at);
      if (press.button === 0) this.act(at, event.shiftKey);
      if (press.button === 2) this.act(at, true);
    }
    this.app.redraw();
  }

  cancel(event) {
    this.fingers.delete(event.pointerId);
    this.cancelPress();
  }

  cancelPress() {
    clearTimeout(this.rests);
    this.press = null;
    this.endStroke();
    this.endDrag();
    this.app.redraw();
  }

  leave(event) {
    // What a finger has tapped stays what the panel describes.
    if (this.press || event.pointerType === "touch") return;
    this.app.state.hover = null;
    this.app.panels.cell();
    this.app.redraw();
  }

  /** A click: the left button, or the right one. */
  act({ cell, point, stage }, isRight) {
    const { state, store } = this.app, on = store.stages[stage];
    if (!on || cell.x < 0 || cell.y < 0 || cell.x >= on.width || cell.y >= on.height) return;
    if (!store.isStudio) {
      if (!isRight) this.app.explain(stage, cell);
      return;
    }
    if (MOVERS.includes(state.mode)) {
      const on = this.layerToLookOn();
      if (on !== null) this.app.say(say.ownLayer(on));
      const left = state.mode === "go" ? say.march : say.goal;
      this.app.say(isRight ? say.source(cell) : left(cell));
    } else if (state.mode === "play") {
      if (state.placing && !isRight) this.app.say(say.place(cell, state.placed));
      else if (isRight) this.app.say(say.send(cell));
      else if (store.status.takesClicks) this.app.say(say.click(cell));
      else this.app.say(say.select(point.x - 0.7, point.y - 0.7, point.x + 0.7, point.y + 0.7));
    } else if (isRight) this.app.explain(stage, cell);
  }

  /**
   * What is looked for is looked for on the layer that is shown: the layer to send the
   * host, or null if the order that looks is on it already. Without that order the page
   * does not know where the host looks.
   */
  layerToLookOn() {
    const [stage] = this.app.store.stages;
    if (stage.worldLayers.length <= 1) return null;
    const order = stage.orders.find(({ banner }) => banner === LOOK);
    return order && isOn(stage, order.on) ? null : stage.on;
  }

  paint(cell) {
    const { state } = this.app;
    const press = this.press;
    if (press.last && press.last.x === cell.x && press.last.y === cell.y) return;
    const brush = this.app.brush();
    const { what } = state.paint;
    if (brush.template) {
      if (!press.last) {
        const box = brushed(cell, brush);
        this.app.say(say.stamp(Number(what.slice(6)), brush.turns, { x: box.x, y: box.y }));
      }
    } else {
      for (const one of between(press.last ?? cell, cell, brush.size)) {
        const area = brushed(one, brush);
        this.app.say(this.painted(what, area));
        state.flashes.push({ area, since: performance.now() });
      }
      this.app.redraw();
    }
    press.last = cell;
  }

  /** What is said of an area under the brush. */
  painted(what, area) {
    const number = Number(what.slice(6));
    return say.paint(this.stroke, number, this.app.amount(number), area);
  }

  /** The stroke is over: it is one change, with one bill. */
  endStroke() {
    if (this.stroke === null) return;
    this.stroke = null;
    this.app.say(say.strokeEnd());
  }

  wheel(event) {
    event.preventDefault();
    const at = this.place(event);
    const lines = event.deltaMode === 1 ? 30 : 1;
    this.app.camera.zoom(Math.exp(-event.deltaY * lines * 0.0016), at.x, at.y);
    this.app.moved();
  }

  focus() {
    if (this.canvas.matches(":focus-visible")) {
      this.app.state.crosshair = true;
      this.app.redraw();
    }
  }

  key(event) {
    const { app } = this;
    const { state, store, camera } = app;
    const inField = event.target.closest?.("input, select, dialog");
    const isCommand = event.ctrlKey || event.metaKey;
    // In a list of the page, too, Space pauses: Enter and the arrows open it.
    const isPause = event.key === " " && event.target.tagName === "SELECT" && !event.target.closest("dialog");
    if (inField && !isPause && !/^F\d+$/.test(event.key)) return;
    const layer = LAYERS.find(([, , key, second]) => event.key === second || (!isCommand && event.key.toUpperCase() === key));
    const middle = { x: camera.width / 2, y: camera.height / 2 };
    const onMap = document.activeElement === this.canvas || document.activeElement === document.body;
    const done = () => { event.preventDefault(); app.redraw(); };
    if (layer && !event.altKey) { app.layer(layer[0], event.shiftKey); return done(); }
    if (isCommand && event.key.toLowerCase() === "z") { app.say(event.shiftKey ? say.redo() : say.undo()); return done(); }
    if (isCommand && event.key.toLowerCase() === "a" && state.mode === "play") {
      app.say(say.select(0, 0, camera.map.width, camera.map.height));
      return done();
    }
    if (isCommand && event.key.toLowerCase() === "y") { app.say(say.redo()); return done(); }
    if (isCommand || event.altKey) return;
    const pans = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] };
    if (onMap && pans[event.key]) {
      camera.pan(...pans[event.key]);
      state.crosshair = document.activeElement === this.canvas;
      app.moved();
      return done();
    }
    if (onMap && event.key === "Enter") {
      const point = camera.toCell(middle.x, middle.y);
      const cell = { x: Math.floor(point.x), y: Math.floor(point.y) };
      if (state.mode === "paint") {
        this.press = { last: null };
        this.stroke = Math.floor(Math.random() * 0xffffffff);
        this.paint(cell);
        this.press = null;
        this.endStroke();
      } else this.act({ cell, point, stage: 0 }, event.shiftKey);
      this.hover({ stage: 0, cell });
      return done();
    }
    const plain = {
      F10: () => app.say(say.replan()), "+": () => { camera.zoom(1.5, middle.x, middle.y); app.moved(); },
      "=": () => { camera.zoom(1.5, middle.x, middle.y); app.moved(); },
      "-": () => { camera.zoom(1 / 1.5, middle.x, middle.y); app.moved(); },
      Home: () => { camera.fit(); app.moved(); }, ".": () => app.say(say.step()), "?": () => app.help(),
      g: () => app.mode("go"), l: () => app.mode("look"), p: () => app.mode("play"), b: () => app.mode("paint"), t: () => app.theme(), y: () => app.why(),
      m: () => app.nextLayer(1), M: () => app.nextLayer(-1),
      Delete: () => app.clear(), Backspace: () => app.clear(),
      Escape: () => {
        if (state.drag?.kind === "line") { this.cancelPress(); return; }
        state.placing = false; app.panels.tools(); app.say(say.select(-9, -9, -9, -9));
      },
    };
    if (event.key === " " && (onMap || document.activeElement.tagName !== "BUTTON")) {
      app.say(store.status.isPaused ? say.resume() : say.pause());
      return done();
    }
    if (plain[event.key] && (store.isStudio || !["F10", ".", "Delete", "Backspace", "Escape"].includes(event.key))) {
      plain[event.key]();
      done();
    }
  }

  /** Files dropped on the page. */
  drop() {
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files?.[0];
      if (file) this.app.open(file);
    });
  }
}

/** Cells from one to another, near enough for a brush to leave no gap. */
function between(from, to, size) {
  const far = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
  const steps = Math.max(1, Math.ceil(far / Math.max(1, size / 2)));
  const cells = [];
  for (let at = far === 0 ? 0 : 1; at <= (far === 0 ? 0 : steps); at++) {
    const part = far === 0 ? 0 : at / steps;
    cells.push({ x: Math.round(from.x + (to.x - from.x) * part), y: Math.round(from.y + (to.y - from.y) * part) });
  }
  return cells;
}
