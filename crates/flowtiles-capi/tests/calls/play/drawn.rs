//! The drawn arguments of a call, and the memory to which its pointers lead.

use std::ptr::{null, null_mut};

use flowtiles_capi::*;

use super::NEVER_GIVEN;
use crate::draws::Rng;

/// What memory holds that no call has written.
const UNTOUCHED: u8 = 0xA5;
/// Room for the saves of the worlds that are drawn.
const SAVE_ROOM: usize = 1 << 17;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    World,
    Order,
    Army,
}

/// A piece of memory for one call, as long as the call may use it: valgrind sees more.
struct Piece {
    memory: *mut u8,
    bytes: usize,
}

impl Piece {
    fn new(bytes: usize) -> Self {
        let memory = flowtiles_alloc(bytes);
        for at in 0..bytes {
            unsafe { memory.add(at).write(UNTOUCHED) }
        }
        Self { memory, bytes }
    }

    fn is_untouched(&self) -> bool {
        (0..self.bytes).all(|at| unsafe { self.memory.add(at).read() } == UNTOUCHED)
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        unsafe { flowtiles_dealloc(self.memory, self.bytes) }
    }
}

/// What a call that succeeds has written, to be drawn from later.
enum Result {
    Handle(Kind, *const u64),
    Group(*const u64),
    Layer(*const u32),
    Link(*const u32),
    Save(*const u8, *const usize),
}

pub struct Drawn {
    rng: Rng,
    /// How seldom something wrong is drawn: in one sequence seldom, in another often.
    tameness: usize,
    handles: Vec<(Kind, u64)>,
    freed: Vec<u64>,
    /// The world of each order and army that was ever there.
    homes: Vec<(u64, u64)>,
    /// With the army or the world to which each belongs.
    groups: Vec<(u64, u64)>,
    layers: Vec<(u64, u64)>,
    links: Vec<(u64, u64)>,
    entries: Vec<(u64, (i32, i32))>,
    saves: Vec<Vec<u8>>,
    /// Of the call that is being made:
    inputs: Vec<Piece>,
    outputs: Vec<Piece>,
    counts: Vec<Piece>,
    results: Vec<Result>,
    used: Vec<(Kind, u64)>,
    frees: Option<u64>,
    count: usize,
    words: Vec<String>,
}

impl Drawn {
    /// Two worlds of which each has an army.
    pub fn new(rng: Rng, tameness: usize) -> Self {
        let mut drawn = Self {
            rng,
            tameness: [1, 4, 16, 64][tameness % 4],
            handles: Vec::new(),
            freed: Vec::new(),
            homes: Vec::new(),
            groups: Vec::new(),
            layers: Vec::new(),
            links: Vec::new(),
            entries: Vec::new(),
            saves: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            counts: Vec::new(),
            results: Vec::new(),
            used: Vec::new(),
            frees: None,
            count: 0,
            words: Vec::new(),
        };
        for _ in 0..2 {
            drawn.make_army();
        }
        drawn
    }

    /// A world with a link, and on it an army of two groups.
    fn make_army(&mut self) {
        let [mut world, mut army, mut group] = [0; 3];
        let done = |status| assert_eq!(status, FLOWTILES_OK);
        done(unsafe { flowtiles_world_open(40, 30, &mut world) });
        let (entry, mut link) = (
            flowtiles_rect {
                x: 14,
                y: 4,
                width: 1,
                height: 4,
            },
            0,
        );
        done(unsafe { flowtiles_world_add_link(world, &entry, 34, 4, 5, &mut link) });
        self.links.push((world, link.into()));
        self.entries.push((world, (entry.x, entry.y)));
        done(unsafe { flowtiles_army_new(world, null(), &mut army) });
        for first in [0, 8] {
            done(unsafe { flowtiles_army_add_group(army, FLOWTILES_READING_AHEAD, &mut group) });
            self.groups.push((army, group));
            let units = [0, 1, 2, 3].map(|at| flowtiles_unit {
                group,
                id: first + at,
                x: 3.5 + (first + at) as f32,
                y: 4.5,
                radius: 0.3,
                speed: 4.0,
            });
            done(unsafe { flowtiles_army_add_units(army, units.as_ptr(), units.len()) });
        }
        self.handles
            .extend([(Kind::World, world), (Kind::Army, army)]);
        self.homes.push((army, world));
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.rng.below(limit as i32) as usize
    }

    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    /// Whether something wrong is to be drawn.
    fn wrong(&mut self, chances: usize) -> bool {
        self.one_in(chances * self.tameness)
    }

    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn noted<T: std::fmt::Debug>(&mut self, value: T) -> T {
        self.words.push(format!("{value:?}"));
        value
    }

