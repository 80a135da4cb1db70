// The drive: one page, from its first minute to a scene played beside itself.

import "./websocket.mjs";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { begin, open, pause, stage } from "./browser.mjs";

const SIZE = { width: 1000, height: 640 };
// node drive.mjs COMMAND drives the page that the command serves; with a FILE, the page in it.
const [command, file] = process.argv.slice(2);
const host = file ? null : begin(command, ["inspect", "--port", "0", "--for", "420"], "stdout", /^(http:\/\/127\.0\.0\.1:\d+\/)$/m);
const url = file ? pathToFileURL(resolve(file)).href : (await host.line)[1];
const started = Date.now();
const step = (what) => console.log(`-- ${what} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
const page = await open(url, SIZE), { say, note, drop } = page;
if (file) {
  // It begins with a tour, whose card lies over the map.
  await page.until("the tour", "window.inspector?.tour?.at === 0");
  await page.run("inspector.tour.close()");
}

/** The middle of a cell, as a point of the page. */
const at = (x, y) => page.run(`(() => { const p = inspector.camera.toPixel(${x} + 0.5, ${y} + 0.5), b = inspector.map.getBoundingClientRect(); return [p.x + b.left, p.y + b.top]; })()`);
/** The colours of a grid of pixels, so that a change is seen. */
const look = () => page.run(`(async () => {
  for (let n = 0; n < 2 || (!inspector.picture.isWhole && n < 300); n++) await new Promise((done) => requestAnimationFrame(done));
  inspector.draw(performance.now());
  if (inspector.picture.gl.isContextLost()) throw new Error("the graphics context is lost");
  return inspector.picture.probe(40, 30).join(" ");
})()`);
/** Waits until what is seen stays as it is. */
const still = async () => {
  for (let same = 0, seen = await look(); same < 4; ) {
    await pause(100);
    const now = await look();
    same = now === seen ? same + 1 : 0;
    seen = now;
  }
};
/** Moves the map by some pixels in each of some frames; returns the most ground that one
 * of them drew, and what all of them drew and sent to the graphics card. */
const pan = (x, y, frames) => page.run(`(async () => {
  const { picture, camera } = inspector, { gl } = picture, before = { ...picture.counts };
  const names = ["texImage2D", "texSubImage2D", "texStorage2D", "bufferData", "bufferSubData"];
  let sent = 0, most = 0;
  for (const name of names) gl[name] = (...values) => { sent++; return WebGL2RenderingContext.prototype[name].apply(gl, values); };
  for (let n = 0; n < ${frames}; n++) {
    const { ground } = picture.counts;
    camera.pan(${x}, ${y});
    inspector.moved();
    await new Promise((done) => requestAnimationFrame(done));
    most = Math.max(most, picture.counts.ground - ground);
  }
  for (const name of names) delete gl[name];
  return { most, sent, ground: picture.counts.ground - before.ground, veils: picture.counts.veils - before.veils };
})()`);
const click = async (x, y, button) => page.click(...(await at(x, y)), button);
/** Switches layers on one after the other: each is to change what is seen. */
const layers_show = async (keys) => {
  for (const key of keys) {
    const without = await look();
    await page.key(key);
    const end = Date.now() + 30000;
    while ((await look()) === without && Date.now() < end);
    assert.notEqual(await look(), without, `${key} shows nothing`);
    await page.key(key);
    const gone = Date.now() + 30000;
    while ((await look()) !== without && Date.now() < gone);
    assert.ok((await look()) === without, `${key} leaves something behind`);
  }
};
const notes = () => page.run(`[...document.querySelectorAll("#notes p")].map((line) => line.textContent)`);
const legend = () => page.run(`(inspector.draw(performance.now()), document.getElementById("legend").textContent)`);
/** The colours of the pixels at cells, as red, green and blue. */
const pixels = (cells) => page.run(`(() => {
  inspector.draw(performance.now());
  const { gl, canvas } = inspector.picture;
  return ${JSON.stringify(cells)}.map(([x, y]) => {
    const at = inspector.camera.toPixel(x, y), pixel = new Uint8Array(4);
    gl.readPixels(Math.floor(at.x * inspector.ratio), canvas.height - 1 - Math.floor(at.y * inspector.ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return [...pixel.slice(0, 3)];
  });
})()`);
/** Looks at a place from near or far, until it is sharp. */
const go_to = async (scale, x, y) => {
  await page.run(`(() => { Object.assign(inspector.camera, { scale: ${scale}, x: ${x}, y: ${y}, wanted: null }); inspector.moved(); })()`);
  await still();
};
const layers_on = () => page.run("[...inspector.state.layers].sort().join()");
/** The colours of pixels along the diagonal of a sector, red less blue. */
const hues = (sector) => page.run(`(() => {
  inspector.draw(performance.now());
  const { gl, canvas } = inspector.picture, hues = [];
  const from = inspector.camera.toPixel(${sector.x} * 10 + 1, ${sector.y} * 10 + 1), to = inspector.camera.toPixel(${sector.x} * 10 + 9, ${sector.y} * 10 + 9);
  for (let at = 0; at <= 30; at++) {
    const x = from.x + (to.x - from.x) * at / 30, y = from.y + (to.y - from.y) * at / 30, pixel = new Uint8Array(4);
    gl.readPixels(Math.floor(x * inspector.ratio), canvas.height - 1 - Math.floor(y * inspector.ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    hues.push(pixel[0] - pixel[2]);
  }
  return hues;
})()`);
/** A sector with these orders' bits. */
const sector_of = (bits) => page.run(`(() => {
  for (const block of inspector.store.stages[0].blocks.values()) {
    if (block.layer !== 3 || block.level !== 0) continue;
    const side = block.bytes[0];
    for (let at = 0; at < side * side; at++) {
      const x = at % side, y = Math.floor(at / side);
      const from = 2 + 2 * ((y + 1) * (side + 2) + x + 1);
      if (block.bytes[from] + 256 * block.bytes[from + 1] === ${bits}) return { x: x + block.column * 10, y: y + block.row * 10 };
    }
  }
  return null;
})()`);
const folder = mkdtempSync(join(tmpdir(), "drive-"));
const made = (name, ...args) => {
  const path = join(folder, name);
  execFileSync(command, [...args, path]);
  return readFileSync(path);
};

try {
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
  assert.match(await sentence(), /^Three armies march home\. Only the coloured sectors, \d+ % of the map, are computed\.$/);
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
  const chip = (name) => page.run(`document.querySelector('[data-try="${name}"]').click()`);
  await chip("flow");
  await page.until("the directions, near an army", `inspector.state.layers.has("flow") && inspector.camera.scale === 14`);
  await chip("flow");
  await chip("wall");
  assert.equal(await page.run(`inspector.state.mode + inspector.state.paint.what`), "paintbrush 0");
  for (const [mode, key] of [["play", "p"], ["paint", "b"], ["look", "l"], ["go", "g"]]) {
    await page.key(key);
    const [over, high] = await page.run(`(() => { const head = document.querySelector("header"); return [head.scrollWidth - head.clientWidth, head.clientHeight]; })()`);
    assert.ok(over <= 0 && high < 60, `the header's buttons fit ${SIZE.width} pixels in the mode ${mode}: ${over} over, ${high} high`);
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

  step("a click sends the nearest army, which then computes all of the map");
  const home = await page.run(stage("orders[1].goal"));
  await page.key("Home");
  await page.until("stillness", "!inspector.camera.wanted");
  await click(-20, 500);
  await say(`march(${JSON.stringify(home)})`);
  await note(/^the nearest army, 1,000 units, goes to \(\d+, \d+\)/);
  assert.ok(!(await notes()).some((text) => /off the map/.test(text)), "a click beside the map does nothing");
  const share = await page.run(`${stage("figures")}[5]`);
  await page.run(`(() => { const list = document.getElementById("quality"); list.value = "2"; list.dispatchEvent(new Event("change")); })()`);
  await note(/^everywhere: orders replanned/);
  await page.until("nearly all of the map", `${stage("figures")}[5] > 5000 && ${stage("figures")}[5] > ${share}`);
  await page.run(`(() => { const list = document.getElementById("quality"); list.value = "0"; list.dispatchEvent(new Event("change")); })()`);
  await page.until("a part again", `${stage("figures")}[5] < 5000 && inspector.store.status.quality === 0`);
  assert.match(await page.run(`(document.getElementById("again").click(), document.getElementById("notes").textContent)`), /Drawing the map…$/);
  await page.until("it begins again", `${stage("orders.length")} === 3 && ${stage("tick")} < 200`);
  await page.until("as before", `${stage("tick")} > 5 && ${stage("figures.length")} === 12`);
  assert.match(await sentence(), /^Three armies march home/);

  step("panning and zooming: tiles are drawn once, a few in a frame, and nothing at rest");
  await page.key(" ");
  await page.until("a pause", "inspector.store.status.isPaused");
  await page.key("Home");
  await still();
  const whole = await look();
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
  assert.match(await legend(), /Direction of order \d+: dashes move along itNESW/);
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
  assert.equal(await layers_on(), "integration,links,paths,units", "a field takes the place of another, and of loaded sectors");
  await page.key("F1", "F1", 8);
  assert.equal(await layers_on(), "cost,integration,links,paths,units", "with Shift they are stacked");
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
  assert.equal(await layers_on(), "links,loaded,paths,units", "loaded sectors are shown again");
  const [green] = await pixels(open_cell);
  assert.ok(Math.max(...green) - Math.min(...green) > 24, `the ground has its colour: ${green}`);

  step("the flow: its dashes move, unless movement is to be reduced");
  await page.key(" ");
  await page.until("a pause", "inspector.store.status.isPaused");
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
  await page.run(`document.querySelector("#orders .watch").click()`);
  await page.until("the life", `!document.getElementById("life").hidden && inspector.store.life.slices.length > 5`);
  await page.run(`(() => { const s = document.getElementById("life-at"); s.value = 1; s.dispatchEvent(new Event("input")); })()`);
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
  await page.run(`document.getElementById("life-close").click()`);

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
  await page.key("z", "KeyZ", 2);
  await note(/^undone: a stroke of wall$/);
  await page.until("no wall", `inspector.store.value(0, 0, 120, 80) === 1 && inspector.store.status.redos === 1`);
  await page.key("y", "KeyY", 2);
  await note(/^redone: a stroke of wall$/);
  await page.until("the wall again", `inspector.store.value(0, 0, 120, 80) === 255`);
  const wood = await page.run(`inspector.store.catalogue.brushes.findIndex((one) => one.name.startsWith("wood"))`);
  await page.run(`(() => { const brush = document.getElementById("brush"); brush.value = "brush ${wood}"; brush.dispatchEvent(new Event("change")); })()`);
  const bare_ground = await look();
  await page.drag(await at(150, 100), await at(190, 100), "left", 8);
  await page.until("a wood", `inspector.store.value(0, 0, 170, 100) === 255`);
  assert.notEqual(await look(), bare_ground);
  await page.key("z", "KeyZ", 2);
  await page.until("no wood", `inspector.store.value(0, 0, 170, 100) === 1`);
  await page.run(`inspector.state.paint.what = "stamp 3"`);
  await click(60, 60);
  await page.until("a fort", `inspector.store.value(0, 0, 56, 57) === 255 && inspector.store.value(0, 0, 57, 58) === 1`);

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
  const refused = async (name, text, pattern) => {
    const errors_before = page.errors.length;
    await page.run(`inspector.open(new File([${JSON.stringify(text)}], "${name}"))`);
    await note(pattern);
    const told = await page.run(`[...document.querySelectorAll("#notes .refused")].at(-1).textContent`);
    assert.equal(told.split(name).length, 2, `the file is named once: ${told}`);
    assert.deepEqual(page.errors.slice(errors_before), [], "a refusal is no error of the page");
  };
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
    const canvas = document.getElementById("timeline"), pen = canvas.getContext("2d"), ratio = canvas.width / canvas.clientWidth;
    return Array.from({ length: 10 }, (_, row) => {
      const inked = (left, width) => pen.getImageData(left * ratio, row * 11 * ratio, width * ratio, 11 * ratio).data.some((byte, at) => at % 4 === 3 && byte > 0);
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
  await page.until("some ticks", `${stage("tick")} > 30`);
  await page.key(" ");
  await page.until("a pause", "inspector.store.status.isPaused");
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
  await page.key("a", "KeyA", 2);
  await page.until("all selected", `inspector.store.status.selected === 40`);
  await page.key("Escape");
  await page.until("nobody selected", `inspector.store.status.selected === 0`);
  await page.key("Home");
  await page.drag(await at(0, 0), await at(20, 20));
  await page.until("a selection", `inspector.store.status.selected === 40`);
  await click(30, 30, "right");
  await say("speed(16)");
  await page.until("arrivals", `${stage("units.arrived")} > 30`, 40);
  await page.key(" ");
  await page.until("a pause", "inspector.store.status.isPaused");
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
  await page.run(`document.getElementById("play").click()`);
  const shown = await page.run(`(() => {
    const all = [...document.querySelectorAll("#gallery .scene")];
    return [all.length, document.querySelectorAll("#gallery h3").length, all.filter((one) => one.querySelector("canvas").width > 9).length];
  })()`);
  assert.ok(shown[0] > 40 && shown[1] > 4 && shown[2] === shown[0], `pictures in groups: ${shown}`);
  await page.run(`(() => { const scene = document.querySelector('[data-scene="0"]'); scene.focus(); scene.click(); })()`);
  await page.key("Enter");
  await page.until("the first scene", `${stage("title")} === inspector.store.catalogue.scenes[0].name && ${stage("tick")} > 20`);
  assert.equal(await page.run("inspector.state.mode"), "go");
  await page.run(`(() => { inspector.camera.scale *= 1.5; inspector.moved(); })()`);
  const zoomed = await page.run("inspector.camera.scale");
  const serial = await page.run(stage("serial"));
  await page.run(`document.getElementById("again").click()`);
  await page.until("a restart", `${stage("serial")} > ${serial} && ${stage("units.total")} > 0`);
  assert.equal(await page.run("inspector.camera.scale"), zoomed, "the view stays");
  await page.run(`document.getElementById("loop").click()`);
  await page.run("inspector.began -= 60000");
  await page.until("it begins again by itself", `${stage("serial")} > ${serial} + 1`);
  await page.run(`document.getElementById("loop").click()`);

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

  step("the tour in a paused session: each step sets what it shows");
  const steps = [
    [`inspector.tour.marching().length === 3`, goes_on], [making(0, 0)], [making(0, 1)], [making(2, 4)], [making(5, 6)], [making(7, 7)],
    [`inspector.state.mode + inspector.state.paint.what === "paintbrush 0"`, goes_on], [`${stage("title")} === "bridge"`, goes_on],
    [`${stage("title")} === "country 8"`, async () => { await say("pause()"); await computes(); }],
    ...["tunnel", "open"].map((one) => [`inspector.store.stages.length === 2 && ${stage("title")} === "crowd-${one}, ahead"`, goes_on]),
    [`${stage("units.total")} === 20000`, goes_on], [`${stage("title")} === "rooms, 60×40" && ${stage("units.total")} === 40`, goes_on],
  ];
  for (const [at, [shows, more]] of steps.entries()) {
    await page.run(`(() => {
      const { words, state, camera } = inspector;
      for (const one of [words.pause(), words.speed(0.1), words.budget(100)]) inspector.say(one);
      if (!state.layers.has("cost")) inspector.layer("cost");
      Object.assign(camera, { scale: 20, x: 5, y: 5, wanted: null });
      inspector.mode("look");
      inspector.tour.show(${at});
    })()`);
    await page.until(`step ${at + 1}`, `inspector.tour.isBegun && ${shows}`);
    await page.until("its clock", `(({ isPaused, speed, budget }) => !isPaused && speed === 1 && budget === 20000)(inspector.store.status)`);
    assert.equal(await layers_on(), at === 4 ? "flow,links,paths,units" : "links,loaded,paths,units");
    assert.equal(await page.run(`inspector.camera.scale === inspector.camera.whole.scale`), true, "the whole map is in view");
    await more?.();
  }
  await page.run("inspector.tour.close()");

  step("a new map with an army on the march");
  await say("newMap(2, 60, 40, 8, true)");
  await page.until("its army", `${stage("width")} === 60 && ${stage("units.total")} === 40 && ${stage("orders[0]?.units")} === 40`);
  await page.until("paths", `${stage("paths.length")} === 8 && ${stage("tick")} > 15`);
  await page.key(" ");
  await page.until("a pause", "inspector.store.status.isPaused");
  await page.until("paths begin where their units are", `${stage("paths")}.every(({ cells: [from] }) =>
    [...${stage("units.now.values()")}].some(({ x, y }) => Math.floor(x) === from.x && Math.floor(y) === from.y))`, 5);
  await page.key(" ");
  await page.run(`(() => { const list = document.getElementById("new-kind"); list.value = String(inspector.store.catalogue.maps.indexOf("country")); list.dispatchEvent(new Event("change")); })()`);
  assert.ok(await page.run(`document.getElementById("new-width").parentElement.hidden && !document.getElementById("new-told").hidden`), "a country has its own size");

  step("a telephone: one finger moves, two zoom, a tap is a click, a rest is the right button");
  await say("newMap(0, 60, 40, 8, true)");
  await page.until("its army", `${stage("width")} === 60 && ${stage("units.total")} === 40`);
  for (const [width, height] of [[390, 844], [800, 600]]) {
    await page.sized({ width, height }, true);
    await page.until("its size", `innerWidth === ${width} && inspector.map.clientWidth > ${width} - 20`);
    const sizes = await page.run(`(() => { inspector.camera.fit(); inspector.moved(); const root = document.documentElement; return [inspector.map.clientHeight, root.scrollWidth - innerWidth, document.querySelector("header").clientHeight]; })()`);
    assert.ok(sizes[0] > height * 0.4 && sizes[1] <= 0 && sizes[2] < 60, `the map fills ${width}×${height}: ${sizes}`);
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
    await page.until("a unit that asks", `${stage("units.total")} === ${units} + 1`);
    await page.touch("touchEnd");
    await page.run(`document.querySelector('[data-opens="left"]').click()`);
    assert.ok(await page.run(`document.getElementById("left").clientWidth > 150`), "the layers are a drawer");
    await page.touch("touchStart", [width - 20, height / 2]);
    await page.touch("touchEnd");
    await page.until("a tap closes it", `document.getElementById("left").clientWidth === 0`);
    await page.key("Delete");
  }
  await page.sized(SIZE);

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
  await page.run(`inspector.mode("play")`);
  await page.key(" ");
  await page.until("a pause", "inspector.store.status.isPaused");
  await layers_show(["9", "s", "d", "o"]);
  await page.move(...(await at(24, 30)));
  await page.until("what the crowd avoids", "inspector.store.cell?.x === 24 && inspector.store.cell.crowd.discomfort >= 4");
  await page.run(`(() => { inspector.mode("paint"); inspector.paints("brush " + inspector.store.catalogue.brushes.findIndex((one) => one.name.startsWith("discomfort"))); })()`);
  await page.until("the layer", `document.querySelector('[data-layer="discomfort"]').ariaPressed === "true"`);
  const calm = await look();
  await page.drag(await at(4, 8), await at(40, 8), "left", 12);
  await page.until("what was painted", "inspector.store.status.undos === 1 && inspector.store.value(0, 9, 20, 8) > 0");
  assert.notEqual(await look(), calm);
  await page.key("z", "KeyZ", 2);
  await page.until("nothing painted", "inspector.store.value(0, 9, 20, 8) === 0");
  await page.key("y", "KeyY", 2);
  await page.until("it again", "inspector.store.value(0, 9, 20, 8) > 0");
  await page.key("d");
  await scene("crowd-open");
  await page.key(" ");
  await page.until("a pause", "inspector.store.status.isPaused");
  await page.key("o");
  const potential = (order, cell) => page.run(`(() => {
    const block = [...inspector.store.stages[0].blocks.values()].find((one) => one.layer === 10 && one.order === ${order});
    return block ? inspector.store.value(0, 10, ${cell.x}, ${cell.y}) : null;
  })()`);
  const streams = await page.run(`JSON.stringify(${stage("orders")}, (_, value) => (typeof value === "bigint" ? String(value) : value))`);
  for (const { number, goal, hasStream } of JSON.parse(streams)) {
    assert.ok(hasStream, `order ${number} reads the crowd`);
    await page.run(`inspector.choose(${number}n)`);
    await page.until("its potential", `[...inspector.store.stages[0].blocks.values()].some((one) => one.layer === 10 && one.order === ${number}n)`);
    const far = { x: 24 - goal.x, y: goal.y };
    const [here, there] = [await potential(`${number}n`, goal), await potential(`${number}n`, far)];
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
  assert.equal(await page.run(`inspector.store.stages[0].layers >> 10 & 1`), 0, "nobody reads the crowd");
  await say("select(0, 0, 99, 99)");
  await page.until("all selected", `inspector.store.status.selected === ${await page.run(stage("units.total"))}`);
  await page.run(`(() => { const list = document.getElementById("reads"); list.value = "4"; list.dispatchEvent(new Event("change")); })()`);
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
  // As a host tells them: number, price, entry, exit, width, height, whether on all layers.
  const told = [[4, "Uint32", 7], [4, "Uint32", 250], [2, "Uint16", 20], [2, "Uint16", 30], [2, "Uint16", 70], [2, "Uint16", 60], [1, "Uint8", 4], [1, "Uint8", 2], [1, "Uint8", 1]];
  await page.run(`(() => {
    const view = new DataView(new ArrayBuffer(21));
    view.setUint8(0, 14);
    let at = 2;
    for (const [size, type, value] of ${JSON.stringify(told)}) { view["set" + type](at, value, true); at += size; }
    inspector.store.take(view.buffer);
  })()`);
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
  await page.key(" ");
  await page.until("a pause", "inspector.store.status.isPaused");
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
  const choose = (number) => page.run(`(() => { const list = document.getElementById("on"); list.value = "${8 * number}"; list.dispatchEvent(new Event("change")); })()`);
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
  await still();
  const on_land = await look();
  assert.notEqual(on_land, on_ground, "the layer's walls and field are seen");
  await page.move(...(await at(lake.x, lake.y)));
  await page.until("what the layer says of the lake", `inspector.store.cell?.x === ${lake.x} && inspector.store.cell.on === 8`);
  assert.match(await said(), /Movement layer 1 Cost wall \(ground 9\) Direction none, a wall/);
  await page.key("F4");
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
  await page.run(`document.querySelector('[data-order="${await page.run(`String(${stage("orders")}.find((one) => one.on === 24).number)`)}"]').click()`);
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
  await page.run(`(() => { const { store } = inspector, { say } = store; inspector.told = []; store.say = (bytes) => { inspector.told.push(new DataView(bytes).getUint8(0)); say.call(store, bytes); }; })()`);
  const said_of_look = () => page.run("inspector.told.splice(0).filter((kind) => [5, 6, 24].includes(kind)).join()");
  await click(8, 41, "right");
  await click(81, 24);
  assert.equal(await said_of_look(), "6,5", "the layer on view is that of the goal");
  await page.until("the new goal", `${stage("orders")}.at(-1).goal.x === 81`);
  await choose(2);
  await shows(2);
  await click(82, 24);
  assert.equal(await said_of_look(), "24,5", "another layer is on view");
  await page.until("its order", `${stage("orders")}.at(-1).goal.x === 82 && ${stage("orders")}.at(-1).on === 16`);
  await click(8, 42, "right");
  assert.equal(await said_of_look(), "6");
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
  await page.key(" ");
  await page.until("a pause", "inspector.store.status.isPaused");
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
  assert.ok(await page.run(`${stage("paths")}.some(({ cells: [{ x, y }] }) => ${JSON.stringify(ends)}.some((end) => x - end.x < 2 && x >= end.x && y - end.y < 2 && y >= end.y))`), "paths go on behind a link");

  step("a large map");
  await say("newMap(5, 4000, 4000, 3)");
  await page.until("its ground", `${stage("width")} === 4000 && ${stage("blocks.size")} > 40`, 40);
  assert.equal(new Set((await look()).split(" ")).size > 5, true, "walls are seen from afar");
  for (const key of ["F4", "5", "n", "7"]) await page.key(key);
  assert.match(await legend(), /Small islands show closer up.*Portals: come closer.*Graph: come closer.*Cell numbers: come closer/);
  assert.doesNotMatch(await legend(), /portal: a window|portals near each other/, "what is not drawn has no colour");
  assert.match(await page.run(`document.getElementById("hint").textContent`), /^Come closer, with the wheel or \+, to see: portals, graph, cell numbers/);
  await page.run(`inspector.camera.scale = 24`);
  await page.until("near, nothing is missed", `(inspector.moved(), inspector.draw(performance.now()), !/[Cc]ome closer/.test(document.getElementById("legend").textContent + document.getElementById("hint").textContent))`);
  await page.until("portals", `[...${stage("blocks.values()")}].some((block) => block.layer === 5)`);

  assert.deepEqual(page.errors, [], "the console is clean");
  assert.deepEqual(page.asked, [], "nothing is asked of a network");
  step("all of it held");
} catch (error) {
  console.error(error.message ?? error);
  for (const told of page.errors) console.error(`console: ${told}`);
  await page.shot("target/page-failed.png").catch(() => {});
  console.error("what was seen is in target/page-failed.png");
  process.exitCode = 1;
} finally {
  await page.close();
  rmSync(folder, { recursive: true, force: true });
  host?.child.kill("SIGTERM");
  const code = (await host?.ended) ?? 0;
  if (code !== 0) {
    console.error(`the host ended with ${code}`);
    process.exitCode = 1;
  }
}
