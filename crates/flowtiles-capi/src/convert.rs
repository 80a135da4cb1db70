//! From the structs of C to the types of the engine, and back.

use flowtiles::steer::{
    ArmyEvent, Chase, GroupId, HardGround, Line, Reading, Sending, Sent, Settings, Shape, Target,
};
use flowtiles::{
    Cell, CellRect, Cost, EditReport, Goal, LayerId, LinkId, Movement, Progress, Quality, Waypoint,
};

use crate::handles::ORDERS;
use crate::memory::{array, one};
use crate::status::{FLOWTILES_ERROR_FOREIGN, Fault};
use crate::types::*;

impl From<flowtiles_cell> for Cell {
    fn from(cell: flowtiles_cell) -> Self {
        Self::new(cell.x, cell.y)
    }
}

impl From<Cell> for flowtiles_cell {
    fn from(cell: Cell) -> Self {
        Self {
            x: cell.x,
            y: cell.y,
        }
    }
}

impl From<flowtiles_rect> for CellRect {
    fn from(rect: flowtiles_rect) -> Self {
        Self::new(rect.x, rect.y, rect.width, rect.height)
    }
}

impl From<Progress> for flowtiles_progress {
    fn from(progress: Progress) -> Self {
        Self {
            cells: progress.cells,
            owed: progress.owed,
            waiting: progress.waiting as u64,
        }
    }
}

impl From<EditReport> for flowtiles_edit_report {
    fn from(report: EditReport) -> Self {
        Self {
            cells: report.cells,
            sectors: report.sectors as u32,
            rebuilt: report.rebuilt as u32,
            orders: report.orders as u32,
        }
    }
}

pub(crate) fn cells(cells: &[flowtiles_cell]) -> Vec<Cell> {
    cells.iter().copied().map(Cell::from).collect()
}

pub(crate) fn areas(areas: &[flowtiles_rect]) -> Vec<CellRect> {
    areas.iter().copied().map(CellRect::from).collect()
}

pub(crate) fn cost(value: u8) -> Result<Cost, Fault> {
    Cost::new(value).map_err(Fault::argument)
}

/// Returns an entry of an array of costs, whose index the error names.
pub(crate) fn cost_at(costs: &[u8], index: usize, what: &str) -> Result<Cost, Fault> {
    let cost = Cost::new(costs[index]);
    cost.map_err(|error| Fault::argument(format!("`{what}` at index {index}: {error}")))
}

pub(crate) fn layer(layer: flowtiles_layer) -> Result<LayerId, Fault> {
    let team = u8::try_from(layer >> 16).ok();
    let id = team.and_then(|team| LayerId::from_number(layer as u16).for_team(team));
    id.ok_or_else(|| Fault::not_found(format!("layer {layer:#x} has no team from 0 to 7")))
}

/// # Safety
/// As the head of the crate says, for the array of cells.
pub(crate) unsafe fn goal(goal: &flowtiles_goal) -> Result<Goal, Fault> {
    // SAFETY: as for this function.
    let found = unsafe { array(goal.cells, goal.cells_count, "goal.cells") }?;
    let found = Goal::any_of(cells(found));
    let found = found.ok_or_else(|| Fault::argument("the goal has no cell: give at least one"))?;
    let quality = match goal.quality {
        FLOWTILES_QUALITY_CORRIDOR => Quality::Corridor,
        FLOWTILES_QUALITY_EXACT => Quality::Exact,
        FLOWTILES_QUALITY_EVERYWHERE => Quality::Everywhere,
        other => return Err(no_such("quality", other, 2)),
    };
    let found = found.on(layer(goal.layer)?).with_quality(quality);
    Ok(if flag("goal.or_nearest", goal.or_nearest)? {
        found.or_nearest()
    } else {
        found
    })
}

pub(crate) fn flag(what: &str, value: u32) -> Result<bool, Fault> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(no_such(what, other, 1)),
    }
}

fn no_such(what: &str, value: u32, last: u32) -> Fault {
    Fault::argument(format!("{value} is no value of `{what}`: give 0 to {last}"))
}

