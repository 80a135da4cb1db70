//! Values found again: what the cells of a field cost to go, out of its
//! directions.
//!
//! A field that is done has dropped its values. A region that goes on from it
//! needs a few of them: those beside the sectors that are new, and beside tiles
//! that the new ones make better. So the way from such a cell is followed to a
//! goal, or to a cell whose value has been found before, and the prices are
//! added up on the way back.
//!
//! ```text
//!   new │ ○ → ● → ●      ○ asked for; each ● is noted on the way back,
//!       │       ↘        so that the next way ends where it meets this one
//!       │ ○ → ○ → ● → ◎
//! ```
//!
//! Each cell is walked once, then, whoever asks. A walk may stop after any cell
//! and goes on there. Ways are those of the field as it was, also where a tile
//! has been settled anew since: what is asked for is what stood when the tile
//! asked about was settled last.

use super::flow::{Flow, FlowTile};
use super::loaded::{Loaded, Ring};
use super::sources::{FAR_LIMIT, Sources};
use crate::budget::Work;
use crate::cost::{CostMap, TileRef};
use crate::grid::{Direction, SECTOR_CELLS, SECTOR_SIDE, Sector, Slot};
use crate::kernel::{Borders, NO_WAY, SideValues, weight};

/// Work of walking to the next cell, there or back.
const STEP_WORK: u64 = 1;
/// A value that has not been found yet.
const UNKNOWN: u32 = u32::MAX;
/// A tile in which no value has been found yet.
const UNTOUCHED: u32 = u32::MAX;
const LAST: i32 = SECTOR_SIDE - 1;
const WHOLE: u8 = 0b1111;

/// A field whose values are found again, cell by cell; see the module. Its
/// tiles have the first places of the region, in their order.
#[derive(Clone, Default)]
pub(super) struct Retrace {
    flows: Vec<FlowTile>,
    /// Where in `values` each tile's are.
    rooms: Vec<u32>,
    values: Vec<[u32; SECTOR_CELLS]>,
    /// Of each tile the sides whose values are all known, a bit each.
    sides: Vec<u8>,
    /// The way being walked, from the cell that was asked for.
    trail: Vec<PathStep>,
    /// The first of the tiles after the field's own that has not been offered
    /// what stands around it.
    next: u32,
}

#[derive(Clone, Copy)]
struct PathStep {
    place: u32,
    slot: Slot,
    /// The price of the step from it to the next.
    price: u32,
}

/// Whether something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    All,
    /// The work was used up first.
    NotYet,
    /// A value is past the limit of near tiles.
    TooFar,
}

/// Where a field's ways lead.
#[derive(Clone, Copy)]
pub(super) struct FlowGround<'a> {
    pub(super) costs: &'a CostMap,
    pub(super) loaded: &'a Loaded,
    pub(super) sources: &'a Sources,
}

impl Retrace {
    /// Takes in the next tile of the field, without flags.
    pub(super) fn take_in(&mut self, flow: FlowTile) {
        self.flows.push(flow);
        self.rooms.push(UNTOUCHED);
        self.sides.push(0);
        self.next = self.flows.len() as u32;
    }

    /// Whether the field leads on from a cell.
    pub(super) fn leads_on(&self, place: u32, slot: Slot) -> bool {
        let flow = self.flows.get(place as usize);
        flow.is_some_and(|tile| Flow::of(tile[slot.index()]).leads_on())
    }

    /// The first tile that has not been offered what stands around it.
    pub(super) const fn next(&self) -> u32 {
        self.next
    }

    /// The next tile has been offered that.
    pub(super) const fn go_on(&mut self) {
        self.next += 1;
    }

