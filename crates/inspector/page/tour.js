// The tour: what the page shows, in a few steps with Next.

import { element } from "./panels.js";
import { computed } from "./store.js";
import { say } from "./wire.js";

/** The stages of an order's making, by the numbers of its slices. */
const GIVEN = 0, SEARCH = 1, SETTLED = 4, FLOW = 5, FREED = 7;
/** Milliseconds that a part of an order's making is shown in. */
const PART = 2600;

/** An order in a program: as in README.md. */
export const CODE = `let mut map = CostMap::open(600, 400)?; // open ground: cost 1 everywhere
map.edit(CellRect::new(200, 0, 30, 300), Cost::new(6)?)?; // a ridge
map.edit(CellRect::new(400, 50, 2, 350), Cost::WALL)?; // a wall
let mut world = FlowWorld::new(map);

let goal = Cell::new(580, 380);
let mut units = [Cell::new(5, 5), Cell::new(20, 390), Cell::new(310, 200)];
let order = world.order(goal, &units)?;
while units.iter().any(|unit| *unit != goal) {
    world.tick(Budget::cells(4_000)); // bounded work, counted in cells
    for unit in &mut units {
        match world.sample(&order, *unit) {
            Sample::OffRoute => world.cover(&order, *unit)?, // pushed off the route
            sample => *unit = sample.direction().map_or(*unit, |step| unit.step(step)),
        }
    }
}
drop(order); // the next tick frees its sectors`;

const country = (tour) => tour.map("country", 1000, 1000);
const STEPS = [
  {
    title: "Three armies on the march",
    text: "Each colour is an army of 1,000 on its way home. Only the coloured squares were computed for it, and all else of the map was never looked at. Click open ground: the nearest army goes there.",
    begin: (tour) => { if (!tour.isCountry()) country(tour); },
    live: (tour) => `${Math.round(100 * tour.computed.part)} % of the map is computed.${tour.waited ? ` The last order was ready in ${tour.waited} ms.` : ""}`,
  },
  { title: "An order: 1, the goal", text: "It is made from the goal outwards. What follows is the making of one army's order, slowed down.", begin: (tour) => tour.making(GIVEN, GIVEN), needs: country },
  { title: "2, a search over portals", text: "The map is cut into squares of 10×10 cells. Where one can cross from one to the next is a portal. The search goes from portal to portal and never looks at a cell.", begin: (tour) => tour.making(GIVEN, SEARCH), needs: country },
  { title: "3, cost-to-go as a wave", text: "Only the squares on the routes are loaded. From the goal a wave runs through them, and each cell learns what it costs to reach the goal.", begin: (tour) => tour.making(SEARCH + 1, SETTLED), needs: country },
  { title: "4, directions", text: "Each of these cells now points to its cheapest neighbour. A unit reads one byte and walks: a thousand units cost no more than one.", begin: (tour) => { tour.making(FLOW, FREED - 1); tour.flow(); }, needs: country },
  { title: "5, freed", text: "When the order ends, its squares are freed. What stays is the graph of portals.", begin: (tour) => tour.making(FREED, FREED), needs: country },
  {
    title: "Draw a wall",
    text: "Drag on the map, across a way that an army takes. Only the squares near the wall are looked at again, and the armies that came this way take another.",
    begin: (tour) => tour.app.wall(),
    needs: country,
  },
  { title: "Drop a bridge", text: "Half-way through the march the bridge falls. The column that was heading for it turns round as soon as its order is repaired.", begin: (tour) => tour.scene("bridge") },
  {
    title: "The whole map, beside a corridor",
    text: "The armies' orders twice over. First only the corridors of their routes; press the button, and every cell of the map is computed for them. The paths are the same to a few parts in ten thousand.",
    needs: country,
    buttons: [["The whole map", (tour) => tour.quality(2)], ["The corridor", (tour) => tour.quality(0)]],
    live: (tour) => `${tour.computed.cells.toLocaleString("en")} cells are computed${tour.store.stages[0]?.figures[3] > 0 ? ", and more are under way" : ""}.`,
  },
  { title: "A tunnel, without and with crowds", text: "Two groups meet head on in a tunnel of four cells. On the right they read the crowd, and so form lanes. Click: the first group goes there.", begin: (tour) => tour.scene("crowd-tunnel", "ahead", "crowd") },
  { title: "An open field, without and with crowds", text: "The same on open ground: on the right they go round one another before they meet.", begin: (tour) => tour.scene("crowd-open", "ahead", "crowd") },
  { title: "20,000 units", text: "One order, twenty thousand bodies that push and make room, twenty times a second, in this page.", begin: (tour) => tour.many(20000) },
  {
    title: "Your own map, your own battle",
    text: "Drop a picture (white is open, black is wall), a Tiled map or a Moving AI map on the page. A link carries everything that you did: whoever opens it sees the same battle, to the last bit. A situation can be copied as a test.",
    begin: (tour) => tour.map("rooms", 60, 40),
    buttons: [["Open a map…", () => document.getElementById("file").click()], ["Copy a link", (tour) => tour.app.save("link")], ["Copy as a test", (tour) => tour.app.save("test")]],
  },
  { title: "In your game", text: "The engine is a Rust crate, without a frame, a clock or threads of its own:", code: CODE },
];

export class Tour {
  constructor(store, app) {
    this.store = store;
    this.app = app;
    this.box = document.getElementById("tour");
    this.at = null;
    this.known = new Map();
    store.addEventListener("orders", () => this.measure());
    store.addEventListener("life", () => this.lived());
    store.addEventListener("hello", () => this.arrived());
    store.addEventListener("figures", () => this.told());
    document.getElementById("tour-open").onclick = () => this.show(0);
  }

