//! `flowtiles render` and `steps`: their files.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use crate::command::{DOOR_MAP, Folder};

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("door.map", DOOR_MAP);
    folder
}

const WALL: [u8; 3] = [88, 86, 92];
const OPEN: [u8; 3] = [140, 168, 98];
const PAPER: [u8; 3] = [248, 247, 243];

/// The pixels of a PNG file, as red, green, blue and opacity.
struct Pixels {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    fn of(folder: &Folder, name: &str) -> Self {
        let file = File::open(folder.path().join(name)).unwrap();
        Self::read(BufReader::new(file))
    }

    fn read(from: impl std::io::BufRead + std::io::Seek) -> Self {
        let mut decoder = png::Decoder::new(from);
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgba);
        Self {
            width: info.width as usize,
            height: info.height as usize,
            bytes,
        }
    }

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let first = (y * self.width + x) * 4;
        [
            self.bytes[first],
            self.bytes[first + 1],
            self.bytes[first + 2],
        ]
    }

    /// Returns where the map begins: inside the frame around it.
    fn corner(&self) -> [usize; 2] {
        let frame = [99, 104, 115];
        let is_edge = |x: usize, y: usize| (x..x + 8).all(|x| self.at(x, y) == frame);
        let columns = 0..self.width - 8;
        let mut pixels = (0..self.height).flat_map(|y| columns.clone().map(move |x| (x, y)));
        let (x, y) = pixels.find(|&(x, y)| is_edge(x, y)).expect("a map");
        [x + 1, y + 1]
    }
}

#[test]
fn a_png_shows_walls_ground_and_arrows_where_they_are() {
    let folder = folder("render-png");
    let draw = |layers: &str| {
        let line =
            format!("render door.map --from 0,0 --goal 13,2 --layers {layers} --scale 20 -o p.png");
        let answer = folder.run(&line.split(' ').collect::<Vec<_>>()).answer();
        assert!(answer.starts_with("p.png: door.map, 14×4 cells, view 14×4 at 0,0, 20 px a cell"));
        Pixels::of(&folder, "p.png")
    };
    let [bare, arrows] = ["cost", "cost,flow"].map(draw);
    let [left, top] = bare.corner();
    // The shaft of an arrow goes through the middle of its cell.
    let middle = |pixels: &Pixels, x: usize, y: usize| {
        let four = [(9, 9), (10, 9), (9, 10), (10, 10)];
        let four = four.map(|(dx, dy)| pixels.at(left + x * 20 + dx, top + y * 20 + dy));
        four.into_iter().max().unwrap()
    };
    let is_light = |colour: [u8; 3]| colour.iter().all(|band| *band > 200);
    let rows: Vec<&[u8]> = DOOR_MAP.lines().skip(4).map(str::as_bytes).collect();
    for (y, row) in rows.iter().enumerate() {
        for (x, &letter) in row.iter().enumerate() {
            let is_wall = |x: usize, y: usize| rows[y][x] == b'@';
            let is_shaded = x > 0 && y > 0 && is_wall(x - 1, y - 1);
            match letter {
                b'@' => assert_eq!([&bare, &arrows].map(|one| middle(one, x, y)), [WALL; 2]),
                b'.' => assert_eq!(middle(&bare, x, y) == OPEN, !is_shaded, "{x},{y}"),
                _ => assert!(![WALL, OPEN].contains(&middle(&bare, x, y)), "{x},{y}"),
            }
            let is_led = letter != b'@' && (x, y) != (13, 2);
            assert_eq!(is_light(middle(&arrows, x, y)), is_led, "{x},{y}");
        }
    }
    // The arrow of the door points east: it is wider on the east side.
    let (px, py) = (left + 8 * 20, top + 2 * 20);
    let light = |x: usize| {
        let rows = py..py + 20;
        rows.filter(|&y| is_light(arrows.at(px + x, y))).count()
    };
    assert!(light(12) > light(5), "{} {}", light(12), light(5));
    assert_eq!(light(1), 0);
}

