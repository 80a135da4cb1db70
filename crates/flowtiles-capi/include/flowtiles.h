/* flowtiles: worlds, orders and armies over a C ABI.
 *
 * Worlds, orders and armies are named by handles, never 0: one that was freed, or that names
 * something else, is answered with an error. Groups, layers, links and units are no handles but
 * ids of their army or world, and 0 is one of them: that of the first group. Every call that can fail returns FLOWTILES_OK or an error, and
 * flowtiles_last_error() has its words; it has changed nothing then, unless it says so.
 * All arrays are the caller's. A call that fills one takes its room as `capacity` and writes
 * the number of entries as `count`; if they do not fit, nothing else is written, and NULL
 * with a capacity of 0 asks for the number. Cells are columns from the west and rows from
 * the north; distances are in cells, speeds in cells a second, work in cells.
 *
 * Written by cbindgen from the crate flowtiles-capi: cbindgen.toml says how. */


#ifndef FLOWTILES_H
#define FLOWTILES_H

#include <stddef.h>
#include <stdint.h>

// The version of this interface: of the functions, structs and numbers. It grows with
// every change that a compiled caller would notice.
#define FLOWTILES_ABI_VERSION 4

// Only the sectors on the route are loaded, and some beside it. The right choice for
// nearly everything.
#define FLOWTILES_QUALITY_CORRIDOR 0

// Every sector is loaded that a cheapest path may cross.
#define FLOWTILES_QUALITY_EXACT 1

// Every sector is loaded from which the goal can be reached.
#define FLOWTILES_QUALITY_EVERYWHERE 2

// A sample from 0: the unit takes the step in the lowest three bits.
#define FLOWTILES_SAMPLE_GO 0

// The unit enters a link: see `flowtiles_order_link_exit`.
#define FLOWTILES_SAMPLE_LINK 16

// The unit is at the goal.
#define FLOWTILES_SAMPLE_ARRIVED 32

// Directions are not ready: more ticks are needed.
#define FLOWTILES_SAMPLE_WAITING 48

// The order has no directions here: see `flowtiles_order_cover`.
#define FLOWTILES_SAMPLE_OFF_ROUTE 64

// The goal cannot be reached from here.
#define FLOWTILES_SAMPLE_UNREACHABLE 80

// The cell is a wall: `flowtiles_order_sample_rows` writes it, where a sample of the cell alone
// leads the unit out.
#define FLOWTILES_SAMPLE_WALL 96

// Units flock, and keep the velocity that they get.
#define FLOWTILES_TARGET_FLOCK 0

// Units stand, make room for others, and stop again.
#define FLOWTILES_TARGET_STAND 1

// Units stand, make room, and come back to their place.
#define FLOWTILES_TARGET_HOLD 2

// Straight to the point `x`, `y`.
#define FLOWTILES_TARGET_POINT 3

// Straight toward the unit `unit`, and along with it.
#define FLOWTILES_TARGET_FOLLOW 4

// After the unit `unit`, by an order of the army's own, to within `range`.
#define FLOWTILES_TARGET_PURSUE 5

// To the goal of `order`.
#define FLOWTILES_TARGET_ORDER 6

// To the goal of `order`, turning on the foes in `sight`.
#define FLOWTILES_TARGET_ATTACK 7

// Away from the unit `unit`, until it is `safe` cells away.
#define FLOWTILES_TARGET_FLEE 8

// Away from all foes, until they are `safe` cells away.
#define FLOWTILES_TARGET_FLEE_FOES 9

// The direction of the cell underfoot: one of eight. The cheapest reading.
#define FLOWTILES_READING_NEAREST 0

// The mean of the four cells around.
#define FLOWTILES_READING_BILINEAR 1

// Toward the lowest of the four cells around.
#define FLOWTILES_READING_LOWEST_OF_FOUR 2

// Toward the farthest cell in sight along the field. The right one for marching units.
#define FLOWTILES_READING_AHEAD 3

// As `FLOWTILES_READING_AHEAD`, and around crowds.
#define FLOWTILES_READING_CROWD 4

// Wide and shallow.
#define FLOWTILES_SHAPE_LINE 0

// A tip, and two more units in each rank behind.
#define FLOWTILES_SHAPE_WEDGE 1

// As wide as deep.
#define FLOWTILES_SHAPE_BOX 2

// Narrow and deep.
#define FLOWTILES_SHAPE_COLUMN 3

// On its way.
#define FLOWTILES_STATE_MARCHING 0

// At its goal.
#define FLOWTILES_STATE_ARRIVED 1

// Cut off from its goal.
#define FLOWTILES_STATE_UNREACHABLE 2

// In range of its quarry.
#define FLOWTILES_STATE_ENGAGED 3

// The unit has reached its goal.
#define FLOWTILES_EVENT_ARRIVED 0

// All units of the group that can reach its goal have arrived.
#define FLOWTILES_EVENT_GROUP_ARRIVED 1

// A unit of the group has come within range of its quarry, the unit.
#define FLOWTILES_EVENT_REACHED 2

// The group's pursuit of the unit has ended.
#define FLOWTILES_EVENT_LOST 3

// The unit makes no progress; `value` is 1, 2 or 3, and grows as it tries harder.
#define FLOWTILES_EVENT_STUCK 4

// The unit has come out of the link whose number is `value`.
#define FLOWTILES_EVENT_ENTERED 5

// The unit is cut off from its goal, or in a wall or off the map with no free place near.
#define FLOWTILES_EVENT_UNREACHABLE 6

// The unit makes no progress, and is wider than the bodies for which its order is made.
#define FLOWTILES_EVENT_TOO_WIDE 7

// Something that this interface has no word for yet.
#define FLOWTILES_EVENT_OTHER 255

// What a call returns: `FLOWTILES_OK` or why it failed.
typedef int32_t flowtiles_status;

