/**
 * Loads the engine. Call it once, and await it, before anything else; further calls wait for
 * the first.
 * @param source where `flowtiles.wasm` is: an address, a response, its bytes or a compiled
 * module. Without it, the file beside this module is taken.
 */
export function init(
  source?: URL | string | Response | BufferSource | WebAssembly.Module | Promise<Response>,
): Promise<void>;

/** The bytes that the engine's memory has. It grows as worlds need it, and never shrinks. */
export function memoryBytes(): number;

/** The cost of a wall. */
export const WALL: 255;

/** A cell: its column from the west and its row from the north, from 0. */
export interface Cell { x: number; y: number }
/** A place, in cells: (3.5, 4.5) is the middle of cell (3, 4). */
export interface Point { x: number; y: number }
/** Costs: bytes, or whole numbers from 0 to 255, which are checked. */
export type Costs = Uint8Array | readonly number[];
/**
 * A line, drawn from the left to the right of units that stand on it and look ahead: from west to
 * east they face north.
 */
export interface Line { left: Point; right: Point }
/** A rectangle of cells; without a size, one cell. */
export interface Rect extends Cell { width?: number; height?: number }
/** Cells: objects, or pairs of x and y in an `Int32Array`, which is quicker. */
export type Cells = readonly Cell[] | Int32Array;
/** A building or a flare: it sees the cells within `sight` cells. It may be off the map. */
export interface Eye extends Cell { sight: number }

/**
 * The number of a movement layer as a team, 0 to 7, sees it: its gates are open to it, and of the
 * ground it knows what its fog lets it. Without this, layers are those of team 0.
 */
export function layerForTeam(layer: number, team: number): number;

/** How good the paths of an order are. "corridor" is right for nearly everything. */
export type Quality = "corridor" | "exact" | "everywhere";

/** How an order finds its paths. */
export interface GoalOptions {
  /** The movement layer, from `addLayer`; 0 is the ground. */
  layer?: number;
  quality?: Quality;
  /** Units that cannot reach the goal go to the nearest cell that they can reach. */
  orNearest?: boolean;
}

/** Where an order leads: to one cell, or to the one of several that is cheapest to reach. */
export type Goal = (Cell & GoalOptions) | ({ cells: Cells } & GoalOptions);

/** How units of one class move. */
export interface Movement {
  /** By kind of ground (its cost on the ground's layer), what it costs this class. */
  costs?: Record<number, number>;
  /** The width of bodies in cells, 1 to 8. */
  size?: number;
  /** What is added to the costs of cells 1, 2, 3 and 4 cells from a wall. */
  wallCosts?: readonly number[];
}

/** What a tick did. */
export interface Progress {
  /** The work done, in cells. */
  cells: number;
  /** The work by which ticks overdrew their budgets: the next gets less. */
  owed: number;
  /** The orders that still have work left; 0 when all are done. */
  waiting: number;
}

/** What an edit did. */
export interface EditReport {
  /** The cells whose cost changed. */
  cells: number;
  /** The sectors with such cells. */
  sectors: number;
  /** The sectors whose portals were derived again. */
  rebuilt: number;
  /** The orders that the next ticks plan again. */
  orders: number;
}

/** What a world holds. */
export interface Stats {
  width: number;
  height: number;
  sectors: number;
  portals: number;
  /** The orders that are claimed. */
  orders: number;
  /** The orders that have work left. */
  waiting: number;
  /** The tiles of directions that are loaded for orders. */
  tiles: number;
  /** The bytes of costs, graph and orders. */
  bytes: number;
}

/** What the engine refuses. `message` says what is wrong and what to do. */
export class FlowtilesError extends Error {
  code:
    | "null" | "stale" | "handle" | "foreign" | "argument" | "off-map" | "unreachable" | "full" | "not-found"
    | "capacity" | "save" | "broken" | "other";
}

