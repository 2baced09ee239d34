//! The site: which pages there are, and the index they are made from.

use crate::params::Params;
use crate::reply::{Fault, Reply};
use crate::{api, assets, download, pages, texts};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};
use tridex_index::{GameIndex, IndexError, OpeningBook, Query, Survey};

/// What a site is told beside its indices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteOptions {
    /// How many requests are answered at once, at least 1; others wait.
    pub answers: usize,
    /// Names of this machine by which it may be asked, beside `localhost` and addresses in figures.
    pub hosts: Vec<String>,
}

impl Default for SiteOptions {
    /// Twice as many as there are processors, and no other names.
    fn default() -> Self {
        Self {
            answers: 2 * std::thread::available_parallelism().map_or(2, usize::from),
            hosts: Vec::new(),
        }
    }
}

/// A site on indices, open to be asked. Clones are the same site.
#[derive(Clone)]
pub struct Site {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    folders: Vec<PathBuf>,
    opened: RwLock<Arc<Opened>>,
    /// When it was last looked whether the index has changed; held by who opens it again.
    looked: Mutex<Instant>,
    pub(crate) hosts: Vec<String>,
    pub(crate) answers: Arc<tokio::sync::Semaphore>,
    pub(crate) downloads: Arc<tokio::sync::Semaphore>,
    pub(crate) book: OpeningBook,
}

/// How often it is looked whether the index has changed.
const LOOKS: Duration = Duration::from_millis(200);

/// How many downloads are written at once. They may last, so that they do not take the place of other answers.
const DOWNLOADS: usize = 4;

/// The indices as they were at a commit.
pub(crate) struct Opened {
    pub(crate) index: GameIndex,
    survey: Mutex<Option<Arc<Vec<Survey>>>>,
    /// The counts that were asked for last of some games only, and of which.
    asked: Mutex<Option<(String, Arc<Vec<Survey>>)>>,
    /// Nobody waits for the counts any more.
    stop: Arc<AtomicBool>,
}

impl Opened {
    fn new(index: GameIndex) -> Self {
        Self {
            index,
            survey: Mutex::default(),
            asked: Mutex::default(),
            stop: Arc::default(),
        }
    }

    /// The counts of all games. Made once, by who asks first; others wait for it.
    ///
    /// # Errors
    /// If the index has changed while they were counted.
    pub(crate) fn survey(&self) -> Result<Arc<Vec<Survey>>, Fault> {
        // Held while it is counted, so that all wait for one. What failed is tried again.
        let mut kept = self.survey.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counts) = &*kept {
            return Ok(Arc::clone(counts));
        }
        let counts = self.count(&Query::All)?;
        *kept = Some(Arc::clone(&counts));
        Ok(counts)
    }

    /// The counts of the games that answer a question, which is the same one if it has the same name. Those of the last
    /// question are kept, since one looks at several kinds of men in turn.
    ///
    /// # Errors
    /// As of [`Self::survey`], or if the question cannot be put to the index.
    pub(crate) fn survey_of(
        &self,
        name: &str,
        question: &Query,
    ) -> Result<Arc<Vec<Survey>>, Fault> {
        let asked = || self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, counts)) = &*asked()
            && known == name
        {
            return Ok(Arc::clone(counts));
        }
        let counts = self.count(question)?;
        *asked() = Some((name.to_owned(), Arc::clone(&counts)));
        Ok(counts)
    }

    fn count(&self, question: &Query) -> Result<Arc<Vec<Survey>>, Fault> {
        let counts = self.index.survey(question, &self.stop)?;
        // Counting that was stopped has counted some of the games only.
        match self.stop.load(Ordering::Relaxed) {
            true => Err(Fault::new(503, texts::CHANGED)),
            false => Ok(Arc::new(counts)),
        }
    }
}

/// A request that has passed the guard.
pub(crate) struct Request {
    pub(crate) opened: Arc<Opened>,
    pub(crate) params: Params,
    /// What stands for the part of the path that is not fixed.
    pub(crate) name: String,
}

/// What answers.
pub(crate) type Handler = fn(&Site, &Request) -> Result<Reply, Fault>;

/// All addresses. A part in braces stands for anything.
pub(crate) const ROUTES: [(&str, Handler); 18] = [
    ("/", pages::search::form),
    ("/search", pages::results::page),
    ("/setup", pages::setup::page),
    ("/game/{id}", pages::game::page),
    ("/openings", pages::openings::page),
    ("/statistics", pages::statistics::page),
    ("/board.svg", download::board),
    ("/download/games.pgn", download::pgn),
    ("/download/games.ndjson", download::ndjson),
    ("/download/games.csv", download::csv),
    ("/download/openings.csv", download::openings),
    ("/api/v1/search", api::search),
    ("/api/v1/openings", api::openings),
    ("/api/v1/games/{id}", api::game),
    ("/api/v1/openapi.json", api::description),
    ("/assets/style.css", assets::style),
    ("/assets/script.js", assets::script),
    ("/favicon.ico", assets::icon),
];

impl Site {
    /// Opens indices, to be asked as one.
    ///
    /// # Errors
    /// If one of them cannot be opened.
    pub fn open(folders: &[&Path], options: SiteOptions) -> Result<Self, IndexError> {
        let index = GameIndex::open_all(folders)?;
        let inner = Inner {
            folders: folders.iter().map(|folder| folder.to_path_buf()).collect(),
            opened: RwLock::new(Arc::new(Opened::new(index))),
            looked: Mutex::new(Instant::now()),
            hosts: options.hosts,
            answers: Arc::new(tokio::sync::Semaphore::new(options.answers.max(1))),
            downloads: Arc::new(tokio::sync::Semaphore::new(DOWNLOADS)),
            book: OpeningBook::bundled(),
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
    /// done the others go on with what they have, and so do all if it cannot be opened.
    pub(crate) fn opened(&self) -> Arc<Opened> {
        let inner = &*self.inner;
        let now = || Arc::clone(&inner.opened.read().unwrap_or_else(PoisonError::into_inner));
        let current = now();
        let Some(mut looked) = try_lock(&inner.looked) else {
            return current;
        };
        if looked.elapsed() < LOOKS {
            return current;
        }
        *looked = Instant::now();
        if !current.index.is_behind() {
            return current;
        }
        let folders: Vec<&Path> = inner.folders.iter().map(PathBuf::as_path).collect();
        if let Ok(index) = GameIndex::open_all(&folders) {
            current.stop.store(true, Ordering::Relaxed);
            let mut opened = inner.opened.write().unwrap_or_else(PoisonError::into_inner);
            *opened = Arc::new(Opened::new(index));
        }
        now()
    }
}

fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(std::sync::TryLockError::WouldBlock) => None,
    }
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site")
            .field("folders", &self.inner.folders)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interface_is_what_is_answered() {
        let answered = ROUTES
            .iter()
            .map(|(path, _)| *path)
            .filter(|path| path.starts_with("/api/"));
        let told = api::API.iter().map(|(path, _)| *path);
        assert!(answered.eq(told));
    }
}
