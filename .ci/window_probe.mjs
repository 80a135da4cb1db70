// Probes what .ci/window has recorded in a folder: start.png and end.png, pictures of the
// game's script after 9 steps and after all, and screen.xwd, the X server's screen at the end.
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import assert from "node:assert/strict";

const folder = process.argv[2];
const SIZE = [960, 640];
const SCREEN = [1100, 760];
const [GROUND, WALL, MARCHING, ARRIVED] = [[0x2c3a30, 0x2f3e33], [0x9a9fa8], [0xffc83d], [0x4fb3ff]];
const [SELECTED, GOAL, FRAME] = [[0xffffff], [0xff5cf0], [0xc0c4c8]];
// Upper left pixel and size of the minimap; a pixel is 2×2 cells.
const MINIMAP = { x: 802, y: 532, width: 150, height: 100 };
// What the camera shows: the point in the middle, and pixels for each cell.
const BEFORE = { middle: [60, 100], zoom: 8 };
const AFTER = { middle: [75, 105], zoom: 6.4 };
const GOALS = [[87, 100], [85, 120]];

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

// Reads a PNG of 8-bit RGB without filters, and checks every checksum in it.
function readPng(path) {
  const file = readFileSync(path);
  assert.equal(file.subarray(0, 8).toString("latin1"), "\x89PNG\r\n\x1a\n", path);
  const chunks = {};
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    assert.equal(file.readUInt32BE(at + 8 + length), crc32(body), `${path}: checksum at ${at}`);
    chunks[body.subarray(0, 4).toString()] = body.subarray(4);
    at += 12 + length;
  }
  assert.deepEqual([...chunks.IHDR.subarray(8, 13)], [8, 2, 0, 0, 0], `${path}: format`);
  const [width, height] = [chunks.IHDR.readUInt32BE(0), chunks.IHDR.readUInt32BE(4)];
  assert.deepEqual([width, height], SIZE, `${path}: size`);
  const rows = inflateSync(chunks.IDAT);
  assert.equal(rows.length, height * (1 + 3 * width), `${path}: length`);
  return (x, y) => rows.readUIntBE(y * (1 + 3 * width) + 1 + 3 * x, 3);
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

const start = readPng(`${folder}/start.png`);
const end = readPng(`${folder}/end.png`);
const screen = readScreen(`${folder}/screen.xwd`);

function at(picture, { middle, zoom }, cell, colours, what) {
  const [x, y] = [0, 1].map((axis) => Math.floor((cell[axis] + 0.5 - middle[axis]) * zoom + SIZE[axis] / 2));
  assert.ok(colours.includes(picture(x, y)), `${what} at cell ${cell}: #${picture(x, y).toString(16)}`);
}

// The ground, the map's own wall, and what the script built and removed again.
at(start, BEFORE, [50, 100], GROUND, "ground");
at(start, BEFORE, [100, 100], WALL, "the map's wall");
at(start, BEFORE, [62, 90], GROUND, "ground, not built on yet");
at(end, AFTER, [50, 100], GROUND, "ground");
at(end, AFTER, [100, 110], WALL, "the map's wall");
at(end, AFTER, [62, 90], WALL, "the new wall");
at(end, AFTER, [62, 116], GROUND, "where the new wall was removed");

// The minimap: its frame, both bands under way at first, the band that was not sent.
for (const picture of [start, end]) {
  const { x, y, width, height } = MINIMAP;
  const edge = pixels(picture, FRAME, { x: x - 1, y: y - 1, width: width + 2, height: 1 });
  assert.ok(edge.length > width, `the minimap's frame: ${edge.length} pixels`);
  assert.ok(pixels(picture, GROUND, MINIMAP).length > 10_000, "the minimap's ground");
  const resting = pixels(picture, ARRIVED, { x: x + 8, y: y + 58, width: 12, height: 12 });
  assert.ok(resting.length >= 30, `the band that was not sent: ${resting.length} pixels`);
  assert.ok(pixels(picture, SELECTED, { x: 0, y: 0, width: 800, height: 640 }).length > 500, "white rings");
}
assert.equal(start(...onMinimap(GOALS[0]).map(Math.floor)), GOAL[0], "the first goal");

// The units have gone from their start to the second goal.
const away = inMap(mean(pixels(start, MARCHING, MINIMAP)));
const around = { x: MINIMAP.x + 30, y: MINIMAP.y + 45, width: 20, height: 25 };
const there = inMap(mean(pixels(end, [...MARCHING, ...ARRIVED], around)));
console.log(`units: from ${away.map(Math.round)} to ${there.map(Math.round)}; the goal is ${GOALS[1]}`);
assert.ok(distance(away, GOALS[1]) > 50 && distance(there, GOALS[1]) < 5, "units have not reached the goal");

// The window is on the screen, and shows what the game has drawn.
const corner = [0, 1].map((axis) => (SCREEN[axis] - SIZE[axis]) / 2);
let different = 0;
for (let y = 0; y < SIZE[1]; y++)
  for (let x = 0; x < SIZE[0]; x++) different += screen(corner[0] + x, corner[1] + y) !== end(x, y);
assert.ok(different <= 500, `${different} pixels on the screen are not those of the picture`);
assert.equal(screen(5, 5), 0, "beside the window");
console.log(`the window is on the screen: ${different} of ${SIZE[0] * SIZE[1]} pixels differ (a pointer may)`);