    /// The hashes of all worlds and armies that are there.
    pub fn hashes(&self) -> Vec<(Kind, u64, u64)> {
        let hash = |&(kind, handle): &(Kind, u64)| {
            let mut hash = 0;
            let status = match kind {
                Kind::World => unsafe { flowtiles_world_hash(handle, &mut hash) },
                Kind::Army => unsafe { flowtiles_army_hash(handle, &mut hash) },
                Kind::Order => return None,
            };
            (status == FLOWTILES_OK).then_some((kind, handle, hash))
        };
        self.handles.iter().filter_map(hash).collect()
    }

    /// Whether a call that failed has written something that it must not.
    pub fn was_written(&self, status: flowtiles_status) -> bool {
        let written = |pieces: &[Piece]| pieces.iter().any(|piece| !piece.is_untouched());
        written(&self.outputs) || status != FLOWTILES_ERROR_CAPACITY && written(&self.counts)
    }

    /// A handle that the call was given and that names nothing of its kind.
    pub fn dead_handle(&self) -> Option<u64> {
        let dead = self.used.iter().find(|used| !self.handles.contains(used));
        dead.map(|&(_, handle)| handle)
    }

    /// Keeps what the call has made, and gives back its memory.
    pub fn end_call(&mut self, status: flowtiles_status) {
        let (results, freed) = (std::mem::take(&mut self.results), self.frees.take());
        if status == FLOWTILES_OK {
            for result in results {
                self.keep(&result);
            }
            if let Some(freed) = freed {
                self.handles.retain(|&(_, handle)| handle != freed);
                self.freed.push(freed);
            }
        }
        self.inputs.clear();
        self.outputs.clear();
        self.counts.clear();
        self.used.clear();
        for (kind, most) in [(Kind::World, 4), (Kind::Army, 5), (Kind::Order, 12)] {
            while self.live(kind).len() > most {
                // What is there from the beginning grows old.
                let third = self.live(kind)[2];
                self.free(kind, third);
            }
        }
    }

    fn keep(&mut self, result: &Result) {
        unsafe {
            match *result {
                Result::Handle(kind, out) => {
                    let (handle, home) = (out.read(), self.home());
                    self.handles.push((kind, handle));
                    if kind != Kind::World {
                        self.homes.push((handle, home));
                    }
                }
                Result::Group(out) => self.groups.push((self.owner(), out.read())),
                Result::Layer(out) => self.layers.push((self.home(), out.read().into())),
                Result::Link(out) => self.links.push((self.home(), out.read().into())),
                Result::Save(bytes, count) => {
                    let save = std::slice::from_raw_parts(bytes, count.read());
                    self.saves.push(save.to_vec());
                }
            }
        }
    }

    /// The last handle that the call was given.
    fn owner(&self) -> u64 {
        self.used.last().map_or(0, |&(_, handle)| handle)
    }

    /// The world of that handle.
    fn home(&self) -> u64 {
        let owner = self.owner();
        let of = self.homes.iter().find(|&&(handle, _)| handle == owner);
        of.map_or(owner, |&(_, world)| world)
    }

    fn live(&self, of: Kind) -> Vec<u64> {
        let live = self.handles.iter().filter(|(kind, _)| *kind == of);
        live.map(|&(_, handle)| handle).collect()
    }

    fn free(&mut self, kind: Kind, handle: u64) {
        let status = match kind {
            Kind::World => flowtiles_world_free(handle),
            Kind::Army => flowtiles_army_free(handle),
            Kind::Order => flowtiles_order_free(handle),
        };
        assert_eq!(status, FLOWTILES_OK);
        self.handles.retain(|one| *one != (kind, handle));
        self.freed.push(handle);
    }

    pub fn free_all(&mut self, kind: Kind) {
        for handle in self.live(kind) {
            self.free(kind, handle);
        }
    }

    /// What was drawn for the last call.
    pub fn take_words(&mut self) -> Vec<String> {
        std::mem::take(&mut self.words)
    }

