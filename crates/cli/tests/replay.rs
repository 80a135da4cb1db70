//! `flowtiles record` and `flowtiles verify`: a battle has the same result however
//! it is run, and files that are no replays are refused.

mod command;

use std::fs;

use command::Folder;
use flowtiles::{Digest, FlowWorld};

/// Puts the right digest below the lines of a replay.
fn sealed(lines: &[&str]) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    let mut digest = Digest::new();
    digest.bytes(text.as_bytes());
    format!("{text}digest {:016x}\n", digest.finish())
}

/// A folder with a replay, and the replay's text.
fn recorded(name: &str, seed: &str, ticks: &str) -> (Folder, String) {
    let folder = Folder::new(name);
    let line = [
        "record",
        "--seed",
        seed,
        "--ticks",
        ticks,
        "-o",
        "battle.replay",
    ];
    folder.run(&line).answer();
    let text = fs::read_to_string(folder.path().join("battle.replay"));
    (folder, text.expect("a replay is text"))
}

#[test]
fn battles_come_out_the_same_in_every_manner() {
    let mut told = String::new();
    // Those of 6 and 11 have arrived units, units on the way and errands when they are saved.
    for seed in ["1", "2", "3", "6", "11"] {
        let (folder, text) = recorded(&format!("replay-{seed}"), seed, "120");
        let answer = folder.run(&["verify", "battle.replay"]).answer();
        assert!(
            answer.contains("10 runs agree in 15 checks over 120 ticks"),
            "{answer}"
        );
        for part in [
            "whole ticks",
            "slices of 137 cells",
            "whole ticks, threads: 8",
            "save: 2",
            "save: 0",
        ] {
            assert!(answer.contains(part), "no `{part}` in: {answer}");
        }
        told += &text;
        let (_, again) = recorded(&format!("replay-{seed}-again"), seed, "120");
        assert!(again == text, "a seed makes the same replay again");
    }
    for input in [
        "edit ", "stamp ", "unstamp ", "block ", "unblock ", "order ", "shove ", "tour ", "aim ",
        "pursue ", "cover ", "drop ", "save", "group ", "send ", "queue ", "patrol ", "team ",
        "form ", "keep ", "join ", "speed ", "radius ", "place ", "remove ", "ungroup ", "steer ",
    ] {
        let any = told.lines().any(|line| line.starts_with(input));
        assert!(any, "no battle with `{input}`");
    }
    let (folder, _) = recorded("replay-threads", "4", "20");
    let line = ["verify", "battle.replay", "--threads", "3,5,7,9,11"];
    let answer = folder.run(&line).answer();
    assert!(
        answer.contains("14 runs agree") && answer.contains("threads: 11"),
        "{answer}"
    );
}

#[test]
fn a_battle_may_be_fought_on_a_map_of_ones_own() {
    let folder = Folder::new("replay-map");
    let rows = format!("{}\n", ".".repeat(40)).repeat(30);
    folder.write(
        "own.map",
        format!("type octile\nheight 30\nwidth 40\nmap\n{rows}"),
    );
    let line = "record own.map --seed 5 --ticks 60 -o own.replay";
    let line: Vec<&str> = line.split(' ').collect();
    assert!(folder.run(&line).answer().contains("in 60 ticks"));
    assert!(
        folder
            .run(&["verify", "own.replay"])
            .answer()
            .contains("agree")
    );
}

