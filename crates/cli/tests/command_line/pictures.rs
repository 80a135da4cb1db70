//! Pictures and films: that they can be decoded, and that they show what they should.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use crate::command::{Folder, ROOT};

/// Room, door, room: 14 cells across, so that the second sector is ragged.
const ROWS: [&str; 4] = [
    "....3......#..",
    "....3......#..",
    "..............",
    "....3......#..",
];

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("door.txt", ROWS.join("\n"));
    folder
}

fn run(folder: &Folder, line: &str) -> String {
    folder.run(&line.split(' ').collect::<Vec<_>>()).answer()
}

const WALL: [u8; 3] = [88, 86, 92];
const OPEN: [u8; 3] = [140, 168, 98];
const PAPER: [u8; 3] = [248, 247, 243];

/// A picture, as red, green, blue and opacity.
struct Pixels {
    width: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    fn of(folder: &Folder, name: &str) -> Self {
        let file = File::open(folder.path().join(name)).unwrap();
        let mut decoder = png::Decoder::new(BufReader::new(file));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgba);
        let width = info.width as usize;
        Self { width, bytes }
    }

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let first = (y * self.width + x) * 4;
        std::array::from_fn(|band| self.bytes[first + band])
    }

    /// Returns where the map begins: inside the frame around it.
    fn corner(&self) -> [usize; 2] {
        let is_edge = |x: usize, y: usize| (x..x + 8).all(|x| self.at(x, y) == [99, 104, 115]);
        let height = self.bytes.len() / self.width / 4;
        let columns = 0..self.width - 8;
        let mut pixels = (0..height).flat_map(|y| columns.clone().map(move |x| (x, y)));
        let (x, y) = pixels.find(|&(x, y)| is_edge(x, y)).expect("a map");
        [x + 1, y + 1]
    }

    /// Lays the changes of a frame over the previous picture.
    fn lay(&mut self, frame: &gif::Frame<'_>) {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        let across = usize::from(frame.width);
        for (at, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            if pixel[3] == u8::MAX {
                let first = ((top + at / across) * self.width + left + at % across) * 4;
                self.bytes[first..first + 4].copy_from_slice(pixel);
            }
        }
    }

    /// Returns the rows that are not all paper.
    fn inked_rows(&self) -> Vec<usize> {
        let rows = self.bytes.chunks_exact(self.width * 4).enumerate();
        let inked = rows.filter(|(_, row)| row.chunks_exact(4).any(|pixel| pixel[..3] != PAPER));
        inked.map(|(row, _)| row).collect()
    }
}

