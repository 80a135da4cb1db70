//! `flowtiles convert`: from any format to any, and refusals.

use crate::command::Folder;

const FORMATS: [&str; 6] = ["map", "txt", "flow", "png", "tmx", "tmj"];
const ROWS: &str = "..#.3\n.....\n33#..\n";

#[test]
fn from_any_format_to_any() {
    let folder = Folder::new("convert-all");
    folder.write("rows.txt", ROWS);
    for from in FORMATS {
        let first = format!("first.{from}");
        folder.run(&["convert", "rows.txt", &first]).answer();
        for to in FORMATS {
            let second = format!("{from}-to.{to}");
            let answer = folder.run(&["convert", &first, &second]).answer();
            assert!(
                answer.contains(&format!("5×3 cells, .{from} to .{to}, ")),
                "{answer}"
            );
            assert!(answer.contains("no cost was lost"), "{answer}");
            let left_out = match from {
                "map" => Some("which letter a cell had"),
                "tmx" | "tmj" => Some("layers, tiles, objects and properties"),
                _ => None,
            };
            let told = answer.split_once("left out: ").map(|(_, told)| told);
            assert_eq!(told.is_some(), left_out.is_some(), "{answer}");
            assert!(
                told.unwrap_or_default()
                    .starts_with(left_out.unwrap_or_default())
            );
            folder.run(&["convert", &second, "back.txt"]).answer();
            let back = std::fs::read_to_string(folder.path().join("back.txt"));
            assert_eq!(back.expect("a text"), ROWS, "{from} to {to}");
        }
        // Every command reads every format.
        let graph = folder.run(&["graph", &first]).answer();
        assert!(graph.starts_with("map 5×3 cells"), "{graph}");
        let order = ["show", &first, "--from", "0,0", "--goal", "4,2"];
        assert!(folder.run(&order).answer().contains("path: "));
    }
}

