//! Bad input: exit code 2, a message with the place and the remedy, and
//! nothing on stdout.

use crate::command::Folder;

const HEAD: &str = "type octile\nheight 3\nwidth 4\nmap\n";

/// A folder with a good map, a good scenario, and several bad ones.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("good.map", format!("{HEAD}....\n.@..\n@@..\n"));
    folder.write("good.scen", "version 1\n0 good.map 4 3 0 0 3 0 3\n");
    folder.write("header.map", "type octile\nhigh 3\n");
    folder.write("short.map", format!("{HEAD}....\n...\n....\n"));
    folder.write("letter.map", format!("{HEAD}....\n..q.\n....\n"));
    folder.write("rows.map", format!("{HEAD}....\n"));
    folder.write("binary.map", [0xff, 0xfe, 0x00, 0x01]);
    folder.write("zero.map", "type octile\nheight 0\nwidth 4\nmap\n");
    folder.write("large.map", "type octile\nheight 70000\nwidth 4\nmap\n");
    folder.write(
        "claim.map",
        "type octile\nheight 65535\nwidth 65535\nmap\n..........",
    );
    folder.write("size.scen", "version 1\n0 big.map 5 3 0 0 3 0 3\n");
    folder.write(
        "wall.scen",
        "version 1\n0 good.map 4 3 0 0 3 0 3\n0 good.map 4 3 1 1 3 0 3\n",
    );
    folder.write("outside.scen", "version 1\n0 good.map 4 3 0 0 4 0 3\n");
    folder.write("number.scen", "version 1\n0 good.map 4 3 0 0 3 0 three\n");
    folder.write("empty.scen", "version 1\n");
    folder
}

/// Expects a refusal whose message contains all of `parts`.
fn refused(folder: &Folder, line: &str, parts: &[&str]) {
    let arguments: Vec<&str> = line.split(' ').collect();
    let run = folder.run(&arguments);
    assert_eq!(run.code, Some(2), "{line}: {}", run.stderr);
    assert_eq!(run.stdout, "", "{line}: nothing but answers on stdout");
    for part in parts {
        assert!(
            run.stderr.contains(part),
            "{line}: no `{part}` in: {}",
            run.stderr
        );
    }
}

#[test]
fn maps_that_are_none() {
    let folder = folder("bad-maps");
    let cases: [(&str, &[&str]); 9] = [
        ("none.map", &["none.map", "cannot be read", "give the path"]),
        (".", &["cannot be read"]),
        ("header.map", &["line 2, column 1", "`height N`"]),
        (
            "short.map",
            &["line 6, column 4", "3 of 4 cells", "correct `width`"],
        ),
        (
            "rows.map",
            &["line 6, column 1", "1 of 3 rows", "add the rest"],
        ),
        ("binary.map", &["line 1, column 1", "`type octile`"]),
        ("zero.map", &["line 2", "0", "at least 1×1"]),
        ("large.map", &["line 2", "70000", "limit of 65535"]),
        ("claim.map", &["line 5, column 11", "10 of 65535 cells"]),
    ];
    for (map, parts) in cases {
        refused(&folder, &format!("graph {map}"), parts);
        refused(&folder, &format!("graph {map} --format json"), parts);
        refused(&folder, &format!("scen {map} good.scen --json"), parts);
        refused(&folder, &format!("show {map} --from 0,0 --goal 1,0"), parts);
    }
}

#[test]
fn letters_and_costs_that_are_unknown() {
    let folder = folder("bad-letters");
    refused(
        &folder,
        "graph letter.map",
        &[
            "letter.map",
            "line 6, column 3",
            "`q` has no cost",
            "--cost q=3",
        ],
    );
    let known = folder.run(&["graph", "letter.map", "--cost", "q=3"]);
    assert_eq!(known.code, Some(0), "{}", known.stderr);
    refused(
        &folder,
        "graph letter.map --cost q=0",
        &["q=0", "0 is refused"],
    );
    refused(
        &folder,
        "graph letter.map --cost q=256",
        &["q=256", "1 to 255"],
    );
    refused(&folder, "graph letter.map --cost quick", &["NAME=COST"]);
}

