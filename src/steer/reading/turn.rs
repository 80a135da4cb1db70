//! Turns: what is dear is not done in every step, and not by all in the same.
//!
//! Turns come by time and not by steps: an army that is moved 120 times a second looks around as
//! often as one that is moved 20 times.

/// A 20th of a second, in microseconds: what turns and the strength of contacts are measured in.
const TWENTIETH: u32 = 50_000;
/// After this many 20ths all turns come again.
const ROUND: u32 = 64;

/// Turns between two looks around, and between two checks of what was found.
pub(crate) const LOOK: u32 = 8;
pub(crate) const CHECK: u32 = 16;

/// The time of an army, in microseconds: when its step begins, and how long that takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock {
    /// Within a [`ROUND`].
    pub(crate) now: u32,
    pub(crate) step: u32,
}

impl Clock {
    /// Begins the next step.
    pub(crate) fn begin(&mut self, seconds: f32) {
        self.now = (self.now + self.step) % Self::END;
        self.step = micros(seconds);
    }

    /// Greater than any time.
    pub(crate) const END: u32 = ROUND * TWENTIETH;

    /// Returns the turn of a unit, or of a group.
    pub(crate) const fn turn(self, id: u32) -> Turn {
        Turn {
            now: self.now + id % ROUND * TWENTIETH,
            step: self.step,
        }
    }

    /// Returns how often in this step to do what is done `times` in a 20th of a second: at most
    /// `times`, and at least once.
    pub(crate) fn share_of(self, times: u32) -> u32 {
        let until = |time: u32| u64::from(times) * u64::from(time) / u64::from(TWENTIETH);
        let share = until(self.now + self.step) - until(self.now);
        share.clamp(times.min(1).into(), times.into()) as u32
    }
}

/// The time of a step as one of many sees it, each a 20th of a second later than the one before.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    now: u32,
    step: u32,
}

impl Turn {
    /// Whether it is the turn for what is done once in this number of 20ths of a second, a power of
    /// two up to 64.
    pub(crate) const fn is_every(self, twentieths: u32) -> bool {
        let period = twentieths * TWENTIETH;
        let left = (period - self.now % period) % period;
        left < self.step
    }
}

/// Returns a duration in microseconds, in which sums are exact: about 71 minutes at the most.
pub(crate) fn micros(seconds: f32) -> u32 {
    (seconds * 1e6 + 0.5) as u32
}
