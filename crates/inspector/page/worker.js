// The studio in a Worker: messages to and from the functions of crates/web.

/** Milliseconds between two pictures. */
const PICTURE = 33;
/** Bytes that the page may have unread before it gets more; newer pictures replace older ones meanwhile. */
const UNREAD = 4 << 20;

let studio = null;
let unread = 0;
let last = 0;
let timer = null;
/** Whether the page has said what is in view. */
let isSeen = false;

/** Bytes of the studio's memory, copied. */
const bytes = (at, length) => studio.memory.buffer.slice(at, at + length);
const text = (at, length) => new TextDecoder().decode(bytes(at, length));

/** Puts bytes into the studio's room. */
function put(...parts) {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  let at = studio.room(length) >>> 0;
  for (const part of parts) {
    new Uint8Array(studio.memory.buffer, at, part.byteLength).set(new Uint8Array(part));
    at += part.byteLength;
  }
}

/** Sends what waits for the page. */
function drain() {
  while (unread < UNREAD) {
    const length = studio.take();
    if (length === 0) return;
    const message = bytes(studio.out() >>> 0, length);
    unread += length;
    postMessage(message, [message]);
  }
}

function picture() {
  const now = performance.now();
  studio.picture(Math.min(100, now - last));
  last = now;
  drain();
}

/** Calls the studio; after a fault it is not called again. */
function guarded(act) {
  try {
    act();
  } catch (error) {
    clearInterval(timer);
    postMessage({ fault: `The studio has stopped: reload the page. (${error.message})` });
    self.onmessage = null;
  }
}

async function begin({ packed, seed }) {
  const page = {
    now: () => performance.now(),
    fault: (at, length) => postMessage({ fault: text(at >>> 0, length) }),
  };
  // It is compiled while it is unpacked.
  const letters = atob(packed), zipped = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) zipped[at] = letters.charCodeAt(at);
  const unpacked = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  const wasm = new Response(unpacked, { headers: { "Content-Type": "application/wasm" } });
  studio = (await WebAssembly.instantiateStreaming(wasm, { page })).instance.exports;
  studio.begin(seed);
  postMessage({ begun: true });
  last = performance.now();
  picture();
  timer = setInterval(() => guarded(picture), PICTURE);
}

/** Opens or saves a file. */
function answer({ ask, name, bytes: contents, what }) {
  const written = new TextEncoder().encode(name ?? what);
  if (name !== undefined) {
    put(written, contents);
    const length = studio.open(written.byteLength);
    postMessage({ answer: ask, why: text(studio.out() >>> 0, length) });
    return;
  }
  put(written);
  const length = studio.save(), at = studio.out() >>> 0;
  const [given, named, typed] = new Uint8Array(bytes(at, Math.min(3, length)));
  if (!given) {
    postMessage({ answer: ask, why: text(at + 1, length - 1) });
    return;
  }
  const from = 3 + named + typed;
  postMessage({ answer: ask, name: text(at + 3, named), kind: text(at + 3 + named, typed), bytes: bytes(at + from, length - from) });
}

// It is there.
postMessage({});

onmessage = ({ data }) => {
  if (typeof data === "string") guarded(() => {
    put(new TextEncoder().encode(data));
    studio.receive();
    // The first picture does not wait for its turn.
    if (!isSeen && data.includes('"view"')) {
      isSeen = true;
      picture();
    } else drain();
  });
  else if (data.packed) begin(data).catch((error) => postMessage({ fault: error.message }));
  else if (data.read) unread -= data.read;
  else guarded(() => answer(data));
};
