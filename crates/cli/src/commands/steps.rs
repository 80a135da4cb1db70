//! `flowtiles steps`: an order being made, step by step, as an animation or as
//! data.

use std::io::Write;
use std::path::PathBuf;

use flowtiles::inspect::{DrawList, Overlay, Step, StepStage, draw_step, free, steps};
use flowtiles::{Budget, Cell, CostMap, FlowWorld, Order};
use flowtiles_country::numbers::grouped;
use flowtiles_country::picture::Picture;

use crate::support::animation::{Frame, to_gif};
use crate::support::asked::{Asked, refusal};
use crate::support::drawing::seen::keep_what_is_seen;
use crate::support::drawing::sheet::{Sheet, align};
use crate::support::failure::Failure;
use crate::support::numbers::whole;
use crate::support::output::progress;
use crate::support::pictured::{Opened, Pictured, drawn, write_picture};
use crate::support::viewport::{Shown, check_ending};

/// The approximate pixels along the longer side, unless a scale is given.
const SIDE: u32 = 600;
/// Hundredths of a second that a step is shown, and the pictures at the end.
const STEP: u16 = 14;
const REST: u16 = 160;
/// The most pixels of all pictures together.
const PIXELS_MAX: usize = 400_000_000;

/// Watch an order being made: the search grows, sectors are loaded and settled,
/// the field stands, the sectors are freed
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pictured: Pictured,
    /// The approximate number of steps, each with the same work
    #[arg(long, default_value_t = 60, value_parser = whole(1_u32, 1000))]
    steps: u32,
    /// An animation (.gif), or the steps as data (.json)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Arguments {
        pictured, output, ..
    } = arguments;
    let asked = &pictured.asked;
    let kind = check_ending(output, &["gif", "json"])?;
    let Opened {
        costs,
        shown,
        title,
    } = pictured.open(SIDE, output)?;
    let mut film = OrderFilm::of(asked, costs, arguments.steps)?;
    let bytes = match kind {
        "gif" => film.gif(asked, shown, &title)?,
        _ => film.json().into_bytes(),
    };
    write_picture(output, &bytes)?;
    let cells = film.steps.last().map_or(0, |step| step.cells);
    writeln!(
        out,
        "{}: {} steps, {} cells of work, {} portals taken, {} sectors loaded",
        output.display(),
        film.steps.len(),
        grouped(cells as usize),
        grouped(film.count(|step| step.taken.len())),
        grouped(film.count(|step| step.loaded.len())),
    )?;
    asked.report_cut_off(&film.world, out)?;
    Ok(())
}

/// An order that was watched.
struct OrderFilm {
    world: FlowWorld,
    order: Option<Order>,
    steps: Vec<Step>,
}

impl OrderFilm {
    /// Makes an order once to measure its work, and once more in this many
    /// steps.
    fn of(asked: &Asked, costs: CostMap, count: u32) -> Result<Self, Failure> {
        let mut world = FlowWorld::new(costs);
        let (Some(order), Some(goal)) = (asked.order(&mut world)?, asked.goal) else {
            return Err(Failure::Input(
                "there is no order to watch: give --goal X,Y and --from X,Y".to_owned(),
            ));
        };
        let work = world.tick(Budget::UNLIMITED).cells;
        free(&mut world, order);
        let served: Vec<Cell> = asked.served(&world);
        let pace = work.div_ceil(u64::from(count)).max(1);
        let (order, steps) = steps(&mut world, goal, &served, pace).map_err(refusal)?;
        Ok(Self {
            world,
            order: Some(order),
            steps,
        })
    }

    fn count(&self, amount: impl Fn(&Step) -> usize) -> usize {
        self.steps.iter().map(amount).sum()
    }

    /// All steps as one JSON array, a step a line.
    fn json(&mut self) -> String {
        self.free();
        let mut text = String::from("[");
        for (number, step) in self.steps.iter().enumerate() {
            text.push_str(if number > 0 { ",\n" } else { "\n" });
            // Writing to a string cannot fail.
            let _ = step.write_json(&mut text);
        }
        text.push_str("\n]\n");
        text
    }

    fn free(&mut self) {
        if let Some(order) = self.order.take() {
            let mut freed = free(&mut self.world, order);
            freed.cells += self.steps.last().map_or(0, |step| step.cells);
            self.steps.push(freed);
        }
    }

