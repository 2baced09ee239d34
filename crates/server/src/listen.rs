//! Accepts connections.

use crate::limits::Connections;
use crate::proxy::is_trusted;
use crate::site::Site;
use futures_util::future::{Either, select};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::convert::Infallible;
use std::io::{self, ErrorKind, Write};
use std::net::{Shutdown, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

/// The maximum size of a request head in bytes: the longest address and some headers.
const HEAD: usize = 32 * 1024;

/// The maximum number of headers in a request.
const HEADERS: usize = 64;

/// How long the server waits after an error before it accepts the next connection. Most errors mean that too many files
/// are open.
const PAUSE: Duration = Duration::from_millis(50);

/// How long the server waits at the end for answers under way.
const GRACE: Duration = Duration::from_millis(500);

/// How many refused connections may be open until their clients have read the answer. Others are closed at once.
const REFUSALS: usize = 64;

/// How long a client whose connection is refused may take to read the answer.
const REFUSAL: Duration = Duration::from_secs(1);

/// The answer to a connection of an address that has too many.
const TOO_MANY: &str =
    "Too many connections from this address are open. Close some, or try again in a moment.\n";

/// Serves the site until `shutdown` is ready, then gives answers under way half a second to finish.
///
/// ```no_run
/// use std::net::TcpListener;
/// use tridex_server::{Site, SiteOptions, serve};
///
/// let site = Site::open(&["games.index".as_ref()], SiteOptions::default())?;
/// let listener = TcpListener::bind("127.0.0.1:0")?;
/// serve(&site, listener, std::future::pending())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the system cannot start threads or cannot use the listener.
pub fn serve(
    site: &Site,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_io()
        .enable_time()
        .build()?;
    let limits = &site.inner.options;
    let ended = runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(HEAD)
            .max_headers(HEADERS);
        let connections = Arc::new(Semaphore::new(limits.connections.max(1)));
        let of_addresses = Connections::new(limits.connections_per_address);
        let refusals = Arc::new(Semaphore::new(REFUSALS));
        let graceful = GracefulShutdown::new();
        let mut shutdown = pin!(shutdown);
        loop {
            let next = pin!(next(&listener, &connections));
            let (stream, from, permit) = match select(shutdown.as_mut(), next).await {
                Either::Left(_) => break,
                Either::Right((accepted, _)) => accepted,
            };
            // A trusted proxy opens connections for many clients.
            let own = match is_trusted(from.ip(), &limits.trusted_proxies) {
                true => None,
                false => match of_addresses.open(from.ip()) {
                    Some(own) => Some(own),
                    None => {
                        // If it fails, the client has disconnected.
                        let _ = refuse(stream, &refusals);
                        continue;
                    }
                },
            };
            // Sends answers without delay. If this fails, they are only slower.
            let _ = stream.set_nodelay(true);
            let mut stream = TimeoutStream::new(stream);
            stream.set_write_timeout(Some(limits.stalled));
            let site = site.clone();
            let service = service_fn(move |request: Request<Incoming>| {
                let (site, (head, _)) = (site.clone(), request.into_parts());
                async move { Ok::<_, Infallible>(site.respond(head, from.ip()).await) }
            });
            let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
            let connection = graceful.watch(connection);
            tokio::spawn(async move {
                // Errors of a connection are the client's, such as a disconnect, and need no handling.
                let _ = connection.await;
                drop((own, permit));
            });
        }
        let _ = timeout(GRACE, graceful.shutdown()).await;
        Ok(())
    });
    // Do not wait for searches that are still running.
    runtime.shutdown_background();
    ended
}

/// Accepts the next connection, as soon as one more may be open.
async fn next(
    listener: &tokio::net::TcpListener,
    connections: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, Option<OwnedSemaphorePermit>) {
    // The semaphore is never closed, so there is always a permit.
    let permit = Arc::clone(connections).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, from)) => return (stream, from, permit),
            // The client has disconnected already.
            Err(fault) if fault.kind() == ErrorKind::ConnectionAborted => {}
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// Answers at once that the address of a client has too many connections. The answer fits into the buffer of a new
/// connection, so nothing waits for the client.
fn refuse(stream: TcpStream, refusals: &Arc<Semaphore>) -> io::Result<()> {
    let mut stream = stream.into_std()?;
    let length = TOO_MANY.len();
    write!(
        stream,
        "HTTP/1.1 429 Too Many Requests\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 2\r\n\
         cache-control: no-store\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{TOO_MANY}"
    )?;
    stream.shutdown(Shutdown::Write)?;
    let Ok(permit) = Arc::clone(refusals).try_acquire_owned() else {
        return Ok(());
    };
    let mut stream = TcpStream::from_std(stream)?;
    tokio::spawn(async move {
        // If a connection is closed before its request was read, the system may discard the answer.
        let mut request = [0; 4096];
        let rest = async { while stream.read(&mut request).await.is_ok_and(|read| read > 0) {} };
        let _ = timeout(REFUSAL, rest).await;
        drop(permit);
    });
    Ok(())
}
