//! What pages are made with and is no page: style, script, icon.
//!
//! Each has a hash of its text in its name, and pages link to that name: browsers keep it for good, and fetch another when
//! the program has another.

use crate::fault::Fault;
use crate::reply::{Reply, SVG};
use crate::site::{Request, Site};
use std::hash::{DefaultHasher, Hasher};
use std::sync::LazyLock;

/// How long browsers keep what has its hash in its name.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";

/// How long browsers keep what is always called alike.
const FOR_A_DAY: &str = "max-age=86400";

/// What there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asset {
    /// The style of all pages.
    Style,
    /// The script that pages do without: it follows links without reloading, and knows some keys.
    Script,
    Icon,
}

impl Asset {
    const ALL: [Self; 3] = [Self::Style, Self::Script, Self::Icon];

    /// Where it is.
    pub(crate) fn address(self) -> &'static str {
        static ADDRESSES: LazyLock<[String; 3]> = LazyLock::new(|| {
            Asset::ALL.map(|asset| {
                let (stem, extension) = match asset {
                    Asset::Style => ("style", "css"),
                    Asset::Script => ("script", "js"),
                    Asset::Icon => ("icon", "svg"),
                };
                let mut hasher = DefaultHasher::new();
                hasher.write(asset.text().as_bytes());
                format!("/assets/{stem}-{:016x}.{extension}", hasher.finish())
            })
        });
        &ADDRESSES[self as usize]
    }

    fn text(self) -> &'static str {
        // With those of the viewer of games.
        static SCRIPT: LazyLock<String> =
            LazyLock::new(|| tridex_page::SCRIPT.to_owned() + include_str!("assets/script.js"));
        static STYLE: LazyLock<String> =
            LazyLock::new(|| tridex_page::style() + include_str!("assets/style.css"));
        match self {
            Self::Style => STYLE.as_str(),
            Self::Script => SCRIPT.as_str(),
            Self::Icon => include_str!("assets/icon.svg"),
        }
    }

    fn reply(self, cache: &'static str) -> Reply {
        let content_type = match self {
            Self::Style => "text/css; charset=utf-8",
            Self::Script => "text/javascript; charset=utf-8",
            Self::Icon => SVG,
        };
        Reply {
            cache,
            ..Reply::whole(content_type, self.text())
        }
    }
}

/// `/assets/{name}`
pub(crate) fn named(_: &Site, request: &Request) -> Result<Reply, Fault> {
    let name = request.name.as_str();
    let is_it = |asset: &Asset| asset.address().strip_prefix("/assets/") == Some(name);
    let found = Asset::ALL.into_iter().find(is_it);
    found
        .map(|asset| asset.reply(FOR_GOOD))
        .ok_or_else(Fault::not_found)
}

/// `/favicon.ico`, which browsers fetch unless a page names another.
pub(crate) fn icon(_: &Site, _: &Request) -> Result<Reply, Fault> {
    Ok(Asset::Icon.reply(FOR_A_DAY))
}
