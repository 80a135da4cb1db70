// Draws the letters of the command's pictures (crates/cli/src/support/font.rs) from a font:
//   .ci/page_drive/ready && node .ci/page_drive/letters.mjs Roboto-Regular.ttf crates/cli/src/support/font/letters.png
//   ffmpeg -i letters.png -pix_fmt gray grey.png   # and in its place: half as many bytes
// A band of the file for each size, a cell for each letter. The cell's first pixel is the way
// to the next letter in eighths of a pixel; the other rows are the letter.

import { readFileSync, writeFileSync } from "node:fs";
import { open } from "./browser.mjs";

const [font, file] = process.argv.slice(2);
const page = await open("about:blank");
const picture = await page.run(`(async () => {
  const bytes = Uint8Array.from(atob("${readFileSync(font).toString("base64")}"), (letter) => letter.charCodeAt(0));
  document.fonts.add(await new FontFace("letters", bytes).load());
  const range = (from, to) => Array.from({ length: to - from }, (_, nth) => String.fromCharCode(from + nth));
  const letters = [...range(0x20, 0x7f), ...range(0xa1, 0x100), ..."–—’…−≤≥→"];
  const sizes = [{ size: 12, up: 11, high: 15 }, { size: 17, up: 15, high: 21 }], wide = 20;
  const canvas = new OffscreenCanvas(letters.length * wide, sizes.reduce((sum, { high }) => sum + high + 1, 0));
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#000";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  let top = 0;
  for (const { size, up, high } of sizes) {
    pen.font = size + "px letters";
    letters.forEach((letter, nth) => {
      const eighths = Math.round(pen.measureText(letter).width * 8);
      pen.fillStyle = "rgb(" + [eighths, eighths, eighths].join(",") + ")";
      pen.fillRect(nth * wide, top, 1, 1);
      pen.fillStyle = "#fff";
      pen.fillText(letter, nth * wide + 1, top + 1 + up);
    });
    top += high + 1;
  }
  const blob = await canvas.convertToBlob({ type: "image/png" });
  return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
})()`);
writeFileSync(file, Buffer.from(picture, "base64"));
await page.close();
