// Films the page for README.md: the ground and the armies in steps of its tour, without its
// panels. Writes a picture of each frame into a folder:
//   .ci/page_drive/ready && node .ci/page_drive/film.mjs target/demo.html FOLDER
//   ffmpeg -framerate 6 -i FOLDER/%03d.png -vf "split[a][b];\
//     [a]palettegen=max_colors=160[p];[b][p]paletteuse=dither=none:diff_mode=rectangle" docs/page.gif

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { open, pause } from "./browser.mjs";

const [file, folder] = process.argv.slice(2);
/** Steps of the tour, with milliseconds before the first frame, frames, and milliseconds between them. */
const SHOTS = [[0, 0, 8, 150], [2, 500, 9, 120], [3, 300, 12, 160], [3, 4500, 5, 200], [4, 2500, 10, 150], [7, 2200, 16, 420], [9, 1500, 14, 250]];

/** Leaves nothing of the page but the map. */
const BARE = `header, footer, aside, #lead, #hint, #notes, #tour { display: none !important }
  body, main, #pane { display: block; }
  main, #pane, #view { height: 100vh; }
  #stages { font-size: 18px; }`;

const page = await open(pathToFileURL(resolve(file)).href, { width: 880, height: 550 });
let frames = 0;
try {
  await page.run(`document.head.append(Object.assign(document.createElement("style"), { textContent: ${JSON.stringify(BARE)} }))`);
  await page.until("armies on the march", "window.inspector?.tour?.at === 0 && inspector.store.stages[0].tick > 40", 60);
  for (const [step, before, count, between] of SHOTS) {
    if (step > 0) await page.run(`inspector.tour.show(${step})`);
    await pause(before);
    for (let frame = 0; frame < count; frame++) {
      await page.shot(join(folder, `${String(frames++).padStart(3, "0")}.png`));
      await pause(between);
    }
  }
} finally {
  await page.close();
}
