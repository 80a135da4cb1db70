// Draws the map with WebGL: blocks of ground and fields, lines, units.

import { LAYER, BLOCK_SIDE, NONE, OF_ORDER } from "./wire.js";
import { SOURCES } from "./shaders.js";
import { blockKey } from "./store.js";

/** Colours that units and orders wear, told apart also without red and green. */
export const BANNERS = [
  [0.16, 0.44, 0.86], [0.87, 0.27, 0.16], [0.98, 0.78, 0.20], [0.58, 0.27, 0.82],
  [0.20, 0.72, 0.74], [0.93, 0.55, 0.72], [0.96, 0.96, 0.96], [0.24, 0.20, 0.18],
];

export const css = (banner) => `rgb(${BANNERS[banner % 8].map((v) => Math.round(v * 255)).join(",")})`;

/** Fields in the order in which they lie over each other. */
const FIELDS = [
  ["cost", LAYER.ground, 0], ["islands", LAYER.islands, 5], ["integration", LAYER.integration, 1],
  ["potential", LAYER.potential, 9], ["speed", LAYER.speed, 7], ["discomfort", LAYER.discomfort, 8],
  ["density", LAYER.density, 6], ["loaded", LAYER.loaded, 4], ["flow", LAYER.flow, 2],
  ["sight", LAYER.flow, 3],
];

