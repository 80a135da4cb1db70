// Draws the map with WebGL: blocks of ground and fields, lines, units.

import { LAYER, BLOCK_SIDE, OF_ORDER } from "./wire.js";
import { BANNERS } from "./banners.js";
import { FIELDS as QUIETING, OPEN_STEP, dearestOf, fitted } from "./scale.js";
import { ROWS, SOURCES } from "./shaders.js";
import { blocksOf, ordersOnView } from "./store.js";
import { EDGES, PORTALS, graphFromAfar, graphLines, portalLines, pathLines, strongLines } from "./lines.js";
import { streamLines } from "./streams.js";
import { Numbers, numbersFrom } from "./numbers.js";
import { Pool, TILE, Tiles, tilesIn } from "./tiles.js";
import { REACH, blocksAt, eyeOf, eyeOfTile, groundFor, grown, keepBlocks, meets, viewOf } from "./views.js";

/** Cells along a side of the squares in which the graph is seen from afar. */
const SQUARES = [20, 40, 80];
/** Milliseconds after which the map is at rest. */
const REST = 250;
/** Programs of the first picture besides the ground's, and those of them that read tables. */
const FIRST = ["dimmed", "copied", "loaded", "lines", "goal", "specks"], TABLED = new Set(["lines"]);
const BANNER_TINTS = new Float32Array(BANNERS.flat());

/** Fields in the order in which they lie over each other. */
const FIELDS = [
  ["cost", LAYER.ground], ["islands", LAYER.islands], ["integration", LAYER.integration],
  ["potential", LAYER.potential], ["speed", LAYER.speed], ["discomfort", LAYER.discomfort],
  ["density", LAYER.density], ["loaded", LAYER.loaded], ["flow", LAYER.flow],
  ["sight", LAYER.flow],
];
/** Pixels a cell from which on there is a grid. */
const GRID = 9;
/** Pixels from line to line of a flow's streams: from afar, and where each cell has an arrow. */
const LANE = 16, LANE_NEAR = 44;
/** Pixels a cell from which on each has an arrow. */
const ARROWS = 13;
/** Pixels from dash to dash on a stream, and pixels a second that they move. */
const PERIOD = 30, SPEED = 26;
/** Pixels a cell below which streams are dark lines, which are seen from afar. */
const FAR = 2;
/** Blocks whose streams are traced in one frame. */
const TRACED = 3;
/** Pixels of the thinnest line of a path. */
const THIN = 1.7;
/** The largest radius in pixels of units that are drawn as specks. */
const SPECK = 2.3;
/** The frame around what the pointer is on: ground, and a wall. */
const FREE = [1, 1, 1], WALL = [1, 0.25, 0.2];
/** What does not move between two pictures. */
const STILL = { part: () => 1 };

