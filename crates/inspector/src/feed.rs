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

use flowtiles::inspect::Digest;

use flowtiles::{Cell, CellRect, Cost, FlowWorld, LayerId, SECTOR_SIDE, Sector};

use crate::blocks;
use crate::hub::{Agenda, Begun, Client, ClientState, Hub, Kept};
use crate::islands::Mainland;
use crate::loaded::LoadedSectors;
use crate::message::{self, CellFacts, Crossing, LinkLine, OrderLine, StageInfo, Told};
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
    pub integrates: bool,
}

impl Effort {
    /// The work that a running game can spare a few times a second.
    pub const GAME: Self = Self {
        cells: 12_000,
        integrates: false,
    };
    /// The work that a dedicated program can spare thirty times a second.
    pub const STUDIO: Self = Self {
        cells: 300_000,
        integrates: true,
    };
}

/// The costs-to-go of one order, sector by sector.
#[derive(Default)]
struct CostsToGo {
    order: Option<(u64, Option<u64>)>,
    sectors: HashMap<Sector, [u32; SIDE * SIDE]>,
}

/// Follows a stage from picture to picture.
#[derive(Default)]
pub(crate) struct Feed {
    serial: Option<u32>,
    loaded: LoadedSectors,
    layers: LayerList,
    /// The mainland of each layer on view, with the revision of the map.
    mainlands: BTreeMap<LayerId, (u64, Mainland)>,
    to_go: CostsToGo,
    /// The crossings of the route on view, with the number and the revision of its order.
    route: Option<((u64, u64), Vec<Crossing>)>,
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
        let mut agenda = state.take_agenda(stage, info);
        self.send_blocks(&mut state, &mut agenda, &seen, left);
        state.keep_agenda(stage, agenda);
        let around = grown(view.area, 2);
        let units = message::units(stage, shown.tick, shown.marks, around);
        state.queue(Slot::Units(stage), units);
        let ghosts = message::ghosts(stage, shown.ghosts, around);
        state.queue(Slot::Ghosts(stage), ghosts);
        let near = grown(view.area, SECTOR_SIDE);
        let crossings = self.route.iter().flat_map(|(_, crossings)| crossings);
        let crossings = crossings.filter(|crossing| near.contains(crossing.cell));
        let paths = shown.paths.iter();
        let number = seen.on.id.number();
        let links = shown.world.inspect().links().filter(|(_, link)| {
            let layers = link.layers();
            layers.is_none_or(|layers| layers.iter().any(|layer| layer.number() == number))
        });
        let mut told = vec![
            Told::Orders {
                stage,
                tick: shown.tick,
                orders: self.lines(shown),
            },
            Told::Route {
                stage,
                crossings: crossings.copied().collect(),
            },
            Told::Paths {
                stage,
                paths: paths.filter(|path| seen.is_on(path.layer)).collect(),
            },
            Told::Links {
                stage,
                links: links.map(LinkLine::from).collect(),
            },
        ];
        if let Some((hover_stage, cell)) = state.hover
            && hover_stage == stage
        {
            told.push(Told::Cell(self.facts(stage, &seen, cell)));
        }
        for message in &told {
            let slot = message.slot().expect("only notes have none");
            state.queue(slot, message.bytes());
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

    /// Returns a revision; one that changes after some pictures in place of an unknown one.
    fn revision(&self, known: Option<u64>, every: u32) -> u64 {
        known.unwrap_or(u64::from(self.pictures / every))
    }

    fn find_mainland(&mut self, seen: &Seen<'_>) {
        let (on, revision) = (
            seen.on,
            self.revision(seen.shown.map_revision, MAINLAND_EVERY),
        );
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
            sectors: HashMap::new(),
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
                }
            }
            self.to_go.sectors.insert(*sector, values);
        }
    }

    fn to_go(&self, cell: Cell) -> u32 {
        let slot = cell.y.rem_euclid(SECTOR_SIDE) as usize * SIDE
            + cell.x.rem_euclid(SECTOR_SIDE) as usize;
        let values = self.to_go.sectors.get(&blocks::sector_of(cell));
        values.map_or(blocks::UNREACHED, |values| values[slot])
    }

    /// Reads the crossings of the order's route, sorted by cost-to-go where it is
    /// known, otherwise by distance from the goal.
    fn follow_route(&mut self, seen: &Seen<'_>, order: &ShownOrder<'_>) {
        let revision = self.revision(order.revision, ROUTE_EVERY);
        let wanted = (order.order.number(), revision);
        if self
            .route
            .as_ref()
            .is_some_and(|(known, _)| *known == wanted)
        {
            return;
        }
        let graph = seen.on.inside.portal_graph();
        let ids = seen.on.inside.route(order.order);
        self.spent += CROSSING * ids.len() as u32;
        let portals = ids.into_iter().filter_map(|id| graph.portal(id));
        let mut crossings: Vec<Crossing> = portals
            .map(|portal| Crossing {
                number: 0,
                cell: portal.crossing[0],
                window: portal.windows[0],
                stands: portal.windows[0].x != portal.windows[1].x,
            })
            .collect();
        let square = |one: i32, other: i32| (i64::from(one) - i64::from(other)).pow(2);
        let away = |cell: Cell| square(cell.x, order.goal.x) + square(cell.y, order.goal.y);
        crossings.sort_by_cached_key(|Crossing { cell, .. }| {
            (self.to_go(*cell), away(*cell), cell.y, cell.x)
        });
        for (number, crossing) in (1..).zip(&mut crossings) {
            crossing.number = number;
        }
        self.route = Some((wanted, crossings));
    }

    fn lines<'a>(&self, shown: &Shown<'a>) -> Vec<OrderLine<'a>> {
        let line = |order: &'a ShownOrder<'a>| {
            let number = order.order.number();
            OrderLine {
                number,
                on: order.layer(),
                shown: order,
                has_stream: shown.fields.has_stream(number),
                potential: shown.fields.full(Overlay::Potential, Some(number)),
                bit: self.loaded.bit_of(number),
                loaded: self.loaded.of(number).len(),
            }
        };
        shown.orders.iter().map(line).collect()
    }

    /// Checks blocks until the work is used up: first those that were touched,
    /// then those that the page lacks, then the others in turn.
    fn send_blocks(
        &self,
        state: &mut ClientState,
        agenda: &mut Agenda,
        seen: &Seen<'_>,
        mut left: u32,
    ) {
        let most = (left / LOOK) as usize;
        let mut send = |state: &mut ClientState, key| self.send_block(state, seen, key, &mut left);
        for area in seen.shown.touched.iter().map(|area| grown(*area, 12)) {
            let touched = agenda.wanted.iter().filter(|key| key.meets(&area));
            if !touched.copied().all(|key| send(state, key)) {
                return;
            }
        }
        for _ in 0..most {
            let Some(&key) = agenda.wanted.get(agenda.known) else {
                break;
            };
            if !state.kept.contains_key(&key) && !send(state, key) {
                return;
            }
            agenda.known += 1;
        }
        let count = agenda.wanted.len();
        for _ in 0..most.min(count) {
            if !send(state, agenda.wanted[agenda.cursor % count]) {
                return;
            }
            agenda.cursor += 1;
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
        let sources = sources(key, seen, self.loaded.fades());
        let kept = state.kept.get(&key).copied();
        if sources.is_some() && kept.is_some_and(|kept| kept.sources == sources) {
            return true;
        }
        let begun = state.begun.take();
        let begun = begun.filter(|begun| begun.key == key && begun.sources == sources);
        let mut begun = begun.unwrap_or_else(|| Begun {
            key,
            sources,
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
        state.kept.insert(key, Kept { digest, sources });
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
        let portals = is_on_map.then(|| on.inside.portal_graph().portals_of(sector).count());
        let island = on.inside.island(cell);
        let crowd = [
            Overlay::Density,
            Overlay::Speed,
            Overlay::Discomfort,
            Overlay::Potential,
        ];
        let crowd = crowd
            .into_iter()
            .filter_map(|layer| Some((layer, shown.fields.value(layer, number, cell)?)))
            // JSON has no other numbers.
            .filter(|(_, value)| value.is_finite());
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
            island,
            is_mainland: island
                .zip(self.mainlands.get(&on.id))
                .is_some_and(|(island, (_, mainland))| mainland.is(island)),
            crowd: crowd.collect(),
            portals: portals.unwrap_or(0),
            to_go,
        }
    }
}

/// Returns the digest of all on which a block depends; `None` if that is not known, so that
/// the block has to be built for an answer.
fn sources(key: BlockKey, seen: &Seen<'_>, fades: bool) -> Option<u64> {
    let Seen { shown, order, .. } = *seen;
    let of_order = |order: &ShownOrder<'_>| Some([order.order.number(), order.revision?]);
    let of_crowd = [u64::from(shown.tick), shown.fields.revision()];
    let mut numbers: Vec<u64> = Vec::new();
    match key.layer {
        Overlay::Ground | Overlay::Islands | Overlay::Portals | Overlay::Graph => {
            numbers.push(shown.map_revision?);
        }
        Overlay::Flow | Overlay::Integration => {
            if let Some(order) = order {
                numbers.push(shown.map_revision?);
                numbers.extend(of_order(order)?);
            }
        }
        Overlay::Loaded if fades => return None,
        Overlay::Loaded => {
            for order in shown.orders {
                numbers.extend(of_order(order)?);
            }
        }
        Overlay::Density => numbers.extend(of_crowd),
        Overlay::Speed | Overlay::Discomfort | Overlay::Potential => {
            numbers.extend(of_crowd);
            numbers.extend(order.map(|order| order.order.number()));
        }
    }
    let mut digest = Digest::new();
    for number in numbers {
        digest.bytes(&number.to_le_bytes());
    }
    Some(digest.finish())
}

/// Returns the digest of a block. Blocks of a field belong to an order; those
/// of the map to none.
fn digest(content: &[u8], key: BlockKey, order: u64) -> u64 {
    let mut digest = Digest::new();
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
    let is_offered = |layer: &Overlay| match layer {
        Overlay::Integration => effort.integrates,
        Overlay::Speed | Overlay::Discomfort | Overlay::Potential => shown.fields.has(*layer),
        _ => true,
    };
    let layers = Overlay::ALL.into_iter().filter(is_offered);
    StageInfo {
        serial: shown.serial,
        width: shown.world.costs().width(),
        height: shown.world.costs().height(),
        layers: layers.fold(0, |bits, layer| bits | layer.bit()),
        title: shown.title.to_owned(),
        world_layers,
    }
}
