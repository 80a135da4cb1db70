//! The costs of a tile and of its eight neighbours.

use super::loaded::Loaded;
use crate::arrays::{Mapped, array_of};
use crate::cost::{Cost, CostMap, CostTile, TileRef};
use crate::grid::{Direction, SECTOR_SIDE, Sector, Slot};
use crate::kernel::{Costs, Walls, price_among, weight};

/// The cost tiles of a sector and its neighbours, in the order of
/// [`Direction::ALL`]. Tiles off the map are walls.
pub(super) struct Nine<'a> {
    pub(super) own: &'a CostTile,
    beside: [&'a CostTile; 8],
}

/// Storage for cost tiles that are looked up one by one, or not in memory.
#[derive(Default)]
pub(super) struct NineRoom<'a> {
    read: Vec<CostTile>,
    found: Option<[Option<TileRef<'a>>; 9]>,
}

impl<'a> Nine<'a> {
    /// Returns the tiles of and around a sector on the map.
    pub(super) fn around(
        costs: &'a CostMap,
        loaded: &'a Loaded,
        sector: Sector,
        room: &'a mut NineRoom<'a>,
    ) -> Option<Self> {
        if let Some([own, beside @ ..]) = loaded.nine_costs(costs, sector, &mut room.read) {
            return Some(Self { own, beside });
        }
        let tile = |sector| loaded.costs(costs, sector);
        let mut all = [const { None }; 9];
        all[0] = Some(tile(sector)?);
        for (way, found) in Direction::ALL.into_iter().zip(&mut all[1..]) {
            *found = loaded.beside(sector, way).and_then(tile);
        }
        let all: &'a [Option<TileRef<'a>>; 9] = room.found.insert(all);
        let tile = |at: usize| all[at].as_deref().unwrap_or(&CostTile::CLOSED);
        let (own, beside) = (tile(0), array_of(|at| tile(at + 1)));
        Some(Self { own, beside })
    }

    /// Returns the cost of every cell, if it is the same, and no wall.
    #[inline]
    pub(super) fn clear_cost(&self) -> Option<Cost> {
        let mut beside = self.beside.iter();
        let are_clear = self.own.is_clear() && beside.all(|tile| tile.is_of_kind(self.own));
        self.own.unit().filter(|_| are_clear)
    }

    /// Returns the cost of every cell that is no wall, if it is the same.
    #[inline]
    pub(super) fn one_cost(&self) -> Option<Cost> {
        self.own.unit().filter(|_| {
            self.beside
                .iter()
                .all(|tile| tile.is_closed() || tile.has_unit_of(self.own))
        })
    }

    /// Whether a step may be taken from a cell of the frame at exactly this
    /// price.
    #[inline]
    pub(super) fn allows(&self, x: i32, y: i32, direction: Direction, price: u32) -> bool {
        let cost = |dx, dy| self.cost(x + dx, y + dy);
        let own = cost(0, 0).map_or(0, |own| u32::from(own.value()));
        own * weight(direction) == price && price_among(direction, cost).is_some()
    }

    pub(super) fn is_wall(&self, x: i32, y: i32) -> bool {
        self.cost(x, y).is_none_or(Cost::is_wall)
    }

    /// The cost of a cell of the frame, from its column and row in the tile.
    fn cost(&self, x: i32, y: i32) -> Option<Cost> {
        let tile = match Direction::toward(x.div_euclid(SECTOR_SIDE), y.div_euclid(SECTOR_SIDE)) {
            Some(side) => self.beside[side as usize],
            None => self.own,
        };
        let slot = Slot::at(x.rem_euclid(SECTOR_SIDE), y.rem_euclid(SECTOR_SIDE));
        Some(Cost::stored(tile.costs()[slot.index()]))
    }

    pub(super) fn walls(&self) -> Walls {
        Walls::compose(self.own.walls(), self.beside.mapped(CostTile::walls))
    }

    pub(super) fn costs(&self) -> Costs {
        Costs::compose(self.own.costs(), self.beside.mapped(CostTile::costs))
    }
}
