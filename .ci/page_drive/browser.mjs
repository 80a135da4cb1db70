// Drives a headless Chromium.

import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import puppeteer from "puppeteer-core";

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** An expression for a part of the first stage. */
export const stage = (what) => `inspector.store.stages[0]?.${what}`;

/** A program, and the first line of its output that matches. */
export function begin(name, args, pattern) {
  const child = spawn(name, args, { stdio: ["ignore", "pipe", "inherit"] });
  const line = new Promise((found, failed) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      const match = pattern.exec(text);
      if (match) found(match);
    });
    child.on("error", failed);
    child.on("exit", (code) => failed(new Error(`${name} ended with ${code}: ${text}`)));
  });
  const ended = new Promise((done) => child.on("exit", done));
  return { child, line, ended };
}

/** The program of the browser: what CHROMIUM names, or the first of its names that is there. */
function chromium() {
  const folders = process.env.PATH.split(delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome"].flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = [process.env.CHROMIUM, ...names].filter(Boolean).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error("no Chromium was found: set CHROMIUM to its path");
  return found;
}

/** A page in a browser of its own; unless it moves, it is asked to hold still what moves
 * for the look of it. */
export async function open(url, { width = 1280, height = 800, dark = false, moves = false } = {}) {
  const browser = await puppeteer.launch({
    executablePath: chromium(), defaultViewport: null, protocolTimeout: 600_000,
    args: ["--no-sandbox", "--disable-gpu-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--mute-audio"],
  });
  const page = await browser.newPage();
  const devtools = await page.createCDPSession();
  const errors = [];
  /** Addresses that were asked for and lie outside of this page's machine. */
  const asked = [];
  page.on("pageerror", (error) => errors.push(error.stack ?? String(error)));
  page.on("console", (told) => {
    // Not of what the drive itself runs in the page.
    if (told.location().url?.startsWith("pptr:")) return;
    if (["error", "warn", "assert"].includes(told.type())) errors.push(`${told.text()} ${told.location().url ?? ""}`);
  });
  page.on("request", (request) => {
    if (!/^(file|blob|data|about):|^(http|ws):\/\/127\.0\.0\.1:/.test(request.url())) asked.push(request.url());
  });
  /** Makes it a telephone, or a window with a mouse. */
  const sized = async ({ width, height }, isTouched = false) => {
    await devtools.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: isTouched });
    await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: isTouched, maxTouchPoints: 5 });
  };
  const moving = (does) => page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: dark ? "dark" : "light" }, { name: "prefers-reduced-motion", value: does ? "no-preference" : "reduce" },
  ]);
  await sized({ width, height });
  await moving(moves);
  await page.goto(url, { waitUntil: "domcontentloaded" });

  const { mouse, keyboard } = page;
  const run = (expression) => page.evaluate(expression);
  /** Waits until an expression is true. */
  const until = async (what, expression, seconds = 60) => {
    const end = Date.now() + seconds * 1000;
    while (!(await run(expression))) {
      if (Date.now() > end) throw new Error(`waited ${seconds} s in vain: ${what}\n  ${expression}`);
      await pause(60);
    }
  };
  return {
    browser, run, until, errors, asked, moving, sized,
    /** Goes to another address, where a script runs before those of the page. */
    async visit(address, script) {
      await page.evaluateOnNewDocument(script);
      await page.goto(address, { waitUntil: "domcontentloaded" });
    },
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
    /** Presses a button, wherever it is. */
    press: (selector) => run(`document.querySelector(${JSON.stringify(selector)}).click()`),
    /** Sets the value of a list or a slider, by its id. */
    set: (id, value) => run(`(() => {
      const control = document.getElementById("${id}");
      control.value = "${value}";
      for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind));
    })()`),
    /** Presses the bar for the pause, and waits for it or for its end. */
    async paused(is = true) {
      await keyboard.press(" ");
      await until(is ? "a pause" : "time goes on", `inspector.store.status.isPaused === ${is}`);
    },
    async click(x, y, button = "left") {
      await mouse.move(x, y);
      await mouse.click(x, y, { button });
    },
    /** Presses a button at a point, and holds it at another. */
    async hold(from, to, button = "left", steps = 8) {
      await mouse.move(...from);
      await mouse.down({ button });
      await mouse.move(...to, { steps });
    },
    release: (button) => mouse.up({ button }),
    async drag(from, to, button, steps) {
      await this.hold(from, to, button, steps);
      await this.release(button);
    },
    /** Fingers at these points; none once all are lifted. */
    touch: (type, ...points) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) }),
    move: (x, y) => mouse.move(x, y),
    async wheel(x, y, by) {
      await mouse.move(x, y);
      await mouse.wheel({ deltaY: by });
    },
    /** Presses a key, with another held, such as Control. */
    async key(key, held) {
      if (held) await keyboard.down(held);
      await keyboard.press(key);
      if (held) await keyboard.up(held);
    },
    shot: (path) => page.screenshot({ path }),
    close: () => browser.close(),
  };
}
