//! The host names to which the site answers.
//!
//! Pages of other sites must not read this site through the browser of the person at this machine. They could try that
//! with a name for this machine from their own name server ("DNS rebinding"). The site therefore answers only to
//! `localhost`, numeric addresses and the names given to the program.
//!
//! No crate is used, because the check is one comparison. The crate `url` would parse whole addresses and normalize the
//! names in them.

use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

/// The limits of the Domain Name System in bytes: for a whole name, and for a part between two dots.
const LONGEST: (usize, usize) = (253, 63);

const ADVICE: &str = "a name such as chess.example is expected, without scheme and path and without the port: ASCII letters \
                      (xn--...), digits, hyphens and underscores in parts divided by dots, the last not a number; numeric addresses \
                      need no --host: --listen gives the address to listen on";

/// A name of this machine, as browsers send it: without scheme, port and path.
///
/// ```
/// use tridex_server::HostName;
/// assert!("chess.example".parse::<HostName>().is_ok());
/// let error = "chess.example:8080".parse::<HostName>().unwrap_err();
/// assert!(error.contains("without the port"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostName(String);

impl FromStr for HostName {
    /// A message that describes a valid name.
    type Err = &'static str;

    /// Accepts letters, digits, hyphens and underscores in parts separated by dots. The last part must not be a number.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_part = |part: &str| {
            let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            (1..=LONGEST.1).contains(&part.len())
                && part.bytes().all(is_inside)
                && !part.starts_with('-')
                && !part.ends_with('-')
        };
        // Browsers read a name whose last part is a number as an address.
        let is_address = text.rsplit('.').next().is_some_and(is_port);
        match text.len() <= LONGEST.0 && text.split('.').all(is_part) && !is_address {
            true => Ok(Self(text.to_owned())),
            false => Err(ADVICE),
        }
    }
}

/// Whether a text consists of digits, as a port number does.
fn is_port(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a host, with or without a port, is one to which the site answers.
pub(crate) fn is_ours(authority: &str, hosts: &[HostName]) -> bool {
    let name = match authority.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => authority,
    };
    let bracketed = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    // Numeric addresses need no name server, so DNS rebinding cannot use them.
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<Ipv4Addr>().is_ok()
        || bracketed.is_some_and(|name| name.parse::<IpAddr>().is_ok())
        || hosts.iter().any(|known| known.0.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_what_is_no_name_is_refused_with_advice() {
        for name in [
            "localhost",
            "chess.example",
            "CHESS.example",
            "my-chess_2.example",
            "xn--schch-fra.example",
            "a1",
            &format!("{}.example", "a".repeat(63)),
        ] {
            assert!(name.parse::<HostName>().is_ok(), "{name}");
        }
        for (text, advice) in [
            ("http://chess.example", "without scheme"),
            ("chess.example/", "without scheme"),
            ("//chess.example", "without scheme"),
            ("chess.example:8080", "without the port"),
            ("localhost:80", "without the port"),
            ("127.0.0.1:80", "without the port"),
            ("0.0.0.0", "--listen"),
            ("192.168.1.4", "--listen"),
            ("::1", "--listen"),
            ("[::1]", "--listen"),
            ("schäch.example", "ASCII"),
            ("", "such as chess.example"),
            ("*", "such as chess.example"),
            ("*.example", "such as chess.example"),
            ("chess example", "such as chess.example"),
            ("user@chess.example", "such as chess.example"),
            ("chess.example.", "such as chess.example"),
            (".example", "such as chess.example"),
            ("-chess.example", "such as chess.example"),
            ("chess-.example", "such as chess.example"),
            ("chess\n.example", "such as chess.example"),
            (&"a".repeat(64), "such as chess.example"),
            (&"a.".repeat(150), "such as chess.example"),
            ("127.1", "not a number"),
            ("2130706433", "not a number"),
        ] {
            let fault = text.parse::<HostName>().unwrap_err();
            assert!(fault.contains(advice), "{text}: {fault}");
        }
    }

    #[test]
    fn only_names_of_this_machine_are_ours() {
        let hosts = ["chess.example".parse().unwrap()];
        for host in [
            "localhost",
            "LocalHost:80",
            "127.0.0.1",
            "127.0.0.1:8080",
            "[::1]",
            "[::1]:8080",
            "192.168.1.4:80",
            "chess.example",
            "CHESS.example:99",
        ] {
            assert!(is_ours(host, &hosts), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "localhost:80:80",
            "localhost:x",
            "localhost:",
            "127.0.0.1@evil.example",
            "user@localhost",
            "[::1",
            "[::1]x",
            "[evil.example]",
            "chess.example.",
            "a b",
            "notchess.example",
            "0x7f000001",
            "127.1",
        ] {
            assert!(!is_ours(host, &hosts), "{host}");
        }
    }
}
