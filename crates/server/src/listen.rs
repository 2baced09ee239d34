//! Accepts connections.

use crate::site::Site;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;

/// The maximum size of a request head in bytes: the longest address and some headers.
const HEAD: usize = 32 * 1024;

/// The maximum number of headers in a request.
const HEADERS: usize = 64;

/// How often the server checks whether to stop.
const LOOKS: Duration = Duration::from_millis(20);

/// How long the server waits at the end for answers under way.
const GRACE: Duration = Duration::from_millis(500);

/// Serves the site until `stop` returns `true`, then gives answers under way half a second to finish.
///
/// # Errors
/// If the system cannot start threads or cannot use the listener.
pub fn serve(site: &Site, listener: TcpListener, stop: impl Fn() -> bool) -> io::Result<()> {
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
        let graceful = GracefulShutdown::new();
        while !stop() {
            let accepted = async {
                let room = Arc::clone(&connections).acquire_owned().await;
                match listener.accept().await {
                    Ok((stream, from)) => (stream, from, room),
                    // The client has disconnected, or too many files are open. Wait until the next check, when there
                    // may be fewer.
                    Err(_) => std::future::pending().await,
                }
            };
            let Ok((stream, from, room)) = timeout(LOOKS, accepted).await else {
                continue;
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
                drop(room);
            });
        }
        let _ = timeout(GRACE, graceful.shutdown()).await;
        Ok(())
    });
    // Do not wait for searches that are still running.
    runtime.shutdown_background();
    ended
}
