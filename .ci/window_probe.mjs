// Probes what .ci/window has recorded in a folder: start.ppm and end.ppm, pictures of the
// game's script after 9 steps and after all, log, the counters of both in words, help, what
// --help prints, and screen.xwd, the X server's screen at the end.
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";

const folder = process.argv[2];
const SIZE = [960, 640];
const SCREEN = [1100, 760];
const [GROUND, WALL, YELLOW, BLUE] = [[0x2c3a30, 0x2f3e33], [0x9a9fa8], [0xffc83d], [0x4fb3ff]];
const [SELECTED, GOAL, FRAME] = [[0xffffff], [0xff5cf0], [0xc0c4c8]];
// Upper left pixel and size of the minimap; a pixel is 2×2 cells.
const MINIMAP = { x: 802, y: 532, width: 150, height: 100 };
// What the camera shows: the point in the middle, and pixels for each cell.
const BEFORE = { middle: [60, 100], zoom: 8 };
const AFTER = { middle: [151, 101], zoom: 12.5 };
const GOALS = [[87, 95], [151, 101]];
// The counter and the line of help are written into a black strip, a box for each letter.
const STRIP = { x: 0, y: 0, width: SIZE[0], height: 44 };
const LETTER = { x: 8, y: 4, width: 7, height: 16, line: 20 };
// The ground below the strip, left of the minimap.
const VIEW = { x: 0, y: STRIP.height, width: 800, height: SIZE[1] - STRIP.height };

// Reads a picture: a line of text, then red, green and blue of each pixel.
function readPicture(path) {
  const head = `P6 ${SIZE[0]} ${SIZE[1]} 255\n`;
  const file = readFileSync(path);
  assert.equal(file.subarray(0, head.length).toString("latin1"), head, path);
  assert.equal(file.length, head.length + 3 * SIZE[0] * SIZE[1], `${path}: length`);
  return (x, y) => file.readUIntBE(head.length + 3 * (y * SIZE[0] + x), 3);
}

// Reads a screen as Xvfb keeps it in memory: an XWD header, colours, pixels.
function readScreen(path) {
  const file = readFileSync(path);
  const word = (index) => file.readUInt32BE(4 * index);
  const [header, width, height, bits, stride, colours] = [0, 4, 5, 11, 12, 19].map(word);
  assert.deepEqual([width, height, bits], [...SCREEN, 32], "the screen's size");
  return (x, y) => file.readUInt32LE(header + 12 * colours + y * stride + 4 * x) & 0xffffff;
}

// The pixels of some colours in a rectangle.
function pixels(picture, colours, { x, y, width, height }) {
  const found = [];
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++)
      if (colours.includes(picture(column, row))) found.push([column, row]);
  return found;
}

const mean = (points) => [0, 1].map((axis) => points.reduce((sum, at) => sum + at[axis], 0) / points.length);
const distance = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);
const onMinimap = ([x, y]) => [MINIMAP.x + x / 2, MINIMAP.y + y / 2];
const inMap = ([x, y]) => [(x - MINIMAP.x) * 2, (y - MINIMAP.y) * 2];

const start = readPicture(`${folder}/start.ppm`);
const end = readPicture(`${folder}/end.ppm`);
const screen = readScreen(`${folder}/screen.xwd`);

function at(picture, { middle, zoom }, cell, colours, what) {
  const [x, y] = [0, 1].map((axis) => Math.floor((cell[axis] + 0.5 - middle[axis]) * zoom + SIZE[axis] / 2));
  assert.ok(colours.includes(picture(x, y)), `${what} at cell ${cell}: #${picture(x, y).toString(16)}`);
}

const minimapAt = (picture, cell, colours, what) => {
  const colour = picture(...onMinimap(cell).map(Math.floor));
  assert.ok(colours.includes(colour), `${what} at cell ${cell} on the minimap: #${colour.toString(16)}`);
};

// The strip says what the game has printed: a letter looks the same wherever it stands, each
// unlike all others, and beside the letters nothing is written.
const log = readFileSync(`${folder}/log`, "utf8");
const help = readFileSync(`${folder}/help`, "utf8").trimEnd().split("\n").at(-1);
assert.match(help, /left drag: .*right click: .*W \+ drag: .*wheel: /, "the line of help");
const looks = new Map([[" ", "0,".repeat(LETTER.width * LETTER.height)]]);
const counters = [[start, "start"], [end, "end"]].map(([picture, name]) => {
  const counter = log.match(new RegExp(`${name}\\.ppm: (.*)`))[1];
  let written = 0;
  [counter, help].forEach((line, number) => {
    assert.ok(LETTER.x + line.length * LETTER.width <= SIZE[0], `too long for the window: ${line}`);
    [...line].forEach((letter, at) => {
      const [x, y] = [LETTER.x + at * LETTER.width, LETTER.y + number * LETTER.line];
      let look = "";
      for (let pixel = 0; pixel < LETTER.width * LETTER.height; pixel++) {
        const grey = picture(x + (pixel % LETTER.width), y + Math.floor(pixel / LETTER.width));
        look += `${grey},`;
        written += grey !== 0;
      }
      if (!looks.has(letter)) looks.set(letter, look);
      assert.ok(look === looks.get(letter), `${name}.ppm: letter ${at} of "${line}"`);
    });
  });
  assert.equal(pixels(picture, [0], STRIP).length, STRIP.width * STRIP.height - written, `${name}.ppm: beside the letters`);
  const numbers = counter.match(/^yellow (\d+), blue (\d+), selected (\d+), marching (\d+), cut off (\d+) \| step (\d+) \| sectors computed: (\d+) of (\d+) \((\d+) %\)$/);
  assert.ok(numbers, `the counter: ${counter}`);
  const [yellow, blue, selected, marching, cutOff, step, computed, sectors, share] = numbers.slice(1).map(Number);
  assert.ok(computed > 0 && computed < sectors / 4 && share === Math.floor((100 * computed) / sectors), `sectors: ${counter}`);
  return { yellow, blue, selected, marching, cutOff, step };
});
assert.equal(new Set(looks.values()).size, looks.size, "two letters look the same");
for (const [letter, look] of looks)
  assert.ok(letter === " " || look.split(",").some((grey) => (grey & 255) > 200), `too dark to read: ${letter}`);
