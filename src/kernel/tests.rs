//! Every kernel against a plain Dijkstra, and each operation on lanes against one
//! on arrays.

mod arrays;
mod drawn;
mod lanes;
mod naive;

use crate::draws::scaled;
use std::array::from_fn;

use drawn::{Drawn, Halo as Drawing, Kind, Random};

use super::abreast::WalkRequest;
use super::lanes::TooFar;
use super::row::{Lanes, Pair, Single};
use super::settle::{self as kernels};
use super::{
    Borders, Costs, Frame, Ground, Halo, NO_PATH, Seed, Settling, Threshold, Wake, Walls, is_half,
    walks, walks_between, walks_between_in_two, walks_to, wide,
};
use crate::cost::{Cost, CostTile, TileWalls};
use crate::grid::{Direction, Slot};

const BYTES: u32 = <Single>::TOP;
const WORDS: u32 = Pair::TOP;

/// A drawn frame in the form that the kernels take.
struct Fixture {
    drawn: Drawn,
    want: naive::Settled,
    walls: Walls,
    costs: Costs,
    /// The borders around that face the frame.
    around: [Borders; 4],
    corners: [u32; 4],
    seeds: Vec<Seed>,
}

#[derive(Debug, PartialEq, Eq)]
struct Done {
    flow: [u8; 100],
    borders: Borders,
    wake: Wake,
}

/// Returns the frame cell of column or row `i` along a side.
fn along(side: usize, i: usize) -> (usize, usize) {
    [(i, 0), (11, i), (i, 11), (0, i)][side]
}

fn narrow(value: u64) -> u32 {
    if value == naive::NO_VALUE {
        NO_PATH
    } else {
        value as u32
    }
}

fn slot(slot: usize) -> Slot {
    Slot::at(slot as i32 % 10, slot as i32 / 10)
}

impl Fixture {
    fn new(drawn: Drawn, random: &mut Random) -> Self {
        let tiles = nine(&drawn, random);
        let beside = Direction::ALL.map(|direction| &tiles[direction as usize]);
        let own = &tiles[8];
        let mut around = [Borders::CLOSED; 4];
        for (side, borders) in around.iter_mut().enumerate() {
            let facing = &mut borders.sides[(side + 2) % 4];
            for (i, value) in facing.values.iter_mut().enumerate() {
                let (x, y) = along(side, i + 1);
                *value = narrow(drawn.halo[y][x]);
            }
            facing.lowest = facing.values.into_iter().fold(NO_PATH, u32::min);
        }
        let corners = [(11, 0), (11, 11), (0, 11), (0, 0)];
        let seed = |&(at, value): &(usize, u64)| Seed {
            slot: slot(at),
            value: value as u32,
        };
        Self {
            want: naive::settle(&drawn),
            walls: Walls::compose(own.walls(), beside.map(CostTile::walls)),
            costs: Costs::compose(own.costs(), beside.map(CostTile::costs)),
            around,
            corners: corners.map(|(x, y): (usize, usize)| narrow(drawn.halo[y][x])),
            seeds: drawn.seeds.iter().map(seed).collect(),
            drawn,
        }
    }

    fn run<T>(&self, kernel: impl FnOnce(Settling<'_>) -> Result<Wake, T>) -> Result<Done, T> {
        let halo = Halo {
            sides: from_fn(|side| &self.around[side].sides[(side + 2) % 4]),
            corners: self.corners,
        };
        let (mut flow, mut borders) = ([77; 100], Borders::CLOSED);
        let wake = kernel(Settling {
            halo,
            seeds: &self.seeds,
            flow: &mut flow,
            borders: &mut borders,
        })?;
        Ok(Done {
            flow,
            borders,
            wake,
        })
    }

    fn ground(&self, kind: Kind) -> Ground<'_> {
        match (kind, kind.unit()) {
            (Kind::Clear | Kind::Even(_), Some(cost)) => Ground::Clear(Cost::stored(cost)),
            (_, Some(cost)) => Ground::Walls(&self.walls, Cost::stored(cost)),
            (_, None) => Ground::Costs(&self.costs),
        }
    }

