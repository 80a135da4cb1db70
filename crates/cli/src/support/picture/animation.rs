//! Pictures one after the other, as GIF.

use std::io;

use super::Picture;
use super::palette::Palette;

/// The number of frames from which the colours are chosen.
const SOURCES: usize = 8;

/// A picture and its time.
pub struct Frame<'a> {
    /// The picture; all of an animation have one size.
    pub picture: &'a Picture,
    /// Hundredths of a second.
    pub hundredths: u16,
}

/// Returns the bytes of an animation that repeats. Each frame holds only changes.
///
/// # Errors
/// If there is no frame, or the encoder fails.
pub fn to_gif(frames: &[Frame<'_>]) -> io::Result<Vec<u8>> {
    let Some(first) = frames.first() else {
        return Err(io::Error::other("an animation without a frame"));
    };
    let sources = frames.iter().step_by(frames.len().div_ceil(SOURCES));
    let colours = sources.flat_map(|frame| frame.picture.colours.iter().copied());
    let palette = Palette::of(colours);
    let size = &first.picture.colours;
    let (width, height) = (size.width() as u16, size.height() as u16);
    let mut bytes = Vec::new();
    let mut encoder =
        gif::Encoder::new(&mut bytes, width, height, &palette.bytes()).map_err(io::Error::other)?;
    encoder
        .set_repeat(gif::Repeat::Infinite)
        .map_err(io::Error::other)?;
    let mut shown: Option<Vec<u8>> = None;
    for frame in frames {
        let colours = frame.picture.colours.iter();
        let places: Vec<u8> = colours.map(|colour| palette.place(*colour)).collect();
        let mut drawn = changes(shown.as_deref(), &places, usize::from(width));
        drawn.delay = frame.hundredths;
        encoder.write_frame(&drawn).map_err(io::Error::other)?;
        shown = Some(places);
    }
    drop(encoder);
    Ok(bytes)
}

/// Returns a frame with the box around all differences, clear where nothing
/// differs.
fn changes(shown: Option<&[u8]>, places: &[u8], width: usize) -> gif::Frame<'static> {
    let differs = |at: usize| shown.is_none_or(|shown| shown[at] != places[at]);
    let mut changed = (0..places.len()).filter(|&at| differs(at)).peekable();
    let (mut left, mut right, mut top, mut bottom) = (width - 1, 0, places.len() / width - 1, 0);
    if changed.peek().is_none() {
        (left, top) = (0, 0);
    }
    for at in changed {
        let (x, y) = (at % width, at / width);
        (left, right) = (left.min(x), right.max(x));
        (top, bottom) = (top.min(y), bottom.max(y));
    }
    let pixel = |at: usize| {
        if differs(at) {
            places[at]
        } else {
            Palette::clear()
        }
    };
    let rows = (top..=bottom).flat_map(|y| (left..=right).map(move |x| y * width + x));
    gif::Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        transparent: Some(Palette::clear()),
        dispose: gif::DisposalMethod::Keep,
        buffer: rows.map(pixel).collect::<Vec<u8>>().into(),
        ..gif::Frame::default()
    }
}
