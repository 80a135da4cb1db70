//! Pictures: their contents, the kinds that are read, and those that are
//! refused.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use flowtiles::{Cost, CostMap};
use flowtiles_formats::{
    Colour, Format, Lack, MAX_FILE_CELLS, MapWriter, Palette, Place, ReadError, read_png, write_png,
};
use png::{BitDepth, ColorType, Decoder, Encoder};

use crate::chunks::chunk;
use crate::drawn;

/// Returns a picture as another program would write it.
pub fn picture(
    size: (u32, u32),
    kind: (ColorType, BitDepth),
    colours: Option<Vec<u8>>,
    pixels: &[u8],
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, size.0, size.1);
    encoder.set_color(kind.0);
    encoder.set_depth(kind.1);
    if let Some(colours) = colours {
        encoder.set_palette(colours);
    }
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(pixels).expect("pixels");
    drop(writer);
    bytes
}

fn read(bytes: &[u8]) -> Result<Vec<u8>, ReadError> {
    read_png(bytes, None, MAX_FILE_CELLS).map(|map| map.to_rows())
}

#[test]
fn the_pixels_are_the_greys_of_the_table() {
    let map = CostMap::from_rows(5, 1, &[1, 2, 100, 254, 255]).expect("a map");
    let bytes = write_png(&map, None).expect("greys lose nothing");
    let mut reader = Decoder::new(std::io::Cursor::new(&bytes))
        .read_info()
        .expect("a picture");
    let mut pixels = [0; 5];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!((info.width, info.height), (5, 1));
    assert_eq!(
        (info.color_type, info.bit_depth),
        (ColorType::Grayscale, BitDepth::Eight)
    );
    assert_eq!(pixels, [255, 254, 156, 2, 0]);
}

#[test]
fn kinds_of_pictures_that_are_read() {
    use BitDepth::{Eight, One, Two};
    use ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    let size = (3, 1);
    let grey = |kind, pixels: &[u8]| read(&picture(size, kind, None, pixels)).expect("a map");
    assert_eq!(grey((Grayscale, Eight), &[255, 0, 7]), [1, 255, 249]);
    assert_eq!(grey((Grayscale, One), &[0b1010_0000]), [1, 255, 1]);
    assert_eq!(grey((Grayscale, Two), &[0b1100_0100]), [1, 255, 171]);
    let pixels = [9, 255, 0, 255, 1, 255];
    assert_eq!(grey((GrayscaleAlpha, Eight), &pixels), [247, 255, 255]);
    let pixels = [9, 9, 9, 0, 0, 0, 255, 255, 255];
    assert_eq!(grey((Rgb, Eight), &pixels), [247, 255, 1]);
    let pixels = [9, 9, 9, 255, 0, 0, 0, 255, 8, 8, 8, 255];
    assert_eq!(grey((Rgba, Eight), &pixels), [247, 255, 248]);
    let table = Some(vec![255, 255, 255, 0, 0, 0]);
    let indexed = picture(size, (Indexed, Two), table, &[0b0001_0000]);
    assert_eq!(read(&indexed), Ok(vec![1, 255, 1]));
}

#[test]
fn pixels_without_a_cost_are_named_with_their_colour() {
    let pixels = [9, 9, 9, 255, 9, 9, 9, 255, 9, 9, 9, 255, 10, 20, 30, 255];
    let bytes = picture((2, 2), (ColorType::Rgba, BitDepth::Eight), None, &pixels);
    let colour = Colour::opaque(10, 20, 30);
    let palette = Palette::new().with(Colour::opaque(9, 9, 9), Cost::OPEN);
    for (palette, told) in [
        (None, "is no opaque grey: give a palette"),
        (Some(&palette), "has no cost: add it to the palette"),
    ] {
        let error = read_png(&bytes, palette, 4).expect_err("a blue pixel");
        let told = format!("pixel (1, 1): the colour #0a141e {told}");
        assert!(error.to_string().starts_with(&told), "{error}");
        assert_eq!(error.lacks, Some(Lack::Colour(colour)));
    }
    let palette = palette.with(colour, Cost::WALL);
    let map = read_png(&bytes, Some(&palette), 4).expect("all colours are known");
    assert_eq!(map.to_rows(), [1, 1, 1, 255]);
    let clear = picture(
        (1, 1),
        (ColorType::Rgba, BitDepth::Eight),
        None,
        &[9, 9, 9, 254],
    );
    let error = read(&clear).expect_err("half transparent");
    assert!(
        error.what.starts_with("the colour #090909fe is no"),
        "{error}"
    );
}

