//! Publishing: sends each page the changes in its view, a bounded part at a
//! time.
//!
//! ```text
//!   shown ─▶ follow loaded sectors ─▶ for each page: blocks in view ─▶ outbox
//!                                     touched, then missing, then the rest in turn
//! ```
//!
//! A block is built, and its digest compared with that of the block on the
//! page. So no page is sent a block that it has, whatever changed the world.
//!
//! A page shows one layer of the world. It keeps the blocks of the layers that it has shown,
//! and the host their digests: back on a layer, it is sent what has changed meanwhile.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use flowtiles::{Cell, CellRect, Cost, FlowWorld, LayerId, Link, SECTOR_SIDE};

use crate::blocks;
use crate::hub::{Begun, Client, ClientState, Hub, Kept};
use crate::islands::Mainland;
use crate::loaded::LoadedSectors;
use crate::message::{self, CellFacts, Crossing, OrderLine, StageInfo};
use crate::outbox::Slot;
use crate::overlay::{BlockKey, Overlay};
use crate::shown::{Shown, ShownOrder};
use crate::world_layers::{LayerList, OnLayer, WorldLayer, entry_of};

/// Cells along a side of a sector's values.
const SIDE: usize = SECTOR_SIDE as usize;
/// An order without a revision has its route read again after this many
/// pictures.
const ROUTE_EVERY: u32 = 16;
/// Without a revision of the map, the mainland is determined again after this
/// many pictures.
const MAINLAND_EVERY: u32 = 64;
/// The work, in cells, of reading a loaded sector, a portal of a route, the
/// mainland, and whether a block has changed.
const SECTOR: u32 = 12;
const CROSSING: u32 = 80;
const MAINLAND: u32 = 20_000;
const LOOK: u32 = 50;
/// Orders with more loaded sectors than this are not integrated for a picture.
const INTEGRATED_MAX: usize = 60_000;

/// The work that a host spends on its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The cells read for all pages together, in each picture.
    pub cells: u32,
    /// Whether fields are integrated to show costs-to-go: some microseconds for
    /// each loaded sector, whenever the field changes.
    pub integrates: Integrates,
}

/// Whether costs-to-go are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrates {
    /// They are not: the layer is missing.
    No,
    /// They are.
    Yes,
}

impl Effort {
    /// The work that a running game can spare a few times a second.
    pub const GAME: Self = Self {
        cells: 12_000,
        integrates: Integrates::No,
    };
    /// The work that a dedicated program can spare thirty times a second.
    pub const STUDIO: Self = Self {
        cells: 300_000,
        integrates: Integrates::Yes,
    };
}

/// The costs-to-go of one order, sector by sector.
#[derive(Default)]
struct CostsToGo {
    order: Option<(u64, Option<u64>)>,
    sectors: HashMap<(i32, i32), [u32; SIDE * SIDE]>,
    farthest: u32,
}

/// Follows a stage from picture to picture.
#[derive(Default)]
pub(crate) struct Feed {
    serial: Option<u32>,
    loaded: LoadedSectors,
    layers: LayerList,
    /// The mainland of each layer on view, with the revision of the map.
    mainlands: BTreeMap<LayerId, (Option<u64>, Mainland)>,
    to_go: CostsToGo,
    route: Option<(u64, Option<u64>, Vec<Crossing>)>,
    pictures: u32,
    /// The work that this picture has taken for all pages, in cells.
    spent: u32,
}

/// The contents of a picture: all that is shown, and what a page has chosen of it.
#[derive(Clone, Copy)]
struct Seen<'a> {
    shown: &'a Shown<'a>,
    /// The layer of the world on view.
    on: OnLayer<'a>,
    /// All layers of the world.
    layers: &'a [WorldLayer],
    /// The order whose field is on view; it is on the layer.
    order: Option<&'a ShownOrder<'a>>,
}

impl<'a> Seen<'a> {
    fn new(
        shown: &'a Shown<'a>,
        layers: &'a [WorldLayer],
        on: LayerId,
        number: Option<u64>,
    ) -> Self {
        let mut seen = Self {
            shown,
            on: OnLayer::of(shown.world, on),
            layers,
            order: None,
        };
        seen.order = shown.order_on(number, |layer| seen.is_on(layer));
        seen
    }

