//! Finds the client of a request that came through a reverse proxy.
//!
//! Anyone can send `Forwarded` or `X-Forwarded-For`. The headers therefore count only if the peer of the connection is a
//! trusted proxy. Every proxy appends the address of its own peer at the right, and only these parts are reliable. From
//! right to left, the first address that is not that of a trusted proxy is the client. What is left of it was written by
//! the client itself.
//!
//! If a header cannot be read, the peer counts as the client. The same applies if both headers are present and disagree:
//! a proxy that writes one of them passes on the other as its client sent it.
//!
//! The crate `ipnet` reads networks. No maintained crate reads `Forwarded`, so this module does.

use hyper::header::{self, HeaderMap, HeaderName};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

const ADVICE: &str = "a network such as 10.0.0.0/8 or fd00::/8, or one address, is expected";

/// The network of a reverse proxy whose `Forwarded` and `X-Forwarded-For` headers are trusted.
///
/// ```
/// use tridex_server::TrustedProxy;
/// assert!("10.0.0.0/8".parse::<TrustedProxy>().is_ok());
/// assert!("::1".parse::<TrustedProxy>().is_ok());
/// assert!("10.0.0.0/33".parse::<TrustedProxy>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrustedProxy(IpNet);

impl FromStr for TrustedProxy {
    /// A message that describes a valid network.
    type Err = &'static str;

    /// Accepts an address, or an address with the length of its network prefix (CIDR).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let one = || text.parse::<IpAddr>().map(IpNet::from);
        let network = text.parse::<IpNet>().or_else(|_| one());
        Ok(Self(network.map_err(|_| ADVICE)?.trunc()))
    }
}

/// Whether an address is that of a trusted proxy.
pub(crate) fn is_trusted(address: IpAddr, proxies: &[TrustedProxy]) -> bool {
    let address = address.to_canonical();
    proxies.iter().any(|proxy| proxy.0.contains(&address))
}

/// Returns the address of the client: that of the peer, or what a trusted proxy states.
pub(crate) fn client_of(peer: IpAddr, headers: &HeaderMap, proxies: &[TrustedProxy]) -> IpAddr {
    if !is_trusted(peer, proxies) {
        return peer;
    }
    let stated = [
        (header::FORWARDED, forwarded as Reader),
        (X_FORWARDED_FOR, x_forwarded_for),
    ]
    .map(|(name, read)| {
        headers.contains_key(&name).then(|| {
            let hops = hops(headers, &name, read)?;
            let client = hops.iter().rev().find(|hop| !is_trusted(**hop, proxies));
            client.or(hops.first()).copied()
        })
    });
    let client = match stated {
        [Some(one), Some(other)] if one == other => one,
        [Some(_), Some(_)] | [None, None] => None,
        [one, other] => one.or(other).flatten(),
    };
    client.unwrap_or(peer)
}

/// Reads the addresses of one header line.
type Reader = fn(&str) -> Option<Vec<IpAddr>>;

/// All addresses of a header, in order; `None` if one of its lines cannot be read.
fn hops(headers: &HeaderMap, name: &HeaderName, read: Reader) -> Option<Vec<IpAddr>> {
    let lines = headers.get_all(name).iter();
    let hops = lines.map(|line| read(line.to_str().ok()?));
    let hops: Option<Vec<Vec<IpAddr>>> = hops.collect();
    Some(hops?.concat())
}

/// The addresses of `X-Forwarded-For`: a list with commas.
fn x_forwarded_for(line: &str) -> Option<Vec<IpAddr>> {
    line.split(',').map(|hop| node(hop.trim())).collect()
}

/// The addresses of `Forwarded` (RFC 7239): each element of the list has one `for`.
fn forwarded(line: &str) -> Option<Vec<IpAddr>> {
    let element = |element: &str| {
        let mut found = None;
        for pair in split(element, ';')? {
            let (name, value) = pair.trim().split_once('=')?;
            if name.eq_ignore_ascii_case("for") {
                let value = match value.strip_prefix('"') {
                    Some(quoted) => quoted.strip_suffix('"')?,
                    None => value,
                };
                if found.replace(node(value)?).is_some() {
                    return None;
                }
            }
        }
        found
    };
    split(line, ',')?.into_iter().map(element).collect()
}

/// Splits a text at a separator outside quotation marks; `None` if a quotation does not end.
fn split(text: &str, separator: char) -> Option<Vec<&str>> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let parts = text.split(|char: char| {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ => return char == separator && !is_quoted,
        }
        false
    });
    let parts = parts.collect();
    (!is_quoted).then_some(parts)
}

