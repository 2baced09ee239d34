//! Numbers of games in a source that several threads read.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Games that are counted when they are read, or on demand.
pub(crate) trait Counted: std::fmt::Debug + Send + Sync {
    /// The number of games.
    fn games(&self) -> u32;

    /// Whether that is known.
    fn is_counted(&self) -> bool;
}

/// The number of a game, which depends on the number of games in the batches before it.
///
/// Only a thread that requests it waits. It is known when the batches before were read; a batch that was not read is
/// counted.
///
/// ```
/// use tridex_archive::Ordinal;
///
/// assert_eq!(Ordinal::known(12).get(), 12);
/// ```
#[derive(Clone, Debug)]
pub struct Ordinal(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    known: OnceLock<u64>,
    /// The number before, and the games counted from there on.
    before: Mutex<Option<(Ordinal, Arc<dyn Counted>)>>,
}

impl Ordinal {
    /// A number that is known.
    pub fn known(number: u64) -> Self {
        Self::new(OnceLock::from(number), None)
    }

    /// The number after the games of `counted`, whose first game has this number.
    pub(crate) fn after(self, counted: Arc<dyn Counted>) -> Self {
        Self::new(OnceLock::new(), Some((self, counted)))
    }

    fn new(known: OnceLock<u64>, before: Option<(Self, Arc<dyn Counted>)>) -> Self {
        let before = Mutex::new(before);
        Self(Arc::new(Inner { known, before }))
    }

    /// The number. Batches that have not been read yet are read and counted.
    pub fn get(&self) -> u64 {
        *self.0.known.get_or_init(|| {
            let before = self.0.before.lock();
            let before = before.unwrap_or_else(PoisonError::into_inner).take();
            before.map_or(0, |(number, counted)| {
                number.get() + u64::from(counted.games())
            })
        })
    }

    /// Computes the number, unless another thread still reads a batch before it, and releases the batches before. False
    /// if the number is still unknown.
    pub(crate) fn settle(&self) -> bool {
        let is_open = |(number, counted): &(Self, Arc<dyn Counted>)| {
            let is_free = counted.is_counted() || Arc::strong_count(counted) == 1;
            !number.settle() || !is_free
        };
        let before = self.0.before.lock().unwrap_or_else(PoisonError::into_inner);
        let is_settled = !before.as_ref().is_some_and(is_open);
        drop(before);
        if is_settled {
            self.get();
        }
        is_settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Games(OnceLock<u32>);

    impl Counted for Games {
        fn games(&self) -> u32 {
            *self.0.get_or_init(|| 5)
        }

        fn is_counted(&self) -> bool {
            self.0.get().is_some()
        }
    }

    #[test]
    fn a_number_is_settled_when_all_before_it_is_read_or_gone() {
        let read: Arc<Games> = Arc::new(Games(OnceLock::new()));
        let second = Ordinal::known(1).after(Arc::clone(&read) as Arc<dyn Counted>);
        let third = second.clone().after(Arc::new(Games(OnceLock::new())));
        assert!(!third.settle() && !read.is_counted());
        read.0.set(3).unwrap();
        assert!(third.settle());
        assert_eq!((second.get(), third.get()), (4, 9));
    }

    #[test]
    fn asked_out_of_order_a_number_counts_what_is_before() {
        let read: Arc<Games> = Arc::new(Games(OnceLock::new()));
        let second = Ordinal::known(7).after(Arc::clone(&read) as Arc<dyn Counted>);
        assert_eq!((second.get(), read.is_counted()), (12, true));
    }
}