    /// Whether a layer is the one on view: the same movement, and a team that sees all gates
    /// alike.
    fn is_on(&self, layer: LayerId) -> bool {
        entry_of(self.layers, layer).is_some_and(|entry| entry.id == self.on.id)
    }
}

impl Feed {
    /// Sends the changes to all pages.
    pub(crate) fn publish(&mut self, hub: &Hub, stage: u8, shown: &Shown<'_>, effort: Effort) {
        if self.serial != Some(shown.serial) {
            *self = Self::default();
            self.loaded.clear();
            self.serial = Some(shown.serial);
        }
        let info = info(shown, effort, self.layers.update(shown.world));
        hub.set_stage(stage, &info);
        let clients = hub.clients();
        if clients.is_empty() {
            return;
        }
        self.pictures = self.pictures.wrapping_add(1);
        self.spent = SECTOR * self.loaded.follow(shown.world, shown.orders);
        let is_due = shown.map_revision.is_none() && self.pictures.is_multiple_of(MAINLAND_EVERY);
        if is_due {
            self.mainlands.clear();
        }
        let each = effort.cells / clients.len() as u32;
        for client in &clients {
            self.publish_to(client, stage, shown, &info, each);
        }
    }

    fn publish_to(
        &mut self,
        client: &Client,
        stage: u8,
        shown: &Shown<'_>,
        info: &StageInfo,
        cells: u32,
    ) {
        let mut state = client.state();
        let Some(view) = state.view else { return };
        let seen = Seen::new(shown, &info.world_layers, state.on(info), view.order);
        self.prepare(&seen, view.layers & info.layers);
        let left = cells.saturating_sub(self.spent);
        self.send_blocks(&mut state, stage, &seen, info, left);
        let units = message::units(stage, shown.tick, shown.marks, grown(view.area, 2));
        state.queue(Slot::Units(stage), units);
        let lines = self.lines(shown);
        let orders = message::orders(stage, shown.tick, &lines);
        state.queue(Slot::Orders(stage), orders);
        let route = match &self.route {
            Some((order, _, crossings)) => {
                message::route(stage, *order, crossings, grown(view.area, SECTOR_SIDE))
            }
            None => message::route(stage, u64::MAX, &[], view.area),
        };
        state.queue(Slot::Route(stage), route);
        let paths = message::paths(shown, stage, |layer| seen.is_on(layer));
        state.queue(Slot::Paths(stage), paths);
        let number = seen.on.id.number();
        let leads = |link: &Link| {
            let layers = link.layers();
            layers.is_none_or(|layers| layers.iter().any(|layer| layer.number() == number))
        };
        let links = shown.world.inspect().links();
        let links = message::links(stage, links.filter(|(_, link)| leads(link)));
        state.queue(Slot::Links(stage), links);
        if let Some((hover_stage, cell)) = state.hover
            && hover_stage == stage
        {
            let facts = self.facts(stage, &seen, cell);
            state.queue(Slot::Cell, message::cell(&facts));
        }
        // The server looks for pictures by itself: waking its thread would take
        // the host up to 0.3 ms on a virtual machine.
    }

    /// Prepares the values that several blocks read.
    fn prepare(&mut self, seen: &Seen<'_>, layers: u32) {
        self.find_mainland(seen);
        let Some(order) = seen.order else {
            self.route = None;
            return;
        };
        if layers & Overlay::Integration.bit() != 0 {
            self.integrate(seen.shown.world, order);
        }
        self.follow_route(seen, order);
    }

    fn find_mainland(&mut self, seen: &Seen<'_>) {
        let (on, revision) = (seen.on, seen.shown.map_revision);
        if self.mainlands.get(&on.id).map(|known| known.0) != Some(revision) {
            self.spent += MAINLAND;
            self.mainlands.insert(on.id, (revision, Mainland::of(&on)));
        }
    }

