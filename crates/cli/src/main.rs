//! The `flowtiles` command: a demo, scenario runs, portal graphs, pictures of
//! single orders.
//!
//! One file a subcommand. Whatever is wrong with the input ends in exit code
//! 2 and one line on stderr; stdout is for answers.

mod demo;
mod failure;
mod graph;
mod landscape;
mod map_file;
mod picture;
mod random;
mod raster;
mod referee;
mod scen;
mod show;
mod walk;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use failure::Failure;

/// Move armies over huge maps: sector flow fields with a portal graph.
///
/// Without a command it runs the demo: a drawn country, thousands of units on
/// their way home, and a bridge that falls.
#[derive(Parser)]
#[command(name = "flowtiles", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    demo: demo::Arguments,
}

#[derive(clap::Subcommand)]
enum Command {
    Scen(scen::Arguments),
    Graph(graph::Arguments),
    Show(show::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    match &arguments.command {
        None => demo::run(&arguments.demo, &mut out)?,
        Some(Command::Scen(scen)) => scen::run(scen, &mut out)?,
        Some(Command::Graph(graph)) => graph::run(graph, &mut out)?,
        Some(Command::Show(show)) => show::run(show, &mut out)?,
    }
    out.flush()?;
    Ok(())
}
