//! Decides which requests are answered, how long an answer may take, and what browsers may do with it.
//!
//! The site is meant for the person at this machine. Pages of other sites must neither read it through that person's
//! browser (see `host`) nor keep it busy. Browsers state in `Sec-Fetch-Site` which site a request comes from; another
//! port of this machine is another site too. A request from another site is refused, unless a reader follows a link to
//! a whole page (`Sec-Fetch-Mode: navigate`, `Sec-Fetch-Dest: document`). A client without this header is not a current
//! browser, or it uses a host name without TLS, for which browsers do not send the header. The host name is checked in
//! any case. Only `GET` and `HEAD` are answered, and no request changes anything.
//!
//! An answer that needs work needs a permit (see `limits`). If it takes too long or the client disconnects, its
//! [`Cancel`] is cancelled, which stops its searches.

use crate::fault::{DAMAGED as MISSING, Fault, LACKS, TOO_LONG};
use crate::host::is_ours;
use crate::openapi::API;
use crate::pages::shell;
use crate::params::Params;
use crate::proxy::client_of;
use crate::reply::{Answer, Body, HTML, Reply};
use crate::routes::{lists_games, route};
use crate::site::{Damage, Request as Asked, Site, SiteOptions, Times};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::http::uri::Authority;
use hyper::{Method, Request, Response, StatusCode};
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr};
use tridex_index::Cancel;

/// The longest address that is answered, in bytes.
pub const MAX_ADDRESS: usize = 8_192;

/// The header of answers in which games may be missing.
const DAMAGED: HeaderName = HeaderName::from_static("tridex-damaged");

const OTHER_NAME: &str = "This site has another name. Use localhost, its numeric address, or a name \
                          given with --host.";
const OTHER_SITE: &str = "A page of another site requested this. Only links to whole pages are \
                          answered: open the address in the browser.";

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

/// The beginning of the addresses that other sites may show in a frame if the options allow it, and the policy of these pages.
const EMBEDDED: &str = "/embed/";
const EMBEDDED_POLICY: &str = "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'self'; object-src 'none'";

impl Site {
    /// Answers one `GET` request without a network, as if it came from this machine. For tests and programs. Each call
    /// starts its own runtime.
    ///
    /// # Errors
    /// If `address` is not a valid address, the runtime cannot be started, or the answer ends early.
    pub fn answer(&self, address: &str) -> io::Result<Response<Bytes>> {
        let request = Request::get(address).header(header::HOST, "localhost");
        let request = request.body(());
        let request = request.map_err(|fault| io::Error::new(ErrorKind::InvalidInput, fault))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()?;
        runtime.block_on(async {
            let (head, ()) = request.into_parts();
            let answer = self.respond(head, Ipv4Addr::LOCALHOST.into()).await;
            let (head, body) = answer.into_parts();
            let body = body.collect().await.map_err(io::Error::other)?;
            Ok(Response::from_parts(head, body.to_bytes()))
        })
    }

    /// Answers a request that a peer sends. If it is refused or fails, the answer explains why.
    pub(crate) async fn respond(&self, head: Parts, peer: IpAddr) -> Answer {
        let client = client_of(peer, &head.headers, &self.inner.options.trusted_proxies);
        let path = head.uri.path().to_owned();
        let stated = |fault| fault_reply(&fault, &path, false);
        let answered = match refused(&self.inner.options, &head) {
            // A body that may follow is not read, so the connection must end.
            Some(fault) => Ok(stated(fault).with(header::CONNECTION, "close").send(None)),
            None => self.work(head, client, client != peer).await,
        };
        let mut answer = answered.unwrap_or_else(|fault| stated(fault).send(None));
        for (name, value) in HEADERS {
            let value = HeaderValue::from_static(value);
            answer.headers_mut().insert(name, value);
        }
        if self.inner.options.embedding && path.starts_with(EMBEDDED) {
            let headers = answer.headers_mut();
            headers.remove("x-frame-options");
            let policy = HeaderValue::from_static(EMBEDDED_POLICY);
            headers.insert("content-security-policy", policy);
        }
        answer
    }