// How an army's units move. `flowtiles_settings_default`
// fills it in.
typedef struct flowtiles_settings {
    // How fast a velocity may change, in cells a second each second.
    float force;
    // The weight of following the field.
    float follow;
    // The weight of keeping room.
    float separation;
    // The weight of moving like the group's neighbours.
    float alignment;
    // The weight of moving toward the middle of the group's neighbours.
    float cohesion;
    // The weight of stepping aside before a contact.
    float avoidance;
    // The room that units keep between their circles if they can, in cells.
    float room;
    // The distance up to which neighbours count, in cells.
    float range;
    // How far ahead contacts are avoided, in seconds.
    float horizon;
    // The factor by which a unit that lags behind its formation exceeds its speed.
    float catch_up;
    // The seconds without progress after which a unit tries harder.
    float patience;
    // How often a step pushes overlapping units apart; with 0 they walk through each
    // other.
    uint32_t pushes;
    // With 1, units go slower on hard ground; with 0, at full speed.
    uint32_t hard_ground_slows;
} flowtiles_settings;

// The handle of an order: a claim on its field. 0 is none.
typedef uint64_t flowtiles_order;

// The target of a group. `flowtiles_target_default`
// fills it in; then only what the kind names needs to be set.
typedef struct flowtiles_target {
    // The order, of the army's world. The group gets a claim of its own.
    flowtiles_order order;
    // One of the kinds from `FLOWTILES_TARGET_FLOCK` to `FLOWTILES_TARGET_FLEE_FOES`.
    uint32_t kind;
    // The id of a unit.
    uint32_t unit;
    // A point, in cells.
    float x;
    // A point, in cells.
    float y;
    // The gap between bodies at which a chase stops, in cells.
    float range;
    // How far a chase may lead from where it began, in cells.
    float leash;
    // How far foes are seen, in cells.
    float sight;
    // The distance at which a flight ends, in cells.
    float safe;
} flowtiles_target;

// The handle of a world; 0 is none.
typedef uint64_t flowtiles_world;

// The handle of an army; 0 is none.
typedef uint64_t flowtiles_army;

// The id of a group of one army: no handle. The first group's is 0, and that of a removed
// group is never given again.
typedef uint64_t flowtiles_group;

// A unit to add: a circle that moves.
typedef struct flowtiles_unit {
    // The group.
    flowtiles_group group;
    // The number of the unit, unique in its army. It breaks ties, so number units by
    // something that is the same on every machine.
    uint32_t id;
    // The middle, in cells: from -1,000,000 to 1,000,000.
    float x;
    // The middle, in cells.
    float y;
    // The radius, 0 to 16 cells. Below 0.5 the unit fits wherever its field leads.
    float radius;
    // The greatest speed, in cells a second.
    float speed;
} flowtiles_unit;

// A cell of the map: its column and row.
typedef struct flowtiles_cell {
    // The column, from the west.
    int32_t x;
    // The row, from the north.
    int32_t y;
} flowtiles_cell;

// A movement layer as a team sees it: the layer's number, plus the team, 0 to 7, times
// 65,536. 0 is the ground as team 0 sees it.
typedef uint32_t flowtiles_layer;

// Where an order leads. All zeros but the cells are a good default.
typedef struct flowtiles_goal {
    // The goal cells: each unit goes to the one that is cheapest to reach.
    const struct flowtiles_cell *cells;
    // Their number, at least 1.
    size_t cells_count;
    // The movement layer.
    flowtiles_layer layer;
    // `FLOWTILES_QUALITY_CORRIDOR`, `FLOWTILES_QUALITY_EXACT` or `FLOWTILES_QUALITY_EVERYWHERE`.
    uint32_t quality;
    // With 1, units that cannot reach the goal go to the nearest cell that they can
    // reach; with 0, the order is refused if none can.
    uint32_t or_nearest;
} flowtiles_goal;

// An event of an army's last step. What a kind does not name is 0.
typedef struct flowtiles_event {
    // The group.
    flowtiles_group group;
    // One of the kinds from `FLOWTILES_EVENT_ARRIVED`.
    uint32_t kind;
    // The id of the unit.
    uint32_t unit;
    // More about it.
    uint32_t value;
} flowtiles_event;

// What an edit did.
typedef struct flowtiles_edit_report {
    // The cells whose cost changed.
    uint64_t cells;
    // The sectors with such cells.
    uint32_t sectors;
    // The sectors whose portals were derived again.
    uint32_t rebuilt;
    // The orders that the next ticks plan again.
    uint32_t orders;
} flowtiles_edit_report;

// A rectangle of cells.
typedef struct flowtiles_rect {
    // The first column.
    int32_t x;
    // The first row.
    int32_t y;
    // The columns.
    uint32_t width;
    // The rows.
    uint32_t height;
} flowtiles_rect;

// A line, drawn from the left to the right of units that stand on it and look ahead: from west
// to east they face north. Ends are from -1,000,000 to 1,000,000.
typedef struct flowtiles_line {
    // The left end, in cells.
    float left_x;
    // The left end, in cells.
    float left_y;
    // The right end, in cells.
    float right_x;
    // The right end, in cells.
    float right_y;
} flowtiles_line;

// How one of several groups turns on foes. All zeros is as the others do.
typedef struct flowtiles_chase {
    // With 1, the group turns on the foes in `sight`, in its own way; with 0, it does as
    // `flowtiles_sending` says of all.
    uint32_t attack;
    // The gap between bodies at which a chase stops, in cells.
    float range;
    // How far a chase may lead from where it began, in cells.
    float leash;
    // How far foes are seen, in cells.
    float sight;
} flowtiles_chase;

// How groups are sent to a goal together. `flowtiles_sending_default`
// fills it in.
typedef struct flowtiles_sending {
    // With 1, they go after all that they have to reach; with 0, at once.
    uint32_t queued;
    // With 1, they share a pace; with 0, each group has its own.
    uint32_t together;
    // With 1, they turn on the foes in `sight`; with 0, they go past them.
    uint32_t attack;
    // The gap between bodies at which a chase stops, in cells.
    float range;
    // How far a chase may lead from where it began, in cells.
    float leash;
    // How far foes are seen, in cells.
    float sight;
    // With 1, they go in one formation; with 0, `shape` and `spacing` are not read.
    uint32_t formed;
    // One of the `FLOWTILES_SHAPE_` numbers.
    uint32_t shape;
    // The distance between the places of the formation, in cells.
    float spacing;
    // `NULL`, or an entry for each group of the call.
    const struct flowtiles_chase *chases;
} flowtiles_sending;

