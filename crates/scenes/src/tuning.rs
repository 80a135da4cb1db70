//! `--set NAME=VALUE`: the crowd's parameters from the command line.

use std::str::FromStr;

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
        let parsed = parts.and_then(|(name, text)| Some((name, text, text.parse::<f32>().ok()?)));
        let Some((name, text, value)) = parsed else {
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
            "resolution" => settings.resolution = whole(pair, text)?,
            "exponent" => settings.exponent = whole(pair, text)?,
            "predictions" => settings.predictions = whole(pair, text)?,
            "margin" => settings.margin = whole(pair, text)?,
            "crowd" => settings.crowd = whole(pair, text)?,
            "cells_per_step" => settings.cells_per_step = whole(pair, text)?,
            "sectors" => settings.sectors = whole(pair, text)?,
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

fn whole<T: FromStr>(pair: &str, text: &str) -> Result<T, String> {
    let parsed = text.parse();
    parsed.map_err(|_| format!("--set {pair}: write a whole number that is not below 0"))
}