#[test]
fn formats_may_be_named() {
    let folder = Folder::new("convert-named");
    folder.write("rows", ROWS);
    let named = ["convert", "rows", "out", "--from", "txt", "--to", "map"];
    folder.run(&named).answer();
    let text = std::fs::read_to_string(folder.path().join("out")).expect("a map");
    assert!(text.starts_with("type octile\nheight 3\n"), "{text}");
    folder
        .run(&["graph", "out", "--map-format", "map"])
        .answer();
    let run = folder.run(&["convert", "rows", "out.xyz"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr
            .contains("give one of .map .txt .flow .png .tmx .tmj, or --to")
    );
    let run = folder.run(&["graph", "out", "--map-format", "flow"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("FLOWCOST"), "{}", run.stderr);
}

#[test]
fn what_would_be_lost_is_refused_or_told() {
    let folder = Folder::new("convert-lossy");
    folder.write("rows.txt", "..4\n#4.\n");
    let run = folder.run(&["convert", "rows.txt", "out.map"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("the cell (2, 0) costs 4") && run.stderr.contains("--lossy"));
    assert!(
        !folder.path().join("out.map").exists(),
        "no half-written file"
    );
    let answer = folder
        .run(&["convert", "rows.txt", "out.map", "--lossy"])
        .answer();
    assert!(
        answer.contains("lost: 2 cells of cost 4 written as 3"),
        "{answer}"
    );
    let object = folder
        .run(&["convert", "rows.txt", "b.map", "--lossy", "--json"])
        .object();
    assert_eq!(object["losses"][0]["cells"], 2);
    let letter = ["convert", "rows.txt", "c.map", "--cost", "q=4"];
    assert!(folder.run(&letter).answer().contains("no cost was lost"));
}

#[test]
fn pictures_take_palettes_on_either_side() {
    let folder = Folder::new("convert-palette");
    folder.write("rows.txt", ".3#\n");
    folder.write(
        "kinds.txt",
        "#00ff00 1 grass\n#0000ff 255 sea\n#884400 3 mud\n",
    );
    let out = ["convert", "rows.txt", "c.png", "--out-palette", "kinds.txt"];
    folder.run(&out).answer();
    let run = folder.run(&["convert", "c.png", "back.txt"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("pixel (0, 0): the colour #00ff00"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("--palette FILE"), "{}", run.stderr);
    folder
        .run(&["convert", "c.png", "back.txt", "--palette", "kinds.txt"])
        .answer();
    let back = std::fs::read_to_string(folder.path().join("back.txt"));
    assert_eq!(back.expect("a text"), ".3#\n");
    folder.write("bad.txt", "#00ff00 1\n#00ff00 2\n");
    let run = folder.run(&["convert", "c.png", "back.txt", "--palette", "bad.txt"]);
    assert!(
        run.stderr.contains("bad.txt: line 2, column 1"),
        "{}",
        run.stderr
    );
    let run = folder.run(&["convert", "rows.txt", "c.map", "--out-palette", "kinds.txt"]);
    assert_eq!(run.code, Some(2), "a palette says nothing to letters");
}

#[test]
fn ldtk_projects_are_read_by_level_and_name() {
    let folder = Folder::new("convert-ldtk");
    let data = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../formats/tests/formats/data/harbour"
    );
    let project = format!("{data}.ldtk");
    let rows = |options: &[&str]| {
        let line = [&["convert", &project, "out.txt"][..], options].concat();
        let answer = folder.run(&line).answer();
        assert!(
            answer.contains("left out: layers, tiles, objects"),
            "{answer}"
        );
        std::fs::read_to_string(folder.path().join("out.txt")).expect("a text")
    };
    assert_eq!(rows(&[]), "####\n##3#\n#...\n3##.\n");
    assert_eq!(rows(&["--level", "Quay"]), "#.\n3#\n");
    assert_eq!(
        rows(&["--level", "Quay", "--int-grid", "Ground"]),
        "##\n3.\n"
    );
    let own = [
        "--level",
        "Quay",
        "--cost",
        "deep water=2",
        "--cost",
        "mud=5",
    ];
    assert_eq!(rows(&own), "2.\n5#\n");
    let spawn = folder.run(&["check", &project, "--allow", "pockets,chokes"]);
    assert!(spawn.stdout.contains("spawn"), "{}", spawn.stdout);
    let text = std::fs::read_to_string(&project).expect("the project");
    let nameless = text.replace("\"mud\"", "\"lantern oil\"");
    folder.write("oil.ldtk", nameless.replace("harbour/", ""));
    for file in ["Quay.ldtkl", "Town.ldtkl"] {
        let level = std::fs::read(format!("{data}/{file}")).expect("a level");
        folder.write(file, level);
    }
    for (line, told) in [
        ("graph oil.ldtk", "--cost 'lantern oil'=3"),
        (
            "graph oil.ldtk --level Pier",
            "no level is called `Pier`: choose one of `Quay` `Town`",
        ),
        (
            "convert oil.ldtk out.ldtk --cost lantern_oil=3",
            "LDtk projects are read and not",
        ),
        (
            "convert out.txt b.txt --level Quay",
            "--level is for LDtk projects",
        ),
        (
            "convert out.txt b.map --cost mud=3",
            "--cost with more than a letter is for LDtk",
        ),
    ] {
        let run = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}");
        assert!(run.stderr.contains(told), "{line}: {}", run.stderr);
    }
}

#[test]
fn pictures_are_read_as_height_maps() {
    let folder = Folder::new("convert-heights");
    // Costs 1, 2, 3 and 5 are greys 255, 254, 253 and 251: heights that fall to the east.
    folder.write("rows.txt", "1235\n1235\n");
    folder.run(&["convert", "rows.txt", "heights.png"]).answer();
    let rows = |options: &str| {
        let line = format!("convert heights.png out.txt --heights {options}");
        let answer = folder.run(&line.split(' ').collect::<Vec<_>>()).answer();
        assert!(answer.contains("left out: the heights"), "{answer}");
        std::fs::read_to_string(folder.path().join("out.txt")).expect("a text")
    };
    // Slopes of 25, 25, 37.5 and 50 %.
    assert_eq!(rows("2,0.5"), "2235\n2235\n");
    assert_eq!(rows("2,0.5 --steepest 40"), "447#\n447#\n");
    assert_eq!(rows("2,0.5 --dearest 2 --water 126.6"), "..##\n..##\n");
    for (line, told) in [
        (
            "graph rows.txt --heights 2,0.5",
            "--heights is for PNG maps",
        ),
        ("graph heights.png --heights 2", "write it as CELL,STEP"),
        ("graph heights.png --heights 2,0", "give a number over 0"),
        ("graph heights.png --heights 2,nan", "give a number over 0"),
        ("graph heights.png --water 3", "--heights"),
        (
            "graph heights.png --heights 2,1 --palette p",
            "cannot be used with",
        ),
    ] {
        let run = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}");
        assert!(run.stderr.contains(told), "{line}: {}", run.stderr);
    }
}

#[test]
fn a_format_may_be_called_by_its_name() {
    let folder = Folder::new("convert-names");
    folder.write("map.txt", "..\n.#\n");
    for (name, begin) in [
        ("text", "..\n"),
        ("movingai", "type octile"),
        ("json", "{"),
        ("tmx", "<?xml"),
    ] {
        let answer = folder
            .run(&["convert", "map.txt", "out", "--to", name])
            .answer();
        assert!(answer.contains("no cost was lost"), "{answer}");
        let text = std::fs::read_to_string(folder.path().join("out")).expect("a file");
        assert!(text.starts_with(begin), "{text}");
    }
    let back = folder.run(&["convert", "out", "back.txt", "--from", "tmx"]);
    back.answer();
    let run = folder.run(&["convert", "map.txt", "out2"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("give one of .map .txt"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_map_that_is_read_is_not_written_over() {
    let folder = Folder::new("convert-same");
    folder.write("map.tmx", "");
    folder.write("map.txt", "..\n.#\n");
    folder.run(&["convert", "map.txt", "map.tmx"]).answer();
    let at = |name: &str| folder.path().join(name);
    let before = std::fs::read(at("map.tmx")).expect("a map");
    std::fs::create_dir_all(at("there")).expect("a folder");
    std::fs::hard_link(at("map.tmx"), at("hard.tmx")).expect("another name");
    for other in ["map.tmx", "./map.tmx", "there/../map.tmx", "hard.tmx"] {
        let run = folder.run(&["convert", "map.tmx", other, "--to", "tmx"]);
        if cfg!(unix) || !other.starts_with("hard") {
            assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{other}");
            assert!(run.stderr.contains("name another file"), "{}", run.stderr);
        }
        assert_eq!(std::fs::read(at("map.tmx")).expect("a map"), before);
    }
}

#[cfg(unix)]
#[test]
fn what_is_written_to_keeps_what_it_is() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("convert-places");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("map.txt"), "..\n.#\n").expect("a map");
    std::fs::write(at("real.txt"), "old").expect("a file");
    std::fs::set_permissions(at("real.txt"), PermissionsExt::from_mode(0o600)).expect("its mode");
    symlink("real.txt", at("link.txt")).expect("a link");
    folder.run(&["convert", "map.txt", "link.txt"]).answer();
    let link = std::fs::symlink_metadata(at("link.txt")).expect("the link");
    assert!(link.is_symlink(), "a link stays one");
    let real = std::fs::metadata(at("real.txt")).expect("the file");
    assert_eq!(real.permissions().mode() & 0o777, 0o600, "and private");
    let text = std::fs::read_to_string(at("real.txt")).expect("the map");
    assert!(text.contains(".#"), "{text}");
}

/// Where a file may have one block only, a map does not fit: writing fails or, unless the signal is
/// ignored, ends the process.
#[cfg(unix)]
#[test]
fn failed_write_of_a_map_file_leaves_the_old_one() {
    let folder = Folder::new("convert-cut");
    folder.write("a.txt", format!("{}\n", ".".repeat(90)).repeat(90));
    folder.write("b.txt", format!("{}\n", ".#".repeat(45)).repeat(90));
    let line = ["convert", "a.txt", "a.map"];
    folder.run(&line).answer();
    let names = || {
        let mut names = folder.names();
        names.retain(|name| !name.ends_with(".txt"));
        names
    };
    let old = || std::fs::read_to_string(folder.path().join("a.map")).expect("a map");
    let text = old();
    let line = "convert b.txt a.map";
    let run = folder.run_after("trap '' XFSZ; ulimit -f 1", line);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let told = "a.map: cannot be written";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    assert!(old() == text && names() == ["a.map"], "{:?}", names());

    let run = folder.run_after("ulimit -c 0; ulimit -f 1", line);
    assert_eq!(run.code, None, "not ended: {}", run.stderr);
    assert!(old() == text && names().len() == 2, "{:?}", names());
    folder.run_after("true", line).answer();
    assert!(old() != text && names() == ["a.map"], "{:?}", names());
}
