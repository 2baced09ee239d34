//! What is a request here, how long it may take, and what browsers may do with the answer.
//!
//! The site is meant for the person at this machine. Pages of other sites must neither read it through that person's browser
//! (see `host`) nor keep it busy: browsers say in `Sec-Fetch-Site` whose page a request is from, and one from elsewhere is
//! refused, but for a link that a reader follows to a whole page (`Sec-Fetch-Mode: navigate`, `Sec-Fetch-Dest: document`).
//! Another port of this machine is another site too. A client without this header is no current browser, or uses a name
//! that browsers do not trust with it (one without TLS that is not this machine's own): the name is checked in any case.
//! Nothing but `GET` and `HEAD` is answered, and no request changes anything.
//!
//! An answer that costs something takes a place (see `places`), and its searches are stopped when it takes too long or the
//! client leaves: what holds the [`Stop`] is dropped then.

use crate::fault::{DAMAGED as MISSING, Fault, TOO_LONG};
use crate::host::{HostName, is_ours};
use crate::openapi::API;
use crate::pages::layout;
use crate::params::Params;
use crate::places::Client;
use crate::reply::{Body as ReplyBody, HTML, JSON, NO_CACHE, Noted, Reply};
use crate::routes::{Cost, ROUTES, Route};
use crate::site::{Request as Asked, Site};
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::BodyExt;
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use tower_service::Service;
use tridex_index::Stop;

/// The longest address that is answered, in bytes.
pub const MAX_ADDRESS: usize = 8_192;

/// The header of answers in which games may be missing.
const DAMAGED: HeaderName = HeaderName::from_static("tridex-damaged");

/// Shorter answers are not compressed.
const COMPRESSED: usize = 1_000;

/// The headers of every answer.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), geolocation=(), microphone=()",
    ),
];

impl Site {
    /// All pages, with the guard before them.
    pub(crate) fn router(&self) -> Router {
        let not_found = |uri: Uri| async move { fault_response(&Fault::not_found(), uri.path()) };
        let mut router = Router::new();
        for route in ROUTES {
            let site = self.clone();
            let answer = move |name: Result<Option<Path<String>>, PathRejection>, head: Parts| async move {
                let answered = match name.map(|name| name.map_or_else(String::new, |name| name.0)) {
                    Ok(name) => site.respond(route, name, &head).await,
                    Err(_) => Err(Fault::not_found()),
                };
                answered.unwrap_or_else(|fault| fault_response(&fault, head.uri.path()))
            };
            router = router.route(route.0, any(answer));
        }
        let guard = middleware::from_fn_with_state(self.clone(), guard);
        router.fallback(not_found).layer(guard)
    }

    /// Answers one `GET` as it would come from this machine, without a network. For tests and programs; it starts a
    /// runtime of its own each time.
    ///
    /// # Errors
    /// If the system gives no runtime, or the answer is broken off.
    pub fn answer(&self, address: &str) -> std::io::Result<Response<Bytes>> {
        let request = axum::http::Request::get(address).header("host", "localhost");
        match request.body(Body::empty()) {
            Ok(request) => self.answer_to(request),
            Err(fault) => {
                let mut answer = Response::new(fault.to_string().into());
                *answer.status_mut() = StatusCode::BAD_REQUEST;
                Ok(answer)
            }
        }
    }

    pub(crate) fn answer_to(&self, request: Request) -> std::io::Result<Response<Bytes>> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()?;
        let mut router = self.router();
        runtime.block_on(async move {
            let Ok(response) = router.call(request).await;
            let (head, body) = response.into_parts();
            let body = body.collect().await.map_err(std::io::Error::other)?;
            Ok(Response::from_parts(head, body.to_bytes()))
        })
    }

    /// Has a request answered on a thread where it may take its time.
    async fn respond(
        &self,
        (path, cost, handler): Route,
        name: String,
        head: &Parts,
    ) -> Result<Response, Fault> {
        let options = &self.inner.options;
        let client = head.extensions.get().copied().unwrap_or(Client::HERE);
        let stop = Stop::default();
        // Dropped when the answer is there, has taken too long, or the client has left.
        let _raises = Raises(stop.clone());
        let place = match cost {
            Cost::Nothing => None,
            Cost::Work => Some(self.inner.answers.take(client, options.wait).await?),
        };
        let (site, params) = (self.clone(), Params::read(head.uri.query()));
        let work = tokio::task::spawn_blocking(move || {
            let opened = match place {
                None => site.current(),
                Some(_) => site.opened(),
            };
            let asked = Asked {
                index: opened.index.stopped_by(&stop),
                site,
                path,
                opened,
                stop,
                params,
                name,
            };
            let described = API.iter().find(|(described, _)| *described == path);
            let known = described.map_or(Ok(()), |(_, known)| asked.params.only(&[known]));
            let reply = known.and_then(|()| handler(&asked));
            // Taken until the work is done, whether or not anyone still waits for it, and then until the answer is on its
            // way.
            (reply, asked.index.is_damaged(), place)
        });
        let work = tokio::time::timeout(options.longest, work).await;
        let work = work.map_err(|_| Fault::new(503, TOO_LONG))?;
        let (reply, is_damaged, _place) =
            work.map_err(|_| Fault::new(500, "The answer could not be made."))?;
        let sent = async {
            let mut reply = reply?;
            // What browsers cache for long is of the program, not of the index.
            if is_damaged && reply.cache == NO_CACHE {
                reply = reply.with(DAMAGED, MISSING);
            }
            let reply = formed(reply, &head.headers);
            let place = match reply.body.is_big() {
                true => Some(self.inner.sendings.take(client, options.wait).await?),
                false => None,
            };
            Ok(reply.send(place))
        };
        sent.await.map_err(|fault| Fault {
            is_damaged,
            ..fault
        })
    }
}

