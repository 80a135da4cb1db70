//! Drawn lists of commands, replayed on a world and on a plain model of what
//! must hold: orders are given, cloned, covered and dropped, the map changes,
//! and ticks are short and long.

use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::{End, answers, assert_field, assert_legal, finish, walk, world_of};
use crate::oracle::{Map, WALL, islands};
use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld, Goal, Order, Progress, Sample};

const SIZES: [(i32, i32); 3] = [(11, 21), (25, 14), (33, 58)];

#[derive(Clone, Debug)]
enum Command {
    Order {
        goal: Cell,
        start: u64,
        units: Vec<Cell>,
    },
    Clone {
        which: usize,
    },
    Drop {
        which: usize,
    },
    Cover {
        which: usize,
        unit: Cell,
    },
    Edit {
        area: CellRect,
        cost: u8,
    },
    Tick {
        cells: u64,
    },
    Finish,
}

fn draw_command(map: &Map, rng: &mut Rng) -> Command {
    let which = rng.below(100) as usize;
    match rng.below(14) {
        0 | 1 => Command::Order {
            goal: rng.cell(map),
            start: rng.pick(&[0, 0, 60_000, 1 << 40]),
            units: (0..rng.below(4)).map(|_| rng.cell(map)).collect(),
        },
        2 => Command::Clone { which },
        3 => Command::Drop { which },
        4..=6 => Command::Cover {
            which,
            unit: rng.cell(map),
        },
        7 | 8 => {
            let side = rng.pick(&[1, 1, 4, 14]);
            let drawn = rng.between(2, 254) as u8;
            Command::Edit {
                area: rng.area(map, side),
                cost: rng.pick(&[WALL, WALL, 1, 1, drawn]),
            }
        }
        9..=12 => Command::Tick {
            cells: rng.pick(&[0, 1, 30, 150, 700, 5000]),
        },
        _ => Command::Finish,
    }
}

/// An order, with all claims on it and the input with which it was given.
struct Taken {
    claims: Vec<Order>,
    goal: Cell,
    start: u64,
}

struct Replay {
    map: Map,
    world: FlowWorld,
    taken: Vec<Taken>,
}

impl Replay {
    fn new(map: &Map) -> Self {
        Self {
            map: map.clone(),
            world: world_of(map),
            taken: Vec::new(),
        }
    }

    /// Returns the order that a command refers to, if there is any.
    fn which(&self, which: usize) -> Option<usize> {
        (!self.taken.is_empty()).then(|| which % self.taken.len())
    }

    fn run(&mut self, command: &Command) -> Progress {
        match *command {
            Command::Order {
                goal,
                start,
                ref units,
            } => self.order(goal, start, units),
            Command::Clone { which } => {
                if let Some(at) = self.which(which) {
                    let claim = self.taken[at].claims[0].clone();
                    self.taken[at].claims.push(claim);
                }
            }
            Command::Drop { which } => {
                if let Some(at) = self.which(which) {
                    self.taken[at].claims.pop();
                    if self.taken[at].claims.is_empty() {
                        self.taken.remove(at);
                    }
                }
            }
            Command::Cover { which, unit } => {
                if let Some(at) = self.which(which) {
                    let order = &self.taken[at].claims[0];
                    self.world.cover(order, unit).expect("on the map");
                }
            }
            Command::Edit { area, cost } => {
                self.map.fill(area, cost);
                let cost = Cost::new(cost).expect("not 0");
                self.world.edit(area, cost).expect("on the map");
            }
            Command::Tick { cells } => return self.world.tick(Budget::cells(cells)),
            Command::Finish => finish(&mut self.world),
        }
        Progress::default()
    }

    fn order(&mut self, goal: Cell, start: u64, units: &[Cell]) {
        let to = Goal::at(goal).with_start_cost(start);
        let answer = self.world.order(to, units);
        let islands = islands(&self.map);
        let at = |cell: Cell| islands[self.map.id(cell)];
        // A unit in a wall may find its way out to the goal's island.
        let served = |&unit: &Cell| at(unit).is_none() || at(unit) == at(goal);
        let good = at(goal).is_some() && (units.is_empty() || units.iter().any(served));
        assert_eq!(answer.is_ok(), good, "{units:?} to {goal} on {}", self.map);
        if let Ok(order) = answer {
            let mut taken = self.taken.iter_mut();
            if let Some(same) = taken.find(|taken| taken.claims[0] == order) {
                assert_eq!((same.goal, same.start), (goal, start), "equal goals share");
                same.claims.push(order);
                return;
            }
            self.taken.push(Taken {
                claims: vec![order],
                goal,
                start,
            });
        }
    }

