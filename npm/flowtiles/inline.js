// The same package with the WebAssembly inside: one file less to serve, a third more to load.

import { init as start } from "./flowtiles.js";
import text from "./wasm-base64.js";

export * from "./flowtiles.js";
export const init = () => start(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
