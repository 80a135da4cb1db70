//! `flowtiles report`: a map and an order as one self-contained page, for bug
//! reports and builds.

mod page;

use std::io::Write;
use std::path::PathBuf;

use flowtiles::inspect::{Layer, explain};
use flowtiles::{Budget, FlowWorld, Order, Stats};

use crate::support::asked::Asked;
use crate::support::drawing::base64;
use crate::support::drawing::sheet::{map_alone, map_size, ticks};
use crate::support::failure::Failure;
use crate::support::numbers::{grouped, size};
use crate::support::pictured::{OF_ORDER, Opened, Pictured, drawn, write_picture};
use crate::support::viewport::{Shown, ending};
use page::{Image, Page};

/// The approximate pixels along the map's longer side, unless a scale is given.
const SIDE: u32 = 800;
/// The most starts that are explained.
const EXPLAINED: usize = 10;

/// Write one page with all layers of a map and an order, figures and explanations
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pictured: Pictured,
    /// The page: a file that ends in .html
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Arguments { pictured, output } = arguments;
    let asked = &pictured.asked;
    ending(output, &["html"])?;
    let Opened {
        costs,
        shown,
        title: map,
    } = pictured.open(SIDE, output)?;
    let mut world = FlowWorld::new(costs);
    let order = asked.order(&mut world)?;
    let work = world.tick(Budget::UNLIMITED).cells;
    let [width, height] = map_size([shown.view.width, shown.view.height], shown.scale);
    let page = Page {
        title: format!("{map}{}", asked.title()),
        shown: shown.title(),
        size: [width, height],
        rulers: [
            ticks(shown.view.x, shown.view.width, shown.scale),
            ticks(shown.view.y, shown.view.height, shown.scale),
        ],
        warnings: asked.cut_off(&world),
        images: images(&world, order.as_slice(), asked, shown)?,
        figures: figures(&world, order.as_ref(), work),
        explanations: explanations(&world, order.as_ref(), asked),
    };
    let text = page.to_html();
    write_picture(output, text.as_bytes())?;
    writeln!(
        out,
        "{}: {} layers, {}",
        output.display(),
        page.images.len(),
        size(text.len())
    )?;
    asked.report_cut_off(&world, out)?;
    Ok(())
}

/// Each layer with content, as a separate picture.
fn images(
    world: &FlowWorld,
    orders: &[Order],
    asked: &Asked,
    shown: Shown,
) -> Result<Vec<Image>, Failure> {
    let mut images = Vec::new();
    for layer in Layer::ALL {
        let list = drawn(world, orders, asked, &[layer], shown);
        if list.primitives.is_empty() {
            continue;
        }
        let png = map_alone(&list, shown.scale).to_png()?;
        images.push(Image {
            layer,
            is_seen: OF_ORDER.contains(&layer),
            png: base64::encode(&png),
            key: list.key,
        });
    }
    Ok(images)
}

/// What the world holds, and the work of the order, as names and values.
fn figures(world: &FlowWorld, order: Option<&Order>, work: u64) -> Vec<(&'static str, String)> {
    let Stats {
        sectors,
        portals,
        edges,
        islands,
        sectors_loaded,
        cost_bytes,
        graph_bytes,
        order_bytes,
        ..
    } = world.inspect().stats();
    let mut figures = vec![
        ("sectors", grouped(sectors)),
        ("portals", grouped(portals)),
        ("edges", grouped(edges)),
        ("islands", grouped(islands)),
        ("costs", size(cost_bytes)),
        ("graph", size(graph_bytes)),
    ];
    if let Some(order) = order {
        let part = sectors_loaded as f64 * 100.0 / sectors.max(1) as f64;
        let taken = world.inspect().watch(order).taken().len();
        figures.extend([
            (
                "sectors loaded",
                format!("{} ({part:.1} %)", grouped(sectors_loaded)),
            ),
            (
                "portals on routes",
                grouped(world.inspect().route(order).len()),
            ),
            ("portals taken by the search", grouped(taken)),
            (
                "work of the order",
                format!("{} cells", grouped(work as usize)),
            ),
            ("orders", size(order_bytes)),
        ]);
    }
    figures.push(("state hash", format!("{:016x}", world.state_hash())));
    figures
}

/// What the order says at the first starts, in words.
fn explanations(world: &FlowWorld, order: Option<&Order>, asked: &Asked) -> Vec<String> {
    let starts = asked.from.iter().take(EXPLAINED);
    let explained = order.map(|order| starts.map(|&cell| explain(world, order, cell).to_string()));
    explained.into_iter().flatten().collect()
}
