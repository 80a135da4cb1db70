//! Tiled maps: the rules, and drawn maps compared with an independent reader,
//! the crate `tiled`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use flowtiles::{Cell, CostMap};
use flowtiles_formats::{MapReader, read_tmj, read_tmx, write_tmj, write_tmx};

use crate::drawn::{self, Rng};

/// Returns the map that the crate `tiled` reads, by the rules of the
/// documentation.
fn oracle(text: &str) -> CostMap {
    use tiled::{LayerType, PropertyValue, TileLayer};
    let bytes = text.as_bytes().to_vec();
    let serve = move |_: &Path| Ok::<_, std::io::Error>(std::io::Cursor::new(bytes.clone()));
    let map = tiled::Loader::with_reader(serve)
        .load_tmx_map("map.tmx")
        .expect("a Tiled map");
    let cost = |properties: &tiled::Properties| {
        if properties.get("wall") == Some(&PropertyValue::BoolValue(true)) {
            return Some(255);
        }
        match properties.get("cost") {
            Some(PropertyValue::IntValue(cost)) => Some(*cost as u8),
            _ => None,
        }
    };
    let mut layers = Vec::new();
    let mut waiting: Vec<_> = map.layers().map(|layer| (layer, (0, 0))).collect();
    waiting.reverse();
    while let Some((layer, (x, y))) = waiting.pop() {
        // Drawn tiles have eight pixels a side.
        let cells = |pixels: f32| (pixels / 8.0) as i32;
        let moved = (x + cells(layer.offset_x), y + cells(layer.offset_y));
        match layer.layer_type() {
            LayerType::Group(group) => {
                let mut inner: Vec<_> = group.layers().map(|layer| (layer, moved)).collect();
                inner.reverse();
                waiting.extend(inner);
            }
            LayerType::Tiles(tiles) => layers.push((cost(&layer.properties), tiles, moved)),
            _ => {}
        }
    }
    let chunk = 16;
    let (mut left, mut top, mut width, mut height) = (0, 0, map.width as i32, map.height as i32);
    if map.infinite() {
        // Drawn maps have whole chunks.
        let mut corners = Vec::new();
        for (_, tiles, (x, y)) in &layers {
            if let TileLayer::Infinite(tiles) = tiles {
                let corner = |(at, _): ((i32, i32), _)| (at.0 * chunk + x, at.1 * chunk + y);
                corners.extend(tiles.chunks().map(corner));
            }
        }
        left = corners.iter().map(|at| at.0).min().expect("a chunk");
        top = corners.iter().map(|at| at.1).min().expect("a chunk");
        width = corners.iter().map(|at| at.0).max().expect("a chunk") + chunk - left;
        height = corners.iter().map(|at| at.1).max().expect("a chunk") + chunk - top;
    }
    let mut rows = Vec::new();
    for y in top..top + height {
        for x in left..left + width {
            let mut laid = 1;
            for (of_layer, tiles, (right, down)) in &layers {
                let (x, y) = (x - right, y - down);
                let tile = match tiles {
                    TileLayer::Finite(tiles) => tiles.get_tile(x, y),
                    TileLayer::Infinite(tiles) => tiles.get_tile(x, y),
                };
                let Some(tile) = tile else { continue };
                let of_tile = tile.get_tile().and_then(|tile| cost(&tile.properties));
                laid = of_tile.or(*of_layer).unwrap_or(laid);
            }
            rows.push(laid);
        }
    }
    CostMap::from_rows(width as u32, height as u32, &rows).expect("a map")
}

/// Returns tiles as text in one of the encodings.
fn encoded(numbers: &[u32], encoding: usize) -> String {
    let bytes: Vec<u8> = numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    match encoding {
        0 => {
            let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
            format!("\n{}\n", numbers.join(","))
        }
        1 => STANDARD.encode(bytes),
        2 => {
            let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
            packer.write_all(&bytes).expect("memory");
            format!(
                "\n   {}\n  ",
                STANDARD.encode(packer.finish().expect("memory"))
            )
        }
        _ => {
            let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
            packer.write_all(&bytes).expect("memory");
            STANDARD.encode(packer.finish().expect("memory"))
        }
    }
}

const ENCODINGS: [&str; 4] = [
    "encoding=\"csv\"",
    "encoding=\"base64\"",
    "encoding=\"base64\" compression=\"zlib\"",
    "encoding=\"base64\" compression=\"gzip\"",
];