    /// A handle: mostly one of its kind, else freed, of another kind, near one, any or none.
    fn handle_of(&mut self, kind: Kind) -> u64 {
        let live = self.live(kind);
        let handle = if live.is_empty() || self.wrong(5) {
            match self.below(5) {
                0 => 0,
                1 if !self.handles.is_empty() => self.of(&self.handles.clone()).1,
                2 if !self.freed.is_empty() => self.of(&self.freed.clone()),
                3 if !live.is_empty() => {
                    let near = self.of(&[1, 1 << 20, 1 << 32, 1 << 40, 1 << 56, 1 << 63]);
                    self.of(&live).wrapping_add(near)
                }
                _ => self.rng.word() % NEVER_GIVEN,
            }
        } else {
            let home = self.home();
            let at_home = |&handle: &u64| self.homes.contains(&(handle, home));
            let at_home: Vec<u64> = live.iter().copied().filter(at_home).collect();
            let near = !at_home.is_empty() && !self.one_in(4);
            self.of(if near { &at_home } else { &live })
        };
        self.noted(handle)
    }

    fn handle(&mut self, kind: Kind) -> u64 {
        let handle = self.handle_of(kind);
        self.used.push((kind, handle));
        handle
    }

    pub fn world(&mut self) -> u64 {
        self.handle(Kind::World)
    }

    pub fn order(&mut self) -> u64 {
        self.handle(Kind::Order)
    }

    pub fn army(&mut self) -> u64 {
        self.handle(Kind::Army)
    }

    pub fn freed(&mut self, kind: Kind) -> u64 {
        let handle = self.handle(kind);
        self.frees = Some(handle);
        handle
    }

    /// A number of a group, layer or link: mostly one of this army or world.
    fn number(&mut self, known: &[(u64, u64)], owner: u64) -> u64 {
        let of_owner = known.iter().filter(|&&(of, _)| of == owner);
        let of_owner: Vec<(u64, u64)> = of_owner.copied().collect();
        let number = match self.below(3) {
            _ if !self.wrong(6) => {
                if of_owner.is_empty() {
                    0
                } else {
                    self.of(&of_owner).1
                }
            }
            0 if !known.is_empty() => self.of(known).1,
            1 => self.rng.word(),
            _ => self.below(9) as u64,
        };
        self.noted(number)
    }

    pub fn group(&mut self) -> u64 {
        self.number(&self.groups.clone(), self.owner())
    }

    pub fn layer(&mut self) -> u32 {
        let number = self.number(&self.layers.clone(), self.home());
        let layer = if self.one_in(4) { 0 } else { number as u32 };
        let teams = if self.wrong(2) { 9 } else { 2 };
        let team = self.below(teams) as u32;
        layer | team << 16
    }

    /// A team: mostly the one other than 0 that orders are drawn for.
    pub fn team(&mut self) -> u8 {
        let team = if self.wrong(6) {
            self.of(&[0, 2, 8, 255])
        } else {
            1
        };
        self.noted(team)
    }

    pub fn link(&mut self) -> u32 {
        self.number(&self.links.clone(), self.home()) as u32
    }

    pub fn unit(&mut self) -> u32 {
        let unit = if self.wrong(20) {
            self.rng.word()
        } else {
            self.below(24) as u64
        };
        self.noted(unit as u32)
    }

    /// A number of which those below `values` mean something.
    pub fn choice(&mut self, values: usize) -> u32 {
        let choice = match self.below(2) {
            _ if !self.wrong(10) => self.below(values) as u32,
            0 => values as u32,
            _ => self.rng.word() as u32,
        };
        self.noted(choice)
    }

    /// A column or row: mostly on the maps.
    pub fn at(&mut self) -> i32 {
        let at = match self.below(2) {
            _ if !self.wrong(15) => self.below(30) as i32,
            0 => self.of(&[-1, 30, 40, 65_535, i32::MIN, i32::MAX]),
            _ => self.rng.word() as i32,
        };
        self.noted(at)
    }

    pub fn side(&mut self) -> u32 {
        let side = match self.below(2) {
            _ if !self.wrong(15) => 1 + self.below(4) as u32,
            0 => self.of(&[0, 41, u32::MAX, 1 << 31, i32::MAX as u32]),
            _ => self.below(41) as u32,
        };
        self.noted(side)
    }

    /// The side of a map: small, or refused.
    pub fn map_side(&mut self) -> u32 {
        let wrong = [0, 65_536, u32::MAX];
        let side = if self.wrong(8) {
            self.of(&wrong)
        } else {
            20 + self.below(21) as u32
        };
        self.noted(side)
    }

    pub fn cost(&mut self) -> u8 {
        let cost = match self.below(8) {
            _ if self.wrong(12) => self.of(&[0, 254]),
            0 => 255,
            _ => 1 + self.below(5) as u8,
        };
        self.noted(cost)
    }

