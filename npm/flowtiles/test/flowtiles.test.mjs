// The package over the built flowtiles.wasm: npm/build makes it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { init, layerForTeam, memoryBytes, Sample, State, STEPS, WALL, World } from "../flowtiles.js";

const worldOf = () => World.open(40, 30);

test("a call before init: refused, with what to do", () => {
  assert.throws(worldOf, /await init\(\)/);
});

test("a program that is not flowtiles: refused, and init can be called again", async () => {
  const nothing = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  await assert.rejects(init(nothing), /interface undefined, not 4/);
  await init();
  await init();
});

/** The battle of crates/flowtiles-capi/tests/c_abi.rs. */
function battle(ticks) {
  const world = World.open(120, 80);
  world.edit({ x: 60, y: 0, width: 1, height: 80 }, WALL);
  world.edit({ x: 60, y: 20, width: 1, height: 6 }, 1);
  world.edit({ x: 60, y: 54, width: 1, height: 6 }, 1);
  world.edit({ x: 70, y: 10, width: 20, height: 20 }, 4);
  const army = world.army();
  const groups = [0, 1].map((side) => {
    const group = army.addGroup();
    army.addUnits(Array.from({ length: 60 }, (_, at) => (
      { id: 60 * side + at, group, x: 4.5 + 106 * side + (at % 6), y: 20.5 + Math.floor(at / 6) }
    )));
    army.march(group, { x: 110 - 102 * side, y: 40 });
    return group;
  });
  for (const side of [0, 1]) army.setManner(groups[side], { team: side, foes: [1 - side] });
  for (let tick = 0; tick < ticks; tick++) {
    if (tick === 100) world.edit({ x: 60, y: 20, width: 1, height: 6 }, WALL);
    if (tick === 200) army.form(groups[0], "box", 1.25);
    world.tick(4000);
    army.step(0.05);
  }
  return { world, army };
}

test("a battle: has the hashes of the same battle on a native machine", () => {
  const native = readFileSync(new URL("../../../crates/flowtiles-capi/tests/battle.hashes", import.meta.url), "utf8");
  const { world, army } = battle(400);
  assert.deepEqual([world.hash(), army.hash()], native.trim().split("\n").map(BigInt));
  army.free();
  world.free();
});

test("a battle that is saved or copied: goes on with the same hashes", () => {
  const { world, army } = battle(60);
  const loaded = World.load(world.save(), 120 * 80);
  const troops = loaded.loadArmy(army.save());
  loaded.dropClaims();
  assert.deepEqual([loaded.hash(), troops.hash()], [world.hash(), army.hash()]);
  const copy = world.fork();
  const both = [[world, army], [copy, army.fork(copy)]];
  copy.dropClaims();
  for (const [world, army] of both) {
    for (let tick = 0; tick < 40; tick++) {
      world.tick();
      army.step();
    }
  }
  assert.deepEqual(both[0].map((one) => one.hash()), both[1].map((one) => one.hash()));
});

test("a bad save: refused", () => {
  assert.throws(() => World.load(new Uint8Array(9)), { code: "save" });
  assert.throws(() => World.load(worldOf().save(), 10), { code: "save", message: /40×30/ });
});

test("an order: leads along its samples to the goal, and its tiles are freed with it", () => {
  const world = World.open(60, 40);
  assert.equal(world.edit({ x: 30, y: 0, width: 1, height: 30 }, WALL).cells, 30);
  assert.equal(world.editCells([{ x: 30, y: 3 }], Uint8Array.of(7)).cells, 1);
  world.editRows({ x: 4, y: 9, width: 2 }, Uint8Array.of(3, 4));
  assert.deepEqual([...world.costs({ x: 3, y: 9, width: 4 })], [1, 3, 4, 1]);
  const order = world.order({ x: 50, y: 5, quality: "exact" }, [{ x: 4, y: 20 }]);
  assert.equal(world.tick(Infinity).waiting, 0);
  let [x, y, steps] = [4, 20, 0];
  const cells = Int32Array.of(x, y, 50, 5);
  const [cost, none] = order.costsToGo(cells);
  assert.ok(none === 0 && cost >= 46 * 5 && cost <= world.travelCost({ x, y }, { x: 50, y: 5 }));
  assert.equal(order.sampleMany(cells)[1], Sample.ARRIVED);
  assert.deepEqual([...order.seeGoal(cells)], [0, 1]);
  for (let sample; (sample = order.sample(x, y)) < Sample.LINK; steps++) {
    const [dx, dy] = STEPS[sample & 7];
    [x, y] = [x + dx, y + dy];
  }
  assert.deepEqual([x, y], [50, 5]);
  assert.ok(steps >= 46 && world.stats().tiles > 0);
  order.aim({ x: 2, y: 2 }, [{ x, y }]);
  order.cover([{ x: 3, y: 30 }]);
  order.free();
  world.tick(Infinity);
  assert.deepEqual([world.stats().orders, world.stats().tiles], [0, 0]);
});

