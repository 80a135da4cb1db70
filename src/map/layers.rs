//! The layers of a world: the ground, and what is derived from it for each class, size
//! and team that is used.
//!
//! ```text
//!   ground + stamps, blockers, gates ─┬─► the ground's layer, as team 0 sees it
//!                                     ├─► layer 1, teams 0 to 7 (all gates alike to them)
//!                                     ├─► layer 2, teams 0 and 3
//!                                     └─► layer 2, team 5
//! ```
//!
//! A layer is derived when it is first asked for. Teams that see all gates alike share
//! what is derived; when a gate parts them, each part gets a copy. A team with fog shares with no
//! other, and its layers are derived from what it knows.
//!
//! Below `world` this file and `cost` alone know that there are several layers: a plan
//! is given the map of its own. A declared layer costs nothing. A derived one takes the
//! time and memory of a world, and each edit takes what deriving a few sectors does. Its
//! map is not saved: it is derived again on loading.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Change, Edit, Map, MapBuild};
use crate::bytes::{Digest, Writer};
use crate::cost::{
    Cost, CostMap, Deriving, Fog, LayerError, LayerId, Link, LinkId, Links, MAX_TEAMS, Movement,
    Opaque, SectorChange, Stamps, Surcharges, Teams,
};
use crate::grid::{Cell, CellRect, Extent, SECTOR_CELLS, SectorId};
use crate::islands::{IslandRepair, Islands};

/// The most layers that a world may have, the ground's included.
pub(crate) const MAX_LAYERS: u16 = 256;

#[derive(Clone)]
pub(crate) struct Layers {
    /// The ground's own layer, as team 0 sees it.
    ground: Map,
    /// What lies over the ground, and the ground under it.
    stamps: Stamps,
    links: Links,
    surcharges: Surcharges,
    fog: Fog,
    /// The kinds that block views, if the game has named them.
    opaque: Option<Opaque>,
    /// The movement of each layer, by number; the first is the ground's.
    movements: Vec<Movement>,
    /// By number and first team: what is derived.
    derived: Vec<Derived>,
    /// By team: the teams that see the same.
    alike: [Teams; MAX_TEAMS as usize],
}

#[derive(Clone)]
struct Derived {
    number: u16,
    /// The teams that share it.
    teams: Teams,
    map: Map,
}

/// Where the map of a layer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LayerAt {
    Ground,
    Derived(usize),
}

impl Layers {
    /// Makes the ground's layer from a map that is built, with what lies over it.
    pub(crate) fn new(ground: Map, stamps: Stamps) -> Self {
        Self {
            ground,
            alike: stamps.alike(),
            stamps,
            links: Links::default(),
            surcharges: Surcharges::default(),
            fog: Fog::default(),
            opaque: None,
            movements: vec![Movement::new()],
            derived: Vec::new(),
        }
    }

    pub(crate) const fn extent(&self) -> Extent {
        self.ground.costs.extent()
    }

    /// Returns the map of the ground's layer, as team 0 sees it.
    pub(crate) const fn ground(&self) -> &Map {
        &self.ground
    }

    pub(crate) const fn stamps(&self) -> &Stamps {
        &self.stamps
    }

    pub(crate) const fn links(&self) -> &Links {
        &self.links
    }

    /// Returns the movement of each layer, by number; the first is the ground's.
    pub(crate) fn movements(&self) -> &[Movement] {
        &self.movements
    }

    /// Adds a layer. Nothing is derived for it yet.
    pub(crate) fn add(&mut self, movement: Movement) -> Result<LayerId, LayerError> {
        let number = self.movements.len() as u16;
        if number >= MAX_LAYERS {
            return Err(LayerError::Full { limit: MAX_LAYERS });
        }
        self.movements.push(movement);
        Ok(LayerId::from_number(number))
    }

    /// Returns where the map of a layer is kept, if it is derived.
    pub(crate) fn at(&self, layer: LayerId) -> Option<LayerAt> {
        let teams = self.alike[usize::from(layer.team())];
        if layer.number() == 0 && teams.has(0) {
            return Some(LayerAt::Ground);
        }
        let key = (layer.number(), teams.first());
        let index = self.derived.binary_search_by_key(&key, Derived::key).ok()?;
        Some(LayerAt::Derived(index))
    }