    pub fn float(&mut self) -> f32 {
        let float = match self.below(3) {
            _ if !self.wrong(8) => self.below(300) as f32 / 10.0,
            0 => self.of(&[
                f32::NAN,
                f32::INFINITY,
                f32::NEG_INFINITY,
                f32::MAX,
                f32::MIN,
            ]),
            1 => self.of(&[-1.0, -0.0, 1e-40, 1e6, -1e6, 1e9, 16.0, 0.5]),
            _ => f32::from_bits(self.rng.word() as u32),
        };
        self.noted(float)
    }

    /// A length, a weight or a speed: small.
    pub fn small(&mut self) -> f32 {
        if self.wrong(12) {
            return self.float();
        }
        let small = self.of(&[0.05, 0.3, 0.4, 1.0, 1.5, 4.0]);
        self.noted(small)
    }

    pub fn work(&mut self) -> u64 {
        let work = [0, 1, 100, 4_000, 100_000, u64::MAX];
        let work = self.of(&work);
        self.noted(work)
    }

    /// A pointer, or one that is NULL or not aligned.
    fn pointer<T>(&mut self, right: *mut T) -> *mut T {
        match self.below(2) {
            _ if !self.wrong(20) => right,
            0 if align_of::<T>() > 1 => right.wrapping_byte_add(1),
            _ => null_mut(),
        }
    }

    /// An array of up to `most` drawn values; `count` has their number.
    fn array<T>(&mut self, most: usize, value: impl FnMut(&mut Self) -> T) -> *const T {
        let length = if self.wrong(4) {
            self.below(most + 1)
        } else {
            1 + self.below(most)
        };
        let array = self.values(length, value);
        self.count = length;
        if self.wrong(40) {
            // Refused before anything is read.
            self.count = usize::MAX;
        } else if self.wrong(20) {
            self.count = self.below(length + 1);
        }
        self.pointer_to(array, length)
    }

    /// Another array of as many values.
    fn beside<T>(&mut self, value: impl FnMut(&mut Self) -> T) -> *const T {
        let length = if self.count == usize::MAX {
            0
        } else {
            self.count
        };
        let array = self.values(length, value);
        self.pointer_to(array, length)
    }

    /// Memory with this many drawn values, until the call is over.
    fn values<T>(&mut self, length: usize, mut value: impl FnMut(&mut Self) -> T) -> *mut T {
        let piece = Piece::new(length * size_of::<T>());
        let array = piece.memory.cast::<T>();
        for at in 0..length {
            let value = value(self);
            unsafe { array.add(at).write(value) }
        }
        self.inputs.push(piece);
        array
    }

    /// A pointer to an array; without a length, any is right.
    fn pointer_to<T>(&mut self, array: *mut T, length: usize) -> *const T {
        if length == 0 {
            array
        } else {
            self.pointer(array)
        }
    }

    /// The number of entries of the last array, or fewer, or far too many.
    pub fn count(&mut self) -> usize {
        self.noted(self.count)
    }

    pub fn cells(&mut self) -> *const flowtiles_cell {
        self.array(5, |drawn| flowtiles_cell {
            x: drawn.at(),
            y: drawn.at(),
        })
    }

    pub fn costs_beside(&mut self) -> *const u8 {
        self.beside(Self::cost)
    }

    pub fn sights_beside(&mut self) -> *const u32 {
        self.beside(Self::side)
    }

    /// A cost for each cell of a rectangle, or too few or too many.
    pub fn costs_of(&mut self, width: u32, height: u32) -> *const u8 {
        let cells = width.saturating_mul(height).min(2_000) as usize;
        let length = if self.wrong(12) {
            self.below(cells + 9)
        } else {
            cells
        };
        self.count = length;
        let odd = self.one_in(3);
        self.beside(|drawn| if odd { drawn.cost() } else { 1 })
    }

    pub fn areas(&mut self) -> *const flowtiles_rect {
        self.array(3, Self::rect)
    }

    pub fn groups(&mut self) -> *const u64 {
        self.array(3, Self::group)
    }

    pub fn ids(&mut self) -> *const u32 {
        self.array(5, Self::unit)
    }

    pub fn units(&mut self) -> *const flowtiles_unit {
        self.array(5, |drawn| flowtiles_unit {
            group: drawn.group(),
            id: drawn.unit(),
            x: drawn.float(),
            y: drawn.float(),
            radius: drawn.small(),
            speed: drawn.small(),
        })
    }

