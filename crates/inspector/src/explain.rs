//! Why a cell says what it says, in a sentence.

use flowtiles::{Cell, FlowWorld, SECTOR_SIDE, Sample, Sector};

use crate::shown::Shown;

/// Explains a cell by the order with a number, or by the newest.
pub(crate) fn explain(shown: &Shown<'_>, cell: Cell, order: Option<u64>) -> String {
    let world = shown.world;
    let Some(cost) = world.costs().get(cell) else {
        return format!("{cell} is off the map.");
    };
    let Some(shown_order) = shown.order(order) else {
        let ground = if cost.is_wall() {
            "is a wall".to_owned()
        } else {
            format!("costs {}", cost.value())
        };
        return format!("{cell} {ground}. No order is shown: set a goal, and it gets a direction.");
    };
    let (order, goal) = (shown_order.order, shown_order.goal);
    if cost.is_wall() {
        return wall(world, order, cell);
    }
    let sector = Sector::new(
        cell.x.div_euclid(SECTOR_SIDE),
        cell.y.div_euclid(SECTOR_SIDE),
    );
    let place = format!("sector {},{}", sector.x, sector.y);
    match world.sample(order, cell) {
        Sample::Go(way) => format!(
            "The field of order {} is loaded in {place}. Of the steps out of {cell} the one to \
             the {way} leaves the least cost to {goal}; a step out of it costs {} times 5 straight, \
             times 7 diagonally.",
            order.number(),
            cost.value()
        ),
        Sample::InSight(way) => format!(
            "The goal {goal} is in sight: the straight line from {cell} touches only open ground \
             of cost 1 in loaded sectors, so a unit may leave the field and go straight there; \
             from cell to cell, {way}."
        ),
        Sample::Arrived => format!("{cell} is the goal."),
        Sample::Toward(way) => format!(
            "The search of order {} has found the way out of {place}, but its tile still waits \
             for work: until then the first direction, {way}, leads to the portal.",
            order.number()
        ),
        Sample::Waiting => format!(
            "Order {} still has work to do before {cell} gets a direction: tick on, or give \
             ticks more work.",
            order.number()
        ),
        Sample::OffRoute => format!(
            "{goal} can be reached from {cell}, but no route of order {} goes through {place}, \
             so it is not loaded. A unit here asks the order to cover its cell.",
            order.number()
        ),
        Sample::Unreachable => format!(
            "{goal} cannot be reached from {cell}: they lie on different islands, which walls \
             keep apart."
        ),
    }
}

fn wall(world: &FlowWorld, order: &flowtiles::Order, cell: Cell) -> String {
    match world.sample(order, cell) {
        Sample::Go(way) => format!(
            "{cell} is a wall. A unit that is caught in it is led {way}, straight to the nearest \
             open cell from which the goal can be reached."
        ),
        _ => format!("{cell} is a wall: nobody stands there, and no step leads into it."),
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::{Budget, Cost, CostMap, Rect};

    use super::*;
    use crate::shown::ShownOrder;

    #[test]
    fn each_answer_has_its_reason() {
        let mut map = CostMap::open(60, 40).unwrap();
        map.fill(Rect::new(20, 0, 2, 40), Cost::new(4).unwrap())
            .unwrap();
        map.fill(Rect::new(40, 0, 1, 40), Cost::WALL).unwrap();
        let mut world = FlowWorld::new(map);
        let goal = Cell::new(30, 5);
        let order = world.order(goal, &[Cell::new(5, 5)]).unwrap();
        let orders = [ShownOrder::new(&order, goal)];
        let about = |world: &FlowWorld, cell| {
            let shown = Shown {
                orders: &orders,
                ..Shown::new(world)
            };
            explain(&shown, cell, None)
        };
        assert!(about(&world, Cell::new(5, 5)).contains("still has work"));
        while world.tick(Budget::UNLIMITED).waiting > 0 {}
        for (cell, reason) in [
            (Cell::new(5, 5), "leaves the least cost"),
            (Cell::new(28, 5), "in sight"),
            (goal, "is the goal"),
            (Cell::new(5, 35), "not loaded"),
            (Cell::new(50, 5), "different islands"),
            (Cell::new(40, 5), "is a wall"),
            (Cell::new(60, 5), "off the map"),
        ] {
            let text = about(&world, cell);
            assert!(text.contains(reason), "{cell}: {text}");
        }
        let none = explain(&Shown::new(&world), Cell::new(3, 3), None);
        assert!(none.contains("set a goal"));
    }
}
