// The link to the host: a WebSocket to a program, or a Worker in this page.

/** Whether the page has its studio inside. */
export const isAlone = () => document.getElementById("studio") !== null;

/** Waits until the link can be opened: a Worker begins only while the page does nothing else. */
export const linkable = () => (isAlone() ? studioReady : Promise.resolve());

/** Opens the link. `on` hears `open`, `message` with its bytes, `close`, and `fault` with a text. */
export const link = (on) => (isAlone() ? new InPage(on) : new ToServer(on));

class ToServer {
  constructor(on) {
    this.on = on;
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/live${location.search}`);
    let isRefused = true;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => { isRefused = false; this.on.open(); };
    socket.onmessage = (event) => this.on.message(event.data);
    socket.onclose = () => {
      this.on.close();
      if (isRefused && location.search) leave();
      setTimeout(() => this.connect(), 1500);
    };
    this.socket = socket;
  }

  say(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Opens a file; throws why it is refused. */
  async open(name, bytes) {
    await taken(await fetch(`/file/${encodeURIComponent(name)}${location.search}`, { method: "POST", body: bytes }));
  }

  /** Returns a file by what is to be saved; throws why it is refused. */
  async save(what) {
    const answer = await taken(await fetch(`/file/${what}${location.search}`));
    const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? what;
    return { name, blob: await answer.blob() };
  }
}

/** Goes where the host leads from the address of a session that is over. */
async function leave() {
  // A host that does not answer leads nowhere.
  const answer = await fetch(location.pathname + location.search).catch(() => null);
  if (answer?.redirected) location.replace(answer.url);
}

/** An answer that does what was asked; a refusal is no fault of the connection. */
async function taken(answer) {
  if (answer.ok && !answer.headers.has("x-refused")) return answer;
  throw new Error((await answer.text()).trim());
}

/** The studio in a Worker: its parts lie in elements of the page. */
class InPage {
  constructor(on) {
    this.on = on;
    this.answers = new Map();
    this.asked = 0;
    this.begun = new Promise((begun) => { this.begin = begun; });
    this.start().catch((error) => this.fail(error.message));
  }

  async start() {
    this.worker = studioWorker;
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = ({ message }) => this.fail(message);
    this.worker.postMessage({ packed: document.getElementById("studio").textContent, seed: 8 });
  }

  hear(data) {
    if (data instanceof ArrayBuffer) {
      this.on.message(data);
      this.worker.postMessage({ read: data.byteLength });
    } else if (data.begun) {
      this.isBegun = true;
      this.begin();
      this.on.open();
    } else if (data.fault) {
      this.fail(data.fault);
    } else {
      // What was refused after a fault may be answered nevertheless.
      this.answers.get(data.answer)?.(data);
      this.answers.delete(data.answer);
    }
  }

  /** After a fault nothing is answered: all that was asked is refused, and all that will be. */
  fail(fault) {
    this.fault = fault;
    this.begin();
    for (const refuse of this.answers.values()) refuse({ why: fault });
    this.answers.clear();
    this.on.fault(fault);
  }

  say(message) {
    if (this.isBegun) this.worker.postMessage(JSON.stringify(message));
  }

  async ask(what) {
    await this.begun;
    if (this.fault) throw new Error(this.fault);
    return new Promise((answered, failed) => {
      this.answers.set(++this.asked, ({ why, ...answer }) => (why ? failed(new Error(why)) : answered(answer)));
      this.worker.postMessage({ ask: this.asked, ...what });
    });
  }

  async open(name, bytes) { await this.ask({ name, bytes: bytes instanceof Blob ? await bytes.arrayBuffer() : bytes }); }

  async save(what) {
    const { name, kind, bytes } = await this.ask({ what });
    return { name, blob: new Blob([bytes], { type: kind }) };
  }
}

const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();
const unpacked = (bytes, format) => through(bytes, new DecompressionStream(format));
const BEGIN = "#replay=";

/** The part of an address that carries a replay. */
export async function addressed(replay) {
  const packed = new Uint8Array(await through(replay, new CompressionStream("deflate-raw")));
  let letters = "";
  for (let at = 0; at < packed.length; at += 8192) letters += String.fromCharCode(...packed.subarray(at, at + 8192));
  return BEGIN + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The replay that this page's address carries, or null. */
export async function carried() {
  if (!location.hash.startsWith(BEGIN)) return null;
  const letters = atob(location.hash.slice(BEGIN.length).replaceAll("-", "+").replaceAll("_", "/"));
  return unpacked(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), "deflate-raw");
}
