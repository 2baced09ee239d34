//! The site: which pages there are, and the index they are made from.

use crate::host::HostName;
use crate::params::Params;
use crate::places::Places;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, watch};
use tridex_index::{GameIndex, IndexError, Survey};

/// The options of a site besides its indices: how much and how long clients may keep it busy, and its names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteOptions {
    /// How many requests are answered at once, at least 2, and half of them for one address; others wait. Style, script
    /// and health are answered besides.
    pub answers: usize,
    /// How long a request waits for its turn.
    pub wait: Duration,
    /// How long an answer may take; then its search is stopped.
    pub longest: Duration,
    /// How many connections there are at once, at least 1; others wait to be taken.
    pub connections: usize,
    /// How long a client may take to send the head of a request, or nothing at all.
    pub head: Duration,
    /// How long a client may take nothing of an answer.
    pub stalled: Duration,
    /// Names of this machine by which it may be called, besides `localhost` and numeric addresses.
    pub hosts: Vec<HostName>,
}

impl Default for SiteOptions {
    /// Answers: twice as many as there are processors and at least 4; 5 seconds, 20 seconds. 256 connections, 10 seconds, 20
    /// seconds. No other names.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            answers: 2 * processors.max(2),
            wait: Duration::from_secs(5),
            longest: Duration::from_secs(20),
            connections: 256,
            head: Duration::from_secs(10),
            stalled: Duration::from_secs(20),
            hosts: Vec::new(),
        }
    }
}

/// A site on open indices. Clones are the same site.
#[derive(Clone)]
pub struct Site {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    folders: Vec<PathBuf>,
    pub(crate) options: SiteOptions,
    opened: watch::Sender<Arc<Opened>>,
    /// When it was last looked whether the index has changed; held by who opens it again.
    looked: Mutex<Instant>,
    /// Whether the last commit cannot be read, for its files are damaged.
    is_outdated: AtomicBool,
    /// Places for those whose answers are being made.
    pub(crate) answers: Places,
    /// Places for those who are taking more than a few pieces: that may last, so that it does not keep others waiting.
    pub(crate) sendings: Places,
}

/// How often it is looked whether the index has changed.
const LOOKS: Duration = Duration::from_millis(200);

/// How many downloads and other big answers are sent at once.
const SENDINGS: usize = 8;

/// The indices as they were at a commit.
pub(crate) struct Opened {
    pub(crate) index: GameIndex,
    /// The counts of all games, and the last ones of only some, by their queries: readers compare the kinds of pieces.
    pub(crate) counts: Mutex<HashMap<String, Arc<Vec<Survey>>>>,
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
    /// The address, as it is in the list of all addresses.
    pub(crate) path: &'static str,
    pub(crate) opened: Arc<Opened>,
    /// The index of `opened`, whose searches end when no one waits for the answer any more. It knows whether anything was
    /// found damaged: then games may be missing in the answer.
    pub(crate) index: GameIndex,
    pub(crate) params: Params,
    /// The part of the path that is not fixed.
    pub(crate) name: String,
    /// Whether the answer lacks something if games are missing.
    pub(crate) lists_games: bool,
    /// Whether there is a newer commit that cannot be read, for its files are damaged.
    pub(crate) is_outdated: bool,
}

/// What an answer states about damage of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Damage {
    /// None is known.
    None,
    /// There is some, and the answer lacks nothing.
    Elsewhere,
    /// Games may be missing from the answer.
    Here,
}

impl Request {
    /// What is known of damage so far.
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
            looked: Mutex::new(Instant::now()),
            is_outdated: AtomicBool::new(false),
            answers: Places::new(options.answers),
            options,
            sendings: Places::new(SENDINGS),
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

    /// The index as the last commit left it, or one just before. Opening it again costs its readers nothing: until it is
    /// done the others continue with what they have, and so do all if it cannot be opened.
    pub(crate) fn opened(&self) -> Arc<Opened> {
        let inner = &*self.inner;
        if let Ok(mut looked) = inner.looked.try_lock()
            && looked.elapsed() >= LOOKS
        {
            *looked = Instant::now();
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

    /// Whether the last commit cannot be read, for its files are damaged; answers are those of the one before.
    pub(crate) fn is_outdated(&self) -> bool {
        self.inner.is_outdated.load(Ordering::Relaxed)
    }

    /// The index as it was opened last.
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