test("a rectangle of an order: is as its cells", () => {
  const world = World.open(60, 40);
  world.edit({ x: 30, y: 0, width: 2, height: 30 }, WALL);
  const order = world.order({ x: 50, y: 5 }, [{ x: 4, y: 20 }]);
  world.tick(Infinity);
  const area = { x: 3, y: 2, width: 55, height: 37 };
  const [samples, costs] = [order.sampleRows(area), order.costToGoRows(area)];
  assert.equal(samples.length, 55 * 37);
  const cells = Int32Array.from({ length: 2 * samples.length }, (_, at) => (at % 2 ? 2 + Math.floor(at / 110) : 3 + (at >> 1) % 55));
  const isWall = (at) => cells[2 * at] >> 1 === 15 && cells[2 * at + 1] < 30;
  assert.deepEqual(samples, order.sampleMany(cells).map((sample, at) => (isWall(at) ? Sample.WALL : sample)));
  assert.deepEqual([...costs], [...order.costsToGo(cells)].map((cost) => Math.min(cost, 2 ** 32 - 1)));
  assert.throws(() => order.sampleRows({ x: 50, y: 0, width: 11, height: 2 }), { code: "off-map" });
  world.free();
  order.free();
});

test("room for a building: is told for the units that need it", () => {
  const world = World.open(60, 40);
  world.edit({ x: 30, y: 0, width: 20, height: 40 }, 20);
  const layer = world.addLayer({ costs: { 20: WALL }, size: 3 });
  const lake = { x: 35, y: 10, width: 4, height: 3 };
  assert.deepEqual([world.isFree(lake), world.isFree(lake, layer)], [true, false]);
  assert.equal(world.isFree({ ...lake, x: 26 }, layer), true);
  assert.deepEqual(world.nearestFree({ x: 32, y: 10 }, 4, layer), { x: 26, y: 10 });
  assert.equal(world.nearestFree({ x: 32, y: 10 }, 31, layer), null);
  assert.throws(() => world.nearestFree(lake, 4, layer + 1), { code: "not-found", message: /addLayer/ });
  world.free();
});

test("a layer and a link: are used by orders on them", () => {
  const world = World.open(60, 40);
  world.edit({ x: 30, y: 0, width: 2, height: 40 }, 20);
  const layer = world.addLayer({ costs: { 20: WALL }, size: 3 });
  const [from, to] = [{ x: 5, y: 20 }, { x: 50, y: 20 }];
  assert.equal(world.reachable(from, to, layer), false);
  assert.equal(world.travelCost(from, to, layer), null);
  assert.deepEqual(world.nearestReachable(from, to, layer), { x: 28, y: 20 });
  assert.throws(() => world.order({ ...to, layer }, [from]), { code: "unreachable" });
  const link = world.addLink({ x: 10, y: 20 }, { x: 40, y: 20 }, 5);
  const order = world.order({ ...to, layer }, [from]);
  world.tick(Infinity);
  assert.equal(order.sample(10, 20), Sample.LINK);
  assert.deepEqual(order.linkExit(10, 20), { x: 40, y: 20 });
  world.removeLink(link);
  assert.equal(world.reachable(from, to, layer), false);
  const around = { x: 3, y: 3, width: 2, height: 1 };
  world.surcharge(layer, [[around, 9], [{ x: 3, y: 3 }, 4]]);
  assert.deepEqual([...world.costs(around, layer)], [5, 10]);
  assert.throws(() => world.surcharge(0, [[around, 9]]), { code: "not-found", message: /addLayer/ });
});

