//! The crowd: all streams of a world, solved round by round.

use std::num::NonZeroUsize;

use crate::grid::{Rect, Sector};
use crate::order::Order;
use crate::threads::for_each;
use crate::world::FlowWorld;

use super::conduct::{Conduct, CrowdError, CrowdSettings};
use super::domain::domains;
use super::fields::{FieldUnit, Fields, Splat};
use super::ground::CrowdGround;
use super::heights::Heights;
use super::paint::{Danger, DiscomfortPaint};
use super::pricing::Round;
use super::stream::{SolveStage, Stream};

/// A stream of a [`Crowd`], as [`Crowd::join`] gave it out: all units that share
/// a destination and a conduct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId {
    place: u32,
    /// No two streams of a crowd have the same.
    number: u32,
}

/// A unit as a crowd needs to know it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    /// Where it is, in cells. A walker whose position or velocity is no number
    /// is left out.
    pub position: [f32; 2],
    /// How fast it really moves, in cells a second.
    pub velocity: [f32; 2],
    /// The stream that it goes with, or has arrived with.
    pub stream: Option<StreamId>,
    /// Whether it stands, having arrived or having nowhere to go.
    pub stands: bool,
}

impl Walker {
    /// Whether its position and velocity are numbers.
    fn is_known(&self) -> bool {
        let [position, velocity] = [self.position, self.velocity];
        position.into_iter().chain(velocity).all(f32::is_finite)
    }
}

/// How far ahead the places of units are predicted that go with no stream, in
/// seconds.
const FORESIGHT: f32 = 0.5;

/// Continuum Crowds on the sectors where there is a crowd; see
/// [the module](super).
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
    /// The number of the next stream.
    next: u32,
}

impl Crowd {
    /// A crowd without units.
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

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &CrowdSettings {
        &self.settings
    }

    /// Changes the settings. The crowd begins anew; heights, paint and dangers
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

    /// Drops all streams and what was solved for them, until somebody joins.
    #[cfg(feature = "steer")]
    pub(crate) fn rest(&mut self) {
        self.streams = Vec::new();
        self.bodies = Vec::new();
        self.fields = Fields::default();
        self.ground = None;
        self.since = f32::INFINITY;
    }

    /// Gives the map heights: ways uphill are slower. The crowd begins anew.
    ///
    /// # Errors
    /// If the heights are of another size than the map.
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

    /// Makes the ground flat again.
    pub fn remove_heights(&mut self) {
        self.heights = None;
        self.ground = None;
    }

    /// Paints an area with discomfort, in place of what was painted there; 0
    /// removes it. What lies off the map is left out.
    ///
    /// # Errors
    /// If the strength is negative or no number.
    pub fn paint(
        &mut self,
        world: &FlowWorld,
        area: Rect,
        strength: f32,
    ) -> Result<(), CrowdError> {
        check_strength("strength", strength)?;
        self.paint.fill(world.costs().extent(), area, strength);
        Ok(())
    }

    /// Replaces the dangers that move about: set them before each step.
    ///
    /// # Errors
    /// If one has a position, radius or strength that will not do.
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

    /// The stream of the units that follow an order with this conduct, the
    /// fastest of them at `speed` cells a second. Ask before each
    /// [step](Self::step) for every stream that still has units: those that
    /// nobody has asked for are dropped by it.
    ///
    /// # Errors
    /// If the conduct has a parameter out of its range, or the speed is not
    /// more than 0.
    ///
    /// # Panics
    /// If the order is another world's.
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
        // The fastest of all who ask in one step.
        if !stream.is_wanted || speed > stream.speed {
            stream.speed = speed;
        }
        stream.is_wanted = true;
        let place = at as u32;
        let number = stream.number;
        Ok(StreamId { place, number })
    }

    /// Goes on with the solves by as much as a step may work, and begins a
    /// round of them when it is time. On more threads the result is the same,
    /// bit for bit.
    ///
    /// # Panics
    /// If a stream's order is another world's.
    pub fn step(
        &mut self,
        world: &FlowWorld,
        walkers: &[Walker],
        seconds: f32,
        threads: NonZeroUsize,
    ) {
        self.prepare(world);
        if seconds > 0.0 {
            self.since += seconds;
        }
        let is_idle = self.streams.iter().flatten().all(Stream::is_done);
        // A little early rather than a step late.
        if is_idle && self.since > self.settings.interval * 0.999 {
            self.begin_round(world, walkers, threads);
            self.since = 0.0;
        }
        self.work(world, threads);
    }

    /// Begins a round of solves now, whatever the last one is at, and works on
    /// none of them: for benchmarks, which then time
    /// [`solve_stage`](Self::solve_stage). A game calls [`step`](Self::step).
    ///
    /// # Panics
    /// If a stream's order is another world's.
    #[doc(hidden)]
    pub fn begin(&mut self, world: &FlowWorld, walkers: &[Walker]) {
        self.prepare(world);
        self.begin_round(world, walkers, NonZeroUsize::MIN);
        self.since = 0.0;
    }

    /// Does one stage of the first solve under way on this thread, and returns
    /// which; `None` when there is none left. What comes of it is what
    /// [`step`](Self::step) comes to.
    ///
    /// ```
    /// use flowtiles::crowd::{Conduct, Crowd, CrowdSettings, Walker};
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(60, 30)?);
    /// let order = world.order(Cell::new(50, 15), &[Cell::new(5, 15)])?;
    /// while world.tick(Budget::cells(4_000)).waiting > 0 {}
    /// let mut crowd = Crowd::new(CrowdSettings::default())?;
    /// let stream = crowd.join(&world, &order, &Conduct::default(), 4.0)?;
    /// let walkers: Vec<Walker> = (0..20)
    ///     .map(|at| Walker {
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
    /// assert!(crowd.way(stream, [5.5, 5.5]).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If a stream's order is another world's.
    #[doc(hidden)]
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

    /// Drops the streams that nobody has asked for, and meets the world as it
    /// is.
    fn prepare(&mut self, world: &FlowWorld) {
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

    /// Takes in the walls of edits, and takes back what was said around them.
    fn meet_edits(&mut self, world: &FlowWorld) {
        let Some(ground) = &mut self.ground else {
            return;
        };
        let changed = ground.refresh(world.costs(), self.heights.as_ref());
        if changed.is_empty() {
            return;
        }
        for stream in self.streams.iter_mut().flatten() {
            stream.doubt(ground, &changed);
        }
        self.since = f32::INFINITY;
    }

    /// Takes note of where everybody is, and begins to solve for all streams.
    fn begin_round(&mut self, world: &FlowWorld, walkers: &[Walker], threads: NonZeroUsize) {
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
        self.fields
            .splat(ground, &self.bodies, &mut shares, splat, threads);
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

    fn work(&mut self, world: &FlowWorld, threads: NonZeroUsize) {
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
        // Shared out beforehand, so that threads make no difference.
        let cells = self.settings.cells_per_step / waiting.len().max(1) as u64;
        for_each(threads, &mut waiting, |stream| {
            stream.work(&round, cells.max(1))
        });
    }

    /// Where a stream goes from a position, of length 1; `None` where it is to
    /// follow its order's plain field.
    #[must_use]
    pub fn way(&self, stream: StreamId, position: [f32; 2]) -> Option<[f32; 2]> {
        let ground = self.ground.as_ref()?;
        self.stream(stream)?.way(ground, position)
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

    /// All that the next steps depend on, in words, for a state hash.
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

/// A walker as the fields see it.
fn body(walker: &Walker, streams: &[Option<Stream>]) -> FieldUnit {
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
