//! Derives the costs of a layer from the ground.
//!
//! A cell of a layer depends on the ground of the nine sectors around it alone: bodies
//! reach over at most four cells, and costs beside walls over four more.
//!
//! ```text
//!   ground ──table──► flat costs ──bodies──► walls of the layer ──distance──► costs
//!                                                            surcharges ──────► + costs
//! ```
//!
//! A wide body is a point on a map with thicker walls. So search, kernels and sight
//! need not know widths, and the corner rule, asked of anchors, keeps all of a body out
//! of walls.

use super::{Cost, CostMap, LayerId, Movement, Stamps, Surcharges};
use crate::grid::{SECTOR_CELLS, SECTOR_SIDE, Sector, SectorId, Slot};
use crate::threads;

const SIDE: usize = SECTOR_SIDE as usize;
const WALL: u8 = Cost::WALL.value();

/// The walls of one sector: by row y, bit x.
pub(crate) type WallRows = [u16; SIDE];

/// One bit for each cell of a row of a sector.
const LINE: u32 = (1 << SIDE) - 1;

/// The walls of a sector and of the eight around it: row y of the sector is row
/// `SIDE + y`, and its cell x is bit `SIDE + x`.
#[derive(Clone, Copy)]
struct WallsAround([u32; 3 * SIDE]);

/// The ground as one team sees it, and the movement whose layer to derive.
#[derive(Clone, Copy)]
pub(crate) struct Deriving<'a> {
    /// What a team with fog knows, or all as it is.
    pub(crate) ground: &'a CostMap,
    pub(crate) has_fog: bool,
    pub(crate) stamps: &'a Stamps,
    pub(crate) surcharges: &'a Surcharges,
    pub(crate) movement: &'a Movement,
    pub(crate) layer: LayerId,
}

impl Deriving<'_> {
    /// Derives the costs of the whole map.
    pub(crate) fn map(&self) -> CostMap {
        let extent = self.ground.extent();
        let count = extent.sector_count();
        if self.is_by_table() {
            return self.ground.translated(self.movement.table());
        }
        if self.movement.is_flat() {
            return CostMap::from_tiles(extent, |sector| {
                self.surcharged(sector, self.flat(sector))
            });
        }
        let walls_of = |(): &mut (), id: usize| self.walls(SectorId(id as u32));
        let walls: Vec<WallRows> = threads::collect(count, || (), walls_of);
        let walls_of = |id: SectorId| walls[id.index()];
        CostMap::from_tiles(extent, |sector| {
            self.surcharged(sector, self.tile_with(sector, walls_of))
        })
    }

    pub(crate) fn tile(&self, sector: SectorId) -> [u8; SECTOR_CELLS] {
        self.surcharged(sector, self.plain_tile(sector))
    }

    /// The costs of a sector without surcharges.
    pub(crate) fn plain_tile(&self, sector: SectorId) -> [u8; SECTOR_CELLS] {
        if self.movement.is_flat() {
            self.flat(sector)
        } else {
            self.tile_with(sector, |sector| self.walls(sector))
        }
    }

    /// Whether the table alone makes the layer of the ground, and leaves its walls walls.
    fn is_by_table(&self) -> bool {
        self.movement.is_flat()
            && self.has_the_walls()
            && !self.surcharges.are_on(self.layer.number())
    }

    /// Whether exactly the walls of the world's ground are walls of the layer.
    pub(crate) fn shares_walls(&self) -> bool {
        !self.has_fog && self.has_the_walls()
    }

    /// Whether exactly the walls of the ground here are walls of the layer.
    fn has_the_walls(&self) -> bool {
        self.movement.size() == 1 && self.has_ground_walls()
    }

    /// Whether exactly the walls of the ground are walls to the movement, bodies aside.
    fn has_ground_walls(&self) -> bool {
        self.movement.has_walls_of_ground() && !self.has_gates()
    }

    /// Whether gates may lie over the ground. What a team with fog knows is with its gates.
    fn has_gates(&self) -> bool {
        !self.has_fog && self.stamps.have_had_gates()
    }

    fn surcharged(&self, sector: SectorId, mut costs: [u8; SECTOR_CELLS]) -> [u8; SECTOR_CELLS] {
        self.surcharges.add_to(self.layer, sector, &mut costs);
        costs
    }

    /// The costs of a sector by the table alone. Cells off the map are walls.
    fn flat(&self, sector: SectorId) -> [u8; SECTOR_CELLS] {
        let extent = self.ground.extent();
        let ground = self.ground.tile(sector);
        let has_gates = self.has_gates();
        if let Some(kind) = ground
            .even()
            .filter(|_| !has_gates && extent.is_whole(sector))
        {
            return [self.movement.cost(kind).value(); SECTOR_CELLS];
        }
        let mut costs = if has_gates {
            self.stamps.seen_by(self.layer.team(), self.ground, sector)
        } else {
            *ground.costs()
        };
        self.movement.translate(&mut costs);
        if !extent.is_whole(sector) {
            for slot in Slot::all() {
                if !extent.contains(extent.cell_at(sector, slot)) {
                    costs[slot.index()] = WALL;
                }
            }
        }
        costs
    }

    /// The walls of a sector to the movement and the team, bodies aside: the cells that a body
    /// of one cell cannot enter.
    pub(crate) fn walls(&self, sector: SectorId) -> WallRows {
        if self.has_ground_walls() {
            return self.ground.tile(sector).walls().rows;
        }
        let costs = self.flat(sector);
        let mut rows = [0; SIDE];
        for (row, costs) in rows.iter_mut().zip(costs.chunks_exact(SIDE)) {
            for (x, &cost) in costs.iter().enumerate() {
                *row |= u16::from(cost == WALL) << x;
            }
        }
        rows
    }

    fn tile_with(
        &self,
        sector: SectorId,
        walls_of: impl Fn(SectorId) -> WallRows,
    ) -> [u8; SECTOR_CELLS] {
        let mut costs = self.flat(sector);
        let window = self.window(sector, walls_of);
        if window.is_empty() {
            return costs;
        }
        let closed = window.under_bodies(self.movement.before(), self.movement.after());
        let mut near = closed;
        let mut nearer = closed;
        let mut added = [0_u8; SECTOR_CELLS];
        for &cost in self.movement.beside_walls() {
            near = near.spread();
            near.without(&nearer).mark(&mut added, cost);
            nearer = near;
        }
        for (cost, added) in costs.iter_mut().zip(added) {
            *cost = raise(*cost, added);
        }
        closed.mark(&mut costs, WALL);
        costs
    }

    /// The walls around a sector. All is wall off the map.
    fn window(&self, sector: SectorId, walls_of: impl Fn(SectorId) -> WallRows) -> WallsAround {
        let extent = self.ground.extent();
        let own = extent.sector(sector);
        let mut window = WallsAround([0; 3 * SIDE]);
        for (down, across) in (0..3).flat_map(|down| (0..3).map(move |across| (down, across))) {
            let (x, y) = (own.x + across as i32 - 1, own.y + down as i32 - 1);
            let rows = extent
                .sector_id(Sector::new(x, y))
                .map_or([LINE as u16; SIDE], &walls_of);
            for (row, walls) in window.0[down * SIDE..].iter_mut().zip(rows) {
                *row |= u32::from(walls) << (across * SIDE);
            }
        }
        window
    }
}

