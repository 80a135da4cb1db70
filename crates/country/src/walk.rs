//! Walks one unit along an order, each step judged by the referee.

use flowtiles::{Budget, Cell, Direction, FlowWorld, Order, Sample};

use crate::referee::{Referee, Verdict};

/// How a walk along an order's directions ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At the goal.
    Arrived,
    /// The order reports that there is no path.
    Unreachable,
    /// A direction led into a wall or in a circle, or there was none.
    Lost,
}

/// A walk along an order's directions, cell by cell.
#[derive(Clone, Debug)]
pub struct Walk {
    /// How it ended.
    pub end: End,
    /// The cells walked over, the first and the last included.
    pub cells: Vec<Cell>,
    /// Straight steps.
    pub straight: u32,
    /// Diagonal steps.
    pub diagonal: u32,
    /// Price of all steps, in fifths of an open straight step.
    pub price: u64,
    /// Diagonal steps that passed a wall.
    pub corner_cuts: u32,
}

impl Walk {
    /// The length of the walk: 1 for a straight step, √2 for a diagonal.
    pub fn length(&self) -> f64 {
        f64::from(self.straight) + f64::from(self.diagonal) * std::f64::consts::SQRT_2
    }

    fn step(&mut self, referee: &Referee, from: Cell, direction: Direction) {
        self.price += referee.price(from, direction);
        if direction.is_diagonal() {
            self.diagonal += 1;
        } else {
            self.straight += 1;
        }
        self.cells.push(from.step(direction));
    }
}

/// Walks from a cell along the order's directions, each step judged by the referee,
/// until the goal, or until it is certain that the goal will not be reached.
///
/// The world ticks only if the order waits. Paths never visit a cell twice, so a
/// walk with more steps than the map has cells is in a circle.
pub fn walk(world: &mut FlowWorld, referee: &Referee, order: &Order, from: Cell) -> Walk {
    let mut walk = Walk {
        end: End::Lost,
        cells: vec![from],
        straight: 0,
        diagonal: 0,
        price: 0,
        corner_cuts: 0,
    };
    let mut cell = from;
    // A tick without limit finishes all work: one is always enough.
    let mut ticked = false;
    while walk.cells.len() <= referee.cells() {
        match world.sample(order, cell) {
            Sample::Go(direction) => {
                match referee.judge(cell, direction) {
                    Verdict::Legal => {}
                    Verdict::CutsCorner => walk.corner_cuts += 1,
                    Verdict::IntoWall => return walk,
                }
                walk.step(referee, cell, direction);
                cell = cell.step(direction);
                ticked = false;
            }
            Sample::Arrived => {
                walk.end = End::Arrived;
                return walk;
            }
            Sample::Unreachable => {
                walk.end = End::Unreachable;
                return walk;
            }
            Sample::Waiting | Sample::OffRoute if !ticked => {
                if world.cover(order, cell).is_err() {
                    return walk;
                }
                world.tick(Budget::UNLIMITED);
                ticked = true;
            }
            _ => return walk,
        }
    }
    walk
}
