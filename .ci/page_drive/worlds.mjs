// Steps of the drive: crowds, links, movement layers, a large map.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { stage } from "./browser.mjs";

export async function worlds({ page, seen, step }) {
  const { say, note, drop } = page, { at, look, still, click, layers_on, layers_show, legend } = seen;

  const valley = readFileSync("docs/valley.map");
  step("crowd scenes: layers, discomfort, readings, two settings side by side");
  const scene = async (name, reading, beside) => {
    const list = await page.run("inspector.store.catalogue.scenes.map((one) => one.name)");
    const readings = await page.run("inspector.store.catalogue.readings");
    const of = (name) => (name ? readings.indexOf(name) : 255);
    await say(`scene(${list.indexOf(name)}, ${of(reading)}, ${of(beside)}, 1)`);
    await page.until(name, `${stage("title")}.split(",")[0] === "${name}" && ${stage("units.total")} > 0 && ${stage("tick")} > 25`, 40);
  };
  await say("speed(1)");
  await scene("crowd-swamp");
  assert.equal(await layers_on(), "links,trails,units", "no sectors on a small map, no paths that a crowd leaves");
  await page.until("trails", `${stage("trails.rows.length")} > 80 && /trail: where a unit went/.test(document.getElementById("legend").textContent)`);
  const walked = await page.run(`(() => { const [stage] = inspector.store.stages, now = [...stage.units.now.values()]; return stage.trails.parts.slice(-8).every(({ ends }) => now.some(({ x, y }) => Math.hypot(x - ends[2], y - ends[3]) < 4)); })()`);
  assert.ok(walked, "the last parts of trails end at units");
  await page.run(`inspector.mode("play")`);
  await page.paused();
  await layers_show(["9", "s", "d", "o"]);
  await page.move(...(await at(24, 30)));
  await page.until("what the crowd avoids", "inspector.store.cell?.x === 24 && inspector.store.cell.crowd.discomfort >= 4");
  await page.run(`(() => { inspector.mode("paint"); inspector.paints("brush " + inspector.store.catalogue.brushes.findIndex((one) => one.name.startsWith("discomfort"))); })()`);
  await page.until("the layer", `document.querySelector('[data-layer="discomfort"]').ariaPressed === "true"`);
  const calm = await look();
  await page.drag(await at(4, 8), await at(40, 8), "left", 12);
  await page.until("what was painted", "inspector.store.status.undos === 1 && inspector.store.value(0, 9, 20, 8) > 0");
  assert.notEqual(await look(), calm);
  await page.key("z", "Control");
  await page.until("nothing painted", "inspector.store.value(0, 9, 20, 8) === 0");
  await page.key("y", "Control");
  await page.until("it again", "inspector.store.value(0, 9, 20, 8) > 0");
  await page.key("d");
  await scene("crowd-open");
  await page.paused();
  await page.key("o");
  const potential = (order, cell) => page.run(`(() => {
    const block = [...inspector.store.stages[0].blocks.values()].find((one) => one.layer === 10 && one.order === ${order});
    return block ? inspector.store.value(0, 10, ${cell.x}, ${cell.y}) : null;
  })()`);
  for (const { number, goal, hasStream } of await page.run(stage("orders"))) {
    assert.ok(hasStream, `order ${number} reads the crowd`);
    await page.run(`inspector.choose(${number})`);
    await page.until("its potential", `[...inspector.store.stages[0].blocks.values()].some((one) => one.layer === 10 && one.order === ${number})`);
    const far = { x: 24 - goal.x, y: goal.y };
    const [here, there] = [await potential(number, goal), await potential(number, far)];
    assert.ok(here > 0 && here < there / 3, `order ${number}'s potential is lowest at its goal: ${here}, ${there}`);
    await page.until("its legend", `(inspector.draw(performance.now()), /Potential of order ${number}, in cells of open ground0, the goal\\d+/.test(document.getElementById("legend").textContent))`);
  }
  await page.key("o");
  await scene("crowd-open", "ahead", "crowd");
  await page.until("both settings", `inspector.store.stages.length === 2 && inspector.store.stages[1].tick > 25`);
  assert.deepEqual(await page.run("inspector.store.stages.map((one) => one.title)"), ["crowd-open, ahead", "crowd-open, crowd"]);
  await page.run(`inspector.mode("play")`);
  await click(18, 4);
  await page.until("blue there, red mirrored", `inspector.store.stages.every((one) => one.orders[0].goal.x === 18 && one.orders[0].banner === 0
    && one.orders[1].goal.x === one.width - 19 && one.orders[1].goal.y === 4 && one.orders[1].banner === 1)`);
  assert.deepEqual(await page.run("[inspector.camera.columns, inspector.camera.rows]"), [1, 2], "they are larger one below the other");
  assert.equal(await page.run(`document.getElementById("stages").textContent`), "without crowdswith crowds");
  const below = await page.run("(({ left, top, height }) => [left + inspector.camera.width / 2, top + height * 0.75])(inspector.map.getBoundingClientRect())");
  await page.move(...below);
  await page.until("the pointer is on the second", "inspector.state.hover?.stage === 1 && inspector.store.cell?.stage === 1");
  assert.equal(await page.run(`inspector.store.stages[0].layers >> 10 & 1`), 0, "nobody reads the crowd");
  await say("select(0, 0, 99, 99)");
  await page.until("all selected", `inspector.store.status.selected === ${await page.run(stage("units.total"))}`);
  await page.set("reads", 4);
  await note(/units read their field: crowd/);
  await page.until("the crowd's layers", "(inspector.store.stages[0].layers >> 10 & 1) === 1");

  step("windows in use");
  await drop("valley.map", valley);
  await page.until("valley.map", `${stage("title")} === "valley.map"`);
  await page.run(`inspector.mode("look")`);
  await click(92, 60);
  await click(5, 10, "right");
  await page.until("its route", `${stage("route.crossings.length")} > 5`);
  const over = () => page.run(`(() => { inspector.draw(performance.now()); return inspector.over.toDataURL(); })()`);
  const plain = await over();
  await page.key("u");
  assert.notEqual(await over(), plain, "windows are drawn");
  await page.key("u");

  step("links: drawn, listed for their cells");
  const no_links = await over();
  const hidden = () => page.run(`document.querySelector('[data-layer="links"]').hidden`);
  assert.equal(await hidden(), true, "the map has no links");
  // As a host tells them.
  const told = { number: 7, price: 250, entry: { x: 20, y: 30 }, exit: { x: 70, y: 60 }, width: 4, height: 2, isOnAll: true };
  await page.run(`inspector.store.hear({ kind: "links", stage: 0, links: [${JSON.stringify(told)}] })`);
  assert.equal(await hidden(), false, "the layer is offered");
  const drawn = await over();
  assert.notEqual(drawn, no_links, "the link is drawn");
  assert.match(await legend(), /entry of a link/);
  await page.move(...(await at(22, 31)));
  await page.until("its entry's facts", `/Link 7to 72, 61, price 250/.test(document.getElementById("cell").textContent)`);
  await page.move(...(await at(71, 60)));
  await page.until("its end's facts", `/Link 7from 21, 30, price 250/.test(document.getElementById("cell").textContent)`);
  await page.key("k");
  assert.equal(await over(), no_links, "the layer is off");
  await page.key("k");

  step("movement layers: walls, values and orders are those of the layer on view");
  await scene("classes");
  await page.paused();
  await page.run(`inspector.mode("look")`);
  await page.until("the ground and three layers, all with orders", `${stage("worldLayers")}?.length === 4 && ${stage("worldLayers")}.every((one) => one.isDerived) && ${stage("orders.length")} === 3`);
  const options = await page.run(`[...document.getElementById("on").options].map((one) => one.textContent)`);
  assert.equal(options[0], "ground");
  assert.match(options[1], /^layer 1: walls where the ground is 9$/);
  assert.match(options[2], /^layer 2: other costs for 9$/);
  assert.match(options[3], /^layer 3: 2 cells wide, walls where the ground is 1–8, 10–254/);
  // The lake has ground of cost 9: closed to the first layer, open to the others.
  const [lake, land] = [{ x: 25, y: 33 }, { x: 10, y: 5 }];
  const cost = ({ x, y }) => `inspector.store.value(0, 0, ${x}, ${y})`;
  const flow = ({ x, y }) => `inspector.store.value(0, 1, ${x}, ${y})`;
  const choose = (number) => page.set("on", `${8 * number}`);
  const shows = (number) => page.until(`layer ${number}`, `${stage("on")} === ${8 * number} && document.getElementById("on").value === "${8 * number}"`);
  const said = async () => (await page.run(`document.getElementById("cell").innerText`)).replace(/\s+/g, " ");
  await page.until("the ground's costs", `${cost(lake)} === 9 && ${cost(land)} === 1`);
  await page.key("F3");
  assert.match(await legend(), /No order is on this layer: choose one in the list/);
  await still();
  const on_ground = await look();
  await page.run(`(() => { inspector.blocks = []; inspector.store.addEventListener("block", ({ detail }) => inspector.blocks.push(detail.on)); })()`);
  await choose(1);
  await shows(1);
  await page.until("a wall where the lake is", `${cost(lake)} === 255 && ${cost(land)} === 1`);
  await page.until("its order's field, with its walls", `${flow(lake)} === 12 && (${flow(land)} & 15) < 8`);
  assert.equal(await page.run(`inspector.chosen(inspector.store.stages[0]).on`), 8, "the order is on the layer");
  await page.move(...(await at(lake.x, lake.y)));
  await page.until("what the layer says of the lake", `inspector.store.cell?.x === ${lake.x} && inspector.store.cell.on === 8`);
  await still();
  const on_land = await look();
  assert.notEqual(on_land, on_ground, "the layer's walls and field are seen");
  assert.match(await said(), /Movement layer 1 Cost wall \(ground 9\) Direction none, a wall/);
  await page.key("F4", "Shift");
  const portals = () => page.run(`[...inspector.store.stages[0].blocks.values()].filter((one) => one.layer === 5).reduce((sum, one) => sum + one.bytes.length / 10, 0)`);
  await page.until("its portals", `[...inspector.store.stages[0].blocks.values()].some((one) => one.layer === 5)`);
  const of_land = await portals();

  await page.key("m");
  await shows(2);
  await page.until("open water", `${cost(lake)} === 1 && (${flow(lake)} & 15) < 8`);
  await page.until("its portals", `[...inspector.store.stages[0].blocks.values()].some((one) => one.layer === 5)`);
  assert.notEqual(await portals(), of_land, "the portals are the layer's");
  await page.until("what the layer says of the lake", `inspector.store.cell?.on === 16`);
  assert.match(await said(), /Movement layer 2 Cost 1 \(ground 9\)/);
  await page.key("m");
  await shows(3);
  await page.until("walls on land", `${cost(land)} === 255 && ${cost(lake)} === 1`);
  // A ship is two cells wide: its anchor keeps off the eastern shore.
  assert.equal(await page.run(cost({ x: 33, y: 20 })), 255);
  await page.key("m");
  await shows(0);
  await page.key("M");
  await page.key("M");
  await shows(2);
  await page.key("F4");

  await still();
  const sent = await page.run("inspector.blocks.length");
  await choose(1);
  await shows(1);
  await still();
  assert.ok((await look()) === on_land, "the same layer looks the same again");
  assert.equal(await page.run("inspector.blocks.length"), sent, "what is on the page is not sent again");
  await say("paint(1, 0, 0, { x: 10, y: 5, width: 2, height: 2 })");
  await say("strokeEnd()");
  await page.until("an edit, on the layer on view", `${cost(land)} === 255 && inspector.blocks.at(-1) === 8`);
  await page.press(`[data-order="${await page.run(`${stage("orders")}.find((one) => one.on === 24).number`)}"]`);
  await shows(3);
  assert.equal(await page.run(`inspector.chosen(inspector.store.stages[0]).on`), 24, "an order is shown with its layer");
  const elsewhere = await page.run(`[...document.querySelectorAll("#orders .order")].map((one) => one.classList.contains("elsewhere"))`);
  assert.deepEqual(elsewhere, [false, true, true], "the newest order is the ships', the others are on other layers");
  await click(80, 24);
  await page.until("a goal on the layer on view", `${stage("orders")}.at(-1).banner === 4 && ${stage("orders")}.at(-1).on === 24`);
  await choose(1);
  await shows(1);
  await click(8, 40, "right");
  await page.key(".");
  await page.until("the same goal for land units", `${stage("orders")}.at(-1).on === 8 && ${stage("orders")}.at(-1).loaded > 4 && inspector.chosen(inspector.store.stages[0]).banner === 4`);
  // Another layer is told once, and not with every click.
  await page.run(`(() => { const { store } = inspector, { say } = store; inspector.told = []; store.say = (message) => { inspector.told.push(...Object.keys(message.request ?? {})); say.call(store, message); }; })()`);
  const said_of_look = () => page.run(`inspector.told.splice(0).filter((kind) => ["goal", "source", "own-layer"].includes(kind)).join()`);
  await click(8, 41, "right");
  await click(81, 24);
  assert.equal(await said_of_look(), "source,goal", "the layer on view is that of the goal");
  await page.until("the new goal", `${stage("orders")}.at(-1).goal.x === 81`);
  await choose(2);
  await shows(2);
  await click(82, 24);
  assert.equal(await said_of_look(), "own-layer,goal", "another layer is on view");
  await page.until("its order", `${stage("orders")}.at(-1).goal.x === 82 && ${stage("orders")}.at(-1).on === 16`);
  await click(8, 42, "right");
  assert.equal(await said_of_look(), "source");
  await page.run("delete inspector.store.say");
  await page.key("Delete");
  await page.until("no goal", `${stage("orders.length")} === 3`);
  await page.run("inspector.look(9 * 8)");
  await note(/the world has no layer 9: the ground is shown/);
  assert.equal(await page.run(`document.getElementById("on-told").textContent`), "There is no such layer: the ground is shown.");
  await page.until("the ground, with the edit", `${stage("on")} === 0 && ${cost(lake)} === 9 && ${cost(land)} === 255`);
  await page.key("F3");

  step("a world whose orders are on one layer opens on that");
  await scene("bridges");
  await page.until("its layer, with paths", `${stage("on")} !== 0 && ${stage("paths.length")} > 0`);

  step("a world with links: drawn, told of their cells, taken by its orders");
  await scene("teleport");
  await page.paused();
  await page.until("its links", `${stage("links.length")} === 2`);
  assert.equal(await page.run(`document.getElementById("world-layers").hidden`), true, "there is only the ground");
  assert.equal(await hidden(), false, "the layer is offered");
  const with_links = await over();
  await page.key("k");
  assert.notEqual(await over(), with_links, "the links are drawn");
  await page.key("k");
  assert.equal(await over(), with_links);
  const pads = await page.run(stage("links"));
  for (const { number, price, entry, exit } of pads) {
    assert.equal(price, 25);
    await page.move(...(await at(entry.x + 1, entry.y)));
    await page.until("its entry's facts", `/Link ${number}to ${exit.x + 1}, ${exit.y}, price 25/.test(document.getElementById("cell").textContent)`);
  }
  await page.key("F3");
  await page.run(`inspector.choose(${stage("orders[0].number")})`);
  await page.until("units that are led into a link", `${JSON.stringify(pads)}.some(({ entry: { x, y } }) => [[0, 0], [1, 0], [0, 1], [1, 1]].some(([dx, dy]) => (inspector.store.value(0, 1, x + dx, y + dy) & 15) === 13))`);
  await page.key("F3");
  const ends = pads.map(({ exit }) => exit);
  assert.ok(await page.run(`${stage("paths")}.some(({ points: [[x, y]] }) => ${JSON.stringify(ends)}.some((end) => x - end.x < 2 && x >= end.x && y - end.y < 2 && y >= end.y))`), "paths go on behind a link");

  step("a large map");
  await say("newMap(5, 4000, 4000, 3)");
  await page.until("its ground", `${stage("width")} === 4000 && ${stage("blocks.size")} > 40`, 40);
  assert.equal(new Set((await look()).split(" ")).size > 5, true, "walls are seen from afar");
  for (const key of ["F4", "5", "n", "7"]) await page.key(key);
  assert.match(await legend(), /portal on the route.*Small islands show closer up.*Graph: come closer.*Cell numbers: come closer/);
  assert.doesNotMatch(await legend(), /portal: a window|portals near each other/, "what is not drawn has no colour");
  assert.match(await page.run(`document.getElementById("hint").textContent`), /^Come closer, with the wheel or \+, to see: graph, cell numbers/);
  await page.run(`inspector.camera.scale = 24`);
  await page.until("near, nothing is missed", `(inspector.moved(), inspector.draw(performance.now()), !/[Cc]ome closer/.test(document.getElementById("legend").textContent + document.getElementById("hint").textContent))`);
  await page.until("portals", `[...${stage("blocks.values()")}].some((block) => block.layer === 5)`);
}
