//! `--set NAME=VALUE`: the crowd's parameters from the command line.

use flowtiles::crowd::{Conduct, CrowdSettings};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::suggestion::did_you_mean;

/// The parameters of a crowd scene: the weights of its groups, and the settings
/// that all groups share.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tuning {
    pub conduct: Conduct,
    pub settings: CrowdSettings,
}

impl Tuning {
    /// The same, with other values.
    ///
    /// # Errors
    /// If a name is unknown, or a value is not a number or out of range.
    pub fn with(self, set: &[String]) -> Result<Self, String> {
        let mut parts = Table::try_from(self).map_err(|error| error.to_string())?;
        set.iter().try_for_each(|pair| put(&mut parts, pair))?;
        let tuning: Self = parts
            .try_into()
            .map_err(|error: toml::de::Error| format!("--set: {}", error.message()))?;
        let checked = tuning.conduct.check(&tuning.settings);
        checked.map_err(|error| format!("--set: {error}"))?;
        Ok(tuning)
    }
}

/// Sets the value that a pair names, in one of the parts.
fn put(parts: &mut Table, pair: &str) -> Result<(), String> {
    let tables = parts.values().filter_map(Value::as_table);
    let names: Vec<&str> = tables.flat_map(Table::keys).map(String::as_str).collect();
    let known = names.join(", ");
    let given = pair.split_once('=');
    let given = given.and_then(|(name, text)| Some((name, text, text.parse::<f32>().ok()?)));
    let Some((name, text, number)) = given else {
        return Err(format!(
            "--set {pair}: write NAME=NUMBER, with one of {known}"
        ));
    };
    let unknown = format!(
        "--set {pair}: there is no `{name}`{}; there are {known}",
        did_you_mean(name, names)
    );
    let mut found = parts.iter_mut().filter_map(|(_, part)| part.get_mut(name));
    let value = found.next().ok_or(unknown)?;
    *value = match value {
        Value::Integer(_) => {
            let whole = text.parse().ok().filter(|whole: &i64| *whole >= 0);
            whole
                .ok_or_else(|| format!("--set {pair}: write a whole number that is not below 0"))?
                .into()
        }
        _ => f64::from(number).into(),
    };
    Ok(())
}