    fn integrate(&mut self, world: &FlowWorld, order: &ShownOrder<'_>) {
        let wanted = Some((order.order.number(), order.revision));
        if self.to_go.order == wanted {
            return;
        }
        self.to_go = CostsToGo {
            order: wanted,
            ..CostsToGo::default()
        };
        let sectors = self.loaded.of(order.order.number());
        if sectors.len() > INTEGRATED_MAX {
            return;
        }
        for sector in sectors {
            let mut values = [blocks::UNREACHED; SIDE * SIDE];
            for (place, value) in values.iter_mut().enumerate() {
                let (x, y) = ((place % SIDE) as i32, (place / SIDE) as i32);
                let cell = Cell::new(sector.x * SECTOR_SIDE + x, sector.y * SECTOR_SIDE + y);
                if let Some(to_go) = world.cost_to_go(order.order, cell) {
                    *value = u32::try_from(to_go).unwrap_or(u32::MAX - 1);
                    self.to_go.farthest = self.to_go.farthest.max(*value);
                }
            }
            self.to_go.sectors.insert((sector.x, sector.y), values);
        }
    }

    fn to_go(&self, cell: Cell) -> u32 {
        let sector = (
            cell.x.div_euclid(SECTOR_SIDE),
            cell.y.div_euclid(SECTOR_SIDE),
        );
        let slot = cell.y.rem_euclid(SECTOR_SIDE) as usize * SIDE
            + cell.x.rem_euclid(SECTOR_SIDE) as usize;
        let values = self.to_go.sectors.get(&sector);
        values.map_or(blocks::UNREACHED, |values| values[slot])
    }

    /// Reads the crossings of the order's route, sorted by cost-to-go where it is
    /// known, otherwise by distance from the goal.
    fn follow_route(&mut self, seen: &Seen<'_>, order: &ShownOrder<'_>) {
        let number = order.order.number();
        let is_known = self
            .route
            .as_ref()
            .is_some_and(|(known, revision, _)| *known == number && *revision == order.revision);
        let is_due = order.revision.is_none() && self.pictures.is_multiple_of(ROUTE_EVERY);
        if is_known && !is_due {
            return;
        }
        let graph = seen.on.inside.portal_graph();
        let portals = seen.on.inside.route(order.order);
        self.spent += CROSSING * portals.len() as u32;
        let portals = portals.into_iter();
        let mut crossings: Vec<Crossing> = portals
            .filter_map(|id| graph.portal(id))
            .map(|portal| Crossing {
                cell: portal.crossing[0],
                window: portal.windows[0],
                stands: portal.windows[0].x != portal.windows[1].x,
            })
            .collect();
        let away = |crossing: Cell| {
            let (dx, dy) = (
                i64::from(crossing.x - order.goal.x),
                i64::from(crossing.y - order.goal.y),
            );
            dx * dx + dy * dy
        };
        crossings.sort_by_cached_key(|Crossing { cell, .. }| {
            (self.to_go(*cell), away(*cell), cell.y, cell.x)
        });
        self.route = Some((number, order.revision, crossings));
    }

