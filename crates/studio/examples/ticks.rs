//! Prints the milliseconds of a tick of a session in which many units march: what
//! `.ci/page_drive/ticks.mjs` compares with the same session as wasm.

use std::time::{Duration, Instant};

use flowtiles_studio::{Answered, Clock, Host, Play, Session, Start};

/// The messages of a page: a map of 400×400 open cells, units, all selected, sent away.
fn messages(units: u32) -> [String; 4] {
    let map = r#""new":{"kind":0,"width":400,"height":400,"seed":3,"has_army":false}"#;
    let place = format!(r#""place":{{"cell":[100,100],"count":{units}}}"#);
    [
        map,
        &place,
        r#""select":[0,0,400,400]"#,
        r#""send":[350,350]"#,
    ]
    .map(|request| format!(r#"{{"request":{{{request}}}}}"#))
}

fn main() -> Result<(), String> {
    let units = std::env::args()
        .nth(1)
        .map_or(Ok(5_000), |number| number.parse());
    let units = units.map_err(|error| format!("the number of units: {error}"))?;
    let start = Start::Country(8);
    let play = Box::new(Play::begin(&start)?);
    let host = Host {
        clock: Clock::default(),
        read_map: |_, _| Err("no file".to_owned()),
    };
    let view = flowtiles_inspector::View::studio();
    let page = view.connect(|| {}).ok_or("the only page")?;
    let mut session = Session::new(view, Answered::Opened(start, play), host);
    let tick = Duration::from_millis(50);
    let mut picture = || {
        if let Some(start) = session.wanted() {
            let play = Play::begin(&start);
            session.made(start, play);
        }
        session.picture(tick);
        while page.take().is_some() {}
    };
    for message in messages(units) {
        page.receive(message.as_bytes());
        picture();
    }
    (0..20).for_each(|_| picture());
    let begin = Instant::now();
    (0..100).for_each(|_| picture());
    println!("{:.3}", begin.elapsed().as_secs_f64() * 10.0);
    Ok(())
}
