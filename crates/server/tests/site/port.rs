//! A real port: hosts, methods, long lines, slow clients, and the end.

use crate::support::{entries, shelf};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tridex_server::{Site, SiteOptions, serve};

pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    /// Ends the site when it is dropped.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub(crate) fn new(site: &Site) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let site = site.clone();
        let thread = std::thread::spawn(move || {
            serve(&site, listener, async { drop(stopped.await) }).unwrap();
        });
        Self {
            address,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// What comes back for some bytes, up to the end of the connection.
    pub(crate) fn sent(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        // The server may close before it has taken everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn status(&self, request: &str) -> u16 {
        let answer = self.sent(request.as_bytes());
        let status = answer
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        status.unwrap_or_else(|| panic!("{request:?}: {answer:?}"))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

pub(crate) fn request(method: &str, address: &str, host: &str) -> String {
    format!("{method} {address} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
}

#[test]
fn only_the_right_host_and_the_right_methods_are_answered() {
    let shelf = shelf(&[("games.pgn", entries(3, 5))]);
    let mut options = SiteOptions::default();
    options.hosts = vec!["chess.example".parse().unwrap()];
    let site = Site::open(&[shelf.folder.path()], options).unwrap();
    let served = Served::new(&site);
    let port = served.address.port();
    for host in [
        "localhost".to_owned(),
        format!("127.0.0.1:{port}"),
        format!("[::1]:{port}"),
        "chess.example".to_owned(),
    ] {
        assert_eq!(served.status(&request("GET", "/", &host)), 200, "{host}");
    }
    for host in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:80",
        "chess.example.evil",
        "",
    ] {
        assert_eq!(
            served.status(&request("GET", "/api/v1/search", host)),
            421,
            "{host}"
        );
    }
    // Two hosts, none, another in the address.
    assert_eq!(
        served.status(
            "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
        ),
        421
    );
    assert_eq!(served.status("GET / HTTP/1.0\r\n\r\n"), 421);
    assert_eq!(
        served.status(&request("GET", "http://evil.example/", "localhost")),
        421
    );
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"] {
        let answer = served.sent(request(method, "/", "localhost").as_bytes());
        assert!(
            answer.starts_with("HTTP/1.1 405 ") && answer.contains("allow: GET, HEAD"),
            "{method}: {answer}"
        );
    }
    let head = served.sent(request("HEAD", "/", "localhost").as_bytes());
    assert!(
        head.starts_with("HTTP/1.1 200 ") && head.ends_with("\r\n\r\n") && !head.contains("<html"),
        "{head}"
    );
    let body =
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
    assert_eq!(served.status(body), 413);
}

#[test]
fn what_is_no_request_ends_the_connection_and_nothing_else() {
    let shelf = shelf(&[("games.pgn", entries(3, 5))]);
    let served = Served::new(&shelf.site);
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\r\n\r\n\r\n\0\0\0",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc",
    ] {
        let answer = served.sent(bytes);
        assert!(!answer.starts_with("HTTP/1.1 200"), "{bytes:?}: {answer}");
    }
    let long = format!(
        "GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "a".repeat(1 << 20)
    );
    // Closed before everything was taken, so that the word may be lost.
    let answer = served.sent(long.as_bytes());
    let begins = ["", "HTTP/1.1 414", "HTTP/1.1 431"];
    assert!(
        begins.contains(&answer.get(..12).unwrap_or_default()),
        "{answer}"
    );
    let many = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n",
        "X-A: b\r\n".repeat(1_000)
    );
    assert_eq!(served.status(&many), 431);
    assert_eq!(served.status(&request("GET", "/", "localhost")), 200);
}

#[test]
fn slow_clients_are_not_waited_for() {
    let shelf = shelf(&[("games.pgn", entries(3, 5))]);
    let mut options = SiteOptions::default();
    options.connections = 4;
    options.head = Duration::from_millis(300);
    options.stalled = Duration::from_millis(300);
    let site = Site::open(&[shelf.folder.path()], options).unwrap();
    let served = Served::new(&site);
    // More than may be there, and none of them sends a request.
    let mut slow: Vec<TcpStream> = (0..8)
        .map(|_| TcpStream::connect(served.address).unwrap())
        .collect();
    for stream in &mut slow {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: loc").unwrap();
    }
    let since = Instant::now();
    assert_eq!(served.status(&request("GET", "/", "localhost")), 200);
    assert!(
        since.elapsed() < Duration::from_secs(10),
        "{:?}",
        since.elapsed()
    );
    for mut stream in slow {
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        let mut rest = Vec::new();
        // Closed, with or without a word.
        let _ = stream.read_to_end(&mut rest);
    }
}