    /// Compares the output of a kernel with Dijkstra's. A halo cell whose
    /// value lies `range` or more above the lowest may be woken needlessly, and
    /// is then not reported as equal.
    fn check(&self, done: &Done, range: u64) {
        let want = &self.want;
        assert_eq!(done.flow, want.flow, "directions of {:?}", self.drawn);
        for (side, border) in done.borders.sides.iter().enumerate() {
            let value = |i: usize| {
                let (x, y) = [(i, 1), (10, i), (i, 10), (1, i)][side];
                narrow(want.values[y][x])
            };
            assert_eq!(border.values, from_fn(|i| value(i + 1)), "{:?}", self.drawn);
            let lowest = border.values.into_iter().fold(NO_PATH, u32::min);
            assert_eq!(border.lowest, lowest);
        }
        let seeds = self.drawn.seeds.iter().map(|seed| seed.1);
        let values = self.drawn.halo.iter().flatten().copied().chain(seeds);
        let beyond = values.min().unwrap_or(0).saturating_add(range);
        for side in 0..4 {
            for i in 0..12 {
                let bit = |lines: &[u16; 4]| lines[side] >> i & 1;
                let wake = (bit(&done.wake.better), bit(&done.wake.equal));
                let want = (bit(&want.better), bit(&want.equal));
                let (x, y) = along(side, i);
                let far = (beyond..naive::NO_VALUE).contains(&self.drawn.halo[y][x]);
                assert!(
                    wake == want || far && wake == (1, 0),
                    "bit {i} of side {side} is {wake:?}: {:?}",
                    self.drawn
                );
            }
        }
    }
}

/// Returns the nine tiles of which a frame is composed: the eight around, then
/// its own. Cells outside the frame are arbitrary.
fn nine(drawn: &Drawn, random: &mut Random) -> [CostTile; 9] {
    let mut map: [[u8; 30]; 30] = from_fn(|_| from_fn(|_| 1 + random.below(255) as u8));
    for (y, row) in drawn.costs.iter().enumerate() {
        map[y + 9][9..21].copy_from_slice(row);
    }
    from_fn(|tile| {
        let (dx, dy) = Direction::ALL.get(tile).map_or((0, 0), |way| way.offset());
        let (left, top) = ((10 + 10 * dx) as usize, (10 + 10 * dy) as usize);
        CostTile::new(from_fn(|slot| map[top + slot / 10][left + slot % 10]))
    })
}

/// Draws frames of every kind.
fn each_frame(seed: u64, count: u64, mut visit: impl FnMut(Kind, Drawing, Fixture)) {
    for (number, kind) in Kind::ALL.into_iter().enumerate() {
        let mut random = Random::new(seed + number as u64);
        for i in 0..scaled(count) {
            let halo = if i % 2 == 0 {
                Drawing::Wave
            } else {
                Drawing::Wild
            };
            let drawn = Drawn::new(kind, halo, &mut random);
            visit(kind, halo, Fixture::new(drawn, &mut random));
        }
    }
}

#[test]
fn a_frame_is_composed_of_nine_tiles() {
    each_frame(1, 50, |_, _, fixture| {
        for (y, row) in fixture.drawn.costs.iter().enumerate() {
            assert_eq!(fixture.costs.0[y][..12], row[..]);
            assert_eq!(fixture.costs.0[y][12..], [255; 4]);
            for (x, &cost) in row.iter().enumerate() {
                assert_eq!(fixture.walls.rows[y] >> x & 1 == 1, cost == 255);
                if let Some(column) = [0, 1, 10, 11].iter().position(|&column| column == x) {
                    assert_eq!(fixture.walls.columns[column] >> y & 1 == 1, cost == 255);
                }
            }
        }
    });
    let own = TileWalls::ALL;
    let walls = Walls::alone(&own);
    assert_eq!(walls.rows, [0xFFF; 12], "what is not there is wall");
}

