//! The server: the page's files, the WebSocket, and files in both directions.
//!
//! A connection carries one request, whose head has to come in time: a request that is sent
//! byte by byte does not extend the deadline. The answer may take some minutes; a
//! connected page may be silent for any time.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE,
};
use axum::http::{HeaderName, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::{Notify, Semaphore, oneshot, watch};
use tokio::time::timeout;

use crate::files::{FileAsked, Given};
use crate::guard::{self, Reach};
use crate::page::{ASSETS, POLICY};
use crate::rooms::{Room, Rooms};
use crate::view::Page;

/// The header of an answer whose text says why the host refuses a file. The status
/// is 200: browsers log any other in their console, where it looks like a fault of
/// the page.
const REFUSED: HeaderName = HeaderName::from_static("x-refused");
/// The most connections at a time; others are closed at once.
const CONNECTIONS_MAX: usize = 64;
/// The time that a connection may take to send the head of its request.
const HEAD_SENT: Duration = Duration::from_secs(10);
/// The time that a request and its answer may take.
const ANSWERED: Duration = Duration::from_secs(240);
/// The longest message of a page.
const MESSAGE_MAX: usize = 64 << 10;
/// The longest file that may be dropped on a page, in bytes.
const FILE_MAX: usize = 64 << 20;
const OVER: &str = "this session is over: load the page again";
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
    rooms: Arc<Rooms>,
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
        rooms: Arc<Rooms>,
        on_signal: Option<Arc<AtomicBool>>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let own = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let shared = Shared {
            rooms,
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
    on_signal: Option<Arc<AtomicBool>>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    if let Some(heard) = on_signal {
        tokio::spawn(async move {
            signal().await;
            heard.store(true, Relaxed);
        });
    }
    let (mut stop, rooms) = (shared.stop.clone(), Arc::clone(&shared.rooms));
    let service = TowerToHyperService::new(router(shared));
    let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            // The sender is dropped only with the server.
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let Ok((stream, _)) = accepted else {
            // A connection that has failed already, or too many open files.
            tokio::time::sleep(PICTURE).await;
            continue;
        };
        let Ok(taken) = Arc::clone(&room).try_acquire_owned() else {
            continue;
        };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_SENT)
            .serve_connection(TokioIo::new(stream), service.clone())
            .with_upgrades();
        tokio::spawn(async move {
            // What fails here is the page's to notice.
            let _ = timeout(ANSWERED, connection).await;
            drop(taken);
        });
    }
    drop(listener);
    // Pages are told the end; what is still open then is cut off.
    let all = async {
        while room.available_permits() < CONNECTIONS_MAX || rooms.are_watched() {
            tokio::time::sleep(PICTURE).await;
        }
    };
    let _ = timeout(FAREWELL, all).await;
    Ok(())
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
        let reply = move |State(shared): State<Shared>, uri: Uri| async move {
            // A session of a page's own that is over leads back to the shared one.
            if shared.rooms.named(&uri).is_none() {
                return Redirect::to(asset.path).into_response();
            }
            let head = [(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, "no-store")];
            (head, asset.body).into_response()
        };
        router = router.route(asset.path, get(reply));
    }
    router
        .route("/live", get(live))
        .route("/file/{name}", get(give_file).post(take_file))
        .layer(guarded)
        .with_state(shared)
}

/// Passes on requests of this server's own page, and adds headers to every
/// answer that restrict what the page may do.
async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
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
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        let close = axum::http::HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
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
async fn live(State(shared): State<Shared>, uri: Uri, upgrade: WebSocketUpgrade) -> Response {
    let Some(room) = shared.rooms.named(&uri) else {
        return (StatusCode::NOT_FOUND, OVER).into_response();
    };
    let woken = Arc::new(Notify::new());
    let wake = Arc::clone(&woken);
    let Some(page) = Page::connect(&room.hub, Box::new(move || wake.notify_one())) else {
        let full = "too many pages are open (8): close one of them\n";
        return (StatusCode::SERVICE_UNAVAILABLE, full).into_response();
    };
    upgrade
        .max_message_size(MESSAGE_MAX)
        .max_frame_size(MESSAGE_MAX)
        .write_buffer_size(0)
        .on_upgrade(
            move |socket| async move { look_on(socket, &shared, &room, &page, &woken).await },
        )
}

