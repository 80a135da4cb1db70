//! Files that claim more than they hold are refused with little work and memory.

#[path = "../../../../tests/chunks/mod.rs"]
mod chunks;

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chunks::chunk;

use crate::command::{Folder, Run};

/// Kilobytes of address space.
const MEMORY: u32 = 100_000;

/// Runs a command within this memory and this many seconds of processor time.
fn run_small(folder: &Folder, line: &str, seconds: u32) -> Run {
    folder.run_after(&format!("ulimit -v {MEMORY}; ulimit -t {seconds}"), line)
}

/// Expects a refusal that contains `part`, within a few seconds of an unoptimised build.
fn refused(folder: &Folder, line: &str, part: &str) {
    let Run { code, stderr, .. } = run_small(folder, line, 8);
    assert_eq!(code, Some(2), "{line}: {stderr}");
    assert!(stderr.contains(part), "{line}: no `{part}` in {stderr}");
}

/// Writes a picture of walls without holding it in memory.
fn write_walls(folder: &Folder, name: &str, side: u32) {
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

/// Returns a grey picture that claims a size, with these packed pixels.
fn picture(width: u32, height: u32, packed: &[u8]) -> Vec<u8> {
    let (width, height) = (width.to_be_bytes(), height.to_be_bytes());
    let head = [&width[..], &height, &[8, 0, 0, 0, 0]].concat();
    [
        &b"\x89PNG\r\n\x1a\n"[..],
        &chunk(b"IHDR", &head),
        &chunk(b"IDAT", packed),
        &chunk(b"IEND", b""),
    ]
    .concat()
}

/// Returns the packed pixels of a picture.
fn pixels_of(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut at = 8;
    while let Some(head) = bytes.get(at..at + 8) {
        let (length, kind) = head.split_at(4);
        let length = u32::from_be_bytes(length.try_into().expect("four bytes")) as usize;
        if kind == b"IDAT" {
            packed.extend_from_slice(&bytes[at + 8..at + 8 + length]);
        }
        at += length + 12;
    }
    packed
}

fn tmx(width: u32, height: u32, encoding: &str, data: &str) -> String {
    format!(
        "<map orientation=\"orthogonal\" width=\"{width}\" height=\"{height}\" tilewidth=\"8\" \
         tileheight=\"8\"><tileset firstgid=\"1\" tilecount=\"4294967295\" name=\"t\">\
         <tile id=\"0\"><properties><property name=\"cost\" value=\"1\"/></properties></tile>\
         </tileset><layer name=\"l\" width=\"{width}\" height=\"{height}\"><data {encoding}>{data}\
         </data></layer></map>"
    )
}

/// A folder of such files. `walls.png` is valid, and its pixels exceed the
/// memory.
fn folder() -> Folder {
    let folder = Folder::new("hostile");
    write_walls(&folder, "walls.png", 11_000);
    let walls = std::fs::read(folder.path().join("walls.png")).expect("a picture");
    let bomb = pixels_of(&walls);
    assert!(bomb.len() < 1_000_000, "121 MB when unpacked");
    folder.write("claim.png", picture(31_623, 31_623, &bomb));
    folder.write("rows.png", picture(16_384, 16_384, b"\x78\x9c\x03\x00"));
    folder.write("bomb.png", picture(10, 10, &bomb));
    let packed = STANDARD.encode(&bomb);
    let zlib = "encoding=\"base64\" compression=\"zlib\"";
    folder.write("bomb.tmx", tmx(10, 10, zlib, &packed));
    folder.write("claim.tmx", tmx(65_535, 65_535, zlib, &packed));
    folder.write("short.tmx", tmx(4096, 4096, "encoding=\"csv\"", "1,1"));
    folder.write("deep.tmx", "<group>".repeat(2_000_000));
    folder.write("deep.tmj", "{\"layers\":[".repeat(100_000));
    folder.write(
        "claim.map",
        "type octile\nheight 65535\nwidth 65535\nmap\n....",
    );
    folder.write("small.txt", "..#\n...\n");
    folder.run(&["convert", "small.txt", "cut.tmx"]).answer();
    let whole = std::fs::read(folder.path().join("cut.tmx")).expect("a map");
    folder.write("cut.tmx", &whole[..whole.len() / 2]);
    folder.run(&["convert", "small.txt", "claim.flow"]).answer();
    let mut flow = std::fs::read(folder.path().join("claim.flow")).expect("a map");
    flow[12..20].copy_from_slice(&(u64::MAX / 2).to_le_bytes());
    folder.write("claim.flow", &flow);
    folder
}

#[test]
fn pictures_and_maps_are_read_or_refused_in_100_mb() {
    let folder = folder();
    for (map, part) in [
        ("claim.png", "over the limit of 268435456 cells"),
        ("rows.png", "row 0: "),
        ("bomb.png", "the pixel data go on after the last row"),
        ("bomb.tmx", "more than the 100 tiles"),
        ("claim.tmx", "over the limit of 16777216 cells"),
        ("short.tmx", "there are 2 of the 16777216 tiles"),
        ("deep.tmx", "too deep"),
        ("deep.tmj", "line 1, column 704: the text cannot be parsed"),
        ("claim.map", "line 5, column 5: "),
        ("cut.tmx", "the text ends here"),
        ("claim.flow", "it was cut off or added to"),
        ("/dev/zero", "the format of the map is unknown"),
    ] {
        refused(&folder, &format!("check {map}"), part);
    }
    // The other commands read maps as `check` does.
    for line in ["graph", "convert out.flow", "render -o out.png"] {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        refused(
            &folder,
            &format!("{command} bomb.png {rest}"),
            "after the last row",
        );
    }
    let endless = "convert /dev/zero --from tmx out.flow";
    refused(&folder, endless, "more than 33554432 bytes");
    assert!(!folder.path().join("out.flow").exists());

    // A large picture that claims what it holds.
    let Run { code, stderr, .. } = run_small(&folder, "convert walls.png walls.flow", 60);
    assert_eq!(code, Some(0), "{stderr}");
}