#[test]
fn settling_is_what_dijkstra_finds() {
    each_frame(2, 3_000, |kind, _, fixture| {
        let ground = fixture.ground(kind);
        let in_lanes = if kind.is_plain() {
            ground
        } else {
            Ground::Costs(&fixture.costs)
        };
        let done = fixture
            .run(|tile| Ok::<_, TooFar>(super::settle(ground, tile)))
            .expect("always settled");
        let unit = kind.unit().map_or(1, u32::from);
        // Low costs may be settled in bytes, not divided by the unit.
        let is_low = (2..=8).contains(&unit);
        let range = if is_low { BYTES } else { BYTES * unit };
        fixture.check(&done, range.min(WORDS).into());
        let plainly = fixture
            .run(|tile| Ok::<_, TooFar>(kernels::settle_plainly(in_lanes, tile)))
            .expect("always settled");
        fixture.check(&plainly, range.min(WORDS).into());
        assert!(is_low || plainly == done);
    });
}

#[test]
fn each_kernel_that_holds_the_values_is_right() {
    each_frame(3, 2_000, |kind, halo, fixture| {
        let held = check_kernels(kind, &fixture);
        if halo == Drawing::Wave {
            assert!(held || !kind.is_plain() || matches!(kind, Kind::Serpentine(_) | Kind::Maze));
        }
    });
}

/// Runs all kernels that the ground allows; returns whether the narrowest held
/// the values.
fn check_kernels(kind: Kind, fixture: &Fixture) -> bool {
    let mut held = false;
    let mut check = |done: Result<Done, TooFar>, range: u32| {
        held = done.is_ok();
        if let Ok(done) = done {
            fixture.check(&done, range.into());
        }
    };
    let wide = fixture.run(|mut tile| Ok(wide::settle(&fixture.costs, &mut tile)));
    check(wide, NO_PATH);
    let low = fixture.run(|mut tile| kernels::low_costs(&fixture.costs, &mut tile));
    check(low, BYTES);
    let words = fixture.run(|mut tile| kernels::costed(&fixture.costs, &mut tile));
    check(words, WORDS);
    if kind.is_plain() {
        let bytes = fixture.run(|mut tile| kernels::walled(&fixture.walls, &mut tile));
        check(bytes, BYTES);
    }
    if kind == Kind::Clear {
        let clear = fixture.run(|mut tile| kernels::clear(&mut tile));
        check(clear, BYTES);
    }
    held
}

#[test]
fn the_wide_frame_settles_values_of_any_size() {
    each_frame(5, 300, |_, _, fixture| {
        let far = 1 << 50;
        let mut frame = Frame::of(&fixture.costs);
        for y in 0..12 {
            for x in 0..12 {
                let value = fixture.drawn.halo[y][x].saturating_add(far);
                frame.set(x as i32 - 1, y as i32 - 1, value);
            }
        }
        for &(at, value) in &fixture.drawn.seeds {
            if !frame.is_wall(slot(at)) {
                frame.seed(slot(at), value + far);
            }
        }
        frame.settle();
        for at in 0..100 {
            let want = fixture.want.values[at / 10 + 1][at % 10 + 1];
            assert_eq!(frame.value(slot(at)), want.saturating_add(far));
        }
        assert_eq!(frame.flow(), fixture.want.flow);
        let mut told = Vec::new();
        frame.improvements(|x, y, way| {
            let offer = naive::offer(&fixture.drawn.costs, &fixture.want.values, x + 1, y + 1);
            assert_eq!(offer.map(|(_, first)| first), Some(way as usize));
            told.push((x, y));
        });
        let lines = fixture.want.equal.into_iter().enumerate();
        let mut want: Vec<_> = lines
            .flat_map(|(side, line)| Wake::cells(side, line))
            .collect();
        told.sort_unstable();
        want.sort_unstable();
        assert_eq!(told, want);
    });
}

