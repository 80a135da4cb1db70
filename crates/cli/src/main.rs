//! The `flowtiles` command: scenes, scenario runs, measurements, portal graphs,
//! pictures of single orders, replays, map files converted and checked.
//!
//! Each subcommand is one file of `commands`; code shared by several of them is in
//! `support`. Bad input ends in exit code 2 and one line on stderr; stdout is for
//! answers.

mod commands;
mod inspect;
mod support;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

use commands::{
    bench, check, convert, explain, graph, page, render, scen, show, sim, soak, steps, verify,
};
use support::failure::Failure;
use support::span_log;

/// Move armies over huge maps: sector flow fields with a portal graph.
#[derive(Parser)]
#[command(name = "flowtiles", version)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    /// Write the engine's tracing spans on stderr, with their times. FILTER is a
    /// level, or TARGET=LEVEL with commas between [default: flowtiles=debug]. The
    /// variable RUST_LOG has the same effect
    #[arg(long, global = true, value_name = "FILTER", num_args = 0..=1, require_equals = true,
        default_missing_value = "")]
    log: Option<String>,
}

#[derive(clap::Subcommand)]
enum Command {
    Scen(scen::Arguments),
    Bench(bench::Arguments),
    Check(check::Arguments),
    Convert(convert::Arguments),
    Graph(graph::Arguments),
    Inspect(inspect::Arguments),
    Page(page::Arguments),
    Show(show::Arguments),
    Render(render::Arguments),
    Explain(explain::Arguments),
    Steps(steps::Arguments),
    Sim(sim::Arguments),
    Soak(soak::Arguments),
    Verify(verify::Arguments),
}

/// The commands as the help lists them.
const GROUPS: [(&str, &[&str]); 3] = [
    (
        "Play and look",
        &[
            "inspect", "page", "sim", "show", "render", "steps", "explain",
        ],
    ),
    ("Measure", &["bench", "scen"]),
    (
        "Convert and check",
        &["convert", "check", "graph", "soak", "verify"],
    ),
];

/// What the help ends with.
const EXAMPLES: [(&str, &str); 5] = [
    (
        "flowtiles inspect",
        "a page in the browser: send armies, paint walls, see the fields",
    ),
    (
        "flowtiles sim pass --gif pass.gif",
        "a film of one of the scenes that `sim` lists",
    ),
    (
        "flowtiles render MAP --from 5,10 --goal 92,60 -o order.png",
        "a picture of an order",
    ),
    (
        "flowtiles check MAP --size 3",
        "where units of three cells cannot pass",
    ),
    ("flowtiles help COMMAND", "all about a command"),
];
const CODES: [(&str, &str); 3] = [
    ("0", "the answer was given"),
    (
        "1",
        "something was found: by a check, between two runs, or in an answer of the engine",
    ),
    ("2", "bad input, or the answer could not be written"),
];

/// The command line, with its commands in groups.
fn command() -> clap::Command {
    let command = CommandLine::command();
    let head = *command.get_styles().get_header();
    let name = *command.get_styles().get_literal();
    let about = |of: &str| {
        let found = command
            .find_subcommand(of)
            .and_then(clap::Command::get_about);
        let all = found.map(ToString::to_string).unwrap_or_default();
        // The rest is in the command's own help.
        all.split([':', ';', '.'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let mut list = String::new();
    for (group, names) in GROUPS {
        list += &format!("{head}{group}:{head:#}\n");
        for of in names {
            list += &format!("  {name}{of:8}{name:#} {}\n", about(of));
        }
        list.push('\n');
    }
    let mut end = format!("{head}Examples:{head:#}\n");
    for (line, what) in EXAMPLES {
        end += &format!("  {name}{line}{name:#}\n      {what}\n");
    }
    end += &format!("\n{head}Exit codes:{head:#}\n");
    for (code, what) in CODES {
        end += &format!("  {name}{code}{name:#}  {what}\n");
    }
    command
        .help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{head}Options:{head:#}\n\
             {{options}}{{after-help}}"
        ))
        .after_help(end)
}

fn main() -> ExitCode {
    let line = CommandLine::from_arg_matches(&command().get_matches());
    let line = line.unwrap_or_else(|error| error.exit());
    match run(&line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(line: &CommandLine) -> Result<(), Failure> {
    span_log::start(line.log.as_deref())?;
    let mut out = BufWriter::new(io::stdout().lock());
    match &line.command {
        Command::Scen(scen) => scen::run(scen, &mut out)?,
        Command::Bench(bench) => bench::run(bench, &mut out)?,
        Command::Check(check) => check::run(check, &mut out)?,
        Command::Convert(convert) => convert::run(convert, &mut out)?,
        Command::Graph(graph) => graph::run(graph, &mut out)?,
        Command::Inspect(inspect) => inspect::run(inspect, &mut out)?,
        Command::Page(page) => page::run(page, &mut out)?,
        Command::Show(show) => show::run(show, &mut out)?,
        Command::Render(render) => render::run(render, &mut out)?,
        Command::Explain(explain) => explain::run(explain, &mut out)?,
        Command::Steps(steps) => steps::run(steps, &mut out)?,
        Command::Sim(sim) => sim::run(sim, &mut out)?,
        Command::Soak(soak) => soak::run(soak, &mut out)?,
        Command::Verify(verify) => verify::run(verify, &mut out)?,
    }
    out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let mut listed: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        let command = command();
        let mut all: Vec<&str> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        listed.sort_unstable();
        all.sort_unstable();
        assert_eq!(listed, all);
    }
}
