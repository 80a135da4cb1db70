//! A visitor of the inspector's page: it connects, looks, reads, and goes.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long it waits for an answer.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How long nothing comes before it goes.
const IDLE: Duration = Duration::from_millis(40);
/// The bytes after which it goes at the latest.
const READ_MAX: usize = 100_000;

/// One that visits on a thread of its own, while the battle goes on.
#[derive(Default)]
pub struct Visitor(Option<JoinHandle<io::Result<()>>>);

impl Visitor {
    /// Waits for the end of the last visit, and begins the next; returns the number of visits
    /// begun.
    pub fn visit(&mut self, address: SocketAddr) -> Result<u64, String> {
        self.end()?;
        self.0 = Some(thread::spawn(move || visit(address)));
        Ok(1)
    }

    fn end(&mut self) -> Result<(), String> {
        let Some(visit) = self.0.take() else {
            return Ok(());
        };
        let visit = visit.join().map_err(|_| "the visitor panics".to_owned())?;
        visit.map_err(|error| format!("a visit to the inspector's page fails: {error}"))
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        // The battle is over; its result is known.
        let _ = self.end();
    }
}

fn visit(address: SocketAddr) -> io::Result<()> {
    let mut socket = TcpStream::connect(address)?;
    socket.set_read_timeout(Some(TIMEOUT))?;
    let head = format!(
        "GET /live HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
         Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    socket.write_all(head.as_bytes())?;
    let mut byte = [0];
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        socket.read_exact(&mut byte)?;
        answer.push(byte[0]);
    }
    if !answer.starts_with(b"HTTP/1.1 101") {
        return Err(io::Error::other(String::from_utf8_lossy(&answer)));
    }
    // It looks at the north-western sectors, with all layers, in a frame with a mask of zeros.
    let area = [0, 0, 100, 100];
    let look = format!(
        r#"{{"view":{{"area":{area:?},"level":0,"layers":2047,"order":null,"on":{{"number":0}}}}}}"#
    );
    socket.write_all(&[0x81, 0x80 | look.len() as u8, 0, 0, 0, 0])?;
    socket.write_all(look.as_bytes())?;
    // The world is sent at once, and more as the battle goes on.
    let (mut read, mut part) = (0, [0; 4096]);
    while read < READ_MAX {
        match socket.read(&mut part) {
            Ok(0) => break,
            Ok(count) => {
                read += count;
                socket.set_read_timeout(Some(IDLE))?;
            }
            Err(_) if read > 0 => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