/// A connection from an address of this machine's own network.
fn connect_from(own: [u8; 4], to: SocketAddr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_io().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((own, 0))).unwrap();
        socket.connect(to).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    let long = Some(Duration::from_secs(20));
    stream.set_read_timeout(long).unwrap();
    stream
}

/// What comes back for a request on a connection, up to its end.
fn answer_on(mut stream: TcpStream, request: &str) -> String {
    // The server may close before it has taken everything.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// How long an answer may take that waits for nothing, on a busy machine.
const SOON: Duration = Duration::from_secs(4);

#[test]
fn three_hundred_slow_connections_of_one_address_hold_up_nobody_else() {
    const SLOW: [u8; 4] = [127, 0, 0, 1];
    const OTHER: [u8; 4] = [127, 0, 0, 2];
    let shelf = shelf(&[("games.pgn", entries(3, 5))]);
    let served = Served::new(&shelf.site);
    let health = request("GET", "/health", "localhost");
    let mut slow: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut stream = connect_from(SLOW, served.address);
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: loc");
            stream
        })
        .collect();
    let since = Instant::now();
    let answer = answer_on(connect_from(OTHER, served.address), &health);
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(since.elapsed() < SOON, "{:?}", since.elapsed());
    // The address itself is refused, and learns why.
    let since = Instant::now();
    let answer = answer_on(connect_from(SLOW, served.address), &health);
    assert!(answer.starts_with("HTTP/1.1 429 "), "{answer}");
    assert!(answer.contains("Too many connections") && answer.contains("retry-after: 2"));
    assert!(since.elapsed() < SOON, "{:?}", since.elapsed());
    // Of the first ones, half of all connections are open. The others have been closed.
    let refused = slow.split_off(SiteOptions::default().connections_per_address);
    for stream in refused {
        let answer = answer_on(stream, "");
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 429 "),
            "{answer}"
        );
    }
    drop(slow);
    let since = Instant::now();
    while !answer_on(connect_from(SLOW, served.address), &health).starts_with("HTTP/1.1 200 ") {
        assert!(since.elapsed() < SOON, "{:?}", since.elapsed());
    }
}

#[test]
fn a_trusted_proxy_may_open_more_connections_than_one_client() {
    let shelf = shelf(&[("games.pgn", entries(3, 5))]);
    let mut options = SiteOptions::default();
    options.connections_per_address = 1;
    options.trusted_proxies = vec!["127.0.0.2".parse().unwrap()];
    let site = Site::open(&[shelf.folder.path()], options).unwrap();
    let served = Served::new(&site);
    let health = request("GET", "/health", "localhost");
    for (own, status) in [([127, 0, 0, 2], " 200 "), ([127, 0, 0, 3], " 429 ")] {
        let held: Vec<_> = (0..3).map(|_| connect_from(own, served.address)).collect();
        // The server accepts connections in their order.
        let answer = answer_on(connect_from(own, served.address), &health);
        assert!(answer.contains(status), "{answer}");
        drop(held);
    }
}

#[test]
fn who_takes_nothing_of_a_download_does_not_hold_it() {
    let shelf = shelf(&[
        ("games.pgn", entries(3, 20)),
        ("more.pgn", entries(4, 2_000)),
    ]);
    let mut options = SiteOptions::default();
    options.connections = 16;
    options.head = Duration::from_secs(5);
    options.stalled = Duration::from_millis(300);
    let site = Site::open(&[shelf.folder.path()], options).unwrap();
    let served = Served::new(&site);
    let mut held = Vec::new();
    for _ in 0..4 {
        let mut stream = TcpStream::connect(served.address).unwrap();
        stream
            .write_all(request("GET", "/download/games.ndjson", "localhost").as_bytes())
            .unwrap();
        held.push(stream);
    }
    std::thread::sleep(Duration::from_millis(1_500));
    // Everything else is answered.
    assert_eq!(served.status(&request("GET", "/", "localhost")), 200);
    let since = Instant::now();
    loop {
        // An older client, so that the body comes in one piece.
        let answer = served.sent(b"GET /download/games.ndjson HTTP/1.0\r\nHost: localhost\r\n\r\n");
        if answer.split(' ').nth(1) == Some("200") {
            assert_eq!(answer.matches("\"source\":").count(), 2_020);
            break;
        }
        assert!(since.elapsed() < Duration::from_secs(10), "{answer}");
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(held);
}

#[test]
fn many_clients_are_answered_while_games_are_added() {
    let shelf = shelf(&[("games.pgn", entries(3, 50))]);
    let served = Served::new(&shelf.site);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut counts = Vec::new();
                    while !stop.load(Ordering::SeqCst) {
                        let answer = served.sent(
                            request("GET", "/api/v1/search?player=kirk&limit=0", "localhost")
                                .as_bytes(),
                        );
                        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
                        let count = answer
                            .split("\"games\":")
                            .nth(1)
                            .unwrap()
                            .split(',')
                            .next()
                            .unwrap();
                        counts.push(count.parse::<u64>().unwrap());
                    }
                    counts
                })
            })
            .collect();
        for i in 0..6 {
            crate::support::add(
                shelf.folder.path(),
                &format!("more{i}.pgn"),
                &entries(10 + i, 20),
            );
            std::thread::sleep(Duration::from_millis(250));
        }
        std::thread::sleep(Duration::from_millis(500));
        stop.store(true, Ordering::SeqCst);
        for reader in readers {
            let counts = reader.join().unwrap();
            // Whole commits only, in their order, and the last is seen.
            assert!(
                counts.iter().all(|count| (count - 50) % 20 == 0),
                "{counts:?}"
            );
            assert!(counts.is_sorted(), "{counts:?}");
            assert_eq!(counts.last(), Some(&170));
        }
    });
}