#[test]
fn a_difference_is_told_with_its_tick() {
    let (folder, text) = recorded("replay-differs", "6", "40");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.pop();
    // One tick has another budget, so orders are ready at another time.
    let at = lines.iter().position(|line| line.starts_with("tick "));
    let at = at.expect("a tick");
    lines[at] = "tick 1";
    folder.write("other.replay", sealed(&lines));
    let run = folder.run(&["verify", "other.replay"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    for part in [
        "other.replay: tick ",
        "line ",
        "orders and fields",
        "whole ticks",
    ] {
        assert!(run.stderr.contains(part), "no `{part}` in: {}", run.stderr);
    }
}

#[test]
fn other_hashes_of_groups_are_told_with_tick_and_line() {
    let (folder, text) = recorded("replay-groups", "6", "40");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.pop();
    let checks = lines.iter().enumerate();
    let mut checks = checks.filter(|(_, line)| line.starts_with("check "));
    // The second check, in tick 16.
    let at = checks.nth(1).expect("several checks").0;
    let (others, _) = lines[at].rsplit_once(' ').expect("hashes");
    let other = format!("{others} 0123456789abcdef");
    lines[at] = &other;
    folder.write("other.replay", sealed(&lines));
    let run = folder.run(&["verify", "other.replay"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    let told = format!("other.replay: tick 16, line {}: groups differ (", at + 1);
    assert!(run.stderr.contains(&told), "{}", run.stderr);
}

#[test]
fn a_replay_of_version_2_is_verified() {
    let (folder, text) = recorded("replay-version-2", "6", "8");
    let starts = text.lines().filter(|line| line.starts_with("start "));
    let hex: String = starts.clone().map(|line| &line[6..]).collect();
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16);
    let bytes: Result<Vec<u8>, _> = (0..hex.len()).step_by(2).map(byte).collect();
    let (world, _) = FlowWorld::load(&bytes.expect("hexadecimal")).expect("a world");
    let parts = world.inspect().state_parts();
    let check = format!(
        "check {:016x} {:016x} {:016x} {:016x}",
        parts.costs,
        parts.stamps,
        parts.orders,
        Digest::new().finish()
    );
    let mut lines = vec!["flowtiles replay 2"];
    lines.extend(starts);
    lines.extend([&check[..], "tick 500", "walk", "save", &check[..]]);
    folder.write("old.replay", sealed(&lines));
    let answer = folder.run(&["verify", "old.replay"]).answer();
    assert!(answer.contains("agree in 2 checks"), "{answer}");
    // It has no groups, and no hash of them.
    for line in ["steer 50", "group hold 3 3", &format!("{check} 0")] {
        lines.push(line);
        folder.write("new.replay", sealed(&lines));
        let run = folder.run(&["verify", "new.replay"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}");
        let told = format!("line {}: `{line}` is no input", lines.len());
        assert!(run.stderr.contains(&told), "{}", run.stderr);
        lines.pop();
    }
}

#[test]
fn what_cannot_be_done_is_a_bad_file() {
    let (folder, text) = recorded("replay-wrong", "6", "20");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.pop();
    let at = lines.iter().position(|line| line.starts_with("tick "));
    let at = at.expect("a tick");
    for (wrong, told) in [
        ("unstamp 999", "no stamp 999"),
        ("order strict corridor cells 1 70000 5 0 3 3", "off the map"),
        ("order nearest corridor cells 0 3 3", "no cell"),
        ("edit 70000 0 1 1 1", "off the map"),
        ("unblock 0 0", "no blocker"),
        ("cover 999 3 3", "no army 999"),
        ("drop 999", "no army 999"),
        ("shove 0 0 -5 1", "off the map"),
        ("group hold 70000 5", "off the map"),
        ("group pursue 999 50 2400 1000 3 3", "no steered unit 999"),
        ("send 999 hold", "no group 999"),
        ("join 999 0", "no group 999"),
        ("speed 999 100", "no steered unit 999"),
        ("remove 999", "no steered unit 999"),
        ("steer 5000", "give 1 to 1000"),
    ] {
        let mut lines = lines.clone();
        lines.insert(at, wrong);
        folder.write("wrong.replay", sealed(&lines));
        let run = folder.run(&["verify", "wrong.replay"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{wrong}");
        let line = format!("wrong.replay: tick 0, line {}: ", at + 1);
        assert!(run.stderr.contains(&line), "{}", run.stderr);
        assert!(run.stderr.contains(told), "{}", run.stderr);
    }
}

#[test]
fn a_replay_is_written_whole_or_not_at_all() {
    let (folder, text) = recorded("replay-whole", "8", "10");
    let files = || fs::read_dir(folder.path()).expect("it is there").count();
    assert_eq!(files(), 1, "nothing is left beside it");
    let line = "record --seed 8 --ticks 10 -o nowhere/battle.replay";
    let line: Vec<&str> = line.split(' ').collect();
    let run = folder.run(&line);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("cannot be written"), "{}", run.stderr);
    assert_eq!(files(), 1);
    // An existing file is replaced completely.
    folder.write("battle.replay", "x".repeat(2 * text.len()));
    let line = "record --seed 8 --ticks 10 -o battle.replay";
    let line: Vec<&str> = line.split(' ').collect();
    folder.run(&line).answer();
    let again = fs::read_to_string(folder.path().join("battle.replay"));
    assert!(again.expect("a replay is text") == text);
    assert_eq!(files(), 1);
}

#[test]
fn what_is_no_replay_is_refused() {
    let (folder, text) = recorded("replay-bad", "7", "16");
    let refused = |text: &str, parts: &[&str]| {
        folder.write("bad.replay", text);
        let run = folder.run(&["verify", "bad.replay"]);
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (Some(2), ""),
            "{}",
            run.stderr
        );
        for part in parts {
            assert!(run.stderr.contains(part), "no `{part}` in: {}", run.stderr);
        }
    };
    let lines: Vec<&str> = text.lines().collect();
    let body = &lines[..lines.len() - 1];
    let with = |at: usize, line| {
        let mut lines = body.to_vec();
        lines[at] = line;
        sealed(&lines)
    };
    refused("", &["line 1", "flowtiles replay 3"]);
    refused("type octile\n", &["line 1"]);
    refused(
        &with(0, "flowtiles replay 4"),
        &["version 4", "only 2 to 3 are known"],
    );
    refused(
        &with(0, "flowtiles replay 1"),
        &["version 1", "only 2 to 3 are known"],
    );
    // Of version 2, whose checks have four hashes and which has no groups.
    refused(&with(0, "flowtiles replay 2"), &["is no input"]);
    refused(&text.replacen("walk", "wall", 1), &["digest"]);
    refused(&with(body.len() - 2, "dance 3"), &["`dance 3` is no input"]);
    refused(&with(body.len() - 2, "tick"), &["is no input"]);
    refused(&with(body.len() - 2, "tick 5 5"), &["is no input"]);
    for line in [
        "check 0 0 0 0",
        "check 0 0 0 0 0 0",
        "group",
        "group march 3 3",
        "send 0",
        "send 4294967296 hold",
        "join 0 x",
        "place 0 1e3 5",
        "steer -1",
        "steer",
    ] {
        let told = format!("line {}: `{line}` is no input", body.len() - 1);
        refused(&with(body.len() - 2, line), &[&told]);
    }
    refused(&with(1, "start 00"), &["FLOWSAVE"]);
    for part in 0..20 {
        let cut = text.len() * part / 20;
        refused(&text[..cut], &["bad.replay"]);
    }
    let none = folder.run(&["verify", "none.replay"]);
    assert_eq!(none.code, Some(2));
    assert!(none.stderr.contains("cannot be read"));
}

#[test]
fn a_replay_whose_few_bytes_tell_of_a_vast_map_is_refused_at_once() {
    // 65,535 cells a side, all of them open ground: 6,554 sectors a side.
    let body = [
        &[8, 8, 8, 8, 0, 0xFF, 0xFF, 3, 0xFF, 0xFF, 3, 0][..],
        &[0xE4, 0xD2, 0xBD, 0x14, 0, 0, 0, 0, 0],
    ];
    let body = body.concat();
    let mut save = b"FLOWSAVE\x01\0\0\0".to_vec();
    save.extend((body.len() as u64 + 1).to_le_bytes());
    save.push(0);
    save.extend(body);
    let mut digest = Digest::new();
    digest.bytes(&save);
    save.extend(digest.finish().to_le_bytes());
    let start: String = save.iter().map(|byte| format!("{byte:02x}")).collect();
    let folder = Folder::new("replay-vast");
    let lines = ["flowtiles replay 3", &format!("start {start}")];
    folder.write("vast.replay", sealed(&lines));
    let run = folder.run(&["verify", "vast.replay"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("65535×65535"), "{}", run.stderr);
}
