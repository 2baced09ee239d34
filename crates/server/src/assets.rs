//! What pages are made with and is no page: style, script, icon.
//!
//! Each has a hash of its text in its name, and pages link to that name: browsers keep it for good, and fetch another when
//! the program has another.

use crate::fault::Fault;
use crate::reply::{Reply, SVG};
use crate::site::Request;
use bytes::Bytes;
use hyper::header;
use std::hash::{DefaultHasher, Hasher};
use std::sync::LazyLock;

/// How long browsers keep what has its hash in its name.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";

/// A file of the program.
pub(crate) struct Asset {
    /// Where it is.
    pub(crate) address: String,
    content_type: &'static str,
    text: Bytes,
}

/// The style of all pages, with that of the viewer of games.
pub(crate) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let text = tridex_page::style() + include_str!("assets/style.css");
    Asset::new("style", "css", "text/css; charset=utf-8", text)
});

/// The script that pages do without: it follows links without reloading, knows some keys, and has the viewer of games.
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let text = tridex_page::SCRIPT.to_owned() + include_str!("assets/script.js");
    Asset::new("script", "js", "text/javascript; charset=utf-8", text)
});

pub(crate) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon", "svg", SVG, include_str!("assets/icon.svg").into()));

impl Asset {
    fn new(stem: &str, extension: &str, content_type: &'static str, text: String) -> Self {
        let mut hasher = DefaultHasher::new();
        hasher.write(text.as_bytes());
        Self {
            address: format!("/assets/{stem}-{:016x}.{extension}", hasher.finish()),
            content_type,
            text: text.into(),
        }
    }
}

/// `/assets/{name}`
pub(crate) fn named(request: &Request) -> Result<Reply, Fault> {
    let address = format!("/assets/{}", request.name);
    let mut assets = [&STYLE, &SCRIPT, &ICON].into_iter();
    let found = assets.find(|asset| asset.address == address);
    let found = found.ok_or_else(Fault::not_found)?;
    let reply = Reply::whole(found.content_type, found.text.clone());
    Ok(reply.with(header::CACHE_CONTROL, FOR_GOOD))
}

/// `/favicon.ico`, which browsers fetch unless a page names another.
pub(crate) fn icon(_: &Request) -> Result<Reply, Fault> {
    Ok(Reply::whole(SVG, ICON.text.clone()))
}
