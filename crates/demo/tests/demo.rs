//! The demo, run as a user does: no arguments, no display, no network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Makes an empty folder for the test of this name.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It may not exist yet.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Runs the demo in a folder, on this number of threads.
fn run(folder: &Path, threads: &str, arguments: &[&str]) -> Output {
    let mut demo = Command::new(env!("CARGO_BIN_EXE_flowtiles-demo"));
    let demo = demo.current_dir(folder).args(arguments);
    let output = demo.env("RAYON_NUM_THREADS", threads).output();
    output.expect("the demo runs")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

/// Returns the lines of a text, with what depends on the machine's speed left out.
fn without_times(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        for at in 1..words.len() {
            if ["ns", "µs", "ms", "s"].contains(&words[at].trim_end_matches([',', ';'])) {
                words[at - 1] = "…";
                words[at] = "";
            }
        }
        words.join(" ")
    };
    text.lines().map(line).collect()
}

#[test]
fn demo_without_arguments_prints_and_writes_a_picture() {
    let folder = folder("plain");
    let output = run(&folder, "2", &[]);
    assert!(output.status.success() && output.stderr.is_empty());
    let printed = text(output.stdout);
    assert!(
        !printed.contains('\x1b'),
        "no picture where stdout is no terminal"
    );
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/command.md");
    let page = fs::read_to_string(page).expect("docs/command.md");
    let figures = |text: &str, title: &str| {
        let (_, shown) = text.split_once(title).expect("the title");
        let (shown, _) = shown.split_once("\nAll of it took").expect("the end");
        without_times(shown)
    };
    assert_eq!(
        figures(&page, "```text\nflowtiles demo:"),
        figures(&printed, "flowtiles demo:"),
        "docs/command.md shows other figures than the demo prints: replace them"
    );

    let left = fs::read_dir(&folder).expect("the folder");
    let left: Vec<_> = left.map(|file| file.expect("a file").file_name()).collect();
    assert_eq!(left, ["flowtiles-demo.png"], "the picture and no leftover");
}

/// Takes out what depends on the machine's speed.
fn leave_out_times(figures: &mut Value) {
    if let Value::Object(members) = figures {
        let is_time = |name: &str| {
            ["_us", "_ms", "_ns", "seconds"]
                .iter()
                .any(|end| name.ends_with(end))
        };
        members.retain(|name, _| !is_time(name));
        members.values_mut().for_each(leave_out_times);
    }
}

#[test]
fn demo_is_the_same_on_any_number_of_threads() {
    let folder = folder("threads");
    let name = "march.png";
    let ran = ["1", "2"].map(|threads| {
        let line = ["--json", "--seed=2", "--picture", name];
        let output = run(&folder, threads, &line);
        assert!(output.status.success() && output.stderr.is_empty());
        let object: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        let picture = fs::read(folder.join(name)).expect("the picture");
        (object, picture)
    });
    let [(mut figures, picture), (mut again, picture_again)] = ran;
    assert!(picture.starts_with(b"\x89PNG") && picture == picture_again);

    let number = |path: &str| figures.pointer(path).and_then(Value::as_f64).expect(path);
    assert!(number("/width") * number("/height") >= 1e6);
    let units = number("/orders/units");
    assert!(units >= 2000.0 && number("/march/arrived") == units);
    assert_eq!(
        number("/march/illegal_steps") + number("/march/cut_off"),
        0.0
    );
    assert_eq!(number("/ways/compared"), units);
    assert!(number("/ways/mean_percent") < 2.0);
    assert!(number("/bridge/cells") > 0.0 && number("/bridge/units_out") > 0.0);
    assert!(number("/memory/order_bytes_after") < number("/memory/order_bytes") / 10.0);
    for time in [
        "/build_ms",
        "/march/sample_ns",
        "/bridge/replan_us",
        "/seconds",
    ] {
        assert!(number(time) > 0.0, "{time}");
    }
    assert_eq!(figures["picture"], name);
    let twins = ["one_thread", "two_threads", "loaded"].map(|way| &figures["twins"][way]);
    assert!(twins.iter().all(|&hash| hash == twins[0]), "{twins:?}");
    assert_eq!(twins[0].as_str().map(str::len), Some(16));

    leave_out_times(&mut figures);
    leave_out_times(&mut again);
    assert_eq!(figures, again);
}

#[test]
fn a_refusal_says_what_to_do() {
    let folder = folder("refused");
    for (line, parts) in [
        ("--seed x", ["--seed `x`", "a whole number from 0 on"]),
        ("--seed", ["--seed", "a whole number from 0 on"]),
        ("--seed=-1", ["`-1`", "a whole number from 0 on"]),
        ("--picture p.jpg", ["`p.jpg`", "ends in .png"]),
        ("--picture", ["--picture", "ends in .png"]),
        (
            "--jsno",
            ["--jsno: ", "--seed N, --picture FILE and --json"],
        ),
        ("--json=yes", ["--json=yes: ", "no such option"]),
        ("graph a.map", ["graph: ", "`cargo flowtiles graph`"]),
        (
            "--json --picture no/such/folder/p.png",
            ["no/such/folder/p.png: ", "name another file"],
        ),
    ] {
        let output = run(&folder, "2", &line.split(' ').collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(output.stdout.is_empty(), "{line}");
        let told = text(output.stderr);
        let is_told = parts.iter().all(|part| told.contains(part));
        assert!(is_told && told.lines().count() == 1, "{line}: {told}");
    }
    let help = text(run(&folder, "2", &["--help"]).stdout);
    for option in ["--seed N", "[default: 8]", "--picture FILE", "--json"] {
        assert!(help.contains(option), "{option}");
    }
}
