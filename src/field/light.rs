//! Line of sight: the cells from which the straight line to the goal is free.
//!
//! Light goes out from the goal, octant by octant, one column of sectors after
//! the other, through loaded sectors and over open ground of the goal's cost:
//!
//! ```text
//!              ╱ 6          Each tile passes on the light that leaves it: to
//!            ╱ 3 5          the tile behind it, and to the next one of the
//!    goal  1 2 4 …          column, above it. Dark tiles are not visited.
//! ```
//!
//! In the goal's sector and the eight around it a cell is lit exactly if it sees
//! the goal. Farther off, a tile is either lit as a whole, if it is plain ground in
//! full light, or left dark: distant tiles must cost little, and a unit there has
//! time until it sees the goal.
//!
//! If there is cheaper ground, the straight line may cost more than a detour. Then only
//! those cells are lit whose cost-to-go is no lower than the straight way costs by
//! steps; of a plain tile the border decides, since a cheaper path would cross it.
//!
//! The light spreads when the integration is finished. So what is lit depends on
//! costs, goal and loaded sectors alone, like the rest of the field.
//!
//! PERF: 4 % of a cold order on open ground (`.ci/instructions`, `order-open`).

use super::flow::{Flow, FlowTile, KeptCosts};
use super::loaded::{Loaded, NOT_LOADED};
use super::octant::{OCTANTS, Octant, light, passes};
use crate::budget::{Paused, TILE_WORK, Work};
use crate::cost::{Cost, CostMap, TileRef};
use crate::grid::{Cell, SECTOR_SIDE, Sector, Slot};
use crate::kernel::{octile, weight};
use crate::sight::{Incoming, Light, TEN, rows_inside, shine};

const SIDE: usize = SECTOR_SIDE as usize;
/// The number of columns of sectors, including the goal's own, in which light is
/// traced from cell to cell.
const NEAR: i32 = 2;
/// The number of columns that can be lit. Farther off, light does not pay.
const COLUMNS: i32 = 33;
/// Work of tracing light through a tile, and of lighting a whole tile, in cells.
const MIXED_WORK: u64 = TILE_WORK / 2;
const PLAIN_WORK: u64 = 5;

/// The range of no rows.
const NOTHING: [usize; 2] = [usize::MAX, 0];

#[derive(Clone)]
pub(super) struct Lamp {
    sector: Sector,
    slot: Slot,
    /// The cost of the ground over which it shines.
    cost: Cost,
    /// The goal's own cost-to-go, if there is cheaper ground.
    checked: Option<u64>,
    octant: Octant,
    /// The column of sectors being lit, and the next tile of it.
    column: i32,
    row: usize,
    below: Below,
    /// The light that enters the column, by row, and the range of these rows.
    rows: Vec<Light>,
    lit: [usize; 2],
    /// The range of rows from which light leaves the column, so far.
    lit_next: [usize; 2],
}

/// The costs-to-go that are kept.
pub(super) struct Values<'a> {
    pub(super) kept: &'a KeptCosts,
    pub(super) base: u64,
}

impl Values<'_> {
    fn at(&self, index: u32, slot: Slot) -> Option<u64> {
        self.kept.get(self.base, index as usize, slot)
    }
}

/// What a tile passes on to the one above it.
#[derive(Clone)]
struct Below {
    light: Light,
    open: u16,
}

struct OctantTile<'a> {
    /// Its index among the loaded tiles.
    index: u32,
    ground: TileRef<'a>,
    /// Run and rise of its first cell.
    first: [i32; 2],
    /// Whether the cell before the diagonal's first one is open.
    corner_open: bool,
}

impl Below {
    const DARK: Self = Self {
        light: Light::DARK,
        open: 0,
    };
}

impl Lamp {
    /// Makes a lamp in a loaded sector, with the cost-to-go of its cell.
    pub(super) fn new(
        costs: &CostMap,
        loaded: &Loaded,
        sector: Sector,
        slot: Slot,
        value: u64,
    ) -> Self {
        let tile = loaded.costs(costs, sector);
        let cost = tile.map_or(Cost::WALL, |tile| Cost::stored(tile.costs()[slot.index()]));
        // Where former costs are kept, the lowest of the map may be another one.
        let is_cheapest = cost.value() <= costs.lowest() && !loaded.keeps_any();
        Self {
            sector,
            slot,
            cost,
            checked: (!is_cheapest && cost != Cost::OPEN).then_some(value),
            octant: Octant(if cost.is_wall() { OCTANTS } else { 0 }),
            column: 0,
            row: 0,
            below: Below::DARK,
            rows: Vec::new(),
            lit: [0, 1],
            lit_next: NOTHING,
        }
    }

