//! A client of the inspector written by hand: HTTP and WebSocket over a socket,
//! so that code other than the server's own reads its answers.

#![allow(dead_code, reason = "each test and example uses a part of it")]

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// The answer to a request.
pub struct Answer {
    /// The status code.
    pub code: u16,
    /// The lines before the body.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

/// Sends a request with these header lines and reads the whole answer.
pub fn ask(address: SocketAddr, line: &str, headers: &[&str], body: &[u8]) -> io::Result<Answer> {
    let mut socket = TcpStream::connect(address)?;
    socket.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut head = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    if !body.is_empty() {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    head.push_str("\r\n");
    socket.write_all(head.as_bytes())?;
    // A server that refuses may have stopped reading.
    let _ = socket.write_all(body);
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        match socket.read(&mut part) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(&part[..count]),
            Err(_) if !bytes.is_empty() => break,
            Err(error) => return Err(error),
        }
    }
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.ok_or_else(|| io::Error::other("no end of the head"))?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let code = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    Ok(Answer {
        code: code.ok_or_else(|| io::Error::other("no code"))?,
        head,
        body: bytes[end + 4..].to_vec(),
    })
}

/// A connected page.
pub struct Page {
    socket: TcpStream,
}

impl Page {
    /// Connects a page.
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        let host = format!("Host: {address}");
        let origin = format!("Origin: http://{address}");
        Self::open_with(address, &[&host, &origin])
            .map_err(|answer| io::Error::other(format!("refused with {answer}")))
    }

    /// Connects a page with these headers; the error is the status code of a
    /// refusal.
    pub fn open_with(address: SocketAddr, headers: &[&str]) -> Result<Self, u16> {
        let mut socket = TcpStream::connect(address).map_err(|_| 0u16)?;
        let timeout = Some(Duration::from_secs(30));
        socket.set_read_timeout(timeout).map_err(|_| 0u16)?;
        let mut head = String::from(
            "GET /live HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        );
        for header in headers {
            head.push_str(header);
            head.push_str("\r\n");
        }
        head.push_str("\r\n");
        socket.write_all(head.as_bytes()).map_err(|_| 0u16)?;
        let mut answer = Vec::new();
        let mut byte = [0];
        while !answer.ends_with(b"\r\n\r\n") {
            socket.read_exact(&mut byte).map_err(|_| 0u16)?;
            answer.push(byte[0]);
        }
        let text = String::from_utf8_lossy(&answer);
        let code = text.split(' ').nth(1).and_then(|code| code.parse().ok());
        match code {
            // The standard gives this answer to the key of its own example.
            Some(101) if text.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") => Ok(Self { socket }),
            other => Err(other.unwrap_or(0)),
        }
    }

    /// Sends a message.
    pub fn say(&mut self, message: &[u8]) -> io::Result<()> {
        let mut frame = vec![0x82];
        match message.len() {
            length @ 0..126 => frame.push(0x80 | length as u8),
            length @ 126..65_536 => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        // A mask of zeros is allowed.
        frame.extend([0; 4]);
        frame.extend_from_slice(message);
        self.socket.write_all(&frame)
    }

    /// Returns the next message; `None` once the server has closed.
    pub fn hear(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut head = [0; 2];
        if self.socket.read_exact(&mut head).is_err() {
            return Ok(None);
        }
        let length = match head[1] & 127 {
            126 => {
                let mut long = [0; 2];
                self.socket.read_exact(&mut long)?;
                u64::from(u16::from_be_bytes(long))
            }
            127 => {
                let mut long = [0; 8];
                self.socket.read_exact(&mut long)?;
                u64::from_be_bytes(long)
            }
            short => u64::from(short),
        };
        let mut payload = vec![0; length as usize];
        self.socket.read_exact(&mut payload)?;
        match head[0] & 15 {
            2 => Ok(Some(payload)),
            8 => Ok(None),
            other => Err(io::Error::other(format!("a frame of kind {other}"))),
        }
    }

    /// Returns the next message of a kind and skips the others.
    pub fn hear_kind(&mut self, kind: u8) -> io::Result<Vec<u8>> {
        loop {
            match self.hear()? {
                Some(message) if message.first() == Some(&kind) => return Ok(message),
                Some(_) => {}
                None => return Err(io::Error::other("the server has closed")),
            }
        }
    }

    /// Shows an area, at level 0, with these layers of the view, of the world's ground.
    pub fn look(&mut self, area: [u32; 4], layers: u32) -> io::Result<()> {
        self.look_on(area, layers, (0, 0))
    }

    /// Shows an area, at level 0, with these layers of the view, of the world's layer with this
    /// number, as this team sees it.
    pub fn look_on(
        &mut self,
        area: [u32; 4],
        layers: u32,
        (number, team): (u16, u8),
    ) -> io::Result<()> {
        let mut message = vec![1];
        for number in area {
            message.extend(number.to_le_bytes());
        }
        message.push(0);
        message.extend(layers.to_le_bytes());
        message.extend(u64::MAX.to_le_bytes());
        message.extend(number.to_le_bytes());
        message.push(team);
        self.say(&message)
    }
}