const TILESETS: &str = r#"
 <tileset firstgid="1" name="ground" tilewidth="8" tileheight="8" tilecount="4" columns="0">
  <tile id="0"><properties><property name="cost" type="int" value="7"/></properties></tile>
  <tile id="2"><properties><property name="wall" type="bool" value="true"/></properties></tile>
  <tile id="3"><properties><property name="wall" type="bool" value="false"/>
   <property name="cost" type="int" value="254"/></properties></tile>
 </tileset>
 <tileset firstgid="10" name="trees" tilewidth="8" tileheight="8" tilecount="3" columns="0">
  <tile id="1"><properties><property name="cost" type="int" value="40"/></properties></tile>
 </tileset>"#;

const GIDS: [u32; 9] = [0, 1, 2, 3, 4, 10, 11, 12, 0x8000_0003];

/// Draws a layer of a map.
fn drawn_layer(rng: &mut Rng, size: (usize, usize), is_infinite: bool) -> String {
    let encoding = rng.index(4);
    let mut tiles = |count: usize| -> String {
        let numbers: Vec<u32> = (0..count).map(|_| GIDS[rng.index(GIDS.len())]).collect();
        encoded(&numbers, encoding)
    };
    let data = if is_infinite {
        let corners = [(-16, 0), (0, 0), (16, -32)];
        let chunks = corners.map(|(x, y)| {
            let tiles = tiles(256);
            format!("<chunk x=\"{x}\" y=\"{y}\" width=\"16\" height=\"16\">{tiles}</chunk>")
        });
        chunks.join("\n")
    } else {
        tiles(size.0 * size.1)
    };
    // A moved layer of fixed size would lose tiles over the edge.
    let offset = match rng.index(2) {
        1 if is_infinite => " offsetx=\"-24\" offsety=\"8.0\"",
        _ => "",
    };
    let rule = [
        "",
        "cost\" type=\"int\" value=\"90",
        "wall\" type=\"bool\" value=\"true",
    ];
    let rule = match rule[rng.index(3)] {
        "" => String::new(),
        rule => format!("<properties><property name=\"{rule}\"/></properties>"),
    };
    format!(
        "<layer id=\"1\" name=\"l\" width=\"{}\" height=\"{}\"{offset}>{rule}<data {}>{data}</data>\
         </layer>",
        size.0, size.1, ENCODINGS[encoding]
    )
}

fn document(size: (usize, usize), is_infinite: bool, layers: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" \
         orientation=\"orthogonal\" width=\"{}\" height=\"{}\" tilewidth=\"8\" tileheight=\"8\" \
         infinite=\"{}\">{TILESETS}{layers}</map>",
        size.0,
        size.1,
        u8::from(is_infinite)
    )
}

#[test]
fn drawn_maps_are_read_as_another_reader_reads_them() {
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let is_infinite = rng.index(3) == 0;
        let size = (1 + rng.index(40), 1 + rng.index(40));
        let mut layers = String::new();
        for _ in 0..=rng.index(4) {
            let layer = drawn_layer(&mut rng, size, is_infinite);
            layers += &match rng.index(3) {
                0 if is_infinite => {
                    format!("<group id=\"9\" name=\"g\" offsetx=\"16\">{layer}</group>")
                }
                0 => format!("<group id=\"9\" name=\"g\">{layer}</group>"),
                _ => layer,
            };
        }
        let text = document(size, is_infinite, &layers);
        let map = read_tmx(text.as_bytes(), None).expect("a map");
        assert_eq!(map.costs, oracle(&text), "seed {seed}");
    }
}

#[test]
fn the_other_reader_reads_what_is_written() {
    for seed in 0..40 {
        let map = drawn::map(seed, 20);
        assert_eq!(
            oracle(&write_tmx(&map).expect("not too large")),
            map,
            "seed {seed}"
        );
        let json = write_tmj(&map).expect("not too large");
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let tiles = json["layers"][0]["data"].as_array().map_or(0, Vec::len);
        assert_eq!(tiles, (map.width() * map.height()) as usize);
    }
}

/// Returns the rows of a map of 3×1 cells.
fn rows(layers: &str) -> Vec<u8> {
    let text = document((3, 1), false, layers);
    let map = read_tmx(text.as_bytes(), None).expect("a map");
    map.costs.to_rows()
}

fn csv_layer(properties: &str, numbers: &str) -> String {
    format!(
        "<layer name=\"l\" width=\"3\" height=\"1\"><properties>{properties}</properties>\
         <data encoding=\"csv\">{numbers}</data></layer>"
    )
}