    /// Returns the cell it stands in.
    pub(super) const fn goal(&self) -> Cell {
        self.sector.cell_at(self.slot)
    }

    /// Whether the light has spread as far as it goes.
    pub(super) const fn is_done(&self) -> bool {
        self.octant.0 == OCTANTS
    }

    pub(super) const fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Light>()
    }

    /// Lights one tile after the other until the light has spread as far as it goes.
    pub(super) fn shine(
        &mut self,
        costs: &CostMap,
        loaded: &Loaded,
        values: &Values<'_>,
        flows: &mut [FlowTile],
        work: &mut Work,
    ) -> Result<(), Paused> {
        while !self.is_done() {
            work.check()?;
            if self.row < self.lit[1] || !self.below.light.is_dark() {
                work.count(self.light_next(costs, loaded, values, flows));
                self.row += 1;
            } else {
                self.go_on();
            }
        }
        Ok(())
    }

    /// Lights the next tile of the column, if light enters it. Returns the work
    /// done.
    fn light_next(
        &mut self,
        costs: &CostMap,
        loaded: &Loaded,
        values: &Values<'_>,
        flows: &mut [FlowTile],
    ) -> u64 {
        if self.rows.len() <= self.row {
            self.rows.push(Light::DARK);
        }
        let before = std::mem::take(&mut self.rows[self.row]);
        let below = std::mem::replace(&mut self.below, Below::DARK);
        let is_goal = self.column == 0 && self.row == 0;
        if before.is_dark() && below.light.is_dark() && !is_goal {
            return 0;
        }
        let Some(tile) = self.next_tile(costs, loaded) else {
            return 0;
        };
        let flow = &mut flows[tile.index as usize];
        let is_plain = self.is_plain(&tile, &before, &below) && self.is_best(values, &tile);
        let work = if is_plain {
            self.light_plain(&tile, flow);
            PLAIN_WORK
        } else if self.column < NEAR {
            self.light_mixed(&tile, values, flow, &before, &below);
            MIXED_WORK
        } else {
            PLAIN_WORK
        };
        if !self.rows[self.row].is_dark() {
            self.lit_next = [self.lit_next[0].min(self.row), self.row + 1];
        }
        work
    }

    /// Moves on to the next column, or to the next octant.
    fn go_on(&mut self) {
        self.lit = std::mem::replace(&mut self.lit_next, NOTHING);
        self.column += 1;
        if self.lit == NOTHING || self.column == COLUMNS {
            self.rows.clear();
            self.octant.0 += 1;
            self.column = 0;
            self.lit = [0, 1];
        }
        self.row = self.lit[0];
        self.below = Below::DARK;
    }

    /// Returns the next tile, if it is loaded and has cells in the octant.
    fn next_tile<'a>(&self, costs: &'a CostMap, loaded: &'a Loaded) -> Option<OctantTile<'a>> {
        let row = self.row as i32;
        let [run, rise] = self.octant.within(self.slot);
        let first = [self.column * SECTOR_SIDE - run, row * SECTOR_SIDE - rise];
        let on_diagonal = first[0] - first[1];
        if on_diagonal <= -SECTOR_SIDE {
            return None;
        }
        let (index, ground) = self.loaded_tile(costs, loaded, [self.column, row])?;
        let mut corner_open = true;
        if first[0] > 0 && (0..SECTOR_SIDE).contains(&on_diagonal) {
            let before = self.loaded_tile(costs, loaded, [self.column - 1, row]);
            let slot = self.octant.slot([SIDE - 1, on_diagonal as usize]);
            corner_open = before.is_some_and(|(_, tile)| passes(&tile, slot, self.cost));
        }
        Some(OctantTile {
            index,
            ground,
            first,
            corner_open,
        })
    }

    fn loaded_tile<'a>(
        &self,
        costs: &'a CostMap,
        loaded: &'a Loaded,
        [column, row]: [i32; 2],
    ) -> Option<(u32, TileRef<'a>)> {
        let [dx, dy] = self.octant.on_map([column, row]);
        let sector = Sector::new(self.sector.x + dx, self.sector.y + dy);
        let tile = loaded.costs(costs, sector)?;
        let index = loaded.index(sector);
        (index != NOT_LOADED).then_some((index, tile))
    }

    /// Whether the whole tile is lit: plain ground in full light.
    fn is_plain(&self, tile: &OctantTile<'_>, before: &Light, below: &Below) -> bool {
        let [run, rise] = tile.first;
        // Nothing of the octant lies before the tile.
        let begins = rise.max(0) >= run;
        tile.ground.is_all(self.cost)
            && (begins || before.is_full())
            && (self.row == 0 || below.light.is_full() && below.open == TEN)
            && tile.corner_open
    }

    /// Whether no cell of a plain tile has a cheaper path than the straight way.
    fn is_best(&self, values: &Values<'_>, tile: &OctantTile<'_>) -> bool {
        const LAST: i32 = SECTOR_SIDE - 1;
        let border = (0..LAST).flat_map(|at| {
            let ends = [(at, 0), (LAST, at), (LAST - at, LAST), (0, LAST - at)];
            ends.map(|(x, y)| Slot::at(x, y))
        });
        self.checked.is_none() || { border }
            .all(|slot| self.is_straight(tile, slot, || values.at(tile.index, slot)))
    }

    /// Whether a cell has no cheaper path than the straight way.
    fn is_straight(
        &self,
        tile: &OctantTile<'_>,
        slot: Slot,
        cost_to_go: impl FnOnce() -> Option<u64>,
    ) -> bool {
        self.checked.is_none_or(|start| {
            let [run, rise] = self.octant.within(slot);
            let steps = octile(
                (tile.first[0] + run).unsigned_abs(),
                (tile.first[1] + rise).unsigned_abs(),
            );
            let straight = start + u64::from(self.cost.value()) * steps;
            cost_to_go().is_none_or(|cost_to_go| cost_to_go >= straight)
        })
    }

    /// Follows the directions to a cell whose cost-to-go is kept, or to the goal.
    fn cost_to_go(
        &self,
        values: &Values<'_>,
        tile: &OctantTile<'_>,
        flow: &FlowTile,
        mut slot: Slot,
    ) -> Option<u64> {
        let mut walked = 0;
        loop {
            if let Some(value) = values.at(tile.index, slot) {
                return Some(walked + value);
            }
            let flow = Flow::of(flow[slot.index()]);
            if flow.is_here() {
                return self.checked.map(|start| walked + start);
            }
            let direction = flow.direction()?;
            let cost = u32::from(tile.ground.costs()[slot.index()]);
            walked += u64::from(cost * weight(direction));
            let (dx, dy) = direction.offset();
            slot = Slot::at(slot.x() + dx, slot.y() + dy);
        }
    }

    fn light_plain(&mut self, tile: &OctantTile<'_>, flow: &mut FlowTile) {
        let [run, rise] = tile.first;
        let is_whole = rise >= 0 && run >= rise + SECTOR_SIDE;
        if run <= 0 && rise <= 0 {
            // The goal's own tile: on plain ground all of it sees the goal, so
            // one octant lights it for all eight.
            if self.octant.0 == 0 {
                light(flow);
            }
        } else if is_whole {
            light(flow);
        } else {
            // By rows of the map, which are contiguous in memory.
            for at in 0..SIDE {
                let along = if !self.octant.is_steep() {
                    columns_inside(rise + at as i32, run)
                } else if run + at as i32 > 0 {
                    rows_inside(run + at as i32, rise)
                } else {
                    0
                };
                self.octant.light_row(flow, at, along);
            }
        }
        self.rows[self.row] = Light::FULL;
        self.below = Below {
            light: Light::FULL,
            open: TEN,
        };
    }

    fn light_mixed(
        &mut self,
        tile: &OctantTile<'_>,
        values: &Values<'_>,
        flow: &mut FlowTile,
        before: &Light,
        below: &Below,
    ) {
        let open = self.octant.open_columns(&tile.ground, self.cost);
        let shone = shine(&Incoming {
            first: tile.first,
            open,
            before,
            below: &below.light,
            below_open: below.open,
            corner_open: tile.corner_open,
        });
        for (column, mut bits) in shone.lit.into_iter().enumerate() {
            while bits != 0 {
                let row = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let slot = Slot::of(self.octant.slot([column, row]));
                if self.is_straight(tile, slot, || self.cost_to_go(values, tile, flow, slot)) {
                    flow[slot.index()] |= Flow::IN_SIGHT;
                }
            }
        }
        self.rows[self.row] = shone.after;
        self.below = Below {
            light: shone.above,
            open: (0..SIDE)
                .map(|column| (open[column] >> (SIDE - 1) & 1) << column)
                .sum(),
        };
    }
}

/// The columns, as bits, of a tile that begins at `run` in which a row of this
/// rise lies in the octant, except for the goal itself.
const fn columns_inside(rise: i32, run: i32) -> u16 {
    let first = if rise > 1 { rise } else { 1 } - run;
    if rise < 0 || first >= SECTOR_SIDE {
        0
    } else if first <= 0 {
        TEN
    } else {
        TEN << first & TEN
    }
}
