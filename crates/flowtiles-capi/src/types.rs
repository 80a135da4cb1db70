//! The structs and numbers that cross the border.

/// The handle of a world; 0 is none.
pub type flowtiles_world = u64;
/// The handle of an order: a claim on its field. 0 is none.
pub type flowtiles_order = u64;
/// The handle of an army; 0 is none.
pub type flowtiles_army = u64;
/// The id of a group of one army: no handle. The first group's is 0, and that of a removed
/// group is never given again.
pub type flowtiles_group = u64;
/// A movement layer as a team sees it: the layer's number, plus the team, 0 to 7, times
/// 65,536. 0 is the ground as team 0 sees it.
pub type flowtiles_layer = u32;

/// A cell of the map: its column and row.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct flowtiles_cell {
    /// The column, from the west.
    pub x: i32,
    /// The row, from the north.
    pub y: i32,
}

/// A rectangle of cells.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct flowtiles_rect {
    /// The first column.
    pub x: i32,
    /// The first row.
    pub y: i32,
    /// The columns.
    pub width: u32,
    /// The rows.
    pub height: u32,
}

/// What a tick did.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct flowtiles_progress {
    /// The work done, in cells.
    pub cells: u64,
    /// The work by which ticks overdrew their budgets, in cells: the next gets less.
    pub owed: u64,
    /// The orders that still have work left; 0 when all are done.
    pub waiting: u64,
}

/// What an edit did.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct flowtiles_edit_report {
    /// The cells whose cost changed.
    pub cells: u64,
    /// The sectors with such cells.
    pub sectors: u32,
    /// The sectors whose portals were derived again.
    pub rebuilt: u32,
    /// The orders that the next ticks plan again.
    pub orders: u32,
}

/// What a world holds.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct flowtiles_stats {
    /// The columns of the map.
    pub width: u32,
    /// The rows of the map.
    pub height: u32,
    /// The sectors of the map.
    pub sectors: u32,
    /// The portals between them.
    pub portals: u32,
    /// The orders that are claimed.
    pub orders: u32,
    /// The orders that have work left.
    pub waiting: u32,
    /// The tiles of directions that are loaded for orders.
    pub tiles: u32,
    /// The bytes of costs, graph, cliques and orders.
    pub bytes: u64,
}

/// How units of one class move. `flowtiles_movement_default`
/// fills it in.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct flowtiles_movement {
    /// By kind of ground (the cost of a cell on the ground's own layer), what it costs
    /// this class: 1 to 254, or 255 for a wall. The first entry is not read.
    pub costs: [u8; 256],
    /// The width of bodies in cells, 1 to 8.
    pub size: u8,
    /// What is added to the costs of cells 1, 2, 3 and 4 cells from a wall.
    pub wall_costs: [u8; 4],
}

/// Only the sectors on the route are loaded, and some beside it. The right choice for
/// nearly everything.
pub const FLOWTILES_QUALITY_CORRIDOR: u32 = 0;
/// Every sector is loaded that a cheapest path may cross.
pub const FLOWTILES_QUALITY_EXACT: u32 = 1;
/// Every sector is loaded from which the goal can be reached.
pub const FLOWTILES_QUALITY_EVERYWHERE: u32 = 2;

/// Where an order leads. All zeros but the cells are a good default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct flowtiles_goal {
    /// The goal cells: each unit goes to the one that is cheapest to reach.
    pub cells: *const flowtiles_cell,
    /// Their number, at least 1.
    pub cells_count: usize,
    /// The movement layer.
    pub layer: flowtiles_layer,
    /// `FLOWTILES_QUALITY_CORRIDOR`, `FLOWTILES_QUALITY_EXACT` or `FLOWTILES_QUALITY_EVERYWHERE`.
    pub quality: u32,
    /// With 1, units that cannot reach the goal go to the nearest cell that they can
    /// reach; with 0, the order is refused if none can.
    pub or_nearest: u32,
}

/// A sample from 0: the unit takes the step in the lowest three bits.
pub const FLOWTILES_SAMPLE_GO: u8 = 0x00;
/// The unit enters a link: see `flowtiles_order_link_exit`.
pub const FLOWTILES_SAMPLE_LINK: u8 = 0x10;
/// The unit is at the goal.
pub const FLOWTILES_SAMPLE_ARRIVED: u8 = 0x20;
/// Directions are not ready: more ticks are needed.
pub const FLOWTILES_SAMPLE_WAITING: u8 = 0x30;
/// The order has no directions here: see `flowtiles_order_cover`.
pub const FLOWTILES_SAMPLE_OFF_ROUTE: u8 = 0x40;
/// The goal cannot be reached from here.
pub const FLOWTILES_SAMPLE_UNREACHABLE: u8 = 0x50;
/// The cell is a wall: `flowtiles_order_sample_rows` writes it, where a sample of the cell alone
/// leads the unit out.
pub const FLOWTILES_SAMPLE_WALL: u8 = 0x60;