/// An address, with or without a port. Names such as `unknown` and `_hidden` are no addresses.
fn node(text: &str) -> Option<IpAddr> {
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip()).ok();
    let address = text.parse().ok().or_else(bracketed).or_else(with_port)?;
    Some(IpAddr::to_canonical(&address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;
    use std::slice::from_ref;

    const PEER: &str = "10.0.0.1";

    /// The client that headers state to a site which trusts `10.0.0.0/8` and `fd00::/8`.
    fn client(peer: &str, lines: &[(HeaderName, &str)]) -> String {
        let proxies = ["10.0.0.0/8", "fd00::/8"].map(|network| network.parse().unwrap());
        let mut headers = HeaderMap::new();
        for (name, line) in lines {
            headers.append(name, HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        client_of(peer.parse().unwrap(), &headers, &proxies).to_string()
    }

    #[test]
    fn networks_and_single_addresses_are_read() {
        for text in [
            "10.0.0.0/8",
            "10.1.2.3/8",
            "127.0.0.1",
            "::1",
            "fd00::/8",
            "0.0.0.0/0",
        ] {
            assert!(text.parse::<TrustedProxy>().is_ok(), "{text}");
        }
        for text in [
            "",
            "10.0.0.0/33",
            "10.0.0",
            "fd00::/129",
            "proxy.example",
            "10.0.0.1:80",
            " ::1",
        ] {
            assert_eq!(text.parse::<TrustedProxy>(), Err(ADVICE), "{text}");
        }
    }

    #[test]
    fn only_a_trusted_peer_names_its_client() {
        for line in [
            (X_FORWARDED_FOR, "192.0.2.1"),
            (header::FORWARDED, "for=192.0.2.1"),
        ] {
            assert_eq!(client("203.0.113.9", from_ref(&line)), "203.0.113.9");
            assert_eq!(client(PEER, from_ref(&line)), "192.0.2.1");
            assert_eq!(client("::ffff:10.0.0.1", &[line]), "192.0.2.1");
        }
        assert_eq!(client(PEER, &[]), PEER);
    }

    #[test]
    fn the_rightmost_address_that_is_not_trusted_is_the_client() {
        for (line, expected) in [
            ("192.0.2.1", "192.0.2.1"),
            ("198.51.100.7, 192.0.2.1", "192.0.2.1"),
            ("198.51.100.7, 192.0.2.1, 10.0.0.2,10.0.0.3", "192.0.2.1"),
            ("10.0.0.4, 192.0.2.1, fd00::2", "192.0.2.1"),
            // All are trusted: a client inside the network of the proxies.
            ("10.0.0.9, 10.0.0.2", "10.0.0.9"),
            ("192.0.2.1:8080", "192.0.2.1"),
            ("[2001:db8::1]:8080", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
        ] {
            assert_eq!(client(PEER, &[(X_FORWARDED_FOR, line)]), expected, "{line}");
        }
        for (line, expected) in [
            ("for=198.51.100.7, for=192.0.2.1;proto=https", "192.0.2.1"),
            ("For=\"[2001:db8::1]:4711\";by=10.0.0.2", "2001:db8::1"),
            ("by=\"a;b,c\" ; for=192.0.2.1, for=10.0.0.2", "192.0.2.1"),
            ("host=\"a\\\"b,c\";for=192.0.2.1", "192.0.2.1"),
        ] {
            assert_eq!(
                client(PEER, &[(header::FORWARDED, line)]),
                expected,
                "{line}"
            );
        }
        // Several lines are one list.
        let lines = [
            (X_FORWARDED_FOR, "198.51.100.7"),
            (X_FORWARDED_FOR, "192.0.2.1, 10.0.0.2"),
        ];
        assert_eq!(client(PEER, &lines), "192.0.2.1");
    }

    #[test]
    fn the_peer_counts_if_a_header_cannot_be_read() {
        for line in [
            "",
            ",",
            "unknown",
            "_hidden",
            "192.0.2.1,",
            "192.0.2.1, nonsense",
            "1.2.3",
            "192.0.2.1:x",
            "\u{e9}",
            "192.0.2.1;",
            "[::1",
        ] {
            assert_eq!(client(PEER, &[(X_FORWARDED_FOR, line)]), PEER, "{line}");
        }
        for line in [
            "",
            "for",
            "for=",
            "for=unknown",
            "for=_gazonk",
            "proto=https",
            "for=192.0.2.1;for=192.0.2.2",
            "for=\"192.0.2.1",
            "for=192.0.2.1\"",
            "for=192.0.2.1, proto=http",
            "for=\"\\1.2.3.4\"",
            "192.0.2.1",
        ] {
            assert_eq!(client(PEER, &[(header::FORWARDED, line)]), PEER, "{line}");
        }
    }

    #[test]
    fn a_second_header_that_the_proxy_passes_on_deceives_nobody() {
        let both = |one, other| client(PEER, &[(header::FORWARDED, one), (X_FORWARDED_FOR, other)]);
        assert_eq!(both("for=198.51.100.7", "192.0.2.1"), PEER);
        assert_eq!(
            both("for=192.0.2.1", "198.51.100.7, 192.0.2.1"),
            "192.0.2.1"
        );
        assert_eq!(both("for=nonsense", "192.0.2.1"), PEER);
        assert_eq!(both("for=192.0.2.1", "nonsense"), PEER);
    }
}
