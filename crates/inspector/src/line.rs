//! Connections: their greatest number, and the time that one may take to send a
//! request.
//!
//! ```text
//!   accepted ─▶ waits for a request ─▶ is answered ─▶ waits for the next one …
//!                 until its deadline     no deadline     until its deadline
//! ```
//!
//! A request that is sent byte by byte does not extend the deadline, which
//! counts from the moment when the connection began to wait. A connected page
//! may be silent for any time.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::hub::unpoisoned;

/// The most connections at a time; others are closed at once.
pub(crate) const LINES_MAX: usize = 64;
/// The time that a connection may take to send the head of its first request.
const FIRST: Duration = Duration::from_secs(10);
/// The time from the head of an answer to that of the next request, which
/// includes reading the answer.
const NEXT: Duration = Duration::from_secs(60);

/// Accepts connections.
pub(crate) struct Door {
    listener: TcpListener,
    room: Arc<Semaphore>,
}

impl Door {
    pub(crate) fn new(listener: TcpListener) -> Self {
        let room = Arc::new(Semaphore::new(LINES_MAX));
        Self { listener, room }
    }
}

impl Listener for Door {
    type Io = Line;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Line, SocketAddr) {
        loop {
            let (stream, address) = Listener::accept(&mut self.listener).await;
            // If there is no room, the connection is closed.
            if let Ok(room) = Arc::clone(&self.room).try_acquire_owned() {
                return (Line::new(stream, room), address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection.
pub(crate) struct Line {
    stream: TcpStream,
    patience: Patience,
    alarm: Pin<Box<Sleep>>,
    _room: OwnedSemaphorePermit,
}

/// The deadline for a connection's next request.
#[derive(Clone)]
pub(crate) struct Patience {
    until: Arc<Mutex<Option<Instant>>>,
}

impl Patience {
    fn from_now() -> Self {
        let until = Arc::new(Mutex::new(Some(Instant::now() + FIRST)));
        Self { until }
    }

    /// Removes the deadline, since a request has arrived.
    pub(crate) fn ends(&self) {
        *unpoisoned(self.until.lock()) = None;
    }

    /// Sets a new deadline, since the request is answered and another may
    /// follow.
    pub(crate) fn begins(&self) {
        *unpoisoned(self.until.lock()) = Some(Instant::now() + NEXT);
    }

    fn until(&self) -> Option<Instant> {
        *unpoisoned(self.until.lock())
    }
}

impl Connected<IncomingStream<'_, Door>> for Patience {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        stream.io().patience.clone()
    }
}

impl Line {
    fn new(stream: TcpStream, room: OwnedSemaphorePermit) -> Self {
        Self {
            stream,
            patience: Patience::from_now(),
            alarm: Box::pin(sleep_until(Instant::now() + FIRST)),
            _room: room,
        }
    }

    /// Whether the deadline is over; the task is woken at that time.
    fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        let Some(until) = self.patience.until() else {
            return false;
        };
        self.alarm.as_mut().reset(until);
        self.alarm.as_mut().poll(context).is_ready()
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.is_late(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.is_late(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.is_late(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
