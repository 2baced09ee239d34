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

use crate::body::Body as ReplyBody;
use crate::fault::{DAMAGED as MISSING, Fault, TOO_LONG};
use crate::host::{HostName, is_ours};
use crate::pages::layout;
use crate::params::Params;
use crate::places::Client;
use crate::reply::{Answer, HTML, JSON, NO_CACHE, Noted, Reply};
use crate::routes::{Cost, Handler, ROUTES};
use crate::site::{Request as Asked, Site};
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::Response;
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

/// The headers of every answer.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
];

impl Site {
    /// All pages, with the guard before them.
    pub(crate) fn router(&self) -> Router {
        let mut router = Router::new();
        for (path, cost, handler) in ROUTES {
            let site = self.clone();
            let answer = move |params: Result<RawPathParams, RawPathParamsRejection>,
                               request: Request| async move {
                let Ok(params) = params else {
                    return fault_response(&Fault::not_found(), request.uri().path(), false);
                };
                let name = params.iter().next().map(|(_, value)| value.to_owned());
                let name = name.unwrap_or_default();
                let asker = Asker::of(&request);
                site.respond(cost, handler, name, request.uri(), &asker)
                    .await
            };
            router = router.route(path, any(answer));
        }
        router
            .fallback(
                |uri: Uri| async move { fault_response(&Fault::not_found(), uri.path(), false) },
            )
            .layer(middleware::from_fn_with_state(self.clone(), guard))
    }

    /// Answers one `GET` as it would come from this machine, without a network. For tests and programs; it starts a
    /// runtime of its own each time.
    ///
    /// # Errors
    /// If the system gives no runtime, or the answer is broken off.
    pub fn answer(&self, address: &str) -> std::io::Result<Answer> {
        let request = axum::http::Request::get(address).header("host", "localhost");
        match request.body(Body::empty()) {
            Ok(request) => self.answer_to(request),
            Err(fault) => Ok(Answer {
                status: 400,
                headers: Vec::new(),
                body: fault.to_string().into_bytes(),
            }),
        }
    }

    pub(crate) fn answer_to(&self, request: Request) -> std::io::Result<Answer> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()?;
        let mut router = self.router();
        runtime.block_on(async move {
            let response = match router.call(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
            let (head, body) = response.into_parts();
            let header = |(name, value): (&HeaderName, &HeaderValue)| {
                (
                    name.to_string(),
                    String::from_utf8_lossy(value.as_bytes()).into_owned(),
                )
            };
            let body = body.collect().await.map_err(std::io::Error::other)?;
            Ok(Answer {
                status: head.status.as_u16(),
                headers: head.headers.iter().map(header).collect(),
                body: body.to_bytes().to_vec(),
            })
        })
    }

    /// Has a request answered: here and now, or on a thread where it may take its time.
    async fn respond(
        &self,
        cost: Cost,
        handler: Handler,
        name: String,
        uri: &Uri,
        asker: &Asker,
    ) -> Response {
        let path = uri.path();
        let params = Params::read(uri.query());
        let stop = Stop::default();
        // Dropped when the answer is there, has taken too long, or the client has left.
        let _raises = Raises(stop.clone());
        let (reply, is_damaged, _place) = match cost {
            Cost::Nothing => {
                let asked = Asked::new(self.current(), params, name, stop);
                (handler(self, &asked), asked.is_damaged(), None)
            }
            Cost::Work => {
                let place = self.inner.answers.take(asker.client, self.inner.wait).await;
                let place = match place {
                    Ok(place) => place,
                    Err(fault) => return fault_response(&fault, path, false),
                };
                let site = self.clone();
                let work = tokio::task::spawn_blocking(move || {
                    let asked = Asked::new(site.opened(), params, name, stop);
                    let reply = handler(&site, &asked);
                    // Taken until the work is done, whether or not anyone still waits for it, and then until the answer is
                    // on its way.
                    (reply, asked.is_damaged(), Some(place))
                });
                match tokio::time::timeout(self.inner.longest, work).await {
                    Ok(Ok(answer)) => answer,
                    Ok(Err(_)) => {
                        let fault = Fault::new(500, "The answer could not be made.");
                        (Err(fault), false, None)
                    }
                    Err(_) => (Err(Fault::new(503, TOO_LONG)), false, None),
                }
            }
        };
        match reply {
            Ok(reply) => self.response(reply, path, is_damaged, asker).await,
            Err(fault) => fault_response(&fault, path, is_damaged),
        }
    }

