//! `flowtiles record` and `flowtiles verify`: a battle has the same result however
//! it is run, and files that are no replays are refused.

use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flowtiles::inspect::Digest;

use crate::command::Folder;

/// Puts the right digest below the lines of a replay.
fn sealed(lines: &[&str]) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    let mut digest = Digest::new();
    digest.bytes(text.as_bytes());
    format!("{text}{{\"digest\":\"{:016x}\"}}\n", digest.finish())
}

/// The lines of a replay without its digests.
fn lines_of(text: &str) -> Vec<&str> {
    let is_digest =
        |line: &&str| line.starts_with("{\"so-far\"") || line.starts_with("{\"digest\"");
    text.lines().filter(|line| !is_digest(line)).collect()
}

/// Where the engine gets its first budget.
fn first_tick(lines: &[&str]) -> usize {
    let at = lines.iter().position(|line| line.starts_with("{\"tick\":"));
    at.expect("a tick")
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
    }
    for input in [
        "edit", "stamp", "unstamp", "block", "unblock", "order", "shove", "tour", "aim", "pursue",
        "cover", "drop",
    ] {
        let begin = format!("{{\"{input}\":");
        let any = told.lines().any(|line| line.starts_with(&begin));
        assert!(any, "no battle with `{input}`");
    }
    for input in [
        "add", "send", "queue", "patrol", "team", "form", "disband", "keep", "join", "speed",
        "radius", "place", "remove", "ungroup", "steer",
    ] {
        let begin = format!("{{\"groups\":{{\"{input}\":");
        let any = told.lines().any(|line| line.starts_with(&begin));
        assert!(any, "no battle with `{input}`");
    }
    assert!(told.lines().any(|line| line == "\"save\""));
    let (folder, text) = recorded("replay-threads", "4", "20");
    let (_, again) = recorded("replay-again", "4", "20");
    assert!(again == text, "a seed makes the same replay again");
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
    let mut lines = lines_of(&text);
    // One tick has another budget, so orders are ready at another time.
    let at = first_tick(&lines);
    lines[at] = "{\"tick\":1}";
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
    let mut lines = lines_of(&text);
    let checks = lines.iter().enumerate();
    let mut checks = checks.filter(|(_, line)| line.starts_with("{\"check\":"));
    // The second check, in tick 16.
    let at = checks.nth(1).expect("several checks").0;
    let (others, _) = lines[at].rsplit_once(':').expect("hashes");
    let other = format!("{others}:123456789}}}}");
    lines[at] = &other;
    folder.write("other.replay", sealed(&lines));
    let run = folder.run(&["verify", "other.replay"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    let told = format!("other.replay: tick 16, line {}: groups differ (", at + 1);
    assert!(run.stderr.contains(&told), "{}", run.stderr);
}

#[test]
fn what_cannot_be_done_is_a_bad_file() {
    let (folder, text) = recorded("replay-wrong", "6", "20");
    let lines = lines_of(&text);
    let at = first_tick(&lines);
    for (wrong, told) in [
        (r#"{"unstamp":999}"#, "no stamp 999"),
        (
            r#"{"order":{"goal":{"cells":[{"cell":[70000,5]}]},"units":[[3,3]]}}"#,
            "off the map",
        ),
        (
            r#"{"tour":{"goals":[],"units":[[3,3]]}}"#,
            "give at least one",
        ),
        (r#"{"edit":{"area":[70000,0,1,1],"cost":1}}"#, "off the map"),
        (
            r#"{"stamp":{"at":[0,0],"turns":4,"width":1,"height":1,"costs":[1]}}"#,
            "0 to 3 quarter turns",
        ),
        (
            r#"{"stamp":{"at":[0,0],"turns":0,"width":65536,"height":65536,"costs":[1]}}"#,
            "template",
        ),
        (r#"{"unblock":[0,0]}"#, "no blocker"),
        (r#"{"cover":{"army":999,"cell":[3,3]}}"#, "no army 999"),
        (r#"{"drop":999}"#, "no army 999"),
        (
            r#"{"shove":{"army":0,"unit":0,"to":[-5,1]}}"#,
            "off the map",
        ),
        (
            r#"{"groups":{"add":{"target":"hold","units":[[70000,5]]}}}"#,
            "off the map",
        ),
        (
            r#"{"groups":{"add":{"target":{"pursue":{"unit":999,"chase":[50,2400,1000]}},"units":[[3,3]]}}}"#,
            "no steered unit 999",
        ),
        (
            r#"{"groups":{"send":{"group":999,"target":"hold"}}}"#,
            "no group 999",
        ),
        (
            r#"{"groups":{"join":{"group":999,"units":[0]}}}"#,
            "no group 999",
        ),
        (
            r#"{"groups":{"speed":{"unit":999,"speed":100}}}"#,
            "no steered unit 999",
        ),
        (r#"{"groups":{"remove":[999]}}"#, "no steered unit 999"),
        (r#"{"groups":{"steer":5000}}"#, "give 1 to 1000"),
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
    let files = || folder.names().len();
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

/// Where a file may have one block only, a replay does not fit: writing fails or, unless the signal
/// is ignored, ends the process.
#[cfg(unix)]
#[test]
fn a_replay_that_cannot_be_written_to_its_end_leaves_the_old_file() {
    let (folder, text) = recorded("replay-cut", "8", "10");
    let old = || fs::read_to_string(folder.path().join("battle.replay")).expect("a replay");
    let line = "record --seed 9 --ticks 40 -o battle.replay";
    let run = folder.run_after("trap '' XFSZ; ulimit -f 1", line);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(
        run.stderr.contains("battle.replay: cannot be written"),
        "{}",
        run.stderr
    );
    assert!(
        old() == text && folder.names() == ["battle.replay"],
        "{:?}",
        folder.names()
    );

    let run = folder.run_after("ulimit -c 0; ulimit -f 1", line);
    assert_eq!(run.code, None, "not ended: {}", run.stderr);
    assert!(
        old() == text && folder.names().len() == 2,
        "{:?}",
        folder.names()
    );
    let line: Vec<&str> = line.split(' ').collect();
    folder.run(&line).answer();
    assert!(
        old() != text && folder.names() == ["battle.replay"],
        "{:?}",
        folder.names()
    );
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
    let body = lines_of(&text);
    let with = |at: usize, line| {
        let mut lines = body.clone();
        lines[at] = line;
        sealed(&lines)
    };
    refused("", &["line 1", "a replay begins with"]);
    refused(
        "type octile\n",
        &["line 1", "give a file that `flowtiles record`"],
    );
    refused(
        &with(0, "{\"flowtiles\":\"battle\",\"version\":2}"),
        &[
            "line 1",
            "version 2",
            "only 1 is known",
            "the flowtiles that wrote it",
        ],
    );
    let changed = text.replacen("\"walk\"", "\"wall\"", 1);
    refused(
        &changed,
        &["lines 1 to 41 are not as they were", "another copy"],
    );
    for line in [
        "\"dance\"",
        "{\"dance\":3}",
        "{\"tick\":null}",
        "{\"tick\":5} 5",
        "{\"tick\":1e400}",
        "{\"ticks\":5}",
        "{\"check\":{\"costs\":0}}",
        "{\"groups\":{\"steer\":-1}}",
        "tick 5",
    ] {
        let told = format!("bad.replay: line {}", body.len() - 1);
        refused(
            &with(body.len() - 2, line),
            &[&told, "use the flowtiles that wrote it"],
        );
    }
    refused(
        &with(1, "{\"start\":{\"world\":[\"drawn\",\"AAAA\"]}}"),
        &["line 2", "FLOWSAVE"],
    );
    refused(
        &with(1, "{\"start\":{\"country\":1}}"),
        &["line 2", "saved world"],
    );
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
    let folder = Folder::new("replay-vast");
    let start = format!(
        "{{\"start\":{{\"world\":[\"drawn\",\"{}\"]}}}}",
        STANDARD.encode(save)
    );
    let lines = ["{\"flowtiles\":\"battle\",\"version\":1}", &start];
    folder.write("vast.replay", sealed(&lines));
    let run = folder.run(&["verify", "vast.replay"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("65535×65535"), "{}", run.stderr);
}
