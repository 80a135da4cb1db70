// Draws the map with WebGL: blocks of ground and fields, lines, units.

import { LAYER, BLOCK_SIDE, NONE, OF_ORDER } from "./wire.js";
import { ROWS, SOURCES } from "./shaders.js";
import { blockKey } from "./store.js";
import { Pool, TILE, Tiles, tilesIn } from "./tiles.js";

/** Colours that units and orders wear, told apart also without red and green. */
export const BANNERS = [
  [0.16, 0.44, 0.86], [0.87, 0.27, 0.16], [0.98, 0.78, 0.20], [0.58, 0.27, 0.82],
  [0.20, 0.72, 0.74], [0.93, 0.55, 0.72], [0.96, 0.96, 0.96], [0.24, 0.20, 0.18],
];

export const css = (banner) => `rgb(${BANNERS[banner % 8].map((v) => Math.round(v * 255)).join(",")})`;

/** Milliseconds after which the map is at rest. */
const REST = 250;

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
    // The host has all that is needed to begin again.
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => location.reload());
    this.programs = {};
    for (const [name, sources] of Object.entries(SOURCES)) this.programs[name] = program(gl, name, sources);
    this.squares = gl.createVertexArray();
    gl.bindVertexArray(this.squares);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    this.none = gl.createVertexArray();
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.frame = gl.createFramebuffer();
    this.pool = new Pool(gl);
    /** Each stage's tiles. */
    this.tiles = new Map();
    this.smooth = sampler(gl, gl.LINEAR);
    this.exact = sampler(gl, gl.NEAREST);
    /** Tiles that a frame may draw. */
    this.allowed = 2;
    /** Whether all that is in view is sharp and new. */
    this.isWhole = true;
    /** Counts since the page was opened, for scripts. */
    this.counts = { ground: 0, veils: 0, uploads: 0 };
  }

  /** A block has come: the tiles that show it are old. */
  changed(stage, { layer, difference }) {
    const tiles = this.tiles.get(stage);
    if (!tiles || !difference) return;
    const isGround = layer === LAYER.ground;
    tiles.changed(difference, isGround, !isGround || tiles.veilKey.startsWith("cost"));
  }

  /** Draws the stages side by side: some tiles that are missing, then all that are there. */
  draw(store, camera, layers, options) {
    const { gl } = this;
    if (gl.isContextLost() || !(camera.scale > 0)) return;
    this.sweep(store);
    const views = store.stages.map((stage, at) => viewOf(stage, at, store.stages.length, this.canvas, camera, options));
    this.fill(views, camera, layers, options);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(...options.back, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    for (const view of views) {
      gl.viewport(view.left, 0, view.width, view.height);
      gl.scissor(view.left, 0, view.width, view.height);
      this.copy(view, options);
      const { stage } = view;
      // Lines and units lie as the tiles do, on whole pixels.
      const eye = { ...eyeOf(view, options), x: (view.width / 2 - view.x) / view.scale, y: (view.height / 2 - view.y) / view.scale };
      if (layers.has("ways")) this.ways(stage, eye, options);
      if (layers.has("units")) this.drawUnits(stage, eye, options);
      keepBlocks(stage, camera, options.time);
    }
  }

  /** Lets go of what belongs to stages that are gone. */
  sweep(store) {
    for (const [stage, tiles] of this.tiles) {
      if (store.stages.includes(stage)) continue;
      tiles.clear();
      for (const one of [...stage.blocks.values(), stage.wayLines]) one?.release?.();
      this.gl.deleteTexture(stage.unitTable ?? null);
      this.tiles.delete(stage);
    }
  }

  /** Draws tiles that are missing or old, as many as a frame may. */
  fill(views, camera, layers, options) {
    const { gl } = this;
    const looked = [camera.x, camera.y, camera.scale].join();
    if (looked !== this.looked) Object.assign(this, { looked, moved: options.time });
    const isStill = options.time - this.moved > REST;
    const inView = views.reduce((sum, view) => sum + tilesIn(view), 0);
    // Fewer while frames come late; a picture at rest may take its time.
    if (!this.isWhole && options.step < 20) this.allowed *= 1.5;
    else if (!this.isWhole && options.step > 28) this.allowed /= 2;
    this.allowed = Math.min(mostOf(inView), Math.max(isStill ? 4 : 1, this.allowed));
    let left = this.allowed;
    this.isWhole = true;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.viewport(0, 0, TILE, TILE);
    for (const view of views) {
      const { stage } = view;
      if (!this.tiles.has(stage)) this.tiles.set(stage, new Tiles(this.pool));
      const tiles = this.tiles.get(stage);
      tiles.look(view, camera.wanted !== null, veilKey(stage, layers, options));
      for (const tile of tiles.jobs(view)) {
        const eye = eyeOfTile(tile, view, camera.level, options);
        const found = !tile.ground || tile.isOld ? groundFor(stage, eye, tile.scale === view.scale) : null;
        if (!tile.ground && !found) continue;
        if (left <= 0) {
          this.isWhole = false;
          break;
        }
        left -= this.paint(tiles, tile, eye, found, layers, options);
      }
      tiles.thin(view);
    }
  }

  /** Draws a tile's ground, its veil or both; returns how much work it was. */
  paint(tiles, tile, eye, found, layers, options) {
    let work = 0;
    if (found) {
      tile.ground ??= this.pool.take();
      this.onto(tile.ground);
      this.ground(found.blocks, eye);
      Object.assign(tile, { isOld: false, isWhole: found.isWhole });
      this.counts.ground++;
      work++;
    }
    tile.isOld = false;
    if (tiles.lacksVeil(tile)) {
      Object.assign(tile, { veilKey: tiles.veilKey, isVeilOld: false });
      const parts = this.veilParts(eye, layers, options);
      if (parts.length === 0) {
        this.pool.give(tile.veil);
        tile.veil = null;
      } else {
        tile.veil ??= this.pool.take();
        this.onto(tile.veil);
        for (const part of parts) part();
        this.counts.veils++;
        work += 0.5;
      }
    }
    return work;
  }

  /** What is drawn now goes onto a texture, which is emptied. */
  onto(texture) {
    const { gl } = this;
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, TILE, TILE);
  }

  /** What there is to draw over the ground of a tile. */
  veilParts(eye, layers, options) {
    const { stage } = eye, parts = [];
    for (const [name, layer, mode] of FIELDS) {
      if (!layers.has(name)) continue;
      const number = options.order(stage)?.number ?? NONE;
      const { blocks } = blocksAt(stage, layer, eye.level, eye.area);
      const seen = blocks.filter((block) => (!OF_ORDER.has(layer) || block.order === number) && !isBlank(block, mode));
      if (seen.length > 0) parts.push(() => this.onMap(eye, () => this.field(seen, layer, mode, eye, options)));
    }
    for (const name of ["graph", "portals"]) {
      if (!layers.has(name)) continue;
      const { blocks } = blocksAt(stage, LAYER[name], eye.level, eye.area);
      if (blocks.length > 0) parts.push(() => this.segments(blocks, LAYER[name], eye, options));
    }
    return parts;
  }

  /** Draws nothing beyond the edge of the map, where its last sectors reach. */
  onMap(eye, draw) {
    const { gl } = this;
    const end = (cells, middle) => Math.max(0, Math.min(TILE, Math.round((cells - middle) * eye.pixels + TILE / 2)));
    const right = end(eye.map.width, eye.x), down = end(eye.map.height, eye.y);
    gl.scissor(0, TILE - down, right, down);
    draw();
    gl.scissor(0, 0, TILE, TILE);
  }

  /** Copies a stage's tiles to where they are seen. */
  copy(view, options) {
    const { gl } = this, { at } = this.use("tile");
    const tiles = this.tiles.get(view.stage);
    gl.bindVertexArray(this.squares);
    gl.disable(gl.BLEND);
    gl.uniform1f(at.dim, options.dim);
    gl.uniform3f(at.back, ...options.back);
    gl.uniform1i(at.veil, 1);
    for (const sheet of tiles.shown(view)) {
      const side = (TILE * view.scale) / sheet[0].scale;
      for (const unit of [0, 1]) gl.bindSampler(unit, sheet[0].scale === view.scale ? this.exact : this.smooth);
      const right = (column) => ((view.x + column * side) * 2) / view.width - 1;
      const down = (row) => 1 - ((view.y + row * side) * 2) / view.height;
      for (const tile of sheet) {
        const veil = tiles.veilOf(tile);
        gl.uniform4f(at.place, right(tile.column), down(tile.row), right(tile.column + 1), down(tile.row + 1));
        gl.uniform1i(at.has_veil, veil ? 1 : 0);
        gl.bindTexture(gl.TEXTURE_2D, tile.ground);
        if (veil) {
          gl.activeTexture(gl.TEXTURE1);
          gl.bindTexture(gl.TEXTURE_2D, veil);
          gl.activeTexture(gl.TEXTURE0);
        }
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      }
    }
    // A tile that is drawn later must not be bound as what it is drawn from.
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, null);
    for (const unit of [0, 1]) gl.bindSampler(unit, null);
    gl.enable(gl.BLEND);
  }

  ground(blocks, eye) {
    const { gl } = this, { at } = this.use("ground");
    gl.bindVertexArray(this.squares);
    gl.disable(gl.BLEND);
    for (const block of blocks) {
      block.texture ??= this.upload(block, BLOCK_SIDE + 2, 4);
      this.square(at, block, eye);
      const side = BLOCK_SIDE << block.level;
      gl.uniform2f(at.corner, block.column * side, block.row * side);
      gl.uniform1f(at.grow, 0.3 / (side * eye.pixels));
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.enable(gl.BLEND);
  }

  field(blocks, layer, mode, eye, options) {
    const { gl } = this, { at } = this.use("field");
    const { stage } = eye;
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
    for (const block of blocks) {
      if (layer === LAYER.loaded) {
        const side = block.bytes[0] + 256 * block.bytes[1];
        block.texture ??= this.upload({ ...block, bytes: block.bytes.subarray(2) }, side + 2, 2, block);
        gl.uniform1f(at.texels_side, side);
      } else if (layer === LAYER.ground) {
        block.texture ??= this.upload(block, BLOCK_SIDE + 2, 4);
      } else {
        block.texture ??= this.upload(block, BLOCK_SIDE, layer === LAYER.integration ? 4 : 1);
      }
      this.square(at, block, eye);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
  }

  square(at, block, eye) {
    const { gl } = this;
    const side = BLOCK_SIDE << block.level;
    gl.bindTexture(gl.TEXTURE_2D, block.texture);
    gl.uniform2f(at.origin, block.column * side - eye.x, block.row * side - eye.y);
    gl.uniform1f(at.side, side);
    gl.uniform2f(at.clip, ...eye.clip);
    gl.uniform1f(at.cells, 1 << block.level);
    gl.uniform1f(at.pixels, eye.pixels * (1 << block.level));
  }

  upload(block, side, bands, owner = block) {
    const gl = this.gl;
    const texture = gl.createTexture();
    let bytes = block.bytes;
    if (block.isPlain) {
      bytes = new Uint8Array(side * side * bands);
      for (let at = 0; at < bytes.length; at += bands) bytes.set(block.bytes.subarray(0, bands), at);
    }
    this.counts.uploads++;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    const [inner, outer] = { 1: [gl.R8, gl.RED], 2: [gl.RG8, gl.RG], 4: [gl.RGBA8, gl.RGBA] }[bands];
    gl.texImage2D(gl.TEXTURE_2D, 0, inner, side, side, 0, outer, gl.UNSIGNED_BYTE, bytes);
    readAsTexels(gl);
    owner.release = () => gl.deleteTexture(texture);
    return texture;
  }

  /** Lines of a layer's blocks. */
  segments(blocks, layer, eye, options) {
    const { scale } = eye, { ratio } = options;
    for (const block of blocks) {
      block.lines ??= layer === LAYER.portals ? portalLines(block) : graphLines(block);
      const side = BLOCK_SIDE << block.level;
      const origin = [block.column * side - eye.x, block.row * side - eye.y];
      if (layer === LAYER.portals) {
        const width = Math.min(5, Math.max(1.1, scale * 0.3)) * ratio;
        if (scale > 3) this.lines(block, "dark", block.lines.dark, origin, eye, width + 2 * ratio);
        this.lines(block, "light", block.lines.light, origin, eye, width);
      } else {
        this.lines(block, "light", block.lines.light, origin, eye, Math.min(1.6, Math.max(0.7, scale * 0.12)) * ratio);
        const node = Math.min(9, Math.max(1.6, scale * 0.6)) * ratio;
        if (scale > 3) this.lines(block, "dark", block.lines.dark, origin, eye, node + 2 * ratio);
        this.lines(block, "nodes", block.lines.nodes, origin, eye, node);
      }
    }
  }

  ways(stage, eye, options) {
    if (stage.drawnWays !== stage.ways) {
      stage.wayLines?.release?.();
      stage.drawnWays = stage.ways;
      stage.wayLines = wayLines(stage);
    }
    const holder = stage.wayLines;
    const origin = [-eye.x, -eye.y];
    const width = Math.min(6, Math.max(1.7, eye.scale * 0.22)) * options.ratio;
    this.lines(holder, "dark", holder.dark, origin, eye, width + 1.4 * options.ratio);
    this.lines(holder, "light", holder.light, origin, eye, width);
  }

  /** Draws lines: eight numbers each, ends and tint. */
  lines(holder, name, data, origin, eye, width) {
    if (data.length === 0) return;
    const { gl } = this, { at } = this.use("lines");
    const made = (holder.made ??= {});
    if (!made[name]) {
      const texture = (made[name] = this.table(data));
      const before = holder.release;
      holder.release = () => {
        before?.();
        gl.deleteTexture(texture);
      };
    }
    gl.uniform2f(at.origin, ...origin);
    gl.uniform2f(at.clip, ...eye.clip);
    gl.uniform1f(at.scale, eye.pixels);
    gl.uniform1f(at.width, width);
    this.rows(made[name], data.length / 8);
  }

  drawUnits(stage, eye, options) {
    const { units } = stage;
    if (units.count === 0) return;
    const { gl } = this, { at } = this.use("units");
    if (stage.drawnUnits !== units.data) {
      stage.drawnUnits = units.data;
      stage.unitTable = this.table(units.data, stage.unitTable);
    }
    gl.uniform2f(at.camera, eye.x, eye.y);
    gl.uniform2f(at.clip, ...eye.clip);
    gl.uniform1f(at.scale, eye.pixels);
    gl.uniform1f(at.part, units.part(options.time));
    gl.uniform3fv(at["banners[0]"] ?? at.banners, new Float32Array(BANNERS.flat()));
    this.rows(stage.unitTable, units.count);
  }

  /** Eight numbers a row, as a texture from which corners are drawn. */
  table(data, texture = this.gl.createTexture()) {
    const { gl } = this;
    const height = Math.ceil(data.length / (ROWS * 8));
    const whole = new Float32Array(height * ROWS * 8);
    whole.set(data);
    this.counts.uploads++;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, ROWS * 2, height, 0, gl.RGBA, gl.FLOAT, whole);
    readAsTexels(gl);
    return texture;
  }

  /** Draws a square for each row of a table. Squares as instances of one are slow. */
  rows(table, count) {
    const { gl } = this;
    gl.bindVertexArray(this.none);
    gl.bindTexture(gl.TEXTURE_2D, table);
    gl.drawArrays(gl.TRIANGLES, 0, 6 * count);
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
  gl.bindAttribLocation(use, 0, "corner");
  gl.linkProgram(use);
  if (!gl.getProgramParameter(use, gl.LINK_STATUS)) throw new Error(`${name}: ${gl.getProgramInfoLog(use)}`);
  const at = {};
  for (let i = 0; i < gl.getProgramParameter(use, gl.ACTIVE_UNIFORMS); i++) {
    const uniform = gl.getActiveUniform(use, i).name;
    at[uniform] = gl.getUniformLocation(use, uniform);
  }
  return { use, at };
}

/** The bound texture is read texel by texel. */
function readAsTexels(gl) {
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
}

/** How textures are read: at their texels, or between them. */
function sampler(gl, filter) {
  const made = gl.createSampler();
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.samplerParameteri(made, name, filter);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.samplerParameteri(made, name, gl.CLAMP_TO_EDGE);
  return made;
}

/** The most tiles that a frame draws: a quarter of those in view. */
const mostOf = (inView) => Math.max(4, Math.ceil(inView / 4));

/** A stage's part of the canvas: pixels a cell, and where the map's corner lies. */
function viewOf(stage, at, count, canvas, camera, { ratio }) {
  const left = Math.round((canvas.width / count) * at);
  const width = Math.round(canvas.width / count) - (at + 1 < count ? Math.round(2 * ratio) : 0);
  const scale = camera.scale * ratio;
  // On whole pixels tiles are copied as they are.
  const placed = camera.wanted ? (place) => place : Math.round;
  return {
    stage, left, width, height: canvas.height, scale, map: camera.map,
    x: placed((camera.width * ratio) / 2 - camera.x * scale), y: placed((camera.height * ratio) / 2 - camera.y * scale),
  };
}

/** How a view is looked at: the middle, pixels a cell, clip space a cell. */
function eyeOf(view, { ratio }) {
  return { pixels: view.scale, scale: view.scale / ratio, clip: [(2 * view.scale) / view.width, (2 * view.scale) / view.height] };
}

/** How a tile is looked at. */
function eyeOfTile(tile, view, level, { ratio }) {
  const { stage, map } = view, pixels = tile.scale, side = TILE / pixels;
  // Lines reach some pixels beyond their ends.
  const more = 8 / pixels;
  return {
    stage, map, level, pixels, scale: pixels / ratio, clip: [(2 * pixels) / TILE, (2 * pixels) / TILE],
    x: (tile.column + 0.5) * side, y: (tile.row + 0.5) * side,
    area: { x: tile.column * side - more, y: tile.row * side - more, width: side + 2 * more, height: side + 2 * more },
  };
}

/** Blocks of a layer and level in an area, and whether there are all. */
function blocksAt(stage, layer, level, area) {
  const side = BLOCK_SIDE << level;
  const last = (cells, to) => Math.min(Math.ceil(cells / side), Math.ceil(to / side)) - 1;
  const right = last(stage.width, area.x + area.width), down = last(stage.height, area.y + area.height);
  const blocks = [];
  let isWhole = true;
  for (let row = Math.max(0, Math.floor(area.y / side)); row <= down; row++) {
    for (let column = Math.max(0, Math.floor(area.x / side)); column <= right; column++) {
      const block = stage.blocks.get(blockKey(layer, level, column, row));
      if (block) blocks.push(block);
      else isWhole = false;
    }
  }
  return { blocks, isWhole };
}

/** The ground to draw a tile from, if there is enough: where it need not be sharp,
 * blocks of other levels stand in, coarser ones below finer. */
function groundFor(stage, eye, isSharp) {
  const area = { ...eye.area, x: eye.x - TILE / eye.pixels / 2, y: eye.y - TILE / eye.pixels / 2, width: TILE / eye.pixels, height: TILE / eye.pixels };
  const found = blocksAt(stage, LAYER.ground, eye.level, area);
  if (found.isWhole) return found;
  if (isSharp) return null;
  const blocks = [];
  for (let level = 9; level >= Math.max(0, eye.level - 1); level--) blocks.push(...blocksAt(stage, LAYER.ground, level, area).blocks);
  return blocks.length > 0 ? { blocks, isWhole: false } : null;
}

/** What the layers over the ground depend on, besides their blocks; empty without any. */
function veilKey(stage, layers, { order }) {
  const shown = [...FIELDS.map(([name]) => name), "graph", "portals"].filter((name) => layers.has(name));
  if (shown.length === 0) return "";
  const chosen = order(stage);
  const key = [shown.join(), chosen?.number ?? ""];
  if (layers.has("integration")) key.push(chosen?.farthest);
  if (layers.has("loaded")) key.push(chosen?.bit, ...stage.orders.map((one) => `${one.bit}:${one.banner}`));
  return key.join();
}

/** Whether a field shows nothing of a block: it is the same all over, and empty. */
function isBlank({ isPlain, bytes, layer }, mode) {
  if (!isPlain || layer === LAYER.ground || layer === LAYER.islands) return false;
  if (layer === LAYER.integration) return bytes[2] === 255 && bytes[3] === 255;
  if (layer === LAYER.flow) return mode === 3 ? (bytes[0] & 16) === 0 : [10, 12, 15].includes(bytes[0] & 15);
  return bytes.subarray(layer === LAYER.loaded ? 2 : 0).every((byte) => byte === 0);
}

/** Keeps the blocks in view from being let go of. */
function keepBlocks(stage, camera, time) {
  const { level, area } = camera;
  for (const block of stage.blocks.values()) if (block.level === level && meets(block, area)) block.stamp = time;
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
