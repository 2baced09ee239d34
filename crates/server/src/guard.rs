//! What is a request here, and what browsers may do with the answer.
//!
//! The site is meant for the person at this machine. Pages of others must not read it through that person's browser: a
//! name that somebody else's name server gives for this machine ("DNS rebinding") is refused, since only `localhost`,
//! addresses in figures and names given to the program are answered to. Nothing but `GET` and `HEAD` is answered, and
//! nothing that is asked changes anything.

use crate::pages::layout;
use crate::params::Params;
use crate::reply::{Answer, Body as ReplyBody, Fault, JSON, Reply};
use crate::site::{Handler, ROUTES, Request as Asked, Site};
use crate::texts;
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::any;
use http_body_util::BodyExt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tower_service::Service;

/// The longest address that is answered, in bytes.
pub const MAX_ADDRESS: usize = 8_192;

/// How long a request waits for its turn.
const TURN: Duration = Duration::from_secs(5);

/// How long an answer may take.
const LONGEST: Duration = Duration::from_secs(20);

/// What every answer says.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
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
    /// All pages behind the guard.
    pub(crate) fn router(&self) -> Router {
        let mut router = Router::new();
        for (path, handler) in ROUTES {
            let site = self.clone();
            let answer = move |params: Result<RawPathParams, RawPathParamsRejection>,
                               request: Request| async move {
                let Ok(params) = params else {
                    return told(&Fault::not_found(), request.uri().path());
                };
                let name = params.iter().next().map(|(_, value)| value.to_owned());
                site.respond(handler, name.unwrap_or_default(), request.uri())
                    .await
            };
            router = router.route(path, any(answer));
        }
        router
            .fallback(|uri: Uri| async move { told(&Fault::not_found(), uri.path()) })
            .layer(middleware::from_fn_with_state(self.clone(), guard))
    }

    /// Answers one `GET` as it would come from this machine, without a network. For tests and programs; it starts a
    /// runtime of its own each time.
    ///
    /// # Errors
    /// If the system gives no runtime.
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
        Ok(runtime.block_on(async move {
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
            let body = body.collect().await.map(|body| body.to_bytes().to_vec());
            Answer {
                status: head.status.as_u16(),
                headers: head.headers.iter().map(header).collect(),
                body: body.unwrap_or_default(),
            }
        }))
    }

    /// Has a request answered on a thread where it may take its time.
    async fn respond(&self, handler: Handler, name: String, uri: &Uri) -> Response {
        let path = uri.path().to_owned();
        let params = Params::read(uri.query());
        let turn =
            tokio::time::timeout(TURN, Arc::clone(&self.inner.answers).acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return told(&Fault::new(503, texts::BUSY), &path);
        };
        let site = self.clone();
        let work = tokio::task::spawn_blocking(move || {
            // It stays taken until the work is done, whether or not anybody still waits for it.
            let _turn = turn;
            let asked = Asked {
                opened: site.opened(),
                params,
                name,
            };
            handler(&site, &asked)
        });
        match tokio::time::timeout(LONGEST, work).await {
            Ok(Ok(Ok(reply))) => self.response(reply, &path),
            Ok(Ok(Err(fault))) => told(&fault, &path),
            Ok(Err(_)) => told(&Fault::new(500, texts::FAILED), &path),
            Err(_) => told(&Fault::new(503, texts::TOO_LONG), &path),
        }
    }

    fn response(&self, reply: Reply, path: &str) -> Response {
        let body = match reply.body {
            ReplyBody::Whole(bytes) => Body::from(bytes),
            ReplyBody::Written(download) => {
                let Ok(turn) = Arc::clone(&self.inner.downloads).try_acquire_owned() else {
                    return told(&Fault::new(503, texts::BUSY), path);
                };
                download.into_body(turn)
            }
        };
        let mut response = Response::new(body);
        *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static(reply.content_type),
        );
        if let Some(file) = reply.file
            && let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{file}\""))
        {
            headers.insert(header::CONTENT_DISPOSITION, value);
        }
        let lasting = match reply.lasting {
            true => "max-age=86400",
            false => "no-cache",
        };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
        response
    }
}

/// A fault as the page or the JSON that was asked for.
fn told(fault: &Fault, path: &str) -> Response {
    let status = StatusCode::from_u16(fault.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let (content_type, body) = match path.starts_with("/api/") {
        true => {
            let told = serde_json::json!({ "error": fault.message });
            (JSON, format!("{told}\n"))
        }
        false => (crate::reply::HTML, layout::fault(fault).into_string()),
    };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
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
            let mut response = told(&fault, &path);
            // What may follow is not looked at.
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

/// Why a request is not looked at.
fn refused(hosts: &[String], method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Fault> {
    let mut names = headers.get_all(header::HOST).iter();
    let is_ours = match (names.next().map(HeaderValue::to_str), names.next()) {
        (Some(Ok(host)), None) => is_ours(host, hosts),
        _ => false,
    };
    let is_called_so = uri
        .authority()
        .is_none_or(|authority| is_ours_by(authority.as_str(), hosts));
    if !is_ours || !is_called_so {
        return Some(Fault::new(421, texts::OTHER_HOST));
    }
    if !matches!(*method, Method::GET | Method::HEAD) {
        return Some(Fault::new(405, texts::ONLY_GET));
    }
    let length = uri.path().len() + uri.query().map_or(0, str::len);
    if length > MAX_ADDRESS {
        return Some(Fault::new(414, texts::TOO_LONG_ADDRESS));
    }
    let has_body = headers.contains_key(header::TRANSFER_ENCODING)
        || headers
            .get(header::CONTENT_LENGTH)
            .is_some_and(|length| length != "0");
    has_body.then(|| Fault::new(413, texts::NO_BODY))
}

fn is_ours_by(authority: &str, hosts: &[String]) -> bool {
    !authority.contains('@') && is_ours(authority, hosts)
}

/// Whether a request that names this host is meant for this site.
fn is_ours(host: &str, hosts: &[String]) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, rest)) => (address, rest),
        None => match host.find(':') {
            Some(at) => host.split_at(at),
            None => (host, ""),
        },
    };
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    if !port.is_empty() && !port.strip_prefix(':').is_some_and(is_port) {
        return false;
    }
    // An address in figures is nobody's to give away.
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok()
        || hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_ours() {
        let hosts = ["chess.example".to_owned()];
        for host in [
            "localhost",
            "LocalHost:80",
            "127.0.0.1",
            "127.0.0.1:8080",
            "[::1]",
            "[::1]:8080",
            "192.168.1.4:80",
            "chess.example",
            "CHESS.example:99",
        ] {
            assert!(is_ours(host, &hosts), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "localhost:80:80",
            "localhost:x",
            "localhost:",
            "127.0.0.1@evil.example",
            "[::1",
            "[::1]x",
            "[evil.example]",
            "chess.example.",
            "a b",
            "notchess.example",
            "0x7f000001",
            "127.1",
        ] {
            assert!(!is_ours(host, &hosts), "{host}");
        }
        assert!(!is_ours_by("user@localhost", &hosts));
    }
}