#[test]
fn later_layers_lie_on_top_and_tiles_go_before_layers() {
    let cost = |cost| format!("<property name=\"cost\" type=\"int\" value=\"{cost}\"/>");
    let ground = csv_layer("", "1,1,2");
    assert_eq!(rows(&ground), [7, 7, 1]);
    let blocked = "<property name=\"blocked\" type=\"bool\" value=\"true\"/>";
    assert_eq!(rows(&csv_layer(blocked, "1,2,0")), [7, 255, 1]);
    assert_eq!(
        rows(&(ground.clone() + &csv_layer("", "0,3,11"))),
        [7, 255, 40]
    );
    let layer = csv_layer(&cost(9), "2,0,4");
    assert_eq!(rows(&(ground.clone() + &layer)), [9, 7, 254]);
    let ignored = csv_layer(
        "<property name=\"ignore\" type=\"bool\" value=\"true\"/>",
        "3,3,3",
    );
    assert_eq!(rows(&(ground.clone() + &ignored)), [7, 7, 1]);
    let in_xml = "<layer name=\"l\" width=\"3\" height=\"1\"><data><tile gid=\"3\"/><tile/>\
                  <tile gid=\"1\"/></data></layer>";
    assert_eq!(rows(&(ground + in_xml)), [255, 7, 7]);
}

/// Returns a layer with these offsets in pixels.
fn moved(offset: &str, numbers: &str) -> String {
    csv_layer("", numbers).replace("<layer ", &format!("<layer {offset} "))
}

#[test]
fn layers_that_are_moved_by_whole_tiles_lie_there() {
    assert_eq!(rows(&moved("offsetx=\"8\"", "1,3,0")), [1, 7, 255]);
    assert_eq!(rows(&moved("offsetx=\"-16.0\"", "0,2,3")), [255, 1, 1]);
    // Tile 2 has no cost, so nothing is lost over the edge.
    assert_eq!(rows(&moved("offsety=\"8\"", "2,2,2")), [1, 1, 1]);
    let group = moved("offsetx=\"4\"", "1,3,0");
    let group = format!("<group offsetx=\"4\">{group}</group>");
    assert_eq!(rows(&group), [1, 7, 255]);
    let ground =
        "<layer name=\"g\" width=\"3\" height=\"1\"><data encoding=\"csv\">1,1,1</data></layer>";
    let ignored = "<property name=\"ignore\" type=\"bool\" value=\"true\"/>";
    let ignored = csv_layer(ignored, "3,3,3").replace("<layer ", "<layer offsetx=\"5\" ");
    assert_eq!(rows(&format!("{ground}{ignored}")), [7, 7, 7]);
    let text = document((3, 1), false, &csv_layer("", "1,1,1"));
    let objects = "<objectgroup name=\"spawn\" offsetx=\"3\" offsety=\"-1\">\
                   <object x=\"6\" y=\"0.5\"/></objectgroup></map>";
    let map = read_tmx(text.replace("</map>", objects).as_bytes(), None).expect("a map");
    assert_eq!(map.spawns, [Cell::new(1, -1)]);
}

#[test]
fn a_text_that_is_cut_off_is_reported_at_its_end() {
    let map = drawn::map(5, 8);
    let written = [
        write_tmx(&map).expect("not too large"),
        write_tmj(&map).expect("not too large"),
    ];
    for (at, text) in written.iter().enumerate() {
        for length in (100..text.trim_end().len()).step_by(7) {
            let cut = &text[..length];
            let read = if at == 0 { read_tmx } else { read_tmj };
            let error = read(cut.as_bytes(), None).expect_err("cut off");
            let line = cut.lines().count() + usize::from(cut.ends_with('\n'));
            let told = error.to_string();
            assert!(
                told.starts_with(&format!("line {line}, column ")),
                "{told}, not {line}"
            );
            assert!(
                told.contains("the text ends here, before the map does"),
                "{told}"
            );
        }
    }
}

#[test]
fn objects_in_layers_called_spawn_are_spawn_points() {
    let objects = "<objectgroup name=\"Spawn\"><object id=\"1\" x=\"17\" y=\"3\"><point/></object>\
        <object id=\"2\" x=\"0\" y=\"0\" width=\"8\" height=\"8\"/>\
        <object id=\"3\" gid=\"1\" x=\"8\" y=\"8\" width=\"8\" height=\"8\"/>\
        <object id=\"4\" x=\"-1\" y=\"80\"/></objectgroup>\
        <objectgroup name=\"other\"><object id=\"5\" x=\"0\" y=\"0\"/></objectgroup>";
    let text = document((3, 1), false, &(csv_layer("", "1,1,1") + objects));
    let map = read_tmx(text.as_bytes(), None).expect("a map");
    let cells = [(2, 0), (0, 0), (1, 0), (-1, 10)].map(|(x, y)| Cell::new(x, y));
    assert_eq!(map.spawns, cells);
}

