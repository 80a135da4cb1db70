//! Where each unit was in each tick, in the text format of PedPy and JuPedSim.

use std::fmt::Write;

use super::run::{Gauge, Run};
use crate::support::figures::Figures;

/// The text: `# framerate: N`, then a line `id frame x y` for each unit and tick, in metres.
/// The y axis points south, as on the map.
#[derive(Default)]
pub struct Trajectories {
    pub text: String,
}

impl Gauge for Trajectories {
    fn observe(&mut self, run: &Run<'_>) {
        // Writing into a string cannot fail.
        if self.text.is_empty() {
            let rate = run.scene.rate;
            let _ = write!(self.text, "# framerate: {rate}\n# id frame x/m y/m\n");
        }
        for unit in run.play.army.units() {
            let [x, y] = unit.position.map(|at| at * run.scene.metres);
            let _ = writeln!(self.text, "{} {} {x:.4} {y:.4}", unit.id, run.play.tick);
        }
    }

    fn finish(&mut self, _: &Run<'_>) -> Figures {
        Figures::default()
    }
}