test("fog: a team takes a bridge that is gone, until it sees the gap", () => {
  const world = World.open(120, 60);
  const [bridge, ford] = [{ x: 60, y: 10, width: 2, height: 3 }, { x: 60, y: 50, width: 2, height: 3 }];
  world.edit({ x: 60, y: 0, width: 2, height: 60 }, WALL);
  for (const gap of [bridge, ford]) world.edit(gap, 1);
  world.addFog(1);
  const army = world.army();
  const group = army.addGroup();
  army.addUnits([{ id: 0, group, x: 5.5, y: 12.5 }]);
  army.march(group, { x: 100, y: 12, layer: layerForTeam(0, 1) });
  world.edit(bridge, WALL);
  let [southernmost, detours] = [0, 0];
  for (let tick = 0; tick < 2000 && !army.isSettled; tick++) {
    detours += army.look(0, [{ group, sight: 12 }]);
    world.tick();
    army.step();
    southernmost = Math.max(southernmost, army.positions[1]);
  }
  assert.throws(() => army.look(5, [{ group: 9, sight: 1 }]), { code: "not-found" });
  assert.ok(army.isSettled && southernmost > 50 && detours > 0, `${southernmost}`);
});

test("buildings and gates lie over the ground, and go", () => {
  const world = World.open(40, 30);
  const army = world.army();
  const group = army.addGroup();
  army.addUnits([{ id: 3, group, x: 10.5, y: 10.5 }]);
  assert.deepEqual(army.groups, [group]);
  const hall = world.stamp({ width: 3, height: 2, costs: Uint8Array.of(WALL, WALL, 0, WALL, WALL, WALL) }, { x: 10, y: 10 });
  assert.deepEqual([...world.costs({ x: 10, y: 10, width: 3, height: 2 })], [WALL, WALL, 1, WALL, WALL, WALL]);
  assert.equal(army.putOutOfWalls(), 1);
  const turned = world.stampPolygon([{ x: 20, y: 10 }, { x: 23, y: 13 }, { x: 20, y: 16 }, { x: 17, y: 13 }], { rim: 1, rimCost: 4 });
  assert.equal(world.costs({ x: 20, y: 13 })[0], WALL);
  assert.deepEqual([hall, turned].map((stamp) => world.unstamp(stamp).cells > 4), [true, true]);
  assert.throws(() => world.unstamp(hall), { code: "not-found", message: /stamp/ });
  assert.throws(() => world.stampPolygon([{ x: 1, y: 1 }, { x: 5, y: 5 }]), { code: "argument", message: /polygon/ });

  world.edit({ x: 30, y: 0, height: 30 }, WALL);
  world.edit({ x: 30, y: 10, height: 3 }, 1);
  const gate = world.addGate({ x: 30, y: 10, height: 3 }, [1, 2]);
  const isOpen = (team) => world.reachable({ x: 5, y: 5 }, { x: 35, y: 5 }, layerForTeam(0, team));
  assert.deepEqual([0, 1, 2].map(isOpen), [false, true, true]);
  assert.throws(() => army.march(group, { x: 35, y: 5 }), { code: "unreachable", message: new RegExp(`gate ${gate}`) });
  army.setTeam(group, 1);
  army.sendAll([group], { x: 35, y: 5 });
  assert.throws(() => army.setTeam(group, 0), { code: "argument", message: /layer/ });
  world.setGate(gate, [0]);
  assert.deepEqual([0, 1, 2].map(isOpen), [true, false, false]);
  world.removeGate(gate);
  assert.deepEqual([0, 1, 2].map(isOpen), [true, true, true]);
  assert.throws(() => world.setGate(gate, []), { code: "not-found" });
  for (const cost of [300, 1.7, -1, "5"]) {
    const refused = { name: "TypeError", message: /a cost is .+: give a whole number from 0 to 255/ };
    assert.throws(() => World.fromCosts(2, 1, [1, cost]), refused);
    assert.throws(() => world.editRows({ x: 0, y: 0, width: 2 }, [1, cost]), refused);
  }
  assert.deepEqual(World.fromCosts(3, 1, [1, 9, 255]).costs({ x: 0, y: 0, width: 3 }), Uint8Array.of(1, 9, 255));
  assert.throws(() => army.march(group), { name: "TypeError", message: /a goal is undefined/ });
  assert.throws(() => army.march(), { name: "TypeError", message: /group is undefined/ });
});

