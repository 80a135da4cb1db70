//! `--log` and `RUST_LOG`: the engine's spans on stderr.

mod command;

use std::process::Command;

use command::Folder;

const MAP: &str = "type octile\nheight 2\nwidth 12\nmap\n............\n............\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("small.map", MAP);
    folder
}

/// Returns the start of each span's line, and the span with its fields.
fn spans(log: &str) -> Vec<(usize, &str)> {
    log.lines()
        .map(|line| {
            let (times, rest) = line.split_once(" µs  ").expect("a line of the log");
            let times: Vec<&str> = times.split_whitespace().collect();
            assert!(
                times[0].parse::<f64>().is_ok() && times[1] == "ms",
                "{line}"
            );
            assert!(times[2].parse::<u64>().is_ok(), "{line}");
            (rest.len() - rest.trim_start().len(), rest.trim_start())
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
        let names: Vec<&str> = spans.iter().map(|(_, span)| *span).collect();
        assert_eq!(names[..2], ["build sectors=all", "tick"]);
        assert!(names[2..].contains(&"job kind=search"), "{names:?}");
        let is_right =
            |(indent, name): &(usize, &str)| *indent == 2 * usize::from(name.starts_with("job"));
        assert!(spans.iter().all(is_right), "{}", run.stderr);
    }
}

#[test]
fn a_filter_selects_by_target_and_level() {
    let folder = folder("log-filter");
    let names = |filter: &str| -> Vec<String> {
        let log = format!("--log={filter}");
        let run = folder.run(&["graph", "small.map", &log]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let spans = spans(&run.stderr);
        spans.iter().map(|(_, span)| (*span).to_owned()).collect()
    };
    assert_eq!(
        names("flowtiles::world::build=debug"),
        ["build sectors=all"]
    );
    assert_eq!(names("debug,flowtiles::world::build=off").len(), 0);
    assert_eq!(names("info").len(), 0);
    let run = folder.run(&["graph", "small.map", "--log=flowtiles=loud"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    for part in ["`flowtiles=loud` is no filter", "TARGET=LEVEL"] {
        assert!(run.stderr.contains(part), "{}", run.stderr);
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
    assert!(run("flowtiles=debug", &[]).ends_with("build sectors=all\n"));
    assert_eq!(run("wgpu=debug,flowtiles=warn", &[]), "");
    assert_eq!(run("flowtiles=debug", &["--log=off"]), "");
    assert!(run("flowtiles=debug", &["--log"]).ends_with("build sectors=all\n"));
    let told = run("[span{field}]=debug", &[]);
    assert!(
        told.contains("RUST_LOG: `[span{field}]=debug` is left out"),
        "{told}"
    );
}
