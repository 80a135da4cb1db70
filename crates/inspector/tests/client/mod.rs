//! A client of the inspector: HTTP over a socket, and pages.

#![allow(dead_code, reason = "each test and example uses a part of it")]

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Error, HandshakeError, Message, WebSocket};

/// The answer to a request.
pub struct Answer {
    /// The status code.
    pub code: u16,
    /// The lines before the body.
    pub head: String,
    /// The body.
    pub body: String,
}

fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let socket = TcpStream::connect(address)?;
    socket.set_read_timeout(Some(Duration::from_secs(30)))?;
    Ok(socket)
}

/// Sends a request with these header lines and reads the whole answer.
pub fn ask(address: SocketAddr, line: &str, headers: &[&str], body: &str) -> io::Result<Answer> {
    let mut socket = connect(address)?;
    let length = match body.len() {
        0 => String::new(),
        length => format!("Content-Length: {length}\r\n"),
    };
    let headers: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    let head = format!("{line} HTTP/1.1\r\nConnection: close\r\n{headers}{length}\r\n");
    socket.write_all(head.as_bytes())?;
    // A server that refuses may have stopped reading.
    let _ = socket.write_all(body.as_bytes());
    let mut answer = String::new();
    let read = socket.read_to_string(&mut answer);
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(|| {
        read.err()
            .unwrap_or_else(|| io::Error::other("no end of the head"))
    })?;
    let code = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    Ok(Answer {
        code: code.ok_or_else(|| io::Error::other("no code"))?,
        head: head.to_owned(),
        body: body.to_owned(),
    })
}

/// A block of a layer of the view.
pub struct Block {
    /// The stage, the layer of the view, the level.
    pub of: [u8; 3],
    /// The column and the row.
    pub place: (u16, u16),
    /// The order.
    pub order: u64,
    /// The number and the team of the world's layer.
    pub on: (u16, u8),
    /// One texel that stands for all, or all.
    pub is_plain: bool,
    /// The contents.
    pub content: Vec<u8>,
}

impl Block {
    fn read(bytes: &[u8]) -> Self {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Self {
            of: [bytes[1], bytes[2], bytes[3]],
            is_plain: bytes[4] == 1,
            place: (short(5), short(7)),
            order: u64::from_le_bytes(*bytes[13..].first_chunk().unwrap()),
            on: (short(21), bytes[23]),
            content: bytes[24..].to_vec(),
        }
    }
}

/// A connected page.
pub struct Page {
    socket: WebSocket<TcpStream>,
}

impl Page {
    /// Connects a page.
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        Self::open_at(address, "").map_err(|code| io::Error::other(format!("refused with {code}")))
    }

    /// Connects a page whose address ends with this query; the error is as of `open_as`.
    pub fn open_at(address: SocketAddr, query: &str) -> Result<Self, u16> {
        let origin = format!("http://{address}");
        Self::connected(address, Some(&origin), query)
    }

    /// Connects a page of this origin; the error is the status code of a refusal, 0 without an
    /// answer.
    pub fn open_as(address: SocketAddr, origin: Option<&str>) -> Result<Self, u16> {
        Self::connected(address, origin, "")
    }

    fn connected(address: SocketAddr, origin: Option<&str>, query: &str) -> Result<Self, u16> {
        let stream = connect(address).map_err(|_| 0_u16)?;
        let request = format!("ws://{address}/live{query}").into_client_request();
        let mut request = request.map_err(|_| 0_u16)?;
        if let Some(origin) = origin.and_then(|origin| origin.parse().ok()) {
            request.headers_mut().insert("Origin", origin);
        }
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Self { socket }),
            Err(HandshakeError::Failure(Error::Http(answer))) => Err(answer.status().as_u16()),
            Err(_) => Err(0),
        }
    }

    /// Sends any text.
    pub fn say_text(&mut self, text: &str) -> Result<(), Box<Error>> {
        Ok(self.socket.send(Message::text(text))?)
    }

    /// Sends a message.
    pub fn say(&mut self, message: &Value) {
        self.say_text(&message.to_string()).expect("it is open");
    }

    /// Returns the next message; `None` once the server has closed.
    pub fn hear(&mut self) -> Option<Vec<u8>> {
        match self.socket.read() {
            Ok(Message::Binary(bytes)) => Some(bytes.to_vec()),
            _ => None,
        }
    }

    /// Waits until the server closes; returns false if it falls silent instead.
    pub fn hears_the_end(&mut self) -> bool {
        loop {
            match self.socket.read() {
                Ok(Message::Close(_)) => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
    }

    /// Returns the next message that is JSON of this kind, and skips others.
    pub fn hear_kind(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().expect("the server has closed");
            let value: Value = serde_json::from_slice(&message).unwrap_or_default();
            if value["kind"] == kind {
                return value;
            }
        }
    }

    /// Returns the next block, and skips other messages.
    pub fn hear_block(&mut self) -> Block {
        loop {
            let message = self.hear().expect("the server has closed");
            if message[0] == 1 {
                return Block::read(&message);
            }
        }
    }

    /// Shows an area, at level 0, with these layers of the view, of the world's ground.
    pub fn look(&mut self, area: [u32; 4], layers: u32) {
        self.look_on(area, layers, (0, 0));
    }

    /// Shows an area, at level 0, with these layers of the view, of the world's layer with this
    /// number, as this team sees it.
    pub fn look_on(&mut self, area: [u32; 4], layers: u32, (number, team): (u16, u8)) {
        let on = json!({ "number": number, "team": team });
        self.say(&json!({
            "view": { "area": area, "level": 0, "layers": layers, "order": null, "on": on }
        }));
    }
}