#[test]
fn small_cells_have_no_arrows_and_blocks_one_colour() {
    let folder = folder("render-small");
    let draw = |scale: &str| {
        let line = [
            "render",
            "door.map",
            "--from",
            "0,0",
            "--goal",
            "13,2",
            "--layers",
            "cost,flow",
            "--scale",
            scale,
            "-o",
            "p.png",
        ];
        folder.run(&line).answer();
        let pixels = Pixels::of(&folder, "p.png");
        let [left, top] = pixels.corner();
        (pixels, left, top)
    };
    let (pixels, left, top) = draw("1");
    let inks = (0..14).flat_map(|x| (0..4).map(move |y| (x, y)));
    assert!(
        inks.clone()
            .all(|(x, y)| pixels.at(left + x, top + y) != [255; 3])
    );
    assert_eq!(pixels.at(left + 11, top), WALL);
    assert_eq!(pixels.at(left + 11, top + 2), OPEN);
    // 14×4 cells are 7×2 blocks; no block is entirely wall.
    let (pixels, left, top) = draw("1/2");
    assert_ne!(pixels.at(left + 5, top), WALL);
    assert_ne!(pixels.at(left + 5, top), OPEN);
}

#[test]
fn an_svg_of_a_small_map() {
    let folder = folder("render-svg");
    let line = "render door.map --layers cost,portals,sectors --scale 10 -o p.svg";
    let arguments: Vec<&str> = line.split(' ').collect();
    folder.run(&arguments).answer();
    let text = fs::read_to_string(folder.path().join("p.svg")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"360\" height=\"142\" \
         viewBox=\"0 0 360 142\">"
    );
    assert_eq!(lines.last(), Some(&"</svg>"));
    // Runs of open ground and of harder ground, and then walls, row by row.
    let ground = [
        "<path d=\"M40 46h40v10H40z\" fill=\"#8ca862\"/>",
        "<path d=\"M80 46h10v10H80z\" fill=\"#b6b36f\"/>",
        "<path d=\"M90 76h60v10H90zM160 76h20v10H160z\" fill=\"#8ca862\"/>",
        "<path d=\"M150 46h10v10H150zM150 56h10v10H150zM150 76h10v10H150z\" fill=\"#58565c\"/>",
        // The border between the sectors, and the one window in it.
        "<path d=\"M140 46L140 86\" stroke=\"#100e12\" stroke-opacity=\"0.17\" \
         stroke-width=\"1\" stroke-linecap=\"round\"/>",
        "<path d=\"M138 48h4v36H138z\" fill=\"#5cedf5\"/>",
    ];
    for part in ground {
        assert!(lines.contains(&part), "no {part} in {text}");
    }
    let words = [
        "door.map, 14×4 cells",
        "open ground, cost 1",
        "here up to 3",
        "wall",
        "portals",
    ];
    for part in words {
        assert!(text.contains(part), "no {part} in {text}");
    }
    let again = folder.run(&arguments).answer();
    assert!(again.contains("p.svg"));
    assert_eq!(
        fs::read_to_string(folder.path().join("p.svg")).unwrap(),
        text
    );
}

#[test]
fn the_key_explains_what_is_seen_and_nothing_else() {
    let folder = folder("render-key");
    let text = |line: &str| {
        let all = format!("render door.map {line} -o p.svg");
        folder.run(&all.split(' ').collect::<Vec<_>>()).answer();
        fs::read_to_string(folder.path().join("p.svg")).unwrap()
    };
    let shown = text("--layers cost,islands,clearance");
    for (part, is_seen) in [
        (">wall<", true),
        ("clearance in cells<", true),
        ("open ground", false),
        ("harder ground", false),
        ("an island", false),
    ] {
        assert_eq!(shown.contains(part), is_seen, "{part} in {shown}");
    }
    let east = text("--layers cost --view 5,0,6,4");
    assert!(east.contains("open ground") && !east.contains(">wall<") && !east.contains("harder"));
    // The only portal is four cells wide: at a pixel a cell it is shown only on a
    // route.
    assert!(text("--layers portals --scale 2").contains(">portals<"));
    let small = text("--layers portals --scale 1");
    assert!(!small.contains(">portals") && small.contains("not drawn at this scale: portals"));
    let order = "--from 0,0 --goal 13,2";
    let routes = text(&format!("{order} --layers portals --scale 1"));
    assert!(routes.contains("routes<") && !routes.contains("not drawn"));
    let graph = text("--layers graph,portals --scale 10");
    assert!(graph.contains(">edges of the portal graph<") && graph.contains(">its nodes, "));
    // A single value is not shown as a range.
    let one = text("--layers clearance --view 0,2,1,1");
    assert!(one.contains(">clearance in cells: 2<"), "{one}");
}

