//! The pages and pictures of the guide, for programs that show it.
//!
//! ```
//! let page = tridex_guide::page("boards").unwrap();
//! assert_eq!(page.title, "The boards in pictures");
//! assert!(page.html("/guide").contains("<img src=\"/guide/pictures/"));
//! ```
//!
//! The guide as text is in `src`. Its [table of contents](parts) is read from `src/SUMMARY.md`, as mdBook reads it.

#![forbid(unsafe_code)]

#[doc = include_str!("README.md")]
#[cfg(doctest)]
struct Readme;

use include_dir::{Dir, include_dir};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};
use std::sync::LazyLock;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src");

static PARTS: LazyLock<Vec<Part>> = LazyLock::new(|| {
    let mut parts = vec![Part::default()];
    for line in text("SUMMARY.md").unwrap_or_default().lines() {
        match line.strip_prefix("# ") {
            Some("Summary") => {}
            Some(title) => parts.push(Part {
                title,
                pages: Vec::new(),
            }),
            None => {
                let link = line.trim_start_matches("- ").strip_prefix('[');
                let link = link.and_then(|link| link.strip_suffix(')')?.split_once("]("));
                let page = link.and_then(|(title, file)| {
                    Some(Page {
                        name: file.strip_suffix(".md")?,
                        title,
                        markdown: text(file)?,
                    })
                });
                if let Some(part) = parts.last_mut() {
                    part.pages.extend(page);
                }
            }
        }
    }
    parts.retain(|part| !part.pages.is_empty());
    parts
});

/// A part of the guide.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Part {
    /// Its title; empty for what comes before the first part.
    pub title: &'static str,
    /// Its pages, in order.
    pub pages: Vec<Page>,
}

/// A page of the guide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// Its name in addresses, such as `two-sheets`.
    pub name: &'static str,
    /// Its title in the table of contents.
    pub title: &'static str,
    /// Its text in Markdown.
    pub markdown: &'static str,
}

/// The parts of the guide in the order of its table of contents.
#[must_use]
pub fn parts() -> &'static [Part] {
    &PARTS
}

/// The pages of all parts, in order.
pub fn pages() -> impl Iterator<Item = &'static Page> {
    parts().iter().flat_map(|part| &part.pages)
}

/// The page of a name.
#[must_use]
pub fn page(name: &str) -> Option<&'static Page> {
    pages().find(|page| page.name == name)
}

/// A picture, as SVG, by the name of its file.
///
/// ```
/// assert!(tridex_guide::picture("bishop.svg").unwrap().starts_with("<svg"));
/// assert!(tridex_guide::picture("../SUMMARY.md").is_none());
/// ```
#[must_use]
pub fn picture(name: &str) -> Option<&'static str> {
    let is_picture = name.ends_with(".svg") && !name.contains('/');
    text(&format!("pictures/{name}")).filter(|_| is_picture)
}

fn text(file: &str) -> Option<&'static str> {
    FILES.get_file(file)?.contents_utf8()
}

impl Page {
    /// The page as HTML without a frame. Its links lead to other pages and to pictures below the address `base`, which
    /// does not end with a slash. HTML in the text is shown as text.
    #[must_use]
    pub fn html(&self, base: &str) -> String {
        let address = |link: CowStr<'static>| -> CowStr<'static> {
            if link.contains("://") || link.starts_with('#') {
                return link;
            }
            let (file, place) = match link.split_once('#') {
                Some((file, place)) => (file, format!("#{place}")),
                None => (&*link, String::new()),
            };
            let name = file.strip_suffix(".md").unwrap_or(file);
            format!("{base}/{name}{place}").into()
        };
        let parser = Parser::new_ext(self.markdown, Options::ENABLE_TABLES);
        let events = parser.map(|event| match event {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => Event::Start(Tag::Link {
                link_type,
                dest_url: address(dest_url),
                title,
                id,
            }),
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            }) => Event::Start(Tag::Image {
                link_type,
                dest_url: address(dest_url),
                title,
                id,
            }),
            event => event,
        });
        let mut out = String::with_capacity(self.markdown.len() * 2);
        html::push_html(&mut out, events);
        sized(&out, &format!("src=\"{base}/pictures/"))
    }
}

/// HTML whose pictures have a width and a height, so that the text does not move when they are loaded. `begin` comes before the
/// name of each.
fn sized(html: &str, begin: &str) -> String {
    let mut parts = html.split(begin);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += begin;
        let (name, rest) = part.split_once('"').unwrap_or((part, ""));
        out += name;
        out.push('"');
        let tag = picture(name).and_then(|picture| picture.split_once('>'));
        let value = |attribute: &str| {
            let (_, rest) = tag?.0.split_once(&format!(" {attribute}=\""))?;
            rest.split_once('"').map(|(value, _)| value)
        };
        if let Some((width, height)) = value("width").zip(value("height")) {
            out += &format!(" width=\"{width}\" height=\"{height}\"");
        }
        out += rest;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_of_the_folder_is_listed_and_its_links_lead_to_pages_and_pictures() {
        let files = FILES.files().map(|file| file.path().to_str().unwrap());
        let mut files: Vec<&str> = files.filter(|file| *file != "SUMMARY.md").collect();
        let mut listed: Vec<String> = pages().map(|page| format!("{}.md", page.name)).collect();
        files.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, files);
        let mut pictures = 0;
        for page in pages() {
            let html = page.html("/guide");
            assert!(html.starts_with("<h1>"), "{}", page.name);
            for link in html.split("href=\"/guide/").skip(1) {
                let link = link.split('"').next().unwrap();
                let name = link.split('#').next().unwrap();
                assert!(super::page(name).is_some(), "{}: {link}", page.name);
            }
            for link in html.split("<img src=\"").skip(1) {
                let link = link.split('"').next().unwrap();
                let name = link.strip_prefix("/guide/pictures/").unwrap();
                let sized = format!("{name}\" width=\"");
                assert!(html.contains(&sized), "{}: {link}", page.name);
                assert!(picture(name).is_some(), "{}: {link}", page.name);
                pictures += 1;
            }
        }
        assert!(pictures > 20, "{pictures}");
        assert!(parts().len() >= 4 && parts()[0].title.is_empty());
    }
}
