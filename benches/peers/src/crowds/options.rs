//! The options of the command line.

use super::orca::Parameters;
use super::scenes::ALL;

const USAGE: &str = "\
usage: crowds [OPTION]...

  --scene NAME          may be given again (default: all)
  --seeds COUNT         runs of each scene, each from starts of its own (default: 3)
  --horizon SECONDS     how far ahead ORCA avoids bodies
  --wall-horizon SECONDS  and walls
  --neighbours COUNT    how many neighbours ORCA takes into account
  --write FILE          write the figures into a Markdown page, between its markers, and
                        the pictures beside it (crowds.svg)

scenes: ";

/// The options of the command line.
pub struct Options {
    pub scenes: Vec<String>,
    pub seeds: u64,
    pub parameters: Parameters,
    pub page: Option<String>,
}

impl Options {
    /// Parses the command line. The message of a refusal states what is allowed.
    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self {
            scenes: Vec::new(),
            seeds: 3,
            parameters: Parameters::default(),
            page: None,
        };
        let mut rest = arguments.iter();
        while let Some(option) = rest.next() {
            let value = rest.next().ok_or_else(usage)?;
            let seconds = || {
                let seconds = value.parse().ok();
                seconds
                    .filter(|&seconds: &f32| seconds > 0.0)
                    .ok_or_else(usage)
            };
            let count = || {
                let count = value.parse().ok();
                count.filter(|&count: &u64| count > 0).ok_or_else(usage)
            };
            match option.as_str() {
                "--scene" => options.scenes.push(value.clone()),
                "--seeds" => options.seeds = count()?,
                "--horizon" => options.parameters.horizon = seconds()?,
                "--wall-horizon" => options.parameters.wall_horizon = seconds()?,
                "--neighbours" => options.parameters.neighbours = count()? as usize,
                "--write" => options.page = Some(value.clone()),
                _ => return Err(usage()),
            }
        }
        if options.scenes.is_empty() {
            options.scenes = ALL.map(String::from).to_vec();
        }
        Ok(options)
    }
}

/// Returns what is allowed.
pub fn usage() -> String {
    format!("{USAGE}{}", ALL.join(", "))
}