/// How an army's units move. `flowtiles_settings_default`
/// fills it in.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct flowtiles_settings {
    /// How fast a velocity may change, in cells a second each second.
    pub force: f32,
    /// The weight of following the field.
    pub follow: f32,
    /// The weight of keeping room.
    pub separation: f32,
    /// The weight of moving like the group's neighbours.
    pub alignment: f32,
    /// The weight of moving toward the middle of the group's neighbours.
    pub cohesion: f32,
    /// The weight of stepping aside before a contact.
    pub avoidance: f32,
    /// The room that units keep between their circles if they can, in cells.
    pub room: f32,
    /// The distance up to which neighbours count, in cells.
    pub range: f32,
    /// How far ahead contacts are avoided, in seconds.
    pub horizon: f32,
    /// The factor by which a unit that lags behind its formation exceeds its speed.
    pub catch_up: f32,
    /// The seconds without progress after which a unit tries harder.
    pub patience: f32,
    /// How often a step pushes overlapping units apart; with 0 they walk through each
    /// other.
    pub pushes: u32,
    /// With 1, units go slower on hard ground; with 0, at full speed.
    pub hard_ground_slows: u32,
}

/// A unit to add: a circle that moves.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct flowtiles_unit {
    /// The group.
    pub group: flowtiles_group,
    /// The number of the unit, unique in its army. It breaks ties, so number units by
    /// something that is the same on every machine.
    pub id: u32,
    /// The middle, in cells: from -1,000,000 to 1,000,000.
    pub x: f32,
    /// The middle, in cells.
    pub y: f32,
    /// The radius, 0 to 16 cells. Below 0.5 the unit fits wherever its field leads.
    pub radius: f32,
    /// The greatest speed, in cells a second.
    pub speed: f32,
}

/// Units flock, and keep the velocity that they get.
pub const FLOWTILES_TARGET_FLOCK: u32 = 0;
/// Units stand, make room for others, and stop again.
pub const FLOWTILES_TARGET_STAND: u32 = 1;
/// Units stand, make room, and come back to their place.
pub const FLOWTILES_TARGET_HOLD: u32 = 2;
/// Straight to the point `x`, `y`.
pub const FLOWTILES_TARGET_POINT: u32 = 3;
/// Straight toward the unit `unit`, and along with it.
pub const FLOWTILES_TARGET_FOLLOW: u32 = 4;
/// After the unit `unit`, by an order of the army's own, to within `range`.
pub const FLOWTILES_TARGET_PURSUE: u32 = 5;
/// To the goal of `order`.
pub const FLOWTILES_TARGET_ORDER: u32 = 6;
/// To the goal of `order`, turning on the foes in `sight`.
pub const FLOWTILES_TARGET_ATTACK: u32 = 7;
/// Away from the unit `unit`, until it is `safe` cells away.
pub const FLOWTILES_TARGET_FLEE: u32 = 8;
/// Away from all foes, until they are `safe` cells away.
pub const FLOWTILES_TARGET_FLEE_FOES: u32 = 9;

/// The target of a group. `flowtiles_target_default`
/// fills it in; then only what the kind names needs to be set.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct flowtiles_target {
    /// The order, of the army's world. The group gets a claim of its own.
    pub order: flowtiles_order,
    /// One of the kinds from `FLOWTILES_TARGET_FLOCK` to `FLOWTILES_TARGET_FLEE_FOES`.
    pub kind: u32,
    /// The id of a unit.
    pub unit: u32,
    /// A point, in cells.
    pub x: f32,
    /// A point, in cells.
    pub y: f32,
    /// The gap between bodies at which a chase stops, in cells.
    pub range: f32,
    /// How far a chase may lead from where it began, in cells.
    pub leash: f32,
    /// How far foes are seen, in cells.
    pub sight: f32,
    /// The distance at which a flight ends, in cells.
    pub safe: f32,
}

/// How one of several groups turns on foes. All zeros is as the others do.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct flowtiles_chase {
    /// With 1, the group turns on the foes in `sight`, in its own way; with 0, it does as
    /// `flowtiles_sending` says of all.
    pub attack: u32,
    /// The gap between bodies at which a chase stops, in cells.
    pub range: f32,
    /// How far a chase may lead from where it began, in cells.
    pub leash: f32,
    /// How far foes are seen, in cells.
    pub sight: f32,
}

