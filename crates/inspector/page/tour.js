// The tour: what the page shows, in a few steps with Next.

import { LOOK } from "./banners.js";
import { element, worded } from "./panels.js";
import { computed, isNamed } from "./store.js";
import { say } from "./wire.js";

/** The stages of an order's making, by the numbers of its slices. */
const GIVEN = 0, SEARCH = 1, SETTLED = 4, FREED = 7;
/** Milliseconds that a part of an order's making is shown in. */
const PART = 2600;
/** Cells of two sectors, with some around them. */
const TWO_SECTORS = [22, 13];
/** Cells ahead of an army at which directions are shown: it is about to come there. */
const AHEAD = 14;
/** Milliseconds in which notes come of what a step has asked for: its text says that. */
const OWN_NOTES = 1500;
/** Cells of work in a tick, as at first. */
const BUDGET = 20000;
/** Cells that an army has to go at least, so that the making of its order is worth a look. */
const FAR = 100;

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

/** A step on the country: it stays if an army is on its way. */
const country = { stage: "country", ask: (tour) => tour.map("country", 1000, 1000), serves: (tour) => tour.marching().length > 0 };

/** The steps. `stage` names what a step shows, and `ask` asks for it: always, unless what is
 * shown `serves`. The step begins once it is there. */
const STEPS = [
  {
    title: "Three armies on the march",
    text: "Each colour is an army of 1,000 going home. Only the coloured squares are computed; the rest of the map is never looked at. Click the map: the nearest army goes there.",
    ...country,
    serves: (tour) => tour.isAsWas(),
    live: ({ computed, waited }) => `${Math.round(100 * computed.part)} % is computed.${waited ? ` The last order was ready in ${waited} ms.` : ""}`,
    longest: { computed: { part: 1 }, waited: 9999 },
  },
  { title: "An order: 1, the goal", text: "It is made from the goal outwards. What follows is the making of one army's order, slowed down.", ...country, layers: [], begin: (tour) => tour.making(GIVEN, GIVEN) },
  { title: "2, a search over portals", text: "The map is cut into squares of 10×10 cells. Where one can cross from one to the next is a portal. The search goes from portal to portal and never looks at a cell.", ...country, layers: ["units", "links"], begin: (tour) => tour.making(GIVEN, SEARCH) },
  { title: "3, cost-to-go as a wave", text: "Only the squares on the routes are loaded. From the goal a wave runs through them, and each cell learns what it costs to reach the goal.", ...country, begin: (tour) => tour.making(SEARCH + 1, SETTLED, () => tour.near(true, "integration", "numbers")) },
  { title: "4, directions", text: "Each of these cells now points to its cheapest neighbour. A unit reads one byte and walks: a thousand units cost no more than one.", ...country, begin: (tour) => tour.near(false, "flow") },
  { title: "5, freed", text: "When the order ends, its squares are freed. What stays is the graph of portals, which all orders share.", ...country, layers: ["units", "links", "graph"], begin: (tour) => tour.making(FREED, FREED, () => tour.endMaking(), PART) },
  {
    title: "Draw a wall",
    text: "Drag on the map, across a way that an army takes. Only the squares near the wall are looked at again, and the armies that came this way take another.",
    ...country,
    begin: ({ app }) => { app.wall(); app.mode("paint"); },
  },
  { title: "Drop a bridge", text: "Half-way through the march the bridge falls. The column that was heading for it turns round as soon as its order is repaired.", stage: "bridge", ask: (tour) => tour.scene("bridge") },
  {
    title: "The whole map, beside a corridor",
    text: "First only the corridors of the armies' routes are computed; press the button, and all of the map is. The paths are the same to a few parts in ten thousand.",
    ...country,
    buttons: [["The whole map", (tour) => tour.quality(2)], ["The corridor", (tour) => tour.quality(0)]],
    live: (tour) => `${tour.computed.cells.toLocaleString("en")} cells are computed${tour.store.stages[0]?.figures[3] > 0 ? `, ${tour.store.status.budget.toLocaleString("en")} more a tick` : ""}.`,
    part: (tour) => tour.computed.part,
  },
  { title: "A tunnel, without and with crowds", text: "Two groups meet head on in a tunnel of four cells. The second time they read the crowd, and so form lanes.", stage: "crowd-tunnel", ask: (tour) => tour.scene("crowd-tunnel", "ahead", "crowd") },
  { title: "An open field, without and with crowds", text: "The same on open ground: with crowds they go round one another before they meet.", stage: "crowd-open", ask: (tour) => tour.scene("crowd-open", "ahead", "crowd") },
  { title: "20,000 units", text: "One order, twenty thousand bodies that push and make room, twenty times a second, in this page.", stage: "open", layers: ["units", "trails"], ask: (tour) => tour.many(20000) },
  {
    title: "Your own map, your own battle",
    text: "Open a picture (white is open, black is wall), a Tiled map or a Moving AI map, or drop it on the page. A link carries everything that you did: everyone who opens it sees exactly the same battle. A situation can be copied as a test.",
    stage: "rooms",
    ask: (tour) => tour.map("rooms", 60, 40),
    isOfAny: true,
    buttons: [["Open a map…", () => document.getElementById("file").click()], ["Copy a link", (tour) => tour.app.save("link")], ["Copy as a test", (tour) => tour.app.save("test")]],
  },
  { title: "In your game", text: "The engine is a Rust crate, without a frame, a clock or threads of its own:", code: CODE },
];

