// The page in one file, opened from the disk: node alone.mjs PAGE COMMAND
// It asks nothing of a network, and plays what the command plays.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inflateRawSync } from "node:zlib";
import { open, stage } from "./browser.mjs";

const [file, command] = process.argv.slice(2);
const url = pathToFileURL(resolve(file)).href;
const started = Date.now();
const step = (what) => console.log(`-- ${what} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
const text = (page, what) => page.run(`inspector.save("${what}").then(() => inspector.saved.text)`);
const replay = (link) => inflateRawSync(Buffer.from(link.split("#replay=")[1], "base64url")).toString();
/** The last hashes of the replay in a link. */
const hashes = (link) => replay(link).match(/\{"check.*\n/g).at(-1);
const folder = mkdtempSync(join(tmpdir(), "alone-"));

let page = await open(url);
try {
  step("a march is under way");
  await page.until("the page is there", "!!window.inspector?.store");
  await page.until("three orders", `${stage("orders.length")} === 3`);
  await page.until("3,000 units", `${stage("units.total")} === 3000`);
  await page.until("time goes on", `${stage("tick")} > 20`);
  console.log(`   first picture after ${await page.run("performance.getEntriesByType('paint')[0].startTime.toFixed()")} ms`);

  step("a map by drop, a wall, a goal");
  await page.drop("small.txt", Buffer.from("....................\n".repeat(12)));
  await page.until("the dropped map", `${stage("width")} === 20 && ${stage("height")} === 12`);
  await page.say("paint(7, 0, 255, { x: 10, y: 0, width: 1, height: 11 })");
  await page.say("strokeEnd()");
  await page.say("goal({ x: 17, y: 2 })");
  await page.say("source({ x: 2, y: 2 })");
  await page.until("a path round the wall", `${stage("paths[0]?.points.some(([, y]) => y === 11.5)")}`);
  await page.drop("bad.txt", Buffer.from("..x..\n"));
  await page.note(/bad\.txt: line 1, column 3/);
  assert.match(await text(page, "test"), /#\[test\]/);

  step("a link carries the session");
  await page.say("pause()");
  const link = await text(page, "link");
  assert.ok(link.startsWith(`${url}#replay=`) && link.length < 4000, `a link of ${link.length} letters`);
  assert.deepEqual(page.errors, []);
  assert.deepEqual(page.asked, [], "asked of the network");
  await page.close();
  page = await open(link);
  await page.until("the page of the link", "!!window.inspector?.store");
  await page.until("its map", `${stage("width")} === 20`);
  await page.say("speed(16)");
  await page.note(/matches the recording/);
  assert.equal(hashes(await text(page, "link")), hashes(link), "the same session, to the last hash");

  step("the command comes to the same hashes");
  const file_of_session = join(folder, "session.replay");
  writeFileSync(file_of_session, replay(link));
  assert.match(execFileSync(command, ["verify", file_of_session]).toString(), /as recorded in \d+ checks/);

  step("after a fault in the worker what was asked is refused");
  const refusals = await page.run(`(async () => {
    const { link } = inspector.store, refused = () => link.save("map").then(() => "saved", ({ message }) => message);
    const pending = refused();
    await Promise.resolve();
    link.hear({ fault: "It has stopped." });
    return [await pending, await refused()];
  })()`);
  assert.deepEqual(refusals, ["It has stopped.", "It has stopped."]);
  await page.note(/^It has stopped\.$/);

  assert.deepEqual(page.errors, []);
  assert.deepEqual(page.asked, [], "asked of the network");
  step("done");
} catch (error) {
  console.error(error);
  for (const fault of page.errors) console.error(`console: ${fault}`);
  console.error(await page.run(`[...document.querySelectorAll("#notes p")].map((line) => line.textContent).join("; ")`));
  await page.shot("target/alone-failed.png").catch(() => {});
  process.exitCode = 1;
} finally {
  await page.close();
  rmSync(folder, { recursive: true, force: true });
}