    /// Returns the map of a layer, if it is derived.
    pub(crate) fn get(&self, layer: LayerId) -> Option<&Map> {
        self.at(layer).map(|at| self.map_at(at))
    }

    /// Returns the map of a layer that an order uses, and which is therefore derived.
    pub(crate) fn used(&self, layer: LayerId) -> &Map {
        match self.get(layer) {
            Some(map) => map,
            None => unreachable!("the layer of an order is derived"),
        }
    }

    pub(crate) fn map_at(&self, at: LayerAt) -> &Map {
        match at {
            LayerAt::Ground => &self.ground,
            LayerAt::Derived(index) => &self.derived[index].map,
        }
    }

    /// Derives a layer if it is not derived yet; `None` if there is no such layer.
    pub(crate) fn derive(&mut self, layer: LayerId) -> Option<&Map> {
        let at = match self.at(layer) {
            Some(at) => at,
            None => {
                let deriving = self.deriving(layer)?;
                let (costs, islands) = (deriving.map(), Arc::clone(&self.ground.islands));
                let build = if deriving.shares_walls() {
                    MapBuild::sharing(costs, islands)
                } else {
                    MapBuild::new(costs)
                };
                self.put(layer, build.finish())
            }
        };
        Some(self.map_at(at))
    }

    fn put(&mut self, layer: LayerId, mut map: Map) -> LayerAt {
        map.set_links(self.links.on(layer.number()));
        let (number, teams) = (layer.number(), self.alike[usize::from(layer.team())]);
        let key = (number, teams.first());
        let index = self.derived.partition_point(|other| other.key() < key);
        self.derived.insert(index, Derived { number, teams, map });
        LayerAt::Derived(index)
    }

    /// Returns what is derived beside the ground, each by the first team that shares it.
    pub(crate) fn derived(&self) -> impl Iterator<Item = LayerId> {
        self.derived.iter().filter_map(Derived::layer)
    }

    /// Frees what is derived for a layer, for all teams.
    pub(crate) fn free(&mut self, layer: LayerId) {
        self.derived
            .retain(|derived| derived.number != layer.number());
    }

    /// Frees all that is derived but for these layers, as [`derived`](Self::derived) names them.
    pub(crate) fn keep(&mut self, layers: &[LayerId]) {
        self.derived.retain(|derived| {
            let layer = derived.layer();
            layer.is_some_and(|layer| layers.contains(&layer))
        });
    }

