//! The movement layers of a world: the ground, and how each movement and each team sees it.
//!
//! A page shows one of them at a time: its walls and costs, its portals and islands,
//! and the orders on it. Teams that see all gates alike share what is derived, so
//! they share an entry of the list, too. With a gate that is open to team 1 alone:
//!
//! ```text
//!   number  teams   name                                                 derived
//!   0       0, 2–7  ground, teams 0, 2–7                                 always
//!   0       1       ground, team 1                                       once it is used
//!   1       0, 2–7  layer 1: walls where the ground is 20, teams 0, 2–7  once it is used
//!   1       1       layer 1: walls where the ground is 20, team 1        once it is used
//! ```

use std::fmt::Write;
use std::sync::Arc;

use flowtiles::inspect::Inspection;
use flowtiles::{Cost, CostMap, FlowWorld, LayerId, MAX_TEAMS, Movement, Teams};

/// The most ranges of kinds that a name lists.
const RANGES_MAX: usize = 3;

/// A layer of a world, as some teams see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorldLayer {
    /// The layer as the first of the teams sees it. Blocks are named by this id.
    pub(crate) id: LayerId,
    /// The teams that share it.
    pub(crate) teams: Teams,
    /// Whether it is derived, so that there is something to show.
    pub(crate) is_derived: bool,
    /// What is known of the movement and the teams, in a few words.
    pub(crate) name: String,
}

/// Returns the entry of a layer, as its team sees it.
pub(crate) fn entry_of(layers: &[WorldLayer], layer: LayerId) -> Option<&WorldLayer> {
    let mut layers = layers.iter();
    layers.find(|entry| entry.id.number() == layer.number() && entry.teams.has(layer.team()))
}

/// Returns the layer to show when a page asks for one: the ground if that layer does
/// not exist or is not derived.
pub(crate) fn layer_to_show(layers: &[WorldLayer], requested: LayerId) -> LayerId {
    match entry_of(layers, requested) {
        Some(entry) if entry.is_derived => entry.id,
        _ => LayerId::GROUND,
    }
}

/// Returns why the requested layer is not shown, or `None` if it is.
pub(crate) fn refusal(layers: &[WorldLayer], requested: LayerId) -> Option<String> {
    match entry_of(layers, requested) {
        Some(entry) if entry.is_derived => None,
        Some(_) => Some(format!(
            "{requested} is not derived: the ground is shown until an order uses the layer, or the \
             program derives it"
        )),
        None => Some(format!(
            "the world has no {requested}: the ground is shown instead"
        )),
    }
}

/// The list of a world's layers, kept from frame to frame: names are written only when
/// the list has changed.
#[derive(Default)]
pub(crate) struct LayerList {
    /// Of each entry its id, its teams, and whether it is derived: all from which it is made.
    keys: Vec<(LayerId, Teams, bool)>,
    entries: Arc<[WorldLayer]>,
}

impl LayerList {
    /// Returns the layers as they are now.
    pub(crate) fn update(&mut self, world: &FlowWorld) -> Arc<[WorldLayer]> {
        let team_groups = team_groups(world);
        let layers = (0..)
            .map(LayerId::from_number)
            .take_while(|&layer| world.movement(layer).is_some());
        let mut keys = Vec::new();
        for layer in layers {
            for &(team, teams) in &team_groups {
                if let Some(id) = layer.for_team(team) {
                    keys.push((id, teams, world.layer(id).is_some()));
                }
            }
        }
        if keys != self.keys {
            let entry = |&(id, teams, is_derived): &(LayerId, Teams, bool)| WorldLayer {
                id,
                teams,
                is_derived,
                name: name(id, world.movement(id), teams),
            };
            self.entries = keys.iter().map(entry).collect();
            self.keys = keys;
        }
        Arc::clone(&self.entries)
    }
}

