//! Pictures of worlds, orders and armies, drawn as the command draws them.

use flowtiles::inspect::{Detail, Overlay, Scale, Subject, draw};
use flowtiles::{CellRect, FlowWorld, Order};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::Fault;
use crate::support::drawing::seen::keep_what_is_seen;
use crate::support::drawing::sheet::Sheet;
use crate::world::check_on;

/// The pixels along the longer side of a map, about.
const SIDE: u32 = 720;
/// The most pixels of a cell's side.
const ROOMY: u32 = 24;

pub(crate) const OF_MAP: [Overlay; 3] = [Overlay::Cost, Overlay::Sectors, Overlay::Portals];
pub(crate) const OF_ORDER: [Overlay; 6] = [
    Overlay::Cost,
    Overlay::Loaded,
    Overlay::Sectors,
    Overlay::Flow,
    Overlay::Paths,
    Overlay::Units,
];

/// Names of what is drawn.
pub(crate) struct Layers(Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Layers {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = given.cast::<PyString>() {
            let text = format!(
                "`layers` is one name: give a list, as in [{}]",
                name.repr()?
            );
            return Err(Fault::argument(text).into());
        }
        given.extract().map(Self)
    }
}

/// Reads names of layers, or takes the usual ones.
pub(crate) fn layers(names: Option<Layers>, usual: &[Overlay]) -> Result<Vec<Overlay>, Fault> {
    let Some(Layers(names)) = names else {
        return Ok(usual.to_vec());
    };
    let layers = names.iter().map(|name| name.parse::<Overlay>());
    layers.collect::<Result<_, _>>().map_err(Fault::argument)
}

/// Draws a part of the map, and orders and units on it.
pub(crate) fn png(
    world: &FlowWorld,
    orders: &[Order],
    units: &[[f32; 2]],
    area: CellRect,
    layers: &[Overlay],
) -> Result<Vec<u8>, Fault> {
    check_on(world.costs(), area)?;
    if area.is_empty() {
        return Err(Fault::argument(format!(
            "{area} has no cell: give one that has"
        )));
    }
    let longer = area.width.max(area.height);
    let scale = match SIDE / longer {
        0 => Scale::CellsPerPixel(longer.div_ceil(SIDE)),
        pixels => Scale::PixelsPerCell(pixels.min(ROOMY)),
    };
    let subject = Subject::of(world).with_orders(orders).with_units(units);
    let mut list = draw(&subject, area, layers, Detail::for_scale(scale));
    keep_what_is_seen(&mut list);
    let sheet = Sheet::new(&list, scale, "");
    let picture = sheet.to_picture().to_png();
    picture.map_err(|error| Fault::state(format!("the picture cannot be written: {error}")))
}
