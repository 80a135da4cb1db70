//! Separate processes: each engine runs on each map in its own, so that a panic
//! or an endless loop ends only this run and is counted.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::course::{Course, print};
use crate::engines;
use crate::figures::Figures;
use crate::task::Task;

/// The argument that makes this program a child.
pub const FLAG: &str = "--child";

/// Runs one engine on one map, as the child, and prints what it measures.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let [engine, map, seconds] = arguments else {
        return Err(format!("{FLAG} wants an engine, a map and seconds"));
    };
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.payload_as_str().unwrap_or("without a message");
        print(format_args!("panic {}", text.replace('\n', " ")));
    }));
    let card = engines::find(engine).ok_or_else(|| format!("no engine is called {engine}"))?;
    let seconds = seconds.parse().map_err(|_| "seconds are a number")?;
    let mut course = Course::new(Task::new(map)?, Duration::from_secs(seconds));
    if let Err(reason) = (card.run)(&mut course) {
        print(format_args!("refused {reason}"));
    }
    Ok(())
}

/// Starts a child, reads what it prints, and ends it if it takes too long.
pub fn measure(engine: &str, map: &str, limit: Duration) -> Result<Figures, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .args([FLAG, engine, map, &limit.as_secs().to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let (sender, receiver) = channel();
    let reader = thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    // The limit is generous: a child that keeps its own limit may still need
    // long for a single task.
    let end = Instant::now() + limit * 2 + Duration::from_secs(40);
    let mut figures = Figures::default();
    loop {
        match receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) => figures.take(&line),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                figures.cut_off = true;
                let _ = child.kill();
                break;
            }
        }
    }
    let _ = child.wait();
    let _ = reader.join();
    Ok(figures)
}
