//! Taking connections.

use crate::places::Client;
use crate::site::Site;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

/// How much and how long clients may keep the server busy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConnectionLimits {
    /// How many connections there are at once, at least 1; others wait to be taken.
    pub connections: usize,
    /// How long a client may take to send the head of a request, or nothing at all.
    pub head: Duration,
    /// How long a client may take nothing of an answer.
    pub stalled: Duration,
}

impl Default for ConnectionLimits {
    /// 256 connections, 10 seconds, 20 seconds.
    fn default() -> Self {
        Self {
            connections: 256,
            head: Duration::from_secs(10),
            stalled: Duration::from_secs(20),
        }
    }
}

/// The longest head of a request, in bytes: the longest address and some headers.
const HEAD: usize = 32 * 1024;

/// The most headers of a request.
const HEADERS: usize = 64;

/// How often it is looked whether it is time to end.
const LOOKS: Duration = Duration::from_millis(20);

/// How long answers under way are waited for at the end.
const GRACE: Duration = Duration::from_millis(500);

/// Answers all clients until `stop` returns `true`; answers under way are given half a second then.
///
/// # Errors
/// If the system gives no threads, or cannot listen.
pub fn serve(
    site: &Site,
    listener: TcpListener,
    limits: ConnectionLimits,
    stop: impl Fn() -> bool,
) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_io()
        .enable_time()
        .build()?;
    let ended = runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let service = TowerToHyperService::new(site.router());
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(HEAD)
            .max_headers(HEADERS);
        let connections = Arc::new(Semaphore::new(limits.connections.max(1)));
        let graceful = GracefulShutdown::new();
        while !stop() {
            let room = tokio::time::timeout(LOOKS, Arc::clone(&connections).acquire_owned()).await;
            let Ok(Ok(room)) = room else {
                continue;
            };
            let (stream, from) = match tokio::time::timeout(LOOKS, listener.accept()).await {
                Err(_) => continue,
                Ok(Ok(accepted)) => accepted,
                Ok(Err(_)) => {
                    // The client has gone, or there are too many files open: in a moment there may be fewer.
                    tokio::time::sleep(LOOKS).await;
                    continue;
                }
            };
            // Answers are written at once; without it nothing but speed is lost.
            let _ = stream.set_nodelay(true);
            let mut stream = TimeoutStream::new(stream);
            stream.set_write_timeout(Some(limits.stalled));
            let (service, client) = (service.clone(), Client::of(from.ip()));
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(client);
                service.call(request)
            });
            let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
            let connection = graceful.watch(connection);
            tokio::spawn(async move {
                // What a client does wrong is its own affair.
                let _ = connection.await;
                drop(room);
            });
        }
        let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
        Ok(())
    });
    // A question that still runs is not waited for.
    runtime.shutdown_background();
    ended
}
