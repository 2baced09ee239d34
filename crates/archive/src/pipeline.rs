//! Processes batches on many threads, with the results in order.

#[cfg(feature = "threads")]
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "threads")]
use std::sync::mpsc;

/// Passes each of `items` to `work`, on `threads` threads, and each result to `sink`, in the order of the items for
/// every number of threads.
///
/// The calling thread takes the items and calls the sink; with one thread, or without the feature `threads`, it does
/// the work too, and no thread is started. At most `threads + 2` items are in progress, which bounds the memory. After
/// `stop` is set no more items are taken; the results of those in progress are still passed to the sink.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use tridex_archive::pipeline;
///
/// let mut squares = Vec::new();
/// pipeline::run(1..=4, 2, &AtomicBool::new(false), |n| n * n, |square| {
///     squares.push(square);
///     Ok(())
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
pub fn run<B, T>(
    items: impl IntoIterator<Item = B>,
    threads: usize,
    stop: &AtomicBool,
    work: impl Fn(B) -> T + Sync,
    mut sink: impl FnMut(T) -> io::Result<()>,
) -> io::Result<()>
where
    B: Send,
    T: Send,
{
    let mut items = items
        .into_iter()
        .take_while(|_| !stop.load(Ordering::Relaxed));
    match threads {
        #[cfg(feature = "threads")]
        2.. => on_threads(items, threads, work, sink),
        _ => items.try_for_each(|item| sink(work(item))),
    }
}

#[cfg(feature = "threads")]
fn on_threads<B: Send, T: Send>(
    items: impl Iterator<Item = B>,
    threads: usize,
    work: impl Fn(B) -> T + Sync,
    mut sink: impl FnMut(T) -> io::Result<()>,
) -> io::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(io::Error::other)?;
    pool.in_place_scope(|scope| {
        let mut under_way: VecDeque<mpsc::Receiver<T>> = VecDeque::new();
        let mut items = items.fuse();
        loop {
            while under_way.len() < threads + 2
                && let Some(item) = items.next()
            {
                let (answer, receiver) = mpsc::sync_channel(1);
                under_way.push_back(receiver);
                let work = &work;
                // After an error the receiver is gone, and the failure of `send` is harmless.
                scope.spawn(move |_| drop(answer.send(work(item))));
                // Finished results are passed on at once, so that they do not pile up.
                while let Some(Ok(answer)) = under_way.front().map(mpsc::Receiver::try_recv) {
                    under_way.pop_front();
                    sink(answer)?;
                }
            }
            match under_way.pop_front().map(|receiver| receiver.recv()) {
                Some(Ok(answer)) => sink(answer)?,
                // Nothing is left, or the work panicked; the scope resumes the panic when it ends.
                None | Some(Err(mpsc::RecvError)) => return Ok(()),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use std::thread;
    use std::time::Duration;

    static GO: AtomicBool = AtomicBool::new(false);

    #[test]
    fn the_order_is_that_of_the_items_for_any_number_of_threads() {
        for threads in [0, 1, 2, 3, 8] {
            let mut out = Vec::new();
            run(
                0..200_u64,
                threads,
                &GO,
                |n| {
                    // The first are the slowest.
                    thread::sleep(Duration::from_micros((200 - n) % 7 * 50));
                    n * n
                },
                |square| {
                    out.push(square);
                    Ok(())
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
                threads,
                &GO,
                |n| {
                    if n == 0 {
                        thread::sleep(Duration::from_millis(30));
                    }
                },
                |()| {
                    given.fetch_add(1, Ordering::SeqCst);
                    Ok(())
                },
            )
            .unwrap();
            assert!(most.into_inner() <= threads + 2);
        }
    }

    #[test]
    fn after_stop_no_item_is_taken_and_no_answer_is_lost() {
        for threads in [1, 2, 4] {
            let stop = AtomicBool::new(false);
            let taken = AtomicUsize::new(0);
            let mut given = 0;
            let items = (0..1000).inspect(|&n| {
                taken.fetch_add(1, Ordering::SeqCst);
                if n == 50 {
                    stop.store(true, Ordering::SeqCst);
                }
            });
            run(
                items,
                threads,
                &stop,
                |n| n,
                |n| {
                    assert_eq!(n, given);
                    given += 1;
                    Ok(())
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
                threads,
                &GO,
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
        let caught =
            std::panic::catch_unwind(|| run(0..100, 2, &GO, |n| assert_ne!(n, 20), |()| Ok(())));
        assert!(caught.is_err());
    }
}