    /// Checks what holds after any command.
    fn check(&self) {
        for taken in &self.taken {
            for claim in &taken.claims {
                assert_eq!(claim, &taken.claims[0]);
            }
            assert_legal(&self.world, &taken.claims[0], &self.map);
        }
    }

    /// Checks what holds when no work is left.
    fn assert_finished(&mut self, rng: &mut Rng) {
        finish(&mut self.world);
        // One more tick, so that the order dropped last is freed.
        self.world.tick(Budget::cells(1));
        assert_eq!(self.world.inspect().stats().orders, self.taken.len());
        let islands = islands(&self.map);
        for taken in &self.taken {
            let (order, goal) = (&taken.claims[0], taken.goal);
            if !self.map.is_open(goal) {
                for cell in self.map.open_cells() {
                    assert_eq!(self.world.sample(order, cell), Sample::Unreachable);
                }
                continue;
            }
            assert_field(&self.world, order, &self.map, goal, taken.start);
            let unit = rng.open_cell(&self.map).expect("the goal is open");
            let end = if islands[self.map.id(unit)] == islands[self.map.id(goal)] {
                (End::Arrived, goal)
            } else {
                (End::Unreachable, unit)
            };
            let walk = walk(&mut self.world, order, &self.map, unit);
            assert_eq!(
                (walk.end, walk.last),
                end,
                "{unit} to {goal} on {}",
                self.map
            );
        }
    }
}

#[test]
fn drawn_commands_keep_every_invariant() {
    for_drawn(61, &SIZES, 4, |map, rng| {
        let mut replay = Replay::new(map);
        for _ in 0..60 {
            let command = draw_command(&replay.map, rng);
            replay.run(&command);
            replay.check();
        }
        replay.assert_finished(rng);
        replay.check();
        replay.taken.clear();
        replay.world.tick(Budget::cells(1));
        let (left, fresh) = (
            replay.world.inspect().stats(),
            world_of(&replay.map).inspect().stats(),
        );
        assert_eq!(left.orders, 0);
        assert_eq!(left.order_bytes, fresh.order_bytes, "on {}", replay.map);
    });
}

#[test]
fn the_same_commands_make_the_same_world_tick_by_tick() {
    for_drawn(62, &SIZES, 4, |map, rng| {
        let mut replays = [Replay::new(map), Replay::new(map)];
        for step in 0..60 {
            let command = draw_command(map, rng);
            let progress = replays.each_mut().map(|replay| replay.run(&command));
            assert_eq!(progress[0], progress[1], "{command:?} on {map}");
            if step % 6 != 5 {
                continue;
            }
            assert_eq!(
                replays[0].world.inspect().stats(),
                replays[1].world.inspect().stats(),
                "{command:?}"
            );
            for (a, b) in replays[0].taken.iter().zip(&replays[1].taken) {
                let answers = [(&replays[0], a), (&replays[1], b)]
                    .map(|(replay, taken)| answers(&replay.world, &taken.claims[0], map));
                assert!(answers[0] == answers[1], "{command:?} on {map}");
            }
        }
    });
}

#[test]
fn inspection_between_commands_changes_no_state() {
    for_drawn(63, &SIZES, 4, |map, rng| {
        let (mut seen, mut unseen) = (Replay::new(map), Replay::new(map));
        for step in 0..60 {
            let command = draw_command(map, rng);
            let progress = [seen.run(&command), unseen.run(&command)];
            assert_eq!(progress[0], progress[1], "{command:?} on {map}");
            for taken in seen.taken.iter().filter(|_| step % 6 == 5) {
                let order = &taken.claims[0];
                std::hint::black_box(answers(&seen.world, order, map));
                std::hint::black_box(seen.world.cost_to_go(order, taken.goal));
                std::hint::black_box(seen.world.inspect().route(order));
            }
        }
        let [a, b] = [&seen, &unseen].map(|replay| replay.world.inspect());
        assert_eq!(a.state_parts(), b.state_parts(), "on {map}");
        assert_eq!(a.stats(), b.stats(), "on {map}");
        for (a, b) in seen.taken.iter().zip(&unseen.taken) {
            let answers = [(&seen, a), (&unseen, b)]
                .map(|(replay, taken)| answers(&replay.world, &taken.claims[0], map));
            assert!(answers[0] == answers[1], "on {map}");
        }
    });
}