// What a world holds.
typedef struct flowtiles_stats {
    // The columns of the map.
    uint32_t width;
    // The rows of the map.
    uint32_t height;
    // The sectors of the map.
    uint32_t sectors;
    // The portals between them.
    uint32_t portals;
    // The orders that are claimed.
    uint32_t orders;
    // The orders that have work left.
    uint32_t waiting;
    // The tiles of directions that are loaded for orders.
    uint32_t tiles;
    // The bytes of costs, graph, cliques and orders.
    uint64_t bytes;
} flowtiles_stats;

// What a tick did.
typedef struct flowtiles_progress {
    // The work done, in cells.
    uint64_t cells;
    // The work by which ticks overdrew their budgets, in cells: the next gets less.
    uint64_t owed;
    // The orders that still have work left; 0 when all are done.
    uint64_t waiting;
} flowtiles_progress;

// How units of one class move. `flowtiles_movement_default`
// fills it in.
typedef struct flowtiles_movement {
    // By kind of ground (the cost of a cell on the ground's own layer), what it costs
    // this class: 1 to 254, or 255 for a wall. The first entry is not read.
    uint8_t costs[256];
    // The width of bodies in cells, 1 to 8.
    uint8_t size;
    // What is added to the costs of cells 1, 2, 3 and 4 cells from a wall.
    uint8_t wall_costs[4];
} flowtiles_movement;

// The call has done its work.
#define FLOWTILES_OK 0

// A handle is 0, or a pointer that must not be `NULL` is.
#define FLOWTILES_ERROR_NULL 1

// What the handle named was freed, or its world was.
#define FLOWTILES_ERROR_STALE 2

// The handle names something else, or this library never gave it.
#define FLOWTILES_ERROR_HANDLE 3

// The order belongs to another world than the army.
#define FLOWTILES_ERROR_FOREIGN 4

// A value cannot be used.
#define FLOWTILES_ERROR_ARGUMENT 5

// A cell is off the map.
#define FLOWTILES_ERROR_OFF_MAP 6

// The goal is a wall, or cannot be reached from where the units are.
#define FLOWTILES_ERROR_UNREACHABLE 7

// There are as many of these as there may be.
#define FLOWTILES_ERROR_FULL 8

// There is no unit, group, layer, link or order with this number, or no fog of this team.
#define FLOWTILES_ERROR_NOT_FOUND 9

// More was found than fits into the caller's array; the number was written.
#define FLOWTILES_ERROR_CAPACITY 10

// The bytes are not a save that can be loaded.
#define FLOWTILES_ERROR_SAVE 11

// The library has met a fault of its own. What the call was about may only be freed.
#define FLOWTILES_ERROR_BROKEN 12

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the [version](FLOWTILES_ABI_VERSION) of the library that was loaded. A caller
// compares it with the one that it was compiled for.
uint32_t flowtiles_abi_version(void);

// Fills in the settings of a march: units follow their field, keep a little room, step
// aside for each other, and push where they touch.
flowtiles_status flowtiles_settings_default(struct flowtiles_settings *settings);

// Fills in a target: to stand, and for chases a range of 0.5 cells, a leash of 24 and a
// sight of 10.
flowtiles_status flowtiles_target_default(struct flowtiles_target *target);

// Makes an army without units for a world. `settings` may be `NULL` for the default. The
// caller owns it and frees it with `flowtiles_army_free`.
flowtiles_status flowtiles_army_new(flowtiles_world world,
                                    const struct flowtiles_settings *settings,
                                    flowtiles_army *army);

// Frees an army, and its claims on orders. Allowed after the world was freed.
flowtiles_status flowtiles_army_free(flowtiles_army army);

// Copies an army for a copy of its world, as `flowtiles_world_fork` made it at the same moment: for rollback. The caller owns
// the copy.
flowtiles_status flowtiles_army_fork(flowtiles_army army,
                                     flowtiles_world world_copy,
                                     flowtiles_army *copy);

// Adds a group that stands, and reads its field in one of the `FLOWTILES_READING_` ways;
// `FLOWTILES_READING_AHEAD` is right for nearly everything.
flowtiles_status flowtiles_army_add_group(flowtiles_army army,
                                          uint32_t reading,
                                          flowtiles_group *group);

// Removes a group with its units.
flowtiles_status flowtiles_army_remove_group(flowtiles_army army, flowtiles_group group);

// Adds `count` units. If one is refused, none is added.
flowtiles_status flowtiles_army_add_units(flowtiles_army army,
                                          const struct flowtiles_unit *units,
                                          size_t count);

// Removes those of `count` units that the army has, and writes how many these were.
// `removed` may be `NULL`.
flowtiles_status flowtiles_army_remove_units(flowtiles_army army,
                                             const uint32_t *ids,
                                             size_t count,
                                             size_t *removed);

// Puts a unit at another place, as a teleporter does; it sets out from there.
flowtiles_status flowtiles_army_set_position(flowtiles_army army,
                                             uint32_t unit,
                                             float x,
                                             float y);

// Gives a unit another group of the army.
flowtiles_status flowtiles_army_set_group(flowtiles_army army,
                                          uint32_t unit,
                                          flowtiles_group group);

// Gives a group a target, and forgets those that wait. An order for the ground is refused if
// the group is on another layer.
flowtiles_status flowtiles_army_send(flowtiles_army army,
                                     flowtiles_group group,
                                     const struct flowtiles_target *target);

// Gives a group a target for after those that it has.
flowtiles_status flowtiles_army_queue(flowtiles_army army,
                                      flowtiles_group group,
                                      const struct flowtiles_target *target);