    /// Answers a request on a thread for blocking work.
    async fn work(&self, head: Parts, client: IpAddr, is_proxied: bool) -> Result<Answer, Fault> {
        let route = route(head.uri.path()).ok_or_else(Fault::not_found)?;
        let ((path, handler), is_work, name) = route;
        let (site, options) = (self.clone(), &self.inner.options);
        let (cancel, times) = (Cancel::default(), Times::new(options));
        // Dropped when the answer is complete, has taken too long, or the client has disconnected.
        let _cancels = Cancels(cancel.clone());
        let permit = match is_work {
            false => None,
            true => Some(self.inner.answers.acquire(client, options.wait).await?),
        };
        let work = tokio::task::spawn_blocking(move || {
            let opened = match permit {
                None => site.current(),
                Some(_) => site.opened(),
            };
            let asked = Asked {
                index: opened.index.stopped_by(&cancel),
                params: Params::read(head.uri.query()),
                times,
                path,
                opened,
                name,
                origin: origin(&head, is_proxied),
                lists_games: lists_games(path),
                is_outdated: site.is_outdated(),
            };
            let described = API.iter().find(|(described, _)| *described == path);
            let known = described.map_or(Ok(()), |(_, known)| asked.params.only(&[known]));
            let reply = known.and_then(|()| handler(&asked));
            let reply = reply.and_then(|reply| match asked.damage() {
                // Pages and JSON can carry a note about missing games; a saved file cannot.
                Damage::Here if path.starts_with("/download/") => Err(Fault::new(500, LACKS)),
                Damage::Here if reply.0.status() == StatusCode::OK => Ok(reply.with_status(500)),
                _ => Ok(reply),
            });
            let reply = reply.and_then(|reply| reply.formed(&head.headers, head.version));
            let is_damaged = asked.damage() != Damage::None;
            let reply =
                reply.unwrap_or_else(|fault| fault_reply(&fault, head.uri.path(), is_damaged));
            let reply = match is_damaged {
                true => reply.with(DAMAGED, MISSING),
                false => reply,
            };
            // The permit is held until the work is done, even if the client has disconnected, and then until sending
            // starts.
            (reply, permit)
        });
        let work = tokio::time::timeout(options.longest, work).await;
        let work = work.map_err(|_| Fault::new(503, TOO_LONG))?;
        let work = work.map_err(|_| Fault::new(500, "The answer could not be made."));
        let (reply, _permit) = work?;
        let permit = match reply.0.body() {
            Body::Whole(_) => None,
            Body::Written(_) => Some(self.inner.sendings.acquire(client, options.wait).await?),
        };
        Ok(reply.send(permit))
    }
}

/// Cancels work when it is dropped.
struct Cancels(Cancel);