/**
 * A map and the orders on it. It lives in the engine's memory until {@link World.free}: the
 * garbage collector frees nothing, since players of a lockstep game would collect at
 * different moments.
 */
export class World {
  private constructor();
  readonly handle: bigint;
  /** Makes a world of open ground, of 1 to 65,535 columns and rows. */
  static open(width: number, height: number): World;
  /** Makes a world from a cost for each cell, row by row: 1 to 254, or 255 for a wall. */
  static fromCosts(width: number, height: number, costs: Costs): World;
  /**
   * Makes a world from a save, if its map has at most `cellsMax` cells. It keeps its orders
   * until {@link World.dropClaims}: take them by number and load armies before. In lockstep all
   * players load, also the one that saved: a save has no finished searches, so the loaded world
   * may later part from the saved one.
   */
  static load(save: Uint8Array, cellsMax?: number): World;
  /** Frees the world. Its orders and armies answer "stale" then, and are to be freed too. */
  free(): void;
  /** Copies the world with everything, for rollback. The copy keeps its orders as a loaded one does. */
  fork(): World;
  /** Drops the claims that a loaded or copied world keeps on its orders. */
  dropClaims(): void;
  /** Returns the world as bytes. Equal worlds have equal bytes. */
  save(): Uint8Array;
  /** A hash of everything on which the next ticks depend, for lockstep. The same on every machine. */
  hash(): bigint;
  stats(): Stats;
  /** Works on orders, up to this many cells of work. 4,000 is the default; Infinity does all. */
  tick(cells?: number): Progress;
  /** Gives all cells of a rectangle a cost: 1 to 254, or {@link WALL}. */
  edit(area: Rect, cost: number): EditReport;
  /** Gives each cell of a rectangle its own cost, row by row. */
  editRows(area: Rect, costs: Costs): EditReport;
  /** Gives each of these cells its own cost, and repairs what depends on them once. */
  editCells(cells: Cells, costs: Costs): EditReport;
  /** Returns the costs of a rectangle on a layer, row by row. */
  costs(area: Rect, layer?: number): Uint8Array;
  /** Adds a layer for units that move in this way, and returns its number. */
  addLayer(movement?: Movement): number;
  /** Sets what rectangles cost more on a layer than their ground; 0 takes that away. */
  surcharge(layer: number, areas: readonly (readonly [area: Rect, amount: number])[]): void;
  /**
   * Adds a one-way link from each cell of an area to the same place of an equal one whose
   * north-west cell is `end`. The price is in fifths of a straight step.
   */
  addLink(area: Rect, end: Cell, price: number): number;
  removeLink(link: number): void;
  /**
   * Lays a building over the ground, its north-west cell at `at`: a cost a cell, row by row, 0 for
   * holes; `turn` in quarters to the right. Returns its number. Units under it: {@link Army.putOutOfWalls}.
   */
  stamp(template: { width: number; height: number; costs: Costs }, at: Cell, turn?: 0 | 1 | 2 | 3): number;
  /**
   * Lays a building of any shape: a polygon, in cells, rounded to a sixteenth of one. Cells within `rim`
   * around it cost `rimCost`, so that paths keep off it.
   */
  stampPolygon(corners: readonly Cell[], how?: { cost?: number; rim?: number; rimCost?: number }): number;
  /** Takes a building away: the ground under it is as it was. */
  unstamp(stamp: number): EditReport;
  /**
   * Adds a gate: to these teams, 0 to 7, the ground as it is, and a wall to all others. A gate in a
   * wall begins with an edit that opens the wall. Returns its number.
   */
  addGate(area: Rect, teams: readonly number[]): number;
  /** Opens a gate to these teams alone. */
  setGate(gate: number, teams: readonly number[]): EditReport;
  removeGate(gate: number): EditReport;
  /**
   * Lays fog for a team, 1 to 7: from now on its orders, those on layers of
   * {@link layerForTeam}, know what it has seen, and not what is there. At first it knows all as it is now; what it has
   * not explored, {@link World.forget}.
   */
  addFog(team: number): void;
  /** Takes the fog of a team away: it sees the world as it is. */
  removeFog(team: number): EditReport;
  /** Shows a team areas as they are. The report tells of cells that were not as it knew them. */
  reveal(team: number, areas: readonly Rect[]): EditReport;
  /** Shows a team what these see: discs of so many cells. Units of an army: {@link Army.look}. */
  revealAround(team: number, eyes: readonly Eye[]): EditReport;
  /** Makes a team believe that all cells of areas have this cost: 1, open ground, if left out. */
  forget(team: number, areas: readonly Rect[], cost?: number): EditReport;
  /**
   * Sets the kinds of ground that nobody sees or shoots through. Until some are set, shots and
   * views of foes end at walls, 255, and only the distance limits what is revealed around units.
   */
  setOpaque(kinds: readonly number[]): void;
  /**
   * What a team knows of a rectangle, row by row: the costs that it saw last. null for a team
   * without fog, which sees what {@link World.costs} returns.
   */
  known(team: number, area: Rect): Uint8Array | null;
  /** Whether a unit of the layer can get from one cell to another. A look-up. */
  reachable(from: Cell, to: Cell, layer?: number): boolean;
  /**
   * The cost of the way through the portals, in fifths of a straight step; a unit's path may be
   * a little shorter. null if there is none.
   */
  travelCost(from: Cell, to: Cell, layer?: number): number | null;
  /** The cell nearest to a goal that a unit can reach; null if it stands in a wall. */
  nearestReachable(from: Cell, goal: Cell, layer?: number): Cell | null;
  /**
   * Whether a rectangle is on the map and without walls to units of the layer: whether there is room
   * for a building. The width of bodies does not matter, and units that stand there are not counted.
   */
  isFree(area: Rect, layer?: number): boolean;
  /**
   * The north-west cell of the nearest square of `size` cells a side that is free; null if there
   * is none.
   */
  nearestFree(from: Cell, size: number, layer?: number): Cell | null;
  /** Orders units at these cells to a goal. Free the order when they no longer need it. */
  order(goal: Goal, units?: Cells): Order;
  /** Returns another claim on an order of this world, by its number. */
  orderByNumber(number: number): Order;
  /** Makes an army without units. */
  army(settings?: Settings): Army;
  /**
   * Makes an army from a save, on the world that was saved with it and loaded. In lockstep all
   * players load, also the one that saved: the loaded world, and the army with it, may later
   * part from the saved one.
   */
  loadArmy(save: Uint8Array): Army;
}

