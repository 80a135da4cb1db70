// Steps of the drive of a served page: another page comes, and goes on with a session of its own.

import assert from "node:assert/strict";
import { open, pause, stage } from "./browser.mjs";

export async function shared({ page, step, file, size }) {
  if (file) return;
  step("a page that comes shares the session, and gets one of its own");
  const told = () => page.run(`document.getElementById("shared").hidden`);
  assert.equal(await told(), true, "nobody else is there");
  const address = await page.run("location.href"), other = await open(address, size);
  const title = await page.run(stage("title"));
  try {
    await other.until("the same session", `window.inspector?.store.status.watchers === 2 && ${stage("title")} === ${JSON.stringify(title)}`);
    await page.until("both are told", `!document.getElementById("shared").hidden`);
    assert.match(await page.run(`document.getElementById("shared").textContent`), /^1 other page shares this session/);
    const comes = async (where, otherwise) => {
      // While it goes there, it answers nothing.
      const is_there = () => other.run(`${where} && window.inspector?.store.isLinked && ${stage("title")} === ${JSON.stringify(title)}`).catch(() => false);
      const end = Date.now() + 60000;
      while (!(await is_there())) {
        assert.ok(Date.now() < end, otherwise);
        await pause(100);
      }
    };
    await other.press("#own");
    await comes(`location.href !== "${address}"`, "it never came to a session of its own");
    await page.until("it is alone again", `document.getElementById("shared").hidden`);
    await other.say("pause()");
    await other.until("its clock stands", "inspector.store.status.isPaused && inspector.store.status.watchers === 1");
    assert.equal(await page.run("inspector.store.status.isPaused"), false, "and no other");
    assert.equal(await other.run("location.host"), new URL(address).host, "its address is on the same port");
    assert.equal(await other.run("fetch('/?own=999').then(({ url }) => url)"), address, "an address of a session that is over leads back");
    assert.deepEqual(other.errors, [], "its console is clean");
    await other.run(`(history.replaceState(null, "", "/?own=999"), inspector.store.link.socket.close())`);
    await comes(`location.href === "${address}"`, "it stays at a session that is over");
  } finally {
    await other.close();
  }
  await page.until("nobody else is left", `document.getElementById("shared").hidden`);
}