// Makes an order from where a group's units are to a goal, and sends the group there. Units
// off the map do not count. Refused if the goal is on the ground's layer and the group on
// another. If `order` is not `NULL`, the caller gets a claim of its own; otherwise the order
// ends when the group gets another target.
flowtiles_status flowtiles_army_order(flowtiles_army army,
                                      flowtiles_group group,
                                      const struct flowtiles_goal *goal,
                                      flowtiles_order *order);

// Puts a group into a formation, one of the `FLOWTILES_SHAPE_` numbers, with this many
// cells between its places.
flowtiles_status flowtiles_army_form(flowtiles_army army,
                                     flowtiles_group group,
                                     uint32_t shape,
                                     float spacing);

// Lets a group's units go without a formation.
flowtiles_status flowtiles_army_disband(flowtiles_army army, flowtiles_group group);

// Sets how a group goes: its team, 0 to 7, a bit for each team that are its foes, its
// reading, and with `together` 1 whether all go at the speed of the slowest.
flowtiles_status flowtiles_army_set_manner(flowtiles_army army,
                                           flowtiles_group group,
                                           uint8_t team,
                                           uint8_t foes,
                                           uint32_t reading,
                                           uint32_t together);

// Moves all units on by this many seconds, and then extends the orders of those that
// stand off their fields. Call it once for each tick of the world, always with the same
// duration, from 0 to 1,000: 0.05 is a good one.
flowtiles_status flowtiles_army_step(flowtiles_army army, float seconds);

// Sets what the army's jams cost more on a layer, by level: `costs` are four numbers, the
// first for where units begin to wait, the last for a full jam. Four times 0 takes all of it
// away.
flowtiles_status flowtiles_army_set_jam_costs(flowtiles_army army,
                                              flowtiles_layer layer,
                                              const uint8_t *costs);

// Notes where the army is jammed, and makes these places cost more on the layers of
// `flowtiles_army_set_jam_costs`. Twice a second is often enough.
flowtiles_status flowtiles_army_note_jams(flowtiles_army army);

// Moves units out of walls, after an edit or a building that covers them, to the nearest free places.
// Their number goes to `moved`, which may be `NULL`.
flowtiles_status flowtiles_army_put_out_of_walls(flowtiles_army army,
                                                 size_t *moved);

// Writes the army's groups, the oldest first: after a load those of the save.
flowtiles_status flowtiles_army_groups(flowtiles_army army,
                                       flowtiles_group *groups,
                                       size_t capacity,
                                       size_t *count);

// Writes the army's units: in each array an entry for each, in the same order, which is
// by id after a step. Positions and velocities are pairs of x and y. States are the
// `FLOWTILES_STATE_` numbers. An array that is `NULL` is left out; `capacity` is in units,
// for all arrays.
flowtiles_status flowtiles_army_read(flowtiles_army army,
                                     uint32_t *ids,
                                     float (*positions)[2],
                                     float (*velocities)[2],
                                     uint8_t *states,
                                     size_t capacity,
                                     size_t *count);

// Writes the events of the last step: of units, by id; then of groups that have arrived;
// then of units that have entered links.
flowtiles_status flowtiles_army_events(flowtiles_army army,
                                       struct flowtiles_event *events,
                                       size_t capacity,
                                       size_t *count);

// Writes 1 if no unit is on its way, else 0.
flowtiles_status flowtiles_army_is_settled(flowtiles_army army, uint32_t *settled);

// Writes an army as bytes into the caller's buffer. The world is saved by itself, at the
// same moment.
flowtiles_status flowtiles_army_save(flowtiles_army army,
                                     uint8_t *bytes,
                                     size_t capacity,
                                     size_t *count);

// Makes an army from the bytes of a save, for the world that was saved with it and loaded
// by `flowtiles_world_load`, before its claims are dropped. The caller owns it. In lockstep
// all players load, also the one that saved: the loaded world, and the army with it, may
// later part from the saved one.
flowtiles_status flowtiles_army_load(flowtiles_world world,
                                     const uint8_t *bytes,
                                     size_t count,
                                     flowtiles_army *army);

// Writes a hash of everything in an army on which its next steps depend.
flowtiles_status flowtiles_army_hash(flowtiles_army army, uint64_t *hash);

// Lays fog for a team, 1 to 7: from now on its orders know what it has seen, and not what is
// there. Team 0 sees the world as it is. At first the team knows everything as it is now; what
// it has not explored, `flowtiles_world_forget`. Its orders are those on its layers:
//
// ```c
// flowtiles_world_add_fog(world, 1);
// flowtiles_goal goal = {.cells = &to, .cells_count = 1, .layer = 1 << 16};
// flowtiles_army_order(army, group, &goal, NULL);
// flowtiles_army_look(army, 12, NULL, NULL, 0, NULL); /* then in each tick */
// ```
flowtiles_status flowtiles_world_add_fog(flowtiles_world world, uint8_t team);

// Takes the fog of a team away: it sees the world as it is. Its orders are planned again where
// it did not know that. `report` may be `NULL`.
flowtiles_status flowtiles_world_remove_fog(flowtiles_world world,
                                            uint8_t team,
                                            struct flowtiles_edit_report *report);

// Shows a team `count` rectangles as they are, gates as they are open to it: a satellite, a
// shared map, its own building site. The report tells of cells that were not as the team knew
// them; to show what is as known costs next to nothing. `report` may be `NULL`.
flowtiles_status flowtiles_world_reveal(flowtiles_world world,
                                        uint8_t team,
                                        const struct flowtiles_rect *areas,
                                        size_t count,
                                        struct flowtiles_edit_report *report);

// Shows a team what `count` buildings, flares or units of the game's own see: around each cell
// the disc of as many cells as the entry of `sights` says. Cells may be off the map. For units
// of an army there is `flowtiles_army_look`. `report` may be `NULL`.
flowtiles_status flowtiles_world_reveal_around(flowtiles_world world,
                                               uint8_t team,
                                               const struct flowtiles_cell *cells,
                                               const uint32_t *sights,
                                               size_t count,
                                               struct flowtiles_edit_report *report);

