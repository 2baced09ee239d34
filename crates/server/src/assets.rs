//! Static files that pages use: the style sheet, the scripts and the icon.
//!
//! The name of each file contains a hash of its content, and pages link to that name. Browsers may therefore cache a
//! file for good: changed content has another name.

use crate::fault::Fault;
use crate::reply::{Reply, SVG};
use crate::site::Request;
use bytes::Bytes;
use hyper::header;
use std::hash::{DefaultHasher, Hasher};
use std::sync::LazyLock;

/// The `Cache-Control` value for files whose names contain their hash.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";

/// A static file that is built into the program.
pub(crate) struct Asset {
    /// Its path on the site.
    pub(crate) address: String,
    content_type: &'static str,
    text: Bytes,
}

/// The style sheet of all pages, including that of the game viewer.
pub(crate) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let text = tridex_page::style() + include_str!("assets/style.css");
    Asset::new("style", "css", "text/css; charset=utf-8", compact(&text))
});

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// The script of pages without a game. Like all scripts it is optional: it follows links without reloading the page, adds
/// keyboard shortcuts, and completes queries.
pub(crate) static SCRIPT: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("script", "js", JAVASCRIPT, tridex_page::SITE_SCRIPT.into()));

/// The script of a page with a game, which follows that of the viewer.
pub(crate) static GAME: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("game", "js", JAVASCRIPT, tridex_page::GAME_SCRIPT.into()));

/// The script of the game viewer.
pub(crate) static VIEWER: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("viewer", "js", JAVASCRIPT, tridex_page::SCRIPT.into()));

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

/// A style sheet without comments and without blanks that mean nothing. Ours have neither in texts.
fn compact(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        out += before;
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out += rest;
    let lines = out.lines().map(str::trim).filter(|line| !line.is_empty());
    let out = lines.collect::<Vec<_>>().join("\n");
    let pairs = [
        (" { ", "{"),
        ("; ", ";"),
        (": ", ":"),
        (", ", ","),
        (";}", "}"),
        (" }", "}"),
    ];
    let short = |text: String, (long, short): (&str, &str)| text.replace(long, short);
    pairs.into_iter().fold(out, short)
}

/// `/assets/{name}`
pub(crate) fn named(request: &Request) -> Result<Reply, Fault> {
    let address = format!("/assets/{}", request.name);
    let mut assets = [&STYLE, &SCRIPT, &GAME, &VIEWER, &ICON].into_iter();
    let found = assets.find(|asset| asset.address == address);
    let found = found.ok_or_else(Fault::not_found)?;
    let reply = Reply::whole(found.content_type, found.text.clone());
    Ok(reply.with(header::CACHE_CONTROL, FOR_GOOD))
}

/// `/favicon.ico`, which browsers fetch if a page names no icon.
pub(crate) fn icon(_: &Request) -> Result<Reply, Fault> {
    Ok(Reply::whole(SVG, ICON.text.clone()))
}