#[test]
fn spawn_point_too_far_away_is_always_refused() {
    let chunk = "<layer id=\"2\" name=\"l\" width=\"1\" height=\"1\"><data encoding=\"csv\">\
        <chunk x=\"-16\" y=\"0\" width=\"1\" height=\"1\">1</chunk></data></layer>";
    let spawn = |x| {
        let spawn =
            format!("<objectgroup name=\"spawn\"><object x=\"{x}\" y=\"4\"/></objectgroup>");
        let text = document((1, 1), true, &(chunk.to_owned() + &spawn));
        read_tmx(text.as_bytes(), None).map(|map| map.spawns)
    };
    assert_eq!(spawn("-130"), Ok(vec![Cell::new(-1, 0)]));
    for far in ["1e30", "-1e30", "1e300", "inf", "NaN"] {
        let told = spawn(far).expect_err("too far away").to_string();
        assert!(told.starts_with("layer `spawn`: "), "{told}");
    }
}

#[test]
fn json_holds_what_xml_holds() {
    let text = r#"{"type":"map","orientation":"orthogonal","width":3,"height":2,
      "tilewidth":8,"tileheight":8,"infinite":false,
      "tilesets":[{"firstgid":1,"name":"a","tilecount":3,"tiles":[
        {"id":0,"properties":[{"name":"cost","type":"int","value":7},
          {"name":"other","type":"class","value":{"a":[1.5,null,{}]}}]},
        {"id":1,"properties":[{"name":"wall","type":"bool","value":true}]}]}],
      "layers":[{"type":"group","name":"g","layers":[
        {"type":"tilelayer","name":"one","width":3,"height":2,"data":[1,2,3,0,1,2]}]},
        {"type":"imagelayer","name":"sky","image":"x.png"},
        {"type":"tilelayer","name":"two","width":3,"height":2,"encoding":"base64",
          "compression":"","data":"AwAAAAAAAAAAAAAAAAAAAAAAAAABAAAA",
          "properties":[{"name":"cost","type":"int","value":50}]},
        {"type":"objectgroup","name":"spawn","objects":[{"x":20,"y":9,"point":true}]}]}"#;
    let map = read_tmj(text.as_bytes(), None).expect("a map");
    assert_eq!(map.costs.to_rows(), [50, 255, 1, 1, 7, 7]);
    assert_eq!(map.spawns, [Cell::new(2, 1)]);
}

/// Checks that a map is refused with these words in the error.
fn refused(text: &str, told: &str) {
    let error = read_tmx(text.as_bytes(), None).expect_err(told).to_string();
    assert!(error.contains(told), "{error}, not {told}");
}

#[test]
fn claimed_sizes_are_refused_before_allocation() {
    let layer = csv_layer("", "1,0,1");
    for size in [(65_535, 65_535), (u32::MAX as usize, 1)] {
        refused(&document(size, false, &layer), "over the limit of");
    }
    for encoding in [2, 3] {
        let zeros = encoded(&vec![0; 16 << 20], encoding);
        let packed = layer.replace("1,0,1", &zeros);
        let packed = packed.replace(ENCODINGS[0], ENCODINGS[encoding]);
        let told = "there are more than the 3 tiles of its size";
        refused(&document((3, 1), false, &packed), told);
    }
    let chunk = |x: i32, width: u32, height: u32| {
        format!("<chunk x=\"{x}\" y=\"0\" width=\"{width}\" height=\"{height}\">1</chunk>")
    };
    let apart = chunk(i32::MIN, 1, 4) + &chunk(i32::MAX, u32::MAX, 4);
    // The same cells again and again: each piece is small, but their sum is not.
    let many = chunk(0, 4000, 4000).repeat(5);
    for (chunks, told) in [
        (chunk(0, u32::MAX, 4), "over the limit of"),
        (apart, "over the limit of"),
        (String::new(), "has no cells"),
        (many, "the layers up to here have more than 67108864 cells"),
    ] {
        let layer = layer.replace("1,0,1", &chunks);
        refused(&document((1, 1), true, &layer), told);
    }
    let large = " ".repeat((32 << 20) + 1);
    refused(&large, "up to here there are more than 33554432");
}