// Sets the `count` kinds of ground that are opaque: nobody sees or shoots through them. They
// replace those set before. Until some are set, shots and views of foes end at walls, 255, and
// nothing limits what is revealed around units and cells but the distance.
flowtiles_status flowtiles_world_set_opaque(flowtiles_world world,
                                            const uint8_t *kinds,
                                            size_t count);

// Makes a team believe that all cells of `count` rectangles have this cost: what it has not
// explored is mostly taken for open ground, 1. `report` may be `NULL`.
flowtiles_status flowtiles_world_forget(flowtiles_world world,
                                        uint8_t team,
                                        const struct flowtiles_rect *areas,
                                        size_t count,
                                        uint8_t cost,
                                        struct flowtiles_edit_report *report);

// Writes what a team with fog knows of a rectangle, row by row: a byte a cell, the cost that it
// saw last, 255 for walls. For a minimap, or for a computer player. `FLOWTILES_ERROR_NOT_FOUND`
// for a team without fog: it sees what `flowtiles_world_costs` writes.
flowtiles_status flowtiles_world_known_rows(flowtiles_world world,
                                            uint8_t team,
                                            const struct flowtiles_rect *area,
                                            uint8_t *costs,
                                            size_t capacity,
                                            size_t *count);

// Shows each team with fog what the army's units see, the ground within `sight` cells of each,
// and writes the number of orders that are planned again. The units of `count` groups, such as
// scouts, see as far as the entry of `sights` says instead. A group's team is that of its layer.
// Call it before the first tick and then in each, or a few times a second;
// `flowtiles_army_step` itself shows the ground beside the units. `orders` may be `NULL`.
flowtiles_status flowtiles_army_look(flowtiles_army army,
                                     uint32_t sight,
                                     const flowtiles_group *groups,
                                     const uint32_t *sights,
                                     size_t count,
                                     size_t *orders);

// Returns memory of this many bytes, at a multiple of 16, or `NULL` if there is none or
// `bytes` is 0. For callers without an allocator of their own in this library's memory,
// as JavaScript is. The caller owns it, and gives it back with
// `flowtiles_dealloc` and the same `bytes`.
uint8_t *flowtiles_alloc(size_t bytes);

// Gives back memory of `flowtiles_alloc`, of the same number of bytes. `NULL` is let
// pass.
void flowtiles_dealloc(uint8_t *memory, size_t bytes);

// Orders units to a goal. `units` are the cells where they are, `count` of them, maybe
// none; units may be added later with `flowtiles_order_cover`. The caller owns the
// claim and frees it with `flowtiles_order_free`; the field lives as long as any claim
// on it. Directions come with the next ticks.
flowtiles_status flowtiles_order_new(flowtiles_world world,
                                     const struct flowtiles_goal *goal,
                                     const struct flowtiles_cell *units,
                                     size_t count,
                                     flowtiles_order *order);

// Gives back a claim. The tick after the last claim of an order is gone frees its field.
// Allowed after the world was freed.
flowtiles_status flowtiles_order_free(flowtiles_order order);

// Gives an order another goal, on the same layer, and other units. Its old directions
// serve until the new ones are ready. Groups that were sent by this order keep the old
// goal until they are sent again.
flowtiles_status flowtiles_order_aim(flowtiles_order order,
                                     const struct flowtiles_goal *goal,
                                     const struct flowtiles_cell *units,
                                     size_t count);

// Writes for each of `count` cells what a unit does there: a sample, which is one of the
// `FLOWTILES_SAMPLE_` numbers, below `FLOWTILES_SAMPLE_LINK` with a step in its lowest
// three bits. Steps: 0 north, 1 east, 2 south, 3 west, 4 north-east, 5 south-east,
// 6 south-west, 7 north-west. Reading changes nothing.
flowtiles_status flowtiles_order_sample_many(flowtiles_order order,
                                             const struct flowtiles_cell *cells,
                                             size_t count,
                                             uint8_t *samples);

// Writes for each of `count` cells the cost of the path from there to the goal, in fifths
// of a straight step over ground of cost 1; `UINT64_MAX` where no path begins.
flowtiles_status flowtiles_order_costs_to_go(flowtiles_order order,
                                             const struct flowtiles_cell *cells,
                                             size_t count,
                                             uint64_t *costs);

// Writes the sample of each cell of a rectangle, row by row, in far less time than
// `flowtiles_order_sample_many` takes; or `FLOWTILES_SAMPLE_WALL` for a wall of the order's
// layer. There are width times height of them.
flowtiles_status flowtiles_order_sample_rows(flowtiles_order order,
                                             const struct flowtiles_rect *area,
                                             uint8_t *samples,
                                             size_t capacity,
                                             size_t *count);

// Writes the cost of the path to the goal from each cell of a rectangle, row by row, as
// `flowtiles_order_costs_to_go` does in more time: `UINT32_MAX` where no path begins, and
// `UINT32_MAX - 1` for all costs from that one on. There are width times height of them.
flowtiles_status flowtiles_order_cost_to_go_rows(flowtiles_order order,
                                                 const struct flowtiles_rect *area,
                                                 uint32_t *costs,
                                                 size_t capacity,
                                                 size_t *count);

// Writes for each of `count` cells 1 if a unit may go straight from there to the goal, on
// free ground and at no higher cost than along the field, else 0.
flowtiles_status flowtiles_order_see_goal(flowtiles_order order,
                                          const struct flowtiles_cell *cells,
                                          size_t count,
                                          uint8_t *seen);

// Writes the path on which an order leads a unit from this cell, pulled tight: straight from each
// point to the next, from the middle of the cell to that of the goal. Points are pairs of x and y;
// beside each is the number of the link that leads from it to the next, or `UINT32_MAX` if the
// path runs straight there. It has no points where no path begins, or while directions are not
// ready. An array that is `NULL` is left out; `capacity` is in points, for both.
//
// A path of 500 cells takes a millisecond or two: ask when the order or the map has changed, not
// in each tick.
flowtiles_status flowtiles_order_path(flowtiles_order order,
                                      int32_t x,
                                      int32_t y,
                                      float (*points)[2],
                                      uint32_t *links,
                                      size_t capacity,
                                      size_t *count);

