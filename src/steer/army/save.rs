//! Saves of armies, and state hashes.

use super::Army;
use super::load_error::{ArmyLoadError, VERSION};
use super::packed::{pass_army, pass_group};
use super::packed_crowd::CrowdInputs;
#[cfg(feature = "crowd")]
use super::packed_crowd::pass_conduct;
use super::pass::{Packer, Pass, Unpacker, order_of};
use crate::bytes::{Digest, Fault, HEAD, open, seal};
use crate::order::Order;
use crate::world::FlowWorld;

/// The first bytes of every save of an army.
const MAGIC: [u8; 8] = *b"FLOWARMY";

/// Saves and loads. `docs/save-format.md` describes the format.
impl Army {
    /// Returns the army as bytes: settings, units with everything that they
    /// remember, groups, the numbers of their orders, and the record of jams. Equal armies have
    /// equal bytes.
    ///
    /// The world is saved by itself ([`FlowWorld::save`]). Not part of either
    /// are the events of the last step. Of a
    /// [`crowd`](crate::crowd), its settings, conducts, paint, dangers and
    /// heights are saved, and its fields are solved anew after loading.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Target, Unit};
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let order = world.order(Cell::new(90, 50), &[Cell::new(5, 5)])?;
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Order(order), Reading::Ahead)?;
    /// army.add(Unit::new(0, group, [5.5, 5.5]))?;
    /// world.tick(Budget::UNLIMITED);
    /// army.step(&world, 0.05);
    ///
    /// let (world_bytes, army_bytes) = (world.save(), army.save());
    /// // The claims keep the orders alive until the army has its own.
    /// let (world, claims) = FlowWorld::load(&world_bytes)?;
    /// let loaded = Army::load(&army_bytes, &world)?;
    /// drop(claims);
    /// assert_eq!(loaded.state_hash(), army.state_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        seal(MAGIC, VERSION, &self.packed())
    }

    /// Loads an army from the bytes of a save. Its orders are those of the same
    /// numbers in a world that was [saved](FlowWorld::save) with it and loaded.
    ///
    /// The [`state_hash`](Self::state_hash) is that of the army that was saved,
    /// and the army goes on bit for bit as that one would on the loaded world:
    /// no unit that has arrived sets out again, and no event comes twice. If a
    /// group reads the [`crowd`](crate::crowd), this is so only for armies that
    /// were all loaded, since the crowd is solved anew.
    ///
    /// **In lockstep all players load the saves** of world and army, also the one that saved: the
    /// loaded [world](FlowWorld::load), and the army with it, may later part from the saved one.
    ///
    /// # Errors
    /// If the bytes are not a save of an army, have another version of the
    /// format, or are damaged, or if the world has not the army's orders and layers. Then
    /// no army is made, and no more memory was used than some hundred bytes for
    /// each unit and group read so far.
    pub fn load(bytes: &[u8], world: &FlowWorld) -> Result<Self, ArmyLoadError> {
        let mut unpacker = Unpacker::new(open(MAGIC, VERSION, bytes)?, world);
        let mut army = Self::default();
        let read = army.unpack(&mut unpacker, world);
        match (read, unpacker.problem) {
            (Ok(()), _) => army.check_layers(world).map(|()| army),
            (Err(_), Some(problem)) => Err(problem),
            (Err(Fault { at, what }), None) => {
                let at = HEAD + at;
                Err(ArmyLoadError::Body { at, what })
            }
        }
    }

    fn check_layers(&self, world: &FlowWorld) -> Result<(), ArmyLoadError> {
        let mut layers = self.groups.layers();
        let missing = layers.find(|&layer| world.movement(layer).is_none());
        missing.map_or(Ok(()), |layer| Err(ArmyLoadError::NoLayer { layer }))
    }

    /// Binds the army to the orders of the same numbers in another world: one
    /// that was loaded, or forked from the army's own. Together with a clone of
    /// the army this is how a game goes back to an earlier moment. The crowd goes
    /// on too.
    ///
    /// # Errors
    /// If the world has not the army's orders and layers. Then the army is as before.
    pub fn bind(&mut self, world: &FlowWorld) -> Result<(), ArmyLoadError> {
        self.check_layers(world)?;
        let find = |order: &Order| order_of(world, order.number(), order.goal().cell());
        let mut groups = self.groups.clone();
        for order in groups.orders_mut() {
            *order = find(order)?;
        }
        self.groups = groups;
        #[cfg(feature = "crowd")]
        if let Some(crowd) = &mut self.foresight.crowd {
            crowd.bind(|order| find(order).ok());
        }
        Ok(())
    }

    /// Forks the army together with its world, for rollback or a look ahead: both go on as
    /// they would themselves. The game's own claims on orders come from
    /// [`FlowWorld::fork`]; here only those of the army are kept.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Unit};
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let order = world.order(Cell::new(90, 50), &[Cell::new(5, 5)])?;
    /// let mut army = Army::default();
    /// let group = army.add_group(order, Reading::Ahead)?;
    /// army.add(Unit::new(0, group, [5.5, 5.5]))?;
    /// let (mut later_world, mut later) = army.fork(&world)?;
    /// for _ in 0..50 {
    ///     army.tick(&mut world, Budget::cells(4_000), 0.05);
    ///     later.tick(&mut later_world, Budget::cells(4_000), 0.05);
    /// }
    /// assert_eq!(later.state_hash(), army.state_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the world has not the army's orders.
    pub fn fork(&self, world: &FlowWorld) -> Result<(FlowWorld, Self), ArmyLoadError> {
        let (world, claims) = world.fork();
        let mut army = self.clone();
        army.bind(&world)?;
        drop(claims);
        Ok((world, army))
    }

    /// Returns the content of a save.
    fn packed(&self) -> Vec<u8> {
        let mut packer = Packer::default();
        let mut inputs = CrowdInputs::of(self);
        let mut army = Self::with(self.settings);
        army.clock = self.clock;
        army.roster = self.roster.clone();
        army.groups = self.groups.clone();
        army.jams = self.jams.clone();
        // A packer refuses nothing.
        let _ = pass_army(&mut packer, &mut army);
        let _ = inputs.pass(&mut packer, &army);
        if !army.jams.is_empty() {
            let _ = army.jams.pass(&mut packer);
        }
        packer.out.into_bytes()
    }

    /// Reads the content of a save into an army that is new.
    fn unpack(&mut self, unpacker: &mut Unpacker<'_>, world: &FlowWorld) -> Result<(), Fault> {
        let mut inputs = CrowdInputs::of(self);
        pass_army(unpacker, self)?;
        inputs.pass(unpacker, self)?;
        // Armies without jams end here.
        if unpacker.reader.end().is_err() {
            self.jams.pass(unpacker)?;
        }
        unpacker.reader.end()?;
        let fits = inputs.give(self, world);
        unpacker.ensure(fits, "the crowd's heights are not of the world's size")?;
        unpacker.reader.hold_to(0, &self.packed())
    }
}