/** What a sample says. Below `LINK` its lowest three bits are a step, an index of {@link STEPS}. */
export const Sample: {
  /** Take the step. */
  readonly GO: 0x00;
  /** Enter the link here, see {@link Order.linkExit}. */
  readonly LINK: 0x10;
  /** At the goal. */
  readonly ARRIVED: 0x20;
  /** Directions are not ready: more ticks are needed. */
  readonly WAITING: 0x30;
  /** No directions here: {@link Order.cover} the cell. */
  readonly OFF_ROUTE: 0x40;
  /** The goal cannot be reached from here. */
  readonly UNREACHABLE: 0x50;
  /** The cell is a wall: in {@link Order.sampleRows} alone, since a sample of the cell leads out. */
  readonly WALL: 0x60;
};

/** Where the eight steps lead, as [x, y]: north, east, south, west, then the diagonals. */
export const STEPS: readonly (readonly [number, number])[];

/** A way as a line: straight from each point to the next, or through a link. */
export interface Path {
  /** Pairs of x and y. */
  points: Float32Array;
  /** For each point the number of the link that leads from it to the next; -1 if the way runs straight there. */
  links: Int32Array;
}

/** A claim on the directions to a goal. */
export class Order {
  private constructor();
  readonly handle: bigint;
  /** 0 for a world's first order; a save keeps it. */
  readonly number: number;
  /** Gives the claim back: the tick after the last one frees the directions. */
  free(): void;
  /** Gives the order another goal on its layer, and other units. */
  aim(goal: Goal, units?: Cells): void;
  /** Extends the order to the cells of units off its route: to all of them or, if one is off the map, to none. */
  cover(cells: Cells): void;
  /** What a unit at this cell does: see {@link Sample}. */
  sample(x: number, y: number): number;
  /** The same for many cells. */
  sampleMany(cells: Cells): Uint8Array;
  /** 1 for each cell from which a unit may go straight to the goal, at no higher cost than along the field; else 0. */
  seeGoal(cells: Cells): Uint8Array;
  /** The costs of the paths to the goal, in fifths of a straight step; Infinity where none begins. */
  costsToGo(cells: Cells): Float64Array;
  /** The samples of a rectangle, row by row, in far less time than cell by cell; {@link Sample.WALL} for walls. */
  sampleRows(area: Rect): Uint8Array;
  /** The costs to the goal of a rectangle, row by row: 2³² - 1 where no path begins, and at most 2³² - 2. */
  costToGoRows(area: Rect): Uint32Array;
  /**
   * The path of a unit from this cell, pulled tight, from the middle of the cell to that of the goal;
   * null where no path begins, or while directions are not ready. A path of 500 cells takes some
   * milliseconds: ask when the order or the map has changed, not in each tick.
   */
  path(x: number, y: number): Path | null;
  /** Where a unit comes out that enters the link at this cell. */
  linkExit(x: number, y: number): Cell;
}

