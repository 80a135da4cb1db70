//! `flowtiles convert`: from any format to any, and what is refused.

mod command;

use command::Folder;

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
            folder.run(&["convert", &second, "back.txt"]).answer();
            let back = std::fs::read_to_string(folder.path().join("back.txt"));
            assert_eq!(back.expect("a text"), ROWS, "{from} to {to}");
        }
        // Every command takes every format.
        let graph = folder.run(&["graph", &first]).answer();
        assert!(graph.starts_with("map 5×3 cells"), "{graph}");
        let order = ["show", &first, "--from", "0,0", "--goal", "4,2"];
        assert!(folder.run(&order).answer().contains("way: "));
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

/// Runs a command that may have no more than 100 MB of address space.
#[cfg(target_os = "linux")]
fn run_small(folder: &Folder, line: &str) -> (Option<i32>, String) {
    let program = env!("CARGO_BIN_EXE_flowtiles");
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("ulimit -v 100000; exec {program} {line}")])
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), told)
}

/// Writes a picture of walls without ever having it in memory.
#[cfg(target_os = "linux")]
fn write_walls(folder: &Folder, name: &str, side: u32) {
    use std::io::Write;
    let file = std::fs::File::create(folder.path().join(name)).expect("a file");
    let mut encoder = png::Encoder::new(file, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().expect("a header");
    let mut stream = writer.stream_writer().expect("a stream");
    let row = vec![0; side as usize];
    for _ in 0..side {
        stream.write_all(&row).expect("a row");
    }
    stream.finish().expect("a picture");
}

#[cfg(target_os = "linux")]
#[test]
fn large_claims_are_answered_in_little_memory() {
    let folder = Folder::new("convert-claims");
    // A picture that is larger unpacked than all the memory there is.
    write_walls(&folder, "walls.png", 11_000);
    let (code, told) = run_small(&folder, "convert walls.png walls.flow");
    assert_eq!(code, Some(0), "{told}");
    // A header of 10⁹ pixels.
    let mut bytes = std::fs::read(folder.path().join("walls.png")).expect("a picture");
    bytes[16..24].copy_from_slice(&[0, 0, 0x7B, 0x87, 0, 0, 0x7B, 0x87]);
    let sum = crc(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&sum.to_be_bytes());
    folder.write("claim.png", bytes);
    let huge = "width=\"65535\" height=\"65535\"";
    folder.write(
        "claim.tmx",
        format!(
            "<map orientation=\"orthogonal\" {huge} tilewidth=\"1\" tileheight=\"1\"><tileset \
             firstgid=\"1\" tilecount=\"4294967295\"/><layer {huge}><data encoding=\"csv\">1</data>\
             </layer></map>"
        ),
    );
    folder.write(
        "claim.map",
        "type octile\nheight 65535\nwidth 65535\nmap\n....",
    );
    folder.write("deep.tmj", "{\"layers\":[".repeat(100_000));
    for (name, part) in [
        ("claim.png", "over the limit of 268435456 cells"),
        ("claim.tmx", "over the limit of 16777216 cells"),
        ("claim.map", "line 5, column 5"),
        ("deep.tmj", "line 1, column 704: the text cannot be parsed"),
        ("/dev/zero", "the format of the map cannot be told"),
        ("/dev/zero --from tmx", "more than 33554432 bytes"),
    ] {
        let (code, told) = run_small(&folder, &format!("convert {name} out.flow"));
        assert_eq!(code, Some(2), "{name}: {told}");
        assert!(told.contains(part), "{name}: {told}");
    }
}

/// The checksum of a chunk.
#[cfg(target_os = "linux")]
fn crc(bytes: &[u8]) -> u32 {
    let mut crc = !0_u32;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            let low = crc & 1;
            crc = (crc >> 1) ^ (0xEDB8_8320 * low);
        }
    }
    !crc
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
