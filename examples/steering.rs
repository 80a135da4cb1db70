//! Two groups swap places through a gap: positions, speeds and bodies on top of
//! an order's directions.
//!
//! The loop is that of a game: the world ticks within a budget, the army takes
//! a step, and its events report what happened.

use flowtiles::steer::{Army, ArmyEvent, GroupId, Reading, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};

/// The steps a second, and the cells of work that the world may do in each.
const RATE: f32 = 20.0;
const BUDGET: Budget = Budget::cells(4_000);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut map = CostMap::open(60, 24)?;
    map.edit(CellRect::new(28, 0, 4, 9), Cost::WALL)?;
    map.edit(CellRect::new(28, 15, 4, 9), Cost::WALL)?;
    map.edit(CellRect::new(36, 6, 8, 12), Cost::new(3)?)?; // a swamp behind the gap
    let mut world = FlowWorld::new(map);

    let mut army = Army::default();
    let west = muster(&mut army, &mut world, [4.0, 6.0], Cell::new(53, 12))?;
    let east = muster(&mut army, &mut world, [48.0, 6.0], Cell::new(7, 12))?;

    let mut tick = 0;
    while !army.is_settled() && tick < 4_000 {
        world.tick(BUDGET);
        army.step(&world, 1.0 / RATE);
        army.cover_strays(&mut world);
        tick += 1;
        report(&army, tick, [west, east]);
    }
    draw(&world, &army, west);
    println!(
        "after {:.1} s the army's state is {:016x}",
        tick as f32 / RATE,
        army.state_hash()
    );
    Ok(())
}

/// Adds eighty units in a block, with an order to a goal.
fn muster(
    army: &mut Army,
    world: &mut FlowWorld,
    from: [f32; 2],
    goal: Cell,
) -> Result<GroupId, Box<dyn std::error::Error>> {
    let start = Cell::new(from[0] as i32, from[1] as i32);
    let order = world.order(goal, &[start])?;
    let group = army.add_group(Target::Order(order), Reading::Ahead)?;
    let first = army.units().len() as u32;
    for at in 0..80 {
        let (column, row) = ((at % 8) as f32, (at / 8) as f32);
        let position = [from[0] + column, from[1] + row];
        army.add(Unit::new(first + at, group, position))?;
    }
    Ok(group)
}

/// Prints the events that matter.
fn report(army: &Army, tick: u32, groups: [GroupId; 2]) {
    for event in army.events() {
        if let ArmyEvent::GroupArrived { group } = event {
            let side = if *group == groups[0] {
                "western"
            } else {
                "eastern"
            };
            println!(
                "the {side} group has arrived after {:.1} s",
                tick as f32 / RATE
            );
        }
    }
    if tick.is_multiple_of(100) {
        let there = army
            .units()
            .iter()
            .filter(|unit| unit.state == UnitState::Arrived);
        println!(
            "{:4.1} s: {} of {} are there",
            tick as f32 / RATE,
            there.count(),
            army.units().len()
        );
    }
}

/// Prints the map as text: `o` and `x` are units of the two groups.
fn draw(world: &FlowWorld, army: &Army, first: GroupId) {
    let costs = world.costs();
    for y in 0..costs.height() as i32 {
        let row: String = (0..costs.width() as i32)
            .map(|x| {
                let here =
                    |unit: &&Unit| unit.position[0] as i32 == x && unit.position[1] as i32 == y;
                let cost = costs.get(Cell::new(x, y)).unwrap_or(Cost::WALL);
                match army.units().iter().find(here) {
                    Some(unit) if unit.group == first => 'o',
                    Some(_) => 'x',
                    None if cost.is_wall() => '#',
                    None if cost > Cost::OPEN => '~',
                    None => '.',
                }
            })
            .collect();
        println!("{row}");
    }
}