/** How units move. What is left out has its default. */
export interface Settings {
  /** How fast a velocity may change, in cells a second each second: 30. */
  force?: number;
  /** The weight of following the field: 1. */
  follow?: number;
  /** The weight of keeping room: 0.5. */
  separation?: number;
  /** The weight of moving like the group's neighbours: 0.1. */
  alignment?: number;
  /** The weight of moving toward the middle of the group's neighbours: 0. */
  cohesion?: number;
  /** The weight of stepping aside before a contact: 1.2. */
  avoidance?: number;
  /** The room that units keep if they can, in cells: 0.15. */
  room?: number;
  /** How far neighbours count, in cells: 1.5. */
  range?: number;
  /** How far ahead contacts are avoided, in seconds: 0.8. */
  horizon?: number;
  /** The factor by which a unit behind its formation exceeds its speed: 1.4. */
  catchUp?: number;
  /** The seconds without progress after which a unit tries harder: 2. */
  patience?: number;
  /** How often a step pushes units apart: 5. */
  pushes?: number;
  /** Whether hard ground slows units down: true. */
  hardGroundSlows?: boolean;
}

/** A unit to add: a circle. Positions and radii are in cells, speeds in cells a second. */
export interface Unit {
  /** Unique in its army, and the same on every machine. */
  id: number;
  group: number;
  /** (3.5, 4.5) is the middle of cell (3, 4). */
  x: number;
  y: number;
  /** 0.3 if left out. */
  radius?: number;
  /** 4 if left out. */
  speed?: number;
}

/** How units read their direction. "ahead" is right for nearly everything. */
export type Reading = "nearest" | "bilinear" | "lowest-of-four" | "ahead" | "crowd";
export type Shape = "line" | "wedge" | "box" | "column";

/** How a chase ends: at this gap, this far from where it began; foes are seen this far. */
export interface Chase { range?: number; leash?: number; sight?: number }

/** The target of a group. */
export type Target =
  | { kind: "flock" | "stand" | "hold" }
  | { kind: "point"; x: number; y: number }
  | { kind: "follow"; unit: number }
  | ({ kind: "pursue"; unit: number } & Chase)
  | { kind: "order"; order: Order }
  | ({ kind: "attack"; order: Order } & Chase)
  | { kind: "flee"; unit: number; safe?: number }
  | { kind: "flee-foes"; safe?: number };

