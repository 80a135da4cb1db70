//! Benchmark maps and scenarios of the Moving AI Lab, walked cell by cell:
//! every answer is right, no corner is cut, and the paths are short.
//!
//! Without the maps, the tests print this and check nothing. By default some
//! entries of each map are walked; with `FLOWTILES_DRAWS=180`, all.

use crate::draws::draws;
use crate::oracle::bench::benchmark_file;
use crate::oracle::draw::Rng;
use crate::oracle::follow::{End, finish, walk, world_of};
use crate::oracle::{Map, WALL, field, in_cells, lengths};
use flowtiles::{Cell, FlowWorld};

/// The number of entries walked on each map by default.
const ENTRIES: usize = 70;

/// One line of a scenario.
struct Entry {
    start: Cell,
    goal: Cell,
    /// The published length; 0 where there is no path.
    length: f64,
    /// How far a right length may be from it.
    tolerance: f64,
}

impl Entry {
    fn read(line: &str) -> Self {
        let fields: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| {
            let [x, y] = [at, at + 1].map(|at| fields[at].parse().expect("a coordinate"));
            Cell::new(x, y)
        };
        let length: f64 = fields[8].parse().expect("a length");
        let decimals = fields[8]
            .split_once('.')
            .map_or(0, |(_, after)| after.len());
        Self {
            start: cell(4),
            goal: cell(6),
            length,
            // Half of the last digit; six digits are right.
            tolerance: (0.5 * 0.1_f64.powi(decimals as i32)).max(5e-6 * length),
        }
    }

    fn has_way(&self) -> bool {
        self.length > 0.0 || self.start == self.goal
    }
}

/// Returns the lines of a benchmark file behind its head.
fn lines_of(name: &str, head: usize) -> Option<Vec<String>> {
    let text = String::from_utf8(benchmark_file(name)?).expect(name);
    let lines = text.lines().skip(head).filter(|line| !line.is_empty());
    Some(lines.map(str::to_owned).collect())
}

/// Returns a benchmark map, with the costs of its letters.
pub fn map_of_letters(name: &str, cost: fn(u8) -> u8) -> Option<Map> {
    let rows = lines_of(&format!("{name}.map"), 4)?;
    Some(Map {
        width: rows[0].len() as i32,
        height: rows.len() as i32,
        costs: rows.iter().flat_map(|row| row.bytes().map(cost)).collect(),
    })
}

/// The cost of a letter by the convention of the benchmark.
pub const fn open_or_wall(letter: u8) -> u8 {
    match letter {
        b'.' | b'G' | b'S' => 1,
        _ => WALL,
    }
}

/// Returns a map and its scenario.
fn benchmark(name: &str) -> Option<(Map, Vec<Entry>)> {
    let map = map_of_letters(name, open_or_wall)?;
    let entries = lines_of(&format!("{name}.map.scen"), 1)?;
    Some((map, entries.iter().map(|line| Entry::read(line)).collect()))
}

/// Walks one entry, with a new order, cell by cell as it directs. Returns by how much the walk is
/// longer than the published path, and how many sectors the order loads.
fn walk_entry(world: &mut FlowWorld, map: &Map, entry: &Entry) -> (Option<f64>, usize) {
    let Entry { start, goal, .. } = *entry;
    let order = world.order(goal, &[start]);
    assert_eq!(order.is_ok(), entry.has_way(), "{start} to {goal}");
    let Ok(order) = order else {
        return (None, 0);
    };
    finish(world);
    let loaded = world.inspect().loaded(&order).len();
    // It fails where a step cuts a corner.
    let walked = walk(world, &order, map, start);
    assert_eq!((walked.end, walked.last), (End::Arrived, goal), "{start}");
    let length = in_cells(walked.length);
    let least = entry.length - entry.tolerance;
    assert!(length >= least, "{start} to {goal} is shorter than can be");
    ((entry.length > 0.0).then(|| length / entry.length), loaded)
}

