// Films the page in use, for README.md: the armies of the first map march, then units of one
// of them from near. Writes a picture of each frame into a folder:
//   node .ci/page_drive/film.mjs target/release/flowtiles FOLDER
//   ffmpeg -framerate 10 -i FOLDER/%03d.png -vf "split[a][b];[a]palettegen=stats_mode=diff[p];\
//     [b][p]paletteuse=dither=none:diff_mode=rectangle" FOLDER/page.gif
//   gifsicle -O3 --lossy=80 FOLDER/page.gif -o docs/page.gif

import "./websocket.mjs";
import { join } from "node:path";
import { begin, open, pause } from "./browser.mjs";

const [program, folder] = process.argv.slice(2);
const host = begin(program, ["inspect", "--port", "0", "--for", "600"], "stdout", /^(http:\/\/127\.0\.0\.1:\d+\/)$/m);
const page = await open((await host.line)[1], { width: 960, height: 600 });
let frames = 0;
const settled = () => page.until("a whole picture", "inspector.picture.isWhole");
const shoot = async () => {
  await page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  await page.shot(join(folder, `${String(frames++).padStart(3, "0")}.png`));
};
/** Films so many frames, with so many ticks between them. */
const march = async (count, ticks) => {
  for (let frame = 0; frame < count; frame++) {
    for (let tick = 0; tick < ticks; tick++) await page.key(".", "Period");
    await pause(150);
    await settled();
    await shoot();
  }
};

try {
  await page.until("armies on the march", "globalThis.inspector?.store.stages[0]?.tick > 60", 120);
  await page.key(" ");
  await page.until("a pause", "inspector.store.status.isPaused");
  await settled();
  await march(22, 6);
  await page.run("(() => { const { now } = inspector.store.stages[0].units, nth = Math.floor(now.size / 2), { x, y } = [...now.values()][nth]; Object.assign(inspector.camera, { scale: 18, x, y, wanted: null }); inspector.moved(); })()");
  await pause(3000);
  await settled();
  await march(22, 3);
} finally {
  await page.close();
  host.child.kill();
}
console.log(`${frames} frames`);