export class Picture {
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, powerPreference: "high-performance" });
    if (!gl) throw new Error("this page needs WebGL 2, which the browser does not offer");
    this.gl = gl;
    this.canvas = canvas;
    // The host has all that is needed to begin anew.
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => location.reload());
    this.programs = {};
    for (const [name, sources] of Object.entries(SOURCES)) this.programs[name] = program(gl, name, sources);
    this.corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW);
    this.squares = gl.createVertexArray();
    gl.bindVertexArray(this.squares);
    this.bindCorners("ground");
    gl.bindVertexArray(null);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.units = [];
    // Everything but the units is drawn aside, and again only when it changes.
    this.aside = { frame: gl.createFramebuffer(), texture: gl.createTexture(), width: 0, height: 0, key: "" };
    this.version = 0;
  }

  /** Something that is drawn aside has changed. */
  touch() { this.version++; }

  bindCorners() {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  }

  /** Draws the stages side by side. */
  draw(store, camera, layers, options) {
    if (this.gl.isContextLost()) return;
    const gl = this.gl, { aside } = this;
    const { width, height } = this.canvas;
    const key = [this.version, camera.x, camera.y, camera.scale, width, height, options.dim, [...layers],
      store.stages.map((stage) => [options.order(stage)?.number, options.order(stage)?.farthest, stage.orders.map((order) => order.bit)])].join();
    if (aside.width !== width || aside.height !== height) this.resizeAside(width, height);
    if (aside.key !== key) {
      aside.key = key;
      gl.bindFramebuffer(gl.FRAMEBUFFER, aside.frame);
      gl.disable(gl.SCISSOR_TEST);
      gl.clearColor(...options.back, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.enable(gl.SCISSOR_TEST);
      this.eachStage(store, camera, options, (stage, at, clip) => this.stage(stage, camera, clip, layers, options));
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.SCISSOR_TEST);
    gl.disable(gl.BLEND);
    gl.viewport(0, 0, width, height);
    this.use("copy");
    gl.bindVertexArray(this.squares);
    gl.bindTexture(gl.TEXTURE_2D, aside.texture);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.enable(gl.BLEND);
    gl.enable(gl.SCISSOR_TEST);
    if (!layers.has("units")) return;
    this.eachStage(store, camera, options, (stage, at, clip) => this.drawUnits(stage, at, camera, clip, options));
  }

  resizeAside(width, height) {
    const gl = this.gl, { aside } = this;
    gl.bindTexture(gl.TEXTURE_2D, aside.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, aside.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, aside.texture, 0);
    Object.assign(aside, { width, height, key: "" });
  }

  /** Draws each stage in its part of the pane. */
  eachStage(store, camera, options, draw) {
    const gl = this.gl, { ratio } = options;
    const count = store.stages.length;
    for (let at = 0; at < count; at++) {
      const left = Math.round((this.canvas.width / count) * at);
      const width = Math.round(this.canvas.width / count) - (at + 1 < count ? Math.round(2 * ratio) : 0);
      gl.viewport(left, 0, width, this.canvas.height);
      gl.scissor(left, 0, width, this.canvas.height);
      // Half the map pane in cells is one in clip space.
      const clip = [(2 * camera.scale * ratio) / width, (2 * camera.scale * ratio) / this.canvas.height];
      draw(store.stages[at], at, clip);
    }
  }

  stage(stage, camera, clip, layers, options) {
    const seen = this.blocksIn(stage, camera);
    this.ground(seen, camera, clip, options);
    this.onMap(camera, options, () => {
      for (const [name, layer, mode] of FIELDS) {
        if (layers.has(name)) this.field(stage, layer, mode, camera, clip, options);
      }
    });
    if (layers.has("graph")) this.segments(stage, LAYER.graph, camera, clip, options);
    if (layers.has("portals")) this.segments(stage, LAYER.portals, camera, clip, options);
    if (layers.has("ways")) this.ways(stage, camera, clip, options);
  }

  /** Draws nothing beyond the edge of the map, where its last sectors reach. */
  onMap(camera, { ratio }, draw) {
    const gl = this.gl;
    const [x, y, width, height] = gl.getParameter(gl.SCISSOR_BOX);
    const end = camera.toPixel(camera.map.width, camera.map.height);
    const right = Math.max(0, Math.min(width, Math.round(end.x * ratio)));
    const down = Math.max(0, Math.min(height, Math.round(end.y * ratio)));
    gl.scissor(x, y + height - down, right, down);
    draw();
    gl.scissor(x, y, width, height);
  }

  /** Blocks of the ground in view, coarser ones first to lie under finer. */
  blocksIn(stage, camera) {
    const area = camera.area;
    const seen = [];
    for (const block of stage.blocks.values()) {
      if (block.layer !== LAYER.ground || !meets(block, area)) continue;
      if (block.level < camera.level - 1) continue;
      seen.push(block);
    }
    return seen.sort((a, b) => b.level - a.level);
  }

  ground(seen, camera, clip, options) {
    const gl = this.gl, { at, use } = this.use("ground");
    gl.bindVertexArray(this.squares);
    gl.disable(gl.BLEND);
    gl.uniform1f(at.dim, options.dim);
    for (const block of seen) {
      block.texture ??= this.upload(block, BLOCK_SIDE + 2, 4);
      this.square(at, block, camera, clip, options);
      const side = BLOCK_SIDE << block.level;
      gl.uniform2f(at.corner, block.column * side, block.row * side);
      gl.uniform1f(at.grow, 0.3 / (side * camera.scale * options.ratio));
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.enable(gl.BLEND);
    void use;
  }

  field(stage, layer, mode, camera, clip, options) {
    const gl = this.gl, { at } = this.use("field");
    gl.bindVertexArray(this.squares);
    const order = options.order(stage);
    gl.uniform1i(at.mode, mode);
    gl.uniform1f(at.grow, 0);
    gl.uniform1f(at.farthest, order?.farthest ?? 1);
    gl.uniform1i(at.chosen, order?.bit ?? 0);
    const byBit = new Float32Array(45).fill(0.8);
    for (const one of stage.orders) {
      const bit = Math.log2(one.bit || 1);
      byBit.set(BANNERS[one.banner % 8], bit * 3);
    }
    gl.uniform3fv(at["banners[0]"] ?? at.banners, byBit);
    const area = camera.area;
    const number = order?.number ?? NONE;
    for (const block of stage.blocks.values()) {
      if (block.layer !== layer || block.level !== camera.level || !meets(block, area)) continue;
      if (OF_ORDER.has(layer) && block.order !== number) continue;
      if (layer === LAYER.loaded) {
        const side = block.bytes[0] + 256 * block.bytes[1];
        block.texture ??= this.upload({ ...block, bytes: block.bytes.subarray(2) }, side + 2, 2, block);
        gl.uniform1f(at.texels_side, side);
      } else if (layer === LAYER.ground) {
        block.texture ??= this.upload(block, BLOCK_SIDE + 2, 4);
      } else {
        block.texture ??= this.upload(block, BLOCK_SIDE, layer === LAYER.integration ? 4 : 1);
      }
      this.square(at, block, camera, clip, options);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
  }

  square(at, block, camera, clip, options) {
    const gl = this.gl;
    const side = BLOCK_SIDE << block.level;
    block.stamp = options.time;
    gl.bindTexture(gl.TEXTURE_2D, block.texture);
    gl.uniform2f(at.origin, block.column * side - camera.x, block.row * side - camera.y);
    gl.uniform1f(at.side, side);
    gl.uniform2f(at.clip, ...clip);
    gl.uniform1f(at.cells, 1 << block.level);
    gl.uniform1f(at.pixels, camera.scale * options.ratio * (1 << block.level));
  }

  upload(block, side, bands, owner = block) {
    const gl = this.gl;
    const texture = gl.createTexture();
    let bytes = block.bytes;
    if (block.isPlain) {
      bytes = new Uint8Array(side * side * bands);
      for (let at = 0; at < bytes.length; at += bands) bytes.set(block.bytes.subarray(0, bands), at);
    }
    gl.bindTexture(gl.TEXTURE_2D, texture);
    const [inner, outer] = { 1: [gl.R8, gl.RED], 2: [gl.RG8, gl.RG], 4: [gl.RGBA8, gl.RGBA] }[bands];
    gl.texImage2D(gl.TEXTURE_2D, 0, inner, side, side, 0, outer, gl.UNSIGNED_BYTE, bytes);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    owner.release = () => gl.deleteTexture(texture);
    return texture;
  }

  /** Lines of a layer's blocks. */
  segments(stage, layer, camera, clip, options) {
    const area = camera.area;
    for (const block of stage.blocks.values()) {
      if (block.layer !== layer || block.level !== camera.level || !meets(block, area)) continue;
      block.stamp = options.time;
      block.lines ??= layer === LAYER.portals ? portalLines(block) : graphLines(block);
      const side = BLOCK_SIDE << block.level;
      const origin = [block.column * side - camera.x, block.row * side - camera.y];
      if (layer === LAYER.portals) {
        const width = Math.min(5, Math.max(1.1, camera.scale * 0.3)) * options.ratio;
        if (camera.scale > 3) this.lines(block, "dark", block.lines.dark, origin, clip, camera, width + 2 * options.ratio, options);
        this.lines(block, "light", block.lines.light, origin, clip, camera, width, options);
      } else {
        this.lines(block, "light", block.lines.light, origin, clip, camera, Math.min(1.6, Math.max(0.7, camera.scale * 0.12)) * options.ratio, options);
        const node = Math.min(9, Math.max(1.6, camera.scale * 0.6)) * options.ratio;
        if (camera.scale > 3) this.lines(block, "dark", block.lines.dark, origin, clip, camera, node + 2 * options.ratio, options);
        this.lines(block, "nodes", block.lines.nodes, origin, clip, camera, node, options);
      }
    }
  }

  ways(stage, camera, clip, options) {
    if (stage.drawnWays !== stage.ways) {
      stage.wayLines?.release?.();
      stage.drawnWays = stage.ways;
      stage.wayLines = wayLines(stage);
    }
    const holder = stage.wayLines;
    const origin = [-camera.x, -camera.y];
    const width = Math.min(6, Math.max(1.7, camera.scale * 0.22)) * options.ratio;
    this.lines(holder, "dark", holder.dark, origin, clip, camera, width + 1.4 * options.ratio, options);
    this.lines(holder, "light", holder.light, origin, clip, camera, width, options);
  }

  /** Draws lines: eight numbers each, ends and tint. */
  lines(holder, name, data, origin, clip, camera, width, options) {
    const gl = this.gl, { at } = this.use("lines");
    if (data.length === 0) return;
    const made = (holder.made ??= {});
    if (!made[name]) {
      const array = gl.createVertexArray(), buffer = gl.createBuffer();
      gl.bindVertexArray(array);
      this.bindCorners();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      for (const [place, from] of [[1, 0], [2, 16]]) {
        gl.enableVertexAttribArray(place);
        gl.vertexAttribPointer(place, 4, gl.FLOAT, false, 32, from);
        gl.vertexAttribDivisor(place, 1);
      }
      made[name] = { array, buffer };
      const before = holder.release;
      holder.release = () => {
        before?.();
        gl.deleteVertexArray(array);
        gl.deleteBuffer(buffer);
      };
    }
    gl.bindVertexArray(made[name].array);
    gl.uniform2f(at.origin, ...origin);
    gl.uniform2f(at.clip, ...clip);
    gl.uniform1f(at.scale, camera.scale * options.ratio);
    gl.uniform1f(at.width, width);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, data.length / 8);
  }

  drawUnits(stage, number, camera, clip, options) {
    const gl = this.gl, { at } = this.use("units");
    const units = stage.units;
    if (units.count === 0) return;
    let made = this.units[number];
    if (!made) {
      made = this.units[number] = { array: gl.createVertexArray(), buffer: gl.createBuffer() };
      gl.bindVertexArray(made.array);
      this.bindCorners();
      gl.bindBuffer(gl.ARRAY_BUFFER, made.buffer);
      for (const [place, from] of [[1, 0], [2, 16]]) {
        gl.enableVertexAttribArray(place);
        gl.vertexAttribPointer(place, 4, gl.FLOAT, false, 32, from);
        gl.vertexAttribDivisor(place, 1);
      }
    }
    gl.bindVertexArray(made.array);
    if (made.data !== units.data) {
      gl.bindBuffer(gl.ARRAY_BUFFER, made.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, units.data, gl.DYNAMIC_DRAW);
      made.data = units.data;
    }
    gl.uniform2f(at.camera, camera.x, camera.y);
    gl.uniform2f(at.clip, ...clip);
    gl.uniform1f(at.scale, camera.scale * options.ratio);
    gl.uniform1f(at.part, units.part(options.time));
    gl.uniform3fv(at["banners[0]"] ?? at.banners, new Float32Array(BANNERS.flat()));
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, units.count);
  }

  use(name) {
    const program = this.programs[name];
    this.gl.useProgram(program.use);
    return program;
  }

  /** Colours of a grid of pixels of the map pane, for scripts: draw first. */
  probe(columns, rows) {
    const { gl, canvas: { width, height } } = this;
    const pixels = new Uint8Array(width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const colours = [];
    for (let row = 1; row < rows; row++) {
      for (let column = 1; column < columns; column++) {
        const at = (Math.floor(height * row / rows) * width + Math.floor(width * column / columns)) * 4;
        colours.push(pixels.slice(at, at + 3).join());
      }
    }
    return colours;
  }
}

function program(gl, name, sources) {
  const use = gl.createProgram();
  [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].forEach((kind, at) => {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, sources[at]);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      throw new Error(`${name}: ${gl.getShaderInfoLog(shader)}`);
    }
    gl.attachShader(use, shader);
  });
  ["corner", name === "units" ? "places" : "ends", name === "units" ? "looks" : "tint"].forEach((attribute, place) =>
    gl.bindAttribLocation(use, place, attribute));
  gl.linkProgram(use);
  if (!gl.getProgramParameter(use, gl.LINK_STATUS)) throw new Error(`${name}: ${gl.getProgramInfoLog(use)}`);
  const at = {};
  for (let i = 0; i < gl.getProgramParameter(use, gl.ACTIVE_UNIFORMS); i++) {
    const uniform = gl.getActiveUniform(use, i).name;
    at[uniform] = gl.getUniformLocation(use, uniform);
  }
  return { use, at };
}

