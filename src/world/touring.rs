//! Tours of a world: orders to several goals, one after the other.

use super::{FlowWorld, Sample};
use crate::grid::Cell;
use crate::order::{Goal, Order, Tour, TourError};

/// Tours: goals one after the other.
impl FlowWorld {
    /// Orders units to several goals, one after the other.
    ///
    /// Each leg is an [`order`](Self::order) of its own, from the goal before
    /// it. So all legs are planned in good time, and the next one is ready when
    /// the first unit arrives. For a patrol, set a unit's leg back to 0 when it
    /// has arrived at the last goal.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld, Goal};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let goals = [(90, 5), (90, 50), (5, 50)].map(Goal::from);
    /// let (mut unit, mut leg) = (Cell::new(3, 3), 0);
    /// let tour = world.tour(&goals, &[unit])?;
    /// world.tick(Budget::UNLIMITED);
    /// while let Some(direction) = world.sample_tour(&tour, &mut leg, unit).direction() {
    ///     unit = unit.step(direction);
    /// }
    /// assert_eq!((unit, leg), (Cell::new(5, 50), 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no goal, or if the [`order`](Self::order) of any leg is
    /// refused. Then none of the legs is ordered.
    pub fn tour(&mut self, goals: &[Goal], units: &[Cell]) -> Result<Tour, TourError> {
        if goals.is_empty() {
            return Err(TourError::NoGoal);
        }
        let open = |cell: &Cell| self.map.costs.is_open(*cell);
        let ends = goals
            .iter()
            .map(|goal| goal.cells().filter(open).collect::<Vec<_>>());
        let starts: Vec<Vec<Cell>> = std::iter::once(units.to_vec()).chain(ends).collect();
        let refused = |index| move |error| TourError::Leg { index, error };
        // All legs are checked before the first is ordered.
        for (index, (goal, from)) in goals.iter().zip(&starts).enumerate() {
            self.consider(goal, from).map_err(refused(index))?;
        }
        let mut legs: Vec<Order> = Vec::new();
        for (index, (goal, from)) in goals.iter().zip(&starts).enumerate() {
            let leg = self.order(goal.clone(), from);
            legs.push(leg.map_err(refused(index))?);
        }
        Ok(Tour::new(legs))
    }

    /// Returns what a tour returns for a unit on this leg, which is 0 on the
    /// way to the first goal. When the unit has arrived at a goal that is not
    /// the last, increases `leg` and returns the sample of the next leg.
    ///
    /// # Panics
    /// If the tour is another world's, or has no such leg.
    pub fn sample_tour(&self, tour: &Tour, leg: &mut usize, unit: Cell) -> Sample {
        loop {
            let sample = self.sample(&tour.legs()[*leg], unit);
            if sample != Sample::Arrived || *leg + 1 == tour.legs().len() {
                return sample;
            }
            *leg += 1;
        }
    }

    /// Returns another claim on the legs of a tour, given their
    /// [numbers](Tour::numbers), or `None` if one of them does not live any
    /// more.
    ///
    /// ```
    /// use flowtiles::{Cell, CostMap, FlowWorld, Goal};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let goals = [(90, 5), (90, 50)].map(Goal::from);
    /// let tour = world.tour(&goals, &[Cell::new(3, 3)])?;
    /// let (loaded, claims) = FlowWorld::load(&world.save())?;
    /// let again = loaded.tour_with_numbers(&tour.numbers()).expect("its legs live");
    /// assert_eq!(again.legs(), claims);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tour_with_numbers(&self, numbers: &[u64]) -> Option<Tour> {
        let legs = numbers.iter().map(|&number| self.order_with_number(number));
        legs.collect::<Option<Vec<Order>>>().map(Tour::new)
    }
}
