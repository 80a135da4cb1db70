// Node 20 and 21 have the WebSocket behind a flag, later ones without it: where it
// is missing the script runs again with the flag.

import { spawnSync } from "node:child_process";

const FLAG = "--experimental-websocket";
if (typeof WebSocket === "undefined") {
  if (process.execArgv.includes(FLAG)) throw new Error("this Node has no WebSocket: use Node 20 or later");
  const { status, signal } = spawnSync(process.execPath, [FLAG, "--no-warnings", ...process.argv.slice(1)], { stdio: "inherit" });
  if (signal) console.error(`the drive was ended by ${signal}`);
  process.exit(status ?? 1);
}
