//! The table of an order's states in docs/ARCHITECTURE.md, walked cell by cell.

use flowtiles::inspect::OrderStage;
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Movement, Order};

const TEXT: &str = include_str!("../../docs/ARCHITECTURE.md");
const HEAD: &str = "| state | a unit off the field | another goal | an edit on the way | surcharges on the way | no goal is left | its work ends |";
const UNIT: Cell = Cell::new(395, 7);
const GOAL: Cell = Cell::new(5, 95);

/// Returns the rows of the table: the state, and what each input leads to.
fn table() -> Vec<Vec<&'static str>> {
    let rows = TEXT.lines().skip_while(|line| *line != HEAD).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// Returns a world and an order in this state.
fn order_in(state: OrderStage) -> (FlowWorld, Order) {
    let mut world = FlowWorld::new(CostMap::open(400, 100).unwrap());
    world
        .edit(CellRect::new(60, 20, 1, 80), Cost::WALL)
        .unwrap();
    world
        .edit(CellRect::new(200, 0, 1, 80), Cost::WALL)
        .unwrap();
    // Surcharges need a layer of their own.
    let layer = world.add_layer(Movement::new()).unwrap();
    let order = world.order(Goal::at(GOAL).on(layer), &[UNIT]).unwrap();
    // Patching needs something to patch.
    let before = match state {
        OrderStage::Patch => OrderStage::Integrate,
        state => state,
    };
    work_until(&mut world, &order, before);
    if state == OrderStage::Patch {
        edit(&mut world);
        work_until(&mut world, &order, state);
    }
    if state == OrderStage::Search {
        while world.inspect().watch(&order).taken().len() < 4 {
            world.tick(Budget::cells(1));
        }
    }
    (world, order)
}

fn work_until(world: &mut FlowWorld, order: &Order, state: OrderStage) {
    for _ in 0..100_000 {
        if world.inspect().watch(order).stage() == state {
            return;
        }
        world.tick(Budget::cells(1));
    }
    panic!("never {}", state.name());
}

/// A wall beside the goal, over several sectors.
fn edit(world: &mut FlowWorld) {
    let wall = CellRect::new(0, 85, 45, 1);
    world.edit(wall, Cost::new(9).unwrap()).unwrap();
}

fn act(input: &str, world: &mut FlowWorld, order: &mut Order) {
    match input {
        "a unit off the field" => world.cover(order, Cell::new(230, 95)).unwrap(),
        "another goal" => {
            let goal = Goal::at(Cell::new(100, 3)).on(order.goal().layer());
            world.aim(order, goal, &[UNIT]).unwrap();
        }
        "an edit on the way" => edit(world),
        "surcharges on the way" => {
            let area = CellRect::new(0, 80, 20, 20);
            world
                .surcharge(order.goal().layer(), &[(area, 30)])
                .unwrap();
        }
        "no goal is left" => {
            world.edit(GOAL, Cost::WALL).unwrap();
        }
        "its work ends" => {
            let before = world.inspect().watch(order).stage();
            while before != OrderStage::Done && world.inspect().watch(order).stage() == before {
                world.tick(Budget::cells(1));
            }
        }
        other => panic!("no such input: {other}"),
    }
}

/// Returns what an input has led to, in the words of the table.
fn outcome(input: &str, before: OrderStage, world: &FlowWorld, order: &Order) -> String {
    let watch = world.inspect().watch(order);
    let (stage, is_stale) = (watch.stage(), world.inspect().is_stale(order));
    let is_new = stage == OrderStage::Search && watch.taken().is_empty();
    let name = stage.name();
    match (is_new, stage == before, input) {
        (true, ..) => "begins".into(),
        (false, true, _) if is_stale => "goes on, then again".into(),
        (false, true, _) if stage == OrderStage::Done => "–".into(),
        (false, true, _) => "goes on".into(),
        _ => name.into(),
    }
}

#[test]
fn the_table_of_an_orders_states_is_true() {
    let head: Vec<&str> = HEAD.trim_matches('|').split('|').map(str::trim).collect();
    let rows = table();
    let states = [
        OrderStage::Search,
        OrderStage::Load,
        OrderStage::Integrate,
        OrderStage::Patch,
        OrderStage::Done,
    ];
    assert_eq!(rows.len(), states.len(), "a row for each state");
    let mut found = Vec::new();
    for (state, row) in states.into_iter().zip(&rows) {
        for (input, told) in head.iter().zip(row).skip(1) {
            let (mut world, mut order) = order_in(state);
            act(input, &mut world, &mut order);
            let outcome = outcome(input, state, &world, &order);
            found.push((state.name(), *input, *told, outcome));
            while !world.tick(Budget::cells(1000)).is_done() {}
            assert!(
                !world.inspect().is_stale(&order),
                "{} {input}",
                state.name()
            );
        }
        assert_eq!(row[0], format!("`{}`", state.name()));
    }
    let wrong: Vec<_> = found
        .iter()
        .filter(|(_, _, told, found)| told != found)
        .collect();
    assert!(wrong.is_empty(), "state, input, told, found: {wrong:#?}");
}