/// Sends the messages that wait for a page and handles those it sends, until
/// either side ends, or the session.
///
/// A message is taken from the outbox only when the socket has accepted the one
/// before it. So the messages that a slow page has not read stay in the outbox,
/// where newer ones replace them.
async fn look_on(mut socket: WebSocket, shared: &Shared, room: &Room, page: &Page, woken: &Notify) {
    let (mut stop, mut is_over) = (shared.stop.clone(), room.is_over.subscribe());
    loop {
        if let Some(message) = page.take() {
            let sent = tokio::select! {
                sent = socket.send(Message::Binary(message.into())) => sent.is_ok(),
                _ = stop.wait_for(|stop| *stop) => false,
                _ = is_over.wait_for(|over| *over) => false,
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
            _ = is_over.wait_for(|over| *over) => false,
        };
        if !goes_on {
            break;
        }
    }
    // The socket may be closed already.
    let _ = timeout(FAREWELL, socket.send(Message::Close(None))).await;
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
        Message::Text(text) => page.receive(text.as_bytes()),
        Message::Close(_) => return false,
        Message::Ping(_) | Message::Pong(_) => {}
    }
    true
}

async fn take_file(
    State(shared): State<Shared>,
    Path(name): Path<String>,
    uri: Uri,
    request: Request,
) -> Response {
    let told = request.headers().get(CONTENT_LENGTH);
    let told = told.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    // A file whose stated length is too long is refused before it is read, any
    // other as soon as it is too long.
    if told.is_some_and(|length| length > FILE_MAX) {
        return (StatusCode::PAYLOAD_TOO_LARGE, TOO_LARGE).into_response();
    }
    let read = axum::body::to_bytes(request.into_body(), FILE_MAX);
    let body = match timeout(FILE_SENT, read).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return (StatusCode::PAYLOAD_TOO_LARGE, TOO_LARGE).into_response(),
        Err(_) => {
            let late = "the file did not come in time\n";
            return (StatusCode::REQUEST_TIMEOUT, late).into_response();
        }
    };
    let asked = FileAsked::Open {
        name,
        bytes: body.to_vec(),
    };
    match shared.ask(&uri, asked).await {
        Ok(_) => StatusCode::NO_CONTENT.into_response(),
        Err(response) => *response,
    }
}

async fn give_file(State(shared): State<Shared>, Path(what): Path<String>, uri: Uri) -> Response {
    match shared.ask(&uri, FileAsked::Save { what }).await {
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
    async fn ask(&self, uri: &Uri, asked: FileAsked) -> Result<Given, Box<Response>> {
        let refused = |code: StatusCode, why: &str| {
            let text = why.to_owned() + "\n";
            Err(Box::new((code, text).into_response()))
        };
        let Some(room) = self.rooms.named(uri) else {
            return refused(StatusCode::NOT_FOUND, OVER);
        };
        if !room.hub.is_studio {
            return refused(StatusCode::FORBIDDEN, "this page only shows a running game");
        }
        let (reply, answer) = oneshot::channel();
        if !room.files.put(asked, reply) {
            let why = "the host is busy: wait a moment";
            return refused(StatusCode::SERVICE_UNAVAILABLE, why);
        }
        let mut is_over = room.is_over.subscribe();
        let answered = tokio::select! {
            biased;
            answered = timeout(FILE_TAKEN, answer) => answered,
            _ = is_over.wait_for(|over| *over) => return refused(StatusCode::NOT_FOUND, OVER),
        };
        match answered {
            Ok(Ok(Ok(given))) => Ok(given),
            Ok(Ok(Err(why))) => Err(Box::new(([(REFUSED, "yes")], why + "\n").into_response())),
            _ => refused(StatusCode::GATEWAY_TIMEOUT, "the host did not answer"),
        }
    }
}