/// Walks the entries of one map and checks them against the project's promises;
/// `mean_max` is the promise for the mean ratio. Returns the mean percentage of
/// sectors that an entry loads.
fn assert_scenario(name: &str, mean_max: f64) -> Option<f64> {
    let (map, entries) = benchmark(name)?;
    let every = (entries.len() / (ENTRIES * draws() as usize)).max(1);
    let mut world = world_of(&map);
    let (mut count, mut sectors, mut sum, mut ratios) = (0, 0, 0.0, 0);
    let (mut max, mut max_long) = (1.0_f64, 1.0_f64);
    for entry in entries.iter().step_by(every) {
        let (ratio, loaded) = walk_entry(&mut world, &map, entry);
        (count, sectors) = (count + 1, sectors + loaded);
        let Some(ratio) = ratio else {
            continue;
        };
        (sum, ratios, max) = (sum + ratio, ratios + 1, max.max(ratio));
        if entry.length >= 50.0 {
            max_long = max_long.max(ratio);
        }
    }
    let (mean, loaded) = (sum / f64::from(ratios), sectors as f64 / count as f64);
    let share = 100.0 * loaded / map.sectors().len() as f64;
    println!(
        "{name}: {count} of {} entries, ratio mean {mean:.5} max {max:.4} long {max_long:.4}, \
         {loaded:.1} sectors of a hundred {share:.2}",
        entries.len()
    );
    assert!(count >= ENTRIES.min(entries.len()), "enough entries");
    assert!(mean <= mean_max, "mean ratio {mean}");
    assert!(max_long <= 1.05, "worst of 50 cells or more: {max_long}");
    assert!(max <= 1.3, "worst ratio: {max}");
    Some(share)
}

/// Checks the percentage of loaded sectors, if the maps are available.
fn assert_few_loaded(share: Option<f64>) {
    assert!(share.is_none_or(|share| share < 3.0), "{share:?} % loaded");
}

#[test]
fn starcraft_the_frozen_sea() {
    assert_few_loaded(assert_scenario("TheFrozenSea", 1.003));
}

#[test]
fn starcraft_jungle_siege() {
    assert_few_loaded(assert_scenario("JungleSiege", 1.003));
}

#[test]
fn warcraft_icecrown() {
    assert_scenario("icecrown", 1.003);
}

#[test]
fn dragon_age_orz900d() {
    assert_scenario("orz900d", 1.003);
}

#[test]
fn dragon_age_lak203d() {
    assert_scenario("lak203d", 1.003);
}

#[test]
fn the_streets_of_berlin() {
    assert_scenario("Berlin_1_1024", 1.003);
}

#[test]
fn a_maze_of_corridors() {
    assert_scenario("maze512-4-0", 1.01);
}

#[test]
fn rooms_of_32() {
    assert_scenario("32room_000", 1.01);
}

#[test]
fn random_walls() {
    assert_scenario("random512-35-0", 1.01);
}

/// The oracle's own lengths agree with the published ones, so the maps are read
/// as their makers intended.
#[test]
fn published_lengths_are_the_oracles() {
    for name in ["lak203d", "icecrown", "random512-35-0", "Berlin_1_1024"] {
        let Some((map, entries)) = benchmark(name) else {
            continue;
        };
        for entry in entries.iter().step_by(entries.len() / 2) {
            let length = lengths(&map, entry.goal)[map.id(entry.start)].map_or(0.0, in_cells);
            assert!(
                (length - entry.length).abs() <= entry.tolerance,
                "{name}, {} to {}: {length}, published {}",
                entry.start,
                entry.goal,
                entry.length
            );
        }
    }
}

/// A million cells of sixteen kinds of ground. There is no scenario for this
/// map, so the oracle gives the costs of the cheapest paths.
#[test]
fn paths_over_weighted_ground_are_nearly_optimal() {
    const SIDE: usize = 1024;
    let Some(whole) = map_of_letters("Map1", |letter| letter - b'A' + 5) else {
        return;
    };
    let rows = whole.costs.chunks(whole.width as usize).take(SIDE);
    let map = Map {
        width: SIDE as i32,
        height: SIDE as i32,
        costs: rows.flat_map(|row| &row[..SIDE]).copied().collect(),
    };
    let goal = Cell::new(500, 450);
    let best = field(&map, goal, 0);
    let mut rng = Rng::new(1);
    let count = (2 * draws()).min(20);
    let units: Vec<Cell> = (0..count).map(|_| rng.cell(&map)).collect();
    let mut world = world_of(&map);
    for &unit in &units {
        let order = world.order(goal, &[unit]).expect("no walls here");
        finish(&mut world);
        let walk = walk(&mut world, &order, &map, unit);
        let best = best[map.id(unit)].expect("no walls here");
        assert_eq!((walk.end, walk.last), (End::Arrived, goal));
        assert!(walk.price >= best, "from {unit}");
        assert!(
            walk.price * 100 <= best * 107,
            "from {unit}: {} for {best}",
            walk.price
        );
    }
}