test("what a team knows: is what it was shown", () => {
  const world = worldOf();
  const area = { x: 10, y: 10, width: 2, height: 3 };
  const known = () => [...world.known(7, area)];
  assert.equal(world.known(7, area), null);
  assert.throws(() => world.reveal(7, [area]), { code: "not-found", message: /`addFog`/ });
  world.addFog(7);
  assert.throws(() => world.addFog(7), { code: "argument", message: /already/ });
  assert.throws(() => world.addFog(0), { code: "argument", message: /1 to 7/ });
  world.edit(area, WALL);
  assert.deepEqual(known(), [1, 1, 1, 1, 1, 1]);
  assert.equal(world.revealAround(7, [{ x: -5, y: 11, sight: 15 }, { x: 11, y: 11, sight: 0 }]).cells, 2);
  assert.deepEqual(known(), [1, 1, WALL, WALL, 1, 1]);
  assert.equal(world.reveal(7, [area, { x: 0, y: 0 }]).cells, 4);
  assert.throws(() => world.reveal(7, [{ x: 40, y: 0 }]), { code: "off-map" });
  assert.throws(() => world.known(7, { x: 40, y: 0 }), { code: "off-map" });
  assert.equal(world.forget(7, [area]).cells, 6);
  assert.equal(world.forget(7, [area], 9).cells, 6);
  assert.deepEqual(known(), [9, 9, 9, 9, 9, 9]);
  world.edit({ x: 9, y: 10, height: 6 }, 3);
  world.setOpaque([3, WALL]);
  world.revealAround(7, [{ x: 5, y: 11, sight: 20 }]);
  assert.deepEqual(known(), [9, 9, 9, 9, 9, 9], "behind a forest");
  assert.throws(() => world.setOpaque([0]), { code: "argument", message: /kinds/ });
  assert.equal(world.removeFog(7).cells, 6);
  assert.equal(world.known(7, area), null);
  assert.equal(layerForTeam(layerForTeam(3, 2), 7), 3 + 7 * 65536);
  assert.throws(() => layerForTeam(0, 8), /from 0 to 7/);
});

test("paths of an order and of a unit: lines around walls, through a link", async () => {
  const world = World.open(60, 40);
  world.edit({ x: 45, y: 0, height: 20 }, WALL);
  const link = world.addLink({ x: 10, y: 10 }, { x: 40, y: 10 }, 5);
  const army = world.army();
  const group = army.addGroup();
  army.addUnits([{ id: 7, group, x: 5.25, y: 8.75 }]);
  assert.equal(army.path(7), null, "it stands");
  const order = army.order(group, { x: 50, y: 10 });
  assert.equal(order.path(5, 8), null, "directions are not ready");
  world.tick(Infinity);
  const { points, links } = order.path(5, 8);
  assert.deepEqual([...links], [-1, link, -1, -1, -1, -1]);
  assert.deepEqual([...points].map(Math.round), [6, 9, 11, 11, 41, 11, 45, 20, 46, 20, 51, 11]);
  const { points: way } = army.path(7);
  assert.deepEqual([...way.slice(0, 2)], [5.25, 8.75]);
  assert.ok(way[6] < 45 && way[7] > 20, `as far from the wall as the body needs: ${way}`);
  const { x, y } = army.stopOf(7);
  assert.deepEqual([...way.slice(-2)], [x, y]);
  assert.deepEqual([order.path(-1, 8), army.path(8)], [null, null]);
  assert.throws(() => army.path(-1), /unit is -1/);
  // More points than the array of an engine has room for at first.
  const fresh = await import("../flowtiles.js?fresh");
  await fresh.init();
  const maze = fresh.World.open(300, 20);
  for (let x = 5; x < 295; x += 4) maze.edit({ x, y: x % 8 === 5 ? 0 : 1, height: 19 }, WALL);
  const through = maze.order({ x: 299, y: 10 }, [{ x: 0, y: 10 }]);
  maze.tick(Infinity);
  const long = through.path(0, 10);
  assert.ok(long.links.length > 100 && long.points.length === 2 * long.links.length, `${long.links.length} points`);
  assert.deepEqual([...long.points.slice(-2)], [299.5, 10.5]);
});

