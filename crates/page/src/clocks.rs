//! Clocks in comments: `[%clk 1:29:44]`.

/// Takes the clocks out of a comment; returns the rest.
pub(crate) fn take(comment: &str, mut tell: impl FnMut(&str)) -> String {
    let mut out = String::new();
    let mut rest = comment;
    while let Some((before, after)) = rest.split_once("[%clk ") {
        out.push_str(before);
        match after.split_once(']') {
            Some((clock, behind)) if is_time(clock.trim()) => {
                tell(clock.trim());
                rest = behind;
            }
            _ => {
                out.push_str("[%clk ");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out.trim().to_owned()
}

fn is_time(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.len() <= 16
        && text
            .bytes()
            .all(|sign| sign.is_ascii_digit() || matches!(sign, b':' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::take;

    #[test]
    fn clocks_are_taken_out_and_other_words_stay() {
        let mut clocks = Vec::new();
        let rest = take("[%clk 0:59:58] good [%clk x][%clk 1:00", |clock| {
            clocks.push(clock.to_owned());
        });
        assert_eq!(rest, "good [%clk x][%clk 1:00");
        assert_eq!(clocks, ["0:59:58"]);
    }
}
