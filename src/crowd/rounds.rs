//! The crowd: all streams of a world, solved round by round.
//!
//! What streams share is computed before they are solved, and each stream has a quota
//! of the step's work that depends on their number alone. So threads make no
//! difference.
//!
//! An edit takes effect in the next step. Pages with changed costs are read again, and
//! directions there and in the pages around are withdrawn, so no unit is led into a new
//! wall. A solve under way meets the walls as they are, and a new round begins at once.

use crate::grid::{CellRect, Sector};
use crate::order::Order;
use crate::threads::for_each;
use crate::world::FlowWorld;

use super::conduct::{Conduct, CrowdError, CrowdSettings};
use super::domain::domains;
use super::fields::{FieldUnit, Fields, Splat};
use super::ground::CrowdGround;
use super::heights::Heights;
#[cfg(feature = "steer")]
use super::paint::PaintedSector;
use super::paint::{Danger, DiscomfortPaint};
use super::pricing::Round;
use super::stream::{SolveStage, Stream};

/// A stream of a [`Crowd`], as returned by [`Crowd::join`]: the units that
/// share a destination and a conduct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId {
    place: u32,
    /// Unique among all streams of a crowd, past ones included.
    number: u32,
}

/// A unit as input for a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdUnit {
    /// The position, in cells. A walker whose position or velocity is not
    /// finite is left out.
    pub position: [f32; 2],
    /// The velocity at which it actually moves, in cells a second.
    pub velocity: [f32; 2],
    /// The stream that it goes with, or with which it arrived.
    pub stream: Option<StreamId>,
    /// Whether it stands: it has arrived, or has nowhere to go.
    pub stands: bool,
}

impl CrowdUnit {
    /// Whether the position and the velocity are finite.
    fn is_known(&self) -> bool {
        let [position, velocity] = [self.position, self.velocity];
        position.into_iter().chain(velocity).all(f32::is_finite)
    }
}

/// How far ahead the positions of units without a stream are predicted, in
/// seconds.
const FORESIGHT: f32 = 0.5;

/// What a game has given a crowd, besides its settings.
#[cfg(feature = "steer")]
#[derive(Default)]
pub(crate) struct CrowdGiven {
    pub(crate) painted: Vec<PaintedSector>,
    pub(crate) dangers: Vec<Danger>,
    pub(crate) heights: Option<Heights>,
}

/// Continuum Crowds in the sectors with a crowd; see [the module](super).
#[derive(Clone)]
pub struct Crowd {
    settings: CrowdSettings,
    ground: Option<CrowdGround>,
    heights: Option<Heights>,
    paint: DiscomfortPaint,
    fields: Fields,
    streams: Vec<Option<Stream>>,
    bodies: Vec<FieldUnit>,
    /// Seconds since the last round began.
    since: f32,
    rounds: u64,
    /// The number that the next stream gets.
    next: u32,
}

