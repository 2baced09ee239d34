//! What the languages of the index share: words, numbers, brackets with `and`, `or`, `not`, and where and why a text is
//! not understood.
//!
//! A text is read from left to right without a way back: what follows is known by its first word or sign. So a rule of a
//! grammar is a function that moves a [`Reader`] on. One that finds nothing of its kind returns `None` and leaves the
//! reader where it was, or before blanks; a [`Fault`] ends everything.

use super::logic::Logic;
use super::query_error::QueryError;

/// The longest text of a query, pattern or material signature, in bytes.
pub const MAX_LENGTH: usize = 4_096;
/// How deep brackets and `not` may be nested.
pub const MAX_NESTING: usize = 48;

/// Where a text is not understood, and what was expected there.
#[derive(Debug)]
pub(crate) struct Fault {
    /// How many bytes of the text follow.
    left: usize,
    why: Why,
}

/// Why a text is not understood.
#[derive(Debug)]
enum Why {
    /// Something else was expected.
    Expected(&'static str),
    /// The first number of a range is greater than the second.
    Reversed(u32, u32),
}

/// What was read.
pub(crate) type Read<T> = Result<T, Fault>;

/// What is still to be read of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) rest: &'a str,
    /// How many brackets and nots are open.
    depth: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let depth = 0;
        Self { rest: text, depth }
    }

    /// What is expected here is not here.
    pub(crate) fn fault(&self, expected: &'static str) -> Fault {
        let left = self.rest.len();
        let why = Why::Expected(expected);
        Fault { left, why }
    }

    /// Skips blanks, none or more.
    pub(crate) fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes what begins here if it is this.
    pub(crate) fn tag(&mut self, tag: &str) -> bool {
        let after = self.rest.strip_prefix(tag);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Takes this, after blanks.
    pub(crate) fn expect(&mut self, tag: &str, expected: &'static str) -> Read<()> {
        self.blanks();
        let found = self.tag(tag).then_some(());
        found.ok_or(self.fault(expected))
    }

    /// Takes the characters that are part of something.
    pub(crate) fn take(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Takes a word of letters in any case, not followed by a letter, digit or `_`.
    pub(crate) fn keyword(&mut self, word: &str) -> bool {
        let mut after = *self;
        let found = after.take(|c| c.is_alphanumeric() || c == '_');
        self.take_if(found.eq_ignore_ascii_case(word), after)
    }

    /// Continues to a place if that is right.
    pub(crate) fn take_if(&mut self, is_right: bool, after: Self) -> bool {
        if is_right {
            *self = after;
        }
        is_right
    }

    /// Takes a letter if it means something.
    pub(crate) fn letter<T>(&mut self, meaning: impl Fn(char) -> Option<T>) -> Option<T> {
        let mut letters = self.rest.chars();
        let meaning = meaning(letters.next()?)?;
        self.rest = letters.as_str();
        Some(meaning)
    }

    /// A number up to 65,535.
    pub(crate) fn number(&mut self) -> Option<u32> {
        let mut after = *self;
        let digits = after.take(|c| c.is_ascii_digit());
        let number = digits.parse().ok().filter(|n| *n <= 65_535)?;
        *self = after;
        Some(number)
    }

    /// A number that is not 0.
    pub(crate) fn positive(&mut self, expected: &'static str) -> Read<u32> {
        let fault = self.fault(expected);
        self.number().filter(|number| *number > 0).ok_or(fault)
    }

    /// `N`, `N..M`, `N..`, `..M`.
    pub(crate) fn range(&mut self) -> Read<Option<(Option<u32>, Option<u32>)>> {
        let before = *self;
        let from = self.number();
        if !self.tag("..") {
            return Ok(from.map(|_| (from, from)));
        }
        match (from, self.number()) {
            (None, None) => {
                *self = before;
                Ok(None)
            }
            (Some(from), Some(to)) if from > to => Err(Fault {
                left: before.rest.len(),
                why: Why::Reversed(from, to),
            }),
            range => Ok(Some(range)),
        }
    }

    /// Reads what may be nested in itself, inside of a bracket or after a `not`.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        let found = read(self)?;
        self.depth -= 1;
        Ok(found)
    }

    /// Reads a text of another language, which may be nested as deep as by itself.
    pub(crate) fn apart<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        let depth = std::mem::take(&mut self.depth);
        let found = read(self)?;
        self.depth = depth;
        Ok(found)
    }
}

