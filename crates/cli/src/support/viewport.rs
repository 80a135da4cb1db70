//! The part of a map that a picture shows, and its scale.

use std::path::Path;

use flowtiles::inspect::{Detail, Scale};
use flowtiles::{CellRect, CostMap};

use crate::support::drawing::sheet::map_size;
use crate::support::failure::Failure;

/// The most pixels of a picture along a side, and in total.
const SIDE_MAX: u64 = 16_000;
const PIXELS_MAX: u64 = 64_000_000;
/// The most pixels a cell if no scale is given.
const ROOMY: u32 = 32;

/// The part of the map that a picture shows, and its scale.
#[derive(clap::Args)]
pub struct Viewport {
    /// The part of the map to show: column and row of its north-west cell, width
    /// and height. Without it: all
    #[arg(long, value_name = "X,Y,W,H", value_parser = rect, allow_hyphen_values = true)]
    view: Option<CellRect>,
    /// Pixels a cell, or 1/N for N×N cells a pixel. Without it: what fits
    #[arg(long, value_name = "N", value_parser = scale)]
    scale: Option<Scale>,
}

/// The visible part of a map.
#[derive(Clone, Copy)]
pub struct Shown {
    /// The cells.
    pub view: CellRect,
    /// The scale.
    pub scale: Scale,
    /// The detail.
    pub detail: Detail,
}

impl Viewport {
    /// Checks the part against the map, and the size of the picture; `side` is the
    /// approximate length of its longer side if no scale is given.
    pub fn on(&self, costs: &CostMap, side: u32) -> Result<Shown, Failure> {
        let (width, height) = (costs.width(), costs.height());
        let map = CellRect::new(0, 0, width, height);
        let view = self.view.unwrap_or(map);
        if view.is_empty() || map.intersection(view) != view {
            let CellRect { x, y, .. } = view;
            let shown = format!("{x},{y},{},{}", view.width, view.height);
            return Err(Failure::Input(format!(
                "--view {shown} is not a part of the map of {width}×{height} cells: \
                 give X,Y,W,H inside 0,0,{width},{height}"
            )));
        }
        let scale = self.scale.unwrap_or_else(|| fitting(view, side));
        let longer = view.width.max(view.height);
        if let Scale::CellsPerPixel(side) = scale
            && side > longer
        {
            let size = format!("{}×{}", view.width, view.height);
            return Err(Failure::Input(format!(
                "--scale 1/{side} puts {side}×{side} cells into a pixel, and the view has only \
                 {size}: give 1/{longer} or more"
            )));
        }
        let [across, down] = map_size([view.width, view.height], scale);
        if across.max(down) > SIDE_MAX || across * down > PIXELS_MAX {
            return Err(Failure::Input(format!(
                "a picture of {across}×{down} pixels is too large (at most {SIDE_MAX} along a \
                 side and {} million in all): give a smaller --scale (1/N shows N×N cells in \
                 a pixel) or a smaller --view",
                PIXELS_MAX / 1_000_000
            )));
        }
        Ok(Shown {
            view,
            scale,
            detail: Detail::for_scale(scale),
        })
    }
}

impl Shown {
    /// Returns part and scale, in a few words.
    pub fn title(&self) -> String {
        let CellRect { x, y, .. } = self.view;
        let size = format!("{}×{}", self.view.width, self.view.height);
        match self.scale {
            Scale::PixelsPerCell(pixels) => {
                format!("view {size} at {x},{y}, {pixels} px a cell")
            }
            Scale::CellsPerPixel(cells) => {
                format!("view {size} at {x},{y}, {cells}×{cells} cells a px")
            }
        }
    }
}

/// The largest scale at which a view is no longer than `side` pixels.
fn fitting(view: CellRect, side: u32) -> Scale {
    let longer = view.width.max(view.height);
    match side / longer {
        0 => Scale::CellsPerPixel(longer.div_ceil(side)),
        pixels => Scale::PixelsPerCell(pixels.min(ROOMY)),
    }
}

/// Checks a picture's file name; returns its ending, which selects the format.
pub fn check_ending(path: &Path, endings: &[&'static str]) -> Result<&'static str, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let ending = ending.map(str::to_ascii_lowercase).unwrap_or_default();
    let known = endings.iter().find(|&&known| known == ending);
    known.copied().ok_or_else(|| {
        let names: Vec<String> = endings.iter().map(|known| format!(".{known}")).collect();
        let wanted = format!("name a file that ends in {}", names.join(" or "));
        Failure::in_file(path, wanted)
    })
}

/// Reads `X,Y,W,H`.
fn rect(text: &str) -> Result<CellRect, String> {
    let numbers = text.split(',').map(|part| part.trim().parse::<i32>());
    match numbers.collect::<Result<Vec<i32>, _>>().as_deref() {
        Ok(&[x, y, width, height]) if width.min(height) >= 0 => {
            Ok(CellRect::new(x, y, width as u32, height as u32))
        }
        _ => Err("write a view as X,Y,W,H, for example 0,0,100,80".to_owned()),
    }
}

/// Reads `N` or `1/N`.
fn scale(text: &str) -> Result<Scale, String> {
    let cells = text.strip_prefix("1/");
    match cells.unwrap_or(text).trim().parse() {
        Ok(side @ 2..1_000_000_000) if cells.is_some() => Ok(Scale::CellsPerPixel(side)),
        Ok(pixels @ 1..1_000_000_000) => Ok(Scale::PixelsPerCell(pixels)),
        _ => Err(
            "write a scale as whole pixels a cell, for example 8, or as 1/N for N×N cells a \
             pixel, for example 1/4; N has at most nine digits"
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_and_scales_are_read_or_refused() {
        assert_eq!(rect("1,2, 3,4"), Ok(CellRect::new(1, 2, 3, 4)));
        for wrong in ["", "1,2,3", "1,2,3,4,5", "1,2,-3,4", "a,2,3,4"] {
            assert!(rect(wrong).is_err(), "{wrong}");
        }
        assert_eq!(scale("8"), Ok(Scale::PixelsPerCell(8)));
        assert_eq!(scale("1/10"), Ok(Scale::CellsPerPixel(10)));
        assert_eq!(scale("1/1"), Ok(Scale::PixelsPerCell(1)));
        for wrong in [
            "",
            "0",
            "-1",
            "1/0",
            "2/3",
            "1.5",
            "x",
            "1/4294967295",
            "1/4294967296",
        ] {
            assert!(scale(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_scale_fits_the_view() {
        let fits = |width, height| fitting(CellRect::new(0, 0, width, height), 1200);
        assert_eq!(fits(100, 60), Scale::PixelsPerCell(12));
        assert_eq!(fits(10, 10), Scale::PixelsPerCell(32));
        assert_eq!(fits(1200, 5), Scale::PixelsPerCell(1));
        assert_eq!(fits(10_000, 10_000), Scale::CellsPerPixel(9));
    }
}
