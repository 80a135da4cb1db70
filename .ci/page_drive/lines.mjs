// Steps of the drive: ghosts where units will stop, and lines on which they draw up.

import assert from "node:assert/strict";
import { stage } from "./browser.mjs";

export async function lines({ page, seen, step, size }) {
  const { say } = page, { at, look, still, click, legend } = seen;

  step("a click has ghosts, a drag with the right button a line, and there the units stop");
  await say("newMap(0, 60, 40, 1)");
  await page.until("an open field", `${stage("width")} === 60 && ${stage("blocks.size")} > 0 && ${stage("units.total")} === 0`);
  await say("place({ x: 8, y: 8 }, 21)");
  await page.run(`inspector.mode("play")`);
  await say("select(0, 0, 60, 40)");
  await page.until("all selected", `inspector.store.status.selected === 21`);
  await page.run("(inspector.camera.fit(), inspector.moved())");
  const ghosts = (kind = "now") => page.run(`[...${stage("ghosts")}["${kind}"]].map(([id, { x, y }]) => [id, x, y]).sort(([a], [b]) => a - b)`);
  /** Waits until all ghosts are gone; then each unit stands where one was. */
  const arrive = async (places) => {
    await say("speed(16)");
    await page.until("all are there", `${stage("units.arrived")} === 21 && ${stage("ghosts.now.size")} === 0 && !${stage("ghosts.isFading")}`);
    await say("speed(1)");
    const stand = await page.run(`[...${stage("units.now.values()")}].map(({ x, y }) => [x, y])`);
    for (const [, x, y] of places) assert.ok(stand.some(([to, down]) => Math.hypot(to - x, down - y) < 0.3), `nobody stands at ${x}, ${y}`);
  };
  await say("pause()");
  await page.move(...(await at(40, 20)));
  await page.until("ghosts before the click", `${stage("ghosts.aimed.size")} === 21 && ${stage("ghosts.now.size")} === 0`);
  const before = await ghosts("aimed");
  await click(40, 20, "right");
  await page.until("ghosts", `${stage("ghosts.now.size")} === 21 && inspector.state.drag === null`);
  const around = await ghosts();
  assert.ok(around.every(([, x, y]) => Math.hypot(x - 40.5, y - 20.5) < 2), `around the cell: ${around}`);
  assert.deepEqual(around, before, "they are where they were before it");
  assert.match(await legend(), /ring: where a unit will stop/);
  await still();
  const seen_with = await look();
  await page.key("0");
  assert.notEqual(await look(), seen_with, "they are seen");
  await page.key("0");
  await say("resume()");
  await page.move(5, 300);
  await page.until("none where no pointer is", `${stage("ghosts.aimed.size")} === 0`);
  await arrive(around);
  const [from, to] = [await at(20, 30), await at(40, 30)], x = await page.run("inspector.camera.x");
  await page.hold(from, to, "right");
  await page.until("ghosts on a line of this width", `(() => {
    const along = [...${stage("ghosts.aimed.values()")}].map(({ x }) => x);
    return inspector.state.drag?.isLine && along.length === 21 && Math.abs(Math.max(...along) - Math.min(...along) - 20) < 0.1;
  })()`);
  const aimed = await ghosts("aimed");
  assert.ok(aimed.every(([, , y]) => Math.abs(y - 30.5) < 0.1), `on the line: ${aimed}`);
  assert.equal(await page.run(stage("orders[0].goal.y")), 20, "no order before the button is released");
  await page.release("right");
  await page.until("the order", `${stage("orders[0].goal.x")} === 30 && ${stage("orders[0].goal.y")} === 30 && inspector.state.drag === null`);
  assert.equal(await page.run("inspector.camera.x"), x, "the map stays");
  assert.deepEqual((await ghosts()).map((one) => one.slice(1)).sort(), aimed.map((one) => one.slice(1)).sort());
  await arrive(aimed);
  const [left, top] = await at(10, 10);
  await page.drag([left, top], [left + 6, top], "right", 3);
  await page.until("a short drag is a click", `${stage("orders[0].goal.x")} === 10 && ${stage("orders[0].goal.y")} === 10`);
  await page.key("Escape");
  await page.until("nobody selected", `inspector.store.status.selected === 0`);
  await page.drag(from, to, "right", 4);
  assert.ok((await page.run("inspector.camera.x")) < x, "with nobody selected the drag moves the map");

  step("in the mode Go: the nearest army's ghosts at the pointer, and a line by the right button");
  await page.run(`(inspector.mode("go"), inspector.camera.fit(), inspector.moved())`);
  await say("speed(16)");
  await page.until("they are away", `${stage("units.arrived")} === 21`);
  await say("place({ x: 50, y: 35 }, 4)");
  for (const [x, y, count] of [[12, 12, 21], [45, 36, 4]]) {
    await page.move(...(await at(x, y)));
    await page.until(`${count} ghosts at ${x}, ${y}`, `${stage("ghosts.aimed.size")} === ${count}
      && [...${stage("ghosts.aimed.values()")}].every((one) => Math.hypot(one.x - ${x}.5, one.y - ${y}.5) < 3)`);
  }
  await say("pause()");
  await page.hold(await at(40, 25), await at(40, 31), "right");
  await page.until("a column of them", `[...${stage("ghosts.aimed.values()")}].filter(({ x, y }) => Math.abs(x - 40.5) < 0.1 && y > 25.4 && y < 31.6).length === 4`);
  await page.release("right");
  await page.note(/^the nearest army, 4 units, goes to a line of 6 cells around \(40, 28\)/);
  await page.move(5, 300);
  await page.until("they stay there alone", `${stage("ghosts.aimed.size")} === 0 && ${stage("ghosts.now.size")} === 4`);
  await say("resume()");
  const pass = await page.run(`inspector.store.catalogue.scenes.findIndex(({ name }) => name === "pass")`);
  await say(`scene(${pass}, 255, 255, 8)`);
  await page.until("a scene that takes clicks", `${stage("units.total")} === 400 && inspector.store.status.takesClicks`);
  await page.run(`inspector.mode("play")`);
  await page.move(...(await at(20, 10)));
  await page.until("ghosts of both bands, mirrored", `${stage("ghosts.aimed.size")} === 400
    && [20, 79].every((goal) => [...${stage("ghosts.aimed.values()")}].filter(({ x }) => Math.abs(x - goal) < 12).length === 200)`);

  step("a finger that has rested on the map drags a line, too");
  await say("newMap(0, 60, 40, 1)");
  await page.until("an open field", `${stage("width")} === 60 && ${stage("units.total")} === 0`);
  await say("place({ x: 8, y: 8 }, 21)");
  await page.sized({ width: 800, height: 600 }, true);
  await page.until("its size", `innerWidth === 800 && inspector.camera.width > 780`);
  await page.run("(inspector.camera.fit(), inspector.moved())");
  await say("select(0, 0, 60, 40)");
  await page.until("all selected", `inspector.store.status.selected === 21`);
  await page.touch("touchStart", await at(20, 30));
  await page.until("a long press aims", `inspector.state.drag?.kind === "line"`);
  await page.touch("touchMove", await at(30, 30));
  await page.touch("touchEnd");
  await page.until("a finger that rested draws a line", `${stage("orders")}.some(({ goal, units }) => goal.x === 25 && goal.y === 30 && units === 21)`);
  await page.sized(size);

  step("selected units have their ways to where they stop, tight around a wall");
  await say("paint(7, 0, 255, { x: 40, y: 8, width: 2, height: 32 })");
  await say("strokeEnd()");
  await say("send({ x: 50, y: 30 })");
  await page.until("eight ways", `${stage("paths.length")} === 8 && ${stage("paths")}.every(({ thin, points }) => thin && points.length >= 4)`);
  const ways = (await page.run(stage("paths"))).map(({ points }) => points);
  for (const way of ways) {
    const corners = way.slice(1, -1).map((at) => at.map(Math.round).join());
    assert.deepEqual([...new Set(corners)], ["40,8", "42,8"], "around its corners");
    const [x, y] = way.at(-1);
    assert.ok(Math.hypot(x - 50.5, y - 30.5) < 3, `to the goal: ${way.at(-1)}`);
  }
  await say("select(-9, -9, -9, -9)");
  await page.until("paths by cells", `${stage("paths.length")} === 8 && ${stage("paths")}.every(({ thin }) => !thin)`);
  await page.run(`inspector.mode("go")`);
}