    async fn response(
        &self,
        reply: Reply,
        path: &str,
        is_damaged: bool,
        asker: &Asker,
    ) -> Response {
        let (reply, form) = asker.formed(reply);
        let place = match reply.body.is_big() {
            false => None,
            true => match self
                .inner
                .sendings
                .take(asker.client, self.inner.wait)
                .await
            {
                Ok(place) => Some(place),
                Err(fault) => return fault_response(&fault, path, is_damaged),
            },
        };
        let file = reply
            .file
            .map(|file| format!("attachment; filename=\"{file}\""));
        let file = file.and_then(|value| HeaderValue::try_from(value).ok());
        // What browsers cache for long is of the program, not of the index.
        let is_partial = is_damaged && reply.cache == NO_CACHE;
        let head = (reply.status, reply.content_type, reply.cache);
        let mut response = respond_with(head, reply.body.send(place), is_partial);
        let headers = response.headers_mut();
        headers.extend(file.map(|file| (header::CONTENT_DISPOSITION, file)));
        headers.extend(form);
        response
    }
}

/// The client, what it has of an answer already, and whether it reads gzip.
struct Asker {
    client: Client,
    known: Option<HeaderValue>,
    gzip: bool,
}

/// Shorter answers are not compressed.
const COMPRESSED: usize = 1_000;

impl Asker {
    fn of(request: &Request) -> Self {
        let headers = request.headers();
        let coding = headers.get_all(header::ACCEPT_ENCODING).iter();
        let mut codings = coding.filter_map(|value| value.to_str().ok());
        let is_gzip = |coding: &str| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            let weight = weight.trim().trim_start_matches("q=");
            name.trim() == "gzip"
                && weight.parse::<f32>().is_ok_and(|weight| weight > 0.0) | weight.is_empty()
        };
        Self {
            client: request.extensions().get().copied().unwrap_or(Client::HERE),
            known: headers.get(header::IF_NONE_MATCH).cloned(),
            gzip: codings.any(|value| value.split(',').any(is_gzip)),
        }
    }

    /// The answer as this client wants it, with its headers: nothing of what it has, or compressed.
    fn formed(&self, mut reply: Reply) -> (Reply, HeaderMap) {
        let mut headers = HeaderMap::new();
        let ReplyBody::Whole(bytes) = &mut reply.body else {
            return (reply, headers);
        };
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        // Weak: the same answer in either form.
        let tag = format!("W/\"{:016x}-{:x}\"", hasher.finish(), bytes.len());
        if let Ok(tag) = HeaderValue::try_from(tag)
            && reply.status == 200
        {
            let known = self.known.as_ref().map(HeaderValue::as_bytes);
            if known.is_some_and(|known| {
                known
                    .split(|byte| *byte == b',')
                    .any(|one| one.trim_ascii() == tag.as_bytes())
            }) {
                reply.status = 304;
                *bytes = Bytes::new();
            }
            headers.insert(header::ETAG, tag);
        }
        if bytes.len() >= COMPRESSED {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            if self.gzip {
                let mut packed = GzEncoder::new(Vec::new(), Compression::new(4));
                // Writing to memory does not fail.
                if packed.write_all(bytes).is_ok()
                    && let Ok(packed) = packed.finish()
                {
                    *bytes = packed.into();
                    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                }
            }
        }
        (reply, headers)
    }
}

