export * from "./flowtiles.js";

/** Loads the engine, which is inside this module. Call it once, and await it, before anything else. */
export function init(): Promise<void>;
