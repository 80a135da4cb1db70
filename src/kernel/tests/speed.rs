//! Timings of the kernels: `cargo test --release -p flowtiles --lib speed -- --ignored
//! --nocapture`. The results on each kind of ground are checked first.
//!
//! `KIND=3 KERNEL=walled` runs one kernel alone, for callgrind.

use std::hint::black_box;
use std::time::Instant;

use super::*;

/// Returns the least and the median time of a run over all fixtures, in ns per
/// fixture.
fn time<T>(fixtures: &[T], mut run: impl FnMut(&T)) -> [f64; 2] {
    let mut times: Vec<f64> = (0..60)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..4 {
                fixtures.iter().for_each(&mut run);
            }
            start.elapsed().as_nanos() as f64 / (4 * fixtures.len()) as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    [times[0], times[times.len() / 2]]
}

fn wanted(name: &str, value: &str) -> bool {
    std::env::var(name).map_or(true, |wanted| wanted == value)
}

#[test]
#[ignore = "measures"]
fn speed_of_settling() {
    for (number, kind) in Kind::ALL.into_iter().enumerate() {
        if !wanted("KIND", &number.to_string()) {
            continue;
        }
        let mut random = Random::new(99);
        let mut fixtures = Vec::new();
        while fixtures.len() < 256 {
            let drawn = Drawn::new(kind, Drawing::Wave, &mut random);
            let fixture = Fixture::new(drawn, &mut random);
            if fixture.seeds.is_empty() && check_kernels(kind, &fixture) {
                fixtures.push(fixture);
            }
        }
        let mut report = format!("{:18}", format!("{kind:?}"));
        let mut measure = |name: &str, kernel: &dyn Fn(&Fixture)| {
            if wanted("KERNEL", name) {
                let [least, median] = time(&fixtures, |fixture| kernel(fixture));
                report += &format!(" | {name} {median:.0} (least {least:.0})");
            }
        };
        if kind == Kind::Clear {
            measure("clear", &|fixture| {
                let _ = black_box(fixture.run(|mut tile| kernels::clear(&mut tile)));
            });
        }
        if kind.is_plain() {
            measure("walled", &|fixture| {
                let _ =
                    black_box(fixture.run(|mut tile| kernels::walled(&fixture.walls, &mut tile)));
            });
        }
        measure("costed", &|fixture| {
            let _ = black_box(fixture.run(|mut tile| kernels::costed(&fixture.costs, &mut tile)));
        });
        measure("wide", &|fixture| {
            let _ = black_box(
                fixture.run(|mut tile| Ok::<_, TooFar>(wide::settle(&fixture.costs, &mut tile))),
            );
        });
        println!("{report}");
    }
}

#[test]
#[ignore = "measures"]
fn speed_of_composing() {
    let mut random = Random::new(5);
    let nines: Vec<_> = (0..256)
        .map(|_| {
            nine(
                &Drawn::new(Kind::Caves, Drawing::Wave, &mut random),
                &mut random,
            )
        })
        .collect();
    let walls = time(&nines, |nine| {
        let beside = Direction::ALL.map(|way| nine[way as usize].walls());
        black_box(Walls::compose(nine[8].walls(), black_box(beside)));
    });
    let costs = time(&nines, |nine| {
        let beside = Direction::ALL.map(|way| nine[way as usize].costs());
        black_box(Costs::compose(nine[8].costs(), black_box(beside)));
    });
    println!("| walls {walls:?} | costs {costs:?}");
}

#[test]
#[ignore = "measures"]
fn speed_of_walks() {
    for kind in Kind::ALL {
        for count in [1, 4, 5, 6, 7, 10, 16] {
            let mut tiles = Vec::new();
            let mut random = Random::new(77);
            while tiles.len() < 128 {
                let frame = kind.costs(&mut random);
                let tile = CostTile::new(from_fn(|slot| frame[slot / 10 + 1][slot % 10 + 1]));
                let mut open: Vec<_> = Slot::all()
                    .filter(|&at| !tile.is_wall(at))
                    .filter(|at| [at.x(), at.y()].iter().any(|v| [0, 9].contains(v)))
                    .collect();
                if open.len() < count {
                    if random.below(1000) == 0 {
                        break;
                    }
                    continue;
                }
                let slots: Vec<Slot> = (0..count)
                    .map(|_| open.swap_remove(random.below(open.len() as u64) as usize))
                    .collect();
                let (walls, costs) = (Walls::alone(tile.walls()), Costs::alone(tile.costs()));
                let to: Vec<Threshold> = slots.iter().map(|&slot| Threshold::at(slot)).collect();
                tiles.push((tile, walls, costs, to));
            }
            if tiles.len() < 128 {
                continue;
            }
            let mut out = Vec::new();
            let mut report = format!("{:18} {count:2}", format!("{kind:?}"));
            let mut all = Vec::new();
            let [_, median] = time(&tiles, |(tile, _, _, to)| {
                walks_between(tile, to, to, &mut all);
                black_box(&mut all);
            });
            report += &format!(" | chosen {median:.0}");
            if kind.is_plain() {
                let [_, rows] = time(&tiles, |(_, walls, _, to)| {
                    let _ = black_box(walks::bytes_by_rows(
                        walls,
                        WalkRequest::new(to, to, &mut out),
                    ));
                });
                let [_, abreast] = time(&tiles, |(_, walls, _, to)| {
                    let _ = black_box(walks::bytes_abreast(
                        walls,
                        WalkRequest::new(to, to, &mut out),
                    ));
                });
                report += &format!(" | bytes by rows {rows:.0}, abreast {abreast:.0}");
            }
            let [_, rows] = time(&tiles, |(_, _, costs, to)| {
                let _ = black_box(walks::words_by_rows(
                    costs,
                    WalkRequest::new(to, to, &mut out),
                ));
            });
            let [_, abreast] = time(&tiles, |(_, walls, costs, to)| {
                let _ = black_box(walks::words_abreast(
                    costs,
                    walls,
                    WalkRequest::new(to, to, &mut out),
                ));
            });
            report += &format!(" | words by rows {rows:.0}, abreast {abreast:.0}");
            println!("{report}");
        }
    }
}
