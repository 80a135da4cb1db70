//! `flowtiles bench`: it runs, prints its figures, and refuses bad arguments. Speed
//! is not checked here.

use serde_json::Value;

use crate::command::Folder;

/// A run of seconds on small maps.
const QUICK: [&str; 4] = ["bench", "--quick", "--size", "60"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    QUICK.iter().chain(more).copied().collect()
}

/// An open map with a wall across it, as a Moving AI file.
fn map_file() -> String {
    let row = |y: usize| {
        let cell = |x: usize| if x == 20 && y != 7 { '@' } else { '.' };
        (0..40).map(cell).chain(['\n']).collect::<String>()
    };
    let rows: String = (0..30).map(row).collect();
    format!("type octile\nheight 30\nwidth 40\nmap\n{rows}")
}

/// Expects these columns, all with the same figures, each of them above 0.
fn assert_columns(columns: &Value, names: &[&str]) {
    let columns = columns.as_array().expect("a list");
    let named: Vec<&str> = columns
        .iter()
        .filter_map(|column| column["name"].as_str())
        .collect();
    assert_eq!(named, names);
    for column in columns {
        let figures = column["figures"].as_array().expect("a list");
        let first = columns[0]["figures"].as_array().expect("a list");
        assert!(!figures.is_empty() && figures.len() == first.len());
        for (figure, same) in figures.iter().zip(first) {
            assert_eq!(figure["name"], same["name"]);
            let value = figure["value"].as_f64();
            assert!(value.is_some_and(|value| value > 0.0), "{figure}");
        }
    }
}

#[test]
fn a_quick_run_measures_everything_on_every_map() {
    let folder = Folder::new("bench-json");
    folder.write("wall.map", map_file());
    let object = folder.run(&with(&["--map", "wall.map", "--json"])).object();
    assert_columns(
        &object["sectors"],
        &["clear ground", "20 % walls", "costs 1 to 20"],
    );
    let maps = [
        "open", "rooms", "caves", "maze", "random", "terrain", "roads", "wall",
    ];
    assert_columns(&object["maps"], &maps);
    let qualities = object["quality"].as_array().expect("a list");
    assert_eq!(qualities.len(), 16, "fifteen kinds of ground and a file");
    for ground in qualities {
        let [mean, worst] = ["mean", "worst"].map(|key| ground[key].as_f64().expect(key));
        assert!(
            (1.0..=worst).contains(&mean) || ground["orders"] == 0,
            "{ground}"
        );
    }
    for key in ["machine", "rustc", "revision"] {
        assert!(!object[key].as_str().expect(key).is_empty(), "{key}");
    }
}

/// Prices of paths are the same on every machine.
#[test]
fn the_quality_of_paths_stays() {
    let folder = Folder::new("bench-quality");
    let text = folder.run(&with(&["--only", "quality"])).answer();
    let row = |ground: &str| {
        let row = text.lines().find(|line| {
            let mut cells = line.split('|').map(str::trim);
            cells.nth(1) == Some(ground)
        });
        let cells = row.unwrap_or_default().split('|').map(str::trim);
        // The number of orders, and their prices over the best.
        cells.skip(2).take(5).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("random"), "4 1.00000 1.0000 1.000 0.00 %");
    assert_eq!(row("terrain"), "3 1.00142 1.0043 1.004 0.00 %");
    assert_eq!(row("patches"), "6 1.00000 1.0000 1.000 0.00 %");
}

#[test]
fn the_tables_are_markdown_and_end_with_the_machine() {
    let folder = Folder::new("bench-text");
    let run = folder.run(&with(&["--only", "rooms", "maze"]));
    assert_eq!(run.stderr, "", "silent where stderr is no terminal");
    let text = run.answer();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("| a sector "), "{text}");
    assert_eq!(lines[1], "| --- | --: | --: | --: |");
    let head = lines.iter().find(|line| line.starts_with("| a map "));
    let head: Vec<&str> = head.expect("a table of maps").split_whitespace().collect();
    assert!(head.ends_with(&["|", "rooms", "|", "maze", "|"]), "{text}");
    let last = lines.last().expect("a line");
    assert!(
        last.contains("threads; rustc") && last.contains("revision"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let folder = Folder::new("bench-bad");
    let head = "type octile\nheight 25\nwidth 25\nmap\n";
    folder.write("small.map", "type octile\nheight 1\nwidth 4\nmap\n....\n");
    folder.write("walls.map", format!("{head}{}\n", "@".repeat(25)));
    folder.write(
        "closed.map",
        format!("{head}{}", format!("{}\n", "@".repeat(25)).repeat(25)),
    );
    let on = |map: &'static str| vec!["--map", map, "--only", map, "--json"];
    let cases: [(Vec<&str>, &[&str]); 5] = [
        (on("small.map"), &["small.map", "less than 20 cells"]),
        (on("walls.map"), &["walls.map", "line 6"]),
        (on("closed.map"), &["closed.map", "fewer than 100"]),
        (vec!["--only", "hills"], &["`hills`", "open, rooms, caves"]),
        (vec!["--size", "5"], &["--size"]),
    ];
    for (more, parts) in cases {
        let run = folder.run(&with(&more));
        assert_eq!(run.code, Some(2), "{more:?}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{more:?}: nothing but answers on stdout");
        for part in parts {
            assert!(run.stderr.contains(part), "no `{part}` in: {}", run.stderr);
        }
    }
}