/// Reads a whole text, blanks around it forgiven.
pub(crate) fn whole<'a, T>(
    text: &'a str,
    read: impl FnOnce(&mut Reader<'a>) -> Read<T>,
    end: &'static str,
) -> Result<T, QueryError> {
    if text.len() > MAX_LENGTH {
        let expected = format!("the end of the text ({MAX_LENGTH} bytes at most)");
        return Err(QueryError::at(text, MAX_LENGTH, expected));
    }
    let mut reader = Reader::new(text);
    reader.blanks();
    let found = read(&mut reader).and_then(|found| {
        reader.blanks();
        match reader.rest {
            "" => Ok(found),
            _ => Err(reader.fault(end)),
        }
    });
    found.map_err(|Fault { left, why }| match why {
        Why::Expected(expected) => QueryError::at(text, text.len() - left, expected),
        Why::Reversed(from, to) => QueryError::reversed(text, text.len() - left, from, to),
    })
}

/// A language of tests joined by `or`, `and`, `not` and brackets.
pub(crate) trait Boolean {
    type Test;

    /// What is expected where a closing bracket is missing.
    const CLOSING: &'static str;

    fn test(&self, text: &mut Reader<'_>) -> Read<Logic<Self::Test>>;

    /// Takes a word of the language.
    fn word(text: &mut Reader<'_>, word: &str) -> bool {
        text.keyword(word)
    }

    /// Takes what negates a factor.
    fn negation(text: &mut Reader<'_>) -> bool {
        Self::word(text, "not")
    }

    /// Takes what joins two factors that both have to hold.
    fn conjunction(text: &mut Reader<'_>) -> bool {
        text.blanks();
        Self::word(text, "and")
    }

    /// What must not be negated, or joined by `and`, and what is expected there.
    fn refused(_: &Logic<Self::Test>) -> Option<&'static str> {
        None
    }

    /// What `or` joins.
    fn alternative(&self, text: &mut Reader<'_>) -> Read<Logic<Self::Test>> {
        self.all_of(text)
    }

    /// `any_of = alternative, { blanks, "or", blanks, alternative }`.
    fn any_of(&self, text: &mut Reader<'_>) -> Read<Logic<Self::Test>> {
        let mut parts = vec![self.alternative(text)?];
        loop {
            text.blanks();
            if !Self::word(text, "or") {
                return Ok(Logic::joined(parts, Logic::Or));
            }
            text.blanks();
            parts.push(self.alternative(text)?);
        }
    }

    /// `all_of = factor, { conjunction, blanks, factor }`.
    fn all_of(&self, text: &mut Reader<'_>) -> Read<Logic<Self::Test>> {
        let mut places = vec![*text];
        let mut parts = vec![self.factor(text)?];
        while Self::conjunction(text) {
            text.blanks();
            places.push(*text);
            parts.push(self.factor(text)?);
            for (part, place) in parts.iter().zip(&places) {
                if let Some(expected) = Self::refused(part) {
                    return Err(place.fault(expected));
                }
            }
        }
        Ok(Logic::joined(parts, Logic::And))
    }

    /// `factor = negation, blanks, factor | "(", blanks, any_of, blanks, ")" | test`.
    fn factor(&self, text: &mut Reader<'_>) -> Read<Logic<Self::Test>> {
        if text.depth > MAX_NESTING {
            return Err(text.fault("less nesting (48 brackets or nots at most)"));
        }
        if Self::negation(text) {
            text.blanks();
            let place = *text;
            let part = text.nested(|text| self.factor(text))?;
            return match Self::refused(&part) {
                Some(expected) => Err(place.fault(expected)),
                None => Ok(part.negated()),
            };
        }
        if text.tag("(") {
            text.blanks();
            let inner = text.nested(|text| self.any_of(text))?;
            text.expect(")", Self::CLOSING)?;
            return Ok(inner);
        }
        self.test(text)
    }
}
