//! The `flowtiles` command: scenario runs, portal graphs, pictures of single
//! orders.
//!
//! One file a subcommand. Whatever is wrong with the input ends in exit code
//! 2 and one line on stderr; stdout is for answers.

mod failure;
mod graph;
mod map_file;
mod referee;
mod scen;
mod show;
mod walk;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use failure::Failure;

/// Move armies over huge maps: sector flow fields with a portal graph.
#[derive(Parser)]
#[command(name = "flowtiles", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
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
        Command::Scen(scen) => scen::run(scen, &mut out)?,
        Command::Graph(graph) => graph::run(graph, &mut out)?,
        Command::Show(show) => show::run(show, &mut out)?,
    }
    out.flush()?;
    Ok(())
}
