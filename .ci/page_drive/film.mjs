// Films the page for README.md: the ground and the armies in steps of its tour, without its
// panels. Writes a picture of each frame into a folder:
//   .ci/page_drive/ready && node .ci/page_drive/film.mjs target/demo.html FOLDER
//   ffmpeg -framerate 6 -i FOLDER/%03d.png -vf "scale=880:-1:flags=lanczos,split[a][b];\
//     [a]palettegen=max_colors=160[p];[b][p]paletteuse=dither=none:diff_mode=rectangle" docs/page.gif

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { open, pause } from "./browser.mjs";

const [file, folder] = process.argv.slice(2);
/** Steps of the tour, with milliseconds before the first frame, frames, and milliseconds between them. */
const SHOTS = [[0, 0, 6, 150], [2, 500, 9, 120], [3, 500, 9, 120], [4, 500, 9, 120], [7, 1200, 14, 300], [9, 1500, 12, 250]];

/** Leaves nothing of the page but the map. */
const BARE = `header, footer, aside, #lead, #stages, #hint, #notes, #tour { display: none !important }
  body, main, #pane { display: block; }
  main, #pane, #view { height: 100vh; }`;

const page = await open(pathToFileURL(resolve(file)).href, { width: 1100, height: 688 });
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