#[test]
fn palettes_give_drawn_maps_back() {
    let opaque = |cost: u8| Colour::opaque(cost, 255 - cost, 7);
    let clear = |cost: u8| Colour([cost, 1, 2, 200]);
    for seed in 0..60 {
        let map = drawn::map(seed, 20);
        let costs = (1..=255).filter_map(|cost| Cost::new(cost).ok());
        let palette = costs.fold(Palette::new(), |palette, cost| {
            let colour = if seed % 2 == 0 { opaque } else { clear };
            palette.with(colour(cost.value()), cost)
        });
        let bytes = write_png(&map, Some(&palette)).expect("a colour for each cost");
        assert_eq!(read_png(&bytes, Some(&palette), MAX_FILE_CELLS), Ok(map));
    }
}

#[test]
fn costs_without_a_colour_are_refused_or_reported() {
    let map = CostMap::from_rows(3, 1, &[1, 5, 255]).expect("a map");
    let palette = Palette::read(b"#ffffff 1\n#808080 7\n#000000 255\n").expect("a palette");
    let error = write_png(&map, Some(&palette)).expect_err("no colour");
    let told =
        "the cell (1, 0) costs 5, for which the palette has no colour: add a line `#rrggbb 5`";
    assert_eq!((error.what.as_str(), error.cost), (told, Cost::new(5).ok()));
    let writer = MapWriter::new().with_kinds(palette.clone()).lossy();
    let bytes = writer.write(Format::Png, &map).expect("lossy").bytes;
    let read = read_png(&bytes, Some(&palette), 3).expect("a map");
    assert_eq!(read.to_rows(), [1, 7, 255]);
}

/// Returns the header of a picture, with nothing after it.
fn header(width: u32, height: u32, depth: u8, interlace: u8) -> Vec<u8> {
    let (width, height) = (width.to_be_bytes(), height.to_be_bytes());
    let data = [&width[..], &height, &[depth, 0, 0, 0, interlace]].concat();
    [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &data)].concat()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).expect("memory");
    packer.finish().expect("memory")
}

/// Returns a grey picture of 10×10 pixels with these data, in chunks of 7
/// bytes.
fn with_data(data: &[u8], before: &[Vec<u8>]) -> Vec<u8> {
    let data: Vec<Vec<u8>> = data.chunks(7).map(|part| chunk(b"IDAT", part)).collect();
    [
        header(10, 10, 8, 0),
        before.concat(),
        data.concat(),
        chunk(b"IEND", b""),
    ]
    .concat()
}

#[test]
fn pixel_data_after_the_last_row_are_refused() {
    let rows = [0; 110];
    assert_eq!(read(&with_data(&packed(&rows), &[])), Ok(vec![255; 100]));
    let surplus = "the pixel data go on after the last row";
    let too_many = read(&with_data(&packed(&[0; 111]), &[])).expect_err("a byte more");
    assert!(too_many.what.starts_with(surplus), "{too_many}");
    let whole = packed(&rows);
    let byte = with_data(&whole, &[]).len() - 12 - 4 + 4 + 8;
    let followed = with_data(&[&whole[..], b"more"].concat(), &[]);
    let error = read(&followed).expect_err("four bytes more");
    let Place::Byte(at) = error.at else {
        panic!("{error}");
    };
    // The first of the four bytes, in this chunk or at the end of the last.
    assert!(
        at.abs_diff(byte) <= 20 && at < followed.len() - 12,
        "{at} {byte}"
    );
    assert!(error.what.starts_with(surplus), "{error}");
    let mut wrong_sum = whole;
    *wrong_sum.last_mut().expect("a checksum") ^= 1;
    let error = read(&with_data(&wrong_sum, &[])).expect_err("a wrong checksum");
    assert!(error.to_string().starts_with("byte "), "{error}");
}

