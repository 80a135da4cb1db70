//! `--set NAME=VALUE`: the crowd's parameters from the command line.

use flowtiles::crowd::{Conduct, CrowdSettings};
use serde::Deserialize;

use crate::suggestion::did_you_mean;

/// The parameters of a crowd scene: the weights of its groups, and the settings
/// that all groups share.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tuning {
    pub conduct: Conduct,
    pub settings: CrowdSettings,
}

/// The names that can be set: the fields of the two types.
const NAMES: &str = "length, time, discomfort, sparse, dense, dearest, foresight, predicted, \
    standing, flat, steep, uphill, resolution, exponent, interval, predictions, margin, crowd, \
    cells_per_step, sectors, exact";

impl Tuning {
    /// The same, with other values.
    ///
    /// # Errors
    /// If a name is unknown, or a value is not a number or out of range.
    pub fn with(self, set: &[String]) -> Result<Self, String> {
        let mut tuning = self;
        for pair in set {
            tuning.set(pair)?;
        }
        let fault = |error: flowtiles::crowd::CrowdError| format!("--set: {error}");
        tuning.settings.check().map_err(fault)?;
        tuning.conduct.check(&tuning.settings).map_err(fault)?;
        Ok(tuning)
    }

    fn set(&mut self, pair: &str) -> Result<(), String> {
        let parts = pair.split_once('=');
        let parsed = parts.and_then(|(name, value)| Some((name, value.parse::<f32>().ok()?)));
        let Some((name, value)) = parsed else {
            return Err(format!(
                "--set {pair}: write NAME=NUMBER, with one of {NAMES}"
            ));
        };
        let Self { conduct, settings } = self;
        match name {
            "length" => conduct.length = value,
            "time" => conduct.time = value,
            "discomfort" => conduct.discomfort = value,
            "sparse" => conduct.sparse = value,
            "dense" => conduct.dense = value,
            "dearest" => conduct.dearest = value,
            "foresight" => conduct.foresight = value,
            "predicted" => conduct.predicted = value,
            "standing" => conduct.standing = value,
            "flat" => conduct.flat = value,
            "steep" => conduct.steep = value,
            "uphill" => conduct.uphill = value,
            "interval" => settings.interval = value,
            "exact" => settings.exact = value,
            "resolution" => settings.resolution = value as u32,
            "exponent" => settings.exponent = value as u32,
            "predictions" => settings.predictions = value as u32,
            "margin" => settings.margin = value as u32,
            "crowd" => settings.crowd = value as u32,
            "cells_per_step" => settings.cells_per_step = value as u64,
            "sectors" => settings.sectors = value as u32,
            _ => {
                return Err(format!(
                    "--set {pair}: there is no `{name}`{}; there are {NAMES}",
                    did_you_mean(name, NAMES.split(", "))
                ));
            }
        }
        Ok(())
    }
}