/// Returns the groups of teams that see all gates alike, each with its first team.
fn team_groups(world: &FlowWorld) -> Vec<(u8, Teams)> {
    let mut alike_teams = [Teams::ALL; MAX_TEAMS as usize];
    let inside = world.inspect();
    for (_, open_to) in inside.gates().filter_map(|gate| inside.gate(gate)) {
        for (team, alike) in (0..MAX_TEAMS).zip(&mut alike_teams) {
            let same_here = if open_to.has(team) {
                open_to
            } else {
                open_to.others()
            };
            *alike = Teams::from_bits(alike.bits() & same_here.bits());
        }
    }
    // Each group once, at its first team.
    (0..MAX_TEAMS)
        .zip(alike_teams)
        .filter(|&(team, teams)| (0..team).all(|lower| !teams.has(lower)))
        .collect()
}

/// Returns a name: what the movement changes of the ground, and the teams if some see
/// gates differently.
fn name(layer: LayerId, movement: Option<&Movement>, teams: Teams) -> String {
    let mut name = match layer.number() {
        0 => "ground".to_owned(),
        number => format!("layer {number}: {}", about(movement)),
    };
    if teams != Teams::ALL {
        let numbers: Vec<u8> = (0..MAX_TEAMS).filter(|&team| teams.has(team)).collect();
        let word = if numbers.len() == 1 { "team" } else { "teams" };
        // Writing into a text does not fail.
        let _ = write!(name, ", {word} {}", ranges(&numbers));
    }
    name
}

/// Says what a movement changes of the ground.
fn about(movement: Option<&Movement>) -> String {
    let Some(movement) = movement else {
        return "freed".to_owned();
    };
    let mut parts = Vec::new();
    if movement.size() > 1 {
        parts.push(format!("{} cells wide", movement.size()));
    }
    let (mut walls, mut open, mut other) = (Vec::new(), Vec::new(), Vec::new());
    for kind in 1..=u8::MAX {
        let Ok(ground) = Cost::new(kind) else {
            continue;
        };
        match movement.cost(ground) {
            cost if cost == ground => {}
            cost if cost.is_wall() => walls.push(kind),
            _ if ground.is_wall() => open.push(kind),
            _ => other.push(kind),
        }
    }
    if !walls.is_empty() {
        parts.push(format!("walls where the ground is {}", ranges(&walls)));
    }
    if !open.is_empty() {
        parts.push("over walls".to_owned());
    }
    if !other.is_empty() {
        parts.push(format!("other costs for {}", ranges(&other)));
    }
    if movement.wall_costs() != [0; 4] {
        parts.push("costs more beside walls".to_owned());
    }
    if parts.is_empty() {
        parts.push("same as the ground".to_owned());
    }
    parts.join(", ")
}