/// Forms an answer as the client wants it: nothing of what it has already, or compressed; with the headers that go with it.
fn formed(mut reply: Reply, wanted: &HeaderMap) -> Reply {
    let ReplyBody::Whole(mut bytes) = reply.body else {
        return reply;
    };
    if reply.status == 200 {
        let mut hasher = DefaultHasher::new();
        hasher.write(&bytes);
        // Weak: the same answer in either form.
        let own = format!("W/\"{:016x}-{:x}\"", hasher.finish(), bytes.len());
        let known = wanted.get(header::IF_NONE_MATCH).map(HeaderValue::as_bytes);
        let mut known = known.unwrap_or_default().split(|byte| *byte == b',');
        if known.any(|known| known.trim_ascii() == own.as_bytes()) {
            reply.status = 304;
            bytes.clear();
        }
        reply.more.push((header::ETAG, own));
    }
    if bytes.len() >= COMPRESSED {
        reply
            .more
            .push((header::VARY, "accept-encoding".to_owned()));
        let mut packed = GzEncoder::new(Vec::new(), Compression::new(4));
        // Writing to memory does not fail.
        if reads_gzip(wanted)
            && let Ok(packed) = packed.write_all(&bytes).and_then(|()| packed.finish())
        {
            bytes = packed.into();
            reply
                .more
                .push((header::CONTENT_ENCODING, "gzip".to_owned()));
        }
    }
    // What is handed on in pieces would not have it otherwise.
    let length = (header::CONTENT_LENGTH, bytes.len().to_string());
    reply.body = ReplyBody::Whole(bytes);
    reply.more.extend(reply.body.is_big().then_some(length));
    reply
}

/// Whether a client reads gzip.
fn reads_gzip(headers: &HeaderMap) -> bool {
    let coding = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut codings = coding.filter_map(|value| value.to_str().ok());
    let is_gzip = |coding: &str| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().trim_start_matches("q=");
        name.trim() == "gzip"
            && weight.parse::<f32>().is_ok_and(|weight| weight > 0.0) | weight.is_empty()
    };
    codings.any(|value| value.split(',').any(is_gzip))
}

/// Raises a stop when it is dropped.
struct Raises(Stop);

impl Drop for Raises {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// A fault as a page or as JSON, by the address.
fn fault_response(fault: &Fault, path: &str) -> Response {
    let mut reply = match path.starts_with("/api/") {
        true => {
            let text = serde_json::to_string(&Noted::new(&fault.json(), fault.is_damaged));
            Reply::whole(JSON, text.unwrap_or_default() + "\n")
        }
        false => Reply::whole(HTML, layout::fault(fault).into_string()),
    };
    reply.status = fault.status;
    reply.cache = "no-store";
    if fault.is_damaged {
        reply = reply.with(DAMAGED, MISSING);
    }
    match fault.status {
        405 => reply.with(header::ALLOW, "GET, HEAD"),
        429 | 503 => reply.with(header::RETRY_AFTER, "2"),
        _ => reply,
    }
    .send(None)
}

async fn guard(State(site): State<Site>, request: Request, next: Next) -> Response {
    match refused(&site.inner.options.hosts, &request) {
        None => (HEADERS, next.run(request).await).into_response(),
        Some(fault) => {
            let response = fault_response(&fault, request.uri().path());
            // What may follow is not read.
            ([(header::CONNECTION, "close")], HEADERS, response).into_response()
        }
    }
}

/// Why a request is refused.
fn refused(hosts: &[HostName], request: &Request) -> Option<Fault> {
    let (uri, headers) = (request.uri(), request.headers());
    let mut names = headers.get_all(header::HOST).iter();
    let is_named = match (names.next().map(HeaderValue::to_str), names.next()) {
        (Some(Ok(host)), None) => is_ours(host, hosts),
        _ => false,
    };
    let authority = uri.authority();
    let length = uri.path().len() + uri.query().map_or(0, str::len);
    let content = headers.get(header::CONTENT_LENGTH);
    let (status, why) = if !is_named || authority.is_some_and(|name| !is_ours(name.as_str(), hosts))
    {
        (
            421,
            "This site has another name. Use localhost, its numeric address, or a name given with \
             --host.",
        )
    } else if is_from_elsewhere(headers) {
        (
            403,
            "A page of another site requested this. Only links to whole pages are answered: open \
             the address in the browser.",
        )
    } else if !matches!(*request.method(), Method::GET | Method::HEAD) {
        (405, "Only GET and HEAD are answered.")
    } else if length > MAX_ADDRESS {
        (414, "The address is too long.")
    } else if headers.contains_key(header::TRANSFER_ENCODING)
        || content.is_some_and(|length| length != "0")
    {
        (413, "A request has no body here.")
    } else {
        return None;
    };
    Some(Fault::new(status, why))
}

/// Whether a page of another site wants more than to be left for a page of this one.
fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    let value = |name: &str| headers.get(name).map(HeaderValue::as_bytes);
    let is_own = matches!(
        value("sec-fetch-site"),
        None | Some(b"same-origin" | b"none")
    );
    let is_followed = value("sec-fetch-mode") == Some(b"navigate")
        && value("sec-fetch-dest") == Some(b"document");
    !is_own && !is_followed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SiteOptions;
    use crate::assets::STYLE;
    use std::time::Duration;
    use tridex_index::{IndexOptions, Writer};

