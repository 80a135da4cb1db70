//! What a game has set for the crowd, as it is saved: not the crowd's fields,
//! which are solved anew.

use super::Army;
use super::pass::Pass;
use crate::bytes::Fault;
#[cfg(feature = "crowd")]
use crate::crowd::{Conduct, CrowdGiven, CrowdSettings, Danger, Heights, Levels, PaintedSector};
use crate::world::FlowWorld;

/// The crowd's settings, the conduct of each group, and what the crowd was
/// given, if there is one.
#[cfg(feature = "crowd")]
pub(super) struct CrowdInputs {
    settings: CrowdSettings,
    conducts: Vec<Conduct>,
    given: Option<CrowdGiven>,
}

#[cfg(feature = "crowd")]
impl CrowdInputs {
    pub(super) fn of(army: &Army) -> Self {
        let groups = army.groups.all().iter();
        let crowd = army.foresight.crowd.as_ref();
        Self {
            settings: army.foresight.settings,
            conducts: groups.map(|group| group.settings.conduct).collect(),
            given: crowd.map(|crowd| crowd.given()),
        }
    }

    /// Passes these, for the groups of an army that was passed before.
    pub(super) fn pass(&mut self, pass: &mut impl Pass, army: &Army) -> Result<(), Fault> {
        let plain = Conduct::default();
        let mut is_used = self.settings != CrowdSettings::default()
            || self.conducts.iter().any(|conduct| *conduct != plain)
            || self.given.is_some();
        pass.flag(&mut is_used)?;
        if !is_used {
            return Ok(());
        }
        pass_settings(pass, &mut self.settings)?;
        self.conducts.resize(army.groups.all().len(), plain);
        for (conduct, group) in self.conducts.iter_mut().zip(army.groups.all()) {
            if group.is_removed {
                continue;
            }
            let mut own = Some(*conduct).filter(|conduct| *conduct != plain);
            pass.option(&mut own, pass_conduct)?;
            *conduct = own.unwrap_or_default();
            let fits = conduct.check(&self.settings).is_ok();
            pass.ensure(fits, "a conduct is out of its range")?;
        }
        pass.option(&mut self.given, pass_given)
    }

    /// Gives these to an army that was loaded. Returns false if they do not fit
    /// the world.
    pub(super) fn give(self, army: &mut Army, world: &FlowWorld) -> bool {
        army.foresight.settings = self.settings;
        for (group, conduct) in army.groups.all_mut().iter_mut().zip(self.conducts) {
            group.settings.conduct = conduct;
        }
        let given = self.given;
        given.is_none_or(|given| army.foresight.begun().give(given, world).is_ok())
    }
}

#[cfg(feature = "crowd")]
fn pass_settings(pass: &mut impl Pass, settings: &mut CrowdSettings) -> Result<(), Fault> {
    pass.count(&mut settings.resolution)?;
    pass.count(&mut settings.exponent)?;
    pass.float(&mut settings.interval)?;
    pass.count(&mut settings.predictions)?;
    pass.count(&mut settings.margin)?;
    pass.count(&mut settings.crowd)?;
    pass.number(&mut settings.cells_per_step)?;
    pass.count(&mut settings.sectors)?;
    pass.float(&mut settings.exact)?;
    let fits = settings.check().is_ok();
    pass.ensure(fits, "a setting of the crowd is out of its range")
}

#[cfg(feature = "crowd")]
pub(super) fn pass_conduct(pass: &mut impl Pass, conduct: &mut Conduct) -> Result<(), Fault> {
    let Conduct {
        length,
        time,
        discomfort,
        sparse,
        dense,
        dearest,
        foresight,
        predicted,
        standing,
        flat,
        steep,
        uphill,
    } = conduct;
    [
        length, time, discomfort, sparse, dense, dearest, foresight, predicted, standing, flat,
        steep, uphill,
    ]
    .into_iter()
    .try_for_each(|part| pass.float(part))
}

#[cfg(feature = "crowd")]
fn pass_given(pass: &mut impl Pass, given: &mut CrowdGiven) -> Result<(), Fault> {
    pass.list(&mut given.painted, |pass, sector: &mut PaintedSector| {
        for along in &mut sector.place {
            pass.count(along)?;
        }
        sector
            .values
            .iter_mut()
            .try_for_each(|value| pass_strength(pass, value))
    })?;
    pass.list(&mut given.dangers, |pass, danger: &mut Danger| {
        pass.vector(&mut danger.position)?;
        pass_strength(pass, &mut danger.radius)?;
        pass_strength(pass, &mut danger.strength)
    })?;
    pass.option(&mut given.heights, pass_heights)
}

#[cfg(feature = "crowd")]
fn pass_strength(pass: &mut impl Pass, strength: &mut f32) -> Result<(), Fault> {
    pass.float(strength)?;
    let fits = (0.0..=1e6).contains(strength);
    pass.ensure(fits, "a strength or a radius is not from 0 to 1,000,000")
}

#[cfg(feature = "crowd")]
fn pass_heights(pass: &mut impl Pass, heights: &mut Heights) -> Result<(), Fault> {
    let [width, height] = heights.size();
    let (mut width, mut height) = (width as u32, height as u32);
    pass.count(&mut width)?;
    pass.count(&mut height)?;
    let mut levels = heights.levels().clone();
    let mut is_bytes = matches!(levels, Levels::Bytes(..));
    pass.flag(&mut is_bytes)?;
    if is_bytes != matches!(levels, Levels::Bytes(..)) {
        levels = Levels::Bytes(Vec::new(), 1.0);
    }
    let made = match levels {
        Levels::Bytes(mut levels, mut step) => {
            pass.float(&mut step)?;
            pass.list(&mut levels, |pass, level| pass.byte(level))?;
            Heights::from_bytes(width, height, levels, step)
        }
        Levels::Floats(mut levels) => {
            pass.list(&mut levels, Pass::float)?;
            Heights::from_floats(width, height, levels)
        }
    };
    pass.ensure(made.is_some(), "heights are not one for each cell")?;
    *heights = made.unwrap_or_default();
    Ok(())
}

/// Without the feature `crowd` there is nothing to save.
#[cfg(not(feature = "crowd"))]
pub(super) struct CrowdInputs;

#[cfg(not(feature = "crowd"))]
impl CrowdInputs {
    pub(super) fn of(_: &Army) -> Self {
        Self
    }

    pub(super) fn pass(&mut self, pass: &mut impl Pass, _: &Army) -> Result<(), Fault> {
        let mut is_used = false;
        pass.flag(&mut is_used)?;
        pass.ensure(!is_used, "it has a crowd, which needs the feature `crowd`")
    }

    pub(super) fn give(self, _: &mut Army, _: &FlowWorld) -> bool {
        true
    }
}
