//! The cost of a survey, and what it saves.
//!
//! The same routes and orders as elsewhere, in a separate world that was surveyed.

use std::hint::black_box;

use flowtiles::{Budget, Cell, FlowWorld};

use super::figures::{Figure, SurveyedFigures};
use super::orders::free;
use super::subject::Subject;
use super::times::Times;
use crate::support::failure::Failure;

/// A surveyed world, with its routes and orders.
pub struct Surveyed {
    world: FlowWorld,
    searches: Vec<(Cell, Cell)>,
    pairs: Vec<(Cell, Cell)>,
    survey: Times,
    route: Times,
    order: Times,
}

impl Surveyed {
    /// Surveys a world of the subject, and compares the prices of its routes with
    /// those of `plain`.
    pub fn new(
        subject: &Subject,
        plain: &mut FlowWorld,
        searches: Vec<(Cell, Cell)>,
        pairs: Vec<(Cell, Cell)>,
    ) -> Result<Self, Failure> {
        let mut world = FlowWorld::new(subject.costs().clone());
        world.survey();
        for &(from, to) in &searches {
            let [expected, found] = [&mut *plain, &mut world].map(|world| {
                let route = world.find_route(from, to).ok().flatten();
                route.map(|route| route.cost)
            });
            if expected != found {
                return Err(Failure::Wrong(format!(
                    "from {from} to {to} the route costs {expected:?}, and {found:?} by a survey"
                )));
            }
        }
        Ok(Self {
            world,
            searches,
            pairs,
            survey: Times::default(),
            route: Times::default(),
            order: Times::default(),
        })
    }

    /// One round: a survey, each route, each order.
    pub fn round(&mut self) -> Result<(), Failure> {
        let all = [&mut self.survey, &mut self.route, &mut self.order];
        all.into_iter().for_each(Times::begin_round);
        let world = &mut self.world;
        self.survey.time(|| world.survey());
        for &(from, to) in &self.searches {
            let (from, to) = (black_box(from), black_box(to));
            black_box(self.route.time(|| world.find_route(from, to))).ok();
        }
        for &(start, goal) in &self.pairs {
            let given = self.order.time(|| {
                let given = world.order(black_box(goal), black_box(&[start]))?;
                world.tick(Budget::UNLIMITED);
                black_box(world.sample(&given, start));
                Ok(given)
            });
            let lost = |error: flowtiles::OrderError| Failure::Wrong(error.to_string());
            free(world, given.map_err(lost)?);
        }
        Ok(())
    }

    pub fn figures(&self) -> SurveyedFigures {
        let costs = self.world.costs();
        let cells = f64::from(costs.width()) * f64::from(costs.height());
        let bytes = self.world.inspect().stats().survey_bytes as f64;
        SurveyedFigures {
            survey_ms: self.survey.median(1e3),
            bytes_per_cell: Figure::counted(bytes / cells),
            route_us: self.route.median(1e6),
            order_us: self.order.median(1e6),
        }
    }
}