    /// What the costs of a layer are derived from; `None` if there is no such layer.
    pub(crate) fn deriving(&self, layer: LayerId) -> Option<Deriving<'_>> {
        let known = self.fog.known(layer.team());
        Some(Deriving {
            ground: known.unwrap_or(&self.ground.costs),
            has_fog: known.is_some(),
            stamps: &self.stamps,
            surcharges: &self.surcharges,
            movement: self.movements.get(usize::from(layer.number()))?,
            layer,
        })
    }

    /// Returns the number of cells of all maps, those that teams know included, if one more layer
    /// is derived.
    pub(crate) fn cells_with_one_more(&self) -> u64 {
        let extent = self.extent();
        let cells = extent.width() as u64 * extent.height() as u64;
        cells * (2 + self.derived.len() as u64 + self.fog.len() as u64)
    }

    /// Returns the maps of all layers, the ground's first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Map> {
        let derived = self.derived.iter().map(|derived| &derived.map);
        std::iter::once(&self.ground).chain(derived)
    }

    /// Returns where all maps are kept, the ground's first.
    pub(crate) fn positions(&self) -> impl Iterator<Item = LayerAt> + use<> {
        let derived = (0..self.derived.len()).map(LayerAt::Derived);
        std::iter::once(LayerAt::Ground).chain(derived)
    }

    pub(crate) fn begin_round(&mut self, round: u64) {
        self.ground.clusters.begin_round(round);
        for derived in &mut self.derived {
            derived.map.clusters.begin_round(round);
        }
    }

    /// Whether a layer has the islands of the ground's, since it has the same walls.
    pub(crate) fn shares_islands(&self, at: LayerAt) -> bool {
        let LayerAt::Derived(index) = at else {
            return false;
        };
        let map = &self.derived[index].map;
        let deriving = self.derived[index]
            .layer()
            .and_then(|layer| self.deriving(layer));
        deriving.is_some_and(|deriving| deriving.shares_walls())
            && Arc::ptr_eq(&map.islands, &self.ground.islands)
    }

    pub(crate) fn island_bytes(&self) -> usize {
        let ground = &self.ground.islands;
        let derived = self.derived.iter().map(|derived| &derived.map.islands);
        let own = derived.filter(|islands| !Arc::ptr_eq(islands, ground));
        ground.bytes() + own.map(|islands| islands.bytes()).sum::<usize>()
    }

    /// Edits the map of one layer. Layers with the ground's islands have them repaired with
    /// the ground; `repaired` is that repair, if the ground was edited.
    pub(crate) fn edit(
        &mut self,
        at: LayerAt,
        edits: &[Edit<'_>],
        sectors: &[SectorId],
        repaired: Option<&IslandRepair>,
    ) -> Change {
        match at {
            LayerAt::Ground => self.edit_ground(edits, sectors),
            LayerAt::Derived(index) => {
                let repaired = repaired.filter(|_| self.shares_islands(at));
                let map = &mut self.derived[index].map;
                map.edit(&mut Stamps::default(), edits, sectors, repaired)
            }
        }
    }

    fn edit_ground(&mut self, edits: &[Edit<'_>], sectors: &[SectorId]) -> Change {
        let sharing: Vec<usize> = (0..self.derived.len())
            .filter(|&index| self.shares_islands(LayerAt::Derived(index)))
            .collect();
        // The edit would copy islands that others hold too, so the layers let go of them.
        if !sharing.is_empty() {
            let none = Arc::new(Islands::empty(self.extent()));
            for &index in &sharing {
                self.derived[index].map.islands = Arc::clone(&none);
            }
        }
        let change = self.ground.edit(&mut self.stamps, edits, sectors, None);
        for index in sharing {
            self.derived[index].map.islands = Arc::clone(&self.ground.islands);
        }
        change
    }

    /// Returns the costs that a derived layer now has in the sectors that a change in these
    /// areas may affect, where they differ from those it had. `reach_of` says for a layer's
    /// number and movement how far the change has an effect, in cells, if it has any.
    pub(crate) fn rederive(
        &self,
        at: LayerAt,
        changed: &[CellRect],
        reach_of: impl Fn(u16, &Movement) -> Option<u32>,
    ) -> Vec<(CellRect, Vec<u8>)> {
        let LayerAt::Derived(index) = at else {
            return Vec::new();
        };
        let Derived { number, teams, map } = &self.derived[index];
        let layer = LayerId::from_number(*number).for_team(teams.first());
        let Some(deriving) = layer.and_then(|layer| self.deriving(layer)) else {
            return Vec::new();
        };
        let Some(reach) = reach_of(*number, deriving.movement) else {
            return Vec::new();
        };
        let extent = self.extent();
        // By sector, a rectangle around all that may change there.
        let mut parts: BTreeMap<SectorId, CellRect> = BTreeMap::new();
        for area in changed {
            let area = area.grown(reach).intersection(self.ground.costs.area());
            if area.is_empty() {
                continue;
            }
            for (sector, part) in extent.parts_of(area) {
                let known = parts.entry(sector).or_insert(part);
                *known = known.around(part);
            }
        }
        let mut found = Vec::new();
        for (sector, part) in parts {
            let (costs, before) = (deriving.tile(sector), map.costs.tile(sector));
            if costs != *before.costs() {
                found.push((part, rows(extent, part, &costs)));
            }
        }
        found
    }

    pub(crate) const fn fog(&self) -> &Fog {
        &self.fog
    }

    pub(crate) const fn opaque(&self) -> Option<Opaque> {
        self.opaque
    }

    pub(crate) const fn set_opaque(&mut self, opaque: Opaque) {
        self.opaque = Some(opaque);
    }

    /// The team of a layer, if that has fog.
    pub(crate) fn fogged(&self, at: LayerAt) -> Option<u8> {
        let LayerAt::Derived(index) = at else {
            return None;
        };
        let team = self.derived[index].teams.first();
        self.fog.known(team).map(|_| team)
    }

    pub(crate) fn add_fog(&mut self, team: u8) {
        self.fog.add(team, &self.ground.costs, &self.stamps);
        self.part_teams();
    }

    /// Takes fog away from a team that knows all. What is derived for it stays its own until
    /// teams are joined.
    pub(crate) fn remove_fog(&mut self, team: u8) {
        self.fog.remove(team);
    }

    /// What is derived does not follow. `is_in_view` is asked of the ground.
    pub(crate) fn reveal(
        &mut self,
        team: u8,
        area: CellRect,
        is_in_view: impl Fn(&CostMap, Cell) -> bool,
    ) -> Vec<SectorChange> {
        let (ground, stamps) = (&self.ground.costs, &self.stamps);
        self.fog
            .reveal(team, ground, stamps, area, |cell| is_in_view(ground, cell))
    }

    /// What is derived does not follow.
    pub(crate) fn forget(&mut self, team: u8, area: CellRect, kind: Cost) -> Vec<SectorChange> {
        self.fog.forget(team, area, kind)
    }

    /// Lays the fog of a world in which no layer is derived yet.
    pub(crate) fn put_fog(&mut self, fog: Fog) {
        self.fog = fog;
        self.alike = self.alike();
    }

    /// By team, the teams that see the same now.
    fn alike(&self) -> [Teams; MAX_TEAMS as usize] {
        let mut alike = self.stamps.alike();
        self.fog.part(&mut alike);
        self.surcharges.part(&mut alike);
        alike
    }

    pub(crate) const fn surcharges(&self) -> &Surcharges {
        &self.surcharges
    }

    /// What is derived does not follow a change.
    pub(crate) const fn surcharges_mut(&mut self) -> &mut Surcharges {
        &mut self.surcharges
    }

    /// Puts the surcharges of a world in which no layer is derived yet.
    pub(crate) fn put_surcharges(&mut self, surcharges: Surcharges) {
        self.surcharges = surcharges;
        self.alike = self.alike();
    }

    /// Marks the costs of a layer with surcharges as changed: the ground below these may have
    /// changed where the cost was the highest, and still is.
    pub(crate) fn mark_below_surcharges(&mut self, at: LayerAt) {
        if let LayerAt::Derived(index) = at {
            let Derived { number, map, .. } = &mut self.derived[index];
            if self.surcharges.are_on(*number) {
                map.costs.mark_changed();
            }
        }
    }

    /// Returns what a cell on the map costs more on a layer.
    pub(crate) fn surcharge(&self, layer: LayerId, cell: Cell) -> u8 {
        let place = self.extent().locate(cell);
        self.surcharges.at(layer, place)
    }

    /// Returns the cost of a cell on the map without surcharges, which is this one with them.
    #[cfg(feature = "steer")]
    pub(crate) fn plain_cost(&self, layer: LayerId, cell: Cell, cost: Cost) -> Cost {
        match self.surcharge(layer, cell) {
            added if added == 0 || cost.is_wall() => cost,
            added if cost < Cost::HIGHEST => Cost::stored(cost.value() - added),
            // Not all that is added may be in it.
            _ => self.deriving(layer).map_or(cost, |deriving| {
                let (sector, slot) = self.extent().locate(cell);
                Cost::stored(deriving.plain_tile(sector)[slot.index()])
            }),
        }
    }

    /// Whether there is anything beside the ground's layer: other layers, or gates, now
    /// or before.
    pub(crate) fn are_declared(&self) -> bool {
        self.movements.len() > 1 || self.stamps.have_had_gates()
    }

    /// Writes the movements of the layers beside the ground's, and the gates.
    pub(crate) fn pack(&self, out: &mut Writer) {
        out.count(self.movements.len() - 1);
        for movement in &self.movements[1..] {
            movement.pack(out);
        }
        self.stamps.pack_gates(out);
    }

    /// Adds to a digest what lies over the ground, and the layers.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        self.stamps.digest(&self.ground.costs, digest);
        let mut add = |pack: &dyn Fn(&mut Writer)| {
            let mut out = Writer::default();
            pack(&mut out);
            digest.bytes(&out.into_bytes());
        };
        if self.are_declared() {
            add(&|out| self.pack(out));
        }
        if !self.surcharges.is_empty() {
            add(&|out| self.surcharges.pack(out));
        }
        if self.links.have_been() {
            add(&|out| self.links.pack(out));
        }
        if let Some(opaque) = self.opaque {
            add(&|out| opaque.pack(out));
        }
        if !self.fog.is_empty() {
            self.fog.digest(digest);
        }
    }

    /// Adds a link; `None` if there is no number left for it.
    pub(crate) fn add_link(&mut self, link: Link) -> Option<LinkId> {
        let id = self.links.add(link)?;
        self.set_links();
        Some(id)
    }

    pub(crate) fn remove_link(&mut self, id: LinkId) -> Option<Link> {
        let link = self.links.remove(id)?;
        self.set_links();
        Some(link)
    }

    /// Replaces all links, of a world without orders.
    pub(crate) fn put_links(&mut self, links: Links) {
        self.links = links;
        self.set_links();
    }

    fn set_links(&mut self) {
        self.ground.set_links(self.links.on(0));
        for Derived { number, map, .. } in &mut self.derived {
            map.set_links(self.links.on(*number));
        }
    }

    // What lies over the ground.

    /// What is derived does not follow a change.
    pub(crate) const fn stamps_mut(&mut self) -> (&mut Stamps, &CostMap) {
        (&mut self.stamps, &self.ground.costs)
    }

    /// Parts the teams that now see different things, by gates, fog or surcharges, before
    /// the maps are repaired. Each part gets a copy of what was derived for the whole: a layer that
    /// could be asked about still can.
    pub(crate) fn part_teams(&mut self) {
        let former = self.alike;
        let mut parts = self.alike();
        for (part, former) in parts.iter_mut().zip(former) {
            *part = part.shared(former);
        }
        if parts == former {
            return;
        }
        self.alike = parts;
        let groups = groups(parts);
        for Derived { number, teams, map } in std::mem::take(&mut self.derived) {
            let own = parts[usize::from(teams.first())];
            for &other in groups.iter().filter(|&&other| other != own) {
                if teams.has(other.first()) {
                    let (teams, map) = (other, map.clone());
                    self.derived.push(Derived { number, teams, map });
                }
            }
            let teams = own;
            self.derived.push(Derived { number, teams, map });
        }
        for teams in groups.into_iter().filter(|teams| !teams.has(0)) {
            if former[usize::from(teams.first())].has(0) {
                let (number, map) = (0, self.ground.clone());
                self.derived.push(Derived { number, teams, map });
            }
        }
        self.derived.sort_by_key(Derived::key);
    }

    /// Joins the teams that now see the same, after the maps have followed gates, fog and
    /// surcharges: their maps are equal, and one of them is kept. Returns the layers whose maps
    /// were not: their islands have other numbers now.
    pub(crate) fn join_teams(&mut self) -> Vec<LayerId> {
        let alike = self.alike();
        if alike == self.alike {
            return Vec::new();
        }
        self.alike = alike;
        let mut moved = Vec::new();
        let mut kept: Vec<Derived> = Vec::new();
        for mut derived in std::mem::take(&mut self.derived) {
            let parts = derived.teams;
            derived.teams = alike[usize::from(parts.first())];
            let is_ground = derived.number == 0 && derived.teams.has(0);
            if is_ground || kept.iter().any(|other| other.key() == derived.key()) {
                let members = parts.members();
                let layer = LayerId::from_number(derived.number);
                moved.extend(members.filter_map(|team| layer.for_team(team)));
            } else {
                kept.push(derived);
            }
        }
        kept.sort_by_key(Derived::key);
        self.derived = kept;
        moved
    }
}

impl Derived {
    const fn key(&self) -> (u16, u8) {
        (self.number, self.teams.first())
    }

    /// The layer as the first team sees it that shares what is derived.
    fn layer(&self) -> Option<LayerId> {
        LayerId::from_number(self.number).for_team(self.teams.first())
    }
}

/// Each group of teams once.
fn groups(alike: [Teams; MAX_TEAMS as usize]) -> Vec<Teams> {
    let teams = (0..MAX_TEAMS).zip(alike);
    let groups = teams.filter(|(team, group)| group.first() == *team);
    groups.map(|(_, group)| group).collect()
}

/// The costs of some cells of a sector, row by row.
fn rows(extent: Extent, part: CellRect, costs: &[u8; SECTOR_CELLS]) -> Vec<u8> {
    part.cells()
        .map(|cell| costs[extent.locate(cell).1.index()])
        .collect()
}