/// Returns each point of a path with the number of the link that leads on from it.
pub(crate) fn points_and_links(path: Option<Vec<Waypoint>>) -> Vec<([f32; 2], u32)> {
    let path = path.unwrap_or_default().into_iter();
    // No link has this number.
    path.map(|point| (point.at, point.link.map_or(u32::MAX, LinkId::number)))
        .collect()
}

impl From<&Movement> for flowtiles_movement {
    fn from(movement: &Movement) -> Self {
        let cost_of =
            |kind: usize| Cost::new(kind as u8).map_or(0, |kind| movement.cost(kind).value());
        Self {
            costs: std::array::from_fn(cost_of),
            size: movement.size(),
            wall_costs: movement.wall_costs(),
        }
    }
}

pub(crate) fn movement(movement: &flowtiles_movement) -> Result<Movement, Fault> {
    let mut made = Movement::new()
        .with_size(movement.size)?
        .with_wall_costs(movement.wall_costs);
    for kind in 1..=u8::MAX {
        let value = cost_at(&movement.costs, kind.into(), "movement.costs")?;
        made = made.with_cost(cost(kind)?, value);
    }
    Ok(made)
}

impl From<Settings> for flowtiles_settings {
    fn from(settings: Settings) -> Self {
        Self {
            force: settings.force,
            follow: settings.follow,
            separation: settings.separation,
            alignment: settings.alignment,
            cohesion: settings.cohesion,
            avoidance: settings.avoidance,
            room: settings.room,
            range: settings.range,
            horizon: settings.horizon,
            catch_up: settings.catch_up,
            patience: settings.patience,
            pushes: settings.pushes,
            hard_ground_slows: (settings.terrain == HardGround::Slows).into(),
        }
    }
}

pub(crate) fn settings(settings: &flowtiles_settings) -> Result<Settings, Fault> {
    let mut made = Settings::default();
    made.force = settings.force;
    made.follow = settings.follow;
    made.separation = settings.separation;
    made.alignment = settings.alignment;
    made.cohesion = settings.cohesion;
    made.avoidance = settings.avoidance;
    made.room = settings.room;
    made.range = settings.range;
    made.horizon = settings.horizon;
    made.catch_up = settings.catch_up;
    made.patience = settings.patience;
    made.pushes = settings.pushes;
    made.terrain = if flag("hard_ground_slows", settings.hard_ground_slows)? {
        HardGround::Slows
    } else {
        HardGround::Ignored
    };
    Ok(made)
}

/// Returns the target of a group whose army belongs to this world.
pub(crate) fn target(target: &flowtiles_target, world: flowtiles_world) -> Result<Target, Fault> {
    let order = || {
        let order = ORDERS.get(target.order)?;
        if order.world != world {
            let text = "the order belongs to another world than the army: give one of its own";
            return Err(Fault::new(FLOWTILES_ERROR_FOREIGN, text));
        }
        Ok(order.read()?.clone())
    };
    let chase = chase([target.range, target.leash, target.sight]);
    let safe = target.safe;
    Ok(match target.kind {
        FLOWTILES_TARGET_FLOCK => Target::Flock,
        FLOWTILES_TARGET_STAND => Target::Stand,
        FLOWTILES_TARGET_HOLD => Target::Hold,
        FLOWTILES_TARGET_POINT => Target::Point([target.x, target.y]),
        FLOWTILES_TARGET_FOLLOW => Target::Follow(target.unit),
        FLOWTILES_TARGET_PURSUE => Target::Pursue(target.unit, chase),
        FLOWTILES_TARGET_ORDER => Target::Order(order()?),
        FLOWTILES_TARGET_ATTACK => Target::AttackMove(order()?, chase),
        FLOWTILES_TARGET_FLEE => Target::Flee {
            from: Some(target.unit),
            safe,
        },
        FLOWTILES_TARGET_FLEE_FOES => Target::Flee { from: None, safe },
        other => return Err(no_such("target.kind", other, FLOWTILES_TARGET_FLEE_FOES)),
    })
}

fn chase([range, leash, sight]: [f32; 3]) -> Chase {
    Chase::default()
        .with_range(range)
        .with_leash(leash)
        .with_sight(sight)
}