#[test]
fn layers_that_need_a_larger_scale_are_named() {
    let folder = folder("render-scale");
    let layers = "--layers graph,flow,sectors,portals,units";
    let drawn = |scale: &str| {
        let line =
            format!("render door.map --goal 13,2 --from 0,0 {layers} --scale {scale} -o p.png");
        folder.run(&line.split(' ').collect::<Vec<_>>()).answer()
    };
    let coarse = drawn("1/2");
    let sentence = "\nnot drawn at this scale: graph, flow, sectors (come closer: --view or a larger \
                    --scale)\n";
    assert!(coarse.contains(sentence), "{coarse}");
    assert!(!drawn("8").contains("not drawn"));
}

#[test]
fn a_film_of_an_order() {
    let folder = folder("steps-gif");
    let line = "steps door.map --from 0,0 --goal 13,2 --steps 9 -o film.gif";
    let answer = folder.run(&line.split(' ').collect::<Vec<_>>()).answer();
    assert!(
        answer.contains("portals taken, 2 sectors loaded"),
        "{answer}"
    );
    let mut decoder = options_of(&folder);
    let size = (decoder.width(), decoder.height());
    let mut frames = 0;
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let whole = (frame.width, frame.height) == size;
        assert!(frames > 0 || whole, "the first frame is a whole picture");
        frames += 1;
    }
    let steps: usize = answer.split(' ').nth(1).unwrap().parse().unwrap();
    // The key of every picture is complete: no line of it is cut off.
    let mut reader = options_of(&folder);
    let mut canvas = vec![0_u8; usize::from(size.0) * usize::from(size.1) * 4];
    while let Some(frame) = reader.read_next_frame().unwrap() {
        lay(&mut canvas, usize::from(size.0), frame);
        let lines = inked_lines(&canvas, usize::from(size.0));
        let gaps = lines.windows(2).map(|two| two[1] - two[0]);
        assert!(
            gaps.max().unwrap_or(0) <= 16,
            "a hole in the key: {lines:?}"
        );
    }
    // The finished field and the cells in sight have separate pictures.
    assert_eq!(frames, steps + 2, "{answer}");
}

fn options_of(folder: &Folder) -> gif::Decoder<BufReader<File>> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let file = File::open(folder.path().join("film.gif")).unwrap();
    options.read_info(BufReader::new(file)).unwrap()
}

/// Lays the changes of a frame over the previous picture.
fn lay(canvas: &mut [u8], width: usize, frame: &gif::Frame<'_>) {
    let (left, top) = (usize::from(frame.left), usize::from(frame.top));
    let across = usize::from(frame.width);
    for (at, pixel) in frame.buffer.chunks_exact(4).enumerate() {
        if pixel[3] == u8::MAX {
            let first = ((top + at / across) * width + left + at % across) * 4;
            canvas[first..first + 4].copy_from_slice(pixel);
        }
    }
}

/// Returns the rows of a picture that are not all paper.
fn inked_lines(canvas: &[u8], width: usize) -> Vec<usize> {
    let rows = canvas.chunks_exact(width * 4).enumerate();
    let inked = rows.filter(|(_, row)| row.chunks_exact(4).any(|pixel| pixel[..3] != PAPER));
    inked.map(|(row, _)| row).collect()
}

#[test]
fn steps_as_data() {
    let folder = folder("steps-json");
    let line = "steps door.map --from 0,0 --goal 13,2 --steps 9 -o steps.json";
    folder.run(&line.split(' ').collect::<Vec<_>>()).answer();
    let text = fs::read_to_string(folder.path().join("steps.json")).unwrap();
    let steps: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let stages: Vec<&str> = steps
        .iter()
        .map(|step| step["stage"].as_str().unwrap())
        .collect();
    assert_eq!(stages.first(), Some(&"given"));
    assert_eq!(stages[stages.len() - 2..], ["done", "freed"]);
    let sectors = |name: &str| -> usize {
        let lists = steps
            .iter()
            .map(|step| step[name].as_array().unwrap().len());
        lists.sum()
    };
    assert_eq!(
        [sectors("loaded"), sectors("settled"), sectors("freed")],
        [2, 2, 2]
    );
    let cells = steps.iter().map(|step| step["cells"].as_u64().unwrap());
    assert!(cells.is_sorted());
}