impl Army {
    /// Returns a hash of everything in the army on which the next steps depend:
    /// two players of a lockstep game with equal hashes have the same army. It
    /// is a [`Digest`] of every group with its settings, target and formation, of the
    /// record of jams, and of sums over the bits of every unit, by id.
    ///
    /// It takes about a hundredth of a microsecond a unit, so that a game can
    /// send it with every turn.
    ///
    /// The army's own [`Settings`](super::Settings), which do not change during a game, are not
    /// included; nor is the world, which has [a hash of its
    /// own](crate::FlowWorld::state_hash).
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut digest = Digest::new();
        digest.number(u64::from(self.clock.now) << 32 | u64::from(self.clock.step));
        let mut lanes = UnitLanes::new();
        self.roster.by_id().for_each(|unit| {
            unit.hash_words()
                .into_iter()
                .for_each(|words| lanes.take(words));
        });
        take(&mut digest, lanes.0.into_iter());
        digest.number(self.units().len() as u64);
        // A digest refuses nothing.
        for group in self.groups.all() {
            let _ = pass_group(&mut digest, &mut group.clone());
            #[cfg(feature = "crowd")]
            if group.settings.reading.is_crowd() {
                let _ = pass_conduct(&mut digest, &mut group.settings.conduct.clone());
            }
        }
        let _ = self.jams.clone().pass(&mut digest);
        #[cfg(feature = "crowd")]
        take(&mut digest, self.foresight.hash_words());
        digest.finish()
    }
}

/// Adds words, in pairs, and then their number.
fn take(digest: &mut Digest, words: impl Iterator<Item = u32>) {
    let mut count = 0;
    let mut odd = None;
    for word in words {
        count += 1;
        match odd.take() {
            Some(first) => digest.number(u64::from(first) | u64::from(word) << 32),
            None => odd = Some(word),
        }
    }
    digest.number(u64::from(odd.unwrap_or(0)));
    digest.number(count);
}

/// Sums over the words of units, in eight lanes.
///
/// Each word `w` turns the state `s` of its lane into `(s xor w) · 0x9E3779B1`, and
/// this into `s xor (s >> 15)`. Both are invertible, so two armies that differ in
/// one word never have the same sums.
// PERF: eight short chains of products in place of a long one take a sixth of the time.
struct UnitLanes([u32; 8]);

impl UnitLanes {
    const fn new() -> Self {
        Self([1, 2, 3, 4, 5, 6, 7, 8])
    }

    #[inline(always)]
    fn take(&mut self, words: [u32; 8]) {
        for (state, word) in self.0.iter_mut().zip(words) {
            let mixed = (*state ^ word).wrapping_mul(0x9E37_79B1);
            *state = mixed ^ (mixed >> 15);
        }
    }
}
