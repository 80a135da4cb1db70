//! Turns: what is dear is not done in every tick, and not by all in the same.

/// Ticks between two looks around, and between two checks of what was found.
pub(crate) const LOOK: u32 = 8;
pub(crate) const CHECK: u32 = 16;

/// A number that differs between units, or groups, and grows by one each tick.
#[derive(Clone, Copy)]
pub(crate) struct Turn(u32);

impl Turn {
    pub(crate) const fn of(id: u32, tick: u32) -> Self {
        Self(tick.wrapping_add(id))
    }

    /// Whether it is the turn for what is done every so many ticks.
    pub(crate) const fn is_every(self, ticks: u32) -> bool {
        self.0.is_multiple_of(ticks)
    }
}