/** How groups are sent together. What is left out is not done. */
export interface Sending {
  /** After all that they have to reach, instead of at once. */
  queued?: boolean;
  /** At one pace, that of the slowest. */
  together?: boolean;
  /** Turning on the foes in sight. */
  attack?: boolean | Chase;
  /** In one formation, with this many cells between its places, or 1. */
  formation?: { shape: Shape; spacing?: number };
}

/** A group that is sent with others: its number, or with a chase of its own. */
export type Sent = number | {
  group: number;
  /** How it turns on the foes in sight, if not as the others do. */
  attack?: true | Chase;
};

/** Where units would stop: their ids and, in the same order, pairs of x and y. */
export interface Places { ids: Uint32Array; places: Float32Array }

/** An event of the last step; `value` is a stuck unit's level or the number of a link. */
export interface ArmyEvent {
  kind: "arrived" | "group-arrived" | "reached" | "lost" | "stuck" | "entered" | "unreachable" | "too-wide" | "other";
  group: number;
  unit: number;
  value: number;
}

/** What a unit is doing. */
export const State: {
  readonly MARCHING: 0;
  readonly ARRIVED: 1;
  readonly UNREACHABLE: 2;
  /** In range of its quarry. */
  readonly ENGAGED: 3;
};

/**
 * Units in groups, moved one step at a time.
 *
 * `ids`, `positions`, `velocities` and `states` are views of the engine's memory, without a
 * copy, with the units in the same order. Reading the property brings one up to date. A view
 * is stale after the next call of any kind: it may then be empty, or show something else.
 * So read it where you need it, and keep a `slice()`.
 */