#[test]
fn scenarios_that_do_not_fit() {
    let folder = folder("bad-scenarios");
    let cases: [(&str, &[&str]); 6] = [
        ("size.scen", &["line 2", "5×3", "4×3", "belong together"]),
        ("wall.scen", &["line 3", "start (1, 1)", "wall"]),
        ("outside.scen", &["line 2, column 20", "(4, 0)", "4×3"]),
        (
            "number.scen",
            &["line 2, column 24", "the length", "plain digits"],
        ),
        ("empty.scen", &["no entries", "add lines"]),
        ("good.map", &["line 1, column 1", "`version 1`"]),
    ];
    for (scenario, parts) in cases {
        refused(&folder, &format!("scen good.map {scenario} --json"), parts);
        refused(&folder, &format!("scen good.map {scenario}"), parts);
    }
    refused(
        &folder,
        "scen good.map good.scen --every 0 --json",
        &["--every"],
    );
    refused(
        &folder,
        "scen good.map none.scen --json",
        &["none.scen", "cannot be read"],
    );
}

#[test]
fn cells_that_cannot_be_walked_between() {
    let folder = folder("bad-cells");
    let show = |ends: &str| format!("show good.map {ends}");
    let off = &["off the map of 4×3 cells", "0,0 to 3,2"];
    refused(&folder, &show("--from 4,0 --goal 0,0"), off);
    refused(&folder, &show("--from 0,0 --goal -1,0"), off);
    refused(
        &folder,
        &show("--from 0,0 --goal 1,1"),
        &["(1, 1) is a wall"],
    );
    refused(&folder, &show("--from 0 --goal 1,1"), &["X,Y"]);
    folder.write("split.map", format!("{HEAD}.@..\n.@..\n.@..\n"));
    let split = "show split.map --from 0,0 --goal 3,2";
    refused(&folder, split, &["(0, 0)", "(3, 2)", "different islands"]);
}

#[test]
fn options_that_a_map_does_not_heed() {
    let folder = folder("bad-unused");
    folder.write("kinds.txt", "#ff0000 3\n");
    folder.write("rows.txt", "..#\n...\n");
    folder.run(&["convert", "rows.txt", "rows.png"]).answer();
    for (line, parts) in [
        (
            "check good.map --palette kinds.txt",
            ["good.map: --palette", "leave it out"],
        ),
        (
            "check rows.txt --palette kinds.txt",
            ["rows.txt: --palette", "PNG maps"],
        ),
        (
            "check rows.png --cost q=3",
            ["rows.png: --cost", "Moving AI"],
        ),
        (
            "check rows.txt --cost q=3",
            ["rows.txt: --cost", "leave it out"],
        ),
        (
            "convert good.map out.txt --palette kinds.txt",
            ["--palette", "this map is .map"],
        ),
        (
            "inspect rows.txt --palette kinds.txt --port 0 --for 0",
            ["rows.txt: --palette", "leave it out"],
        ),
        (
            "inspect --palette kinds.txt --port 0 --for 0",
            ["--palette", "name one or leave it out"],
        ),
    ] {
        refused(&folder, line, &parts);
    }
    assert!(!folder.path().join("out.txt").exists());
}