    /// The four costs of jams: the call has no length.
    pub fn jam_costs(&mut self) -> *const u8 {
        self.count = 4;
        self.beside(Self::cost)
    }

    /// The corners of a polygon, mostly one that is, in sixteenths of a cell.
    pub fn corners(&mut self) -> *const flowtiles_cell {
        if self.wrong(4) {
            return self.cells();
        }
        let [x, y] = [0, 1].map(|_| 16 * self.at().clamp(-9, 99));
        let around = [[0, 5], [90, 0], [70, 44], [99, 90], [9, 80]];
        self.count = around.len();
        let mut corners = around.into_iter();
        self.beside(|_| {
            let [east, south] = corners.next().expect("as many as counted");
            let (x, y) = (x + east, y + south);
            flowtiles_cell { x, y }
        })
    }

    /// The bytes of a map file, mostly a good one.
    pub fn file(&mut self) -> *const u8 {
        let maps = [
            "..#\n...\n",
            "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n",
            "..#\n....\n",
            "",
        ];
        let map = self.of(&maps);
        self.count = map.len();
        let mut bytes = map.bytes();
        self.beside(|_| bytes.next().expect("as many as counted"))
    }

    /// The name of a map file, which ends with a 0.
    pub fn file_name(&mut self) -> *const std::ffi::c_char {
        let name = self.of(&["a.map\0", "b.txt\0", "c.png\0", "d\0", "\0"]);
        let mut letters = name.bytes();
        let name = self.values(name.len(), |_| {
            letters.next().expect("as many").cast_signed()
        });
        self.pointer(name)
    }

    /// The bytes of a save, mostly whole.
    pub fn save(&mut self) -> *const u8 {
        let mut save = match self.saves.len() {
            0 => Vec::new(),
            saves => {
                let at = self.below(saves);
                self.saves[at].clone()
            }
        };
        match self.below(4) {
            _ if !self.wrong(1) => {}
            0 if !save.is_empty() => {
                let at = self.below(save.len());
                save[at] ^= 1 << self.below(8);
            }
            1 => save.truncate(self.below(save.len() + 1)),
            _ => {}
        }
        self.count = save.len();
        let mut bytes = save.into_iter();
        self.beside(|_| bytes.next().expect("as many as counted"))
    }

    pub fn rect(&mut self) -> flowtiles_rect {
        flowtiles_rect {
            x: self.at(),
            y: self.at(),
            width: self.side(),
            height: self.side(),
        }
    }

    fn input<T>(&mut self, value: T) -> *const T {
        let piece = Piece::new(size_of::<T>());
        let place = piece.memory.cast::<T>();
        unsafe { place.write(value) }
        self.inputs.push(piece);
        self.pointer(place)
    }

    /// The entry of a link and its way out.
    pub fn link_area(&mut self) -> *const flowtiles_rect {
        let rect = self.rect();
        self.entries.push((self.home(), (rect.x, rect.y)));
        self.input(rect)
    }

    /// A cell: mostly one in which a link of this world begins.
    pub fn entry(&mut self) -> (i32, i32) {
        let home = self.home();
        let here = self.entries.iter().filter(|&&(world, _)| world == home);
        let here: Vec<(i32, i32)> = here.map(|&(_, entry)| entry).collect();
        if here.is_empty() || self.wrong(4) {
            return (self.at(), self.at());
        }
        let entry = self.of(&here);
        self.noted(entry)
    }

    pub fn area(&mut self) -> *const flowtiles_rect {
        let rect = self.rect();
        self.input(rect)
    }

    /// A rectangle, and a cost for each of its cells.
    pub fn area_and_costs(&mut self) -> (*const flowtiles_rect, *const u8) {
        let rect = self.rect();
        let area = self.input(rect);
        (area, self.costs_of(rect.width, rect.height))
    }

    fn goal_of_cells(&mut self) -> flowtiles_goal {
        let (cells, cells_count) = (self.cells(), self.count);
        let layer = if self.one_in(2) { 0 } else { self.layer() };
        flowtiles_goal {
            cells,
            cells_count,
            layer,
            quality: self.choice(3),
            or_nearest: self.choice(2),
        }
    }

    pub fn goal(&mut self) -> *const flowtiles_goal {
        let goal = self.goal_of_cells();
        self.input(goal)
    }

    pub fn goals(&mut self) -> *const flowtiles_goal {
        let goals = [0; 3].map(|_| self.goal_of_cells());
        let mut goals = goals.into_iter();
        self.array(3, |_| goals.next().expect("at most as many"))
    }