/// Adds to a cost: walls stay walls, and nothing else becomes one.
pub(super) fn raise(cost: u8, by: u8) -> u8 {
    match cost {
        WALL => WALL,
        cost => cost.saturating_add(by).min(Cost::HIGHEST.value()),
    }
}

impl WallsAround {
    fn is_empty(&self) -> bool {
        self.0 == [0; 3 * SIDE]
    }

    /// Returns the anchors at which a body would cover a wall. A body covers its anchor's
    /// cell, `before` cells before it and `after` cells behind it, along either axis.
    fn under_bodies(&self, before: usize, after: usize) -> Self {
        let mut rows = self.0;
        for row in &mut rows {
            let walls = *row;
            (1..=before).for_each(|by| *row |= walls << by);
            (1..=after).for_each(|by| *row |= walls >> by);
        }
        let mut closed = rows;
        for (y, row) in closed.iter_mut().enumerate() {
            let covered = y.saturating_sub(before)..=(y + after).min(3 * SIDE - 1);
            *row = rows[covered].iter().fold(0, |all, row| all | row);
        }
        Self(closed)
    }

    /// These cells and their neighbours.
    fn spread(&self) -> Self {
        self.under_bodies(1, 1)
    }

    fn without(&self, other: &Self) -> Self {
        let mut rows = self.0;
        rows.iter_mut()
            .zip(other.0)
            .for_each(|(row, other)| *row &= !other);
        Self(rows)
    }

    /// Writes a value to those of these cells that lie in the middle sector.
    fn mark(&self, values: &mut [u8; SECTOR_CELLS], value: u8) {
        for (y, row) in self.0[SIDE..2 * SIDE].iter().enumerate() {
            let mut left = row >> SIDE & LINE;
            while left != 0 {
                values[y * SIDE + left.trailing_zeros() as usize] = value;
                left &= left - 1;
            }
        }
    }
}
