//! Reads score sheets in HTML, and in the markup of forums: converts a page to lines of text.
//!
//! A row of a table becomes a line, with a tab between two cells. Everything that browsers show is text. Tags,
//! comments, scripts and style sheets are omitted.

use html5gum::{DefaultEmitter, Span, Token, Tokenizer};
use tridex_words::{Context, meaning};

use crate::lex;

/// The elements that show in a text without a known extension that it is HTML.
const TABLES: [&str; 5] = ["table", "tr", "td", "th", "pre"];

/// The elements with which a page begins.
const BEGINNINGS: [&str; 4] = ["!doctype", "html", "head", "body"];

/// The elements that begin and end a line.
const LINES: [&str; 23] = [
    "article", "aside", "br", "body", "caption", "center", "dd", "div", "dl", "dt", "footer",
    "form", "head", "header", "html", "li", "main", "nav", "section", "tbody", "tfoot", "thead",
    "tr",
];

/// The elements with an empty line before and after them.
const BLOCKS: [&str; 14] = [
    "blockquote",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "ol",
    "p",
    "pre",
    "table",
    "ul",
];

/// The elements around text that is crossed out.
const CROSSED_OUT: [&str; 3] = ["del", "s", "strike"];

/// The elements whose tags do not separate words, and those without text.
const INLINE: [&str; 44] = [
    "a",
    "abbr",
    "b",
    "base",
    "bdi",
    "bdo",
    "big",
    "button",
    "cite",
    "code",
    "col",
    "colgroup",
    "em",
    "figcaption",
    "font",
    "i",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "link",
    "mark",
    "meta",
    "nobr",
    "noscript",
    "option",
    "q",
    "script",
    "select",
    "small",
    "span",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "template",
    "textarea",
    "time",
    "tt",
    "u",
    "wbr",
];

/// Converts a text with markup to one without.
pub(crate) type Convert = fn(&[u8]) -> Vec<u8>;

/// The conversion of a text with markup, which its extension and its beginning show.
pub(crate) fn conversion(extension: Option<&str>, head: &[u8]) -> Option<Convert> {
    if is_html(extension, head) {
        return Some(text_of);
    }
    is_marked(extension, head).then_some(without_marks)
}

/// Whether a text is HTML, by the extension of its file and its beginning.
fn is_html(extension: Option<&str>, head: &[u8]) -> bool {
    let start = lex::skip_blanks(head, 0);
    match extension {
        Some("html" | "htm" | "xhtml") => true,
        // Tags in comments are text.
        Some("pgn" | "csv" | "tsv" | "ndjson" | "jsonl" | "json") => false,
        _ if matches!(head.get(start), Some(b'[' | b'{')) => false,
        _ => {
            let mut tags = memchr::memchr_iter(b'<', head);
            tags.any(|at| {
                has_tag(head, at, &TABLES) || at == start && has_tag(head, at, &BEGINNINGS)
            })
        }
    }
}

/// The tags of forums that are omitted.
const FORUM: [&str; 17] = [
    "b", "i", "u", "s", "center", "code", "color", "font", "list", "pgn", "quote", "size",
    "spoiler", "table", "td", "tr", "url",
];

/// Whether a text has the tags of a forum (`[b]Anna[/b]`) or move numbers in bold type of Markdown (`**1. a4W**`), by its
/// beginning.
fn is_marked(extension: Option<&str>, head: &[u8]) -> bool {
    let start = lex::skip_blanks(head, 0);
    let is_other = matches!(
        extension,
        Some("pgn" | "csv" | "tsv" | "ndjson" | "jsonl" | "json")
    ) || head.get(start) == Some(&b'{')
        || head.get(start) == Some(&b'[') && forum_tag(head, start).is_none();
    let mut ends = memchr::memmem::find_iter(head, b"[/");
    !is_other
        && (ends.any(|at| forum_tag(head, at).is_some())
            || memchr::memmem::find(head, b"**1.").is_some())
}

