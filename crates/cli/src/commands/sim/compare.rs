//! A crowd scene compared with the same scene by plain steering, and with each
//! group alone, which bounds the possible gain of any method.

use std::num::NonZeroUsize;

use serde::Serialize;

use super::run::{Record, SceneRun};
use crate::support::failure::Failure;
use crate::support::threads::on_threads;
use flowtiles_scenes::{Entry, Method, Scene, SceneOptions};

/// The runs of a crowd scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// The scene, and the runs with which it is compared.
    All,
    /// The scene only.
    Nothing,
}

/// The options of a run.
#[derive(Clone, Copy)]
pub struct TrialPlan<'a> {
    pub entry: &'a Entry,
    pub beside: Beside,
    /// The number of threads on which an army steps.
    pub threads: NonZeroUsize,
    /// The last tick, if not the scene's own.
    pub ticks: Option<u32>,
}

/// The times at which units came to their goal.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ArrivalTimes {
    /// The ticks in which a half, nine tenths and all had arrived.
    pub t50: Option<u32>,
    pub t90: Option<u32>,
    pub t100: Option<u32>,
    /// Seconds until they had been in the goal's disc.
    pub d50: Option<f64>,
    pub d90: Option<f64>,
    pub d100: Option<f64>,
}

impl ArrivalTimes {
    /// Returns the times of a record.
    pub fn of(record: &Record) -> Self {
        let [t50, t90, t100] = record.times;
        let reached = record.watched.as_ref().map(|watched| watched.reached);
        let [d50, d90, d100] = reached.unwrap_or_default();
        Self {
            t50,
            t90,
            t100,
            d50,
            d90,
            d100,
        }
    }

    /// Returns the later of two, one by one; never is later than any time.
    fn later(self, other: Self) -> Self {
        fn max<T: PartialOrd>(one: Option<T>, two: Option<T>) -> Option<T> {
            let (one, two) = (one?, two?);
            Some(if one > two { one } else { two })
        }
        Self {
            t50: max(self.t50, other.t50),
            t90: max(self.t90, other.t90),
            t100: max(self.t100, other.t100),
            d50: max(self.d50, other.d50),
            d90: max(self.d90, other.d90),
            d100: max(self.d100, other.d100),
        }
    }
}

/// The times of a scene's groups when each has the map to itself.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Alone {
    pub plain: ArrivalTimes,
    /// With the crowd, if the scene was run with it.
    pub crowd: Option<ArrivalTimes>,
}

/// A scene from one seed, and the runs with which it is compared.
pub struct Trial {
    pub asked: SceneOptions,
    pub own: Record,
    /// The same scene by plain steering, unless it was run that way itself.
    pub plain: Option<Record>,
    /// `None` if there is only one group.
    pub alone: Option<Alone>,
}

impl TrialPlan<'_> {
    /// Runs a scene and the runs with which it is compared.
    ///
    /// # Errors
    /// If an order is refused.
    pub fn trial(&self, asked: &SceneOptions) -> Result<Trial, Failure> {
        self.beside(asked, self.record(&self.scene(asked)?)?)
    }

    /// Runs the comparisons of a finished scene.
    ///
    /// # Errors
    /// If an order is refused.
    pub fn beside(&self, asked: &SceneOptions, own: Record) -> Result<Trial, Failure> {
        let mut trial = Trial {
            asked: *asked,
            own,
            plain: None,
            alone: None,
        };
        if self.beside == Beside::Nothing {
            return Ok(trial);
        }
        let plain = SceneOptions {
            method: Method::Plain,
            ..*asked
        };
        if asked.method != Method::Plain {
            trial.plain = Some(self.record(&self.scene(&plain)?)?);
        }
        if let Some(times) = self.alone(&plain)? {
            let crowd = match asked.method {
                Method::Plain => None,
                Method::Crowd => self.alone(asked)?,
            };
            trial.alone = Some(Alone {
                plain: times,
                crowd,
            });
        }
        Ok(trial)
    }

    /// The later times of a scene's groups when each walks alone.
    fn alone(&self, asked: &SceneOptions) -> Result<Option<ArrivalTimes>, Failure> {
        let bands = self.scene(asked)?.bands.len();
        let mut latest: Option<ArrivalTimes> = None;
        for band in 0..bands {
            if bands == 1 {
                return Ok(None);
            }
            let times = ArrivalTimes::of(&self.record(&self.scene(asked)?.alone(band))?);
            latest = Some(latest.map_or(times, |latest| latest.later(times)));
        }
        Ok(latest)
    }

    fn scene(&self, asked: &SceneOptions) -> Result<Scene, Failure> {
        self.entry.scene(asked).map_err(Failure::Input)
    }

    fn record(&self, scene: &Scene) -> Result<Record, Failure> {
        on_threads(self.threads.get(), || {
            let mut run = SceneRun::new(scene)?;
            while run.goes_on(self.ticks.unwrap_or(scene.ticks)) {
                run.step()?;
            }
            Ok(run.finish())
        })?
    }
}
