//! The server: the page's files, the WebSocket, and files in both directions.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
};
use axum::http::{HeaderName, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::sync::{Notify, oneshot, watch};

use crate::exchange::Exchange;
use crate::files::{FileAsked, Given};
use crate::guard::{self, Reach};
use crate::hub::Hub;
use crate::line::{Door, Patience};
use crate::page::{ASSETS, POLICY};
use crate::view::Page;

/// The header of an answer whose text says why the host refuses a file. The status
/// is 200: browsers log any other in their console, where it looks like a fault of
/// the page.
const REFUSED: HeaderName = HeaderName::from_static("x-refused");
/// The longest message of a page.
const MESSAGE_MAX: usize = 64 << 10;
/// The longest file that may be dropped on a page, in bytes.
const FILE_MAX: usize = 64 << 20;
const TOO_LARGE: &str = "the file is too large: at most 64 MB are taken\n";
/// The time that a page may take to send a file.
const FILE_SENT: Duration = Duration::from_secs(120);
/// The time that a host may take for a file.
const FILE_TAKEN: Duration = Duration::from_secs(30);
/// The interval at which the server looks for a new picture; the host need not
/// wake it.
const PICTURE: Duration = Duration::from_millis(10);
/// The time that open connections may take to end.
const FAREWELL: Duration = Duration::from_millis(500);

/// The state shared by the handlers.
#[derive(Clone)]
struct Shared {
    hub: Arc<Hub>,
    files: Arc<Exchange>,
    own: SocketAddr,
    reach: Reach,
    stop: watch::Receiver<bool>,
}

/// A server on its own thread.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts the server.
    pub(crate) fn begin(
        address: SocketAddr,
        reach: Reach,
        hub: Arc<Hub>,
        files: Arc<Exchange>,
        on_signal: Option<mpsc::Sender<()>>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let own = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let shared = Shared {
            hub,
            files,
            own,
            reach,
            stop: stopped,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let thread = thread::Builder::new()
            .name("flowtiles-inspector".to_owned())
            .spawn(move || {
                if let Err(error) = runtime.block_on(serve(listener, shared, on_signal)) {
                    eprintln!("flowtiles-inspector: the server ended: {error}");
                }
                runtime.shutdown_timeout(FAREWELL);
            })?;
        Ok(Self {
            address: own,
            stop,
            thread: Some(thread),
        })
    }
}

impl Server {
    /// Returns the page's URL, for people.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

impl Drop for Server {
    /// Closes the sockets and waits for the thread.
    fn drop(&mut self) {
        // The send fails only if the thread has ended already.
        let _ = self.stop.send(true);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was already printed to stderr.
            let _ = thread.join();
        }
    }
}

async fn serve(
    listener: TcpListener,
    shared: Shared,
    on_signal: Option<mpsc::Sender<()>>,
) -> io::Result<()> {
    let door = Door::new(tokio::net::TcpListener::from_std(listener)?);
    if let Some(heard) = on_signal {
        tokio::spawn(async move {
            signal().await;
            // The host may be gone already.
            let _ = heard.send(());
        });
    }
    let (mut stop, mut late) = (shared.stop.clone(), shared.stop.clone());
    let router = router(shared).into_make_service_with_connect_info::<Patience>();
    let serving = axum::serve(door, router).with_graceful_shutdown(async move {
        // The sender is dropped only with the server.
        let _ = stop.wait_for(|stop| *stop).await;
    });
    let patience = async move {
        let _ = late.wait_for(|stop| *stop).await;
        tokio::time::sleep(FAREWELL).await;
    };
    tokio::select! {
        served = serving => served,
        // Connections that are still open now are cut off.
        () = patience => Ok(()),
    }
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
    ) {
        (Ok(mut interrupt), Ok(mut terminate)) => {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        }
        _ => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn router(shared: Shared) -> Router {
    let guarded = middleware::from_fn_with_state(shared.clone(), guard);
    let mut router = Router::new();
    for asset in &ASSETS {
        let reply = || async {
            let head = [(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, "no-store")];
            (head, asset.body)
        };
        router = router.route(asset.path, get(reply));
    }
    router
        .route("/live", get(live))
        .route("/file", post(take_file))
        .route("/file/{what}", get(give_file))
        .layer(guarded)
        .with_state(shared)
}

/// Passes on requests of this server's own page, and adds headers to every
/// answer that restrict what the page may do.
async fn guard(
    State(shared): State<Shared>,
    ConnectInfo(patience): ConnectInfo<Patience>,
    request: Request,
    next: Next,
) -> Response {
    patience.ends();
    let checked = guard::check(
        request.method(),
        request.uri(),
        request.headers(),
        shared.own,
        shared.reach,
    );
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(why) => (StatusCode::FORBIDDEN, format!("refused: {why}\n")).into_response(),
    };
    // A page on a WebSocket may be silent.
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        patience.begins();
    }
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (HeaderName::from_static("x-content-type-options"), "nosniff"),
        (HeaderName::from_static("referrer-policy"), "no-referrer"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ] {
        let value = axum::http::HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

/// Connects a page.
async fn live(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    let woken = Arc::new(Notify::new());
    let wake = Arc::clone(&woken);
    let Some(page) = Page::connect(&shared.hub, Box::new(move || wake.notify_one())) else {
        let full = "too many pages are open (8): close one of them\n";
        return (StatusCode::SERVICE_UNAVAILABLE, full).into_response();
    };
    upgrade
        .max_message_size(MESSAGE_MAX)
        .max_frame_size(MESSAGE_MAX)
        .write_buffer_size(0)
        .on_upgrade(move |socket| async move { look_on(socket, &shared, &page, &woken).await })
}

/// Sends the messages that wait for a page and handles those it sends, until
/// either side ends.
///
/// A message is taken from the outbox only when the socket has accepted the one
/// before it. So the messages that a slow page has not read stay in the outbox,
/// where newer ones replace them.
async fn look_on(mut socket: WebSocket, shared: &Shared, page: &Page, woken: &Notify) {
    let mut stop = shared.stop.clone();
    loop {
        if let Some(message) = page.take() {
            let sent = tokio::select! {
                sent = socket.send(Message::Binary(message.into())) => sent.is_ok(),
                _ = stop.wait_for(|stop| *stop) => false,
            };
            if !sent {
                break;
            }
            // Messages of the page are read between two that are sent.
            if let Some(said) = said_already(&mut socket).await
                && !hear(page, said)
            {
                break;
            }
            continue;
        }
        let goes_on = tokio::select! {
            () = woken.notified() => true,
            () = tokio::time::sleep(PICTURE) => true,
            said = socket.recv() => match said {
                Some(Ok(said)) => hear(page, said),
                _ => false,
            },
            _ = stop.wait_for(|stop| *stop) => false,
        };
        if !goes_on {
            break;
        }
    }
    // The socket may be closed already.
    let _ = tokio::time::timeout(FAREWELL, socket.send(Message::Close(None))).await;
}

/// Returns a message that has already arrived, if there is one.
async fn said_already(socket: &mut WebSocket) -> Option<Message> {
    tokio::select! {
        biased;
        said = socket.recv() => match said {
            Some(Ok(said)) => Some(said),
            _ => Some(Message::Close(None)),
        },
        () = std::future::ready(()) => None,
    }
}

/// Handles a message; returns false if it is the last.
fn hear(page: &Page, said: Message) -> bool {
    match said {
        Message::Binary(bytes) => page.receive(&bytes),
        Message::Text(_) => page.receive(&[]),
        Message::Close(_) => return false,
        Message::Ping(_) | Message::Pong(_) => {}
    }
    true
}

async fn take_file(State(shared): State<Shared>, request: Request) -> Response {
    let query = request.uri().query().unwrap_or_default().to_owned();
    let name = query.strip_prefix("name=").unwrap_or("map").to_owned();
    let told = request.headers().get(CONTENT_LENGTH);
    let told = told.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    // A file whose stated length is too long is refused before it is read, any
    // other as soon as it is too long.
    if told.is_some_and(|length| length > FILE_MAX) {
        return (StatusCode::PAYLOAD_TOO_LARGE, TOO_LARGE).into_response();
    }
    let read = axum::body::to_bytes(request.into_body(), FILE_MAX);
    let body = match tokio::time::timeout(FILE_SENT, read).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return (StatusCode::PAYLOAD_TOO_LARGE, TOO_LARGE).into_response(),
        Err(_) => {
            let late = "the file did not come in time\n";
            return (StatusCode::REQUEST_TIMEOUT, late).into_response();
        }
    };
    let (reply, answer) = oneshot::channel();
    let asked = FileAsked::Open {
        name: unescaped(&name),
        bytes: body.to_vec(),
    };
    match shared.ask(asked, reply, answer).await {
        Ok(_) => StatusCode::NO_CONTENT.into_response(),
        Err(response) => *response,
    }
}

async fn give_file(State(shared): State<Shared>, Path(what): Path<String>) -> Response {
    let (reply, answer) = oneshot::channel();
    match shared.ask(FileAsked::Save { what }, reply, answer).await {
        Ok(Given { name, kind, bytes }) => {
            let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
            let name: String = name.chars().filter(|letter| plain(*letter)).collect();
            let head = [
                (CONTENT_TYPE, kind.to_owned()),
                (CACHE_CONTROL, "no-store".to_owned()),
                (
                    CONTENT_DISPOSITION,
                    format!("attachment; filename=\"{name}\""),
                ),
            ];
            (head, Body::from(Bytes::from(bytes))).into_response()
        }
        Err(response) => *response,
    }
}

impl Shared {
    /// Lets the host take or give a file.
    async fn ask(
        &self,
        asked: FileAsked,
        reply: oneshot::Sender<Result<Given, String>>,
        answer: oneshot::Receiver<Result<Given, String>>,
    ) -> Result<Given, Box<Response>> {
        let refused = |code: StatusCode, why: String| Box::new((code, why + "\n").into_response());
        if self.hub.is_studio == crate::message::IsStudio::No {
            let why = "this page only shows a running game".to_owned();
            return Err(refused(StatusCode::FORBIDDEN, why));
        }
        if !self.files.put(asked, reply) {
            let why = "the host is busy: wait a moment".to_owned();
            return Err(refused(StatusCode::SERVICE_UNAVAILABLE, why));
        }
        match tokio::time::timeout(FILE_TAKEN, answer).await {
            Ok(Ok(Ok(given))) => Ok(given),
            Ok(Ok(Err(why))) => {
                let mut response = *refused(StatusCode::OK, why);
                let yes = axum::http::HeaderValue::from_static("yes");
                response.headers_mut().insert(REFUSED, yes);
                Err(Box::new(response))
            }
            _ => {
                let why = "the host did not answer".to_owned();
                Err(refused(StatusCode::GATEWAY_TIMEOUT, why))
            }
        }
    }
}

/// Decodes a text with escapes like `%41`.
fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3);
        let code = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (bytes[at], code) {
            (b'%', Some(code)) => {
                out.push(code);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