/// The name of the tag of a forum at `at`, its value and its end: `[b]`, `[/b]`, `[quote="Anna"]`.
fn forum_tag(text: &[u8], at: usize) -> Option<(&'static str, &[u8], usize)> {
    /// The longest tag.
    const LONGEST: usize = 128;
    let near = text
        .get(at..text.len().min(at + LONGEST))?
        .strip_prefix(b"[")?;
    let inside = near.get(..memchr::memchr2(b']', b'\n', near)?)?;
    let close = at + inside.len() + 1;
    let name = inside.strip_prefix(b"/").unwrap_or(inside);
    let end = name.iter().position(|b| *b == b'=').unwrap_or(name.len());
    let (name, value) = name.split_at(end);
    let mut known = FORUM.into_iter();
    let known = known.find(|known| name.eq_ignore_ascii_case(known.as_bytes()))?;
    let is_value = |b: &u8| !matches!(b, b'=' | b'"');
    let from = value.iter().position(is_value).unwrap_or(value.len());
    let value = value.get(from..).unwrap_or_default();
    let value = value.strip_suffix(b"\"").unwrap_or(value);
    (text.get(close) == Some(&b']')).then_some((known, value, close + 1))
}

/// A text without the tags of a forum and bold type. Its lines stay, except that rows of tables become lines.
fn without_marks(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut from = 0;
    for at in memchr::memchr2_iter(b'[', b'*', text) {
        let end = match forum_tag(text, at) {
            _ if at < from => continue,
            Some((_, _, end)) => end,
            None if text.get(at..at + 2) == Some(b"**") => at + 2,
            None => continue,
        };
        out.extend_from_slice(text.get(from..at).unwrap_or_default());
        match forum_tag(text, at) {
            Some(("td", ..)) if text.get(at + 1) != Some(&b'/') => out.push(b'\t'),
            Some(("tr", ..)) if text.get(at + 1) != Some(&b'/') => out.push(b'\n'),
            // Who is quoted.
            Some(("quote", value, _)) => out.extend_from_slice(value),
            _ => {}
        }
        from = end;
    }
    out.extend_from_slice(text.get(from..).unwrap_or_default());
    out
}

/// Whether one of some tags begins at `at`.
fn has_tag(head: &[u8], at: usize, names: &[&str]) -> bool {
    let rest = head.get(at + 1..).unwrap_or_default();
    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'!';
    let (name, rest) = rest.split_at(rest.iter().take_while(is_name).count());
    let is_known = names
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
    is_known
        && matches!(
            rest.first(),
            Some(b'>' | b'/' | b' ' | b'\t' | b'\r' | b'\n')
        )
}