/// Raises a stop when it is dropped.
struct Raises(Stop);

impl Drop for Raises {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// A fault as a page or as JSON, by the address.
fn fault_response(fault: &Fault, path: &str, is_damaged: bool) -> Response {
    let (content_type, body) = match path.starts_with("/api/") {
        true => {
            let fault = fault.json();
            let text = serde_json::to_string(&Noted::new(&fault, is_damaged));
            (JSON, text.unwrap_or_default() + "\n")
        }
        false => (HTML, layout::fault(fault, is_damaged).into_string()),
    };
    let head = (fault.status, content_type, "no-store");
    let mut response = respond_with(head, Body::from(body), is_damaged);
    let more = match fault.status {
        405 => Some((header::ALLOW, HeaderValue::from_static("GET, HEAD"))),
        429 | 503 => Some((header::RETRY_AFTER, HeaderValue::from_static("2"))),
        _ => None,
    };
    response.headers_mut().extend(more);
    response
}

/// A response with its status, what it is, how it may be cached, and whether games may be missing in it.
fn respond_with(
    (status, content_type, cache): (u16, &'static str, &'static str),
    body: Body,
    is_partial: bool,
) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let damaged = is_partial.then_some((DAMAGED, MISSING));
    let all = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, cache),
    ];
    for (name, value) in all.into_iter().chain(damaged) {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn guard(State(site): State<Site>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let mut response = match refused(
        &site.inner.hosts,
        request.method(),
        request.uri(),
        request.headers(),
    ) {
        Some(fault) => {
            let mut response = fault_response(&fault, &path, false);
            // What may follow is not read.
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
            response
        }
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Why a request is refused.
fn refused(hosts: &[HostName], method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Fault> {
    let mut names = headers.get_all(header::HOST).iter();
    let is_named = match (names.next().map(HeaderValue::to_str), names.next()) {
        (Some(Ok(host)), None) => is_ours(host, hosts),
        _ => false,
    };
    let is_called_so = uri
        .authority()
        .is_none_or(|authority| is_ours(authority.as_str(), hosts));
    if !is_named || !is_called_so {
        return Some(Fault::new(
            421,
            "This site has another name. Use localhost, its numeric address, or a name given with \
                                     --host.",
        ));
    }
    if is_from_elsewhere(headers) {
        return Some(Fault::new(
            403,
            "A page of another site requested this. Only links to whole pages are answered: open \
                                     the address in the browser.",
        ));
    }
    if !matches!(*method, Method::GET | Method::HEAD) {
        return Some(Fault::new(405, "Only GET and HEAD are answered."));
    }
    let length = uri.path().len() + uri.query().map_or(0, str::len);
    if length > MAX_ADDRESS {
        return Some(Fault::new(414, "The address is too long."));
    }
    let has_body = headers.contains_key(header::TRANSFER_ENCODING)
        || headers
            .get(header::CONTENT_LENGTH)
            .is_some_and(|length| length != "0");
    has_body.then(|| Fault::new(413, "A request has no body here."))
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
    use crate::assets::Asset;
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
            assert_eq!(answer.status, 429, "{address}");
            assert_eq!(answer.header("retry-after"), Some("2"), "{address}");
            assert!(
                answer.text().contains("the most for one address"),
                "{address}"
            );
            let other = site.answer_to(from(Client::HERE, address)).unwrap();
            assert_eq!(other.status, 200, "{address}");
        }
        for address in [
            Asset::Style.address(),
            "/favicon.ico",
            "/health",
            "/api/v1/openapi.json",
        ] {
            let answer = site.answer_to(from(greedy, address)).unwrap();
            assert_eq!(answer.status, 200, "{address}");
        }
        drop(held);
        assert_eq!(site.answer_to(from(greedy, "/")).unwrap().status, 200);
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