#[test]
fn starts_that_cannot_arrive_are_told_and_drawn() {
    let folder = Folder::new("render-apart");
    folder.write(
        "split.map",
        "type octile\nheight 2\nwidth 5\nmap\n..@..\n..@..\n",
    );
    let line = "render split.map --from 0,0 --from 3,1 --goal 4,0 --layers cost,units -o p.svg";
    let answer = folder.run(&line.split(' ').collect::<Vec<_>>()).answer();
    let told = "--from (0, 0) is not served: no path leads from there to (4, 0)";
    assert!(
        answer.contains(told) && !answer.contains("--from (3, 1)"),
        "{answer}"
    );
    let text = fs::read_to_string(folder.path().join("p.svg")).unwrap();
    for part in [">start<", ">goal<", ">a unit<"] {
        assert!(text.contains(part), "no {part} in {text}");
    }
}

/// Expects a refusal whose message contains all of `parts`, and no file.
fn refused(folder: &Folder, line: &str, parts: &[&str]) {
    let before = folder.names();
    let run = folder.run(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(run.code, Some(2), "{line}: {}", run.stderr);
    assert_eq!(run.stdout, "", "{line}");
    for part in parts {
        assert!(
            run.stderr.contains(part),
            "{line}: no `{part}` in: {}",
            run.stderr
        );
    }
    assert_eq!(folder.names(), before, "{line}: nothing is left behind");
}

#[test]
fn pictures_that_cannot_be_drawn() {
    let folder = folder("render-bad");
    let order = "--from 0,0 --goal 13,2";
    let cases: [(&str, &[&str]); 17] = [
        (
            "render door.map --scale 1/15 -o p.png",
            &["--scale 1/15", "14×4", "give 1/14 or more"],
        ),
        (
            "render door.map --scale 1/4294967295 -o p.png",
            &["1/4294967295", "for example 1/4"],
        ),
        (
            "render door.map --layers cost,height -o p.png",
            &["`height`", "name one of cost"],
        ),
        (
            "render door.map --layers flow -o p.png",
            &["--layers flow", "give --goal"],
        ),
        (
            "render door.map --from 0,0 -o p.png",
            &["required arguments", "--goal <X,Y>"],
        ),
        (
            "render door.map --from 0,9 --goal 1,1 -o p.png",
            &["--from (0, 9)", "off the map"],
        ),
        (
            "render door.map --goal 11,0 -o p.png",
            &["--goal (11, 0) is a wall", "for example 10,0"],
        ),
        (
            "render door.map --view 10,0,5,4 -o p.png",
            &["--view 10,0,5,4", "inside 0,0,14,4"],
        ),
        (
            "render door.map --view 0,0,0,4 -o p.png",
            &["--view 0,0,0,4", "inside 0,0,14,4"],
        ),
        ("render door.map --view 0,0,4 -o p.png", &["X,Y,W,H"]),
        (
            "render door.map --scale 2000 -o p.png",
            &["28000×8000 pixels", "smaller --scale"],
        ),
        (
            "render door.map --scale 0 -o p.png",
            &["whole pixels a cell"],
        ),
        (
            "render door.map -o p.jpg",
            &["p.jpg", "ends in .png or .svg"],
        ),
        (
            "render door.map -o no/where/p.png",
            &["no/where/p.png", "name another file"],
        ),
        ("render none.map -o p.png", &["none.map", "cannot be read"]),
        (
            "steps door.map -o film.gif",
            &["no order to watch", "give --goal"],
        ),
        (
            "steps door.map --goal 1,1 -o film.png",
            &["ends in .gif or .json"],
        ),
    ];
    for (line, parts) in cases {
        refused(&folder, line, parts);
    }
    refused(
        &folder,
        &format!("steps door.map {order} --scale 1000 --steps 1000 -o film.gif"),
        &["million pixels", "fewer --steps"],
    );
}

/// The picture on the library's front page.
#[test]
fn the_picture_of_the_documentation_is_drawn_anew() {
    let folder = folder("front-page");
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    let line = "--from 5,10 --from 20,60 --goal 66,56 --view 0,0,80,70 --scale 5 \
                --layers cost,loaded,portals,paths -o front.svg";
    let map = format!("{docs}/valley.map");
    let mut arguments = vec!["render", &map];
    arguments.extend(line.split_whitespace());
    folder.run(&arguments).answer();
    let [drawn, kept] = [
        folder.path().join("front.svg"),
        Path::new(docs).join("front.svg"),
    ]
    .map(|file| fs::read_to_string(file).unwrap());
    assert!(
        drawn == kept,
        "draw it anew: flowtiles render docs/valley.map {line}"
    );
}
