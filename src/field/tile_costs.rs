//! The costs-to-go of many cells of one tile.
//!
//! A field keeps them at the border of a tile. From an inner cell the directions lead to one
//! that is known, and on the way back the costs of all cells between are found. So each cell is
//! walked over once:
//!
//! ```text
//!   · · · 35      From a the way leads over b and c to 40, which is kept. So c has 45,
//!   a b c 40      b has 50, and a has 55.
//!   · · · 45
//! ```

use super::flow::{Flow, FlowField, FlowTile};
use crate::grid::{Direction, SECTOR_CELLS, SECTOR_SIDE, Sector, Slot};
use crate::kernel::{NO_PATH, weight};

/// The cost of a cell from which no path begins.
const NO_COST: u32 = u32::MAX;
/// Stands for all costs from this one on.
const COST_MOST: u32 = NO_COST - 1;

/// From this byte on, a cell has no direction; in [`TileCosts::ways`], its cost is known.
const KNOWN: u8 = Direction::ALL.len() as u8;

/// By direction: what a step adds to the index of an inner cell's slot, and its weight.
const STEPS: [(isize, u32); KNOWN as usize] = {
    let mut steps = [(0, 0); KNOWN as usize];
    let mut at = 0;
    while at < steps.len() {
        let direction = Direction::ALL[at];
        let (dx, dy) = direction.offset();
        steps[at] = ((dy * SECTOR_SIDE + dx) as isize, weight(direction));
        at += 1;
    }
    steps
};

/// A tile of a field that was made for the present costs, and what is known of its
/// costs-to-go.
pub(crate) struct TileCosts<'a> {
    flows: &'a FlowTile,
    ground: [u8; SECTOR_CELLS],
    /// The direction of each cell whose cost is not known, which leads to another of the tile.
    ways: FlowTile,
    costs: [u32; SECTOR_CELLS],
    /// The cells on the way from the one that is asked about.
    passed: [u8; SECTOR_CELLS],
}

impl<'a> TileCosts<'a> {
    /// `None` if the sector is not loaded. `ground` are its costs; `look_up` is
    /// [`FlowField::cost_to_go`], and is asked at goals and links.
    pub(crate) fn of(
        field: &'a FlowField,
        sector: Sector,
        ground: [u8; SECTOR_CELLS],
        look_up: impl Fn(Slot) -> Option<u64>,
    ) -> Option<Self> {
        let (index, flows) = field.indexed_tile(sector)?;
        let mut tile = Self {
            flows,
            ground,
            ways: *flows,
            costs: [NO_COST; SECTOR_CELLS],
            passed: [0; SECTOR_CELLS],
        };
        match field.borders(index) {
            Some(borders) => borders.cells().for_each(|(slot, value)| {
                let kept = (value != NO_PATH).then(|| field.base() + u64::from(value));
                tile.end_at(slot, kept, &look_up);
            }),
            None => Slot::all().for_each(|slot| {
                tile.end_at(slot, field.kept_at(index, slot), &look_up);
            }),
        }
        // PERF: most tiles have no goal and no wall, and a fold looks at many cells at once.
        if flows.iter().fold(0, |all, &byte| all.max(byte)) >= KNOWN {
            let ends = Slot::all().filter(|slot| flows[slot.index()] >= KNOWN);
            ends.for_each(|slot| tile.end_at(slot, None, &look_up));
        }
        Some(tile)
    }

    /// Notes the cost-to-go of a cell from which no way is followed inside the tile. `kept` is
    /// what the field keeps.
    fn end_at(&mut self, slot: Slot, kept: Option<u64>, look_up: impl Fn(Slot) -> Option<u64>) {
        let flow = Flow::of(self.flows[slot.index()]);
        let cost = match kept.filter(|_| flow.direction().is_some()) {
            None if flow.leads_on() => look_up(slot),
            kept => kept,
        };
        self.costs[slot.index()] = in_u32(cost);
        self.ways[slot.index()] = KNOWN;
    }

    /// Returns the cost-to-go of a cell as [`in_u32`] gives it.
    #[inline]
    pub(crate) fn get(&mut self, slot: Slot) -> u32 {
        let (mut at, mut count) = (slot.index(), 0);
        while let Some(&(beyond, _)) = STEPS.get(usize::from(self.ways[at])) {
            self.passed[count] = at as u8;
            count += 1;
            at = at.wrapping_add_signed(beyond);
        }
        let mut cost = self.costs[at];
        for &at in self.passed[..count].iter().rev() {
            let at = usize::from(at);
            if cost != NO_COST {
                cost = cost.saturating_add(self.price(at)).min(COST_MOST);
            }
            self.costs[at] = cost;
            self.ways[at] = KNOWN;
        }
        cost
    }

    /// Whether a link is to be entered at a cell.
    pub(crate) fn is_link(&self, slot: Slot) -> bool {
        Flow::of(self.flows[slot.index()]).is_link()
    }

    /// The price of the step along the direction of a cell.
    fn price(&self, at: usize) -> u32 {
        let step = STEPS.get(usize::from(self.ways[at]));
        u32::from(self.ground[at]) * step.map_or(0, |&(_, weight)| weight)
    }
}

/// Returns a cost-to-go in fewer bits: [`NO_COST`] for none, and one less for those that do not
/// fit.
pub(crate) fn in_u32(cost: Option<u64>) -> u32 {
    cost.map_or(NO_COST, |cost| cost.min(u64::from(COST_MOST)) as u32)
}
