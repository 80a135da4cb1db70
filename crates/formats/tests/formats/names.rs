//! What the names in maps and files say.

use std::path::Path;

use flowtiles::Cost;
use flowtiles_formats::{Format, Names};

#[test]
fn names_and_bytes_show_formats() {
    for format in Format::ALL {
        let name = format!("a.b.{format}");
        assert_eq!(Format::of_path(Path::new(&name)), Some(format));
    }
    assert_eq!(Format::of_path(Path::new("x.json")), Some(Format::Tmj));
    let shown: [(&[u8], Option<Format>); 10] = [
        (b"type octile\nheight 1\n", Some(Format::MovingAi)),
        (b"..#\n", Some(Format::Text)),
        (b"flowtiles map\nhex\n", Some(Format::Text)),
        (b"FLOWCOST....", Some(Format::Flow)),
        (b"\x89PNG\r\n\x1a\n", Some(Format::Png)),
        (b"\xef\xbb\xbf\n <map>", Some(Format::Tmx)),
        (b"{}", Some(Format::Tmj)),
        (b"{ \"__header__\": {}", Some(Format::Ldtk)),
        (b"", None),
        (b"\xff\xfe", None),
    ];
    for (bytes, format) in shown {
        assert_eq!(Format::of_bytes(bytes), format, "{bytes:?}");
    }
}

#[test]
fn the_usual_names_are_found_as_people_write_them() {
    for (name, cost) in [
        ("Deep Water", 255),
        ("GRASS", 1),
        ("sand", 2),
        ("FoRest", 3),
        ("walls", 255),
        ("high-road", 0),
    ] {
        let found = Names::usual().cost(name).map_or(0, Cost::value);
        assert_eq!(found, cost, "{name}");
        assert_eq!(Names::empty().cost(name), None);
    }
    let short = ["S", "-", "_", " ", ""];
    let names = (1..)
        .zip(short)
        .fold(Names::empty(), |names, (cost, name)| {
            names.with(name, Cost::new(cost).unwrap())
        });
    let costs = short.map(|name| names.cost(name).map(Cost::value));
    assert_eq!(costs, [1, 2, 3, 4, 5].map(Some));
    assert_eq!(names.cost("s"), names.cost("S"));
    let own = Names::usual().with("Water", Cost::OPEN);
    assert_eq!(own.cost("water"), Some(Cost::OPEN), "one's own go first");
}