#[test]
fn pixels_beyond_the_header_s_size_take_no_room() {
    let packed = packed(&vec![0; 64 << 20]);
    let text = [&b"a\0\0"[..], &packed].concat();
    let before = [chunk(b"zTXt", &text), chunk(b"iCCP", &text)];
    let error = read(&with_data(&packed, &before)).expect_err("too many rows");
    assert!(error.what.starts_with("the pixel data go on"), "{error}");
}

#[test]
fn indices_past_the_table_of_colours_are_refused() {
    use BitDepth::{Eight, Four, One, Two};
    let table = vec![255, 255, 255, 9, 9, 9, 0, 0, 0];
    for (depth, row, x, index) in [
        (Two, &[0b0001_1011, 0b0100_0000][..], 3, 3),
        (Four, &[0x01, 0x27, 0x00], 3, 7),
        (Eight, &[0, 1, 2, 0, 255], 4, 255),
    ] {
        let bytes = picture(
            (5, 1),
            (ColorType::Indexed, depth),
            Some(table.clone()),
            row,
        );
        let error = read(&bytes).expect_err("no such colour");
        let told = format!(
            "pixel ({x}, 0): it has the colour {index} of the picture's own table, which has only 3"
        );
        assert!(error.to_string().starts_with(&told), "{error}");
        assert!(
            error.to_string().contains("save the picture as PNG again"),
            "{error}"
        );
    }
    let kind = (ColorType::Indexed, One);
    let bytes = picture((9, 1), kind, Some(table), &[0b0101_0101, 0]);
    assert_eq!(read(&bytes), Ok(vec![1, 247, 1, 247, 1, 247, 1, 247, 1]));
}

#[test]
fn damage_is_reported_with_the_row_and_what_to_do() {
    let map = drawn::map(3, 30);
    let bytes = write_png(&map, None).expect("greys");
    for (length, place) in [
        (20, "the header: "),
        (40, ""),
        (bytes.len() - 4, "after the last"),
    ] {
        let told = read(&bytes[..length]).expect_err("cut off").to_string();
        assert!(told.starts_with(place), "{told}");
        assert!(
            told.contains(&format!("cut off after {length} bytes")),
            "{told}"
        );
        assert!(told.contains("take another copy"), "{told}");
    }
}

#[test]
fn kinds_of_pictures_that_are_refused_by_their_header() {
    let limit = "is over the limit";
    let cells = "are over the limit of 268435456 cells";
    for (width, height, depth, interlace, told) in [
        (5, 5, 8, 1, "the picture is interlaced: save it without"),
        (
            5,
            5,
            16,
            0,
            "the picture has samples of 16 bits: save it with 8",
        ),
        (31_623, 31_623, 8, 0, cells),
        (65_535, 65_535, 8, 0, cells),
        (u32::MAX >> 1, 1, 8, 0, limit),
        (70_000, 1, 8, 0, limit),
    ] {
        let error = read(&header(width, height, depth, interlace)).expect_err(told);
        let error = error.to_string();
        assert!(
            error.starts_with("the header: ") && error.contains(told),
            "{error}"
        );
    }
    let error = read(&header(5, 5, 8, 0)).expect_err("no pixels");
    assert!(
        error.what.starts_with("the picture cannot be decoded"),
        "{error}"
    );
}

#[test]
fn palette_lines_are_read() {
    let palette = Palette::read(b"\n// x\n#010203 4 mud\r\n #01020380 5\n#ffffff 4\n").unwrap();
    let cost = |colour| palette.cost(colour).map(Cost::value);
    assert_eq!(cost(Colour::opaque(1, 2, 3)), Some(4));
    assert_eq!(cost(Colour([1, 2, 3, 0x80])), Some(5));
    let map = CostMap::from_rows(1, 1, &[4]).expect("a map");
    let written = write_png(&map, Some(&palette)).expect("a colour");
    let other = read_png(&written, Some(&Palette::new()), 1).expect_err("no colour");
    let first = Lack::Colour(Colour::opaque(1, 2, 3));
    assert_eq!(other.lacks, Some(first), "the first of two colours");
}
