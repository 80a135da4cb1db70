//! The search with links against the plain search, whose goals are those given and the
//! entries of all links, at the costs from their exits.

use super::{draw_costs, draw_open, map_of, plain_cost, plain_costs, run};
use crate::cost::{CellLink, LinkId};
use crate::draws::{draws, scaled};
use crate::grid::Cell;
use crate::map::Map;
use crate::route::room::SearchRoom;
use crate::route::search::Search;
use crate::route::target::Source;

/// Draws up to 12 links; some exits and entries lie in one cell.
fn draw_links(map: &Map, draw: &mut impl FnMut(u32) -> u32) -> Vec<CellLink> {
    let mut links: Vec<CellLink> = Vec::new();
    for number in 0..draw(13) {
        let Some(entry) = draw_open(map, draw) else {
            continue;
        };
        let known = links.get(draw(20) as usize).map(|link| link.exit);
        let Some(exit) = known.or_else(|| draw_open(map, draw)) else {
            continue;
        };
        links.push(CellLink {
            id: LinkId::from_number(number),
            entry,
            exit,
            price: 1 + draw(3) * draw(400),
        });
    }
    links
}

/// Returns the goals, and the entries from which links lead to them.
fn with_links(map: &Map, goals: &[Source], links: &[CellLink]) -> Vec<Source> {
    let mut costs = vec![u64::MAX; links.len()];
    loop {
        let entries = links
            .iter()
            .zip(&costs)
            .filter(|&(_, &cost)| cost < u64::MAX)
            .map(|(link, &start_cost)| Source {
                cell: link.entry,
                start_cost,
            });
        let all: Vec<Source> = goals.iter().copied().chain(entries).collect();
        let known = plain_costs(map, &all);
        let better: Vec<u64> = links
            .iter()
            .map(|link| {
                let cost = plain_cost(map, &known, &all, link.exit);
                cost.map_or(u64::MAX, |cost| cost + u64::from(link.price))
            })
            .collect();
        if better == costs {
            return all;
        }
        costs = better;
    }
}

#[test]
fn links_are_opened_wherever_they_make_a_path_cheaper() {
    let mut draw = draws(80);
    let (mut cheaper, mut closed) = (0, 0);
    for turn in 0..scaled(1200) {
        let map = map_of(draw_costs(&mut draw), (turn % 5) as u32);
        let mut room = SearchRoom::default();
        let goals: Vec<Source> = (0..1 + draw(3))
            .filter_map(|_| {
                let cell = draw_open(&map, &mut draw)?;
                let start_cost = u64::from(draw(2) * draw(900));
                Some(Source { cell, start_cost })
            })
            .collect();
        let links = draw_links(&map, &mut draw);
        let all = with_links(&map, &goals, &links);
        let (known, on_foot) = (plain_costs(&map, &all), plain_costs(&map, &goals));
        let mut search = Search::new(&map, &mut room, goals.clone(), links.iter().copied());
        let mut wants: Vec<(Cell, u64)> = Vec::new();
        for _ in 0..1 + draw(4) {
            for _ in 0..1 + draw(4) {
                let Some(cell) = draw_open(&map, &mut draw) else {
                    continue;
                };
                let Some(cost) = plain_cost(&map, &known, &all, cell) else {
                    continue;
                };
                let walked = plain_cost(&map, &on_foot, &goals, cell);
                if walked.is_none() {
                    search.require_links();
                }
                cheaper += usize::from(walked.is_some_and(|walked| walked > cost));
                search.want(&map, cell);
                wants.push((cell, cost));
            }
            let slice = [1, 50, 700, u64::MAX][draw(4) as usize];
            run(&map, &mut room, &mut search, slice);
            for &(cell, cost) in &wants {
                let found = search.cost_from(&map, cell);
                assert_eq!(found, Some(cost), "{turn}: {cell} through {links:?}");
            }
        }
        closed += search.closed_links();
        // Once forgotten it begins anew, and opens links again.
        search.forget(&mut room);
        search.recall(&map, &mut room);
        for &(cell, _) in &wants {
            search.want(&map, cell);
        }
        run(&map, &mut room, &mut search, u64::MAX);
        for &(cell, cost) in &wants {
            let found = search.cost_from(&map, cell);
            assert_eq!(found, Some(cost), "{turn}: {cell} through {links:?}, anew");
        }
        search.retire(&mut room);
    }
    let least = scaled(900) as usize;
    assert!(cheaper > least && closed > least, "{cheaper}, {closed}");
}