/// Faults of all kinds: each message has the place and the remedy.
#[test]
fn every_refusal_says_what_to_do() {
    let folder = folder("bad-remedies");
    folder.write("not.replay", "hello\n");
    folder.write("bytes.replay", [0xff, 0xfe]);
    folder.write("bad.toml", "[map]\nsise = [9, 9]\n");
    let band = "[[band]]\naim = { goal = [9, 0] }\nunits = [{ at = [1, 1] }]\n";
    folder.write("goal.toml", format!("[map]\nsize = [9, 9]\n{band}"));
    folder.write("vast.toml", format!("[map]\nsize = [65535, 65535]\n{band}"));
    let later = "{\"flowtiles\":\"session\",\"version\":2}\n";
    folder.write("later.replay", later);
    let tmx = |size: &str, layer: &str| {
        format!(
            "<map orientation=\"orthogonal\" {size} tilewidth=\"8\" tileheight=\"8\">\
             <layer name=\"l\" {layer}><data encoding=\"csv\">1</data></layer></map>"
        )
    };
    let (good, bad) = ("width=\"1\" height=\"1\"", "width=\"-2\" height=\"1\"");
    folder.write("size.tmx", tmx(bad, good));
    folder.write("layer.tmx", tmx(good, bad));
    folder.write(
        "size.tmj",
        "{\"type\":\"map\",\"orientation\":\"orthogonal\",\"width\":-2,\"height\":1,\
         \"tilewidth\":8,\"tileheight\":8,\"layers\":[],\"tilesets\":[]}",
    );
    let correct = [
        "`width`",
        "correct it (sizes are whole numbers from 1 to 65535)",
    ];
    for (line, parts) in [
        ("check size.tmx", correct),
        ("check layer.tmx", correct),
        (
            "check size.tmj",
            [
                "where a whole number from 0 on belongs",
                "save it from Tiled",
            ],
        ),
        (
            "verify not.replay",
            ["line 1", "give a file that the inspector"],
        ),
        (
            "verify bytes.replay",
            ["line 1", "give a file that the inspector"],
        ),
        (
            "verify later.replay",
            ["line 1", "use the flowtiles that wrote it"],
        ),
        (
            "explain good.map --order -1,0:2,0",
            ["--order (-1, 0)", "from 0,0 to 3,2"],
        ),
        (
            "explain good.map --from -1,0 --goal 2,0",
            ["--from (-1, 0)", "from 0,0 to 3,2"],
        ),
        (
            "check good.map --scen empty.scen",
            ["empty.scen", "add lines"],
        ),
        ("big --side 0", ["--side", "from 200 to 65535"]),
        ("bench --size 0", ["--size", "whole number from"]),
        (
            "sim brigdes",
            [
                "`brigdes` (did you mean `bridges`?)",
                "`flowtiles sim` lists them",
            ],
        ),
        (
            "sim no-such",
            ["no scene `no-such`: ", "`flowtiles sim` lists them"],
        ),
        (
            "sim crowd-all-",
            ["did you mean `crowd-all`?", "`flowtiles sim` lists them"],
        ),
        (
            "sim none.toml",
            [
                "none.toml: cannot be read",
                "give the path of a file that can",
            ],
        ),
        (
            "sim vast.toml",
            [
                "vast.toml: line 1: ",
                "too large: write a `size` of at most",
            ],
        ),
        (
            "sim bad.toml",
            ["bad.toml: line 2: unknown field `sise`", "`size`"],
        ),
        (
            "sim goal.toml",
            ["goal.toml: line 3: ", "does not lie on the map"],
        ),
        (
            "sim crowd-pass --set lenght=3",
            ["did you mean `length`?", "there are length, time"],
        ),
        (
            "sim crowd-pass --set crowd=-5",
            ["--set crowd=-5", "a whole number that is not below 0"],
        ),
        (
            "bench --only Opne",
            ["did you mean `open`?", "the names are open, rooms"],
        ),
        ("sim pass --ticks -1", ["--ticks", "whole number from 0"]),
        (
            "sim pass --png p.png --wide 5",
            ["--wide", "from 100 to 4000"],
        ),
        ("--jsno", ["--jsno", "--help"]),
        ("--json graph good.map", ["--json", "--help"]),
    ] {
        refused(&folder, line, &parts);
    }
}

#[test]
fn without_a_command_it_prints_its_help() {
    let run = folder("bad-nothing").run(&[]);
    assert_eq!((run.code, &*run.stdout), (Some(2), ""));
    for part in ["Usage: flowtiles", "render", "Examples:"] {
        assert!(run.stderr.contains(part), "no `{part}` in: {}", run.stderr);
    }
}
