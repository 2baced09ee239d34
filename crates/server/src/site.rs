//! The site: its options, and the index from which answers are made.

use crate::host::HostName;
use crate::limits::Permits;
use crate::params::Params;
use crate::proxy::TrustedProxy;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, watch};
use tridex_index::{GameIndex, IndexError, Statistics};

/// The options of a site: limits on the number and duration of requests, its host names and its proxies.
///
/// ```
/// let mut options = tridex_server::SiteOptions::default();
/// options.connections = 1_000;
/// assert!(options.connections_per_address < options.connections);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SiteOptions {
    /// How many requests are answered at once, at least 2. One address may use half of them; other requests wait. Style
    /// sheet, script, icon, API description and `/health` do not count.
    pub answers: usize,
    /// How long a request waits for its turn.
    pub wait: Duration,
    /// How long an answer may take before its search is stopped.
    pub longest: Duration,
    /// How long a page of results counts the games that match before it shows its first hits. The number is then a lower
    /// bound, and readers can ask for the exact one.
    pub counting: Duration,
    /// How many connections are open at once, at least 1. Others wait to be accepted.
    pub connections: usize,
    /// How many connections one address may have open, at least 1. Others are answered with 429 and closed. An IPv6
    /// address counts with its /64 network. Connections of trusted proxies are not limited.
    pub connections_per_address: usize,
    /// How long a client may take to send the head of a request, even if it sends nothing.
    pub head: Duration,
    /// How long a client may read nothing of an answer.
    pub stalled: Duration,
    /// Host names to which the site answers, besides `localhost` and numeric addresses.
    pub hosts: Vec<HostName>,
    /// Whether other sites may show `/embed/{id}`, the page of a game alone, in a frame.
    pub embedding: bool,
    /// The networks of reverse proxies. If the peer of a connection is one of them, its `Forwarded` or `X-Forwarded-For`
    /// header gives the address for which its requests count.
    pub trusted_proxies: Vec<TrustedProxy>,
}

impl Default for SiteOptions {
    /// Two answers at once for each processor, but at least 4; a `wait` of 5 seconds, a `longest` of 20 and a
    /// `counting` of a quarter; 256
    /// connections, half of them for one address; a `head` of 10 seconds and a `stalled` of 20; no other host names, no
    /// embedding and no trusted proxies.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            answers: 2 * processors.max(2),
            wait: Duration::from_secs(5),
            longest: Duration::from_secs(20),
            counting: Duration::from_millis(250),
            connections: 256,
            connections_per_address: 128,
            head: Duration::from_secs(10),
            stalled: Duration::from_secs(20),
            hosts: Vec::new(),
            embedding: false,
            trusted_proxies: Vec::new(),
        }
    }
}

/// A site that serves open indices. Clones share its state.
#[derive(Clone)]
pub struct Site {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    folders: Vec<PathBuf>,
    pub(crate) options: SiteOptions,
    opened: watch::Sender<Arc<Opened>>,
    /// When the index was last checked for changes. The request that checks it holds the lock.
    checked: Mutex<Instant>,
    /// Whether the last commit cannot be read because its files are damaged.
    is_outdated: AtomicBool,
    /// Limits how many answers are computed at once.
    pub(crate) answers: Permits,
    /// Limits how many large answers are sent at once. They are separate because slow clients must not hold up other
    /// requests.
    pub(crate) sendings: Permits,
}

/// The least time between two checks whether the index has changed.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// How many downloads and other big answers are sent at once.
const SENDINGS: usize = 8;

/// The indices as they were at a commit.
pub(crate) struct Opened {
    pub(crate) index: GameIndex,
    /// Statistics by query: those of all games, and those of the last query for only some. Readers request the same
    /// statistics again for every kind of piece.
    pub(crate) counts: Mutex<HashMap<String, Arc<Vec<Statistics>>>>,
}

impl Opened {
    fn open(folders: &[PathBuf]) -> Result<Arc<Self>, IndexError> {
        let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
        Ok(Arc::new(Self {
            index: GameIndex::open_all(&folders)?,
            counts: Mutex::default(),
        }))
    }
}