impl Crowd {
    /// Returns a crowd without units.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn new(settings: CrowdSettings) -> Result<Self, CrowdError> {
        settings.check()?;
        Ok(Self {
            settings,
            ground: None,
            heights: None,
            paint: DiscomfortPaint::default(),
            fields: Fields::default(),
            streams: Vec::new(),
            bodies: Vec::new(),
            since: f32::INFINITY,
            rounds: 0,
            next: 0,
        })
    }

    /// Returns the settings.
    #[must_use]
    pub const fn settings(&self) -> &CrowdSettings {
        &self.settings
    }

    /// Changes the settings. All streams restart; heights, paint and dangers
    /// stay.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn set_settings(&mut self, settings: CrowdSettings) -> Result<(), CrowdError> {
        settings.check()?;
        self.settings = settings;
        self.ground = None;
        Ok(())
    }

    /// Returns what a game has given the crowd.
    #[cfg(feature = "steer")]
    pub(crate) fn given(&self) -> CrowdGiven {
        let (painted, dangers) = self.paint.given();
        CrowdGiven {
            painted,
            dangers,
            heights: self.heights.clone(),
        }
    }

    /// Gives the crowd what another was given.
    #[cfg(feature = "steer")]
    pub(crate) fn give(&mut self, given: CrowdGiven, world: &FlowWorld) -> Result<(), CrowdError> {
        let extent = world.costs().extent();
        self.paint = DiscomfortPaint::of(extent, given.painted, given.dangers);
        match given.heights {
            Some(heights) => self.set_heights(world, heights),
            None => Ok(()),
        }
    }

    /// Binds the streams to orders of another world: a fork of theirs. A
    /// stream whose order `find` does not return ends.
    #[cfg(feature = "steer")]
    pub(crate) fn bind(&mut self, find: impl Fn(&Order) -> Option<Order>) {
        for place in &mut self.streams {
            *place = place.take().and_then(|mut stream| {
                stream.order = find(&stream.order)?;
                Some(stream)
            });
        }
    }

    /// Drops all streams and their solves, until a caller joins again.
    #[cfg(feature = "steer")]
    pub(crate) fn rest(&mut self) {
        self.streams = Vec::new();
        self.bodies = Vec::new();
        self.fields = Fields::default();
        self.ground = None;
        self.since = f32::INFINITY;
    }

    /// Gives the map heights: steps uphill become slower. All streams restart.
    ///
    /// # Errors
    /// If the size of the heights is not that of the map.
    pub fn set_heights(&mut self, world: &FlowWorld, heights: Heights) -> Result<(), CrowdError> {
        let costs = world.costs();
        let map = [costs.width() as usize, costs.height() as usize];
        for ((field, value), map) in ["width", "height"].into_iter().zip(heights.size()).zip(map) {
            if value != map {
                return Err(CrowdError {
                    field,
                    value: value as f32,
                    wanted: "that of the map",
                });
            }
        }
        self.heights = Some(heights);
        self.ground = None;
        Ok(())
    }

    /// Removes the heights.
    pub fn remove_heights(&mut self) {
        self.heights = None;
        self.ground = None;
    }

    /// Paints an area with discomfort, which replaces earlier paint there; 0
    /// removes it. Parts off the map are left out.
    ///
    /// # Errors
    /// If the strength is negative or not a number.
    pub fn paint(
        &mut self,
        world: &FlowWorld,
        area: CellRect,
        strength: f32,
    ) -> Result<(), CrowdError> {
        check_strength("strength", strength)?;
        self.paint.fill(world.costs().extent(), area, strength);
        Ok(())
    }

    /// Replaces the moving dangers. Call it before each step.
    ///
    /// # Errors
    /// If the position, radius or strength of a danger is out of its range.
    pub fn set_dangers(&mut self, dangers: &[Danger]) -> Result<(), CrowdError> {
        for danger in dangers {
            check_strength("strength", danger.strength)?;
            check_strength("radius", danger.radius)?;
            for along in danger.position {
                if !along.is_finite() {
                    return Err(CrowdError {
                        field: "position",
                        value: along,
                        wanted: "a place on the map",
                    });
                }
            }
        }
        self.paint.set_dangers(dangers);
        Ok(())
    }

    /// Returns the stream of the units that follow an order with this conduct;
    /// `speed` is that of the fastest of them, in cells a second. Call this
    /// before each [step](Self::step) for every stream that still has units: a
    /// step drops the streams that were not joined since the last one.
    ///
    /// # Errors
    /// If a parameter of the conduct is out of its range, or the speed is not a
    /// finite number above 0.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[track_caller]
    pub fn join(
        &mut self,
        world: &FlowWorld,
        order: &Order,
        conduct: &Conduct,
        speed: f32,
    ) -> Result<StreamId, CrowdError> {
        conduct.check(&self.settings)?;
        if !(speed > 0.0 && speed.is_finite()) {
            return Err(CrowdError {
                field: "speed",
                value: speed,
                wanted: "more than 0 cells a second",
            });
        }
        let same = |stream: &Option<Stream>| {
            stream
                .as_ref()
                .is_some_and(|stream| stream.order == *order && stream.conduct == *conduct)
        };
        let vacant = || self.streams.iter().position(Option::is_none);
        let found = self.streams.iter().position(same);
        let at = found.or_else(vacant).unwrap_or_else(|| {
            self.streams.push(None);
            self.streams.len() - 1
        });
        let number = &mut self.next;
        let stream = self.streams[at].get_or_insert_with(|| {
            let mut stream = Stream::new(world, order.clone(), *conduct);
            stream.number = *number;
            *number = number.wrapping_add(1);
            stream
        });
        // The fastest of all callers since the last step.
        if !stream.is_wanted || speed > stream.speed {
            stream.speed = speed;
        }
        stream.is_wanted = true;
        let place = at as u32;
        let number = stream.number;
        Ok(StreamId { place, number })
    }

    /// Continues the solves within the work of one step, and begins a round of
    /// them when it is due. The result is the same on any number of threads,
    /// bit for bit; with the feature `rayon` these are those of the pool that the
    /// caller is in.
    ///
    /// # Panics
    /// If a stream's order belongs to another world.
    #[track_caller]
    pub fn step(&mut self, world: &FlowWorld, walkers: &[CrowdUnit], seconds: f32) {
        self.prepare(world);
        if seconds > 0.0 {
            self.since += seconds;
        }
        let is_idle = self.streams.iter().flatten().all(Stream::is_done);
        // Slightly early rather than a whole step late.
        if is_idle && self.since > self.settings.interval * 0.999 {
            self.begin_round(world, walkers);
            self.since = 0.0;
        }
        self.work(world);
    }

    /// Begins a round of solves now, even if the last one is not done, and does
    /// no work on it. This is for benchmarks, which then time
    /// [`solve_stage`](Self::solve_stage); a game calls [`step`](Self::step).
    ///
    /// # Panics
    /// If a stream's order belongs to another world.
    #[doc(hidden)]
    #[track_caller]
    pub fn begin(&mut self, world: &FlowWorld, walkers: &[CrowdUnit]) {
        self.prepare(world);
        self.begin_round(world, walkers);
        self.since = 0.0;
    }

    /// Runs one stage of the first unfinished solve on this thread and returns
    /// the stage; `None` if all solves are done. The results equal those of
    /// [`step`](Self::step).
    ///
    /// ```
    /// use flowtiles::crowd::{Conduct, Crowd, CrowdSettings, CrowdUnit};
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(60, 30)?);
    /// let order = world.order(Cell::new(50, 15), &[Cell::new(5, 15)])?;
    /// while world.tick(Budget::cells(4_000)).waiting > 0 {}
    /// let mut crowd = Crowd::new(CrowdSettings::default())?;
    /// let stream = crowd.join(&world, &order, &Conduct::default(), 4.0)?;
    /// let walkers: Vec<CrowdUnit> = (0..20)
    ///     .map(|at| CrowdUnit {
    ///         position: [5.5, 5.5 + at as f32],
    ///         velocity: [2.0, 0.0],
    ///         stream: Some(stream),
    ///         stands: false,
    ///     })
    ///     .collect();
    /// crowd.begin(&world, &walkers);
    /// let mut stages = Vec::new();
    /// while let Some(stage) = crowd.solve_stage(&world) {
    ///     stages.push(stage); // time this
    /// }
    /// assert_eq!(stages.len(), 4); // of one stream
    /// assert!(crowd.direction(stream, [5.5, 5.5]).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If a stream's order belongs to another world.
    #[doc(hidden)]
    #[track_caller]
    pub fn solve_stage(&mut self, world: &FlowWorld) -> Option<SolveStage> {
        let round = Round {
            world,
            ground: self.ground.as_ref()?,
            fields: &self.fields,
            settings: &self.settings,
        };
        let mut streams = self.streams.iter_mut().flatten();
        streams.find(|stream| !stream.is_done())?.work_stage(&round)
    }

    /// Drops the streams that were not joined, and takes in changes of the map.
    #[track_caller]
    fn prepare(&mut self, world: &FlowWorld) {
        for stream in self.streams.iter().flatten() {
            world.check_order(&stream.order);
        }
        for place in &mut self.streams {
            match place {
                Some(stream) if stream.is_wanted => stream.is_wanted = false,
                _ => *place = None,
            }
        }
        let extent = world.costs().extent();
        if self
            .ground
            .as_ref()
            .is_none_or(|ground| ground.extent() != extent)
        {
            self.ground = Some(CrowdGround::new(extent, self.settings.resolution));
            self.fields = Fields::default();
            for stream in self.streams.iter_mut().flatten() {
                stream.restart(world);
            }
            self.since = f32::INFINITY;
        }
        self.meet_edits(world);
    }

    /// Takes in edited walls, and invalidates the directions around them.
    fn meet_edits(&mut self, world: &FlowWorld) {
        let Some(ground) = &mut self.ground else {
            return;
        };
        let changed = ground.refresh(world.costs(), self.heights.as_ref());
        if changed.is_empty() {
            return;
        }
        for stream in self.streams.iter_mut().flatten() {
            stream.invalidate(ground, &changed);
        }
        self.since = f32::INFINITY;
    }

    /// Takes the walkers' positions into the fields, and begins a solve for
    /// every stream.
    fn begin_round(&mut self, world: &FlowWorld, walkers: &[CrowdUnit]) {
        self.rounds += 1;
        let Some(ground) = &mut self.ground else {
            return;
        };
        let streams = &self.streams;
        self.bodies.clear();
        let known = walkers.iter().filter(|walker| walker.is_known());
        self.bodies
            .extend(known.map(|walker| body(walker, streams)));
        self.bodies.sort_by_key(|body| body.stream);
        let domains = domains(
            ground.extent(),
            &self.bodies,
            self.streams.len(),
            &self.paint,
            &self.settings,
        );
        let mut kept: Vec<Sector> = domains.iter().flatten().copied().collect();
        for stream in self.streams.iter().flatten() {
            kept.extend(stream.led(ground));
        }
        kept.sort_unstable();
        kept.dedup();
        ground.keep(&kept, world.costs(), self.heights.as_ref());
        for (stream, domain) in self.streams.iter_mut().zip(&domains) {
            if let Some(stream) = stream {
                stream.lay_out(ground, domain);
            }
        }
        let mut shares: Vec<_> = self
            .streams
            .iter_mut()
            .map(|stream| stream.as_mut().map(Stream::share))
            .collect();
        let CrowdSettings {
            exponent,
            predictions,
            ..
        } = self.settings;
        let splat = Splat {
            exponent,
            predictions,
        };
        self.fields.splat(ground, &self.bodies, &mut shares, splat);
        self.fields.take_paint(ground, &self.paint);
        let round = Round {
            world,
            ground,
            fields: &self.fields,
            settings: &self.settings,
        };
        for stream in self.streams.iter_mut().flatten() {
            stream.begin(&round);
        }
    }

    fn work(&mut self, world: &FlowWorld) {
        let Some(ground) = &self.ground else {
            return;
        };
        let round = Round {
            world,
            ground,
            fields: &self.fields,
            settings: &self.settings,
        };
        let streams = self.streams.iter_mut().flatten();
        let mut waiting: Vec<&mut Stream> = streams.filter(|stream| !stream.is_done()).collect();
        // The work is divided before the solves run, so the number of threads
        // makes no difference.
        let cells = self.settings.cells_per_step / waiting.len().max(1) as u64;
        for_each(&mut waiting, |stream| stream.work(&round, cells.max(1)));
    }

    /// Returns the direction in which a stream goes from a position, of length
    /// 1; `None` where units are to follow their order's flow field.
    #[must_use]
    pub fn direction(&self, stream: StreamId, position: [f32; 2]) -> Option<[f32; 2]> {
        let ground = self.ground.as_ref()?;
        self.stream(stream)?.direction(ground, position)
    }

    pub(super) fn stream(&self, stream: StreamId) -> Option<&Stream> {
        let StreamId { place, number } = stream;
        let found = self.streams.get(place as usize)?.as_ref();
        found.filter(|stream| stream.number == number)
    }

    pub(super) const fn ground(&self) -> Option<&CrowdGround> {
        self.ground.as_ref()
    }

    pub(super) const fn fields(&self) -> &Fields {
        &self.fields
    }

    pub(super) fn streams(&self) -> impl Iterator<Item = &Stream> {
        self.streams.iter().flatten()
    }

    pub(super) const fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Returns everything on which the next steps depend, as words, for a state
    /// hash.
    #[cfg(feature = "steer")]
    pub(crate) fn words(&self) -> impl Iterator<Item = u32> {
        let grounds = self.ground.iter();
        let streams =
            grounds.flat_map(|ground| self.streams().flat_map(|stream| stream.words(ground)));
        let paint = self.paint.words();
        [self.since.to_bits()]
            .into_iter()
            .chain(streams)
            .chain(paint)
    }
}

impl std::fmt::Debug for Crowd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crowd")
            .field("settings", &self.settings)
            .field("streams", &self.streams().count())
            .field("rounds", &self.rounds)
            .finish_non_exhaustive()
    }
}

/// Converts a walker into a unit of the fields.
fn body(walker: &CrowdUnit, streams: &[Option<Stream>]) -> FieldUnit {
    let at = walker.stream.and_then(|StreamId { place, number }| {
        let stream = streams.get(place as usize)?.as_ref()?;
        (stream.number == number).then_some(place as usize)
    });
    let stream = at.and_then(|at| streams[at].as_ref());
    FieldUnit {
        position: walker.position,
        velocity: walker.velocity,
        stream: at,
        foresight: stream.map_or(FORESIGHT, |stream| stream.conduct.foresight),
        stands: walker.stands,
    }
}

fn check_strength(field: &'static str, value: f32) -> Result<(), CrowdError> {
    if (0.0..=1e6).contains(&value) {
        return Ok(());
    }
    Err(CrowdError {
        field,
        value,
        wanted: "a number from 0 to 1,000,000",
    })
}