// Writes where a unit comes out that is sampled `FLOWTILES_SAMPLE_LINK` at this cell.
flowtiles_status flowtiles_order_link_exit(flowtiles_order order,
                                           int32_t x,
                                           int32_t y,
                                           struct flowtiles_cell *exit);

// Extends an order to the cells of units off its field. Asking for a cell again is a
// look-up. It is extended to all of them, or to none: if a cell is off the map, or if the
// order would have to serve more cells than an order may.
flowtiles_status flowtiles_order_cover(flowtiles_order order,
                                       const struct flowtiles_cell *cells,
                                       size_t count);

// Writes an order's number: 0 for a world's first order. A save keeps it.
flowtiles_status flowtiles_order_number(flowtiles_order order, uint64_t *number);

// Makes a claim on the order with this number, which must be claimed already. The caller
// owns it.
flowtiles_status flowtiles_order_by_number(flowtiles_world world,
                                           uint64_t number,
                                           flowtiles_order *order);

// Writes for each of `count` units that may be added 1 if there is room for it, on its
// group's layer and beside the army's units, else 0. They are not checked against each other;
// ids and speeds are not read.
flowtiles_status flowtiles_army_has_room(flowtiles_army army,
                                         const struct flowtiles_unit *units,
                                         size_t count,
                                         uint8_t *rooms);

// Writes for each of `count` units the id of the foe that is nearest to it, at most `within`
// cells away, through walls; or its own id if there is none, or no such unit.
flowtiles_status flowtiles_army_nearest_foes(flowtiles_army army,
                                             const uint32_t *ids,
                                             size_t count,
                                             float within,
                                             uint32_t *foes);

// Writes where the units of `groups_count` groups would stop if they were sent to the cell
// (`x`, `y`) now, for ghosts under the mouse; or, if `line` is not `NULL`, if they drew up on
// it, and the cell is not read. In each array is an entry for each unit that has a place, in the
// same order: its id, and the place as a pair of x and y. Others would stop beside these. An
// array that is `NULL` is left out; `capacity` is in units, for both.
//
// By the time units come there, others may stand there, or fewer, and pairs may have swapped
// their places: `flowtiles_army_stops_of` knows them then. A line without a length is as its
// cell.
flowtiles_status flowtiles_army_ghosts(flowtiles_army army,
                                       const flowtiles_group *groups,
                                       size_t groups_count,
                                       int32_t x,
                                       int32_t y,
                                       const struct flowtiles_line *line,
                                       uint32_t *ids,
                                       float (*places)[2],
                                       size_t capacity,
                                       size_t *count);

// Writes for each of `count` units where it is to stop, as a pair of x and y: the place that it
// holds, or its own place around its group's goal once it comes near that; before, the goal.
// It may stop beside it, next to others. Two times NaN if its target is no place, or there is no
// such unit.
flowtiles_status flowtiles_army_stops_of(flowtiles_army army,
                                         const uint32_t *ids,
                                         size_t count,
                                         float (*stops)[2]);

// Writes the way on which a unit is now, pulled tight, as `flowtiles_order_path` writes that of an
// order: from where it stands along its order to where it is to stop, as far from walls as its body
// needs; straight there if it goes along no order. It has no points if the unit has no place to
// stop, if its order has no directions there, or if there is no such unit. What others do to it on
// the way is not foreseen.
flowtiles_status flowtiles_army_path(flowtiles_army army,
                                     uint32_t unit,
                                     float (*points)[2],
                                     uint32_t *links,
                                     size_t capacity,
                                     size_t *count);

// Fills in how groups are sent: a plain click, at once, past foes, each group at its own
// pace, without a formation. For `attack` it has a range of 0.5 cells, a leash of 24 and a
// sight of 10; for `formed` a line with a spacing of 1 cell.
flowtiles_status flowtiles_sending_default(struct flowtiles_sending *how);

// Sends `count` groups to one goal. Each gets an order on its own layer, whatever that of
// the goal is. `how` may be `NULL` for the default. All are sent, or none: if one layer's order
// is refused, nothing has changed.
flowtiles_status flowtiles_army_send_all(flowtiles_army army,
                                         const flowtiles_group *groups,
                                         size_t count,
                                         const struct flowtiles_goal *goal,
                                         const struct flowtiles_sending *how);

// Sends `count` groups from goal to goal, as `flowtiles_army_send_all` does to one, and after
// the last again to the first. With one goal they go between it and the middle of where they
// are now. Refused without a goal, or if `how` says `queued`.
flowtiles_status flowtiles_army_patrol_all(flowtiles_army army,
                                           const flowtiles_group *groups,
                                           size_t count,
                                           const struct flowtiles_goal *goals,
                                           size_t goals_count,
                                           const struct flowtiles_sending *how);

// Sends `count` groups to a line, as by a drag of the mouse: their units stop on it side by
// side, as far apart as it is wide, and look ahead. Those for whom it is too short stop in rows
// behind it, and each rank in rows of its own. `how` may be `NULL`; it can have no formation.
flowtiles_status flowtiles_army_draw_up(flowtiles_army army,
                                        const flowtiles_group *groups,
                                        size_t count,
                                        const struct flowtiles_line *line,
                                        const struct flowtiles_sending *how);

// Makes a group one of a team, 0 to 7: it is friend and foe as the team's, and walks on its layer as
// the team sees it, through the team's gates and in its fog. Refused if the group follows an order
// of another team.
flowtiles_status flowtiles_army_set_team(flowtiles_army army,
                                         flowtiles_group group,
                                         uint8_t team);