fn sending(sending: &flowtiles_sending) -> Result<Sending, Fault> {
    let mut made = Sending::default();
    made.queued = flag("how.queued", sending.queued)?;
    made.together = flag("how.together", sending.together)?;
    if flag("how.attack", sending.attack)? {
        made.attack = Some(chase([sending.range, sending.leash, sending.sight]));
    }
    if flag("how.formed", sending.formed)? {
        made.formation = Some((shape(sending.shape)?, sending.spacing));
    }
    Ok(made)
}

/// Returns groups, each with its own chase if it has one, and how they are sent.
///
/// # Safety
/// As the head of the crate says, for both pointers and the array of chases.
pub(crate) unsafe fn groups_sent(
    groups: &[flowtiles_group],
    how: *const flowtiles_sending,
) -> Result<(Vec<Sent>, Sending), Fault> {
    let sent = groups.iter().copied().map(GroupId::from_number);
    let mut sent: Vec<Sent> = sent.map(Sent::from).collect();
    if how.is_null() {
        return Ok((sent, Sending::default()));
    }
    // SAFETY: as for this function.
    let how = unsafe { one(how, "how") }?;
    if !how.chases.is_null() {
        // SAFETY: as for this function.
        let chases = unsafe { array(how.chases, groups.len(), "how.chases") }?;
        for (sent, own) in sent.iter_mut().zip(chases) {
            if flag("how.chases.attack", own.attack)? {
                sent.attack = Some(chase([own.range, own.leash, own.sight]));
            }
        }
    }
    Ok((sent, sending(how)?))
}

impl From<flowtiles_line> for Line {
    fn from(line: flowtiles_line) -> Self {
        Self::new([line.left_x, line.left_y], [line.right_x, line.right_y])
    }
}

pub(crate) fn reading(reading: u32) -> Result<Reading, Fault> {
    Ok(match reading {
        FLOWTILES_READING_NEAREST => Reading::Nearest,
        FLOWTILES_READING_BILINEAR => Reading::Bilinear,
        FLOWTILES_READING_LOWEST_OF_FOUR => Reading::LowestOfFour,
        FLOWTILES_READING_AHEAD => Reading::Ahead,
        FLOWTILES_READING_CROWD => Reading::Crowd,
        other => return Err(no_such("reading", other, FLOWTILES_READING_CROWD)),
    })
}

pub(crate) fn shape(shape: u32) -> Result<Shape, Fault> {
    Ok(match shape {
        FLOWTILES_SHAPE_LINE => Shape::Line,
        FLOWTILES_SHAPE_WEDGE => Shape::Wedge,
        FLOWTILES_SHAPE_BOX => Shape::Box,
        FLOWTILES_SHAPE_COLUMN => Shape::Column,
        other => return Err(no_such("shape", other, FLOWTILES_SHAPE_COLUMN)),
    })
}

impl From<&ArmyEvent> for flowtiles_event {
    fn from(event: &ArmyEvent) -> Self {
        let no_group = flowtiles_group::default();
        let (kind, group, unit, value) = match *event {
            ArmyEvent::Arrived { unit } => (FLOWTILES_EVENT_ARRIVED, no_group, unit, 0),
            ArmyEvent::GroupArrived { group } => {
                (FLOWTILES_EVENT_GROUP_ARRIVED, group.number(), 0, 0)
            }
            ArmyEvent::Reached { group, unit } => {
                (FLOWTILES_EVENT_REACHED, group.number(), unit, 0)
            }
            ArmyEvent::Lost { group, unit } => (FLOWTILES_EVENT_LOST, group.number(), unit, 0),
            ArmyEvent::Stuck { unit, level } => {
                (FLOWTILES_EVENT_STUCK, no_group, unit, level.into())
            }
            ArmyEvent::TooWide { unit } => (FLOWTILES_EVENT_TOO_WIDE, no_group, unit, 0),
            ArmyEvent::Entered { unit, link } => {
                (FLOWTILES_EVENT_ENTERED, no_group, unit, link.number())
            }
            ArmyEvent::Unreachable { unit } => (FLOWTILES_EVENT_UNREACHABLE, no_group, unit, 0),
            _ => (FLOWTILES_EVENT_OTHER, no_group, 0, 0),
        };
        Self {
            group,
            kind,
            unit,
            value,
        }
    }
}