#[test]
fn entities_and_depth_are_refused() {
    let entities = "<!DOCTYPE map [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">\
                    <!ENTITY c SYSTEM \"file:///etc/passwd\">]><map>&b;&c;</map>";
    refused(entities, "remove <!DOCTYPE …>");
    let nested = "elements are nested too deeply or are too many";
    for (begin, end, times) in [
        ("<group>", "</group>", 66),
        ("<group>", "</group>", 200_000),
        ("<group>", "", 2_000_000),
        ("<layer/>", "", 600_000),
        ("<a b='=========='/>", "", 1 << 17),
    ] {
        let layers = begin.repeat(times) + &end.repeat(times);
        refused(&document((1, 1), false, &layers), nested);
    }
    let many = |name: &str, count: usize| {
        let all = (0..count).map(|at| format!(" {name}{at}='x'"));
        format!("<a{}/>", all.collect::<String>())
    };
    refused(&many("a", 257), nested);
    refused(&many("xmlns:b", 65), nested);
    for (deep, told) in [
        ("[".repeat(1 << 20), ""),
        ("{\"layers\":[".repeat(1000), ""),
        (
            format!("{{\"layers\":[{}]}}", "{},".repeat(1 << 19)),
            nested,
        ),
    ] {
        let error = read_tmj(deep.as_bytes(), None).expect_err("too many");
        assert!(error.what.starts_with(told), "{error}");
    }
}

/// Returns a folder with a map that refers to its tileset by this name.
fn folder(test: &str, source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tiled-{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("maps/sets")).expect("a folder");
    let begin = TILESETS
        .find("<tileset firstgid=\"1\"")
        .expect("the first set");
    let end = TILESETS.find("</tileset>").expect("its end") + "</tileset>".len();
    let set = &TILESETS[begin..end];
    for path in ["outside.tsx", "maps/here.tsx", "maps/sets/deep.tsx"] {
        fs::write(folder.join(path), set).expect("a tileset");
    }
    let json = r#"{"name":"j","tiles":[{"id":0,"properties":[{"name":"cost","value":7}]}]}"#;
    fs::write(folder.join("maps/here.tsj"), json).expect("a tileset");
    let text = document((3, 1), false, &csv_layer("", "1,0,1"));
    let named = format!("<tileset firstgid=\"1\" source=\"{source}\"/>");
    fs::write(folder.join("maps/map.tmx"), text.replace(set, &named)).expect("a map");
    folder.join("maps/map.tmx")
}

#[test]
fn tilesets_are_read_from_the_map_s_folder_only() {
    for (test, source) in [
        ("here", "here.tsx"),
        ("deep", "./sets/deep.tsx"),
        ("json", "here.tsj"),
    ] {
        let path = folder(test, source);
        let loaded = MapReader::new().read_file(&path).expect("a map");
        assert_eq!(loaded.costs.to_rows(), [7, 1, 7]);
        let bytes = fs::read(path).expect("a map");
        let error = read_tmx(&bytes, None).expect_err("no folder");
        assert!(error.to_string().contains("embed it"), "{error}");
    }
    let absolute = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tiled-up/outside.tsx");
    let absolute = absolute.to_str().expect("a path in UTF-8");
    let escapes = [
        "../outside.tsx",
        "sets/../../outside.tsx",
        absolute,
        "C:here.tsx",
        "..\\outside.tsx",
    ];
    for source in escapes {
        let path = folder("up", source);
        let error = MapReader::new().read_file(&path).expect_err("outside");
        assert!(
            error.to_string().contains("outside the folder"),
            "{source}: {error}"
        );
    }
    for source in ["none.tsx", "sets", ""] {
        let error = MapReader::new()
            .read_file(&folder("none", source))
            .expect_err("no file");
        assert!(error.to_string().contains("embed it"), "{source}: {error}");
    }
}

#[test]
fn tilesets_in_files_have_one_limit_together() {
    let path = folder("large", "here.tsx");
    let set = path.with_file_name("here.tsx");
    let mut bytes = fs::read(&set).expect("a tileset");
    bytes.resize(12 << 20, b' ');
    fs::write(set, bytes).expect("a tileset");
    let text = fs::read_to_string(&path).expect("a map");
    let named = "<tileset firstgid=\"1\" source=\"here.tsx\"/>";
    for (times, is_read) in [(2, true), (3, false)] {
        fs::write(&path, text.replace(named, &named.repeat(times))).expect("a map");
        let read = MapReader::new().read_file(&path);
        let told = read
            .as_ref()
            .map_or_else(ToString::to_string, |_| String::new());
        assert_eq!(read.is_ok(), is_read, "{told}");
        assert!(is_read || told.contains("33554432 bytes"), "{told}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_not_followed() {
    let path = folder("link", "link.tsx");
    let link = path.with_file_name("link.tsx");
    std::os::unix::fs::symlink("../outside.tsx", link).expect("a link");
    let error = MapReader::new().read_file(&path).expect_err("outside");
    assert!(
        error.to_string().contains("not a file in the folder"),
        "{error}"
    );
}