// Sets the layer on which a group's units walk, and on which `flowtiles_army_send_all`
// sends them: at first the ground's, later that of the last order. The map of the layer is
// derived if nothing has used it yet. Refused if a unit is wider than the layer's bodies, or
// if the group follows an order on another layer.
flowtiles_status flowtiles_army_set_layer(flowtiles_army army,
                                          flowtiles_group group,
                                          flowtiles_layer layer);

// Sets the rank of a group, 0 at first: its units stop behind those of lower ranks that go to
// the same goal, stand behind them in a formation of several groups, and wait on the march until
// these are ahead.
flowtiles_status flowtiles_army_set_rank(flowtiles_army army,
                                         flowtiles_group group,
                                         uint8_t rank);

// Lays a building over the ground, with its north-west cell at (`x`, `y`): a cost for each of its
// `width` times `height` cells, row by row, 255 for walls and 0 for holes that leave the ground as
// it is. `turn` is in quarters, to the right. Its number, which no other gets, goes to `stamp`.
// Units under it walk out; `flowtiles_army_put_out_of_walls` moves them out at once.
flowtiles_status flowtiles_world_stamp(flowtiles_world world,
                                       uint32_t width,
                                       uint32_t height,
                                       const uint8_t *costs,
                                       size_t count,
                                       int32_t x,
                                       int32_t y,
                                       uint8_t turn,
                                       uint64_t *stamp);

// Lays a building of any shape over the ground, at any angle: a polygon of `count` corners, whose
// x and y are in sixteenths of a cell from the map's corner, in the order in which they go around
// it. All cells of which it covers a part get the cost. Within `rim` sixteenths around it cells get
// `rim_cost`, so that paths keep off it; 0 is no rim, and its cost is not read then.
flowtiles_status flowtiles_world_stamp_polygon(flowtiles_world world,
                                               const struct flowtiles_cell *corners,
                                               size_t count,
                                               uint8_t cost,
                                               uint32_t rim,
                                               uint8_t rim_cost,
                                               uint64_t *stamp);

// Takes a building away: the ground under it is as it was. `report` may be `NULL`.
flowtiles_status flowtiles_world_unstamp(flowtiles_world world,
                                         uint64_t stamp,
                                         struct flowtiles_edit_report *report);

// Adds a gate: a rectangle that is open to the teams whose bits are set in `teams`, bit 0 for team 0,
// and a wall to all others. To those it leaves the ground as it is, so a gate in a wall begins with an
// edit that opens the wall. Its number goes to `gate`.
flowtiles_status flowtiles_world_add_gate(flowtiles_world world,
                                          const struct flowtiles_rect *area,
                                          uint8_t teams,
                                          uint64_t *gate);

// Opens a gate to these teams alone, and shuts it to all others. `report` may be `NULL`.
flowtiles_status flowtiles_world_set_gate(flowtiles_world world,
                                          uint64_t gate,
                                          uint8_t teams,
                                          struct flowtiles_edit_report *report);

// Removes a gate: its cells are as the ground under it. `report` may be `NULL`.
flowtiles_status flowtiles_world_remove_gate(flowtiles_world world,
                                             uint64_t gate,
                                             struct flowtiles_edit_report *report);

// Returns what was wrong with this thread's last call that failed, in UTF-8, ending with
// a 0, of at most 1,024 bytes; empty if none has failed. The text is the library's, in a
// place of the thread's own, which is valid until the thread ends: the thread's next call
// that fails writes its words into it.
const char *flowtiles_last_error(void);

// Makes a world of open ground, each cell of cost 1, of 1 to 65,535 columns and rows.
// The caller owns it and frees it with `flowtiles_world_free`.
flowtiles_status flowtiles_world_open(uint32_t width, uint32_t height, flowtiles_world *world);

// Makes a world from a cost for each cell, row by row from the north-west: 1 to 254, or
// 255 for a wall. `count` is `width` times `height`. The caller owns the world.
flowtiles_status flowtiles_world_from_costs(uint32_t width,
                                            uint32_t height,
                                            const uint8_t *costs,
                                            size_t count,
                                            flowtiles_world *world);

// Makes a world from the `count` bytes of a map file: of Moving AI, as text, `.flow`, PNG, Tiled or
// LDtk. `name` is that of the file, a text that ends with a 0: its ending tells the format. Files
// that a map of Tiled names beside it are not read. The caller owns the world.
flowtiles_status flowtiles_world_read_map(const uint8_t *bytes,
                                          size_t count,
                                          const char *name,
                                          flowtiles_world *world);

// Frees a world, its layers and its orders' fields. Handles of its orders and armies
// stay, and are freed by themselves.
flowtiles_status flowtiles_world_free(flowtiles_world world);

// Copies a world with everything, its orders' work in hand included: for rollback and
// for looking ahead. With the same calls the copy goes on as the world itself does. The
// caller owns the copy. It keeps a claim on each order, until
// `flowtiles_world_drop_claims`: meanwhile `flowtiles_order_by_number` and
// `flowtiles_army_fork` find them.
flowtiles_status flowtiles_world_fork(flowtiles_world world, flowtiles_world *copy);

// Writes what a world holds.
flowtiles_status flowtiles_world_stats(flowtiles_world world, struct flowtiles_stats *stats);

// Works on the world's orders, up to `cells` of work; `UINT64_MAX` works until nothing
// is left. 4,000 is a good beginning: about 40 µs. `progress` may be `NULL`.
flowtiles_status flowtiles_world_tick(flowtiles_world world,
                                      uint64_t cells,
                                      struct flowtiles_progress *progress);

// Gives all cells of a rectangle a cost: 1 to 254, or 255 for a wall. Orders follow in
// the next ticks; no direction leads into a new wall from now on. `report` may be `NULL`.
flowtiles_status flowtiles_world_edit(flowtiles_world world,
                                      int32_t x,
                                      int32_t y,
                                      uint32_t width,
                                      uint32_t height,
                                      uint8_t cost,
                                      struct flowtiles_edit_report *report);

