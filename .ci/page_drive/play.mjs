// Steps of the drive: orders and units, replays, scenes, the tour, a telephone.

import assert from "node:assert/strict";
import { pause, stage } from "./browser.mjs";

export async function play({ page, seen, step, size }) {
  const { say, note, drop } = page, { at, look, still, click, layers_on, hues, pixels, sector_of, refused } = seen;

  step("ten orders: each has a whole row and a labelled bar; none mixes its colour");
  await say("newMap(0, 100, 100, 1)");
  await page.until("an open field", `${stage("width")} === 100 && ${stage("blocks.size")} > 0`);
  for (let at = 0; at < 10; at++) {
    await say(`place({ x: 5, y: ${5 + at * 10} }, 3)`);
    await say(`select(0, ${at * 10}, 20, ${at * 10 + 10})`);
    await say(`send({ x: 90, y: ${at === 1 ? 7 : 5 + at * 10} })`);
  }
  await page.until("ten rows", `document.querySelectorAll("#orders .order").length === 10 && !/waits/.test(document.getElementById("orders").textContent)`);
  const cut = await page.run(`[...document.querySelectorAll("#orders .order, #orders span")].filter((part) => part.scrollWidth > part.clientWidth + 1).length`);
  assert.equal(cut, 0, "no row is cut off");
  await page.until("bars that are seen", `${stage("tick")} > 60`);
  const bars = await page.run(`(() => {
    inspector.draw(performance.now());
    const canvas = document.getElementById("timeline"), pen = canvas.getContext("2d"), ratio = canvas.width / canvas.clientWidth, lane = canvas.clientHeight / 10;
    return Array.from({ length: 10 }, (_, row) => {
      const inked = (left, width) => pen.getImageData(left * ratio, row * lane * ratio, width * ratio, lane * ratio).data.some((byte, at) => at % 4 === 3 && byte > 0);
      return [inked(0, 88), inked(110, canvas.clientWidth - 130)];
    });
  })()`);
  assert.deepEqual(bars, Array(10).fill([true, true]), "a label and a bar for each order");
  for (const key of ["w", "0"]) await page.key(key);
  await page.run(`inspector.choose(${stage("orders[1].number")})`);
  const tints = await page.run(`${stage("orders")}.slice(0, 2).map((order) => order.bit)`);
  await page.until("sectors of two orders", `${stage("orders[1].loaded")} > 8`);
  const [both, alone, other] = [await sector_of(tints[0] | tints[1]), await sector_of(tints[0]), await sector_of(tints[1])];
  assert.ok(both && alone && other, "two orders share a sector, and each has one alone");
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  await still();
  const [one, two, mixed] = [mean(await hues(alone)), mean(await hues(other)), await hues(both)];
  const near = mixed.map((hue) => Math.min(Math.abs(hue - one), Math.abs(hue - two)));
  assert.ok(Math.abs(one - two) > 20 && mean(near) < Math.abs(one - two) / 5, `stripes of two colours: ${one}, ${two}: ${mixed}`);
  assert.ok(Math.max(...mixed) - Math.min(...mixed) > Math.abs(one - two) / 2, "both colours are seen");
  for (const key of ["w", "0"]) await page.key(key);

  await say("select(0, 0, 100, 100)");
  await say("send({ x: 50, y: 95 })");
  await page.until("one colour for all that are sent together", `new Set(${stage("orders")}.map((order) => order.banner)).size === 1
    && ${stage("units.banners.length")} === 1 && ${stage("paths")}.every((path) => path.banner === ${stage("units.banners[0]")})`);

  step("a session is saved as a replay, opened, and goes on");
  await say("newMap(0, 60, 40, 1)");
  await page.until("an open field", `${stage("width")} === 60 && ${stage("blocks.size")} > 0`);
  await say("place({ x: 8, y: 8 }, 40)");
  await say("select(0, 0, 60, 40)");
  await say("send({ x: 50, y: 30 })");
  await page.until("some ticks", `${stage("tick")} > 20`);
  await say("drawUp(30.5, 12, 44, 30)");
  await page.until("some more", `${stage("tick")} > 30`);
  await page.paused();
  assert.equal(await page.run(stage("ghosts.now.size")), 40, "a ghost for each");
  const units = `JSON.stringify([...${stage("units.now")}.entries()].sort())`;
  const [ticked, stood] = [await page.run(stage("tick")), await page.run(units)];
  await page.run(`inspector.save("replay")`);
  const saved = await page.run("inspector.store.link.save('replay').then(({ blob }) => blob.text())");
  await refused("cut.replay", saved.slice(0, -30), /cut\.replay: line \d+: .*cut off.*another copy/);
  await refused("torn.replay", saved.slice(1), /torn\.replay: line 1: a replay begins with .* it is damaged/);
  await refused("edited.replay", saved.replace('"send":{"x":50', '"send":{"x":51'), /edited\.replay: lines 1 to \d+ .*another copy/);
  await page.run(`location.hash = "#replay=AAAA"`);
  await note(/^The session in the address is damaged: copy the whole link/);
  await page.run(`location.hash = ""`);
  await drop("session.replay", Buffer.from(saved));
  await page.until("the replay", `inspector.store.status.replayEnds === ${ticked}`);
  await say("goal({ x: 3, y: 3 })");
  await note(/a replay is being played/);
  await note(/the replay ends after \d+ ticks and matches the recording/);
  await page.until("its end", `${stage("tick")} === ${ticked} && inspector.store.status.replayEnds === 0 && inspector.store.status.isPaused`);
  await page.until("the units as they stood", `${units} === ${JSON.stringify(stood)}`);
  await page.key(" ");
  await page.until("more", `${stage("tick")} > ${ticked} + 5`);

  step("units are placed, selected, ordered, and arrive");
  await say("newMap(0, 60, 40, 1)");
  await page.until("an open field", `${stage("width")} === 60 && ${stage("blocks.size")} > 0`);
  await page.run(`inspector.mode("play")`);
  await say("place({ x: 8, y: 8 }, 40)");
  await page.until("units", `${stage("units.total")} === 40`);
  await page.key("a", "Control");
  await page.until("all selected", `inspector.store.status.selected === 40`);
  await page.key("Escape");
  await page.until("nobody selected", `inspector.store.status.selected === 0`);
  await page.key("Home");
  await page.drag(await at(0, 0), await at(20, 20));
  await page.until("a selection", `inspector.store.status.selected === 40`);
  await click(30, 30, "right");
  await say("speed(16)");
  await page.until("arrivals", `${stage("units.arrived")} > 30`, 40);
  await page.paused();
  const tick = await page.run(stage("tick"));
  await page.key(".");
  await page.until("one tick", `${stage("tick")} === ${tick} + 1`);
  await page.key("F10");
  await note(/replanned/);

  step("scenes: one with its click, two readings side by side");
  await page.run(`(() => { inspector.chooseScene(inspector.store.catalogue.scenes.findIndex((one) => one.name === "pass")); document.getElementById("beside").value = "0"; document.getElementById("scenes").returnValue = "play"; inspector.scene(); inspector.mode("play"); document.getElementById("beside").value = "255"; })()`);
  await page.until("two stages", `inspector.store.stages.length === 2 && inspector.store.stages.every((one) => one.units.total === 400 && one.blocks.size > 0)`);
  await page.until("the whole of both", "inspector.camera.scale * 100 < inspector.camera.width + 1");
  await page.until("both go on", `inspector.store.stages.every((one) => one.tick > 5)`);
  await click(20, 10);
  await page.until("the click's goals", `inspector.store.stages.every((one) => one.orders[0].goal.x === 20 && one.orders[1].goal.x === 79 && one.orders[1].goal.y === 10)`);
  await say("scene(10, 255, 255, 8)");
  await page.until("one stage", `inspector.store.stages.length === 1 && ${stage("units.total")} === 72`);

  step("the gallery of scenes, restart, loop");
  await page.press("#play");
  const shown = await page.run(`(() => {
    const all = [...document.querySelectorAll("#gallery .scene")];
    return [all.length, document.querySelectorAll("#gallery h3").length, all.filter((one) => one.querySelector("canvas").width > 9).length];
  })()`);
  assert.ok(shown[0] > 40 && shown[1] > 4 && shown[2] === shown[0], `pictures in groups: ${shown}`);
  const physics = await page.run(`inspector.store.catalogue.scenes.findIndex(({ name }) => name === "physics")`);
  const wall_and_open = [[10.5, 2.5], [15.5, 2.5]];
  const painted = await page.run(`(() => {
    const canvas = document.querySelector('[data-scene="${physics}"] canvas'), pen = canvas.getContext("2d");
    return ${JSON.stringify(wall_and_open)}.map((at) => [...pen.getImageData(...at.map((along) => Math.floor(along * canvas.width / 25)), 1, 1).data.slice(0, 3)]);
  })()`);
  await page.run(`(() => { const scene = document.querySelector('[data-scene="0"]'); scene.focus(); scene.click(); })()`);
  await page.key("Enter");
  await page.until("the first scene", `${stage("title")} === inspector.store.catalogue.scenes[0].name && ${stage("tick")} > 20`);
  assert.equal(await page.run("inspector.state.mode"), "go");
  await say(`scene(${physics}, 255, 255, 8)`);
  await page.until("the scene physics", `${stage("title")} === "physics"`);
  await still();
  const drawn = await pixels(wall_and_open);
  assert.ok(drawn.flat().every((part, at) => Math.abs(part - painted.flat()[at]) < 20), `pictures have the map's colours: ${painted.join("; ")} and ${drawn.join("; ")}`);
  await page.run(`(() => { inspector.camera.scale *= 1.5; inspector.moved(); })()`);
  const zoomed = await page.run("inspector.camera.scale");
  const serial = await page.run(stage("serial"));
  await page.press("#again");
  await page.until("a restart", `${stage("serial")} > ${serial} && ${stage("units.total")} > 0`);
  assert.equal(await page.run("inspector.camera.scale"), zoomed, "the view stays");
  await page.press("#loop");
  await page.run("inspector.began -= 60000");
  await page.until("it begins again by itself", `${stage("serial")} > ${serial} + 1`);
  await page.press("#loop");

  step("the tour: step 9 asked for before the bridge of step 8 has come");
  const goes_on = async () => page.until("time goes on", `${stage("tick")} > ${await page.run(stage("tick"))} + 3`);
  const press = (text) => page.run(`[...document.querySelectorAll("#tour button")].find((one) => one.textContent === "${text}").click()`);
  const computes = async () => {
    await press("The whole map");
    await page.until("nearly all of the map", `${stage("figures")}[5] > 5000`);
    await press("The corridor");
    await page.until("the corridors", `${stage("figures")}[5] < 5000`);
  };
  await page.run("inspector.tour.show(7), inspector.tour.show(8)");
  await page.until("the country", `inspector.tour.isBegun && ${stage("title")} === "country 8"`);
  await computes();
  /** Whether the making of an order is shown, from one stage to another. */
  const making = (from, to) => `(({ stage }) => stage >= ${from} && stage <= ${to})(inspector.store.life?.slices[inspector.state.life] ?? {})`;
  await press("The whole map");
  await page.until("nearly all of the map", `${stage("figures")}[5] > 5000`);
  await page.run("inspector.tour.show(3)");
  await page.until("the making of an order near the routes", making(2, 4));
  await page.run("inspector.tour.show(7), inspector.tour.show(6), inspector.tour.show(7)");
  await page.until("the bridge", `inspector.tour.isBegun && ${stage("title")} === "bridge"`);

  step("the tour in a used session, in its order and in another: each step sets all that it shows");
  const pair = (one) => ({ shows: `inspector.store.stages.length === 2 && ${stage("title")} === "crowd-${one}, ahead"`, layers: "links,trails,units", more: goes_on });
  const sectors = (layers) => ({ shows: "inspector.camera.scale > 8", layers, isNear: true });
  const steps = [
    { shows: "inspector.tour.marching().length === 3", more: goes_on }, { shows: making(0, 0), layers: "" }, { shows: making(0, 1), layers: "links,units" },
    sectors("integration,links,numbers,units"), sectors("flow,links,units"), { shows: making(7, 7), layers: "graph,links,units" },
    { shows: `inspector.state.mode + inspector.state.paint.what === "paintbrush 0"`, more: goes_on },
    { shows: `${stage("title")} === "bridge"`, layers: "links,paths,trails,units" },
    { shows: `${stage("title")} === "country 8"`, more: async () => { await say("pause()"); await computes(); } },
    pair("tunnel"), pair("open"),
    { shows: `${stage("units.total")} === 20000`, layers: "trails,units", more: goes_on },
    { shows: `${stage("title")} === "rooms, 60×40" && ${stage("units.total")} === 40`, layers: "links,paths,trails,units", more: goes_on },
  ];
  const jumps = [12, 4, 9, 1, 11, 3, 8, 0, 7, 5, 10, 2, 6];
  for (const [nth, at] of [...steps.keys(), ...jumps].entries()) {
    const { shows, layers = "links,loaded,paths,trails,units", isNear = false, more } = steps[at];
    await page.run(`(() => {
      const { words, state, camera } = inspector;
      for (const one of [words.select(0, 0, 900, 900), words.pause(), words.speed(0.1), words.budget(100)]) inspector.say(one);
      if (!state.layers.has("cost")) inspector.layer("cost");
      Object.assign(camera, { scale: 5, x: 5, y: 5, wanted: null });
      inspector.mode("look");
      inspector.tour.show(${at});
    })()`);
    const told = `step ${at + 1}, ${nth < steps.length ? "in order" : "out of order"}`;
    await page.until(told, `inspector.tour.isBegun && ${shows}`);
    await page.until("its clock", `(({ isPaused, speed, budget, selected }) => !isPaused && speed === 1 && budget === 20000 && selected === 0)(inspector.store.status)`);
    assert.equal(await layers_on(), layers, told);
    assert.equal(await page.run(`inspector.camera.scale === inspector.camera.whole.scale`), !isNear, `${told}: the whole map is in view, or two sectors`);
    assert.deepEqual(await page.run(`[...document.querySelectorAll("#notes p:not(.refused)")].map((line) => line.textContent)`), [], told);
    assert.ok(await page.run(`document.getElementById("tour").getBoundingClientRect().bottom <= inspector.map.getBoundingClientRect().top + 1`), `${told}: the card hides nothing of the map`);
    if (nth < steps.length) await more?.();
  }

  step("an order that is given is chosen, and moves no map; another scene ends the tour, and has the first layers");
  await page.run("inspector.tour.show(0)");
  await page.until("three armies", "inspector.tour.isBegun && inspector.tour.isAsWas()");
  const high = await page.run("inspector.map.clientHeight");
  await page.run(`inspector.choose(${stage("orders[0].number")})`);
  await click(...(await at(...(await page.run(`(({ x, y }) => [x + 3, y + 3])(${stage("orders[1].goal")})`)))));
  await page.until("it is chosen", `inspector.state.chosen === Math.max(...${stage("orders")}.map(({ number }) => number)) && inspector.state.chosen > 2`);
  await page.run("inspector.tour.waited = 1234, inspector.tour.showFigures()");
  assert.match(await page.run(`document.getElementById("tour").textContent`), /ready in 1234 ms/);
  assert.equal(await page.run("inspector.map.clientHeight"), high, "the map stays where it is");
  for (const key of ["F3", "F4"]) await page.key(key);
  assert.equal(await layers_on(), "links,loaded,portals,units", "portals take the place of the flow");
  await page.run(`(() => { inspector.chooseScene(inspector.store.catalogue.scenes.findIndex((one) => one.name === "bridges")); document.getElementById("scenes").returnValue = "play"; inspector.scene(); })()`);
  await page.until("the scene, without a card", `${stage("title")} === "bridges" && inspector.tour.at === null && document.getElementById("tour").hidden`);
  assert.equal(await layers_on(), "links,loaded,paths,trails,units");

  step("a new map with an army on the march");
  await say("newMap(2, 60, 40, 8, true)");
  await page.until("its army", `${stage("width")} === 60 && ${stage("units.total")} === 40 && ${stage("orders[0]?.units")} === 40`);
  await page.until("paths", `${stage("paths.length")} === 8 && ${stage("tick")} > 15`);
  await page.paused();
  await page.until("paths begin where their units are", `${stage("paths")}.every(({ points: [from] }) =>
    [...${stage("units.now.values()")}].some(({ x, y }) => Math.floor(x) + 0.5 === from[0] && Math.floor(y) + 0.5 === from[1]))`, 5);
  await page.key(" ");
  await page.set("new-kind", await page.run(`inspector.store.catalogue.maps.indexOf("country")`));
  assert.ok(await page.run(`document.getElementById("new-width").parentElement.hidden && !document.getElementById("new-told").hidden`), "a country has its own size");

  step("a telephone: one finger moves, two zoom, a tap is a click, a rest is the right button");
  await say("newMap(0, 60, 40, 8, true)");
  await page.until("its army", `${stage("width")} === 60 && ${stage("units.total")} === 40`);
  for (const [width, height] of [[390, 844], [800, 600]]) {
    await page.sized({ width, height }, true);
    await page.until("its size", `innerWidth === ${width} && inspector.map.clientWidth > ${width} - 20 && document.querySelector("header").clientHeight < 60`);
    const sizes = await page.run(`(() => { inspector.camera.fit(); inspector.moved(); const root = document.documentElement; return [inspector.map.clientHeight, root.scrollWidth - innerWidth]; })()`);
    assert.ok(sizes[0] > height * 0.4 && sizes[1] <= 0, `the map fills ${width}×${height}: ${sizes}`);
    const middle = await at(30, 20), [x, y] = middle;
    await page.touch("touchStart", [x - 30, y], [x + 30, y]);
    for (const far of [40, 60, 80, 90]) await page.touch("touchMove", [x - far, y], [x + far, y]);
    await page.touch("touchEnd");
    await page.until("it is nearer", `inspector.camera.scale > 2 * Math.min(inspector.camera.width / 60, inspector.camera.height / 40)`);
    const before = await page.run("inspector.camera.x");
    const hints = await page.run(`["paint", "play", "look", "go"].map((mode) => { inspector.mode(mode); inspector.draw(performance.now()); return document.getElementById("hint").textContent; })`);
    for (const hint of hints) assert.ok(/[Tt]ap|Drag/.test(hint) && /Long press/.test(hint) && !/[Cc]lick|Ctrl|Wheel/.test(hint), hint);
    // A finger that moves late, since frames are still being drawn, is a long press.
    await look();
    await Promise.all([page.touch("touchStart", middle), ...[20, 50, 80].map((by) => page.touch("touchMove", [x + by, y]))]);
    await page.touch("touchEnd");
    assert.ok((await page.run("inspector.camera.x")) < before, "a finger moves the map");
    await page.run(`(() => { inspector.camera.fit(); inspector.moved(); })()`);
    const cell = { x: width === 390 ? 30 : 40, y: 12 };
    const tap = await at(cell.x, cell.y);
    await page.touch("touchStart", tap);
    await page.touch("touchEnd");
    await page.until("a tap sends the army", `${stage("orders")}.some(({ goal, units }) => goal.x === ${cell.x} && goal.y === 12 && units === 40)`);
    const units = await page.run(stage("units.total"));
    await page.touch("touchStart", await at(10, 30));
    await page.until("it rests", `inspector.state.drag?.kind === "line"`);
    await page.touch("touchEnd");
    await page.until("a probe unit", `${stage("units.total")} === ${units} + 1`);
    await page.press('[data-opens="left"]');
    assert.ok(await page.run(`document.getElementById("left").clientWidth > 150`), "the layers are a drawer");
    await page.touch("touchStart", [width - 20, height / 2]);
    await page.touch("touchEnd");
    await page.until("a tap closes it", `document.getElementById("left").clientWidth === 0`);
    await page.key("Delete");
  }
  await page.sized(size);
}
