// Ghosts: the places where units will stop, which fade once the unit is there.

/** Milliseconds in which one fades. */
const FADE = 500;
/** The state of a unit that is drawn as a ghost. */
const GHOST = 4;

export class Ghosts {
  constructor() {
    /** By the id of their unit. */
    this.now = new Map();
    /** Those that fade. */
    this.gone = [];
    this.data = new Float32Array(0);
  }

  /** Takes what the host says; the others fade from now on. */
  take(bytes, time = performance.now()) {
    const view = new DataView(bytes.buffer, bytes.byteOffset), now = new Map();
    for (let at = 0; at < bytes.byteLength; at += 16) {
      const [x, y] = [4, 8].map((by) => view.getFloat32(at + by, true));
      now.set(view.getUint32(at, true), { x, y, radius: bytes[at + 12] / 64, banner: bytes[at + 13] });
    }
    for (const [id, ghost] of this.now) if (!now.has(id)) this.gone.push({ ...ghost, since: time });
    this.now = now;
    this.isOld = true;
  }

  get isFading() { return this.gone.length > 0; }

  /** Eight numbers each, as of units: twice the place, radius, banner, state, how strong it is. */
  rows(time) {
    if (!this.isOld && !this.isFading) return this.data;
    this.gone = this.gone.filter(({ since }) => time < since + FADE);
    this.isOld = this.isFading;
    const strength = ({ since = time }) => 1 - Math.max(0, time - since) / FADE;
    const all = [...this.now.values(), ...this.gone];
    return (this.data = new Float32Array(all.flatMap((one) => [one.x, one.y, one.x, one.y, one.radius, one.banner, GHOST, strength(one)])));
  }
}