// Gives each cell of a rectangle its own cost, row by row; `count` is the rectangle's
// width times its height. `report` may be `NULL`.
flowtiles_status flowtiles_world_edit_rows(flowtiles_world world,
                                           const struct flowtiles_rect *area,
                                           const uint8_t *costs,
                                           size_t count,
                                           struct flowtiles_edit_report *report);

// Gives each of `count` cells its own cost, and repairs what depends on them once.
// `report` may be `NULL`.
flowtiles_status flowtiles_world_edit_cells(flowtiles_world world,
                                            const struct flowtiles_cell *cells,
                                            const uint8_t *costs,
                                            size_t count,
                                            struct flowtiles_edit_report *report);

// Writes the present costs of a rectangle on a layer, row by row: a byte a cell, 255 for
// walls. There are width times height of them.
flowtiles_status flowtiles_world_costs(flowtiles_world world,
                                       flowtiles_layer layer,
                                       const struct flowtiles_rect *area,
                                       uint8_t *costs,
                                       size_t capacity,
                                       size_t *count);

// Fills in the movement of the ground's own layer: kinds of ground are costs, and bodies
// are one cell wide.
flowtiles_status flowtiles_movement_default(struct flowtiles_movement *movement);

// Adds a layer for units that move in this way. Its map is derived when it is first
// used, and follows all edits of the ground.
flowtiles_status flowtiles_world_add_layer(flowtiles_world world,
                                           const struct flowtiles_movement *movement,
                                           flowtiles_layer *layer);

// Sets what each of `count` rectangles costs more on a layer than its ground, such as for
// the range of enemy guns; 0 takes that away. Where they overlap, the last one counts. Walls
// stay walls, and units keep their directions until their orders have been planned again. The
// ground's own layer, 0, has none: add one. On a layer for a team above 0 this is for that team
// alone, beside what is for all.
flowtiles_status flowtiles_world_surcharge(flowtiles_world world,
                                           flowtiles_layer layer,
                                           const struct flowtiles_rect *areas,
                                           const uint8_t *amounts,
                                           size_t count);

// Adds a one-way link, as of a teleporter or a ferry: a unit that enters a cell of the rectangle
// comes out at the same place of an equal one whose north-west cell is (`end_x`,
// `end_y`). The price is in fifths of a straight step over open ground, at least 1.
flowtiles_status flowtiles_world_add_link(flowtiles_world world,
                                          const struct flowtiles_rect *area,
                                          int32_t end_x,
                                          int32_t end_y,
                                          uint32_t price,
                                          uint32_t *link);

// Removes a link.
flowtiles_status flowtiles_world_remove_link(flowtiles_world world, uint32_t link);

// Writes 1 if a unit of the layer can get from one cell to the other, else 0. This is a
// look-up.
flowtiles_status flowtiles_world_reachable(flowtiles_world world,
                                           flowtiles_layer layer,
                                           int32_t from_x,
                                           int32_t from_y,
                                           int32_t to_x,
                                           int32_t to_y,
                                           uint32_t *reachable);

// Writes the cost of the way from one cell to another through the portals, in fifths of a
// straight step over ground of cost 1; a unit's path may be a little shorter.
// `FLOWTILES_ERROR_UNREACHABLE` if there is none.
flowtiles_status flowtiles_world_travel_cost(flowtiles_world world,
                                             flowtiles_layer layer,
                                             int32_t from_x,
                                             int32_t from_y,
                                             int32_t to_x,
                                             int32_t to_y,
                                             uint64_t *cost);

// Writes the cell nearest to a goal that a unit of the layer can reach;
// `FLOWTILES_ERROR_UNREACHABLE` if it stands in a wall, or if a cell is off the map.
flowtiles_status flowtiles_world_nearest_reachable(flowtiles_world world,
                                                   flowtiles_layer layer,
                                                   int32_t from_x,
                                                   int32_t from_y,
                                                   int32_t goal_x,
                                                   int32_t goal_y,
                                                   struct flowtiles_cell *nearest);

// Writes 1 if every cell of a rectangle is on the map and no wall to units of the layer, else 0:
// whether there is room for a building on land, with the layer of those that walk, or for a
// harbour, with that of ships. The width of bodies does not matter, and the layer is not derived
// for it. Units that stand there are not counted.
flowtiles_status flowtiles_world_is_free(flowtiles_world world,
                                         flowtiles_layer layer,
                                         const struct flowtiles_rect *area,
                                         uint32_t *is_free);

// Writes the north-west cell of the nearest square of `size` cells a side that is free as
// `flowtiles_world_is_free` says: the one to which the walk from the cell (`x`, `y`) over open
// ground would cost least. `FLOWTILES_ERROR_UNREACHABLE` if there is none, or if the cell is
// off the map.
flowtiles_status flowtiles_world_nearest_free(flowtiles_world world,
                                              flowtiles_layer layer,
                                              int32_t x,
                                              int32_t y,
                                              uint32_t size,
                                              struct flowtiles_cell *nearest);

// Writes a world as bytes into the caller's buffer: equal worlds have equal bytes.
flowtiles_status flowtiles_world_save(flowtiles_world world,
                                      uint8_t *bytes,
                                      size_t capacity,
                                      size_t *count);

// Makes a world from the bytes of a save, if its map has at most `cells_max` cells. The
// caller owns it. It keeps a claim on each order of the save, until
// `flowtiles_world_drop_claims`: meanwhile `flowtiles_order_by_number` and
// `flowtiles_army_load` find them. In lockstep all players load, also the one that saved:
// a save has no finished searches, so the loaded world may later part from the saved one.
flowtiles_status flowtiles_world_load(const uint8_t *bytes,
                                      size_t count,
                                      uint64_t cells_max,
                                      flowtiles_world *world);

// Drops the claims that a loaded or copied world keeps on its orders: those without
// another claim end with the next tick.
flowtiles_status flowtiles_world_drop_claims(flowtiles_world world);

// Writes a hash of everything on which a world's next ticks depend: players of a
// lockstep game whose hashes are equal have the same world.
flowtiles_status flowtiles_world_hash(flowtiles_world world, uint64_t *hash);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FLOWTILES_H */