test("an army: is read, reported and changed", () => {
  const world = worldOf();
  const army = world.army({ room: 0.2, hardGroundSlows: false });
  const group = army.addGroup("nearest");
  army.addUnits([{ id: 7, group, x: 4.5, y: 4.5 }, { id: 3, group, x: 6.5, y: 4.5, radius: 0.4, speed: 5 }]);
  const order = army.order(group, { cells: [{ x: 12, y: 4 }, { x: 30, y: 4 }] });
  army.queue(group, { kind: "point", x: 12, y: 9 });
  const kinds = new Set();
  for (let tick = 0; tick < 600 && !army.isSettled; tick++) {
    world.tick();
    army.step();
    for (const { kind } of army.events()) kinds.add(kind);
  }
  assert.deepEqual([...kinds], ["arrived", "group-arrived"]);
  assert.deepEqual([...army.ids], [3, 7]);
  assert.deepEqual([...army.states], [State.ARRIVED, State.ARRIVED]);
  assert.ok(army.positions.every((at) => at > 7 && at < 14) && army.velocities.length === 4);
  army.setPosition(3, 20, 20);
  army.send(group, { kind: "attack", order, sight: 5 });
  army.setGroup(7, army.addGroup("crowd"));
  army.setJamCosts(world.addLayer(), [1, 2, 4, 8]);
  army.noteJams();
  army.disband(group);
  assert.equal(army.removeUnits([7, 8]), 1);
  army.removeGroup(group);
  assert.equal(army.count, 0);
  assert.equal(army.positions.length, 0);
});

/** Men and tanks, of which the tanks walk on a layer for bodies three cells wide. */
function menAndTanks() {
  const world = World.open(60, 40);
  const layer = world.addLayer({ size: 3 });
  const army = world.army();
  const groups = [army.addGroup(), army.addGroup()];
  army.setLayer(groups[1], layer);
  army.addUnits(groups.map((group, id) => ({ id, group, x: 5.5, y: 10.5 + 10 * id })));
  return { world, army, groups, layer };
}

test("groups sent together: each goes on its own layer, as it is told", () => {
  const { world, army, groups, layer } = menAndTanks();
  world.edit({ x: 20, y: 0, width: 1, height: 40 }, WALL);
  world.edit({ x: 20, y: 12, width: 1, height: 2 }, 1);
  // Two cells are too narrow for tanks, so the men are not sent either.
  const before = army.hash();
  assert.throws(() => army.sendAll(groups, { x: 40, y: 15 }), { code: "unreachable" });
  assert.equal(army.hash(), before);
  world.edit({ x: 20, y: 12, width: 1, height: 4 }, 1);
  army.sendAll(groups, { x: 40, y: 15 }, { together: true, attack: { sight: 8 } });
  army.sendAll(groups, { x: 50, y: 15 }, { queued: true, formation: { shape: "wedge", spacing: 1.5 } });
  for (let tick = 0; tick < 2000 && !army.isSettled; tick++) {
    world.tick();
    army.step();
  }
  const [manX, manY, tankX, tankY] = army.positions;
  for (const [x, y] of [[manX, manY], [tankX, tankY]]) assert.ok(Math.hypot(x - 50, y - 15) < 4, `${x}, ${y}`);
  assert.throws(() => army.sendAll([], { x: 5, y: 5 }), { code: "argument" });
  assert.throws(() => army.sendAll([groups[0], groups[0]], { x: 5, y: 5 }), { code: "argument", message: /twice/ });
  assert.throws(() => army.sendAll([99], { x: 5, y: 5 }), { code: "not-found" });
  assert.throws(() => army.sendAll(groups, { x: 5, y: 5 }, { queue: true }), /"queue" is no word on how groups are sent/);
  assert.throws(() => army.sendAll(groups, { x: 5, y: 5 }, { formation: { shape: "ring" } }), /no shape/);
  const chase = { attack: { sigth: 8 } };
  assert.throws(() => army.sendAll(groups, { x: 5, y: 5 }, chase), /"sigth" is no word on an attack.*range.*leash.*sight/);
  const wide = { formation: { shape: "box", space: 2 } };
  assert.throws(() => army.sendAll(groups, { x: 5, y: 5 }, wide), /"space" is no word on a formation.*shape.*spacing/);
  army.addUnits([{ id: 2, group: groups[1], x: 5.5, y: 5.5, radius: 1.2 }]);
  assert.throws(() => army.setLayer(groups[1], 0), { code: "argument", message: /order on layer 1/ });
  assert.throws(() => army.setLayer(groups[0], layer + 1), { code: "not-found", message: /that `addLayer` gave/ });
  const inWall = { code: "unreachable", message: /use `orNearest`/ };
  assert.throws(() => army.sendAll(groups, { x: 20, y: 5 }), inWall);
  assert.throws(() => army.step(-0.05), { code: "argument", message: /`seconds` cannot be -0.05/ });
});