    /// A tile has been settled, and its borders with it.
    pub(super) fn note_settled(&mut self, place: u32) {
        if let Some(sides) = self.sides.get_mut(place as usize) {
            *sides = WHOLE;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.flows.capacity() * size_of::<FlowTile>()
            + self.rooms.capacity() * size_of::<u32>()
            + self.values.capacity() * size_of::<[u32; SECTOR_CELLS]>()
            + self.sides.capacity()
            + self.trail.capacity() * size_of::<PathStep>()
    }

    /// Finds the values of all cells around a tile that are the field's, and
    /// puts them in `borders`.
    pub(super) fn look_around(
        &mut self,
        ground: FlowGround<'_>,
        ring: &Ring,
        borders: &mut [Borders],
        work: &mut Work,
    ) -> Found {
        match self.walk(ground, work) {
            Found::All => {}
            other => return other,
        }
        for (number, facing) in FACING.into_iter().enumerate() {
            let place = ring[number];
            let Some(&known) = self.sides.get(place as usize) else {
                continue;
            };
            if known >> facing.side & 1 == 1 {
                continue;
            }
            let mut found = |at: usize| {
                let slot = slot_along(facing.side, at);
                match self.find(ground, place, slot, work) {
                    Found::All => Ok(self.value(place, slot)),
                    other => Err(other),
                }
            };
            let side = &mut borders[place as usize].sides[facing.side];
            let values = match facing.corner {
                Some(at) => found(at).map(|value| side.values[at] = value),
                None => whole_side(found).map(|found| *side = found),
            };
            if let Err(other) = values {
                return other;
            }
            if facing.corner.is_none() {
                self.sides[place as usize] |= 1 << facing.side;
            }
        }
        Found::All
    }

    /// Finds the value of a cell of the field. No walk is under way.
    fn find(&mut self, ground: FlowGround<'_>, place: u32, slot: Slot, work: &mut Work) -> Found {
        if self.value(place, slot) == UNKNOWN {
            let price = 0;
            self.trail.push(PathStep { place, slot, price });
        }
        self.walk(ground, work)
    }

    /// Brings the walk that is under way to its end.
    fn walk(&mut self, ground: FlowGround<'_>, work: &mut Work) -> Found {
        let mut tile = None;
        while let Some(&last) = self.trail.last() {
            if work.check().is_err() {
                return Found::NotYet;
            }
            work.count(STEP_WORK);
            let value = self.value(last.place, last.slot);
            if value == UNKNOWN {
                self.walk_on(ground, last, &mut tile);
            } else if !self.walk_back(value) {
                return Found::TooFar;
            }
        }
        Found::All
    }

    /// Notes the value of the trail's last cell if it leads nowhere, or adds the
    /// cell that it leads to. `tile` is that of the last cell, once it is known.
    fn walk_on<'a>(
        &mut self,
        ground: FlowGround<'a>,
        last: PathStep,
        tile: &mut Option<(u32, Sector, TileRef<'a>)>,
    ) {
        let PathStep { place, slot, .. } = last;
        let flow = Flow::of(self.flows[place as usize][slot.index()]);
        let Some(direction) = flow.direction() else {
            let goal = ground.sources.at(place, slot).filter(|_| flow.is_here());
            let value = goal.map_or(NO_WAY, |value| (value - ground.sources.base()) as u32);
            self.note(place, slot, value);
            return;
        };
        if tile.as_ref().is_none_or(|&(known, ..)| known != place) {
            let sector = ground.loaded.sector(place);
            let costs = ground.loaded.costs(ground.costs, sector);
            *tile = costs.map(|costs| (place, sector, costs));
        }
        let Some((_, sector, costs)) = tile else {
            self.note(place, slot, NO_WAY);
            return;
        };
        if let Some(step) = self.trail.last_mut() {
            step.price = weight(direction) * u32::from(costs.costs()[slot.index()]);
        }
        let (dx, dy) = direction.offset();
        let (x, y) = (slot.x() + dx, slot.y() + dy);
        let inside = |at: i32| (0..SECTOR_SIDE).contains(&at);
        let place = match inside(x) && inside(y) {
            true => place,
            false => {
                let across = |at: i32| at.div_euclid(SECTOR_SIDE);
                let beside = Sector::new(sector.x + across(x), sector.y + across(y));
                ground.loaded.place(beside)
            }
        };
        self.trail.push(PathStep {
            place,
            slot: Slot::at(x.rem_euclid(SECTOR_SIDE), y.rem_euclid(SECTOR_SIDE)),
            price: 0,
        });
    }

    /// From the trail's last cell, which has this value, back to the one before.
    /// False if that one's would be past the limit.
    fn walk_back(&mut self, value: u32) -> bool {
        self.trail.pop();
        let Some(&before) = self.trail.last() else {
            return true;
        };
        let value = value + before.price;
        self.note(before.place, before.slot, value);
        u64::from(value) < FAR_LIMIT
    }

    fn value(&self, place: u32, slot: Slot) -> u32 {
        match self.rooms.get(place as usize) {
            None => NO_WAY,
            Some(&UNTOUCHED) => UNKNOWN,
            Some(&room) => self.values[room as usize][slot.index()],
        }
    }

    fn note(&mut self, place: u32, slot: Slot, value: u32) {
        let room = &mut self.rooms[place as usize];
        if *room == UNTOUCHED {
            *room = self.values.len() as u32;
            self.values.push([UNKNOWN; SECTOR_CELLS]);
        }
        self.values[*room as usize][slot.index()] = value;
    }
}

/// What of a neighbour faces a tile: a side, or one cell of it.
#[derive(Clone, Copy)]
struct NeighbourSide {
    side: usize,
    corner: Option<usize>,
}

/// By the neighbours, in the order of [`Direction::ALL`].
const FACING: [NeighbourSide; 8] = {
    const fn of(side: Direction, corner: Option<usize>) -> NeighbourSide {
        let side = side as usize;
        NeighbourSide { side, corner }
    }
    use Direction::{East, North, South, West};
    const END: Option<usize> = Some(LAST as usize);
    [
        of(South, None),
        of(West, None),
        of(North, None),
        of(East, None),
        of(South, Some(0)),
        of(North, Some(0)),
        of(North, END),
        of(South, END),
    ]
};

/// The slot of a cell along a side.
fn slot_along(side: usize, at: usize) -> Slot {
    let at = at as i32;
    match side {
        0 => Slot::at(at, 0),
        1 => Slot::at(LAST, at),
        2 => Slot::at(at, LAST),
        _ => Slot::at(0, at),
    }
}

fn whole_side(mut value: impl FnMut(usize) -> Result<u32, Found>) -> Result<SideValues, Found> {
    let mut values = [NO_WAY; SECTOR_SIDE as usize];
    for (at, place) in values.iter_mut().enumerate() {
        *place = value(at)?;
    }
    Ok(SideValues::of(values))
}