/// Draws tiles of every kind, each with some of its open cells.
fn each_tile(seed: u64, count: u64, mut visit: impl FnMut(Kind, &CostTile, &[Slot])) {
    for (number, kind) in Kind::ALL.into_iter().enumerate() {
        let mut random = Random::new(seed + number as u64);
        for i in 0..scaled(count) as usize {
            let frame = kind.costs(&mut random);
            let tile = CostTile::new(from_fn(|slot| frame[slot / 10 + 1][slot % 10 + 1]));
            let mut open: Vec<_> = (0..100).map(slot).filter(|&at| !tile.is_wall(at)).collect();
            let wanted = if cfg!(miri) { 2 } else { i % 36 };
            let slots: Vec<_> = (0..wanted.min(open.len()))
                .map(|_| open.swap_remove(random.below(open.len() as u64) as usize))
                .collect();
            visit(kind, &tile, &slots);
        }
    }
}

#[test]
fn walks_are_what_dijkstra_finds() {
    let mut out = Vec::new();
    each_tile(6, 400, |_, tile, slots| {
        let want: Vec<[u64; 100]> = slots
            .iter()
            .map(|to| naive::walks_to(tile.costs(), to.index()))
            .collect();
        let want_at = |to: usize, from: Slot| narrow(want[to][from.index()]);
        walks_between(tile, &thresholds(slots), &thresholds(slots), &mut out);
        let wanted = (0..slots.len()).flat_map(|to| slots.iter().map(move |&from| (to, from)));
        let wanted: Vec<u32> = wanted.map(|(to, from)| want_at(to, from)).collect();
        assert_eq!(out, wanted, "between {slots:?} of {tile:?}");
        let all: Vec<Threshold> = Slot::all().map(Threshold::at).collect();
        for (to, &slot) in slots.iter().enumerate() {
            walks_to(tile, slot, &all, &mut out);
            let wanted: Vec<u32> = Slot::all().map(|from| want_at(to, from)).collect();
            assert_eq!(out, wanted, "to {slot:?} of {tile:?}");
        }
    });
}

fn thresholds(slots: &[Slot]) -> Vec<Threshold> {
    slots.iter().map(|&slot| Threshold::at(slot)).collect()
}

#[test]
fn threshold_walk_is_the_cheapest_over_its_cells() {
    let mut out = Vec::new();
    each_tile(8, 200, |_, tile, slots| {
        let all: Vec<Threshold> = Slot::all().map(Threshold::at).collect();
        for cells in slots.chunks_exact(3) {
            // At most what a step costs on this ground.
            let prices = match tile.unit().map(|cost| u32::from(cost.value())) {
                Some(cost) => [5, 7, 7].map(|weight| weight * cost),
                None => [15, 1400, 7],
            };
            let to = Threshold::over(cells[0], prices[0])
                .or(cells[1], prices[1])
                .or(cells[2], prices[2]);
            let naive: Vec<_> = cells
                .iter()
                .map(|to| naive::walks_to(tile.costs(), to.index()))
                .collect();
            for many in [1, 16] {
                walks_between(tile, &vec![to; many], &all, &mut out);
                for (from, &cost) in out.iter().enumerate() {
                    let over = naive
                        .iter()
                        .zip(prices)
                        .map(|(walks, price)| walks[from % 100].saturating_add(u64::from(price)));
                    assert_eq!(cost, narrow(over.min().unwrap()), "{cells:?} of {tile:?}");
                }
            }
            // And back: from there to each of the slots.
            let (to, from) = (thresholds(slots), [to]);
            walks_between(tile, &to, &from, &mut out);
            for (slot, &cost) in slots.iter().zip(&out) {
                let walks = naive::walks_to(tile.costs(), slot.index());
                let over = cells.iter().zip(prices);
                let over =
                    over.map(|(cell, price)| walks[cell.index()].saturating_add(u64::from(price)));
                assert_eq!(cost, narrow(over.min().unwrap()), "{cells:?} of {tile:?}");
            }
        }
    });
}

