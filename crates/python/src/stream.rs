//! The results of a thread, passed to Python one by one. Only a few results are in memory at a time.

use crate::errors;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use tridex_core::Cancel;

/// How many results may wait for Python.
const BETWEEN: usize = 2;

/// How long Python waits before it checks for an interrupt.
const PATIENCE: Duration = Duration::from_millis(100);

/// The results of a run over archives.
pub(crate) struct Stream<T> {
    receiver: Mutex<Receiver<Message<T>>>,
    cancel: Cancel,
}

enum Message<T> {
    Found(T),
    End(io::Result<()>),
}

/// Where a run puts its results.
pub(crate) struct Sink<T>(SyncSender<Message<T>>);

impl<T> Sink<T> {
    /// Passes a result to Python; waits while Python is slower.
    pub(crate) fn put(&self, found: T) -> io::Result<()> {
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.0.send(Message::Found(found)).map_err(gone)
    }
}

impl<T: Send + 'static> Stream<T> {
    /// Starts a run on a thread of its own. It ends early when it is cancelled or its results are no longer read.
    pub(crate) fn start(
        run: impl FnOnce(&Cancel, &Sink<T>) -> io::Result<()> + Send + 'static,
    ) -> PyResult<Self> {
        let (sender, receiver) = sync_channel(BETWEEN);
        let cancel = Cancel::default();
        let watched = cancel.clone();
        let work = move || {
            let sink = Sink(sender);
            let done = run(&watched, &sink);
            // This fails if nothing reads the results any more. A thread that ends without it has panicked.
            let _ = sink.0.send(Message::End(done));
        };
        thread::Builder::new()
            .name("tridex".to_owned())
            .spawn(work)?;
        Ok(Self {
            receiver: Mutex::new(receiver),
            cancel,
        })
    }

    /// The next result, or `None` at the end. An interrupt in Python ends the wait.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        loop {
            let received = py.detach(|| {
                let receiver = self.receiver.lock().unwrap_or_else(PoisonError::into_inner);
                receiver.recv_timeout(PATIENCE)
            });
            match received {
                Ok(Message::Found(found)) => return Ok(Some(found)),
                Ok(Message::End(Ok(()))) => return Ok(None),
                Ok(Message::End(Err(fault))) => return Err(errors::of_io(py, &fault)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the thread that reads has ended"));
                }
            }
        }
    }
}

impl<T> Drop for Stream<T> {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