export class Picture {
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, powerPreference: "high-performance" });
    if (!gl) throw new Error("this page needs WebGL 2, which the browser does not offer");
    this.gl = gl;
    this.canvas = canvas;
    // The host has all that is needed to begin again.
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => location.reload());
    /** Programs, each made when it is first used. */
    this.programs = {};
    this.squares = gl.createVertexArray();
    gl.bindVertexArray(this.squares);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    this.none = gl.createVertexArray();
    this.numbers = new Numbers(gl, TILE);
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
    /** Whether streams are in view, which move. */
    this.isMoving = false;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    /** Counts since the page was opened, for scripts. */
    this.counts = { ground: 0, veils: 0, uploads: 0 };
  }

  /** Has the browser make what the first picture needs, while the host still draws the map. */
  warm() {
    const { gl } = this, tile = this.pool.take();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    this.onto(tile);
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.viewport(0, 0, 1, 1);
    // The ground as it is drawn then, from a texture.
    const plain = { level: 0, column: 0, row: 0, isPlain: true, bytes: new Uint8Array(4).fill(3) };
    this.ground([plain], { x: 0, y: 0, pixels: 0.5, clip: [0.02, 0.02] });
    plain.release();
    for (const name of FIRST) {
      this.use(name);
      gl.bindVertexArray(TABLED.has(name) ? this.none : this.squares);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    this.pool.give(tile);
  }

  /** A block has come: the tiles that show it are old. */
  changed(stage, { layer, difference }) {
    const tiles = this.tiles.get(stage);
    if (layer === LAYER.graph) forgetGraphs(stage);
    if (!tiles || !difference) return;
    const isGround = layer === LAYER.ground;
    // From afar a line stands for several edges, from one square to the next.
    const reach = layer === LAYER.graph ? 2 * SQUARES.at(-1) : layer === LAYER.portals ? REACH : 0;
    tiles.changed(grown(difference, reach), isGround, !isGround);
  }

  /** Another layer of the world is shown: all tiles are old. */
  renew(stage) {
    const { width, height } = stage;
    forgetGraphs(stage);
    this.tiles.get(stage)?.changed({ x: 0, y: 0, width, height }, true, true);
  }

  /** Draws the stages side by side: some tiles that are missing, then all that are there. */
  draw(store, camera, layers, options) {
    const { gl } = this;
    if (gl.isContextLost() || !(camera.scale > 0)) return;
    this.sweep(store);
    const views = store.stages.map((stage, at) => viewOf(stage, at, this.canvas, camera, options));
    this.fill(views, camera, layers, options);
    this.isMoving = false;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(...options.back, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    for (const view of views) {
      gl.viewport(view.left, view.bottom, view.width, view.height);
      gl.scissor(view.left, view.bottom, view.width, view.height);
      this.copy(view, { ...options, isQuiet: isQuiet(view.stage, layers, options) });
      const { stage } = view;
      // Units lie as the tiles do, on whole pixels.
      const eye = { ...eyeOf(view, options), x: (view.width / 2 - view.x) / view.scale, y: (view.height / 2 - view.y) / view.scale };
      if (layers.has("trails")) this.trails(stage, eye, options);
      if (layers.has("paths")) this.paths(stage, camera, eye, layers, options);
      if (layers.has("flow")) this.streams(stage, camera, eye, options);
      if (layers.has("graph") && eye.scale >= EDGES) this.strong(stage, camera, eye, options);
      if (layers.has("units")) {
        this.ghosts(stage, eye, options);
        this.drawUnits(stage, eye, options);
      }
      this.marks(view, eye, options);
      keepBlocks(stage, camera, options.time);
    }
    if (this.isBegun || !this.isWhole || this.counts.ground === 0) return;
    this.isBegun = true;
    performance.mark("map");
  }

  /** Lets go of what belongs to stages that are gone. */
  sweep(store) {
    for (const [stage, tiles] of this.tiles) {
      if (store.stages.includes(stage)) continue;
      tiles.clear();
      for (const one of blocksOf(stage)) one.release?.();
      stage.unitRows?.release();
      this.gl.deleteTexture(stage.ghosts.table ?? null);
      stage.strong?.release?.();
      stage.trails.drawn?.release?.();
      forgetGraphs(stage);
      forgetPaths(stage);
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
    // Before the first picture there is nothing that would be late.
    if (!this.isBegun) this.allowed = inView;
    else this.allowed = Math.min(mostOf(inView), Math.max(isStill ? 4 : 1, this.allowed));
    let left = this.allowed;
    this.isWhole = true;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.viewport(0, 0, TILE, TILE);
    for (const view of views) {
      const { stage } = view;
      if (!this.tiles.has(stage)) this.tiles.set(stage, new Tiles(this.pool));
      const tiles = this.tiles.get(stage);
      if (layers.has("cost")) stage.dearest = dearestOf(stage);
      if (layers.has("integration")) this.fit(stage, camera, isStill, options);
      tiles.look(view, camera.wanted !== null, seenKey(stage, layers, options));
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

  /** Fits the scale of costs-to-go to what is in view, once that rests. */
  fit(stage, { level, area }, isStill, options) {
    const order = options.order(stage);
    const blocks = blocksAt(stage, LAYER.integration, level, area).blocks.filter((block) => block.order === order?.number);
    const before = stage.scaleOf === order?.number ? stage.scale : null;
    const scale = fitted(before, blocks, area);
    if (scale && before && scale !== before && !isStill) this.isWhole = false;
    else Object.assign(stage, { scale, scaleOf: order?.number });
  }

  /** Draws a tile's ground, what is seen of it or both; returns how much work it was. */
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
    if (!found && !tiles.isStale(tile)) return work;
    const parts = this.veilParts(tile, eye, layers, options);
    tile.seen ??= this.pool.take();
    // Where ground is missing, coarser tiles below show.
    this.onto(tile.seen, tile.isWhole ? [...options.back, 1] : [0, 0, 0, 0]);
    this.whole("dimmed", tile.ground, { ...options, isQuiet: isQuiet(eye.stage, layers, options) });
    for (const part of parts) part();
    Object.assign(tile, { seenKey: tiles.seenKey, isSeenOld: false });
    if (parts.length > 0) this.counts.veils++;
    return work + (parts.length > 0 ? 0.3 : 0.1);
  }

  /** Draws a texture over the whole of a tile. */
  whole(name, texture, light = {}) {
    const { gl } = this, { at } = this.use(name);
    gl.bindVertexArray(this.squares);
    gl.bindSampler(0, this.exact);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.uniform4f(at.place, -1, 1, 1, -1);
    if (name === "dimmed") this.light(at, light);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.bindSampler(0, null);
  }

  /** How bright the ground is, and whether it steps back. */
  light(at, { dim, quiet, isQuiet }) {
    this.gl.uniform1f(at.dim, dim);
    this.gl.uniform4f(at.quiet, ...quiet, isQuiet ? 1 : 0);
  }

  /** What is drawn now goes onto a texture, which is filled with a colour. */
  onto(texture, colour = [0, 0, 0, 0]) {
    const { gl } = this;
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(...colour);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, TILE, TILE);
  }

  /** What there is to draw over the ground of a tile. */
  veilParts(tile, eye, layers, options) {
    const { stage } = eye, parts = [];
    for (const [name, layer] of FIELDS) {
      if (!layers.has(name)) continue;
      const number = options.order(stage)?.number ?? null;
      const { blocks } = blocksAt(stage, layer, eye.level, eye.area);
      const seen = blocks.filter((block) => (!OF_ORDER.has(layer) || block.order === number) && !isBlank(block, name));
      if (seen.length > 0) parts.push(() => this.onMap(eye, () => this.field(seen, layer, name, eye, layers, options)));
    }
    const around = grown(eye.area, REACH);
    // Nodes lie on their windows.
    for (const name of ["portals", "graph"]) {
      if (!layers.has(name) || (name === "portals" && eye.scale < PORTALS)) continue;
      const { blocks } = blocksAt(stage, LAYER[name], eye.level, around);
      if (blocks.length > 0) parts.push(() => this[name](blocks, eye, options));
    }
    if (eye.scale >= GRID) parts.push(() => this.onMap(eye, () => this.grid(tile, eye, options)));
    if (layers.has("numbers") && eye.scale >= numbersFrom) parts.push(() => this.write(eye, layers, options));
    return parts;
  }

  grid(tile, eye, { ratio }) {
    const { gl } = this, { at } = this.use("grid");
    gl.bindVertexArray(this.squares);
    gl.uniform4f(at.place, -1, 1, 1, -1);
    gl.uniform2f(at.corner, tile.column * TILE, tile.row * TILE);
    gl.uniform1f(at.side, TILE);
    gl.uniform1f(at.scale, eye.pixels);
    gl.uniform1f(at.thick, Math.round(ratio));
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  /** Writes the numbers of a tile's cells. */
  write(eye, layers, options) {
    this.counts.uploads++;
    this.whole("copied", this.numbers.write(eye, layers, options));
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
    const { gl } = this;
    const tiles = this.tiles.get(view.stage);
    gl.bindVertexArray(this.squares);
    for (const sheet of tiles.shown(view)) {
      const side = (TILE * view.scale) / sheet[0].scale;
      gl.bindSampler(0, sheet[0].scale === view.scale ? this.exact : this.smooth);
      const right = (column) => ((view.x + column * side) * 2) / view.width - 1;
      const down = (row) => 1 - ((view.y + row * side) * 2) / view.height;
      for (const tile of sheet) {
        const seen = tiles.seenOf(tile);
        const { at } = this.use(seen ? "copied" : "dimmed");
        // All that is whole hides what lies below it; without what is seen it ends where the map does.
        if (seen && tile.isWhole) gl.disable(gl.BLEND);
        else gl.enable(gl.BLEND);
        gl.uniform4f(at.place, right(tile.column), down(tile.row), right(tile.column + 1), down(tile.row + 1));
        if (!seen) this.light(at, options);
        gl.bindTexture(gl.TEXTURE_2D, seen ?? tile.ground);
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      }
    }
    // A tile that is drawn later must not be bound as what it is drawn from.
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.bindSampler(0, null);
    gl.enable(gl.BLEND);
  }

  ground(blocks, eye) {
    const { gl } = this;
    gl.bindVertexArray(this.squares);
    gl.disable(gl.BLEND);
    for (const block of blocks) {
      const texel = eye.pixels * (1 << block.level);
      const { at } = this.use(`ground ${texel > 5 ? 2 : texel > 2.5 ? 1 : 0}`);
      block.texture ??= this.upload(block, BLOCK_SIDE + 2, 4);
      this.square(at, block, eye);
      const side = BLOCK_SIDE << block.level;
      gl.uniform2f(at.corner, block.column * side, block.row * side);
      gl.uniform1f(at.grow, 0.3 / (side * eye.pixels));
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.enable(gl.BLEND);
  }

  field(blocks, layer, name, eye, layers, options) {
    const { gl } = this, { at } = this.use(name);
    const { stage } = eye;
    gl.bindVertexArray(this.squares);
    const order = options.order(stage);
    gl.uniform1f(at.grow, 0);
    const { low, high, step } = stage.scale ?? { low: 0, high: 1, step: 1 };
    gl.uniform3f(at.scale ?? null, low * OPEN_STEP, high * OPEN_STEP, step * OPEN_STEP);
    gl.uniform1i(at.chosen, order?.bit ?? 0);
    gl.uniform1f(at.numbered ?? null, layers.has("numbers") && eye.scale >= numbersFrom ? 1 : 0);
    gl.uniform1f(at.dearest ?? null, Math.log2(stage.dearest ?? 1));
    const byBit = new Float32Array(45).fill(0.8);
    // Orders on other layers may have the same bits.
    for (const one of ordersOnView(stage)) {
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

  portals(blocks, eye, { ratio }) {
    const { scale } = eye, width = Math.min(5, Math.max(1.1, scale * 0.3)) * ratio;
    for (const block of blocks) {
      block.lines ??= portalLines(block);
      const side = BLOCK_SIDE << block.level;
      const origin = [block.column * side - eye.x, block.row * side - eye.y];
      if (scale > 3) this.lines(block, "dark", block.lines.dark, origin, eye, width + 2 * ratio);
      this.lines(block, "light", block.lines.light, origin, eye, width);
    }
  }

  /** The graph: from near each edge, from afar bundles of them. */
  graph(blocks, eye, { ratio }) {
    const { scale, stage } = eye, origin = [-eye.x, -eye.y], isNear = scale >= EDGES;
    const node = Math.min(9, Math.max(5, scale * 0.6)) * ratio;
    for (const holder of isNear ? blocks : [this.fromAfar(stage, eye)]) {
      const { under, light, dark, nodes } = (holder.lines ??= graphLines(holder));
      if (under) this.lines(holder, "under", under, origin, eye, 3.6 * ratio);
      this.lines(holder, "light", light, origin, eye, (isNear ? Math.min(1.6, scale * 0.12) : 1.7) * ratio);
      this.lines(holder, "dark", dark, origin, eye, node + 2 * ratio);
      this.lines(holder, "nodes", nodes, origin, eye, node);
    }
  }

  /** What is seen of the graph from afar: all that is here of a level, in squares. */
  fromAfar(stage, { level, scale }) {
    const side = SQUARES.find((cells) => cells * scale >= 24) ?? SQUARES.at(-1), key = `${level} ${side}`;
    if (!stage.graphs?.has(key)) {
      stage.graphs ??= new Map();
      const blocks = [...stage.blocks.values()].filter((block) => block.layer === LAYER.graph && block.level === level);
      stage.graphs.set(key, { lines: graphFromAfar(blocks, side) });
    }
    return stage.graphs.get(key);
  }

  /** Edges of the graph that the pointer makes strong, or the route. */
  strong(stage, { level, area }, eye, options) {
    const box = options.box(stage);
    const sector = box && { x: Math.floor((box.x + box.width / 2) / REACH), y: Math.floor((box.y + box.height / 2) / REACH) };
    const { blocks } = blocksAt(stage, LAYER.graph, level, grown(area, REACH));
    const seen = [...blocks, stage.route, sector?.x, sector?.y], before = stage.strong;
    if (before?.seen.length !== seen.length || seen.some((one, at) => one !== before.seen[at])) {
      before?.release?.();
      stage.strong = { seen, ...strongLines(blocks, stage.route, sector) };
    }
    const width = Math.min(2.4, eye.scale * 0.16) * options.ratio;
    this.lines(stage.strong, "dark", stage.strong.dark, [-eye.x, -eye.y], eye, width + 2 * options.ratio);
    this.lines(stage.strong, "light", stage.strong.light, [-eye.x, -eye.y], eye, width);
  }

  /** Draws the paths in view, which are in no tile since they move with their units. */
  paths(stage, { area }, eye, layers, { ratio }) {
    if (stage.drawnPaths !== stage.paths) {
      forgetPaths(stage);
      stage.drawnPaths = stage.paths;
    }
    const slack = slackAt(eye.pixels);
    if (!stage.pathLines.has(slack)) stage.pathLines.set(slack, pathLines(stage, slack));
    const holder = stage.pathLines.get(slack), around = grown(area);
    const runs = holder.chunks.filter((chunk) => meets(chunk, around));
    const origin = [-eye.x, -eye.y];
    // Numbers below are to be read.
    const isThin = layers.has("numbers") && eye.scale >= numbersFrom;
    const width = isThin ? THIN : Math.min(6, Math.max(THIN, eye.scale * 0.22));
    for (const [name, rim] of [["dark", 1.4], ["light", 0]]) {
      for (const [thin, wide] of [[false, width], [true, THIN]]) {
        this.lines(holder, name, holder[name], origin, eye, (wide + rim) * ratio, runs.filter((run) => run.thin === thin));
      }
    }
  }

  /** Draws where units went. */
  trails({ trails }, eye, { ratio }) {
    if (trails.rows !== trails.drawn?.rows) {
      trails.drawn?.release?.();
      trails.drawn = { rows: trails.rows };
    }
    this.lines(trails.drawn, "light", trails.rows, [-eye.x, -eye.y], eye, Math.min(3, Math.max(THIN, eye.scale * 0.12)) * ratio);
  }

  /** Draws the streams of the chosen order's flow, which are in no tile since they move. */
  streams(stage, { level, area }, eye, options) {
    const { gl } = this, { ratio, time } = options, texel = eye.scale * 2 ** level;
    const number = options.order(stage)?.number;
    const blocks = blocksAt(stage, LAYER.flow, level, area).blocks.filter((block) => block.order === number && !isBlank(block, "flow"));
    const lane = lanes(texel), name = `streams ${lane}`;
    let left = TRACED;
    for (const block of blocks) {
      block.streams ??= {};
      if (!block.streams[lane] && left-- <= 0) {
        this.isWhole = false;
        continue;
      }
      const data = (block.streams[lane] ??= streamLines(block, lane));
      if (data.length === 0) continue;
      this.isMoving ||= !this.calm.matches;
      const { at } = this.use("streams"), side = BLOCK_SIDE << level;
      gl.uniform1f(at.period, PERIOD * ratio);
      gl.uniform1f(at.moved, this.calm.matches ? 0 : (time / 1000 * SPEED / PERIOD) % 1);
      this.lines(block, name, data, [block.column * side - eye.x, block.row * side - eye.y], eye, (eye.scale < FAR ? 3.2 : 3.4) * ratio, undefined, "streams");
    }
  }

  /** Draws lines: eight numbers each, ends and tint; all, or some runs of them. */
  lines(holder, name, data, origin, eye, width, runs = [{ from: 0, count: data.length / 8 }], drawn = "lines") {
    if (data.length === 0) return;
    const { gl } = this, { at } = this.use(drawn);
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
    for (const { from, count } of runs) this.rows(made[name], count, from);
  }

  drawUnits(stage, eye, options) {
    const { units } = stage;
    if (units.count === 0) return;
    stage.unitRows ??= this.unitRows();
    const rows = stage.unitRows;
    if (units.largest * eye.pixels >= SPECK) {
      if (rows.drawn !== units.data) rows.all = this.table(rows.drawn = units.data, rows.all);
      this.discs(rows.all, units.count, units, eye, options);
      return;
    }
    this.specks(rows, units, eye, options);
    if (units.sources.length > 0) {
      if (rows.drawnSources !== units.sources) rows.sources = this.table(rows.drawnSources = units.sources, rows.sources);
      this.discs(rows.sources, units.sources.length / 8, units, eye, options);
    }
  }

  /** Places where units will stop, below the units. */
  ghosts({ ghosts }, eye, options) {
    const data = ghosts.rows(options.time);
    if (data.length === 0) return;
    if (ghosts.drawn !== data) ghosts.table = this.table(ghosts.drawn = data, ghosts.table);
    this.discs(ghosts.table, data.length / 8, STILL, eye, options);
  }

  /** Units from near: what each does is seen. */
  discs(table, count, units, eye, options) {
    this.unitEye("units", units, eye, options);
    this.rows(table, count);
  }

  /** Units from afar. */
  specks(rows, units, eye, options) {
    const { gl } = this;
    gl.bindVertexArray(rows.points);
    if (rows.drawnSpecks !== units.specks) {
      rows.drawnSpecks = units.specks;
      this.counts.uploads++;
      gl.bindBuffer(gl.ARRAY_BUFFER, rows.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, units.specks, gl.DYNAMIC_DRAW);
    }
    this.unitEye("specks", units, eye, options);
    gl.drawArrays(gl.POINTS, 0, units.specks.length / 8);
  }

  unitEye(name, units, eye, options) {
    const { gl } = this, { at } = this.use(name);
    gl.uniform2f(at.camera, eye.x, eye.y);
    gl.uniform2f(at.clip, ...eye.clip);
    gl.uniform1f(at.scale, eye.pixels);
    gl.uniform1f(at.part, units.part(options.time));
    gl.uniform3fv(at["banners[0]"] ?? at.banners, BANNER_TINTS);
  }

  /** Where a stage's units lie on the graphics card. */
  unitRows() {
    const { gl } = this;
    const buffer = gl.createBuffer(), points = gl.createVertexArray();
    gl.bindVertexArray(points);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    for (const half of [0, 1]) {
      gl.enableVertexAttribArray(half);
      gl.vertexAttribPointer(half, 4, gl.FLOAT, false, 32, 16 * half);
    }
    const rows = { buffer, points };
    rows.release = () => {
      gl.deleteBuffer(buffer);
      gl.deleteVertexArray(points);
      for (const table of [rows.all, rows.sources]) gl.deleteTexture(table ?? null);
    };
    return rows;
  }

  /** Goals, and a frame around what the pointer is on. */
  marks(view, eye, options) {
    const { gl } = this, { ratio } = options, { stage } = view;
    gl.bindVertexArray(this.squares);
    const clip = [2 / view.width, 2 / view.height];
    const put = (at, x, y, ...reach) => {
      gl.uniform2f(at.middle, (x - eye.x) * eye.clip[0], (eye.y - y) * eye.clip[1]);
      gl.uniform2f(at.clip, ...clip);
      gl.uniform2f(at.reach, ...reach);
      gl.uniform1f(at.ratio, ratio);
    };
    const chosen = options.order(stage);
    for (const { goal, banner, number } of stage.orders) {
      if (options.alone !== null && number !== options.alone) continue;
      const reach = 19 * ratio, x = goal.x + 0.5, y = goal.y + 0.5;
      if (Math.abs(x - eye.x) > 1 / eye.clip[0] + reach / eye.pixels || Math.abs(y - eye.y) > 1 / eye.clip[1] + reach / eye.pixels) continue;
      const { at } = this.use("goal");
      put(at, x, y, reach, reach);
      gl.uniform3f(at.tint, ...BANNERS[banner % 8]);
      gl.uniform1f(at.chosen, number === chosen?.number ? 1 : 0);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    const box = options.box(stage);
    if (!box) return;
    const half = [box.width, box.height].map((cells) => Math.max(3 * ratio, cells * eye.pixels) / 2);
    const { at } = this.use("frame");
    put(at, box.x + half[0] / eye.pixels, box.y + half[1] / eye.pixels, half[0] + 3 * ratio, half[1] + 3 * ratio);
    gl.uniform2f(at.half_side, ...half);
    gl.uniform3f(at.tint, ...(options.isOnWall ? WALL : FREE));
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
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

  /** Draws a square for each of some rows of a table. Squares as instances of one are slow. */
  rows(table, count, from = 0) {
    const { gl } = this;
    gl.bindVertexArray(this.none);
    gl.bindTexture(gl.TEXTURE_2D, table);
    gl.drawArrays(gl.TRIANGLES, 6 * from, 6 * count);
  }

  use(name) {
    const made = (this.programs[name] ??= program(this.gl, name, SOURCES[name]));
    this.gl.useProgram(made.use);
    return made;
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
  gl.bindAttribLocation(use, 1, "look");
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

/** What is seen of a tile depends on this, besides its blocks. */
function seenKey(stage, layers, { order, dim }) {
  const shown = [...FIELDS.map(([name]) => name), "graph", "portals", "numbers"].filter((name) => layers.has(name));
  if (shown.length === 0) return String(dim);
  const chosen = order(stage);
  const key = [dim, isQuiet(stage, layers, { order }), shown.join(), chosen?.number ?? ""];
  if (layers.has("cost")) key.push(stage.dearest);
  if (layers.has("integration") && stage.scale) key.push(stage.scale.low, stage.scale.high);
  if (layers.has("loaded")) key.push(chosen?.bit, ...ordersOnView(stage).map((one) => `${one.bit}:${one.banner}`));
  return key.join();
}

/** Whether the ground steps back: a field is on that the stage has. */
function isQuiet(stage, layers, { order }) {
  const has = (name) => (stage.layers >> LAYER[name]) & 1 && (order(stage) || !OF_ORDER.has(LAYER[name]));
  return QUIETING.some((name) => layers.has(name) && (name === "cost" || has(name)));
}

/** Whether a field shows nothing of a block: it is the same all over, and empty. */
function isBlank({ isPlain, bytes, layer }, name) {
  if (!isPlain || layer === LAYER.ground || layer === LAYER.islands) return false;
  if (layer === LAYER.integration) return bytes[2] === 255 && bytes[3] === 255;
  if (layer === LAYER.flow) return name === "sight" ? (bytes[0] & 16) === 0 : [10, 12, 15].includes(bytes[0] & 15);
  return bytes.subarray(layer === LAYER.loaded ? 2 : 0).every((byte) => byte === 0);
}

/** Lets go of what was made of a graph that has changed. */
function forgetGraphs(stage) {
  for (const one of stage.graphs?.values() ?? []) one.release?.();
  stage.graphs = new Map();
}

/** Lets go of what was made of paths that have changed. */
function forgetPaths(stage) {
  for (const one of stage.pathLines?.values() ?? []) one.release?.();
  stage.pathLines = new Map();
}

/** How far, in cells, a path may be drawn from where it is: less than the eye sees. */
const slackAt = (pixels) => (pixels < 8 ? 0.4 / 2 ** Math.floor(Math.log2(pixels)) : 0);

/** Texels from stream to stream, so that they are apart. */
const lanes = (texel) => [1, 2, 3, 5, 10, 20].find((count) => count * texel >= (texel < ARROWS ? LANE : LANE_NEAR)) ?? 20;
