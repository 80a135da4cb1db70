// Streamlines of a flow: eight numbers each part, its ends in cells from the block's
// corner, how far along the line it begins, the line's phase, whether the goal is in sight.

import { BLOCK_SIDE, STEPS } from "./wire.js";

/** Added to a direction from which the goal is in sight. */
const IN_SIGHT = 16;
/** What is read outside of a block. */
const OUTSIDE = 15;
const STEPS_MAX = 4 * BLOCK_SIDE;

/** Lines along a block's directions, about one in each lane of so many texels. */
export function streamLines({ bytes, isPlain, level }, lane) {
  const lanes = Math.ceil(BLOCK_SIDE / lane), rows = [];
  const isInside = (x, y) => x >= 0 && y >= 0 && x < BLOCK_SIDE && y < BLOCK_SIDE;
  const read = (x, y) => (isInside(x, y) ? bytes[isPlain ? 0 : y * BLOCK_SIDE + x] : OUTSIDE);
  const laneOf = (x, y) => Math.floor(y / lane) * lanes + Math.floor(x / lane);
  const leads = (x, y) => (read(x, y) & 15) < STEPS.length;
  const step = ([x, y]) => {
    const [dx, dy] = STEPS[read(x, y) & 15];
    return [x + dx, y + dy];
  };
  // First the lines that none runs into: those from lanes to which no other lane leads.
  const seeds = [], fed = new Uint8Array(lanes * lanes);
  for (let at = 0; at < lanes * lanes; at++) {
    const seed = seedOf((at % lanes) * lane, Math.floor(at / lanes) * lane, lane, leads);
    if (!seed) continue;
    seeds.push({ at, seed });
    let place = seed;
    for (let n = 0; n < 2 * lane && leads(...place) && laneOf(...place) === at; n++) place = step(place);
    if (isInside(...place) && laneOf(...place) !== at) fed[laneOf(...place)] = 1;
  }
  const taken = new Uint8Array(lanes * lanes);
  for (const { at, seed } of seeds.sort((one, other) => fed[one.at] - fed[other.at])) if (!taken[at]) trace(seed);
  return new Float32Array(rows);

  function trace(seed) {
    let place = seed, from = seed, last = read(...seed), along = 0, begun = 0, left = STEPS_MAX;
    const phase = ((seed[0] * 0.618 + seed[1] * 0.377) * 7) % 1;
    const add = (to) => {
      const [a, b, c, d] = [...from, ...to].map((texels) => (texels + 0.5) * 2 ** level);
      rows.push(a, b, c, d, begun * 2 ** level, phase, last & IN_SIGHT ? 1 : 0, 0);
      [from, begun, last] = [to, along, read(...to)];
    };
    for (taken[laneOf(...place)] = 1; leads(...place) && left > 0; left--) {
      if (read(...place) !== last) add(place);
      const next = step(place), lane_there = laneOf(...next);
      along += Math.hypot(next[0] - place[0], next[1] - place[1]);
      // It runs on for a while beside another, so that they seem to join.
      if (isInside(...next) && lane_there !== laneOf(...place)) {
        if (taken[lane_there]) left = Math.min(left, lane);
        taken[lane_there] = 1;
      }
      place = next;
    }
    if (along > begun) add(place);
  }
}

/** A texel that leads on, in a lane: the middle if it does. */
function seedOf(left, top, lane, leads) {
  const middle = lane >> 1;
  if (leads(left + middle, top + middle)) return [left + middle, top + middle];
  for (let y = top; y < top + lane; y++) for (let x = left; x < left + lane; x++) if (leads(x, y)) return [x, y];
  return null;
}