/** A cell that an order's army is about to come to: on the path of the unit that is first. */
function ahead({ paths }, { banner, goal }) {
  const far = ({ points: [[x, y]] }) => Math.hypot(x - goal.x, y - goal.y);
  const [first] = paths.filter((path) => path.banner === banner).sort((one, other) => far(one) - far(other));
  let [from, ...rest] = first?.points ?? [[goal.x, goal.y]], left = AHEAD;
  for (const to of rest) {
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]), part = Math.min(1, left / long);
    from = [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
    left -= long;
    if (left <= 0) break;
  }
  return { x: from[0], y: from[1] };
}

export class Tour {
  constructor(store, app) {
    this.store = store;
    this.app = app;
    this.box = document.getElementById("tour");
    this.at = null;
    this.known = new Map();
    store.addEventListener("orders", () => { this.measure(); this.proceed(); });
    store.addEventListener("life", () => this.lived());
    // The making of an order that has ended is refused.
    store.addEventListener("note", ({ detail }) => { if (detail.tone === "refused") this.awaits = false; });
    store.addEventListener("hello", () => this.arrived());
    store.addEventListener("figures", () => this.showFigures());
    document.getElementById("tour-open").onclick = () => this.show(0);
  }

  /** Begins once there is something to show. */
  soon() {
    const { tries } = this.app.first;
    tries.hidden = true;
    this.store.addEventListener("orders", () => {
      tries.hidden = false;
      if (this.at === null) this.show(0);
    }, { once: true });
  }

  /** Takes back what the last step switched on. */
  leave() {
    const { app } = this, { state } = app;
    this.endMaking();
    if (state.loops) app.loops();
    if (state.mode === "paint") app.mode("go");
    if (this.hasOwnLayers) app.layers(app.usual);
    this.hasOwnLayers = false;
  }

  /** Looks at two sectors, at the goal or ahead of the army, with some layers. */
  near(isGoal, ...names) {
    const { app } = this, { camera } = app, [stage] = this.store.stages;
    this.endMaking();
    const order = this.watched();
    if (!order) return;
    const { x, y } = isGoal ? order.goal : ahead(stage, order);
    app.layers(["units", "links", ...names]);
    Object.assign(camera, { x, y, scale: Math.min(camera.width / TWO_SECTORS[0], camera.height / TWO_SECTORS[1]), wanted: null });
    app.moved();
    this.hasOwnLayers = true;
  }

  /** Shows a step. */
  show(at) {
    this.leave();
    this.at = at;
    const step = STEPS[at];
    const button = (text, act, more = {}) => element("button", { textContent: text, onclick: act, ...more });
    const live = element("span", { className: "live" });
    this.live = step.live ? live : null;
    this.bar = step.part ? element("progress", { "aria-label": "How much of the map is computed" }) : null;
    this.box.replaceChildren(
      element("div", { className: "row" }, element("h2", { textContent: step.title }),
        ...(step.buttons ?? []).map(([text, act]) => button(text, () => act(this))),
        element("span", { className: "empty", textContent: `${at + 1} of ${STEPS.length}` }),
        button("Back", () => this.show(at - 1), { disabled: at === 0 }),
        at + 1 < STEPS.length ? button("Next", () => this.show(at + 1), { className: "main" }) : button("End", () => this.close(), { className: "main" }),
        button("×", () => this.close(), { className: "icon", title: "End the tour", "aria-label": "End the tour" })),
      element("p", {}, `${worded(step.text)} `, ...(step.live ? [live] : []), ...(this.bar ? [" ", this.bar] : [])),
      ...(step.code ? [element("pre", { textContent: step.code })] : []),
    );
    this.box.hidden = false;
    document.body.classList.add("touring");
    if (step.longest) this.reserve(step);
    this.isBegun = false;
    this.begun = performance.now();
    if (step.stage) {
      if (!step.serves || !this.isThere(step)) step.ask(this);
      else if (this.store.status.quality !== 0) this.quality(0);
      for (const one of [say.speed(1), say.budget(BUDGET), say.select(-9, -9, -9, -9), say.resume()]) this.app.say(one);
    }
    this.proceed();
    this.showFigures();
  }

  /** Whether what a step shows is there, and nothing else was asked for since. */
  isThere({ stage, serves }) {
    const { asked, stages: [first], status } = this.store;
    return asked === null && status.replayEnds === 0 && isNamed(first, stage) && (serves?.(this) ?? true);
  }

