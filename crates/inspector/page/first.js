// The first minute: a sentence on what is seen, and three things to try.

import { LOOK } from "./banners.js";
import { element, worded } from "./panels.js";
import { computed } from "./store.js";

/** Cells of work from which on it is told how far it has come. */
const LONG = 800_000;

export class First {
  constructor(store, state, act) {
    this.store = store;
    this.state = state;
    this.act = act;
    this.sentence = document.getElementById("sentence");
    this.tries = document.getElementById("tries");
    this.chips = [
      ["go", worded("Click the map: the nearest army goes there"), "Every click sends the army nearest to it", () => this.begin("go", "Now click or tap open ground.")],
      ["wall", "Draw a wall", "Drag over the map; the armies find a way round it", () => { act.wall(); this.begin("paint", "Now drag over the map. Undo takes it back."); }],
      ["flow", "Show the directions", "The arrows that units follow, near an army", () => act.directions()],
    ].map(([name, textContent, title, onclick]) => element("button", { className: "chip", textContent, title, onclick, "data-try": name }));
    const close = element("button", { className: "icon", textContent: "×", title: "Hide these", "aria-label": "Hide what to try", onclick: () => { this.tries.hidden = true; act.resize(); } });
    for (const name of ["figures", "catalogue", "orders", "hello"]) store.addEventListener(name, () => this.draw());
    this.tries.append(element("span", { textContent: "Try:" }), ...this.chips, close);
  }

  /** Changes the mode and says what to do next. */
  begin(mode, text) {
    this.act.mode(mode);
    this.act.panels.note({ tone: "done", text });
  }

  /** Says what is seen now, and what is switched on. */
  draw() {
    const { store, state, chips: [go, wall, flow] } = this;
    const [stage] = store.stages;
    if (!stage) return;
    const known = state.quiet.has("loaded") ? "" : share(stage, state.layers.has("loaded"), store.status.quality);
    const text = [this.seen(stage), worked(stage) || known].filter(Boolean).join(" ");
    document.getElementById("progress")?.remove();
    if (this.sentence.textContent !== text) {
      this.sentence.textContent = text;
      this.sentence.title = `${text} A sector is a square of 10×10 cells, which is computed as a whole.`;
    }
    const click = worded(hasUnits(stage) ? "Click the map: the nearest army goes there" : "Click the map: set a goal");
    if (go.textContent !== click) go.textContent = click;
    const isWall = state.mode === "paint" && state.paint.what === "brush 0";
    for (const [chip, isOn] of [[go, state.mode === "go"], [wall, isWall], [flow, state.layers.has("flow")]]) {
      chip.setAttribute("aria-pressed", String(isOn));
    }
  }

  seen(stage) {
    const { store } = this;
    const [name] = stage.title.split(", ");
    const scene = store.catalogue.scenes.find((one) => one.name === name);
    if (scene) return `${capital(scene.about)}${store.stages.length > 1 ? ", with two settings" : ""}.`;
    if (!store.isStudio) return stage.title ? `${stage.title}.` : "";
    const isAsWas = stage.orders.length === 3 && stage.orders.every((order) => order.given === 0);
    if (stage.title.startsWith("country") && isAsWas) return "Three armies march home.";
    const units = stage.units.total, orders = stage.orders.length;
    const count = (number, one) => `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;
    if (units > 0 && orders > 0) return `${count(units, "unit")} with ${orders === 1 ? "one order" : count(orders, "order")}.`;
    if (units > 0) return `${count(units, "unit")} without an order.`;
    if (orders > 0) return "A goal without units: add some with the right button or a long press.";
    return "A map without units.";
  }
}

/** What is being computed, if that takes long. */
function worked({ figures, work }) {
  if (!(work >= LONG)) return "";
  return `Computing ${figures[3] === 1 ? "an order" : `${figures[3]} orders`}: ${Math.round(work).toLocaleString("en")} cells so far.`;
}

/** How much of the map is computed. */
function share(stage, isTinted, quality) {
  const part = computed(stage)?.part;
  if (part === undefined) return "";
  if (part === 0) return "Nothing is computed before an order needs it.";
  // That is said where it was asked for, and would not be expected.
  if (part > 0.995) return quality > 0 ? "All of the map is computed." : "";
  const percent = part < 0.01 ? "less than 1 %" : `${Math.round(part * 100)} %`;
  return isTinted ? `Only the coloured sectors, ${percent} of the map, are computed.` : `Only ${percent} of the map is computed.`;
}

/** Whether there are units that march: more than the probe units. */
export const hasUnits = (stage) => (stage?.units.total ?? 0) > stage?.orders.filter(({ banner }) => banner === LOOK).reduce((sum, { units }) => sum + units, 0);

const capital = (text) => text[0].toUpperCase() + text.slice(1);
