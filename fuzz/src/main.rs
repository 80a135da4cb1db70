//! The driver: draws inputs, and shrinks those that fail.
//!
//! ```text
//! flowtiles-fuzz TARGET|all [--seconds N] [--seed S] [--corpus DIR]
//! flowtiles-fuzz TARGET FILE     one input, and what it means
//! flowtiles-fuzz seeds DIR       writes the inputs to begin with, for cargo-fuzz
//! ```

#[path = "../../tests/draws/tries.rs"]
mod tries;

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use flowtiles::inspect::Digest;
use flowtiles_fuzz::{Changes, TARGETS, Target, corpus, print_all, seeds};
// cargo-fuzz instruments this program too, and what the instruments call is in libFuzzer.
#[cfg(feature = "libfuzzer")]
use libfuzzer_sys as _;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most memory that an input may take, in bytes.
const MEMORY_MAX: usize = 1 << 29;
/// The longest that an input may take.
const LONGEST: Duration = Duration::from_secs(10);
/// The longest that an input is shrunk.
const SHRINKING: Duration = Duration::from_secs(20);
const FUZZ: &str = env!("CARGO_MANIFEST_DIR");

/// The input that is being tried, and since when.
static TRIED: Mutex<Option<(Instant, PathBuf)>> = Mutex::new(None);

/// How an input fails: where, and in words.
type Failure = (String, String);

/// Runs an input. Returns how it fails.
fn fault_of(target: Target, data: &[u8]) -> Option<Failure> {
    MEMORY.reset_peak_usage();
    let (before, begun) = (MEMORY.current_usage(), Instant::now());
    let fault = tries::fault_of(false, || (target.1)(data));
    let taken = MEMORY.peak_usage().saturating_sub(before);
    match fault {
        Some(fault) => Some((fault.place.clone(), fault.words().to_owned())),
        None if taken > MEMORY_MAX => {
            Some(("memory".to_owned(), format!("it takes {} MB", taken >> 20)))
        }
        None if begun.elapsed() > LONGEST => {
            Some(("time".to_owned(), format!("it takes {:?}", begun.elapsed())))
        }
        None => None,
    }
}

/// Cuts blocks out and makes bytes 0, as long as the input fails in the same place.
fn shrunk(target: Target, data: Vec<u8>, place: &str) -> Vec<u8> {
    let until = Instant::now() + SHRINKING;
    tries::plainest(data, |data| {
        Instant::now() < until && fault_of(target, data).is_some_and(|(at, _)| at == place)
    })
}

/// Writes a failing input, and says how to run it again.
fn report(target: Target, data: &[u8], (place, words): &Failure) -> Result<(), Box<dyn Error>> {
    let mut digest = Digest::new();
    digest.bytes(data);
    let path = PathBuf::from(FUZZ).join(format!(
        "failures/{}-{:08x}",
        target.0,
        digest.finish() as u32
    ));
    fs::write(&path, data)?;
    println!("{} FAILS at {place}: {words}", target.0);
    println!(
        "  {} bytes, to be run again, with what they mean, by",
        data.len()
    );
    println!(
        "  cargo run -p flowtiles-fuzz --release -- {} {}",
        target.0,
        path.display()
    );
    Ok(())
}

/// Names the file or folder in an error.
fn at<T>(path: &Path, result: std::io::Result<T>) -> Result<T, String> {
    result.map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads the inputs in a folder.
fn files_in(folder: &Path) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut paths = at(folder, fs::read_dir(folder))?
        .map(|file| Ok(file?.path()))
        .collect::<Result<Vec<_>, std::io::Error>>()?;
    paths.sort();
    paths
        .iter()
        .map(|path| Ok(at(path, fs::read(path))?))
        .collect()
}