  /** Begins the step once what it shows is there. */
  proceed() {
    const step = STEPS[this.at];
    // Orders of another quality are given anew, and come after it.
    if (!step || this.isBegun || this.store.status.quality !== 0 || !this.isThere(step)) return;
    this.isBegun = true;
    this.begun = performance.now();
    const { app } = this, { state } = app;
    Object.assign(state, { chosen: null, drag: null });
    app.panels.fresh();
    if (state.on !== 0) app.look(0);
    app.layers(step.layers ?? app.usual);
    this.hasOwnLayers = step.layers !== undefined;
    app.mode("go");
    app.camera.fit();
    app.moved();
    step.begin?.(this);
  }

  /** Keeps room for the longest that a step may say: more words are not to move the map. */
  reserve({ live, longest }) {
    this.live.textContent = live(longest);
    const told = this.live.parentElement;
    told.style.minHeight = `${told.offsetHeight}px`;
  }

  close() {
    this.leave();
    this.at = null;
    this.live = null;
    this.bar = null;
    this.box.hidden = true;
    document.body.classList.remove("touring");
  }

  /** Whether a note tells what the step says, which it has asked for. */
  get asksItself() { return this.at !== null && (this.store.asked !== null || performance.now() < this.begun + OWN_NOTES); }

  /** A new map or scene is there. */
  arrived() {
    if (!this.store.stages[0]?.isFresh) return;
    // Orders are numbered anew.
    this.known.clear();
    this.waited = null;
    this.awaits = false;
    // What is begun again goes on as the user has it.
    if (!this.app.isAgain) this.isBegun = false;
  }

  /** The user asks for something else: the card is not to speak over it of what was there. */
  elsewhere() {
    const step = STEPS[this.at];
    if (step?.stage && !step.isOfAny) this.close();
  }

  showFigures() {
    const step = STEPS[this.at];
    if (this.live) this.live.textContent = step.live(this);
    if (this.bar) this.bar.value = step.part(this);
  }

  /** The orders of armies that are far from their goals, or wait for their directions. */
  marching() {
    const { orders, paths } = this.store.stages[0];
    const isFar = ({ points: [[x, y]] }, goal) => Math.hypot(goal.x - x, goal.y - y) > FAR;
    const goes = ({ banner, ready, goal }) => ready === null || paths.some((path) => path.banner === banner && isFar(path, goal));
    return orders.filter((order) => order.banner !== LOOK && goes(order));
  }

  /** Whether all three armies are still on their way home. */
  isAsWas() {
    const orders = this.marching();
    return orders.length === 3 && orders.every(({ given }) => given === 0);
  }

  /** How much is computed. */
  get computed() { return computed(this.store.stages[0]) ?? { cells: 0, part: 0 }; }

  /** Notes how long orders wait for their directions, from when the page knows of them. */
  measure() {
    const now = performance.now(), [stage] = this.store.stages;
    // What was given at the very start was given together.
    if (!stage || stage.tick < 60) return;
    for (const { number, ready } of stage.orders) {
      const since = this.known.get(number);
      if (ready === null) { if (since === undefined) this.known.set(number, now); }
      else if (since > 0) {
        this.waited = Math.max(1, Math.round(now - since));
        this.known.set(number, 0);
      }
    }
    this.showFigures();
  }

  number(list, name) { return this.store.catalogue[list].findIndex((one) => (one.name ?? one) === name); }

  map(name, width, height, hasArmy = true) { this.store.ask(name, say.newMap(this.number("maps", name), width, height, 8, hasArmy)); }

  /** Plays a scene again and again. */
  scene(name, reading, beside) {
    if (!this.app.state.loops) this.app.loops();
    const read = (one) => (one ? this.number("readings", one) : 255);
    this.store.ask(name, say.scene(this.number("scenes", name), read(reading), read(beside), 8));
  }

  /** Has paths of another quality computed, on pause too. */
  quality(number) {
    this.begun = performance.now();
    this.app.say(say.resume());
    this.app.say(say.quality(number));
  }

  many(count) {
    const { app } = this;
    this.map("open", 400, 400, false);
    app.say(say.place({ x: 100, y: 100 }, count));
    app.say(say.select(0, 0, 400, 400));
    app.say(say.send({ x: 330, y: 300 }));
    app.say(say.select(-1, -1, -1, -1));
  }

  /** The order of an army on the march that is watched; it is chosen, if there is one. */
  watched() {
    const orders = this.marching(), chosen = this.app.chosen(this.store.stages[0]);
    const order = orders.includes(chosen) ? chosen : orders.at(-1);
    if (order && order !== chosen) this.app.choose(order.number);
    return order;
  }

  /** Shows the making of an order from one stage to another, and some milliseconds later what
   * comes after it. */
  making(from, to, then, after = PART / 3) {
    this.part = { from, to, then, after };
    const order = this.watched();
    if (this.awaits || !order) return;
    this.awaits = true;
    this.app.life(order.number);
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
    const { from, to, then, after } = this.part;
    const at = life.slices.map((slice, at) => [slice.stage, at]).filter(([stage]) => stage >= from && stage <= to).map(([, at]) => at);
    if (at.length === 0) return;
    let next = 0;
    const step = () => {
      this.app.time.go(at[next]);
      next += 1;
      if (next < at.length) return;
      clearInterval(this.timer);
      if (then) this.timer = setTimeout(then, after);
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