function meets(block, area) {
  const side = BLOCK_SIDE << block.level, x = block.column * side, y = block.row * side;
  return x < area.x + area.width && x + side > area.x && y < area.y + area.height && y + side > area.y;
}

/** Windows as lines on their borders. */
function portalLines(block) {
  const view = new DataView(block.bytes.buffer, block.bytes.byteOffset, block.bytes.byteLength);
  const count = view.byteLength / 10;
  const light = new Float32Array(count * 8), dark = new Float32Array(count * 8);
  for (let at = 0; at < count; at++) {
    const from = at * 10;
    const x = view.getUint16(from, true), y = view.getUint16(from + 2, true);
    const length = view.getUint8(from + 4), stands = view.getUint8(from + 5) === 1;
    const inset = Math.max(0.3, length * 0.14);
    const ends = stands ? [x + 1, y + inset, x + 1, y + length - inset] : [x + inset, y + 1, x + length - inset, y + 1];
    light.set([...ends, 0.36, 0.93, 0.96, 1], at * 8);
    dark.set([...ends, 0.02, 0.1, 0.14, 0.75], at * 8);
  }
  return { light, dark };
}

/** Edges as lines, and nodes as dots: lines from a place to itself. */
function graphLines(block) {
  const view = new DataView(block.bytes.buffer, block.bytes.byteOffset, block.bytes.byteLength);
  const light = [], nodes = [], dark = [];
  for (let from = 0; from < view.byteLength; from += 12) {
    const ends = [0, 2, 4, 6].map((by) => view.getInt16(from + by, true) + 0.5);
    if (ends[0] !== ends[2] || ends[1] !== ends[3]) light.push(...ends, 1, 0.97, 0.84, 0.5);
    else {
      nodes.push(...ends, 1, 0.97, 0.84, 1);
      dark.push(...ends, 0.02, 0.1, 0.14, 0.75);
    }
  }
  return { light: new Float32Array(light), nodes: new Float32Array(nodes), dark: new Float32Array(dark) };
}

function wayLines(stage) {
  const light = [], dark = [];
  stage.ways.forEach((way) => {
    const tint = BANNERS[way.banner % 8];
    for (let at = 1; at < way.cells.length; at++) {
      const a = way.cells[at - 1], b = way.cells[at];
      const ends = [a.x + 0.5, a.y + 0.5, b.x + 0.5, b.y + 0.5];
      light.push(...ends, ...tint, 1);
      dark.push(...ends, 0.06, 0.06, 0.09, 0.5);
    }
  });
  return { light: new Float32Array(light), dark: new Float32Array(dark) };
}

export { blockKey };
