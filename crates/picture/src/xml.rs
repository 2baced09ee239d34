//! Writes well-formed XML: every element that is opened is closed, every text and value is escaped.

use crate::letters::number;

/// A value of an attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Text(&'a str),
    Number(f64),
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Value<'_> {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

/// A document that is being written.
#[derive(Default, Debug)]
pub(crate) struct Xml {
    out: String,
    open: Vec<&'static str>,
}

impl Xml {
    /// An element without content.
    pub(crate) fn empty(&mut self, name: &'static str, attributes: &[(&str, Value<'_>)]) {
        self.start(name, attributes);
        self.out.push_str("/>\n");
    }

    /// Opens an element; [`Xml::close`] closes it.
    pub(crate) fn open(&mut self, name: &'static str, attributes: &[(&str, Value<'_>)]) {
        self.start(name, attributes);
        self.out.push_str(">\n");
        self.open.push(name);
    }

    /// Closes the element opened last.
    pub(crate) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.end(name);
        }
    }

    /// An element that holds a text.
    pub(crate) fn text(
        &mut self,
        name: &'static str,
        attributes: &[(&str, Value<'_>)],
        text: &str,
    ) {
        self.start(name, attributes);
        self.out.push('>');
        escape(text, &mut self.out);
        self.end(name);
    }

    /// The document, with everything closed.
    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    fn start(&mut self, name: &str, attributes: &[(&str, Value<'_>)]) {
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in attributes {
            self.out.push(' ');
            self.out.push_str(key);
            self.out.push_str("=\"");
            match value {
                Value::Text(text) => escape(text, &mut self.out),
                Value::Number(value) => number(*value, &mut self.out),
            }
            self.out.push('"');
        }
    }

    fn end(&mut self, name: &str) {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push_str(">\n");
    }
}

/// Appends a text so that it is nothing but a text, in XML and HTML, in content and in quoted values. Characters that
/// XML 1.0 does not allow become U+FFFD, and so do the marks that turn the direction of writing.
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

/// The sign itself, or U+FFFD for what XML 1.0 does not allow and for marks that turn the direction of writing.
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
        xml.open("g", &[("a", Value::from("\"<'&"))]);
        xml.empty("path", &[("x", Value::from(1.5))]);
        xml.text("title", &[], "</title><script>\u{0}\u{202e}");
        assert_eq!(
            xml.finish(),
            "<g a=\"&quot;&lt;&#39;&amp;\">\n<path x=\"1.5\"/>\n\
             <title>&lt;/title&gt;&lt;script&gt;\u{fffd}\u{fffd}</title>\n</g>\n"
        );
    }
}