#[test]
fn a_png_shows_walls_ground_and_arrows_where_they_are() {
    let folder = folder("render-png");
    let draw = |layers: &str| {
        let order = "--from 0,0 --goal 13,2";
        let line = format!("render door.txt {order} --layers {layers} --scale 20 -o p.png");
        run(&folder, &line);
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
    let rows = ROWS.map(str::as_bytes);
    for (y, row) in rows.iter().enumerate() {
        for (x, &letter) in row.iter().enumerate() {
            let is_wall = |x: usize, y: usize| rows[y][x] == b'#';
            let is_shaded = x > 0 && y > 0 && is_wall(x - 1, y - 1);
            match letter {
                b'#' => assert_eq!([&bare, &arrows].map(|one| middle(one, x, y)), [WALL; 2]),
                b'.' => assert_eq!(middle(&bare, x, y) == OPEN, !is_shaded, "{x},{y}"),
                _ => assert!(![WALL, OPEN].contains(&middle(&bare, x, y)), "{x},{y}"),
            }
            let is_led = letter != b'#' && (x, y) != (13, 2);
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
fn each_pixel_of_a_small_picture_is_a_block_of_cells() {
    let folder = folder("render-small");
    let draw = |scale: &str| {
        let order = "--from 0,0 --goal 13,2 --layers cost,flow";
        run(
            &folder,
            &format!("render door.txt {order} --scale {scale} -o p.png"),
        );
        let pixels = Pixels::of(&folder, "p.png");
        let [left, top] = pixels.corner();
        move |x: usize, y: usize| pixels.at(left + x, top + y)
    };
    let at = draw("1");
    assert_eq!([at(11, 0), at(11, 2)], [WALL, OPEN], "no arrows");
    // 14×4 cells are 7×2 blocks; no block is entirely wall.
    assert!(![WALL, OPEN].contains(&draw("1/2")(5, 0)));
}

/// Returns the pictures of a film, each whole.
fn film(folder: &Folder, mut see: impl FnMut(&Pixels)) -> usize {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let file = File::open(folder.path().join("film.gif")).unwrap();
    let mut reader = options.read_info(BufReader::new(file)).unwrap();
    let (width, height) = (usize::from(reader.width()), usize::from(reader.height()));
    let bytes = vec![0; width * height * 4];
    let mut picture = Pixels { width, bytes };
    let mut frames = 0;
    while let Some(frame) = reader.read_next_frame().unwrap() {
        let is_whole = usize::from(frame.width) == width && usize::from(frame.height) == height;
        assert!(frames > 0 || is_whole, "the first frame is a whole picture");
        picture.lay(frame);
        see(&picture);
        frames += 1;
    }
    frames
}

#[test]
fn a_film_of_an_order() {
    let folder = folder("steps-gif");
    let line = "steps door.txt --from 0,0 --goal 13,2 --steps 9 -o film.gif";
    let answer = run(&folder, line);
    assert!(
        answer.contains("portals taken, 2 sectors loaded"),
        "{answer}"
    );
    let frames = film(&folder, |picture| {
        // The key is complete: no line of it is cut off.
        let lines = picture.inked_rows();
        let gaps = lines.windows(2).map(|two| two[1] - two[0]);
        let is_whole = gaps.max().unwrap_or(0) <= 16;
        assert!(is_whole, "a hole in the key: {lines:?}");
    });
    let steps: usize = answer.split(' ').nth(1).unwrap().parse().unwrap();
    // The finished field and the cells in sight have separate pictures.
    assert_eq!(frames, steps + 2, "{answer}");
}

#[test]
fn scenes_have_pictures_and_films() {
    let folder = Folder::new("sim-pictures");
    run(&folder, "sim seek --png end.png --gif film.gif --wide 200");
    assert!(Pixels::of(&folder, "end.png").width >= 200);
    let frames = film(&folder, |_| {});
    assert!(frames > 50, "{frames} frames");

    let shoot = |options: &str| {
        let line = format!("sim crowd-swamp --only --ticks 5 --png layer.png{options}");
        run(&folder, &line);
        Pixels::of(&folder, "layer.png").bytes
    };
    let layers = ["density", "speed", "discomfort", "potential"];
    let mut pictures = vec![shoot("")];
    pictures.extend(layers.map(|layer| shoot(&format!(" --layer {layer}"))));
    for (at, picture) in pictures.iter().enumerate() {
        assert!(!pictures[..at].contains(picture), "{at}");
    }
    assert!(pictures[0] == shoot(""));
}

/// The picture on the library's front page.
#[test]
fn the_picture_of_the_documentation_is_drawn_anew() {
    let folder = Folder::new("front-page");
    let docs = format!("{ROOT}/docs");
    let line = "--from 5,10 --from 20,60 --goal 66,56 --view 0,0,80,70 --scale 5 \
                --layers cost,loaded,portals,paths -o front.svg";
    let map = format!("{docs}/valley.map");
    let mut arguments = vec!["render", &map];
    arguments.extend(line.split_whitespace());
    folder.run(&arguments).answer();
    let [drawn, kept] = [
        folder.path().join("front.svg"),
        Path::new(&docs).join("front.svg"),
    ]
    .map(|file| fs::read_to_string(file).unwrap());
    assert!(
        drawn == kept,
        "draw it anew: flowtiles render docs/valley.map {line}"
    );
}