    pub fn line(&mut self) -> *const flowtiles_line {
        let line = flowtiles_line {
            left_x: self.float(),
            left_y: self.float(),
            right_x: self.float(),
            right_y: self.float(),
        };
        self.input(line)
    }

    pub fn target(&mut self) -> *const flowtiles_target {
        let target = flowtiles_target {
            order: self.handle_of(Kind::Order),
            kind: self.choice(10),
            unit: self.unit(),
            x: self.float(),
            y: self.float(),
            range: self.small(),
            leash: self.float(),
            sight: self.float(),
            safe: self.float(),
        };
        self.input(target)
    }

    /// How the groups of the last array are sent.
    pub fn sending(&mut self) -> *const flowtiles_sending {
        let chases = if self.one_in(2) {
            null()
        } else {
            self.beside(|drawn| flowtiles_chase {
                attack: drawn.choice(2),
                range: drawn.small(),
                leash: drawn.float(),
                sight: drawn.float(),
            })
        };
        let how = flowtiles_sending {
            queued: self.choice(2),
            together: self.choice(2),
            attack: self.choice(2),
            range: self.small(),
            leash: self.float(),
            sight: self.float(),
            formed: self.choice(2),
            shape: self.choice(4),
            spacing: self.small(),
            chases,
        };
        self.input(how)
    }

    pub fn movement(&mut self) -> *const flowtiles_movement {
        let odd = self.one_in(4);
        let movement = flowtiles_movement {
            costs: std::array::from_fn(|kind| if odd { self.cost() } else { kind as u8 }),
            size: self.choice(9) as u8,
            wall_costs: [0; 4].map(|_| if odd { self.cost() } else { 0 }),
        };
        self.input(movement)
    }

    pub fn settings(&mut self) -> *const flowtiles_settings {
        let settings = flowtiles_settings {
            force: self.float(),
            follow: self.small(),
            separation: self.small(),
            alignment: self.small(),
            cohesion: self.small(),
            avoidance: self.small(),
            room: self.small(),
            range: self.small(),
            horizon: self.small(),
            catch_up: self.small(),
            patience: self.small(),
            pushes: self.choice(6),
            hard_ground_slows: self.choice(2),
        };
        self.input(settings)
    }

    /// A place for as many values as the last array has.
    pub fn outs<T>(&mut self) -> *mut T {
        let length = if self.count == usize::MAX {
            0
        } else {
            self.count
        };
        self.room(length)
    }

    fn room<T>(&mut self, length: usize) -> *mut T {
        let piece = Piece::new(length * size_of::<T>());
        let place = piece.memory.cast::<T>();
        self.outputs.push(piece);
        if length == 0 {
            place
        } else {
            self.pointer(place)
        }
    }

    /// A place for one value.
    pub fn out<T>(&mut self) -> *mut T {
        self.room(1)
    }

    fn result<T>(&mut self, result: impl FnOnce(*const T) -> Result) -> *mut T {
        let place = self.out::<T>();
        if !place.is_null() && place.is_aligned() {
            self.results.push(result(place));
        }
        place
    }

    pub fn out_handle(&mut self, kind: Kind) -> *mut u64 {
        self.result(|place| Result::Handle(kind, place))
    }

    pub fn out_group(&mut self) -> *mut u64 {
        self.result(Result::Group)
    }

    pub fn out_layer(&mut self) -> *mut u32 {
        self.result(Result::Layer)
    }

    pub fn out_link(&mut self) -> *mut u32 {
        self.result(Result::Link)
    }

    /// A place for up to `most` entries; `count` has how many fit.
    pub fn room_for<T>(&mut self, most: usize) -> *mut T {
        self.count = if self.one_in(3) {
            self.below(most + 1)
        } else {
            most
        };
        self.outs()
    }

    /// A place for a save, and its room and count.
    pub fn out_save(&mut self) -> (*mut u8, usize, *mut usize) {
        let room = if self.one_in(3) {
            self.below(2_000)
        } else {
            SAVE_ROOM
        };
        let bytes: *mut u8 = self.room(room);
        let count = self.out_count();
        if !bytes.is_null() && !count.is_null() && count.is_aligned() {
            self.results.push(Result::Save(bytes, count));
        }
        (bytes, room, count)
    }

    /// A place for a number of entries, which is also written if they do not fit.
    pub fn out_count(&mut self) -> *mut usize {
        let piece = Piece::new(size_of::<usize>());
        let place = piece.memory.cast::<usize>();
        self.counts.push(piece);
        self.pointer(place)
    }
}
