//! Worlds: edits, stamps, blockers, links, layers, gates and surcharges under orders that are
//! given, aimed elsewhere and dropped, with a save loaded on the way, and a fork.

use flowtiles::inspect::Digest;
use flowtiles::{GateId, Goal, LayerId, Link, LinkId, Movement, Quality, Sample, Teams};

use crate::oracle::Map;
use crate::oracle::draw::{Look, Rng, draw};
use crate::oracle::follow::finish;
use crate::oracle::game::{Game, Taken, draw_input};

const INPUTS: usize = 150;

/// A game, and what it has beside costs and orders.
struct Linked {
    game: Game,
    layers: Vec<LayerId>,
    gates: Vec<GateId>,
    links: Vec<LinkId>,
}

impl Linked {
    fn new(map: &Map, slice: u64) -> Self {
        let mut game = Game::new(map);
        game.slice = slice;
        let movements = [
            Movement::new().with_size(2).expect("a size"),
            Movement::new().with_wall_costs([9, 5, 0, 1]),
        ];
        let add = |movement| game.world.add_layer(movement).expect("few layers");
        let layers = movements.into_iter().map(add).collect();
        Self {
            game,
            layers,
            gates: Vec::new(),
            links: Vec::new(),
        }
    }

    /// Draws one of the inputs that [`draw_input`] does not draw.
    fn apply_more(&mut self, map: &Map, rng: &mut Rng) {
        let world = &mut self.game.world;
        match rng.below(6) {
            0 => {
                let (cell, end) = (rng.cell(map), rng.cell(map));
                let link = Link::new(cell, end).with_price(rng.pick(&[1, 40, 5000]));
                self.links.extend(world.add_link(link));
            }
            1 if !self.links.is_empty() => {
                let id = self
                    .links
                    .swap_remove(rng.below(self.links.len() as i32) as usize);
                world.remove_link(id).expect("a link");
            }
            2 => {
                let teams = Teams::from_bits(rng.below(4) as u8);
                self.gates
                    .extend(world.add_gate(rng.area(map, 6), teams).map(|(id, _)| id));
            }
            3 if !self.gates.is_empty() => {
                let teams = Teams::from_bits(rng.below(4) as u8);
                world
                    .set_gate(rng.pick(&self.gates), teams)
                    .expect("a gate");
            }
            4 => {
                let areas = [(rng.area(map, 20), rng.below(30) as u8)];
                let report = world.surcharge(rng.pick(&self.layers), &areas);
                report.expect("on the map");
            }
            _ => {
                let goal = Goal::at(rng.cell(map))
                    .on(rng.pick(&self.layers))
                    .or_nearest();
                let goal = goal.with_quality(rng.pick(&[Quality::Corridor, Quality::Exact]));
                let units: Vec<_> = (0..3).map(|_| rng.cell(map)).collect();
                if let Ok(order) = world.order(goal.clone(), &units) {
                    self.game.taken.push(Taken {
                        order,
                        goal,
                        units,
                        aimed: false,
                    });
                }
            }
        }
    }

    /// What orders answer at drawn cells.
    fn note_answers(&self, map: &Map, rng: &mut Rng, digest: &mut Digest) {
        for taken in &self.game.taken {
            let cell = rng.cell(map);
            digest.number(match self.game.world.sample(&taken.order, cell) {
                Sample::Go(direction) => direction as u64,
                Sample::Link(id) => 100 + u64::from(id.number()),
                Sample::Arrived => 10,
                Sample::OffRoute => 11,
                Sample::Unreachable => 12,
                Sample::Waiting => 13,
                other => panic!("{other}: give it a number"),
            });
            let cost = self.game.world.cost_to_go(&taken.order, cell);
            digest.number(cost.unwrap_or(u64::MAX));
        }
    }
}

fn play(look: Look, slice: u64) -> u64 {
    let mut rng = Rng::new(64);
    let map = draw(look, 75, 64, &mut rng);
    let mut linked = Linked::new(&map, slice);
    let mut digest = Digest::new();
    for input in 0..INPUTS {
        if rng.chance(30) {
            linked.apply_more(&map, &mut rng);
        } else {
            linked.game.apply(&draw_input(&map, &mut rng));
        }
        if input == INPUTS / 3 {
            linked.game.reload();
        }
        if input == INPUTS / 2 {
            let (fork, orders) = linked.game.world.fork();
            linked.game.adopt(fork, &orders);
        }
        digest.number(linked.game.world.state_hash());
        linked.note_answers(&map, &mut rng, &mut digest);
    }
    finish(&mut linked.game.world);
    digest.number(linked.game.world.state_hash());
    linked.note_answers(&map, &mut rng, &mut digest);
    digest.finish()
}

#[test]
fn worlds_come_to_the_recorded_numbers() {
    let looks = [
        ("open", Look::Open),
        ("walls 10 %", Look::Walls(10)),
        ("walls 20 %", Look::Walls(20)),
        ("walls 30 %", Look::Walls(30)),
        ("walls 40 %", Look::Walls(40)),
        ("rooms", Look::Rooms),
        ("caves", Look::Caves),
        ("maze", Look::Maze),
        ("terrain", Look::Terrain),
        ("rough", Look::Rough),
        ("serpentine", Look::Serpentine),
        ("even", Look::Even(4)),
        ("roads", Look::Roads),
        ("mixed", Look::Mixed),
    ];
    crate::assert_recorded("worlds", include_str!("worlds.txt"), &looks, |look| {
        let number = play(look, u64::MAX);
        assert_eq!(play(look, 150), number, "{look:?} in slices");
        number
    });
}