/// Runs a target for a while. Returns the number of failures in different places.
fn fuzz(
    target: Target,
    time: Duration,
    seed: u64,
    corpus: Vec<Vec<u8>>,
) -> Result<usize, Box<dyn Error>> {
    fs::create_dir_all(PathBuf::from(FUZZ).join("failures"))?;
    // The input is in a file, for one that ends the process or never ends.
    let running = PathBuf::from(FUZZ).join(format!("failures/{}-running", target.0));
    let (begun, mut tried, mut places) = (Instant::now(), 0_u64, BTreeSet::new());
    for data in corpus.clone().into_iter().chain(Changes::new(seed, corpus)) {
        if begun.elapsed() > time {
            break;
        }
        fs::write(&running, &data)?;
        *TRIED.lock()? = Some((Instant::now(), running.clone()));
        tried += 1;
        let Some(failure) = fault_of(target, &data) else {
            continue;
        };
        // Shrinking has its own limit, but for an input that never ends.
        *TRIED.lock()? = Some((Instant::now() + SHRINKING, running.clone()));
        if places.insert(failure.0.clone()) {
            let data = shrunk(target, data, &failure.0);
            let failure = fault_of(target, &data).unwrap_or(failure);
            report(target, &data, &failure)?;
        }
    }
    *TRIED.lock()? = None;
    fs::remove_file(running)?;
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{}: {tried} inputs in {seconds:.0} s, {:.0} a second; {} fail",
        target.0,
        tried as f64 / seconds,
        places.len()
    );
    Ok(places.len())
}

/// Ends the process when an input does not end.
fn watch() {
    thread::spawn(|| {
        loop {
            thread::sleep(Duration::from_secs(1));
            let tried = TRIED.lock().ok().and_then(|tried| tried.clone());
            if let Some((_, path)) = tried.filter(|(since, _)| since.elapsed() > 3 * LONGEST) {
                let path = path.display();
                println!("HANGS, or is shrunk without an end; copy it before the next run: {path}");
                std::process::exit(1);
            }
        }
    });
}

fn write_seeds(folder: &Path) -> Result<(), Box<dyn Error>> {
    for (name, ..) in TARGETS {
        let folder = folder.join(name);
        at(&folder, fs::create_dir_all(&folder))?;
        for (file, bytes) in seeds(name) {
            let file = folder.join(file);
            at(&file, fs::write(&file, bytes))?;
        }
    }
    Ok(())
}

/// What was asked for, after the target.
struct Asked {
    seconds: u64,
    seed: u64,
    corpus: Option<PathBuf>,
    /// One input to be run alone.
    file: Option<PathBuf>,
}

impl Asked {
    fn of(words: &[String]) -> Result<Self, String> {
        let mut asked = Self {
            seconds: 10,
            seed: 0,
            corpus: None,
            file: None,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            let number = |value: &String| {
                let parsed = value.parse();
                parsed.map_err(|error| format!("{word} {value}: {error}; give a whole number"))
            };
            match word.as_str() {
                "--seconds" => asked.seconds = number(value()?)?,
                "--seed" => asked.seed = number(value()?)?,
                "--corpus" => asked.corpus = Some(value()?.into()),
                _ if !word.starts_with('-') && asked.file.is_none() => {
                    asked.file = Some(word.into());
                }
                _ => {
                    return Err(format!(
                        "unknown option {word}; expected --seconds, --seed or --corpus"
                    ));
                }
            }
        }
        Ok(asked)
    }
}

fn run(words: &[String]) -> Result<usize, Box<dyn Error>> {
    let name = words.first().map_or("", String::as_str);
    if let [name, folder] = words
        && name == "seeds"
    {
        return write_seeds(Path::new(folder)).map(|()| 0);
    }
    let chosen: Vec<Target> = TARGETS
        .into_iter()
        .filter(|target| [target.0, "all"].contains(&name))
        .collect();
    if chosen.is_empty() {
        let targets = TARGETS
            .map(|(name, _, what)| format!("  {name:9} {what}\n"))
            .concat();
        return Err(format!(
            "give a target or `all`, and --seconds N for each target, --seed S, --corpus DIR; or a \
             target and a file, to run that alone; or `seeds DIR`, to write the inputs to begin \
             with\n{targets}"
        )
        .into());
    }
    let asked = Asked::of(&words[1..])?;
    if let Some(file) = asked.file {
        let [target] = chosen[..] else {
            return Err("give one target to a file, not `all`".into());
        };
        print_all();
        let fault = fault_of(target, &at(&file, fs::read(&file))?);
        if let Some((place, words)) = &fault {
            println!("FAILS at {place}: {words}");
        }
        return Ok(usize::from(fault.is_some()));
    }
    watch();
    let mut failed = 0;
    for target in chosen {
        let corpus = match &asked.corpus {
            Some(folder) => files_in(folder)?,
            None => corpus(target.0),
        };
        let time = Duration::from_secs(asked.seconds);
        failed += fuzz(target, time, asked.seed, corpus)?;
    }
    Ok(failed)
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    match run(&words) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
