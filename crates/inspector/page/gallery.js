// The scenes to choose from, each with a picture of its start.

import { BANNERS, brightness } from "./banners.js";
import { element } from "./panels.js";
import { DEAR, DEAREST, OPEN, WALLS } from "./shaders.js";

/** The colours of a picture: the ground as the map draws it, four bands of units, their goals. */
const GROUND = [OPEN, WALLS, DEAR, mixed(DEAR, DEAREST, 0.5)];
const BANDS = BANNERS.slice(0, 4).map((tint) => tint.map((part) => part * 255));
const GOALS = BANDS.map((tint) => mixed(tint, [255, 255, 255], 0.54));

/** Fills the dialog, in the colours of the present theme. */
export function showGallery(scenes, chosen, act) {
  const box = document.getElementById("gallery"), dialog = document.getElementById("scenes");
  const light = brightness(), paints = [...GROUND.map((tint) => tint.map((part) => part * light)), ...BANDS, ...GOALS];
  box.replaceChildren();
  scenes.forEach(({ name, about, group, picture }, at) => {
    if (group !== scenes[at - 1]?.group) box.append(element("h3", { textContent: group }));
    box.append(element("button", {
      type: "button", className: "scene", title: about, role: "option", "data-scene": String(at), "aria-selected": String(at === chosen),
      onclick: () => act.chooseScene(at), ondblclick: () => dialog.close("play"),
      onkeydown: (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        act.chooseScene(at);
        dialog.close("play");
      },
    }, drawn(picture, paints), element("b", { textContent: name }), element("span", { textContent: about })));
  });
  dialog.showModal();
}

/** The picture of a scene: its size, then runs of a colour. */
function drawn([width, height, ...runs], paints) {
  const canvas = element("canvas", { width, height, "aria-hidden": "true" }), pen = canvas.getContext("2d");
  const pixels = pen.createImageData(width, height);
  let at = 0;
  for (const run of runs) {
    for (const end = at + (run & 15) + 1; at < end; at++) pixels.data.set([...paints[run >> 4], 255], 4 * at);
  }
  pen.putImageData(pixels, 0, 0);
  return canvas;
}

function mixed(one, other, part) {
  return one.map((value, at) => value + (other[at] - value) * part);
}