    fn lines<'a>(&self, shown: &Shown<'a>) -> Vec<OrderLine<'a>> {
        let line = |order: &'a ShownOrder<'a>| {
            let number = order.order.number();
            let is_integrated = self.to_go.order.is_some_and(|(known, _)| known == number);
            let full = shown.fields.full(Overlay::Potential, Some(number));
            OrderLine {
                shown: order,
                has_stream: shown.fields.has_stream(number),
                potential: full,
                bit: self.loaded.bit_of(number),
                loaded: self.loaded.of(number).len() as u32,
                farthest: if is_integrated {
                    self.to_go.farthest
                } else {
                    0
                },
            }
        };
        shown.orders.iter().map(line).collect()
    }

    /// Checks blocks until the work is used up: first those that were touched,
    /// then those that the page lacks, then the others in turn.
    fn send_blocks(
        &self,
        state: &mut ClientState,
        stage: u8,
        seen: &Seen<'_>,
        info: &StageInfo,
        cells: u32,
    ) {
        let mut left = cells;
        let most = (cells / LOOK) as usize;
        let agenda = state.agenda(stage, info);
        let touched = seen.shown.touched.iter().map(|area| grown(*area, 12));
        let touched: Vec<CellRect> = touched.collect();
        let is_touched = |key: &&BlockKey| touched.iter().any(|area| key.meets(area));
        let first: Vec<BlockKey> = if touched.is_empty() {
            Vec::new()
        } else {
            agenda.wanted.iter().filter(is_touched).copied().collect()
        };
        if !first
            .into_iter()
            .all(|key| self.send_block(state, seen, key, &mut left))
        {
            return;
        }
        for _ in 0..most {
            let agenda = state.agenda(stage, info);
            let Some(&key) = agenda.wanted.get(agenda.known) else {
                break;
            };
            if !state.kept.contains_key(&key) && !self.send_block(state, seen, key, &mut left) {
                return;
            }
            state.agenda(stage, info).known += 1;
        }
        let count = state.agenda(stage, info).wanted.len();
        for _ in 0..most.min(count) {
            let agenda = state.agenda(stage, info);
            let key = agenda.wanted[agenda.cursor % count];
            if !self.send_block(state, seen, key, &mut left) {
                return;
            }
            state.agenda(stage, info).cursor += 1;
        }
    }

    /// Checks a block and sends it if it has changed. Returns false if the work
    /// was used up first, or the page has no room for the block.
    fn send_block(
        &self,
        state: &mut ClientState,
        seen: &Seen<'_>,
        key: BlockKey,
        left: &mut u32,
    ) -> bool {
        let looked = looked(key, seen, self.loaded.fades());
        let kept = state.kept.get(&key).copied();
        if kept.is_some_and(|kept| is_still(kept.looked, looked)) {
            return true;
        }
        let begun = state.begun.take();
        let begun = begun.filter(|begun| begun.key == key && begun.looked == looked);
        let mut begun = begun.unwrap_or_else(|| Begun {
            key,
            looked,
            row: 0,
            content: Vec::new(),
        });
        let rows = blocks::rows(key);
        while begun.row < rows {
            if *left == 0 {
                state.begun = Some(begun);
                return false;
            }
            *left = left.saturating_sub(key.effort() / rows as u32);
            self.build(seen, key, begun.row, &mut begun.content);
            begun.row += 1;
        }
        let number = seen.order.map_or(u64::MAX, |order| order.order.number());
        let digest = digest(&begun.content, key, number);
        if kept.map(|kept| kept.digest) != Some(digest) {
            let block = message::block(key, seen.shown.serial, number, &begun.content);
            if !state.outbox.put(Slot::Block(key), block) {
                return false;
            }
        }
        state.kept.insert(key, Kept { digest, looked });
        true
    }

    /// Appends a row of a block.
    fn build(&self, seen: &Seen<'_>, key: BlockKey, row: i32, content: &mut Vec<u8>) {
        let Seen {
            shown, on, order, ..
        } = *seen;
        match key.layer {
            Overlay::Ground => blocks::ground(key, row, (shown, &on), content),
            Overlay::Flow => blocks::texels(key, row, content, |cell| {
                [order.map_or(blocks::flow::NOT_LOADED, |order| {
                    blocks::flow_byte(shown, &on, order, cell)
                })]
            }),
            Overlay::Integration => {
                blocks::texels(key, row, content, |cell| self.to_go(cell).to_le_bytes());
            }
            Overlay::Islands => blocks::texels(key, row, content, |cell| {
                let byte = |(_, mainland): &(_, Mainland)| {
                    let cells = blocks::spread_over(key, cell);
                    Mainland::byte_of(cells.map(|cell| mainland.byte(&on, cell)))
                };
                [self.mainlands.get(&on.id).map_or(0, byte)]
            }),
            Overlay::Graph => content.extend(blocks::graph(key, row, &on)),
            Overlay::Loaded => {
                let is_on = |layer| seen.is_on(layer);
                content.extend(blocks::loaded(key, &self.loaded, is_on));
            }
            Overlay::Portals => content.extend(blocks::portals(key, &on)),
            Overlay::Density => content.extend(blocks::density(key, shown)),
            Overlay::Speed | Overlay::Discomfort | Overlay::Potential => {
                let order = order.map(|order| order.order.number());
                content.extend(blocks::amounts(key, shown.fields, order));
            }
        }
    }

    /// Returns the facts about a cell.
    fn facts(&self, stage: u8, seen: &Seen<'_>, cell: Cell) -> CellFacts {
        let Seen {
            shown, on, order, ..
        } = *seen;
        let world = shown.world;
        let to_go = order.and_then(|order| world.cost_to_go(order.order, cell));
        let value = |cost: Option<Cost>| cost.map_or(0, Cost::value);
        let sector = blocks::sector_of(cell);
        let number = order.map(|order| order.order.number());
        let is_on_map = world.costs().get(cell).is_some();
        let portals = if is_on_map {
            on.inside.portal_graph().portals_of(sector).count()
        } else {
            0
        };
        let island = on.inside.island(cell);
        let crowd = [
            Overlay::Density,
            Overlay::Speed,
            Overlay::Discomfort,
            Overlay::Potential,
        ];
        CellFacts {
            stage,
            cell,
            on: on.id,
            cost: value(on.costs.get(cell)),
            ground: value(world.inspect().ground(cell)),
            flow: order.map_or(blocks::flow::NOT_LOADED, |order| {
                blocks::flow_byte(shown, &on, order, cell)
            }),
            is_loaded: order.is_some_and(|order| world.inspect().is_loaded(order.order, sector)),
            island: island.unwrap_or(u32::MAX),
            is_mainland: island
                .zip(self.mainlands.get(&on.id))
                .is_some_and(|(island, (_, mainland))| mainland.is(island)),
            crowd: crowd.map(|layer| shown.fields.value(layer, number, cell).unwrap_or(f32::NAN)),
            portals: portals as u8,
            to_go: to_go.unwrap_or(u64::MAX),
        }
    }
}