export class Army {
  private constructor();
  readonly handle: bigint;
  /** The number of units. */
  readonly count: number;
  /** Whether no unit is on its way. */
  readonly isSettled: boolean;
  readonly ids: Uint32Array;
  /** Pairs of x and y. */
  readonly positions: Float32Array;
  /** Pairs of x and y, in cells a second. */
  readonly velocities: Float32Array;
  /** See {@link State}. */
  readonly states: Uint8Array;
  free(): void;
  /** Copies the army for a copy of its world that was made at the same moment. */
  fork(world: World): Army;
  save(): Uint8Array;
  hash(): bigint;
  /** Adds a group that stands, and returns its number. */
  addGroup(reading?: Reading): number;
  /** The groups, the oldest first: after a load those of the save. A copy. */
  readonly groups: number[];
  /** Moves units out of walls, after an edit or a building that covers them. Returns how many. */
  putOutOfWalls(): number;
  /** Removes a group with its units. */
  removeGroup(group: number): void;
  /** Adds units; if one is refused, none is added. */
  addUnits(units: readonly Unit[]): void;
  /**
   * Whether there is room for each of these units, on its group's layer and beside the army's
   * units. They are not checked against each other.
   */
  hasRoom(units: readonly Omit<Unit, "id" | "speed">[]): boolean[];
  /** Removes those of these units that the army has, and returns how many these were. */
  removeUnits(ids: readonly number[] | Uint32Array): number;
  /** Puts a unit at another place. */
  setPosition(unit: number, x: number, y: number): void;
  setGroup(unit: number, group: number): void;
  /**
   * Makes a group one of a team, 0 to 7: it is friend and foe as the team's, and walks on its layer as
   * the team sees it, through the team's gates and in its fog. Refused if it follows an order of
   * another team.
   */
  setTeam(group: number, team: number): void;
  /**
   * Sets the layer on which a group walks, and on which {@link Army.sendAll} sends it: at first
   * the ground, later that of its last order. Refused if a unit is wider than the layer's bodies.
   */
  setLayer(group: number, layer: number): void;
  /**
   * Sets the rank of a group, 0 at first: its units stop behind those of lower ranks that go to the
   * same goal, stand behind them in a formation of several groups, and wait on the march until these
   * are ahead.
   */
  setRank(group: number, rank: number): void;
  /**
   * Orders a group from where it is to a goal and sends it there. Free the order as any other.
   * Refused if the goal has no layer and the group is on one.
   */
  order(group: number, goal: Goal): Order;
  /** The same with an order that the army alone keeps, and frees. */
  march(group: number, goal: Goal): void;
  /** Gives a group a target, and forgets those that wait. */
  send(group: number, target: Target): void;
  /** Gives a group a target for after those that it has. */
  queue(group: number, target: Target): void;
  /** Sends groups to one goal, each by an order on its own layer, whatever that of the goal is. */
  sendAll(groups: readonly Sent[], goal: Goal, how?: Sending): void;
  /**
   * Sends groups from goal to goal as {@link Army.sendAll} does to one, and after the last again to
   * the first. With one goal they go between it and the middle of where they are now.
   */
  patrolAll(groups: readonly Sent[], goals: readonly Goal[], how?: Omit<Sending, "queued">): void;
  /**
   * Sends groups to a line, as by a drag of the mouse: their units stop on it side by side, as far
   * apart as it is wide, and look ahead. Those for whom it is too short stop in rows behind it, and
   * each rank in rows of its own.
   */
  drawUp(groups: readonly Sent[], line: Line, how?: Omit<Sending, "formation">): void;
  /**
   * Where the units of groups would stop if they were sent to a cell now, or drew up on a line: for
   * ghosts under the mouse. A unit that is left out would stop beside others. By the time they come
   * there, other units may stand there, or fewer, and pairs may have swapped their places:
   * {@link Army.stopsOf} knows them then.
   */
  ghosts(groups: readonly number[], to: Cell | Line): Places;
  /**
   * Where a unit is to stop: at the place that it holds, or at its own place around its group's
   * goal once it comes near that; before, at the goal. It may stop beside it, next to others. null
   * if its target is no place, or there is no such unit.
   */
  stopOf(unit: number): Point | null;
  /** The same for many units, as pairs of x and y; NaN where there is none. */
  stopsOf(ids: readonly number[] | Uint32Array): Float32Array;
  /**
   * The way on which a unit is now, pulled tight: from where it stands along its order to where it is
   * to stop, as far from walls as its body needs; straight there if it goes along no order. null if
   * it has no place to stop, if its order has no directions there, or if there is no such unit. What
   * others do to it on the way is not foreseen. Takes as long as {@link Order.path}.
   */
  path(unit: number): Path | null;
  /** Puts a group into a formation with this many cells between its places. */
  form(group: number, shape: Shape, spacing?: number): void;
  /** Lets a group's units go without a formation. */
  disband(group: number): void;
  /** Sets a group's team (0 to 7), its foes, its reading, and whether all go at the slowest's speed. */
  setManner(
    group: number,
    manner: { team?: number; foes?: readonly number[]; reading?: Reading; together?: boolean },
  ): void;
  /**
   * Shows each team with fog what the army's units see, the ground within `sight` cells of each, and
   * returns the number of orders that are planned again. The units of `groups`, such as scouts, see as
   * far as is said of theirs instead. A group's team is that of its layer. Before the first tick, and
   * then in each or a few times a second.
   */
  look(sight: number, groups?: readonly { group: number; sight: number }[]): number;
  /** Moves all units on by 0 to 1,000 seconds, and extends orders to those off their routes. Once for each tick. */
  step(seconds?: number): void;
  /** Sets what the army's jams cost more on a layer, by level: the last of the 4 in a full jam. */
  setJamCosts(layer: number, costs: readonly number[]): void;
  /** Notes where the army is jammed, for the layers of `setJamCosts`. Twice a second. */
  noteJams(): void;
  /** The foe nearest to a unit, at most `within` cells away, through walls; null if there is none. */
  nearestFoe(unit: number, within: number): number | null;
  /** The same for many units; a unit's own id where there is none. */
  nearestFoes(ids: readonly number[] | Uint32Array, within: number): Uint32Array;
  /** The events of the last step. */
  events(): ArmyEvent[];
}
