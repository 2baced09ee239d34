//! The memory limit of all batches in use.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// A memory limit for batches, shared by all threads.
///
/// Most batches are small, but a batch with a long game is not, and every thread may hold one. With a budget the next
/// batch is returned when there is room for it because others were dropped. A batch larger than the budget is returned
/// when there is no other. Do not hold a batch while requesting another: it can deadlock.
///
/// ```
/// use tridex_archive::source::{Budget, OpenOptions};
///
/// let mut options = OpenOptions::default();
/// options.budget = Some(Budget::new(64 << 20));
/// ```
#[derive(Debug)]
pub struct Budget {
    bytes: usize,
    used: Mutex<usize>,
    freed: Condvar,
}

impl Budget {
    /// A budget of `bytes` bytes.
    pub fn new(bytes: usize) -> Arc<Self> {
        Arc::new(Self {
            bytes,
            used: Mutex::new(0),
            freed: Condvar::new(),
        })
    }

    /// Waits for room for `bytes` bytes, and uses it until the returned share is dropped.
    pub(crate) fn take(self: &Arc<Self>, bytes: usize) -> Share {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |used: &mut usize| *used > 0 && used.saturating_add(bytes) > self.bytes;
        let mut used = self
            .freed
            .wait_while(used, full)
            .unwrap_or_else(PoisonError::into_inner);
        *used = used.saturating_add(bytes);
        Share {
            budget: Arc::clone(self),
            bytes,
        }
    }
}

/// A part of a budget.
#[derive(Debug)]
pub(crate) struct Share {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Drop for Share {
    fn drop(&mut self) {
        let used = self.budget.used.lock();
        let mut used = used.unwrap_or_else(PoisonError::into_inner);
        *used = used.saturating_sub(self.bytes);
        drop(used);
        self.budget.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn who_asks_for_more_than_there_is_waits_until_it_is_free() {
        let budget = Budget::new(100);
        let (first, second) = (budget.take(60), budget.take(40));
        let third = thread::spawn({
            let budget = Arc::clone(&budget);
            move || budget.take(50).bytes
        });
        thread::sleep(Duration::from_millis(50));
        assert!(!third.is_finished());
        drop(second);
        thread::sleep(Duration::from_millis(50));
        assert!(!third.is_finished(), "40 of 100 are not 50");
        drop(first);
        assert_eq!(third.join().unwrap(), 50);
    }

    #[test]
    fn what_is_larger_than_all_comes_alone() {
        let budget = Budget::new(10);
        drop(budget.take(1_000));
        let first = budget.take(1_000);
        assert_eq!(*budget.used.lock().unwrap(), 1_000);
        drop(first);
        assert_eq!(*budget.used.lock().unwrap(), 0);
    }
}