/// The text of a page.
fn text_of(html: &[u8]) -> Vec<u8> {
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    let start = lex::skip_blanks(html, 0);
    let mut page = Page {
        is_fragment: !has_tag(html, start, &BEGINNINGS),
        ..Page::default()
    };
    for token in Tokenizer::new_with_emitter(html, emitter) {
        // Reading from memory cannot fail.
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => page.tag(&tag.name, true, raw(html, tag.span)),
            Token::EndTag(tag) => page.tag(&tag.name, false, raw(html, tag.span)),
            Token::String(text) => page.text(&text),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    page.end_line();
    page.text
}

fn raw(html: &[u8], span: Span<usize>) -> &[u8] {
    html.get(span.start..span.end).unwrap_or_default()
}

/// A page up to some place, as text.
#[derive(Default)]
struct Page {
    text: Vec<u8>,
    /// The line that is not yet in `text`.
    line: Vec<u8>,
    /// Where the cells of the line begin.
    cells: Vec<usize>,
    /// A blank is before the next word.
    has_gap: bool,
    /// A tag ended the line before.
    follows_tag: bool,
    /// The next line follows an empty one.
    is_block: bool,
    /// Tags in a plain text, whose lines are lines outside of tables.
    is_fragment: bool,
    /// The numbers of open `pre` and `table` elements.
    preformatted: usize,
    tables: usize,
    is_hidden: bool,
}

impl Page {
    fn tag(&mut self, name: &[u8], is_start: bool, raw: &[u8]) {
        let name = String::from_utf8_lossy(name);
        let name = &*name;
        if CROSSED_OUT.contains(&name) {
            self.word(b"~~");
        } else if matches!(name, "script" | "style") {
            self.is_hidden = is_start;
        } else if matches!(name, "td" | "th") {
            if is_start {
                if !self.line.is_empty() || !self.cells.is_empty() {
                    self.line.push(b'\t');
                }
                self.cells.push(self.line.len());
            }
            self.has_gap = false;
        } else if LINES.contains(&name) {
            self.end_line();
        } else if BLOCKS.contains(&name) {
            self.end_line();
            self.is_block = true;
            let open = match name {
                "pre" => &mut self.preformatted,
                "table" => &mut self.tables,
                _ => return,
            };
            *open = match is_start {
                true => *open + 1,
                false => open.saturating_sub(1),
            };
        } else if name == "title" {
            // A title is no heading of a game: `Chess club - Games`. It becomes an escape line.
            self.end_line();
            if is_start {
                self.word(b"%");
                self.has_gap = true;
            }
        } else if !INLINE.contains(&name) {
            // `Anna <anna@club.example>`
            self.text(raw);
        }
    }

    fn text(&mut self, text: &[u8]) {
        if self.is_hidden {
            return;
        }
        let mut at = 0;
        while at < text.len() {
            let next = lex::skip_blanks(text, at);
            let between = text.get(at..next).unwrap_or_default();
            if self.preformatted > 0 || self.is_fragment && self.tables == 0 {
                for byte in between {
                    match byte {
                        b'\n' => self.end_preformatted_line(),
                        b'\r' => {}
                        // A blank that is not ASCII.
                        0x80..=0xbf => {}
                        0xc0.. => self.line.push(b' '),
                        byte => self.line.push(*byte),
                    }
                }
            } else {
                self.has_gap |= next > at;
            }
            let is_word = |at: &usize| lex::skip_blanks(text, *at) == *at;
            let end = (next..text.len()).find(|at| !is_word(at));
            let end = end.unwrap_or(text.len());
            if let Some(word) = text.get(next..end).filter(|word| !word.is_empty()) {
                self.word(word);
            }
            at = end;
        }
    }

    fn word(&mut self, word: &[u8]) {
        let is_inside = self.line.last().is_some_and(|last| *last != b'\t');
        if std::mem::take(&mut self.has_gap) && is_inside {
            self.line.push(b' ');
        }
        self.line.extend_from_slice(word);
    }

    /// Ends a line of preformatted text, which may be empty.
    fn end_preformatted_line(&mut self) {
        match self.line.is_empty() {
            // The line end after `<br>`.
            true if std::mem::take(&mut self.follows_tag) => {}
            true => self.is_block |= !self.text.is_empty(),
            false => {
                self.end_line();
                self.follows_tag = false;
            }
        }
    }

    /// Adds the line to the text, if it is not empty.
    fn end_line(&mut self) {
        self.has_gap = false;
        self.follows_tag = true;
        let line = std::mem::take(&mut self.line);
        let cells = std::mem::take(&mut self.cells);
        let cell = |index: usize| {
            let to = cells.get(index + 1).map_or(line.len(), |next| next - 1);
            let cell = line.get(*cells.get(index)?..to);
            cell.map(<[u8]>::trim_ascii)
        };
        if line.trim_ascii().is_empty() {
            return;
        }
        let first = cell(0).unwrap_or_default();
        // A table that begins with the first move is a game of its own.
        self.is_block |= matches!(first, b"1" | b"1.");
        if std::mem::take(&mut self.is_block) && !self.text.is_empty() {
            self.text.push(b'\n');
        }
        let key = |cell: &[u8]| {
            let word = lex::decode(cell).trim_end_matches(':').to_lowercase();
            meaning(Context::Key, &word).is_some()
        };
        let is_number = !first.is_empty() && first.iter().all(u8::is_ascii_digit);
        // What separates the first cell from the others: `1.`, `White: Anna`.
        let after = match cell(1) {
            Some(_) if is_number => ".",
            Some(second)
                if cells.len() == 2 && key(first) && !key(second) && !first.ends_with(b":") =>
            {
                ":"
            }
            _ => "",
        };
        if after.is_empty() {
            self.text.extend_from_slice(line.trim_ascii_end());
        } else {
            let rest = line.get(cells.get(1).map_or(0, |second| second - 1)..);
            self.text.extend_from_slice(first);
            self.text.extend_from_slice(after.as_bytes());
            self.text
                .extend_from_slice(rest.unwrap_or_default().trim_ascii_end());
        }
        self.text.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(html: &str) -> String {
        assert!(is_html(Some("html"), html.as_bytes()));
        String::from_utf8(text_of(html.as_bytes())).unwrap()
    }

    #[test]
    fn rows_are_lines() {
        for (html, expected) in [
            (
                "<table><tr><td>1.<td>a4W<td>d6N<tr><td>2.<td>0-0<td>d6B</table>",
                "1.\ta4W\td6N\n2.\t0-0\td6B\n",
            ),
            // A line for each cell, without a full stop after the number, a game in each table.
            (
                "<table border=\"1\">\n<thead><tr>\n<th>No</th>\n<th>White</th>\n<th>Black</th>\n</tr></thead>\n\
                 <tr>\n<td>1</td>\n<td><b>a4W</b></td>\n<td>d6N</td>\n</tr>\n</table>\n<table><tr><td>1</td><td>b4N</td></tr></table>",
                "No\tWhite\tBlack\n\n1.\ta4W\td6N\n\n1.\tb4N\n",
            ),
            (
                "<p>White: J&ouml;rg &amp; Co<br>\nBlack: Bert</p>1.&nbsp;a4W <i>d6N</i><br/>&frac12;&ndash;&#189;",
                "White: Jörg & Co\nBlack: Bert\n\n1. a4W d6N\n½–½\n",
            ),
            (
                "<pre>\n[White \"Anna\"]\n\n1. a4W\n   d6N 1-0\n</pre>",
                "[White \"Anna\"]\n\n1. a4W\n   d6N 1-0\n",
            ),
            (
                "<table><tr><td>White</td><td>Anna Berger</td></tr><tr><td>White<td>a4W<td>0-0</tr></table>",
                "White:\tAnna Berger\nWhite\ta4W\t0-0\n",
            ),
            (
                "<!doctype html><title>Club - Games</title><h1>Ann - Bob</h1><p>1. a4W\nd6N",
                "% Club - Games\n\nAnn - Bob\n\n1. a4W d6N\n",
            ),
            (
                "White: Anna\nBlack: Bert\n\n<table>\n<tr>\n<td>1\n<td>a4W\n</table>\n1-0",
                "White: Anna\nBlack: Bert\n\n1.\ta4W\n\n1-0\n",
            ),
            (
                "<style>b { color: red }</style>Anna &lt;anna@club.example&gt; <anna@club.example> <s>a5N</s> a4N<!-- x -->",
                "Anna <anna@club.example> <anna@club.example> ~~a5N~~ a4N\n",
            ),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
    }

    #[test]
    fn marks_of_forums_are_omitted() {
        for (marked, expected) in [
            (
                "[quote=\"Ann\"]\n> Hello\n[/quote]\n[b]Ann - Bob[/b]\n1. a4W [i]d6N[/i] [31] 1-0",
                "Ann\n> Hello\n\nAnn - Bob\n1. a4W d6N [31] 1-0",
            ),
            (
                "[table][tr][td]1.[/td][td]a4W[/td][/tr][/table]",
                "\n\t1.\ta4W",
            ),
            ("Ann - Bob\n**1. a4W** d6N", "Ann - Bob\n1. a4W d6N"),
        ] {
            assert!(is_marked(None, marked.as_bytes()), "{marked}");
            let text = String::from_utf8(without_marks(marked.as_bytes())).unwrap();
            assert_eq!(text, expected);
        }
        for plain in [
            "[Event \"[b]x[/b]\"]",
            "{\"a\": \"[b]x[/b]\"}",
            "1. a4W [b5N] d6N",
            "1. a4W ** d6N",
        ] {
            assert!(!is_marked(None, plain.as_bytes()), "{plain}");
        }
    }

    #[test]
    fn pages_are_known_by_their_beginning() {
        for (extension, head, expected) in [
            (None, "<!DOCTYPE html>\n<p>1. a4W", true),
            (None, "White: Anna\n<TABLE border=1>", true),
            (Some("txt"), "<tr>\n<td>1.<td>a4W", true),
            (None, "1. a4W {<br>} d6N <trick>", false),
            (None, "[Event \"<table>\"]", false),
            (Some("pgn"), "{<table>}", false),
            (Some("html"), "1. a4W", true),
        ] {
            assert_eq!(is_html(extension, head.as_bytes()), expected, "{head}");
        }
    }
}