impl Drop for Cancels {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// A fault as JSON for addresses of the API, and as a page for others.
fn fault_reply(fault: &Fault, path: &str, is_damaged: bool) -> Reply {
    let page = || Reply::whole(HTML, shell::fault(fault, is_damaged).into_string());
    let reply = match path.starts_with("/api/") {
        // A fault consists of texts and numbers, so writing it as JSON does not fail.
        true => Reply::json_without_note(&fault.answer(is_damaged)).unwrap_or_else(|_| page()),
        false => page(),
    };
    let reply = reply.with_status(fault.status);
    let reply = reply.with(header::CACHE_CONTROL, "no-store");
    match fault.status {
        405 => reply.with(header::ALLOW, "GET, HEAD"),
        429 | 503 => reply.with(header::RETRY_AFTER, "2"),
        _ => reply,
    }
}

/// The beginning of the site's addresses as a client sees it. A proxy reports whether the client uses TLS.
fn origin(head: &Parts, is_proxied: bool) -> String {
    let text = |name| {
        head.headers
            .get(name)
            .and_then(|value: &HeaderValue| value.to_str().ok())
    };
    let is_secure = is_proxied && text("x-forwarded-proto") == Some("https");
    let host = text("host").unwrap_or("localhost");
    format!("http{}://{host}", if is_secure { "s" } else { "" })
}

/// Whether a page of another site shows a game in a frame.
fn is_frame(head: &Parts) -> bool {
    let is = |name, wanted| head.headers.get(name).is_some_and(|value| value == wanted);
    head.uri.path().starts_with(EMBEDDED)
        && is("sec-fetch-mode", "navigate")
        && is("sec-fetch-dest", "iframe")
}

/// The reason to refuse a request, if there is one.
fn refused(options: &SiteOptions, head: &Parts) -> Option<Fault> {
    let (uri, headers) = (&head.uri, &head.headers);
    let named = headers.get_all(header::HOST);
    let names = named.iter().map(|name| name.to_str().unwrap_or_default());
    let mut names = names.chain(uri.authority().map(Authority::as_str));
    let is_ours = named.iter().count() == 1 && names.all(|name| is_ours(name, &options.hosts));
    let is_read = matches!(head.method, Method::GET | Method::HEAD);
    let length = uri.path().len() + uri.query().map_or(0, str::len);
    let mut content = headers.get(header::CONTENT_LENGTH).into_iter();
    let has_body =
        headers.contains_key(header::TRANSFER_ENCODING) || content.any(|length| length != "0");
    let faults = [
        (!is_ours, 421, OTHER_NAME),
        (
            is_from_elsewhere(headers) && !(options.embedding && is_frame(head)),
            403,
            OTHER_SITE,
        ),
        (!is_read, 405, "Only GET and HEAD are answered."),
        (length > MAX_ADDRESS, 414, "The address is too long."),
        (has_body, 413, "A request has no body here."),
    ];
    let (_, status, why) = faults.into_iter().find(|(is_met, ..)| *is_met)?;
    Some(Fault::new(status, why))
}

/// Whether a request comes from a page of another site and is not a link that a reader follows to a whole page.
fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    let value = |name: &str| headers.get(name).map(HeaderValue::as_bytes);
    let site = value("sec-fetch-site");
    let is_own = matches!(site, None | Some(b"same-origin" | b"none"));
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

    #[test]
    fn who_has_all_its_permits_waits_and_others_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::open(folder.path(), IndexOptions::default()).unwrap();
        writer.finish().unwrap();
        let options = SiteOptions {
            answers: 4,
            wait: Duration::from_millis(20),
            ..SiteOptions::default()
        };
        let site = Site::open(&[folder.path()], options).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let greedy = IpAddr::from([192, 0, 2, 1]);
        let to_greedy = |address: &str| {
            let request = Request::get(address).header(header::HOST, "localhost");
            let (head, ()) = request.body(()).unwrap().into_parts();
            runtime.block_on(async {
                let (head, body) = site.respond(head, greedy).await.into_parts();
                (head, body.collect().await.unwrap().to_bytes())
            })
        };
        let held = runtime.block_on(async {
            let acquire = || site.inner.answers.acquire(greedy, Duration::ZERO);
            [acquire().await.unwrap(), acquire().await.unwrap()]
        });
        for address in ["/", "/api/v1/search", "/openings", "/download/games.pgn"] {
            let (head, body) = to_greedy(address);
            assert_eq!(head.status, 429, "{address}");
            assert_eq!(head.headers["retry-after"], "2", "{address}");
            assert!(
                String::from_utf8_lossy(&body).contains("the most for one address"),
                "{address}"
            );
            let other = site.answer(address).unwrap();
            assert_eq!(other.status(), 200, "{address}");
        }
        for address in [
            STYLE.address.as_str(),
            "/favicon.ico",
            "/health",
            "/api/v1/openapi.json",
        ] {
            assert_eq!(to_greedy(address).0.status, 200, "{address}");
        }
        drop(held);
        assert_eq!(to_greedy("/").0.status, 200);
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
