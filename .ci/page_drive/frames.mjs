// How long a frame of the page takes: moves the map of a country in several ways and
// prints, for each, milliseconds of script, from frame to frame, and of the drawing process.

import { begin, open, pause } from "./browser.mjs";

const SIZE = { width: 1280, height: 800 };
/** Frames of a series, and how often each series is repeated. */
const FRAMES = 150, ROUNDS = Number(process.argv[3] ?? 5);
/** Only series whose names match. */
const ONLY = new RegExp(process.argv[4] ?? "");
/** Layers that are on at first. */
const USUAL = ["units", "loaded", "paths"];

const to_and_fro = (step) => `camera.pan(n % 60 < 30 ? ${step} : -${step}, n % 40 < 20 ? ${step} : -${step}); inspector.moved();`;
/** The wheel turns a little every second frame: for a second in, for a second out. */
const in_and_out = "if (n % 2 === 0) { camera.zoom(n % 120 < 60 ? 1.1 : 1 / 1.1, camera.width * 0.6, camera.height * 0.4); inspector.moved(); }";
const SERIES = [
  { what: "a still map, clock paused, and a square of 8×8 pixels that changes", empty: true, paused: true },
  { what: "panning the whole map, clock paused", paused: true, move: to_and_fro(3) },
  { what: "panning the whole map, units marching", move: to_and_fro(3) },
  { what: "panning at 3 pixels a cell, units marching", scale: 3, move: to_and_fro(6) },
  { what: "panning at 12 pixels a cell, units marching", scale: 12, move: to_and_fro(6) },
  { what: "the layer flow, whose dashes move, 3 pixels a cell, nothing else", scale: 3, layers: ["flow"], paused: true, move: "" },
  { what: "panning with the layer flow, 3 pixels a cell", scale: 3, layers: ["flow"], move: to_and_fro(6) },
  { what: "panning with the layer integration, 3 pixels a cell", scale: 3, layers: ["integration"], move: to_and_fro(6) },
  { what: "panning with the layer cost, 3 pixels a cell", scale: 3, layers: ["cost"], move: to_and_fro(6) },
  { what: "panning with portals and graph, 3 pixels a cell", scale: 3, layers: ["portals", "graph"], move: to_and_fro(6) },
  { what: "panning with cell numbers and costs, 24 pixels a cell", scale: 24, layers: ["numbers", "cost"], move: to_and_fro(6) },
  { what: "zooming in and out, units marching", move: in_and_out },
  { what: "zooming in and out, clock paused", paused: true, move: in_and_out },
];

const host = begin(process.argv[2], ["inspect", "--port", "0", "--for", "600"], /^(http:\/\/127\.0\.0\.1:\d+\/)$/m);
const page = await open((await host.line)[1], { ...SIZE, moves: true });

const devtools = await page.browser.target().createCDPSession();

/** Seconds on a processor that the process has had that draws for all pages. */
const drawn_seconds = async () => {
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  return processInfo.find((one) => one.type === "GPU").cpuTime;
};

const set_up = async ({ scale, layers = [], paused = false }) => {
  if ((await page.run("inspector.store.status.isPaused")) !== paused) await page.key(" ");
  await page.until("the clock", `inspector.store.status.isPaused === ${paused}`);
  await page.run(`(() => {
    const wanted = new Set(${JSON.stringify([...USUAL, ...layers])});
    for (const name of ["units", "loaded", "paths", "flow", "integration", "cost", "portals", "graph", "numbers"]) {
      if (inspector.state.layers.has(name) !== wanted.has(name)) inspector.layer(name);
    }
    inspector.camera.fit();
    ${scale ? `Object.assign(inspector.camera, { scale: ${scale}, x: 500, y: 500 });` : ""}
    inspector.moved();
  })()`);
  await pause(900);
  await page.until("a whole picture", "inspector.picture.isWhole");
};

const EMPTY = `(() => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas.style, { position: "fixed", left: 0, top: 0, width: "8px", height: "8px" });
  document.body.append(canvas);
  window.emptied = canvas;
})()`;

/** Runs a series once: gaps between frames, script in each, time of the drawing process. */
const run = async ({ move, empty }) => {
  if (empty) await page.run(EMPTY);
  const before = await drawn_seconds();
  const taken = await page.run(`(async () => {
    const { camera } = inspector, gaps = [], script = [];
    let spent = 0, last = null;
    const draw = inspector.draw;
    inspector.draw = function (time) {
      const from = performance.now();
      draw.call(this, time);
      spent += performance.now() - from;
    };
    for (let n = 0; n < ${FRAMES}; n++) {
      const time = await new Promise((done) => requestAnimationFrame(done));
      if (last !== null) { gaps.push(time - last); script.push(spent); }
      last = time;
      spent = 0;
      const from = performance.now();
      ${empty ? `const pen = emptied.getContext("2d"); pen.fillStyle = n % 2 ? "#111" : "#222"; pen.fillRect(0, 0, 8, 8);` : move}
      spent += performance.now() - from;
    }
    delete inspector.draw;
    return { gaps, script };
  })()`);
  const drawing = ((await drawn_seconds()) - before) * 1000 / FRAMES;
  if (empty) await page.run("emptied.remove()");
  return { ...taken, drawing };
};

const at = (values, part) => [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * part))];

try {
  await page.until("the page", "!!window.inspector?.store && inspector.store.stages[0]?.units.total === 3000", 40);
  await pause(2000);
  const renderer = await page.run(`(() => {
    const { gl } = inspector.picture, more = gl.getExtension("WEBGL_debug_renderer_info");
    return gl.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  })()`);
  console.log(`drawn by ${renderer}, window ${SIZE.width}×${SIZE.height}; milliseconds,\nthe lowest of ${ROUNDS} rounds of ${FRAMES} frames for each number\n`);
  console.log("| what is seen | script a frame | frame to frame: median | 95 of 100 | drawing process a frame |");
  console.log("| --- | --: | --: | --: | --: |");
  for (const series of SERIES) {
    if (!ONLY.test(series.what)) continue;
    await set_up(series);
    let best = null;
    for (let round = 0; round < ROUNDS; round++) {
      const { gaps, script, drawing } = await run(series);
      const one = [at(script, 0.5), at(gaps, 0.5), at(gaps, 0.95), drawing];
      best = best ? best.map((value, nth) => Math.min(value, one[nth])) : one;
    }
    console.log(`| ${series.what} | ${best.map((value) => value.toFixed(1)).join(" | ")} |`);
  }
  for (const told of page.errors) console.error(`console: ${told}`);
} finally {
  await page.close();
  host.child.kill("SIGTERM");
  await host.ended;
}
