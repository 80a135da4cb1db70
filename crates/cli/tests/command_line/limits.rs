//! Little room on the disk, and files that claim more than they hold.

use crate::command::Folder;

/// Where a file may have one block only, a map does not fit: writing fails or, unless the signal is
/// ignored, ends the process.
#[test]
fn failed_write_of_a_map_file_leaves_the_old_one() {
    let folder = Folder::new("limits-write");
    folder.write("a.txt", format!("{}\n", ".".repeat(90)).repeat(90));
    folder.write("b.txt", format!("{}\n", ".#".repeat(45)).repeat(90));
    folder.shell("flowtiles convert a.txt a.map").answer();
    let names = || {
        let mut names = folder.names();
        names.retain(|name| !name.ends_with(".txt"));
        names
    };
    let old = || std::fs::read_to_string(folder.path().join("a.map")).expect("a map");
    let text = old();
    let line = "exec flowtiles convert b.txt a.map";
    let run = folder.shell(&format!("trap '' XFSZ; ulimit -f 1; {line}"));
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let told = "a.map: cannot be written";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    assert!(old() == text && names() == ["a.map"], "{:?}", names());

    let run = folder.shell(&format!("ulimit -c 0; ulimit -f 1; {line}"));
    assert_eq!(run.code, None, "not ended: {}", run.stderr);
    assert!(old() == text && names().len() == 2, "{:?}", names());
    folder.shell(line).answer();
    assert!(old() != text);
}

/// Writes a picture of walls without holding it in memory.
#[cfg(target_os = "linux")]
fn write_walls(folder: &Folder, side: u32) {
    use std::io::Write;
    let file = std::fs::File::create(folder.path().join("walls.png")).expect("a file");
    let mut encoder = png::Encoder::new(file, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().expect("a header");
    let mut stream = writer.stream_writer().expect("a stream");
    for _ in 0..side {
        stream.write_all(&vec![0; side as usize]).expect("a row");
    }
    stream.finish().expect("a picture");
}

/// Maps are read or refused in 100 MB and within a few seconds, also in an unoptimised build.
#[cfg(target_os = "linux")]
#[test]
fn maps_are_read_or_refused_with_little_memory() {
    let folder = Folder::new("limits-memory");
    folder.write("deep.tmx", "<group>".repeat(2_000_000));
    folder.write("deep.tmj", "{\"layers\":[".repeat(100_000));
    let claim = "type octile\nheight 65535\nwidth 65535\nmap\n....";
    folder.write("claim.map", claim);
    let run = |line: &str, seconds: u32| {
        let limits = format!("ulimit -v 100000; ulimit -t {seconds}");
        folder.shell(&format!("{limits}; exec flowtiles {line}"))
    };
    for (line, part) in [
        ("check deep.tmx", "too deep"),
        ("graph deep.tmj", "the text cannot be parsed"),
        ("render claim.map -o out.png", "line 5, column 5: "),
        ("check /dev/zero", "the format of the map is unknown"),
        (
            "convert /dev/zero --from tmx out.flow",
            "more than 33554432 bytes",
        ),
    ] {
        let refused = run(line, 8);
        assert_eq!(refused.code, Some(2), "{line}: {}", refused.stderr);
        assert!(refused.stderr.contains(part), "{line}: {}", refused.stderr);
    }
    assert!(!folder.path().join("out.flow").exists());
    // A large picture that claims what it holds: its pixels exceed the memory.
    write_walls(&folder, 11_000);
    run("convert walls.png walls.flow", 60).answer();
}