/// Returns the revisions on which a block depends; `None` for unknown ones.
fn looked(key: BlockKey, seen: &Seen<'_>, fades: bool) -> [Option<u64>; 2] {
    let Seen { shown, order, .. } = *seen;
    let field = order.and_then(|order| {
        let revision = order.revision?;
        Some(revision.wrapping_mul(31).wrapping_add(order.order.number()))
    });
    let all = shown.orders.iter().try_fold(0u64, |sum, order| {
        let number = order.order.number().wrapping_mul(0x9E37_79B9);
        Some(sum.wrapping_mul(31).wrapping_add(order.revision?) ^ number)
    });
    match key.layer {
        Overlay::Ground | Overlay::Islands | Overlay::Portals | Overlay::Graph => {
            [shown.map_revision, Some(0)]
        }
        Overlay::Flow | Overlay::Integration if order.is_none() => [Some(0), Some(0)],
        Overlay::Flow | Overlay::Integration => [shown.map_revision, field],
        Overlay::Loaded if fades => [None, None],
        Overlay::Loaded => [Some(0), all],
        Overlay::Density => [Some(u64::from(shown.tick)), Some(shown.fields.revision())],
        Overlay::Speed | Overlay::Discomfort | Overlay::Potential => {
            let number = order.map_or(u64::MAX, |order| order.order.number());
            let revision = shown.fields.revision().wrapping_mul(31);
            let own = revision.wrapping_add(number);
            [Some(u64::from(shown.tick)), Some(own)]
        }
    }
}

/// Whether nothing can have changed between two checks.
fn is_still(before: [Option<u64>; 2], now: [Option<u64>; 2]) -> bool {
    before == now && now.iter().all(Option::is_some)
}

/// Returns the digest of a block. Blocks of a field belong to an order; those
/// of the map to none.
fn digest(content: &[u8], key: BlockKey, order: u64) -> u64 {
    let mut digest = flowtiles::inspect::Digest::new();
    if key.layer.is_of_order() {
        digest.bytes(&order.to_le_bytes());
    }
    digest.bytes(content);
    digest.finish()
}

/// Returns an area enlarged by some cells on each side.
fn grown(area: CellRect, by: i32) -> CellRect {
    let more = 2 * by as u32;
    CellRect::new(
        area.x - by,
        area.y - by,
        area.width + more,
        area.height + more,
    )
}

/// Returns the description of a stage.
fn info(shown: &Shown<'_>, effort: Effort, world_layers: Arc<[WorldLayer]>) -> StageInfo {
    let mut layers = [
        Overlay::Ground,
        Overlay::Flow,
        Overlay::Loaded,
        Overlay::Portals,
        Overlay::Graph,
        Overlay::Density,
        Overlay::Islands,
    ]
    .iter()
    .fold(0, |bits, layer| bits | layer.bit());
    if effort.integrates == Integrates::Yes {
        layers |= Overlay::Integration.bit();
    }
    for layer in [Overlay::Speed, Overlay::Discomfort, Overlay::Potential] {
        if shown.fields.has(layer) {
            layers |= layer.bit();
        }
    }
    StageInfo {
        serial: shown.serial,
        width: shown.world.costs().width(),
        height: shown.world.costs().height(),
        layers,
        title: shown.title.to_owned(),
        world_layers,
    }
}
