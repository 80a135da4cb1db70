//! One battle: its game, drawn from its seed, and a visitor on the page that shows it.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use flowtiles::steer::Target;
use flowtiles_games::{Call, Game, Kind, Random, Rules, draw};
use flowtiles_inspector::Inspector;
use rayon::ThreadPool;

use super::visitor::Visitor;

/// What was done so far in all battles.
#[derive(Default)]
pub struct Counts {
    pub battle: u64,
    pub battle_tick: u64,
    pub ticks: u64,
    pub visits: u64,
    /// How often each call was made.
    pub calls: BTreeMap<String, u64>,
    pub longest: Duration,
    /// The battle and the tick of the longest tick.
    pub longest_at: [u64; 2],
}

/// Fights the battle of a seed until it is over; an error says what is broken.
pub fn fight(
    seed: u64,
    counts: &mut Counts,
    in_two: &ThreadPool,
    is_over: impl Fn(u64) -> bool,
) -> Result<(), String> {
    let words = |panic: Box<dyn Any + Send>| match panic.downcast::<String>() {
        Ok(words) => *words,
        Err(panic) => panic
            .downcast_ref::<&str>()
            .map_or_else(|| "a panic, as said above".to_owned(), ToString::to_string),
    };
    let fought = catch_unwind(AssertUnwindSafe(|| {
        let mut battle = Battle::new(seed, counts, in_two)?;
        while battle.game.steps < battle.until && !is_over(battle.counts.ticks) {
            battle.turn()?;
        }
        battle.end();
        Ok(())
    }));
    fought.map_err(words)?
}

struct Battle<'c> {
    game: Game,
    random: Random,
    until: u64,
    page: Inspector,
    visitor: Visitor,
    counts: &'c mut Counts,
    /// Two threads, for forks.
    in_two: &'c ThreadPool,
}

impl<'c> Battle<'c> {
    fn new(seed: u64, counts: &'c mut Counts, in_two: &'c ThreadPool) -> Result<Self, String> {
        let mut random = Random::new(seed);
        let reads_crowd = random.one_in(4);
        let rules = Rules {
            kind: if reads_crowd {
                Kind::Crowded
            } else {
                Kind::Mixed
            },
            sides: [23, 200],
            groups: random.between(2, 9),
            units: [1, 50],
            most: 700,
            haste: random.between(2, 60),
        };
        let page = Inspector::serve("127.0.0.1:0");
        Ok(Self {
            game: Game::new(rules, random.word()),
            until: random.between(100, 500).into(),
            page: page.map_err(|error| format!("the page cannot be served: {error}"))?,
            visitor: Visitor::default(),
            random,
            counts,
            in_two,
        })
    }

    /// Draws a call and makes it, or some together with a fork that must stay equal.
    fn turn(&mut self) -> Result<(), String> {
        match draw(&self.game, &mut self.random) {
            Call::Fork => self.fork_and_compare(),
            call => self.make(&call),
        }
        let targets = self
            .game
            .army
            .groups()
            .map(|group| self.game.army.target(group));
        let orders = targets.filter_map(|target| match target {
            Some(Target::Order(order)) => Some((order, order.goal().cell())),
            _ => None,
        });
        let orders: Vec<_> = orders.collect();
        let units = self.game.army.units();
        self.page.publish(&self.game.world, &orders, units);
        if self.game.steps % 128 == 1 {
            self.counts.visits += self.visitor.visit(self.page.address())?;
        }
        Ok(())
    }

    fn make(&mut self, call: &Call) {
        self.game.apply(call);
        let steps = u64::from(matches!(call, Call::Step(..)));
        self.counts.ticks += steps;
        self.counts.battle_tick += steps;
        if self.game.took > self.counts.longest {
            self.counts.longest = self.game.took;
            self.counts.longest_at = [self.counts.battle, self.counts.battle_tick];
        }
    }

    /// Makes some calls, as a fork does on two threads.
    fn fork_and_compare(&mut self) {
        let mut fork = self.game.fork();
        *self.counts.calls.entry("Fork".to_owned()).or_default() += 1;
        for _ in 0..self.random.between(4, 30) {
            let call = draw(&self.game, &mut self.random);
            if !matches!(call, Call::Fork | Call::Load) {
                self.make(&call);
                self.in_two.install(|| fork.apply(&call));
                let hashes = [&self.game, &fork].map(|game| game.army.state_hash());
                assert_eq!(hashes[0], hashes[1], "the army of a fork differs");
            }
        }
        let [world, other] = [&self.game.world, &fork.world];
        let is_same = world.state_hash() == other.state_hash() && world.save() == other.save();
        assert!(is_same, "the world of a fork differs");
    }

    fn end(self) {
        for (call, times) in &self.game.seen {
            *self.counts.calls.entry(call.clone()).or_default() += times;
        }
        let steps = self.game.steps;
        if steps >= self.until {
            self.game.end();
        }
    }
}
