//! Text in UTF-8 that some program read as Windows-1252 and stored as UTF-8 again: `JÃ¶rg` for `Jörg`.

use crate::game::{Game, Item};
use crate::lex::windows_1252;

/// Returns the text as it was meant, if all its characters beyond ASCII are bytes of UTF-8 that were read as Windows-1252.
///
/// ```
/// use tridex_archive::mojibake;
///
/// assert_eq!(mojibake("J\u{c3}\u{b6}rg").as_deref(), Some("J\u{f6}rg"));
/// assert_eq!(mojibake("J\u{f6}rg"), None);
/// assert_eq!(mojibake("S\u{c3}O"), None);
/// ```
#[must_use]
pub fn mojibake(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let byte = |c: char| match c {
        '\0'..='\u{ff}' => u8::try_from(c as u32).ok(),
        _ => (0x80..=0x9f).find(|byte| windows_1252(char::from(*byte)) == c),
    };
    let bytes: Vec<u8> = text.chars().map(byte).collect::<Option<_>>()?;
    let meant = String::from_utf8(bytes).ok()?;
    // Letters that no language of players uses show that the text is right as it is: `É‰`.
    let is_used = |c: char| matches!(c, '\0'..='\u{7f}' | '\u{a0}'..='\u{17f}' | '\u{370}'..='\u{4ff}' | '\u{1e00}'..);
    meant.chars().all(is_used).then_some(meant)
}

impl Game<'_> {
    /// Whether the raw text may have [`mojibake`]: a letter from U+00C0 on, before a character that Windows-1252 has for a
    /// byte of a continuation. In right text with accents, such as `Jörg` or `Größe`, other letters follow.
    fn may_have_mojibake(&self) -> bool {
        self.raw_texts().into_iter().any(|text| {
            let mut leads = memchr::memchr_iter(0xc3, text);
            // The first bytes of U+0080 to U+00BF, and of the characters at 0x80 to 0x9F in Windows-1252.
            leads.any(|at| matches!(text.get(at + 2), Some(0xc2 | 0xc5 | 0xc6 | 0xcb | 0xe2)))
        })
    }

    /// The first tag value or comment that is [`mojibake`], the text as it was meant, and its offset.
    pub fn mojibake(&self) -> Option<(String, String, u64)> {
        if !self.may_have_mojibake() {
            return None;
        }
        let tags = self
            .written_tags()
            .map(|tag| (tag.text().into_owned(), tag.at));
        let comments = self
            .events()
            .iter()
            .filter_map(|event| match self.item(event) {
                Item::Comment(text) | Item::LineComment(text) => {
                    Some((text.into_owned(), self.place(event)))
                }
                _ => None,
            });
        let mut texts = tags.chain(comments);
        texts.find_map(|(text, at)| mojibake(&text).map(|meant| (text, meant, at)))
    }

    /// Corrects every tag value and comment that is [`mojibake`]. Returns each text before and after.
    pub fn mend_mojibake(&mut self) -> Vec<[String; 2]> {
        let mut corrected = Vec::new();
        if !self.may_have_mojibake() {
            return corrected;
        }
        let mut mend = |text: &str| {
            let meant = mojibake(text)?;
            corrected.push([text.to_owned(), meant.clone()]);
            Some(meant)
        };
        self.change_tags(&mut mend);
        self.change_comments(&mut mend);
        corrected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(text: &str) -> String {
        text.bytes()
            .map(|byte| windows_1252(char::from(byte)))
            .collect()
    }

    #[test]
    fn every_language_is_mended() {
        for text in [
            "Jörg Größmann",
            "François Lefèvre",
            "José Peñalver",
            "Karel Vlček – Žák",
            "Гарри",
            "“quoted”",
            "羽生",
        ] {
            let broken = broken(text);
            // Five bytes are no characters in Windows-1252, and are lost there.
            if !broken.contains('\u{fffd}') {
                assert_eq!(mojibake(&broken).as_deref(), Some(text), "{broken}");
            }
        }
    }

    #[test]
    fn good_text_stays() {
        for text in [
            "Jörg",
            "São João",
            "NAÇÃO",
            "Â",
            "Ã",
            "10 €",
            "Ångström",
            "“Ã¶” is wrong",
            "‚a‘",
            "É‰",
            "Гарри",
            "naïve – très",
        ] {
            assert_eq!(mojibake(text), None, "{text}");
        }
    }
}