/// A request that has passed the guard.
pub(crate) struct Request {
    /// The address as the table of routes has it, such as `/game/{id}`.
    pub(crate) path: &'static str,
    pub(crate) opened: Arc<Opened>,
    /// The index of `opened`. Its searches end when no client waits for the answer any more. It remembers whether it
    /// found damage; then games may be missing from the answer.
    pub(crate) index: GameIndex,
    pub(crate) params: Params,
    pub(crate) times: Times,
    /// The part of the path that matches the braces.
    pub(crate) name: String,
    /// The beginning of its address as clients see it, such as `https://example.org`.
    pub(crate) origin: String,
    /// Whether the answer is incomplete if games are missing.
    pub(crate) lists_games: bool,
    /// Whether there is a newer commit that cannot be read because its files are damaged.
    pub(crate) is_outdated: bool,
}

/// How much of the longest time of an answer is left to make a page of what was found, unless that is more than half.
const RENDERING: Duration = Duration::from_secs(1);

/// When a search for a page must come to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// When to stop counting games and show the first hits.
    pub(crate) count_until: Instant,
    /// When to end the search with what was found, in time to make an answer of it.
    pub(crate) until: Instant,
}

impl Times {
    /// The times of an answer that is begun now.
    pub(crate) fn new(options: &SiteOptions) -> Self {
        let now = Instant::now();
        let longest = options.longest;
        Self {
            count_until: now + options.counting,
            until: now + longest.saturating_sub(RENDERING).max(longest / 2),
        }
    }
}

/// What an answer states about damage of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Damage {
    /// None is known.
    None,
    /// There is some, but the answer is complete.
    Elsewhere,
    /// Games may be missing from the answer.
    Here,
}

impl Request {
    /// The damage known so far.
    pub(crate) fn damage(&self) -> Damage {
        match (
            self.is_outdated || self.index.is_damaged(),
            self.lists_games,
        ) {
            (false, _) => Damage::None,
            (true, false) => Damage::Elsewhere,
            (true, true) => Damage::Here,
        }
    }
}

impl Site {
    /// Opens indices as one.
    ///
    /// # Errors
    /// If one of them cannot be opened.
    pub fn open(folders: &[&Path], options: SiteOptions) -> Result<Self, IndexError> {
        let folders: Vec<_> = folders.iter().map(|folder| folder.to_path_buf()).collect();
        let inner = Inner {
            opened: watch::Sender::new(Opened::open(&folders)?),
            folders,
            checked: Mutex::new(Instant::now()),
            is_outdated: AtomicBool::new(false),
            answers: Permits::new(options.answers),
            options,
            sendings: Permits::new(SENDINGS),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// How many games there are now.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.opened().index.games()
    }

    /// The index at the last commit, or at one just before. While one request opens it again, the others use the
    /// previous one. All of them do if it cannot be opened.
    pub(crate) fn opened(&self) -> Arc<Opened> {
        let inner = &*self.inner;
        if let Ok(mut checked) = inner.checked.try_lock()
            && checked.elapsed() >= CHECK_INTERVAL
        {
            *checked = Instant::now();
            let mut is_outdated = false;
            if self.current().index.is_behind() {
                match Opened::open(&inner.folders) {
                    Ok(newer) => drop(inner.opened.send_replace(newer)),
                    Err(fault) => is_outdated = matches!(fault, IndexError::Damaged { .. }),
                }
            }
            inner.is_outdated.store(is_outdated, Ordering::Relaxed);
        }
        self.current()
    }

    /// Whether the last commit cannot be read because its files are damaged. Answers then come from the commit before.
    pub(crate) fn is_outdated(&self) -> bool {
        self.inner.is_outdated.load(Ordering::Relaxed)
    }

    /// The index as it was last opened, without a check for changes.
    pub(crate) fn current(&self) -> Arc<Opened> {
        Arc::clone(&self.inner.opened.borrow())
    }
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site")
            .field("folders", &self.inner.folders)
            .finish_non_exhaustive()
    }
}