    /// Returns the pictures of all steps, and of the finished field.
    fn gif(&mut self, asked: &Asked, shown: Shown, title: &str) -> Result<Vec<u8>, Failure> {
        let mut pictures: Vec<(DrawList, String, u16)> = Vec::new();
        if let Some(order) = &self.order {
            for number in 0..self.steps.len() {
                let mut list = draw_step(
                    &self.world,
                    order,
                    &self.steps,
                    number,
                    shown.view,
                    shown.detail,
                );
                keep_what_is_seen(&mut list);
                pictures.push((list, self.caption(number), STEP));
            }
            for (layers, caption) in ENDS {
                let orders = std::slice::from_ref(order);
                let list = drawn(&self.world, orders, asked, layers, shown);
                pictures.push((list, caption.to_owned(), REST));
            }
        }
        self.free();
        if let Some(last) = self.steps.last() {
            let freed = last.freed.len();
            let list = drawn(
                &self.world,
                &[],
                asked,
                &[Overlay::Cost, Overlay::Sectors],
                shown,
            );
            let caption = format!("freed: {} sectors, with the last claim", grouped(freed));
            pictures.push((list, caption, REST));
        }
        animated(pictures, shown, title)
    }

    /// Returns the state after a step, in a line.
    fn caption(&self, number: usize) -> String {
        let step = &self.steps[number];
        let steps = &self.steps[..=number];
        let so_far = |amount: fn(&Step) -> usize| grouped(steps.iter().map(amount).sum());
        let (stage, cells) = (step.stage.name(), grouped(step.cells as usize));
        let what = match step.stage {
            StepStage::Given => "nothing is done yet".to_owned(),
            _ if so_far(|step| step.loaded.len()) == "0" => format!(
                "{} portals taken, {} seen",
                so_far(|step| step.taken.len()),
                grouped(step.frontier.len())
            ),
            _ => format!(
                "{} sectors loaded, {} settled",
                so_far(|step| step.loaded.len()),
                so_far(|step| step.settled.len())
            ),
        };
        format!("{stage}: {what}; work {cells}")
    }
}

/// The pictures of the finished field.
const ENDS: [(&[Overlay], &str); 2] = [
    (
        &[
            Overlay::Cost,
            Overlay::Integration,
            Overlay::Sectors,
            Overlay::Flow,
            Overlay::Units,
        ],
        "flow: a direction for each loaded cell",
    ),
    (
        &[
            Overlay::Cost,
            Overlay::Loaded,
            Overlay::Sight,
            Overlay::Sectors,
            Overlay::Paths,
            Overlay::Units,
        ],
        "sight: where the straight line to the goal is free, and the paths",
    ),
];

/// Pictures of one size, one after the other, each with the key to what it shows.
fn animated(
    pictures: Vec<(DrawList, String, u16)>,
    shown: Shown,
    title: &str,
) -> Result<Vec<u8>, Failure> {
    let mut sheets: Vec<Sheet<'_>> = pictures
        .iter()
        .map(|(list, caption, _)| Sheet::new(list, shown.scale, &format!("{title}\n{caption}")))
        .collect();
    align(&mut sheets);
    let pixels: usize = sheets
        .iter()
        .map(|sheet| {
            let [width, height] = sheet.size();
            width as usize * height as usize
        })
        .sum();
    if pixels > PIXELS_MAX {
        return Err(Failure::Input(format!(
            "{} pictures of {} million pixels in all are too many (at most {}): give a smaller \
             --scale, a smaller --view or fewer --steps",
            sheets.len(),
            pixels / 1_000_000,
            PIXELS_MAX / 1_000_000
        )));
    }
    let bar = progress(sheets.len() as u64, "{bar:40} {pos} of {len} steps drawn");
    let sheets = bar.wrap_iter(sheets.iter());
    let drawn: Vec<Picture> = sheets.map(Sheet::to_picture).collect();
    bar.finish_and_clear();
    let frames: Vec<Frame<'_>> = drawn
        .iter()
        .zip(&pictures)
        .map(|(picture, &(.., hundredths))| Frame {
            picture,
            hundredths,
        })
        .collect();
    Ok(to_gif(&frames)?)
}
