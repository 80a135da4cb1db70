//! A small strategy game in a window, on the public API of flowtiles alone: select units, send
//! them, build walls in their way, and meet another team in the middle of the map.
//!
//! | file | contents |
//! | --- | --- |
//! | `game` | world and army, without a window |
//! | `input` | mouse and keys, and what they do |
//! | `camera` | pixels and cells; the minimap's place |
//! | `draw`, `canvas` | the picture of a frame; its shapes and letters |
//! | `shot` | scripted input, and a PPM, for checks without a player |
//!
//! The game advances in steps of a twentieth of a second, whatever the machine does; frames
//! are drawn between two steps, as often as the display likes.

mod camera;
mod canvas;
mod draw;
mod game;
mod input;
mod shot;

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use minifb::{Key, Window, WindowOptions};

use camera::Camera;
use canvas::Canvas;
use game::{Game, MAP, STEP};
use input::{Controls, Input};

/// A result of the game; what can fail is the window, a file, or a call with bad arguments.
type Outcome<T> = Result<T, Box<dyn Error>>;

const WINDOW: [usize; 2] = [960, 640];
/// Seconds from frame to frame.
const FRAME: f32 = 1.0 / 60.0;
/// How often mouse and keys are read: a short click is over before the next frame.
const READS_A_SECOND: usize = 250;

const USAGE: &str = "usage: flowtiles-windowed [--help] [--shot FILE [--ticks N] [--keep]]
  --shot FILE  play a script for N steps (default 600), write what the window shows as a PPM
  --keep       leave the window open after that";

/// What the command line asks for.
#[derive(Default)]
struct Options {
    help: bool,
    shot: Option<String>,
    ticks: Option<u32>,
    keep: bool,
}

impl Options {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--shot" => options.shot = Some(value()?),
                "--ticks" => {
                    let value = value()?;
                    let ticks = value.parse().map_err(|_| format!("no number: {value}"))?;
                    options.ticks = Some(ticks);
                }
                "--keep" => options.keep = true,
                "--help" | "-h" => options.help = true,
                _ => return Err(format!("unknown argument: {word}")),
            }
        }
        if options.shot.is_none() && (options.keep || options.ticks.is_some()) {
            return Err("--ticks and --keep go with --shot".to_owned());
        }
        Ok(options)
    }
}

fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(fault) => {
            eprintln!("{fault}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if options.help {
        println!("{USAGE}\n\n{}", input::HELP);
        return ExitCode::SUCCESS;
    }
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Outcome<()> {
    let mut screen = Screen::open()?;
    match &options.shot {
        None => screen.play(),
        Some(path) => {
            screen.play_script(options.ticks.unwrap_or(600))?;
            shot::write_ppm(&screen.canvas, path).map_err(|error| format!("{path}: {error}"))?;
            println!("{path}: {}", screen.game.summary());
            while options.keep && screen.is_open() {
                screen.show(1.0)?;
            }
            Ok(())
        }
    }
}

/// The window and all that is behind it.
struct Screen {
    window: Window,
    canvas: Canvas,
    camera: Camera,
    controls: Controls,
    game: Game,
}

impl Screen {
    fn open() -> Outcome<Self> {
        let game = Game::new()?;
        let options = WindowOptions {
            resize: true,
            ..WindowOptions::default()
        };
        let window = Window::new("flowtiles", WINDOW[0], WINDOW[1], options);
        let mut window = window.map_err(|error| {
            format!(
                "{error}\nThe game needs a display: on Linux an X server, which DISPLAY names. \
                 Without a screen, run it under xvfb-run."
            )
        })?;
        window.set_target_fps(READS_A_SECOND);
        Ok(Self {
            window,
            canvas: Canvas::default(),
            camera: Camera::new([60.0, 100.0], MAP, WINDOW),
            controls: Controls::default(),
            game,
        })
    }

    fn is_open(&self) -> bool {
        self.window.is_open() && !self.window.is_key_down(Key::Escape)
    }

    /// Lets a player play until the window is closed.
    fn play(&mut self) -> Outcome<()> {
        let mut last = Instant::now();
        let (mut due, mut since_frame) = (0.0, FRAME);
        while self.is_open() {
            let now = Instant::now();
            let seconds = (now - last).as_secs_f32();
            last = now;
            let input = Input::of(&self.window);
            self.controls
                .apply(input, seconds, &mut self.camera, &mut self.game)?;
            // A machine that is too slow sees a slower game, not ever more steps at once.
            due = (due + seconds).min(4.0 * STEP);
            while due >= STEP {
                due -= STEP;
                self.game.step();
            }
            since_frame += seconds;
            if since_frame < FRAME {
                self.window.update();
                continue;
            }
            since_frame = 0.0;
            self.show(due / STEP)?;
        }
        Ok(())
    }

    /// Plays the script, a frame for each step.
    fn play_script(&mut self, ticks: u32) -> Outcome<()> {
        self.show(1.0)?;
        for frame in 1..=ticks {
            let input = shot::input(frame);
            self.controls
                .apply(input, STEP, &mut self.camera, &mut self.game)?;
            self.game.step();
            self.show(1.0)?;
        }
        Ok(())
    }

    /// Draws a frame, shows it, and waits for the next.
    fn show(&mut self, share: f32) -> Outcome<()> {
        let (width, height) = self.window.get_size();
        self.camera.window = [width.max(1), height.max(1)];
        let selection = self.controls.selection();
        draw::frame(&mut self.canvas, &self.camera, &self.game, share, selection);
        let [width, height] = self.canvas.size;
        self.window
            .update_with_buffer(&self.canvas.pixels, width, height)?;
        Ok(())
    }
}