    /// A request of a client.
    fn from(client: Client, address: &str) -> Request {
        let request = axum::http::Request::get(address).header("host", "localhost");
        request.extension(client).body(Body::empty()).unwrap()
    }

    #[test]
    fn who_has_all_its_places_waits_and_others_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::open(folder.path(), IndexOptions::default()).unwrap();
        writer.finish().unwrap();
        let options = SiteOptions {
            answers: 4,
            wait: Duration::from_millis(20),
            ..SiteOptions::default()
        };
        let site = Site::open(&[folder.path()], options).unwrap();
        let greedy = Client::of([192, 0, 2, 1].into());
        let held = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap()
            .block_on(async {
                let take = || site.inner.answers.take(greedy, Duration::ZERO);
                [take().await.unwrap(), take().await.unwrap()]
            });
        for address in ["/", "/api/v1/search", "/openings", "/download/games.pgn"] {
            let answer = site.answer_to(from(greedy, address)).unwrap();
            assert_eq!(answer.status(), 429, "{address}");
            assert_eq!(answer.headers()["retry-after"], "2", "{address}");
            assert!(
                String::from_utf8_lossy(answer.body()).contains("the most for one address"),
                "{address}"
            );
            let other = site.answer_to(from(Client::HERE, address)).unwrap();
            assert_eq!(other.status(), 200, "{address}");
        }
        for address in [
            STYLE.address.as_str(),
            "/favicon.ico",
            "/health",
            "/api/v1/openapi.json",
        ] {
            let answer = site.answer_to(from(greedy, address)).unwrap();
            assert_eq!(answer.status(), 200, "{address}");
        }
        drop(held);
        assert_eq!(site.answer_to(from(greedy, "/")).unwrap().status(), 200);
    }

    #[test]
    fn what_another_site_wants_is_refused_but_for_links_to_pages() {
        let elsewhere = |values: [&'static str; 3]| {
            let names = ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"];
            let mut headers = HeaderMap::new();
            for (name, value) in names.into_iter().zip(values) {
                if !value.is_empty() {
                    headers.insert(name, HeaderValue::from_static(value));
                }
            }
            is_from_elsewhere(&headers)
        };
        for own in [
            // No browser, or one without this header.
            ["", "", ""],
            // Typed, or from a bookmark.
            ["none", "navigate", "document"],
            ["same-origin", "navigate", "document"],
            ["same-origin", "cors", "empty"],
            ["same-origin", "no-cors", "style"],
            ["same-origin", "no-cors", "script"],
            ["same-origin", "no-cors", "image"],
            // A link on another page, followed.
            ["cross-site", "navigate", "document"],
            ["same-site", "navigate", "document"],
        ] {
            assert!(!elsewhere(own), "{own:?}");
        }
        for other in [
            ["cross-site", "no-cors", "image"],
            ["cross-site", "no-cors", "script"],
            ["cross-site", "no-cors", "style"],
            ["cross-site", "no-cors", "empty"],
            ["cross-site", "cors", "empty"],
            ["cross-site", "navigate", "iframe"],
            ["cross-site", "navigate", "embed"],
            ["cross-site", "navigate", "object"],
            ["cross-site", "navigate", ""],
            ["cross-site", "websocket", "websocket"],
            ["cross-site", "no-cors", "document"],
            ["cross-site", "", ""],
            // Another port of this machine.
            ["same-site", "cors", "empty"],
            ["same-site", "no-cors", "image"],
            ["other", "cors", "empty"],
        ] {
            assert!(elsewhere(other), "{other:?}");
        }
    }
}