test("groups drawn up on a line: stop at their ghosts, by rank, and then patrol", () => {
  const world = World.open(60, 40);
  const army = world.army();
  const [archers, men] = [army.addGroup(), army.addGroup()];
  army.addUnits(Array.from({ length: 8 }, (_, id) => ({ id, group: id < 4 ? archers : men, x: 5.5 + id, y: 10.5 })));
  army.setRank(archers, 1);
  const line = { left: { x: 40.5, y: 10.5 }, right: { x: 40.5, y: 13.5 } };
  const around = army.ghosts([men], { x: 30, y: 20 });
  assert.deepEqual([...around.ids].sort(), [4, 5, 6, 7]);
  assert.ok(around.places.every((at, index) => Math.abs(at - [30.5, 20.5][index % 2]) < 1), around.places);
  const { ids, places } = army.ghosts([archers, men], line);
  assert.equal(ids.length, 8);
  ids.forEach((id, index) => assert.ok(Math.abs(places[2 * index] - 40.5) < 0.1 === id >= 4, `${id}: ${places}`));
  army.drawUp([archers, men], line);
  for (let tick = 0; tick < 2000 && !army.isSettled; tick++) {
    world.tick();
    army.step();
  }
  const sorted = (points) => Array.from({ length: 8 }, (_, index) => [...points.slice(2 * index, 2 * index + 2)]).sort();
  assert.deepEqual(sorted(army.stopsOf(ids)), sorted(places));
  const { x, y } = army.stopOf(5);
  assert.ok(Math.hypot(army.positions[10] - x, army.positions[11] - y) < 0.2, `${x}, ${y}`);
  assert.equal(army.stopOf(99), null);
  // A chase that is given is one that the engine checks.
  const patrol = (attack) => army.patrolAll([{ group: archers, attack }, men], [{ x: 50, y: 5 }, { x: 50, y: 30 }]);
  assert.throws(() => patrol({ range: -6 }), { code: "argument" });
  assert.throws(() => patrol({ rnage: 6 }), /"rnage" is no word on an attack/);
  assert.throws(() => army.drawUp([{ grup: men }], line), /"grup" is no word on a group that is sent/);
  patrol({ range: 6, sight: 12 });
  assert.deepEqual([army.stopOf(0), army.stopOf(7)], [{ x: 50.5, y: 5.5 }, { x: 50.5, y: 5.5 }]);
  assert.throws(() => army.patrolAll([men], []), { code: "argument" });
  assert.throws(() => army.drawUp([men], { left: line.left, right: line.left }), { code: "argument", message: /different points/ });
  assert.throws(() => army.ghosts([men, men], line), { code: "argument", message: /twice/ });
  assert.throws(() => army.setRank(men, 256), /rank is 256/);
});

test("room for units: is told for each group's layer", () => {
  const { world, army, groups: [men, tanks] } = menAndTanks();
  world.edit({ x: 30, y: 8 }, WALL);
  const at = (group, x, y) => ({ group, x, y, radius: 0.4 });
  const places = [at(men, 29.5, 9.5), at(tanks, 29.5, 9.5), at(tanks, 40.5, 9.5), at(men, 30.5, 8.5), at(men, 5.5, 10.6)];
  assert.deepEqual(army.hasRoom(places), [true, false, true, false, false]);
  assert.deepEqual(army.hasRoom([]), []);
  assert.throws(() => army.hasRoom([at(99, 5, 5)]), { code: "not-found" });
});

test("the nearest foe: is told within a distance", () => {
  const army = worldOf().army();
  const groups = [0, 1].map((team) => {
    const group = army.addGroup();
    army.setManner(group, { team, foes: [1 - team] });
    return group;
  });
  army.addUnits([5, 30, 7, 9].map((id, at) => ({ id, group: groups[at >> 1], x: id + 0.5, y: 5.5 })));
  assert.deepEqual([...army.nearestFoes([5, 30, 9, 4], 5)], [7, 30, 5, 4]);
  assert.deepEqual([...army.nearestFoes(army.ids, 1)], [...army.ids]);
  assert.deepEqual([army.nearestFoe(5, 5), army.nearestFoe(5, 1)], [7, null]);
  assert.throws(() => army.nearestFoe(-1, 5), /unit is -1/);
});

