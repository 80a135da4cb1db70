// Trails: where some units went. They fade with their age.

import { BANNERS } from "./banners.js";

/** Units of each colour whose trails are drawn. */
const FOLLOWED = 12;
/** Parts of a trail. */
const PARTS = 48;
/** Cells that a unit walks in a tick at most. */
const FAST = 1.5;
/** How strong a trail is where its unit is now. */
const STRONG = 0.85;

export class Trails {
  constructor({ width, height }) {
    /** Ticks in which a part fades: on a larger map ways are longer. */
    this.fades = Math.min(1000, Math.max(120, width, height));
    this.often = Math.ceil(this.fades / PARTS);
    /** Where those that are followed were last, by their id. */
    this.last = new Map();
    this.parts = [];
    /** As lines: eight numbers each, ends and tint. */
    this.rows = new Float32Array(0);
    this.tick = -Infinity;
  }

  /** Takes the units in view at a tick. */
  take(tick, units) {
    if (tick < this.tick + this.often) return;
    const known = this.last;
    this.last = new Map();
    for (const [id, { x, y, banner }] of followed(units)) {
      const old = known.get(id);
      const far = old ? Math.hypot(x - old.x, y - old.y) : 0;
      // Who went by a link, or was out of view, left no trail.
      if (far > 0.1 && far < FAST * (tick - this.tick) + 1) this.parts.push({ ends: [old.x, old.y, x, y], banner, tick });
      this.last.set(id, far > 0 && far <= 0.1 ? old : { x, y });
    }
    this.tick = tick;
    this.parts = this.parts.filter((part) => tick - part.tick < this.fades);
    this.rows = new Float32Array(this.parts.flatMap((part) =>
      [...part.ends, ...BANNERS[part.banner % 8], STRONG * (1 - (tick - part.tick) / this.fades)]));
  }
}

/** Some units of each colour, spread over all; they stay the same while they are in view. */
function followed(units) {
  const best = new Map();
  for (const [id, unit] of units) {
    if (unit.isProbe) continue;
    // Multiples of the golden ratio lie spread.
    const place = Math.imul(id, 0x9e3779b1) >>> 0;
    if (!best.has(unit.banner)) best.set(unit.banner, []);
    const some = best.get(unit.banner);
    if (some.length === FOLLOWED && place > some.at(-1).place) continue;
    some.push({ id, unit, place });
    some.sort((one, other) => one.place - other.place);
    some.length = Math.min(some.length, FOLLOWED);
  }
  return [...best.values()].flatMap((some) => some.map(({ id, unit }) => [id, unit]));
}
