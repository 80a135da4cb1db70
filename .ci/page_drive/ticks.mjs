// What a tick of many units takes as wasm, beside the same session in the machine's own
// code: node ticks.mjs WASM NATIVE [UNITS]. NATIVE is the example `ticks` of crates/studio.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { say } from "../../crates/inspector/page/wire.js";

const [wasm, native, units = "5000"] = process.argv.slice(2);
const page = { now: () => performance.now(), fault: () => {} };
const studio = (await WebAssembly.instantiate(readFileSync(wasm), { page })).instance.exports;
const picture = () => {
  studio.picture(50);
  while (studio.take() > 0);
};
const tell = (message) => {
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  new Uint8Array(studio.memory.buffer, studio.room(bytes.byteLength) >>> 0, bytes.byteLength).set(bytes);
  studio.receive();
  picture();
};
let begin = performance.now();
studio.begin(8);
const drawn = performance.now() - begin;
tell(say.newMap(0, 400, 400, 3));
tell(say.place({ x: 100, y: 100 }, Number(units)));
tell(say.select(0, 0, 400, 400));
tell(say.send({ x: 350, y: 350 }));
for (let at = 0; at < 20; at++) picture();
begin = performance.now();
for (let at = 0; at < 100; at++) picture();
const here = (performance.now() - begin) / 100;
const there = Number(execFileSync(native, [units]));
console.log(`${units} units, a tick: wasm ${here.toFixed(2)} ms, native ${there.toFixed(2)} ms, ratio ${(here / there).toFixed(2)}; the country drawn in ${drawn.toFixed()} ms`);
