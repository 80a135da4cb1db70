// Drives a headless Chromium over its DevTools protocol, without packages.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAMES = [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"].filter(Boolean);

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** An expression for a part of the first stage. */
export const stage = (what) => `inspector.store.stages[0]?.${what}`;

/** A program, and the first line of one of its streams that matches. */
export function begin(name, args, stream, pattern, environment = {}) {
  const child = spawn(name, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment } });
  const line = new Promise((found, failed) => {
    let text = "";
    child[stream].on("data", (data) => {
      text += data;
      const match = pattern.exec(text);
      if (match) found(match);
    });
    child.on("error", failed);
    child.on("exit", (code) => failed(new Error(`${name} ended with ${code}: ${text}`)));
  });
  const ended = new Promise((done) => child.on("exit", (code) => done(code)));
  return { child, line, ended };
}

async function started(folder) {
  const flags = [
    "--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--remote-debugging-port=0", `--user-data-dir=${folder}`, "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--mute-audio", "about:blank",
  ];
  let last;
  for (const name of NAMES) {
    const browser = begin(name, flags, "stderr", /DevTools listening on (ws:\/\/\S+)/);
    try {
      return { ...browser, address: (await browser.line)[1] };
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`no Chromium was found: set CHROMIUM to its path (${last.message})`);
}

/** A page in a browser of its own; unless it moves, it is asked to hold still what moves
 * for the look of it. */
export async function open(url, { width = 1280, height = 800, dark = false, moves = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  const browser = await started(folder);
  const socket = new WebSocket(browser.address);
  await new Promise((opened, failed) => {
    socket.onopen = opened;
    socket.onerror = failed;
  });
  let next = 1;
  let session;
  const waiting = new Map();
  const errors = [];
  /** Addresses that were asked for and lie outside of this page's machine. */
  const asked = [];
  const call = (method, params = {}, inside = session) => new Promise((done, failed) => {
    const id = next++;
    waiting.set(id, { done, failed, method });
    socket.send(JSON.stringify({ id, method, params, ...(inside ? { sessionId: inside } : {}) }));
  });
  socket.onmessage = ({ data }) => {
    const told = JSON.parse(data);
    if (told.id) {
      const { done, failed, method } = waiting.get(told.id);
      waiting.delete(told.id);
      if (told.error) failed(new Error(`${method}: ${told.error.message}`));
      else done(told.result);
    } else if (told.method === "Runtime.exceptionThrown") {
      const { text, exception, url: at, lineNumber } = told.params.exceptionDetails;
      errors.push(`${text} ${exception?.description ?? ""} (${at}:${lineNumber})`);
    } else if (told.method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(told.params.type)) {
      errors.push(told.params.args.map((value) => value.value ?? value.description).join(" "));
    } else if (told.method === "Network.requestWillBeSent" && !/^(file|blob|data|about):|^(http|ws):\/\/127\.0\.0\.1:/.test(told.params.request.url)) {
      asked.push(told.params.request.url);
    } else if (told.method === "Log.entryAdded" && told.params.entry.level === "error") {
      errors.push(`${told.params.entry.text} ${told.params.entry.url ?? ""}`);
    }
  };
  const { targetId } = await call("Target.createTarget", { url: "about:blank" }, null);
  session = (await call("Target.attachToTarget", { targetId, flatten: true }, null)).sessionId;
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await call(`${domain}.enable`);
  await call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  const moving = (does) => call("Emulation.setEmulatedMedia", { features: [
    { name: "prefers-color-scheme", value: dark ? "dark" : "light" }, { name: "prefers-reduced-motion", value: does ? "no-preference" : "reduce" },
  ] });
  await moving(moves);
  await call("Page.navigate", { url });

  const run = async (expression) => {
    const { result, exceptionDetails } = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  };
  const mouse = (type, x, y, button = "none", more = {}) =>
    call("Input.dispatchMouseEvent", { type, x, y, button, buttons: { none: 0, left: 1, right: 2 }[button], clickCount: type === "mouseMoved" ? 0 : 1, ...more });
  /** Waits until an expression is true. */
  const until = async (what, expression, seconds = 60) => {
    const end = Date.now() + seconds * 1000;
    while (!(await run(expression))) {
      if (Date.now() > end) throw new Error(`waited ${seconds} s in vain: ${what}\n  ${expression}`);
      await pause(60);
    }
  };
  return {
    call, run, until, errors, asked, moving,
    /** Says something, as a button or a key does. */
    say: (words) => run(`inspector.say(inspector.words.${words})`),
    /** Waits for a note. */
    note: (pattern) => until(`a note like ${pattern}`, `[...document.querySelectorAll("#notes p")].some((p) => ${pattern}.test(p.textContent))`),
    /** Drops a file of this machine on the page. */
    drop: (name, bytes) => run(`(() => {
      const bytes = Uint8Array.from(atob("${bytes.toString("base64")}"), (letter) => letter.charCodeAt(0));
      const files = new DataTransfer();
      files.items.add(new File([bytes], ${JSON.stringify(name)}));
      dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
    })()`),
    async click(x, y, button = "left") {
      await mouse("mouseMoved", x, y);
      await mouse("mousePressed", x, y, button);
      await mouse("mouseReleased", x, y, button);
    },
    async drag(from, to, button = "left", steps = 8) {
      await mouse("mouseMoved", ...from);
      await mouse("mousePressed", ...from, button);
      for (let at = 1; at <= steps; at++) {
        const part = at / steps;
        await mouse("mouseMoved", from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part, button);
      }
      await mouse("mouseReleased", ...to, button);
    },
    /** Fingers at these points; none once all are lifted. */
    touch: (type, ...points) => call("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) }),
    /** Makes it a telephone, or a window with a mouse again. */
    async sized({ width, height }, isTouched = false) {
      await call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: isTouched });
      await call("Emulation.setTouchEmulationEnabled", { enabled: isTouched, maxTouchPoints: 5 });
    },
    move: (x, y) => mouse("mouseMoved", x, y),
    wheel: (x, y, by) => mouse("mouseWheel", x, y, "none", { deltaX: 0, deltaY: by }),
    async key(key, code = key, modifiers = 0) {
      const number = /^F(\d+)$/.exec(key) ? 111 + Number(key.slice(1)) : key.length === 1 ? key.toUpperCase().charCodeAt(0) : { Enter: 13, Escape: 27, Home: 36, Delete: 46, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Tab: 9 }[key] ?? 0;
      const text = key.length === 1 && !modifiers ? key : undefined;
      await call("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", key, code, windowsVirtualKeyCode: number, modifiers, text });
      await call("Input.dispatchKeyEvent", { type: "keyUp", key, code, windowsVirtualKeyCode: number, modifiers });
    },
    async shot(path) {
      const { data } = await call("Page.captureScreenshot", { format: "png" });
      writeFileSync(path, Buffer.from(data, "base64"));
    },
    async close() {
      await call("Browser.close", {}, null).catch(() => {});
      await Promise.race([browser.ended, pause(4000)]);
      browser.child.kill();
      socket.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
