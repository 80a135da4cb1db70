//! `flowtiles inspect` as a process: its first line, its end, its refusals.

use std::collections::BTreeSet;
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
        let address = &self.address;
        let mut socket = TcpStream::connect(address).expect("it listens");
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        socket.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        socket.read_to_string(&mut answer).expect("it answers");
        answer
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        _ = self.child.kill();
        _ = self.child.wait();
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
fn pages_get_sessions_of_their_own_up_to_eight() {
    let folder = Folder::new("inspect-own");
    folder.write("small.txt", "...#..\n");
    let mut running = Running::begin(&folder, &["small.txt", "--port", "0"]);
    let own = |_| {
        let answer = running.get("/file/own");
        let (_, number) = answer.rsplit_once("\r\n\r\n").expect("a body");
        format!("?own={}", number.parse::<u32>().expect(number))
    };
    for own in (0..8).map(own).collect::<BTreeSet<_>>() {
        let map = running.get(&format!("/file/map{own}"));
        assert!(map.ends_with("map\n...@..\n"), "{map}");
    }
    let ninth = running.get("/file/own");
    assert!(ninth.contains("x-refused"), "{ninth}");
    assert!(ninth.ends_with("close one of them\n"), "{ninth}");
    let told = Command::new("kill")
        .args(["-TERM", &running.child.id().to_string()])
        .status();
    assert!(told.expect("a signal").success());
    assert_eq!(running.child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn port_that_is_taken_is_told_before_anything_is_read() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("its number").port().to_string();
    let line = ["inspect", "missing.map", "--port", &port];
    let run = Folder::new("inspect-taken").run(&line);
    assert_eq!((run.code, &*run.stdout), (Some(2), ""));
    assert!(run.stderr.contains("--port 0"), "{}", run.stderr);
}

const ROWS: &str = "........\n.@@...@.\n..@.....\n";

#[test]
fn it_opens_maps_and_worlds() {
    let folder = Folder::new("inspect-opens");
    folder.write("small.txt", ROWS.replace('@', "#"));
    folder.run(&["convert", "small.txt", "small.png"]).answer();
    folder.write("letters.map", "type octile\nheight 1\nwidth 2\nmap\n.Q\n");
    let world = flowtiles::FlowWorld::new(flowtiles::CostMap::open(5, 2).expect("a map"));
    folder.write("a.world", world.save());
    for (arguments, rows) in [
        (&["small.txt"][..], ROWS),
        (&["small.png"], ROWS),
        (&["letters.map", "--cost", "Q=3"], ".S\n"),
        (&["a.world"], ".....\n.....\n"),
    ] {
        let running = Running::begin(&folder, &[arguments, &["--port", "0"]].concat());
        let map = running.get("/file/map");
        assert!(map.ends_with(&format!("map\n{rows}")), "{map}");
    }
}

#[test]
fn session_is_saved_verified_and_opened_again() {
    let folder = Folder::new("inspect-session");
    folder.write("small.txt", ROWS.replace('@', "#"));
    let answer = Running::begin(&folder, &["small.txt", "--port", "0"]).get("/file/replay");
    let (head, text) = answer.split_once("\r\n\r\n").expect("a body");
    assert!(head.contains("filename=\"flowtiles.replay\""), "{head}");
    let begin = "{\"flowtiles\":\"session\",\"version\":1}\n{\"start\":{\"costs\":[\"small.txt\",";
    assert!(text.starts_with(begin), "{text}");
    folder.write("a.replay", text);
    let told = folder.run(&["verify", "a.replay"]).answer();
    let same = "a.replay: a session, as recorded in 2 checks";
    assert!(told.contains(same), "{told}");
    let map = Running::begin(&folder, &["a.replay", "--port", "0"]).get("/file/map");
    assert!(map.ends_with(&format!("map\n{ROWS}")), "{map}");

    folder.write("cut.replay", &text[..text.len() - 30]);
    folder.write("edited.replay", text.replace("small.txt", "large.txt"));
    for command in ["verify", "inspect"] {
        for (name, told) in [
            ("cut.replay", "cut.replay: line "),
            ("edited.replay", "edited.replay: lines 1 to "),
        ] {
            let run = folder.run(&[command, name]);
            assert_eq!(run.code, Some(2), "{command} {name}: {}", run.stderr);
            let is_told = run.stderr.contains(told) && run.stderr.contains("another copy");
            assert!(is_told, "{command}: {}", run.stderr);
        }
    }
}