#[test]
fn walks_by_rows_and_abreast_agree_in_all_lanes() {
    each_tile(7, 200, |kind, tile, slots| {
        if slots.is_empty() {
            return;
        }
        check_walks(kind, tile, slots);
    });
}

fn check_walks(kind: Kind, tile: &CostTile, slots: &[Slot]) {
    type Walk<'a> = &'a dyn Fn(WalkRequest<'_>) -> Result<(), TooFar>;
    let walls = Walls::alone(tile.walls());
    let costs = Costs::alone(tile.costs());
    let from: Vec<Threshold> = Slot::all().map(Threshold::at).collect();
    let mut want = vec![0; slots.len() * from.len()];
    let to = thresholds(slots);
    for (want, to) in want.chunks_exact_mut(from.len()).zip(&to) {
        wide::walks_to(tile, to, &from, want);
    }
    let check = |walk: Walk<'_>| {
        let mut got = Vec::new();
        let held = walk(WalkRequest::new(&to, &from, &mut got)).is_ok();
        assert!(!held || got == want, "to {slots:?} of {tile:?}");
        held
    };
    let by_rows = check(&|asked| walks::words_by_rows(&costs, asked));
    let abreast = check(&|asked| walks::words_abreast(&costs, &walls, asked));
    assert_eq!(by_rows, abreast);
    if kind.is_plain() {
        let by_rows = check(&|asked| walks::bytes_by_rows(&walls, asked));
        let abreast = check(&|asked| walks::bytes_abreast(&walls, asked));
        assert_eq!(by_rows, abreast);
    }
}

#[test]
#[cfg_attr(miri, ignore = "so few draws hold no pair")]
fn walks_of_two_tiles_at_once_equal_those_of_each() {
    let mut before: Option<(CostTile, Vec<Slot>)> = None;
    let mut pairs = 0;
    each_tile(9, 1_000, |_, tile, slots| {
        if !is_half(tile, &thresholds(slots), &thresholds(slots)) {
            return;
        }
        if let Some((other, other_slots)) = &before {
            let to = [thresholds(other_slots), thresholds(slots)];
            let from = [to[0].as_slice(), &to[1]];
            let [mut first, mut second, mut want] = [const { Vec::new() }; 3];
            walks_between_in_two(
                [other, tile],
                [&to[0], &to[1]],
                from,
                [&mut first, &mut second],
            );
            walks_between(other, &to[0], from[0], &mut want);
            assert_eq!(first, want, "between {other_slots:?} of {other:?}");
            walks_between(tile, &to[1], from[1], &mut want);
            assert_eq!(second, want, "between {slots:?} of {tile:?}");
            pairs += 1;
        }
        before = Some((tile.clone(), slots.to_vec()));
    });
    assert!(pairs > 100, "{pairs}");
}

#[test]
fn a_wall_is_joined_to_nothing() {
    let mut costs = [1; 100];
    costs[44] = 255;
    let tile = CostTile::new(costs);
    let mut out = Vec::new();
    let at = |slots: &[usize]| {
        slots
            .iter()
            .map(|&at| Threshold::at(slot(at)))
            .collect::<Vec<_>>()
    };
    walks_to(&tile, slot(44), &at(&[43, 44]), &mut out);
    assert_eq!(out, [NO_PATH; 2]);
    walks_to(&tile, slot(43), &at(&[43, 44, 45]), &mut out);
    assert_eq!(out, [0, NO_PATH, 20]);
    walks_between(&tile, &[], &[], &mut out);
    assert!(out.is_empty());
}
