//! Pages that keep their slots from round to round, compared with a fresh
//! layout.

use std::collections::BTreeSet;

use crate::cost::{Cost, CostMap};
use crate::crowd::eikonal::Sides;
use crate::crowd::ground::{CLOSED, CrowdGround};
use crate::crowd::layout::Layout;
use crate::crowd::numbering::Numbering;
use crate::draws::draws;
use crate::grid::{Cell, Sector};

/// Returns the neighbours of all field cells of a domain, as cells of the
/// ground.
fn neighbours(
    ground: &CrowdGround,
    layout: &mut Layout,
    domain: &[u32],
    sides: &mut Vec<Sides>,
) -> Vec<[usize; 4]> {
    sides.resize(layout.count() * ground.page_cells(), Sides::default());
    layout.link(ground, domain, sides);
    let mut cells = vec![0; sides.len()];
    for &page in domain {
        for (place, cell) in layout.own(ground, page).zip(ground.range(page)) {
            cells[place] = cell;
        }
    }
    let own = domain.iter().flat_map(|&page| layout.own(ground, page));
    own.map(|place| sides[place].links.map(|next| cells[next as usize]))
        .collect()
}

/// Returns the same neighbours, from the map alone.
fn obvious(ground: &CrowdGround, domain: &[u32]) -> Vec<[usize; 4]> {
    let mut all = Vec::new();
    for &page in domain {
        let (left, top) = ground.corner(page);
        for y in top..top + ground.side() {
            for x in left..left + ground.side() {
                let open = |cell: usize| {
                    let page = (cell / ground.page_cells()) as u32;
                    domain.contains(&page) && ground.costs[cell] != CLOSED
                };
                let beside = [(1, 0), (0, -1), (-1, 0), (0, 1)].map(|(dx, dy)| {
                    let next = ground.cell(x + dx, y + dy);
                    if open(next) { next } else { 0 }
                });
                all.push(if open(ground.cell(x, y)) {
                    beside
                } else {
                    [0; 4]
                });
            }
        }
    }
    all
}

#[test]
fn kept_pages_have_the_links_of_a_fresh_layout() {
    let mut map = CostMap::open(60, 50).expect("a small map");
    let mut draw = draws(11);
    for resolution in [1, 2, 3] {
        let mut ground = CrowdGround::new(map.extent(), resolution);
        let mut layout = Layout::default();
        let mut sides = Vec::new();
        let mut led: BTreeSet<Sector> = BTreeSet::new();
        let mut most = 0;
        for round in 0..60 {
            // The domains grow and shrink.
            let share = if round / 10 % 2 == 0 { 8 } else { 2 };
            let mut domain: Vec<Sector> = Vec::new();
            for x in 0..6 {
                domain.extend(
                    (0..5)
                        .map(|y| Sector::new(x, y))
                        .filter(|_| draw(share) == 0),
                );
            }
            let mut kept: Vec<Sector> = led.iter().chain(&domain).copied().collect();
            kept.sort_unstable();
            kept.dedup();
            ground.keep(&kept, &map, None);
            for _ in 0..2 {
                let mut is_led = vec![false; ground.page_count()];
                for &sector in &led {
                    is_led[ground.page(sector) as usize] = true;
                }
                let pages: Vec<u32> = domain.iter().map(|&sector| ground.page(sector)).collect();
                layout.arrange(&ground, &pages, &is_led);
                let found = neighbours(&ground, &mut layout, &pages, &mut sides);
                assert_eq!(found, obvious(&ground, &pages), "round {round}");
                most = most.max(layout.count());
                // Two edits in the middle of the round.
                let cell = Cell::new(draw(60) as i32, draw(50) as i32);
                let cost = [Cost::WALL, Cost::OPEN][draw(2) as usize];
                map.edit(cell, cost).expect("on the map");
                ground.refresh(&map, None);
            }
            // The directions of some solved pages stay valid for a while.
            led.extend(domain);
            led.retain(|_| draw(3) == 0);
        }
        assert!(layout.count() < most, "room is given back");
    }
}

#[test]
fn numbers_are_given_out_once_and_the_lowest_first() {
    let mut draw = draws(5);
    let (mut numbering, mut used) = (Numbering::default(), BTreeSet::new());
    for _ in 0..5_000 {
        if draw(2) == 0 {
            let number = numbering.take();
            let lowest = (0..).find(|number| !used.contains(number));
            assert_eq!(Some(number), lowest);
            used.insert(number);
        } else if let Some(&number) = used.iter().nth(draw(20) as usize) {
            used.remove(&number);
            numbering.give_back(number);
        }
        let end = used.last().map_or(0, |last| last + 1);
        assert_eq!(numbering.end(), end as usize);
    }
}
