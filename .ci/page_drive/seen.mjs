// What is seen on a page, and what is done to it in several steps of the drive.

import assert from "node:assert/strict";
import { pause } from "./browser.mjs";

export function seeing(page) {
  /** The middle of a cell, as a point of the page. */
  const at = (x, y) => page.run(`(() => { const p = inspector.camera.toPixel(${x} + 0.5, ${y} + 0.5), b = inspector.map.getBoundingClientRect(); return [p.x + b.left, p.y + b.top]; })()`);
  /** The colours of a grid of pixels, so that a change is seen. */
  const look = () => page.run(`(async () => {
    for (let n = 0; n < 2 || (!inspector.picture.isWhole && n < 300); n++) await new Promise((done) => requestAnimationFrame(done));
    inspector.draw(performance.now());
    if (inspector.picture.gl.isContextLost()) throw new Error("the graphics context is lost");
    return inspector.picture.probe(40, 30).join(" ");
  })()`);
  /** Waits until what is seen stays as it is. */
  const still = async () => {
    for (let same = 0, seen = await look(); same < 4; ) {
      await pause(100);
      const now = await look();
      same = now === seen ? same + 1 : 0;
      seen = now;
    }
  };
  /** Moves the map by some pixels in each of some frames; returns the most ground that one
   * of them drew, and what all of them drew and sent to the graphics card. */
  const pan = (x, y, frames) => page.run(`(async () => {
    const { picture, camera } = inspector, { gl } = picture, before = { ...picture.counts };
    const names = ["texImage2D", "texSubImage2D", "texStorage2D", "bufferData", "bufferSubData"];
    let sent = 0, most = 0;
    for (const name of names) gl[name] = (...values) => { sent++; return WebGL2RenderingContext.prototype[name].apply(gl, values); };
    for (let n = 0; n < ${frames}; n++) {
      const { ground } = picture.counts;
      camera.pan(${x}, ${y});
      inspector.moved();
      await new Promise((done) => requestAnimationFrame(done));
      most = Math.max(most, picture.counts.ground - ground);
    }
    for (const name of names) delete gl[name];
    return { most, sent, ground: picture.counts.ground - before.ground, veils: picture.counts.veils - before.veils };
  })()`);
  const click = async (x, y, button) => page.click(...(await at(x, y)), button);
  /** Switches layers on one after the other: each is to change what is seen. */
  const layers_show = async (keys) => {
    for (const key of keys) {
      const without = await look();
      await page.key(key);
      const end = Date.now() + 30000;
      while ((await look()) === without && Date.now() < end);
      assert.notEqual(await look(), without, `${key} shows nothing`);
      await page.key(key);
      const gone = Date.now() + 30000;
      while ((await look()) !== without && Date.now() < gone);
      assert.ok((await look()) === without, `${key} leaves something behind`);
    }
  };
  const notes = () => page.run(`[...document.querySelectorAll("#notes p")].map((line) => line.textContent)`);
  const legend = () => page.run(`(inspector.draw(performance.now()), document.getElementById("legend").textContent)`);
  /** The colours of the pixels at cells, as red, green and blue. */
  const pixels = (cells) => page.run(`(() => {
    inspector.draw(performance.now());
    const { gl, canvas } = inspector.picture;
    return ${JSON.stringify(cells)}.map(([x, y]) => {
      const at = inspector.camera.toPixel(x, y), pixel = new Uint8Array(4);
      gl.readPixels(Math.floor(at.x * inspector.ratio), canvas.height - 1 - Math.floor(at.y * inspector.ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      return [...pixel.slice(0, 3)];
    });
  })()`);
  /** Looks at a place from near or far, until it is sharp. */
  const go_to = async (scale, x, y) => {
    await page.run(`(() => { Object.assign(inspector.camera, { scale: ${scale}, x: ${x}, y: ${y}, wanted: null }); inspector.moved(); })()`);
    await still();
  };
  const layers_on = () => page.run("[...inspector.state.layers].sort().join()");
  /** The colours of pixels along the diagonal of a sector, red less blue. */
  const hues = (sector) => page.run(`(() => {
    inspector.draw(performance.now());
    const { gl, canvas } = inspector.picture, hues = [];
    const from = inspector.camera.toPixel(${sector.x} * 10 + 1, ${sector.y} * 10 + 1), to = inspector.camera.toPixel(${sector.x} * 10 + 9, ${sector.y} * 10 + 9);
    for (let at = 0; at <= 30; at++) {
      const x = from.x + (to.x - from.x) * at / 30, y = from.y + (to.y - from.y) * at / 30, pixel = new Uint8Array(4);
      gl.readPixels(Math.floor(x * inspector.ratio), canvas.height - 1 - Math.floor(y * inspector.ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      hues.push(pixel[0] - pixel[2]);
    }
    return hues;
  })()`);
  /** A sector with these orders' bits. */
  const sector_of = (bits) => page.run(`(() => {
    for (const block of inspector.store.stages[0].blocks.values()) {
      if (block.layer !== 3 || block.level !== 0) continue;
      const side = block.bytes[0];
      for (let at = 0; at < side * side; at++) {
        const x = at % side, y = Math.floor(at / side);
        const from = 2 + 2 * ((y + 1) * (side + 2) + x + 1);
        if (block.bytes[from] + 256 * block.bytes[from + 1] === ${bits}) return { x: x + block.column * 10, y: y + block.row * 10 };
      }
    }
    return null;
  })()`);
  /** Opens a text that is refused with a note like the pattern. */
  const refused = async (name, text, pattern) => {
    const errors_before = page.errors.length;
    await page.run(`inspector.open(new File([${JSON.stringify(text)}], "${name}"))`);
    await page.note(pattern);
    const told = await page.run(`[...document.querySelectorAll("#notes .refused")].at(-1).textContent`);
    assert.equal(told.split(name).length, 2, `the file is named once: ${told}`);
    assert.deepEqual(page.errors.slice(errors_before), [], "a refusal is no error of the page");
  };
  return { at, look, still, pan, click, layers_show, notes, legend, pixels, go_to, layers_on, hues, sector_of, refused };
}
