//! Writes well-formed XML: every element that is opened is closed, every text and value is escaped.
//!
//! No crate is used, because these functions append straight to the `String` of a picture. The writer of `quick-xml`
//! needs an event for every tag and does not check that elements are closed.

use std::fmt::{Display, Write as _};

/// A document that is being written.
#[derive(Default, Debug)]
pub(crate) struct Xml {
    out: String,
    open: Vec<&'static str>,
}

/// The start of an element, to which attributes are added.
#[must_use]
pub(crate) struct Tag<'a> {
    xml: &'a mut Xml,
    name: &'static str,
}

impl Tag<'_> {
    /// Adds an attribute.
    pub(crate) fn with(self, key: &str, value: impl Display) -> Self {
        let _ = write!(self.xml.out, " {key}=\"");
        let _ = write!(Escaped(&mut self.xml.out), "{value}");
        self.xml.out.push('"');
        self
    }

    /// An element without content.
    pub(crate) fn empty(self) {
        self.xml.out.push_str("/>\n");
    }

    /// Opens the element; [`Xml::close`] closes it.
    pub(crate) fn open(self) {
        self.xml.out.push_str(">\n");
        self.xml.open.push(self.name);
    }

    /// An element that holds a text.
    pub(crate) fn text(self, text: &str) {
        self.xml.out.push('>');
        escape(text, &mut self.xml.out);
        self.xml.end(self.name);
    }
}

impl Xml {
    /// Begins an element.
    pub(crate) fn tag(&mut self, name: &'static str) -> Tag<'_> {
        self.out.push('<');
        self.out.push_str(name);
        Tag { xml: self, name }
    }

    /// Closes the element opened last.
    pub(crate) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.end(name);
        }
    }

    /// The document, with everything closed.
    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    fn end(&mut self, name: &str) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.out, "</{name}>");
    }
}

/// Writes to a text what [`escape`] makes of it.
struct Escaped<'a>(&'a mut String);

impl std::fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        escape(text, self.0);
        Ok(())
    }
}

/// A number with at most two decimals, always the same way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(pub(crate) f64);

impl Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rounded = (self.0 * 100.0).round() / 100.0;
        // No "-0".
        let rounded = if rounded == 0.0 { 0.0 } else { rounded };
        write!(f, "{rounded}")
    }
}

/// Appends a text, escaped for XML and HTML, in content and in quoted values. Control characters except tab and line
/// feed become U+FFFD, and so do U+FFFE, U+FFFF and the characters that change the direction of writing.
pub fn escape(text: &str, out: &mut String) {
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(harmless(sign)),
        }
    }
}

/// The character itself, or U+FFFD for control characters except tab and line feed, for U+FFFE and U+FFFF, and for
/// characters that change the direction of writing.
#[must_use]
pub const fn harmless(sign: char) -> char {
    match sign {
        '\t' | '\n' => sign,
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fffe}'
        | '\u{ffff}' => '\u{fffd}',
        _ => sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_opened_is_closed_and_what_is_said_is_escaped() {
        let mut xml = Xml::default();
        xml.tag("g").with("a", "\"<'&").open();
        xml.tag("path").with("x", Number(1.5)).empty();
        xml.tag("title").text("</title><script>\u{0}\u{202e}");
        assert_eq!(
            xml.finish(),
            "<g a=\"&quot;&lt;&#39;&amp;\">\n<path x=\"1.5\"/>\n\
             <title>&lt;/title&gt;&lt;script&gt;\u{fffd}\u{fffd}</title>\n</g>\n"
        );
    }

    #[test]
    fn numbers_are_short() {
        let said = |value| Number(value).to_string();
        assert_eq!(said(1.0), "1");
        assert_eq!(said(-0.001), "0");
        assert_eq!(said(12.345_678), "12.35");
    }
}
