// The drive: one page, from its first minute to a scene played beside itself.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { begin, open } from "./browser.mjs";
import { first } from "./first.mjs";
import { lines } from "./lines.mjs";
import { play } from "./play.mjs";
import { seeing } from "./seen.mjs";
import { shared } from "./shared.mjs";
import { worlds } from "./worlds.mjs";

const SIZE = { width: 1000, height: 640 };
// node drive.mjs COMMAND drives the page that the command serves; with a FILE, the page in it.
const [command, file] = process.argv.slice(2);
const host = file ? null : begin(command, ["inspect", "--port", "0", "--for", "600"], /^(http:\/\/127\.0\.0\.1:\d+\/)$/m);
const url = file ? pathToFileURL(resolve(file)).href : (await host.line)[1];
const started = Date.now();
const step = (what) => console.log(`-- ${what} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
const page = await open(url, SIZE);
if (file) {
  // It begins with a tour.
  await page.until("the tour", "window.inspector?.tour?.at === 0");
  await page.run("inspector.tour.close()");
}

const folder = mkdtempSync(join(tmpdir(), "drive-"));
const made = (name, ...args) => {
  const path = join(folder, name);
  execFileSync(command, [...args, path]);
  return readFileSync(path);
};

try {
  const on = { page, seen: seeing(page), step, file, made, size: SIZE };
  for (const part of [first, shared, play, lines, worlds]) await part(on);

  assert.deepEqual(page.errors, [], "the console is clean");
  assert.deepEqual(page.asked, [], "nothing is asked of a network");
  step("all of it held");
} catch (error) {
  console.error(error.message ?? error);
  for (const told of page.errors) console.error(`console: ${told}`);
  await page.shot("target/page-failed.png").catch(() => {});
  console.error("what was seen is in target/page-failed.png");
  process.exitCode = 1;
} finally {
  await page.close();
  rmSync(folder, { recursive: true, force: true });
  host?.child.kill("SIGTERM");
  const code = (await host?.ended) ?? 0;
  if (code !== 0) {
    console.error(`the host ended with ${code}`);
    process.exitCode = 1;
  }
}
