// How long a page takes until it shows its map: node begins.mjs COMMAND [FILE [TIMES]]
// measures the page that the command serves, or the page in a file. Prints milliseconds since
// its loading began, and processor time of the browser's processes. Holds nothing against them.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { begin, open } from "./browser.mjs";

const [command, file, times = 5] = process.argv.slice(2);
const host = file ? null : begin(command, ["inspect", "--port", "0", "--for", "600"], /^(http:\/\/127\.0\.0\.1:\d+\/)$/m);
const url = file ? pathToFileURL(resolve(file)).href : (await host.line)[1];

/** The page waits for its first picture of the map, which its script only asks for. */
const WAIT = `(() => {
  const mark = performance.mark.bind(performance);
  performance.mark = (name) => {
    const { gl } = inspector.picture;
    window.asked = performance.now();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    window.drawn = performance.now();
    return mark(name);
  };
})()`;

async function once() {
  const page = await open("about:blank");
  await page.visit(url, WAIT);
  await page.until("the map", "window.drawn > 0");
  const devtools = await page.browser.target().createCDPSession();
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  const spent = (type) => 1000 * processInfo.filter((one) => one.type === type).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  const [paint, asked, drawn] = await page.run(`[performance.getEntriesByType("paint")[0]?.startTime ?? NaN, asked, drawn]`);
  await page.close();
  return {
    "the page is painted": paint, "the map is asked of the graphics card": asked, "the map is drawn": drawn,
    "processor time of the page": spent("renderer"), "processor time of what draws": spent("GPU"),
  };
}

try {
  const all = [];
  for (let time = 0; time < times; time++) all.push(await once());
  for (const what of Object.keys(all[0])) {
    const values = all.map((one) => one[what]).sort((one, other) => one - other);
    console.log(`${what}: median ${values[values.length >> 1].toFixed(0)}, from ${values[0].toFixed(0)} to ${values.at(-1).toFixed(0)} ms`);
  }
} finally {
  host?.child.kill("SIGTERM");
  await host?.ended;
}