  /** Begins once there is something to show. */
  soon() {
    if (this.store.stages.length > 0) this.show(0);
    else this.queue = () => this.show(0);
  }

  /** Takes back what the last step switched on. */
  leave() {
    const { app } = this, { state } = app;
    this.endMaking();
    if (state.loops) app.loops();
    if (state.mode === "paint") app.mode("go");
    if (this.hasFlow && state.layers.has("flow")) app.layer("flow");
    this.hasFlow = false;
  }

  /** Switches the directions on. */
  flow() {
    if (this.app.state.layers.has("flow")) return;
    this.app.layer("flow");
    this.hasFlow = true;
  }

  /** Shows a step. */
  show(at) {
    this.leave();
    this.at = at;
    this.queue = null;
    const step = STEPS[at];
    const button = (text, act, more = {}) => element("button", { textContent: text, onclick: act, ...more });
    const live = element("p", { className: "live" });
    this.live = step.live ? live : null;
    this.box.replaceChildren(
      element("div", { className: "row" }, element("h2", { textContent: step.title }), button("×", () => this.close(), { className: "icon", title: "End the tour", "aria-label": "End the tour" })),
      element("p", { textContent: step.text }),
      ...(step.live ? [live] : []),
      ...(step.code ? [element("pre", { textContent: step.code })] : []),
      ...(step.buttons ? [element("div", { className: "buttons" }, ...step.buttons.map(([text, act]) => button(text, () => act(this))))] : []),
      element("div", { className: "row" },
        element("span", { className: "empty", textContent: `${at + 1} of ${STEPS.length}` }),
        ...(at > 0 ? [button("Back", () => this.show(at - 1))] : []),
        at + 1 < STEPS.length ? button("Next", () => this.show(at + 1), { className: "main" }) : button("End", () => this.close(), { className: "main" })),
    );
    this.box.hidden = false;
    if (step.needs && !this.isCountry()) {
      // The step begins once its map is there.
      this.queue = step.begin;
      step.needs(this);
    } else step.begin?.(this);
    this.told();
  }

  close() {
    this.leave();
    this.at = null;
    this.queue = null;
    this.live = null;
    this.box.hidden = true;
  }

  /** A map or scene that was asked for is there. */
  arrived() {
    if (this.store.stages[0]?.isFresh) {
      // Orders are numbered anew.
      this.known.clear();
      this.waited = null;
    }
    const { queue } = this;
    this.queue = null;
    if (queue) setTimeout(() => queue(this), this.at === null ? 0 : 700);
  }

  told() { if (this.live) this.live.textContent = STEPS[this.at].live(this); }

  isCountry() { return this.store.stages[0]?.title.startsWith("country"); }

  /** How much is computed. */
  get computed() { return computed(this.store.stages[0]) ?? { cells: 0, part: 0 }; }

  /** Notes how long orders wait for their directions, from when the page knows of them. */
  measure() {
    const now = performance.now(), [stage] = this.store.stages;
    // What was given at the very start was given together.
    if (!stage || stage.tick < 60) return;
    for (const { number, ready } of stage.orders) {
      const since = this.known.get(number);
      if (ready === 0xffffffff) { if (since === undefined) this.known.set(number, now); }
      else if (since > 0) {
        this.waited = Math.max(1, Math.round(now - since));
        this.known.set(number, 0);
      }
    }
    this.told();
  }

  number(list, name) { return this.store.catalogue[list].findIndex((one) => (one.name ?? one) === name); }

  map(name, width, height) { this.app.say(say.newMap(this.number("maps", name), width, height, 8, true)); }

  /** Plays a scene again and again. */
  scene(name, reading, beside) {
    if (!this.app.state.loops) this.app.loops();
    const read = (one) => (one ? this.number("readings", one) : 255);
    this.app.say(say.scene(this.number("scenes", name), read(reading), read(beside), 8));
    this.app.mode("go");
  }

  quality(number) { this.app.say(say.quality(number)); }

  many(count) {
    const { app } = this;
    app.say(say.newMap(this.number("maps", "open"), 400, 400, 8, false));
    app.say(say.place({ x: 100, y: 100 }, count));
    app.say(say.select(0, 0, 400, 400));
    app.say(say.send({ x: 330, y: 300 }));
    app.say(say.select(-1, -1, -1, -1));
    app.mode("go");
  }

  /** Shows the making of an order from one stage to another. */
  making(from, to) {
    this.part = { from, to };
    const order = this.app.chosen(this.store.stages[0]);
    if (this.store.life) this.play();
    else if (order && !this.awaits) {
      this.awaits = true;
      this.app.life(order.number);
    }
  }

  /** An order's making has come: one that was asked for before the tour went on is dropped. */
  lived() {
    const { awaits } = this;
    this.awaits = false;
    if (this.part) this.play();
    else if (awaits) this.endMaking();
  }

  play() {
    clearInterval(this.timer);
    const { life } = this.store;
    if (!life || !this.part) return;
    const { from, to } = this.part;
    const at = life.slices.map((slice, at) => [slice.stage, at]).filter(([stage]) => stage >= from && stage <= to).map(([, at]) => at);
    if (at.length === 0) return;
    let next = 0;
    const step = () => {
      this.app.time.go(at[next]);
      next += 1;
      if (next === at.length) clearInterval(this.timer);
    };
    this.timer = setInterval(step, PART / at.length);
    step();
  }

  endMaking() {
    clearInterval(this.timer);
    this.part = null;
    if (!this.store.life) return;
    this.store.life = null;
    this.store.changed("life");
  }
}