/// A line, drawn from the left to the right of units that stand on it and look ahead: from west
/// to east they face north. Ends are from -1,000,000 to 1,000,000.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct flowtiles_line {
    /// The left end, in cells.
    pub left_x: f32,
    /// The left end, in cells.
    pub left_y: f32,
    /// The right end, in cells.
    pub right_x: f32,
    /// The right end, in cells.
    pub right_y: f32,
}

/// How groups are sent to a goal together. `flowtiles_sending_default`
/// fills it in.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct flowtiles_sending {
    /// With 1, they go after all that they have to reach; with 0, at once.
    pub queued: u32,
    /// With 1, they share a pace; with 0, each group has its own.
    pub together: u32,
    /// With 1, they turn on the foes in `sight`; with 0, they go past them.
    pub attack: u32,
    /// The gap between bodies at which a chase stops, in cells.
    pub range: f32,
    /// How far a chase may lead from where it began, in cells.
    pub leash: f32,
    /// How far foes are seen, in cells.
    pub sight: f32,
    /// With 1, they go in one formation; with 0, `shape` and `spacing` are not read.
    pub formed: u32,
    /// One of the `FLOWTILES_SHAPE_` numbers.
    pub shape: u32,
    /// The distance between the places of the formation, in cells.
    pub spacing: f32,
    /// `NULL`, or an entry for each group of the call.
    pub chases: *const flowtiles_chase,
}

/// The direction of the cell underfoot: one of eight. The cheapest reading.
pub const FLOWTILES_READING_NEAREST: u32 = 0;
/// The mean of the four cells around.
pub const FLOWTILES_READING_BILINEAR: u32 = 1;
/// Toward the lowest of the four cells around.
pub const FLOWTILES_READING_LOWEST_OF_FOUR: u32 = 2;
/// Toward the farthest cell in sight along the field. The right one for marching units.
pub const FLOWTILES_READING_AHEAD: u32 = 3;
/// As `FLOWTILES_READING_AHEAD`, and around crowds.
pub const FLOWTILES_READING_CROWD: u32 = 4;

/// Wide and shallow.
pub const FLOWTILES_SHAPE_LINE: u32 = 0;
/// A tip, and two more units in each rank behind.
pub const FLOWTILES_SHAPE_WEDGE: u32 = 1;
/// As wide as deep.
pub const FLOWTILES_SHAPE_BOX: u32 = 2;
/// Narrow and deep.
pub const FLOWTILES_SHAPE_COLUMN: u32 = 3;

/// On its way.
pub const FLOWTILES_STATE_MARCHING: u8 = 0;
/// At its goal.
pub const FLOWTILES_STATE_ARRIVED: u8 = 1;
/// Cut off from its goal.
pub const FLOWTILES_STATE_UNREACHABLE: u8 = 2;
/// In range of its quarry.
pub const FLOWTILES_STATE_ENGAGED: u8 = 3;

/// The unit has reached its goal.
pub const FLOWTILES_EVENT_ARRIVED: u32 = 0;
/// All units of the group that can reach its goal have arrived.
pub const FLOWTILES_EVENT_GROUP_ARRIVED: u32 = 1;
/// A unit of the group has come within range of its quarry, the unit.
pub const FLOWTILES_EVENT_REACHED: u32 = 2;
/// The group's pursuit of the unit has ended.
pub const FLOWTILES_EVENT_LOST: u32 = 3;
/// The unit makes no progress; `value` is 1, 2 or 3, and grows as it tries harder.
pub const FLOWTILES_EVENT_STUCK: u32 = 4;
/// The unit has come out of the link whose number is `value`.
pub const FLOWTILES_EVENT_ENTERED: u32 = 5;
/// The unit is cut off from its goal, or in a wall or off the map with no free place near.
pub const FLOWTILES_EVENT_UNREACHABLE: u32 = 6;
/// The unit makes no progress, and is wider than the bodies for which its order is made.
pub const FLOWTILES_EVENT_TOO_WIDE: u32 = 7;
/// Something that this interface has no word for yet.
pub const FLOWTILES_EVENT_OTHER: u32 = 255;

/// An event of an army's last step. What a kind does not name is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct flowtiles_event {
    /// The group.
    pub group: flowtiles_group,
    /// One of the kinds from `FLOWTILES_EVENT_ARRIVED`.
    pub kind: u32,
    /// The id of the unit.
    pub unit: u32,
    /// More about it.
    pub value: u32,
}
