// Steps of the drive: the country, layers and fields, painting, files, what cannot be reached.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pause, stage } from "./browser.mjs";

export async function first({ page, seen, step, file, made, size }) {
  const { say, note, drop } = page, { at, look, still, pan, click, notes, legend, pixels, go_to, layers_on, refused } = seen;

  step("the first minute: a country, three armies on the march");
  await page.until("the page is there", "!!window.inspector?.store");
  await page.until("three orders", `${stage("orders.length")} === 3`);
  await page.until("3,000 units", `${stage("units.total")} === 3000`);
  await page.until("ground", `${stage("blocks.size")} > 20`);
  await page.until("time goes on", `${stage("tick")} > 20`);
  assert.equal(new Set((await look()).split(" ")).size > 20, true, "the country has many colours");
  await page.until("figures", `${stage("figures.length")} === 12 && ${stage("figures")}[8] === 3000`);
  assert.match(await page.run(`document.getElementById("figures").textContent`), /28,310/, "the portals are counted");

  const sentence = () => page.run(`(inspector.draw(performance.now()), document.getElementById("sentence").textContent)`);
  // The routes may still be searched.
  await page.until("what is computed is told", `(inspector.draw(performance.now()), /^Three armies march home\\. Only the coloured sectors, \\d+ % of the map, are computed\\.$/.test(document.getElementById("sentence").textContent))`);
  await page.until("the whole map, below a sentence of two lines", `(() => {
    const { camera } = inspector, from = camera.toPixel(0, 0), to = camera.toPixel(camera.map.width, camera.map.height);
    return Math.min(from.x, from.y, camera.width - to.x, camera.height - to.y) >= 0 && camera.height === document.getElementById("view").clientHeight;
  })()`);
  assert.match(await page.run(`document.getElementById("sentence").title`), /A sector is a square of 10×10 cells/);
  assert.equal(await page.run(`document.getElementById("quality").options[0].textContent`), "near the routes");
  assert.ok(await page.run(`(() => { const foot = document.querySelector("footer"); return foot.scrollWidth <= foot.clientWidth; })()`), "the footer's words fit");
  assert.ok(await page.run(`document.getElementById("quality").getBoundingClientRect().right <= document.getElementById("right").getBoundingClientRect().right - 12`), "and so do the qualities'");
  await page.run(`document.getElementById("speed").focus()`);
  for (const isPaused of [true, false]) {
    await page.key(" ");
    await page.until("Space pauses and goes on, in a list too", `inspector.store.status.isPaused === ${isPaused}`);
  }
  await page.run("document.activeElement.blur()");
  const chip = (name) => page.press(`[data-try="${name}"]`);
  await chip("flow");
  await page.until("the directions, near an army", `inspector.state.layers.has("flow") && inspector.camera.scale === 14`);
  await chip("flow");
  await chip("wall");
  assert.equal(await page.run(`inspector.state.mode + inspector.state.paint.what`), "paintbrush 0");
  for (const [mode, key] of [["play", "p"], ["paint", "b"], ["look", "l"], ["go", "g"]]) {
    await page.key(key);
    const [over, high] = await page.run(`(() => { const head = document.querySelector("header"); return [head.scrollWidth - head.clientWidth, head.clientHeight]; })()`);
    assert.ok(over <= 0 && high < 60, `the header's buttons fit ${size.width} pixels in the mode ${mode}: ${over} over, ${high} high`);
  }

  const overlap = await page.run(`(() => {
    const box = (id) => document.getElementById(id).getBoundingClientRect(), map = box("map");
    return ["hint", "stages", "lead"].filter((id) => box(id).bottom > map.top + 0.5 && box(id).top < map.bottom - 0.5);
  })()`);
  assert.deepEqual(overlap, [], "the title and the hint lie beside the map");
  assert.match(await legend(), /unit on its way/);
  const worn = `(inspector.draw(performance.now()), new Set([...document.querySelectorAll("#legend .row")].find((row) => /on its way/.test(row.textContent)).querySelector(".swatch").style.background.match(/rgb\\([\\d, ]+\\)/g)).size)`;
  await page.until("the legend has the armies' colours", `${worn} === 3`);
  await page.key("F1");
  assert.match(await legend(), /Cost of a step1\d{1,2}wall/, "the scale of costs ends with the map's highest");
  await page.key("F1");

  await page.sized({ width: 1280, height: 800 });
  await page.key("F3");
  await legend();
  assert.ok(await page.run(`(() => { const left = document.getElementById("left"); return left.scrollHeight <= left.clientHeight; })()`), "the legend of the flow fits");
  await page.key("F3");
  await page.sized(size);

  step("a click sends the nearest army, which then computes all of the map");
  const home = await page.run(stage("orders[1].goal"));
  await page.key("Home");
  await page.until("stillness", "!inspector.camera.wanted");
  await click(-20, 500);
  await say(`march(${JSON.stringify(home)})`);
  await note(/^the nearest army, 1,000 units, goes to \(\d+, \d+\)/);
  assert.ok(!(await notes()).some((text) => /off the map/.test(text)), "a click beside the map does nothing");
  const share = await page.run(`${stage("figures")}[5]`);
  await page.set("quality", 2);
  await note(/^everywhere: orders replanned/);
  await page.until("the work is counted", `/Computing \\d orders: [\\d,]{7,} cells so far/.test(document.getElementById("sentence").textContent)`);
  await page.until("nearly all of the map", `${stage("figures")}[5] > 5000 && ${stage("figures")}[5] > ${share}`);
  await page.set("quality", 0);
  await page.until("a part again", `${stage("figures")}[5] < 5000 && inspector.store.status.quality === 0`);
  assert.match(await page.run(`(document.getElementById("again").click(), document.getElementById("notes").textContent)`), /Drawing the map…$/);
  await page.until("it begins again", `${stage("orders.length")} === 3 && ${stage("tick")} < 200`);
  await page.until("as before", `${stage("tick")} > 5 && ${stage("figures.length")} === 12`);
  assert.match(await sentence(), /^Three armies march home/);

  step("panning and zooming: tiles are drawn once, a few in a frame, and nothing at rest");
  await page.paused();
  await page.key("Home");
  // The cell under the mouse is drawn too.
  await page.move(450, 300);
  await still();
  const whole = await look();
  // Places where units would stop come and go with the pointer.
  await page.move(5, 300);
  await page.run(`(() => { Object.assign(inspector.camera, { scale: 3, x: 300, y: 400 }); inspector.moved(); })()`);
  await still();
  for (const way of [-1, 1]) {
    const fresh = await pan(20 * way, 0, 30);
    const tiles = await page.run("(Math.ceil(inspector.map.width / 128) + 1) * (Math.ceil(inspector.map.height / 128) + 1)");
    assert.ok(fresh.most <= Math.max(5, tiles / 4 + 2), `${fresh.most} of ${tiles} tiles in a frame`);
    await still();
  }
  for (const way of [-1, 1]) {
    assert.deepEqual(await pan(20 * way, 0, 30), { most: 0, sent: 0, ground: 0, veils: 0 }, "what was seen before is only copied");
  }
  for (const by of [-240, -240, 400, -120]) await page.wheel(450, 300, by);
  await page.until("stillness", "!inspector.camera.wanted");
  await still();
  const frames = await page.run("inspector.frames");
  await pause(700);
  assert.equal(await page.run("inspector.frames"), frames, "while nothing changes nothing is drawn");
  await go_to(28, 490, 312);
  const blurred = await page.run(`(() => {
    const { frame, sheets } = inspector.picture.tiles.get(inspector.store.stages[0]);
    return [...sheets.get(28 * inspector.ratio).values()].filter((tile) => tile.stamp === frame && !(tile.ground && tile.isWhole)).length;
  })()`);
  assert.equal(blurred, 0, "tiles at the view's edge are sharp");
  await page.key("Home");
  await page.until("stillness", "!inspector.camera.wanted");
  await page.move(451, 301);
  await page.move(450, 300);
  // The host sends the units in view once more.
  const end = Date.now() + 30000;
  while ((await look()) !== whole && Date.now() < end);
  assert.ok((await look()) === whole, "the same view looks the same again");
  await page.key(" ");

  step("a new map, a goal, sources: sectors load");
  await say("newMap(0, 240, 160, 1)");
  await page.until("the new map", `${stage("width")} === 240 && ${stage("blocks.size")} > 4`);
  const bare = await look();
  assert.doesNotMatch(await legend(), /freed/, "nothing was freed");
  await click(200, 40);
  await page.until("an order", `${stage("orders.length")} === 1`);
  assert.ok((await page.run(`${stage("orders[0].loaded")}`)) <= 1, "without a unit no path is loaded");
  await click(30, 120, "right");
  await page.until("its sectors", `${stage("orders[0].loaded")} > 10 && ${stage("paths.length")} === 1`);
  const led = await look();
  assert.notEqual(led, bare, "loaded sectors are seen");
  const before = await page.run(`${stage("orders[0].loaded")}`);
  await click(30, 20, "right");
  await page.until("more sectors", `${stage("orders[0].loaded")} > ${before}`);

  step("every layer changes pixels");
  await still();
  for (const key of ["F1", "F2", "F3", "F4", "5", "6", "7", "8", "w"]) {
    const without = await look();
    const sent = await page.run("inspector.store.bytes");
    await page.key(key);
    await page.until(`an answer to ${key}`, `inspector.store.bytes > ${sent}`);
    const end = Date.now() + 30000;
    let shown = await look();
    while (shown === without && Date.now() < end) shown = await look();
    // One island is tinted all over; sight may lie between the probes.
    assert.notEqual(shown, without, `${key} shows nothing`);
    await page.key(key);
    const gone = Date.now() + 30000;
    while ((await look()) !== without && Date.now() < gone);
    assert.ok((await look()) === without, `${key} leaves something behind`);
  }
  for (const key of ["r", "n", "9", "0", "t", "+", "-", "ArrowLeft", "Home"]) await page.key(key);
  for (const key of ["r", "n", "9", "0", "t"]) await page.key(key);
  await page.key("5");
  assert.match(await legend(), /portals near each other.*edges between them/);
  await page.key("5");
  await page.key("F3");
  assert.match(await legend(), /NESWDirection of order \d+: dashes move along it/);
  await page.key("F3");
  await page.key("F2");
  await page.key("Home");
  await page.until("stillness", "!inspector.camera.wanted");
  await still();
  assert.match(await legend(), /Cost-to-go of order \d+, in steps of open ground0, the goal[\d,]+a line every \d+ steps/);
  await page.key("F2");

  step("fields: one at a time, the ground steps back, the scale follows the view");
  await page.key("F1");
  await page.key("F2");
  assert.equal(await layers_on(), "integration,links,units", "a field takes the place of another, of loaded sectors, paths and trails");
  await page.key("F1", "Shift");
  assert.equal(await layers_on(), "cost,integration,links,units", "with Shift they are stacked");
  await page.key("F1");
  await still();
  const open_cell = [[120.5, 150.5]];
  const [grey] = await pixels(open_cell);
  assert.ok(Math.max(...grey) - Math.min(...grey) < 12, `the ground is grey: ${grey}`);
  const all_of_it = await page.run(stage("scale"));
  await go_to(20, 190, 45);
  const part = await page.run(stage("scale"));
  assert.ok(part.high < all_of_it.high / 2 && part.step < all_of_it.step, `from ${JSON.stringify(all_of_it)} to ${JSON.stringify(part)}`);
  await go_to(14, 190, 45);
  // The grid of `look` may lie between the rows of numbers.
  const line = Array.from({ length: 200 }, (_, at) => [188 + at * 0.05, 45.5]);
  const unnumbered = await pixels(line);
  await page.key("n");
  await still();
  assert.notDeepEqual(await pixels(line), unnumbered, "numbers are written at 14 pixels a cell");
  await page.key("n");
  await go_to(20, 190, 45);
  const again = await page.run(stage("scale"));
  assert.ok(again.low <= part.low && again.high >= part.high && again.high < 2 * part.high + part.step, "about the same scale in the same view");
  await page.key("F2");
  await page.key("Home");
  await still();
  assert.equal(await layers_on(), "links,loaded,paths,trails,units", "loaded sectors, paths and trails are shown again");
  const [green] = await pixels(open_cell);
  assert.ok(Math.max(...green) - Math.min(...green) > 24, `the ground has its colour: ${green}`);

  step("the flow: its dashes move, unless movement is to be reduced");
  await page.paused();
  await page.key("F3");
  await still();
  const resting = await page.run("inspector.frames");
  await pause(400);
  assert.equal(await page.run("inspector.frames"), resting, "nothing moves");
  await page.moving(true);
  await page.run("inspector.redraw()");
  const dashes = await look();
  await page.until("frames follow each other", `inspector.frames > ${resting} + 5`);
  assert.notEqual(await look(), dashes, "dashes move");
  await page.key("F3");
  await still();
  const after = await page.run("inspector.frames");
  await pause(400);
  assert.equal(await page.run("inspector.frames"), after, "without the flow nothing moves");
  await page.moving(false);
  await page.key(" ");

  step("the graph: bundles from afar, whole edges from near, strong in the pointer's sector");
  await go_to(16, 100, 60);
  await page.move(...(await at(70, 40)));
  const middle_of = ([ax, ay, bx, by], part) => [ax + 0.5 + (bx - ax) * part, ay + 0.5 + (by - ay) * part];
  await page.key("5");
  await page.until("edges", `[...${stage("blocks.values()")}].some((block) => block.graph?.edges.length > 0)`);
  await still();
  const leaving = await page.run(`(() => {
    const { camera } = inspector, isIn = (x, y) => { const p = camera.toPixel(x, y); return p.x > 20 && p.y > 20 && p.x < camera.width - 20 && p.y < camera.height - 20; };
    const edges = [...${stage("blocks.values()")}].flatMap((block) => (block.layer === 6 && block.level === 0 ? [...(block.graph?.edges ?? [])] : []));
    return Array.from({ length: edges.length / 4 }, (_, at) => edges.slice(at * 4, at * 4 + 4))
      .filter(([ax, ay, bx, by]) => Math.floor(ax / 100) !== Math.floor(bx / 100) && isIn(ax, ay) && isIn(bx, by));
  })()`);
  assert.ok(leaving.length >= 4, `${leaving.length} edges leave their block`);
  const spots = leaving.map((ends) => middle_of(ends, 0.8));
  const with_edges = await pixels(spots);
  await page.key("5");
  await still();
  const without_edges = await pixels(spots);
  const cut_off = with_edges.filter((colour, at) => colour.every((value, band) => Math.abs(value - without_edges[at][band]) < 4)).length;
  assert.equal(cut_off, 0, `${cut_off} of ${spots.length} edges are cut at the border of their block`);
  await page.key("5");
  await still();
  const [edge] = leaving, [faint] = await pixels([middle_of(edge, 0.7)]);
  // Its middle lies in the sector that it leads through.
  await page.move(...(await at(...middle_of(edge, 0.5).map((cells) => Math.floor(cells / 10) * 10 + 2))));
  await still();
  const [strong] = await pixels([middle_of(edge, 0.7)]);
  assert.ok(strong.reduce((sum, value) => sum + value, 0) > faint.reduce((sum, value) => sum + value, 0) + 40, `at the pointer: ${faint} becomes ${strong}`);
  await page.key("5");
  await page.key("?");
  await page.until("the keys", `document.getElementById("keys").open`);
  await page.key("Escape");
  await page.until("no keys", `!document.getElementById("keys").open`);
  await page.key("Home");
  await page.until("stillness", "!inspector.camera.wanted");

  step("what a cell says, and why");
  await page.move(...(await at(100, 80)));
  await page.move(...(await at(200, 40)));
  await page.until("the goal's facts", `inspector.store.cell?.x === 200 && (inspector.store.cell.flow & 15) === 8`);
  await page.key("y");
  await page.until("why", `/Arrived: this is a goal/.test(document.getElementById("cell").textContent)`);

  step("an order's life is scrubbed");
  const tall = await page.run(`document.querySelector("footer").clientHeight`);
  await page.press("#orders .watch");
  await page.until("the life", `!document.getElementById("life").hidden && inspector.store.life.slices.length > 5`);
  await page.set("life-at", 1);
  const moments = await page.run(`(() => {
    const slider = document.getElementById("life-at"), told = [], tall = ${tall};
    for (let at = 0; at <= Number(slider.max); at++) {
      slider.value = String(at);
      slider.dispatchEvent(new Event("input"));
      if (document.querySelector("footer").clientHeight !== tall) throw new Error("the footer jumps");
      told.push(document.getElementById("life-text").value.replace(/^.*work: (\\w+),.*$/, "$1"));
    }
    return told;
  })()`);
  assert.deepEqual([...new Set(moments)], ["given", "search", "load", "integrate", "flow", "sight", "freed"]);
  await page.press("#life-close");

  step("a wall is painted, billed, undone and made again");
  await page.run(`inspector.mode("paint")`);
  const open_ground = await look();
  await page.drag(await at(120, 10), await at(120, 150), "left", 24);
  await note(/cells changed in \d+ sectors\. \d+ edits?: \d+ sectors? rebuilt/);
  const bills = () => page.run(`[...document.querySelectorAll("#notes p")].filter((p) => /rebuilt/.test(p.textContent)).length`);
  assert.equal(await bills(), 1, "a stroke has one bill");
  assert.equal(await page.run("inspector.store.status.undos"), 1, "and is one change");
  await page.until("the wall", `inspector.store.value(0, 0, 120, 80) === 255`);
  assert.notEqual(await look(), open_ground);
  await page.key("z", "Control");
  await note(/^undone: a stroke of wall$/);
  await page.until("no wall", `inspector.store.value(0, 0, 120, 80) === 1 && inspector.store.status.redos === 1`);
  await page.key("y", "Control");
  await note(/^redone: a stroke of wall$/);
  await page.until("the wall again", `inspector.store.value(0, 0, 120, 80) === 255`);
  const wood = await page.run(`inspector.store.catalogue.brushes.findIndex((one) => one.name.startsWith("wood"))`);
  await page.set("brush", `brush ${wood}`);
  const bare_ground = await look();
  await page.drag(await at(150, 100), await at(190, 100), "left", 8);
  await page.until("a wood", `inspector.store.value(0, 0, 170, 100) === 255`);
  assert.notEqual(await look(), bare_ground);
  await page.key("z", "Control");
  await page.until("no wood", `inspector.store.value(0, 0, 170, 100) === 1`);
  await page.run(`inspector.state.paint.what = "stamp 3"`);
  await click(60, 60);
  await page.until("a fort", `inspector.store.value(0, 0, 56, 57) === 255 && inspector.store.value(0, 0, 57, 58) === 1`);

  step("a wall is told before the click, and looks like nothing else");
  await page.run(`inspector.mode("look")`);
  const pointed = `[getComputedStyle(inspector.map).cursor, document.getElementById("hint").textContent].join()`;
  for (const [x, told] of [[150, "crosshair,Click: set a goal"], [120, "not-allowed,A wall"], [160, "crosshair,Click: set a goal"]]) {
    await page.move(...(await at(x, 130)));
    await page.until(told, `${pointed}.startsWith("${told}")`);
  }
  await still();
  const [drawn] = await pixels([[120.5, 130.5]]);
  assert.ok(Math.max(...drawn) < 100 && drawn[2] > drawn[1] + 10, `a drawn wall is dark violet: ${drawn}`);

  step("files: saved, copied as a test, dropped");
  await page.run(`inspector.save("map")`);
  assert.equal(await page.run("inspector.saved.name"), "flowtiles.map");
  const bytes = await page.run("inspector.saved.size");
  assert.ok(bytes > 240 * 160, `${bytes} bytes of map`);
  await page.run(`inspector.save("world")`);
  assert.equal(await page.run("inspector.saved.name"), "flowtiles.world");
  await page.run(`inspector.save("test")`);
  assert.match(await page.run("inspector.saved.text"), /assert_eq!\(walked, \[Some/);
  const loaded = await page.run(stage("orders[0].loaded"));
  await page.run(`(async () => {
    const { blob } = await inspector.store.link.save("world");
    await inspector.open(new File([blob], "again.world"));
  })()`);
  await page.until("the saved world with its order", `${stage("title")} === "again.world" && ${stage("orders[0]?.goal.x")} === 200
    && ${stage("orders[0].goal.y")} === 40 && ${stage("orders[0].loaded")} === ${loaded}`);
  await page.run(`(() => {
    const files = new DataTransfer();
    files.items.add(new File(["type octile\\nheight 12\\nwidth 30\\nmap\\n" + (".".repeat(29) + "@\\n").repeat(12)], "small one.map"));
    dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
  })()`);
  await page.until("the dropped map", `${stage("width")} === 30 && ${stage("title")} === "small one.map"`);
  const valley = readFileSync("docs/valley.map");
  await drop("valley.map", valley);
  await page.until("valley.map", `${stage("title")} === "valley.map" && inspector.store.value(0, 0, 50, 50) !== null`);
  const costs = () => page.run(`JSON.stringify(Array.from({ length: 100 }, (_, at) => inspector.store.value(0, 0, at, (at * 37) % 100)))`);
  const wanted = await costs();
  for (const format of ["txt", "flow", "png", "tmx", "tmj"]) {
    const name = `valley.${format}`;
    await drop(name, made(name, "convert", "docs/valley.map"));
    await page.until(name, `${stage("title")} === "${name}" && ${stage("width")} === 100 && inspector.store.value(0, 0, 50, 50) !== null`);
    assert.equal(await costs(), wanted, `${name} has other costs`);
  }
  for (const format of ["flow", "png"]) {
    await page.run(`(async () => {
      const { blob } = await inspector.store.link.save("${format}");
      await inspector.open(new File([blob], "again.${format}"));
    })()`);
    await page.until(`again.${format}`, `${stage("title")} === "again.${format}" && inspector.store.value(0, 0, 50, 50) !== null`);
    assert.equal(await costs(), wanted, `a saved .${format} has other costs`);
  }
  await refused("bad.map", "no map", /bad\.map/);
  await refused("letters.map", "type octile\nheight 1\nwidth 2\nmap\n.Q\n", file ? /letters\.map: line 5/ : /letters\.map: line 5.*flowtiles inspect MAP --cost Q=3/);
  await drop("valley.map", valley);
  await page.until("no note outlives its world", `document.querySelectorAll("#notes p").length === 0`);

  step("what cannot be reached is said, and listed");
  await say("newMap(0, 120, 80, 1)");
  await page.until("an open field", `${stage("width")} === 120 && ${stage("blocks.size")} > 0`);
  await say("paint(1, 0, 0, { x: 60, y: 0, width: 2, height: 80 })");
  await say("strokeEnd()");
  await page.run(`inspector.mode("look")`);
  await click(90, 40);
  await click(60, 20, "right");
  await note(/\(60, 20\) is a wall: .*Right-click open ground/);
  assert.deepEqual(await page.run(`[${stage("orders[0].loaded")} <= 1, ${stage("paths.length")}]`), [true, 0], "a unit in a wall loads nothing");
  await click(20, 20, "right");
  await note(/the unit at \(20, 20\) cannot reach \(90, 40\): .*open a way/);
  await page.until("both in the list", `/2 units, 2 cut off/.test(document.getElementById("orders").textContent)`);
  await page.until("and in the legend", `/greyed: it is cut off/.test(document.getElementById("legend").textContent)`);
  await click(60, 40);
  await note(/the goal \(60, 40\) is a wall: .*Click on open ground/);
  await page.key("Delete");
  await page.until("no order", `${stage("orders.length")} === 0`);
  await page.until("its sectors are freed", `/freed just now/.test(document.getElementById("legend").textContent)`);
  await page.run(`inspector.mode("play")`);
  await say("place({ x: 20, y: 20 }, 30)");
  await say("place({ x: 100, y: 20 }, 3)");
  await say("select(0, 0, 120, 80)");
  await say("send({ x: 20, y: 60 })");
  await note(/3 of 33 units, the first at \(\d+, \d+\), cannot reach \(20, 60\)|no unit can reach/);
}