assert.deepEqual(counters[0], { yellow: 200, blue: 200, selected: 160, marching: 360, cutOff: 0, step: 9 });

// The ground, the map's own walls and rocks, and what the script built and removed again.
at(start, BEFORE, [60, 100], GROUND, "ground");
at(start, BEFORE, [100, 100], WALL, "the map's wall");
at(start, BEFORE, [62, 90], GROUND, "ground, not built on yet");
at(end, AFTER, [150, 120], GROUND, "ground");
at(end, AFTER, [139, 82], WALL, "a rock");
minimapAt(end, [100, 100], WALL, "the map's wall");
minimapAt(end, [62, 90], WALL, "the new wall");
minimapAt(end, [62, 116], GROUND, "where the new wall was removed");
for (const goal of GOALS) minimapAt(start, goal, GOAL, "a goal");

// The minimap: its frame, and the rows of units that were not sent.
for (const picture of [start, end]) {
  const { x, y, width, height } = MINIMAP;
  const edge = pixels(picture, FRAME, { x: x - 1, y: y - 1, width: width + 2, height: 1 });
  assert.ok(edge.length > width, `the minimap's frame: ${edge.length} pixels`);
  assert.ok(pixels(picture, GROUND, MINIMAP).length > 10_000, "the minimap's ground");
  const resting = pixels(picture, YELLOW, { x: x + 19, y: y + 58, width: 8, height: 4 });
  assert.ok(resting.length >= 12, `the rows that were not sent: ${resting.length} pixels`);
  assert.ok(pixels(picture, SELECTED, VIEW).length > 500, "white rings");
}

// The teams begin far apart, and fight in the middle of the map: their fronts touch, and both
// have lost units, but not most of them.
const middle = { x: MINIMAP.x + 55, y: MINIMAP.y + 30, width: 40, height: 40 };
const [yellowAway, blueAway] = [YELLOW, BLUE].map((team) => inMap(mean(pixels(start, team, MINIMAP))));
const [yellowThere, blueThere] = [YELLOW, BLUE].map((team) => inMap(mean(pixels(end, team, middle))));
const touching = (picture) =>
  pixels(picture, YELLOW, VIEW).filter(([x, y]) =>
    [[-6, 0], [6, 0], [0, -6], [0, 6]].some(([dx, dy]) => x + dx >= 0 && BLUE.includes(picture(x + dx, y + dy)))).length;
const { yellow, blue, selected, step } = counters[1];
console.log(`yellow: from ${yellowAway.map(Math.round)} to ${yellowThere.map(Math.round)}, ${yellow} left; ` +
  `blue: from ${blueAway.map(Math.round)} to ${blueThere.map(Math.round)}, ${blue} left; ${touching(end)} pixels touch`);
assert.ok(distance(yellowAway, blueAway) > 180 && touching(start) === 0, "the teams begin too near");
for (const team of [yellowThere, blueThere]) assert.ok(distance(team, [150, 100]) < 15, "a team is not in the middle");
assert.ok(touching(end) > 100, "the teams do not touch");
for (const left of [yellow, blue]) assert.ok(left > 80 && left < 170, "no fight, one that has hardly begun, or one that is over");
assert.deepEqual([step, selected], [600, yellow - 40], "the steps, and the selected among the living");

// The window is on the screen, and shows what the game has drawn.
const corner = [0, 1].map((axis) => (SCREEN[axis] - SIZE[axis]) / 2);
let different = 0;
for (let y = 0; y < SIZE[1]; y++)
  for (let x = 0; x < SIZE[0]; x++) different += screen(corner[0] + x, corner[1] + y) !== end(x, y);
assert.ok(different <= 500, `${different} pixels on the screen are not those of the picture`);
assert.equal(screen(5, 5), 0, "beside the window");
console.log(`the window is on the screen: ${different} of ${SIZE[0] * SIZE[1]} pixels differ (a pointer may)`);
