//! What pages are made with and is no page: style, script, icon.

use crate::reply::{Fault, Reply, SVG};
use crate::site::{Request, Site};

/// The style of all pages.
const STYLE: &str = include_str!("assets/style.css");

/// The script that pages do without: it follows links without reloading, and knows some keys.
const SCRIPT: &str = include_str!("assets/script.js");

const ICON: &str = include_str!("assets/icon.svg");

fn lasting(content_type: &'static str, text: &'static str) -> Reply {
    Reply {
        lasting: true,
        ..Reply::whole(content_type, text)
    }
}

pub(crate) fn style(_: &Site, _: &Request) -> Result<Reply, Fault> {
    Ok(lasting("text/css; charset=utf-8", STYLE))
}

pub(crate) fn script(_: &Site, _: &Request) -> Result<Reply, Fault> {
    Ok(lasting("text/javascript; charset=utf-8", SCRIPT))
}

pub(crate) fn icon(_: &Site, _: &Request) -> Result<Reply, Fault> {
    Ok(lasting(SVG, ICON))
}