#[test]
fn it_ends_when_it_is_told_to() {
    let shelf = shelf(&[("games.pgn", entries(3, 5))]);
    let served = Served::new(&shelf.site);
    // Somebody who stays connected is not waited for.
    let mut idle = TcpStream::connect(served.address).unwrap();
    idle.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .unwrap();
    let mut first = [0; 16];
    idle.read_exact(&mut first).unwrap();
    let since = Instant::now();
    drop(served);
    assert!(
        since.elapsed() < Duration::from_secs(2),
        "{:?}",
        since.elapsed()
    );
}

#[test]
fn answers_are_compressed_for_clients_that_read_gzip_and_not_sent_twice() {
    let shelf = shelf(&[("games.pgn", entries(3, 40))]);
    let served = Served::new(&shelf.site);
    let ask = |address: &str, header: &str| {
        let mut stream = TcpStream::connect(served.address).unwrap();
        let request = request("GET", address, "localhost")
            .replace("Connection", &format!("{header}Connection"));
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap()
            + 4;
        let body = answer.split_off(end);
        (String::from_utf8(answer).unwrap().to_lowercase(), body)
    };
    for address in [
        "/search",
        "/statistics",
        "/api/v1/search",
        "/openings?rules=meder",
        "/favicon.ico",
    ] {
        let (head, plain) = ask(address, "");
        assert!(!head.contains("content-encoding"), "{head}");
        let tag = head
            .split("etag: ")
            .nth(1)
            .unwrap()
            .split('\r')
            .next()
            .unwrap();
        let (packed_head, packed) = ask(address, "Accept-Encoding: br, gzip;q=0.8\r\n");
        assert!(
            packed_head.contains(&format!("etag: {tag}\r")),
            "{packed_head}"
        );
        if plain.len() >= 1_000 {
            assert!(head.contains("vary: accept-encoding"), "{head}");
            assert!(
                packed_head.contains("content-encoding: gzip"),
                "{packed_head}"
            );
            assert!(
                packed.len() * 2 < plain.len(),
                "{address}: {} of {}",
                packed.len(),
                plain.len()
            );
            let mut unpacked = Vec::new();
            flate2::read::GzDecoder::new(&packed[..])
                .read_to_end(&mut unpacked)
                .unwrap();
            assert_eq!(unpacked, plain, "{address}");
        }
        let (refused, whole) = ask(address, "Accept-Encoding: gzip;q=0\r\n");
        assert!(!refused.contains("content-encoding"), "{refused}");
        assert_eq!(whole, plain);
        // A weak comparison, as browsers send it; another tag gets the whole answer.
        let tag = tag.replacen("w/", "W/", 1);
        let (same, nothing) = ask(address, &format!("If-None-Match: \"x\", {tag}\r\n"));
        assert!(
            same.starts_with("http/1.1 304 ") && nothing.is_empty(),
            "{same}"
        );
        let (other, _) = ask(address, "If-None-Match: W/\"0\"\r\n");
        assert!(other.starts_with("http/1.1 200 "), "{other}");
    }
    // Faults have no tag.
    let (head, _) = ask("/api/v1/search?date=x", "");
    assert!(!head.contains("etag"), "{head}");
}
