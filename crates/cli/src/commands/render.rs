//! `flowtiles render`: a map and an order as a picture, PNG or SVG.

use std::io::Write;
use std::path::PathBuf;

use flowtiles::inspect::Overlay;
use flowtiles::{Budget, FlowWorld};

use crate::support::asked::Asked;
use crate::support::drawing::sheet::Sheet;
use crate::support::failure::Failure;
use crate::support::pictured::{OF_ORDER, Opened, Pictured, drawn, too_small, write_picture};
use crate::support::viewport::check_ending;

/// The approximate pixels along the longer side of a picture, unless a scale is
/// given.
const SIDE: u32 = 1200;
/// The most shapes of an SVG file.
const SHAPES_MAX: usize = 500_000;

/// The default layers without an order.
const OF_MAP: [Overlay; 3] = [Overlay::Cost, Overlay::Sectors, Overlay::Portals];

/// Draw a map, and an order on it, as a picture
///
/// Layers: cost, islands, clearance, integration, density, loaded, sight, sectors,
/// portals, graph, flow, paths, units. The detail follows the scale: arrows from 7
/// pixels a cell on, numbers from 26.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pictured: Pictured,
    /// What to draw, with commas between. Without it: the ground, the sectors and
    /// portals, and what the order loaded and says
    #[arg(long, value_name = "LAYER,…", value_delimiter = ',')]
    layers: Vec<Overlay>,
    /// The picture: a file that ends in .png or .svg
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Arguments {
        pictured, output, ..
    } = arguments;
    let asked = &pictured.asked;
    let kind = check_ending(output, &["png", "svg"])?;
    let layers = layers(&arguments.layers, asked)?;
    let Opened {
        costs,
        shown,
        title: map,
    } = pictured.open(SIDE, output)?;
    let mut world = FlowWorld::new(costs);
    let order = asked.order(&mut world)?;
    world.tick(Budget::UNLIMITED);
    let list = drawn(&world, order.as_slice(), asked, &layers, shown);
    let title = format!("{map}, {}{}", shown.title(), asked.title());
    let too_small = too_small(&list, &layers, shown.detail);
    let lines = [Some(title.as_str()), too_small.as_deref()];
    let lines: Vec<&str> = lines.into_iter().flatten().collect();
    let sheet = Sheet::new(&list, shown.scale, &lines.join("\n"));
    let bytes = match kind {
        "png" => sheet.to_picture().to_png()?,
        _ if list.primitives.len() > SHAPES_MAX => {
            return Err(Failure::Input(format!(
                "{}: {} shapes are too many for SVG (at most {SHAPES_MAX}): name a .png file, or \
                 give a smaller --view or --scale",
                output.display(),
                list.primitives.len()
            )));
        }
        _ => sheet.to_svg().into_bytes(),
    };
    write_picture(output, &bytes)?;
    writeln!(
        out,
        "{}: {title}, {} shapes",
        output.display(),
        list.primitives.len()
    )?;
    if let Some(sentence) = too_small {
        writeln!(out, "{sentence}")?;
    }
    asked.report_cut_off(&world, out)?;
    Ok(())
}

/// Returns the requested layers, or the default ones.
fn layers(wanted: &[Overlay], asked: &Asked) -> Result<Vec<Overlay>, Failure> {
    let needs_order = |layer: &&Overlay| {
        matches!(
            layer,
            Overlay::Integration
                | Overlay::Loaded
                | Overlay::Sight
                | Overlay::Flow
                | Overlay::Paths
        )
    };
    match wanted.iter().find(needs_order) {
        Some(layer) if asked.goal.is_none() => Err(Failure::Input(format!(
            "--layers {layer} needs an order: give --goal X,Y and --from X,Y"
        ))),
        _ if !wanted.is_empty() => Ok(wanted.to_vec()),
        _ if asked.goal.is_some() => Ok(OF_ORDER.to_vec()),
        _ => Ok(OF_MAP.to_vec()),
    }
}
