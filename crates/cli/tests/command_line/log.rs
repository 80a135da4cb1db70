//! `--log` and `RUST_LOG`: the engine's spans on stderr.

use std::process::Command;

use crate::command::Folder;

const MAP: &str = "type octile\nheight 2\nwidth 12\nmap\n............\n............\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("small.map", MAP);
    folder
}

/// Returns the spans of each line, from the outermost to the one that closed.
fn spans(log: &str) -> Vec<&str> {
    log.lines()
        .map(|line| {
            let (since, rest) = line.trim_start().split_once("s ").expect("a time");
            assert!(since.parse::<f64>().is_ok(), "{line}");
            let (spans, times) = rest.split_once(": close ").expect("a span that closed");
            assert!(times.starts_with("time.busy="), "{line}");
            spans
        })
        .collect()
}

#[test]
fn the_log_shows_a_tick_with_its_jobs_inside() {
    let folder = folder("log-tick");
    let line = ["explain", "small.map", "--order", "0,0:11,1"];
    let silent = folder.run(&line);
    assert_eq!((silent.code, silent.stderr.as_str()), (Some(0), ""));
    let after = folder.run(&[&line[..], &["--log"]].concat());
    let before = folder.run(&[&["--log"], &line[..]].concat());
    for run in [after, before] {
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(run.stdout, silent.stdout, "the answer is as without a log");
        let spans = spans(&run.stderr);
        assert_eq!(
            spans[..2],
            ["build{sectors=8}", "tick:job{kind=\"search\"}"]
        );
        let (last, jobs) = spans[1..].split_last().expect("a tick");
        assert_eq!(*last, "tick", "a span closes after those in it");
        let is_job = |span: &&str| span.starts_with("tick:job{kind=");
        assert!(jobs.iter().all(is_job), "{}", run.stderr);
    }
}

#[test]
fn a_filter_selects_by_target_and_level() {
    let folder = folder("log-filter");
    let names = |filter: &str| -> Vec<String> {
        let log = format!("--log={filter}");
        let run = folder.run(&["graph", "small.map", &log]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        spans(&run.stderr).into_iter().map(str::to_owned).collect()
    };
    assert_eq!(names("flowtiles::world::build=debug"), ["build{sectors=8}"]);
    assert_eq!(names("debug,flowtiles::world::build=off").len(), 0);
    assert_eq!(names("info").len(), 0);
    for wrong in ["flowtiles=loud", "debgu", "flowtiles=debug,rayon=info"] {
        let log = format!("--log={wrong}");
        let run = folder.run(&["graph", "small.map", &log]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{wrong}");
        for part in [&*log, "not a log filter", "TARGET=LEVEL"] {
            assert!(run.stderr.contains(part), "{}", run.stderr);
        }
    }
}

#[test]
fn the_variable_selects_where_no_option_does() {
    let folder = folder("log-variable");
    let run = |variable: &str, options: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_flowtiles"))
            .args([&["graph", "small.map"], options].concat())
            .env("RUST_LOG", variable)
            .current_dir(folder.path())
            .output()
            .expect("the command runs");
        assert!(output.status.success());
        String::from_utf8(output.stderr).expect("messages are UTF-8")
    };
    let is_built = |log: &str| assert_eq!(spans(log), ["build{sectors=8}"]);
    is_built(&run("flowtiles=debug", &[]));
    assert_eq!(run("wgpu=debug,flowtiles=warn", &[]), "");
    assert_eq!(run("flowtiles=debug", &["--log=off"]), "");
    is_built(&run("flowtiles=debug", &["--log"]));
    let told = run("flowtiles=loud", &[]);
    assert!(
        told.starts_with("flowtiles: RUST_LOG: `flowtiles=loud` is ignored"),
        "{told}"
    );
}
