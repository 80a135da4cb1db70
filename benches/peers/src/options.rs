//! The options of the command line.

use crate::engines::{self, Card};
use crate::maps;

const USAGE: &str = "\
usage: flowtiles-peers [OPTION]...

  --map NAME       open, hills, maze, random20, caves, or a Moving AI .map file;
                   may be given again (default: all five drawn maps)
  --engine NAME    may be given again (default: all)
  --limit SECONDS  for each engine and map (default: 40)
  --json FILE      write all figures
  --write FILE     write the figures into a Markdown page, between its markers, and
                   the chart beside it (the same name with .svg)

engines: ";

/// The options of the command line.
pub struct Options {
    pub maps: Vec<String>,
    pub engines: Vec<&'static Card>,
    pub seconds: u64,
    pub json: Option<String>,
    pub page: Option<String>,
}

impl Options {
    /// Parses the command line. The message of a refusal states what is
    /// allowed.
    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self {
            maps: Vec::new(),
            engines: Vec::new(),
            seconds: 40,
            json: None,
            page: None,
        };
        let mut rest = arguments.iter();
        while let Some(option) = rest.next() {
            // `cargo bench` and `cargo run` may add this argument.
            if option == "--bench" {
                continue;
            }
            let value = rest.next().ok_or_else(usage)?;
            match option.as_str() {
                "--map" => options.maps.push(value.clone()),
                "--engine" => options
                    .engines
                    .push(engines::find(value).ok_or_else(usage)?),
                "--limit" => options.seconds = value.parse().map_err(|_| usage())?,
                "--json" => options.json = Some(value.clone()),
                "--write" => options.page = Some(value.clone()),
                _ => return Err(usage()),
            }
        }
        if options.maps.is_empty() {
            options.maps = maps::DRAWN.map(String::from).to_vec();
        }
        if options.engines.is_empty() {
            options.engines = engines::ALL.iter().collect();
        }
        Ok(options)
    }
}

fn usage() -> String {
    let keys: Vec<_> = engines::ALL.iter().map(|card| card.key).collect();
    format!("{USAGE}{}", keys.join(", "))
}
