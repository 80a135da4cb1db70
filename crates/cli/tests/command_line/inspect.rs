//! `flowtiles inspect` as a process: its first line, its end, its refusals.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::command::Folder;

/// A running inspector and its address.
struct Running {
    child: Child,
    address: String,
}

impl Running {
    fn begin(folder: &Folder, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_flowtiles"))
            .arg("inspect")
            .args(arguments)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command runs");
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("its answers");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let address = line
            .strip_prefix("http://")
            .and_then(|rest| rest.strip_suffix("/\n"));
        let address = address.expect("the first line is the address").to_owned();
        Self { child, address }
    }

    fn get(&self, path: &str) -> String {
        let mut socket = TcpStream::connect(&self.address).expect("it listens");
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        );
        socket.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        socket.read_to_string(&mut answer).expect("it answers");
        answer
    }
}

#[test]
fn it_serves_a_map_and_ends_when_it_is_told_to() {
    let folder = Folder::new("inspect-serves");
    folder.write(
        "small.map",
        "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n",
    );
    for signal in ["-TERM", "-INT"] {
        let mut running = Running::begin(&folder, &["small.map", "--port", "0"]);
        assert!(running.address.starts_with("127.0.0.1:"));
        assert!(
            running
                .get("/")
                .contains("<title>flowtiles inspector</title>")
        );
        let map = running.get("/file/map");
        assert!(map.ends_with("map\n....\n.@@.\n....\n"), "{map}");
        assert!(
            running
                .get("/file/nothing")
                .contains("\r\nx-refused: yes\r\n")
        );
        let told = Command::new("kill")
            .args([signal, &running.child.id().to_string()])
            .status();
        assert!(told.expect("a signal").success());
        let ended = running.child.wait().expect("it ends");
        assert_eq!(ended.code(), Some(0), "{signal}");
        assert!(TcpStream::connect(&running.address).is_err());
    }
}

#[test]
fn it_ends_by_itself_after_the_time_given() {
    let folder = Folder::new("inspect-ends");
    folder.write("small.map", "type octile\nheight 1\nwidth 2\nmap\n..\n");
    let run = folder.run(&["inspect", "small.map", "--port", "0", "--for", "0.1"]);
    assert!(run.answer().starts_with("http://127.0.0.1:"));
}

#[test]
fn bad_maps_ports_and_addresses_are_told() {
    let folder = Folder::new("inspect-refuses");
    folder.write("bad.map", "type octile\nheight 1\nwidth 2\nmap\n.x\n");
    folder.write("small.map", "type octile\nheight 1\nwidth 2\nmap\n..\n");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("its number").port().to_string();
    for (arguments, told) in [
        (
            &["inspect", "bad.map", "--port", "0"][..],
            "bad.map: line 5",
        ),
        (&["inspect", "missing.map", "--port", "0"], "missing.map"),
        (&["inspect", "small.map", "--port", &port], "--port 0"),
        // The address is bound before the file is read or a country drawn.
        (&["inspect", "missing.map", "--port", &port], "--port 0"),
        (
            &["inspect", "missing.map", "--listen", "0.0.0.0"],
            "--allow-remote",
        ),
        (
            &["inspect", "small.map", "--listen", "0.0.0.0"],
            "--allow-remote",
        ),
        (&["inspect", "small.map", "--for=-1"], "--for -1"),
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(told), "{arguments:?}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
}

#[test]
fn it_opens_maps_of_every_format_worlds_and_replays() {
    let folder = Folder::new("inspect-opens");
    let rows = "........\n.@@...@.\n..@.....\n";
    folder.write(
        "small.map",
        format!("type octile\nheight 3\nwidth 8\nmap\n{rows}"),
    );
    let mut names = vec!["small.map".to_owned()];
    for format in ["txt", "flow", "png", "tmx", "tmj"] {
        let name = format!("small.{format}");
        folder.run(&["convert", "small.map", &name]).answer();
        names.push(name);
    }
    let end = |mut running: Running| {
        running.child.kill().expect("it ends");
        running.child.wait().expect("it has ended");
    };
    for name in &names {
        let running = Running::begin(&folder, &[name, "--port", "0"]);
        let map = running.get("/file/map");
        assert!(map.ends_with(&format!("map\n{rows}")), "{name}: {map}");
        end(running);
    }
    let letters = folder.path().join("letters.map");
    std::fs::write(letters, "type octile\nheight 1\nwidth 2\nmap\n.Q\n").expect("a file");
    let priced = ["letters.map", "--cost", "Q=3", "--port", "0"];
    let running = Running::begin(&folder, &priced);
    assert!(running.get("/file/map").ends_with("map\n.S\n"));
    end(running);

    let world = flowtiles::FlowWorld::new(flowtiles::CostMap::open(5, 4).expect("a map"));
    std::fs::write(folder.path().join("a.world"), world.save()).expect("a file");
    let running = Running::begin(&folder, &["a.world", "--port", "0"]);
    let map = running.get("/file/map");
    assert!(map.ends_with("map\n.....\n.....\n.....\n.....\n"), "{map}");
    end(running);
}

#[test]
fn session_is_saved_verified_and_opened_again() {
    let folder = Folder::new("inspect-session");
    folder.write(
        "small.map",
        "type octile\nheight 3\nwidth 8\nmap\n........\n.@@...@.\n..@.....\n",
    );
    let end = |mut running: Running| {
        running.child.kill().expect("it ends");
        running.child.wait().expect("it has ended");
    };
    let running = Running::begin(&folder, &["small.map", "--port", "0"]);
    let answer = running.get("/file/replay");
    end(running);
    let (head, text) = answer.split_once("\r\n\r\n").expect("a body");
    assert!(head.contains("filename=\"flowtiles.replay\""), "{head}");
    let begin = "{\"flowtiles\":\"session\",\"version\":1}\n{\"start\":{\"costs\":[\"small.map\",";
    assert!(text.starts_with(begin), "{text}");
    folder.write("a.replay", text);
    let told = folder.run(&["verify", "a.replay"]);
    assert!(
        told.answer()
            .contains("a.replay: a session, as recorded in 2 checks")
    );

    let running = Running::begin(&folder, &["a.replay", "--port", "0"]);
    let map = running.get("/file/map");
    assert!(
        map.ends_with("map\n........\n.@@...@.\n..@.....\n"),
        "{map}"
    );
    end(running);

    folder.write("cut.replay", &text[..text.len() - 30]);
    folder.write("edited.replay", text.replace("small.map", "large.map"));
    for command in ["verify", "inspect"] {
        for (name, told) in [
            ("cut.replay", "cut.replay: line "),
            ("edited.replay", "edited.replay: lines 1 to "),
        ] {
            let run = folder.run(&[command, name]);
            assert_eq!(run.code, Some(2), "{command} {name}: {}", run.stderr);
            assert!(run.stderr.contains(told), "{command}: {}", run.stderr);
            assert!(
                run.stderr.contains("another copy"),
                "{command}: {}",
                run.stderr
            );
        }
    }
}