test("values that cannot be used: refused with words", () => {
  const world = worldOf();
  const army = world.army();
  const group = army.addGroup();
  assert.throws(() => World.open(0, 5), { code: "argument" });
  assert.throws(() => World.fromCosts(2, 2, new Uint8Array(3)), { code: "argument" });
  assert.throws(() => world.edit({ x: 39, y: 0, width: 2 }, WALL), { code: "off-map", message: /40×30/ });
  assert.throws(() => world.edit({ x: 1, y: 1 }, 256), /cost is 256: give a whole number from 0 to 255/);
  assert.throws(() => world.edit({ x: 1.5, y: 1 }, 1), /x of a cell is 1.5/);
  assert.throws(() => world.order({ x: 1 }), /y of a cell is undefined/);
  assert.throws(() => army.setManner(group, { team: 8 }), { code: "argument" });
  assert.throws(() => army.addUnits([{ group, x: 1, y: 1 }]), /id is undefined/);
  assert.throws(() => world.tick(-1), /give 0 or more/);
  assert.throws(() => world.order({ x: 5, y: 5, quality: "good" }), /corridor, exact, everywhere/);
  assert.throws(() => world.army({ rooom: 1 }), /"rooom" is no setting/);
  assert.throws(() => world.army({ room: -1 }), { code: "argument", message: /room/ });
  assert.throws(() => army.addUnits([{ id: 0, group, x: NaN, y: 1 }]), { code: "argument" });
  assert.throws(() => army.addUnits([{ id: 0, group: 9, x: 1, y: 1 }]), { code: "not-found" });
  assert.throws(() => army.send(group, { kind: "dance" }), /no target/);
  assert.throws(() => army.send(group, { kind: "order", order: worldOf().order({ x: 5, y: 5 }) }), { code: "foreign" });
});

test("what was freed: answers stale, and nothing else does", () => {
  const [world, other] = [worldOf(), worldOf()];
  const order = world.order({ x: 9, y: 9 });
  const army = world.army();
  world.free();
  assert.throws(() => world.tick(), { code: "stale" });
  assert.throws(() => world.free(), { code: "stale" });
  assert.throws(() => order.sample(1, 1), { code: "stale" });
  assert.throws(() => army.step(), { code: "stale" });
  order.free();
  army.free();
  assert.throws(() => army.step(), { code: "stale" });
  other.tick();
});

test("memory that grows: views before it are stale, views after it are right", () => {
  const world = worldOf();
  const army = world.army();
  const group = army.addGroup();
  army.addUnits([{ id: 0, group, x: 4.5, y: 4.5 }]);
  const before = army.positions;
  assert.deepEqual([...before], [4.5, 4.5]);
  const large = World.fromCosts(3000, 3000, new Uint8Array(9_000_000).fill(1));
  assert.equal(before.length, 0);
  assert.deepEqual([...army.positions], [4.5, 4.5]);
  large.free();
});

test("worlds made and freed again and again: need no more memory", () => {
  const round = () => {
    const { world, army } = battle(3);
    assert.equal(army.positions.length, 240);
    army.free();
    world.free();
    return memoryBytes();
  };
  const first = Math.max(round(), round());
  for (let rounds = 0; rounds < 100; rounds++) round();
  assert.equal(memoryBytes(), first);
});

test("the C interface: the package has each of its calls", () => {
  const header = readFileSync(new URL("../../../crates/flowtiles-capi/include/flowtiles.h", import.meta.url), "utf8");
  const source = readFileSync(new URL("../flowtiles.js", import.meta.url), "utf8");
  const names = [...header.matchAll(/^(?:flowtiles_status |uint|const|void).*?flowtiles_(\w+)\(/gm)].map(([, name]) => name);
  assert.ok(names.length > 60, `${names.length} names`);
  // Readers of map files would be a part of each download.
  const left = new Set(["world_read_map"]);
  assert.deepEqual(names.filter((name) => !left.has(name) && !source.includes(`"${name}"`) && !source.includes(`.flowtiles_${name}`)), []);
});

test("flowtiles/inline: the same package without a file beside", async () => {
  const inline = await import("../inline.js");
  await inline.init();
  assert.equal(inline.World, World);
});
