//! Processes batches on many threads, with the results in order.
//!
//! The threads are rayon's. The results are put in order here because rayon's `par_bridge` does not preserve the order,
//! and its parallel iterators that do need all items in memory.

#[cfg(feature = "threads")]
use std::collections::VecDeque;
use std::io;
#[cfg(feature = "threads")]
use std::sync::mpsc;

use crate::Cancel;
#[cfg(feature = "threads")]
use crate::split::BATCH_BYTES;

/// How many threads a run uses if no number is chosen: one for each core.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Passes each of `items` to `work`, on `threads` threads, and each result to `sink`. The results come in the order of
/// the items for every number of threads.
///
/// The calling thread takes the items and calls the sink. With one thread, or without the feature `threads`, it also
/// does the work, and no thread is started. At most `threads + 2` items are in progress, and they have at most about as
/// many bytes as `threads + 2` usual batches. This bounds the memory, since a batch with a long game is not small.
/// `bytes` returns the size of an item. After `cancel` is cancelled no more items are taken; the results of those in
/// progress are still passed to the sink.
///
/// ```
/// use std::io;
/// use tridex_archive::{Cancel, pipeline};
///
/// let mut squares = Vec::new();
/// pipeline::run(1..=4, |_| 0, 2, &Cancel::default(), |n| n * n, |square| {
///     squares.push(square);
///     io::Result::Ok(())
/// })?;
/// assert_eq!(squares, [1, 4, 9, 16]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// The first error of the sink, which is not called again, or an error of starting threads.
///
/// # Panics
/// If `work` panics.
#[cfg_attr(not(feature = "threads"), allow(unused_variables))]
pub fn run<B: Send, T: Send, E: From<io::Error>>(
    items: impl IntoIterator<Item = B>,
    bytes: impl Fn(&B) -> usize,
    threads: usize,
    cancel: &Cancel,
    work: impl Fn(B) -> T + Sync,
    mut sink: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let mut items = items.into_iter().take_while(|_| !cancel.is_cancelled());
    #[cfg(feature = "threads")]
    if threads > 1 {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(io::Error::other)?;
        let most = threads + 2;
        return pool.in_place_scope(|scope| {
            let mut under_way: VecDeque<(usize, mpsc::Receiver<T>)> = VecDeque::new();
            let mut bytes_under_way = 0;
            for item in items {
                let (answer, receiver) = mpsc::sync_channel(1);
                let size = bytes(&item);
                bytes_under_way += size;
                under_way.push_back((size, receiver));
                let work = &work;
                // After an error nothing receives the result, so a failure of `send` is harmless.
                scope.spawn(move |_| drop(answer.send(work(item))));
                // Pass on finished results at once, so that they do not pile up. Wait for the first one if no more
                // items may be in progress.
                while let Some((size, receiver)) = under_way.front() {
                    let is_full = under_way.len() >= most || bytes_under_way >= most * BATCH_BYTES;
                    let answer = match is_full {
                        true => receiver.recv().ok(),
                        false => receiver.try_recv().ok(),
                    };
                    match answer {
                        Some(answer) => {
                            bytes_under_way -= size;
                            under_way.pop_front();
                            sink(answer)?;
                        }
                        // The work panicked; the scope resumes the panic when it ends.
                        None if is_full => return Ok(()),
                        None => break,
                    }
                }
            }
            for (_, receiver) in under_way {
                let Ok(answer) = receiver.recv() else { break };
                sink(answer)?;
            }
            Ok(())
        });
    }
    items.try_for_each(|item| sink(work(item)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    #[test]
    fn the_order_is_that_of_the_items_for_any_number_of_threads() {
        for threads in [0, 1, 2, 3, 8] {
            let mut out = Vec::new();
            run(
                0..200_u64,
                |_| 0,
                threads,
                &Cancel::default(),
                |n| {
                    // The first are the slowest.
                    thread::sleep(Duration::from_micros((200 - n) % 7 * 50));
                    n * n
                },
                |square| {
                    out.push(square);
                    io::Result::Ok(())
                },
            )
            .unwrap();
            assert_eq!(out, (0..200).map(|n| n * n).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn no_more_items_are_under_way_than_promised() {
        for threads in [1, 2, 4] {
            let (taken, given) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let most = AtomicUsize::new(0);
            let items = (0..100).inspect(|_| {
                let open = taken.fetch_add(1, Ordering::SeqCst) + 1 - given.load(Ordering::SeqCst);
                most.fetch_max(open, Ordering::SeqCst);
            });
            run(
                items,
                |_| 0,
                threads,
                &Cancel::default(),
                |n| {
                    if n == 0 {
                        thread::sleep(Duration::from_millis(30));
                    }
                },
                |()| {
                    given.fetch_add(1, Ordering::SeqCst);
                    io::Result::Ok(())
                },
            )
            .unwrap();
            assert!(most.into_inner() <= threads + 2);
        }
    }

    #[test]
    fn of_long_items_fewer_are_under_way() {
        let (taken, given) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let most = AtomicUsize::new(0);
        let items = (0..100).inspect(|_| {
            let open = taken.fetch_add(1, Ordering::SeqCst) + 1 - given.load(Ordering::SeqCst);
            most.fetch_max(open, Ordering::SeqCst);
        });
        let work = |_| thread::sleep(Duration::from_millis(1));
        let sink = |()| {
            given.fetch_add(1, Ordering::SeqCst);
            io::Result::Ok(())
        };
        run(
            items,
            |_| 4 * BATCH_BYTES,
            4,
            &Cancel::default(),
            work,
            sink,
        )
        .unwrap();
        assert_eq!(most.into_inner(), 2);
    }

    #[test]
    fn after_cancel_no_item_is_taken_and_no_answer_is_lost() {
        for threads in [1, 2, 4] {
            let cancel = Cancel::default();
            let taken = AtomicUsize::new(0);
            let mut given = 0;
            let items = (0..1000).inspect(|&n| {
                taken.fetch_add(1, Ordering::SeqCst);
                if n == 50 {
                    cancel.cancel();
                }
            });
            run(
                items,
                |_| 0,
                threads,
                &cancel,
                |n| n,
                |n| {
                    assert_eq!(n, given);
                    given += 1;
                    io::Result::Ok(())
                },
            )
            .unwrap();
            assert_eq!((taken.into_inner(), given), (51, 50));
        }
    }

    #[test]
    fn the_sinks_error_ends_it() {
        for threads in [1, 2] {
            let mut calls = 0;
            let result = run(
                0..,
                |_| 0,
                threads,
                &Cancel::default(),
                |n: u64| n,
                |n| {
                    calls += 1;
                    if n == 10 {
                        Err(io::Error::from(io::ErrorKind::BrokenPipe))
                    } else {
                        Ok(())
                    }
                },
            );
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
            assert_eq!(calls, 11);
        }
    }

    #[test]
    fn a_panic_of_the_work_is_passed_on() {
        let caught = std::panic::catch_unwind(|| {
            run(
                0..100,
                |_| 0,
                2,
                &Cancel::default(),
                |n| assert_ne!(n, 20),
                |()| io::Result::Ok(()),
            )
        });
        assert!(caught.is_err());
    }
}