/// Writes rising numbers, runs of them as ranges.
fn ranges(numbers: &[u8]) -> String {
    let runs: Vec<&[u8]> = numbers.chunk_by(|one, next| one + 1 == *next).collect();
    let range = |run: &&[u8]| match run {
        [only] => only.to_string(),
        [first, last] => format!("{first}, {last}"),
        [first, .., last] => format!("{first}–{last}"),
        [] => String::new(),
    };
    let mut shown: Vec<String> = runs.iter().take(RANGES_MAX).map(range).collect();
    if runs.len() > RANGES_MAX {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

/// One layer of a world, ready to be drawn.
#[derive(Clone, Copy)]
pub(crate) struct OnLayer<'a> {
    /// The layer, as the first of its teams sees it.
    pub(crate) id: LayerId,
    /// The costs of the layer. For wide bodies, a cell is the position of the anchor.
    pub(crate) costs: &'a CostMap,
    /// Portals and islands of the layer.
    pub(crate) inside: Inspection<'a>,
}

impl<'a> OnLayer<'a> {
    /// Returns a layer of a world; the ground if the layer is not derived.
    pub(crate) fn of(world: &'a FlowWorld, id: LayerId) -> Self {
        match (world.layer(id), world.inspect().layer(id)) {
            (Some(view), Some(inside)) => Self {
                id,
                costs: view.costs(),
                inside,
            },
            _ => Self {
                id: LayerId::GROUND,
                costs: world.costs(),
                inside: world.inspect(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::{Cell, CellRect, Goal};

    use super::*;

    fn listed(list: &mut LayerList, world: &FlowWorld) -> Vec<(u16, u8, u8, bool, String)> {
        let layers = list.update(world);
        let entry = |one: &WorldLayer| {
            let (number, team) = (one.id.number(), one.id.team());
            (
                number,
                team,
                one.teams.bits(),
                one.is_derived,
                one.name.clone(),
            )
        };
        layers.iter().map(entry).collect()
    }

    #[test]
    fn layers_are_listed_when_declared_derived_when_used() {
        let mut world = FlowWorld::new(CostMap::open(60, 40).unwrap());
        let mut list = LayerList::default();
        let ground = (0, 0, 255, true, "ground".to_owned());
        assert_eq!(listed(&mut list, &world), std::slice::from_ref(&ground));
        let water = Cost::new(20).unwrap();
        let tank = Movement::new().with_cost(water, Cost::WALL);
        let tank = world.add_layer(tank.with_size(3).unwrap()).unwrap();
        let name = "layer 1: 3 cells wide, walls where the ground is 20".to_owned();
        let declared = (1, 0, 255, false, name.clone());
        assert_eq!(listed(&mut list, &world), [ground.clone(), declared]);
        let goal = Goal::at(Cell::new(50, 20)).on(tank);
        let order = world.order(goal, &[Cell::new(5, 20)]).unwrap();
        let derived = (1, 0, 255, true, name);
        assert_eq!(listed(&mut list, &world), [ground, derived]);
        let layers = list.update(&world);
        assert_eq!(layer_to_show(&layers, tank), tank);
        assert_eq!(refusal(&layers, tank), None);
        drop(order);
        world.free_layer(tank).unwrap();
        let layers = list.update(&world);
        assert_eq!(layer_to_show(&layers, tank), LayerId::GROUND);
        assert!(
            refusal(&layers, tank)
                .unwrap()
                .starts_with("layer 1 is not derived")
        );
        let none = LayerId::from_number(2);
        assert_eq!(layer_to_show(&layers, none), LayerId::GROUND);
        assert!(
            refusal(&layers, none)
                .unwrap()
                .starts_with("the world has no layer 2")
        );
    }

    #[test]
    fn teams_that_see_gates_alike_share_an_entry() {
        let mut world = FlowWorld::new(CostMap::open(60, 40).unwrap());
        let gate = CellRect::new(30, 0, 2, 40);
        world.add_gate(gate, Teams::NONE.with(2).with(5)).unwrap();
        let mut list = LayerList::default();
        let (all, some) = ("ground, teams 0, 1, 3, 4, 6, 7", "ground, teams 2, 5");
        assert_eq!(
            listed(&mut list, &world),
            [
                (0, 0, 0b1101_1011, true, all.to_owned()),
                (0, 2, 0b0010_0100, true, some.to_owned()),
            ]
        );
        let team = LayerId::GROUND.for_team(5).unwrap();
        let layers = list.update(&world);
        let shown = layer_to_show(&layers, team);
        assert_eq!([shown.number(), u16::from(shown.team())], [0, 2]);
        let costs = |layer| OnLayer::of(&world, layer).costs.get(Cell::new(30, 9));
        assert_eq!(costs(shown), Some(Cost::OPEN));
        assert_eq!(costs(LayerId::GROUND), Some(Cost::WALL));
    }

    #[test]
    fn names_say_what_a_movement_changes() {
        let cost = |value| Cost::new(value).unwrap();
        let said = |movement: Movement| about(Some(&movement));
        assert_eq!(said(Movement::new()), "same as the ground");
        let flyer = Movement::new().with_costs(|_| Cost::OPEN);
        assert_eq!(said(flyer), "over walls, other costs for 2–254");
        let ship = Movement::new().with_costs(|kind| match kind.value() {
            20 => Cost::OPEN,
            _ => Cost::WALL,
        });
        let walls = "walls where the ground is 1–19, 21–254, other costs for 20";
        assert_eq!(said(ship), walls);
        let patchy = [3, 5, 7, 8, 11]
            .iter()
            .fold(Movement::new(), |movement, &kind| {
                movement.with_cost(cost(kind), Cost::WALL)
            });
        assert_eq!(said(patchy), "walls where the ground is 3, 5, 7, 8, …");
        let wary = Movement::new().with_wall_costs([4, 0, 0, 0]);
        assert_eq!(said(wary), "costs more beside walls");
    }
}
