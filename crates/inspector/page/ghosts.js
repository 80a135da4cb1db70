// Ghosts: the places where units will stop, which fade once the unit is there.

/** Milliseconds in which one fades. */
const FADE = 500;
/** How strong one is whose unit is not sent there yet. */
const AIMED = 0.7;
/** The state of a unit that is drawn as a ghost. */
const GHOST = 4;

export class Ghosts {
  constructor() {
    /** By the id of their unit. */
    this.now = new Map();
    /** Of units that a player is about to send. */
    this.aimed = new Map();
    /** Those that fade. */
    this.gone = [];
    this.data = new Float32Array(0);
    /** What the host said last. */
    this.bytes = new Uint8Array(0);
  }

  /** Takes what the host says; the others fade from now on. */
  take(bytes, time = performance.now()) {
    // A call for each byte takes long: there may be 20,000 units.
    let same = bytes.length === this.bytes.length ? 0 : -1;
    while (same >= 0 && same < bytes.length && bytes[same] === this.bytes[same]) same++;
    if (same === bytes.length) return;
    this.bytes = bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset), now = new Map(), aimed = new Map();
    for (let at = 0; at < bytes.byteLength; at += 16) {
      const [x, y] = [4, 8].map((by) => view.getFloat32(at + by, true));
      const isAimed = bytes[at + 15] === 1;
      (isAimed ? aimed : now).set(view.getUint32(at, true), { x, y, radius: bytes[at + 12] / 64, banner: bytes[at + 13], isAimed });
    }
    for (const [id, ghost] of this.now) if (!now.has(id)) this.gone.push({ ...ghost, since: time });
    Object.assign(this, { now, aimed });
    this.isOld = true;
  }

  get isFading() { return this.gone.length > 0; }

  /** Eight numbers each, as of units: twice the place, radius, banner, state, how strong it is. */
  rows(time) {
    if (!this.isOld && !this.isFading) return this.data;
    this.gone = this.gone.filter(({ since }) => time < since + FADE);
    this.isOld = this.isFading;
    const strength = ({ since = time, isAimed }) => (isAimed ? AIMED : 1 - Math.max(0, time - since) / FADE);
    const all = [...this.now.values(), ...this.gone, ...this.aimed.values()];
    return (this.data = new Float32Array(all.flatMap((one) => [one.x, one.y, one.x, one.y, one.radius, one.banner, GHOST, strength(one)])));
  }
}
