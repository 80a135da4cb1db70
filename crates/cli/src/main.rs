//! The `flowtiles` command: a demo, scenario runs, measurements, portal graphs,
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

use clap::Parser;

use commands::{
    bench, big, check, convert, demo, explain, graph, page, record, render, scen, show, sim, steps,
    verify,
};
use support::failure::Failure;
use support::span_log;

/// Move armies over huge maps: sector flow fields with a portal graph.
///
/// Without a command it runs the demo: a drawn country, thousands of units on
/// their way home, and a bridge that falls.
#[derive(Parser)]
#[command(name = "flowtiles", version)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    /// Write the engine's tracing spans on stderr, with their times. FILTER is a
    /// level, or TARGET=LEVEL with commas between [default: flowtiles=debug]. The
    /// variable RUST_LOG has the same effect
    #[arg(long, global = true, value_name = "FILTER", num_args = 0..=1, require_equals = true,
        default_missing_value = "")]
    log: Option<String>,
    #[command(flatten)]
    demo: demo::Arguments,
}

#[derive(clap::Subcommand)]
enum Command {
    Scen(scen::Arguments),
    Bench(bench::Arguments),
    Big(big::Arguments),
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
    Record(record::Arguments),
    Verify(verify::Arguments),
}

fn main() -> ExitCode {
    let line = CommandLine::parse();
    match run(&line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(line: &CommandLine) -> Result<(), Failure> {
    if let (Some(_), Some(option)) = (&line.command, line.demo.given()) {
        return Err(Failure::Input(format!(
            "{option} before a command is for the demo, which runs without one: put the options \
             of a command after its name"
        )));
    }
    span_log::start(line.log.as_deref())?;
    let mut out = BufWriter::new(io::stdout().lock());
    match &line.command {
        None => demo::run(&line.demo, &mut out)?,
        Some(Command::Scen(scen)) => scen::run(scen, &mut out)?,
        Some(Command::Bench(bench)) => bench::run(bench, &mut out)?,
        Some(Command::Big(big)) => big::run(big, &mut out)?,
        Some(Command::Check(check)) => check::run(check, &mut out)?,
        Some(Command::Convert(convert)) => convert::run(convert, &mut out)?,
        Some(Command::Graph(graph)) => graph::run(graph, &mut out)?,
        Some(Command::Inspect(inspect)) => inspect::run(inspect, &mut out)?,
        Some(Command::Page(page)) => page::run(page, &mut out)?,
        Some(Command::Show(show)) => show::run(show, &mut out)?,
        Some(Command::Render(render)) => render::run(render, &mut out)?,
        Some(Command::Explain(explain)) => explain::run(explain, &mut out)?,
        Some(Command::Steps(steps)) => steps::run(steps, &mut out)?,
        Some(Command::Sim(sim)) => sim::run(sim, &mut out)?,
        Some(Command::Record(record)) => record::run(record, &mut out)?,
        Some(Command::Verify(verify)) => verify::run(verify, &mut out)?,
    }
    out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::CommandLine::command().debug_assert();
    }
}
