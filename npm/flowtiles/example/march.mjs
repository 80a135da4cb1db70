// Two groups swap sides of a wall with a gap. In a page: index.html; here: node march.mjs
import { init, World, WALL } from "../flowtiles.js";

/** Plays to the end; `draw` is awaited after each step. */
export async function march(draw) {
  await init();
  const world = World.open(60, 40);
  world.edit({ x: 30, y: 0, width: 2, height: 40 }, WALL);
  world.edit({ x: 30, y: 16, width: 2, height: 8 }, 1);

  const army = world.army();
  for (const side of [0, 1]) {
    const group = army.addGroup();
    const place = (at) => ({ x: 4.5 + 46 * side + (at % 6), y: 12.5 + Math.floor(at / 6) });
    army.addUnits(Array.from({ length: 90 }, (_, at) => ({ id: 90 * side + at, group, ...place(at) })));
    army.march(group, { x: 53 - 46 * side, y: 20 });
  }
  let steps = 0;
  for (; !army.isSettled && steps < 3000; steps++) {
    world.tick();
    army.step();
    await draw(world, army);
  }
  const result = { steps, hash: army.hash().toString(16) };
  army.free();
  world.free();
  return result;
}

if (globalThis.process?.argv[1]?.endsWith("march.mjs")) {
  const { steps, hash } = await march(() => {});
  console.log(`all have arrived after ${steps} steps; the army's hash is ${hash}`);
}
