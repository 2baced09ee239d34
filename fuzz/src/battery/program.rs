//! Running the program, and what it takes.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wait4::{ResUse, Wait4};

/// A run that takes longer hangs.
pub const LONGEST: Duration = Duration::from_secs(120);

/// The first argument that makes the battery a [measurer](measurer).
const MEASURE: &str = "--measure";
/// Before what a measurer says, behind all that the program complained of.
const MEASURED: &str = "\nmeasured ";

/// The program under test.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
}

/// What became of a run.
#[derive(Debug)]
pub struct Run {
    /// Its exit code; none after a signal.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What it wrote.
    pub stdout: Vec<u8>,
    /// What it complained of.
    pub stderr: Vec<u8>,
    /// Time of processors.
    pub time: Duration,
    /// Memory at its highest, in bytes.
    pub memory: u64,
    /// It was ended because it took longer than [`LONGEST`].
    pub hung: bool,
}

impl Run {
    /// What is never right, whatever the input: a panic, a signal nobody sent, no end, an exit code that means nothing.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let complaint = String::from_utf8_lossy(&self.stderr);
        if self.hung {
            return Some("does not end".to_owned());
        }
        if let Some(signal) = self.signal {
            return Some(format!("ended by signal {signal}"));
        }
        if complaint.contains("panicked at") {
            let line = complaint.lines().find(|line| line.contains("panicked at"));
            return Some(line.unwrap_or_default().to_owned());
        }
        match self.code {
            Some(0..=2) => None,
            code => Some(format!("exit code {code:?}: {complaint}")),
        }
    }
}

impl Program {
    /// The program at a path.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Builds the program of this repository, optimised, and takes that.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn built() -> io::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["build", "--release", "--quiet", "--bin", "tridex"])
            .current_dir(&root)
            .status()?;
        if !status.success() {
            return Err(io::Error::other("the program cannot be built"));
        }
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        Ok(Self::new(&target.join("release").join("tridex")))
    }

    /// A command that runs it in a folder, with nothing on standard input.
    #[must_use]
    pub fn command<I>(&self, folder: &Path, arguments: I) -> Command
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        let mut command = Command::new(&self.path);
        command.args(arguments).current_dir(folder);
        command.stdin(Stdio::null()).env("NO_COLOR", "1");
        command
    }

    /// The same where no file may become larger than so many blocks of 512 bytes.
    #[must_use]
    pub fn limited<I>(&self, folder: &Path, blocks: u32, arguments: I) -> Command
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(script)
            .arg(&self.path)
            .args(arguments);
        command.current_dir(folder).stdin(Stdio::null());
        command
    }

    /// Runs it to its end, with its memory at its highest.
    ///
    /// On Linux a process that is started begins with the highest memory of who started it, and this one may hold large
    /// texts. So a small process between the two starts the program and measures it: see [`measurer`].
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn measured<I>(&self, folder: &Path, arguments: I) -> io::Result<Run>
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(MEASURE).arg(&self.path).args(arguments);
        command.current_dir(folder).stdin(Stdio::null());
        command.env("NO_COLOR", "1");
        let mut run = run_for(command, 2 * LONGEST)?;
        let complaint = String::from_utf8_lossy(&run.stderr).into_owned();
        let Some((complaint, said)) = complaint.rsplit_once(MEASURED) else {
            return Err(io::Error::other(format!("nothing measured: {complaint}")));
        };
        let numbers: Vec<i64> = said
            .split_whitespace()
            .filter_map(|n| n.parse().ok())
            .collect();
        let [code, signal, micros, memory, hung] = numbers[..] else {
            return Err(io::Error::other(format!("nothing measured: {said}")));
        };
        let there = |number: i64| i32::try_from(number).ok().filter(|n| *n >= 0);
        (run.code, run.signal, run.hung) = (there(code), there(signal), hung != 0);
        run.time = Duration::from_micros(micros.unsigned_abs());
        run.memory = memory.unsigned_abs();
        run.stderr = complaint.as_bytes().to_vec();
        Ok(run)
    }

    /// Runs it to its end.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run<I>(&self, folder: &Path, arguments: I) -> io::Result<Run>
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        run(self.command(folder, arguments))
    }

    /// Runs it with some bytes on standard input.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn fed<I>(&self, folder: &Path, arguments: I, input: &[u8]) -> io::Result<Run>
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        let mut command = self.command(folder, arguments);
        let mut text = tempfile()?;
        text.write_all(input)?;
        io::Seek::rewind(&mut text)?;
        command.stdin(text);
        run(command)
    }
}

fn tempfile() -> io::Result<File> {
    tempfile::tempfile()
}

/// Runs a command to its end.
///
/// # Errors
/// If it cannot be started.
pub fn run(command: Command) -> io::Result<Run> {
    run_for(command, LONGEST)
}

fn run_for(mut command: Command, longest: Duration) -> io::Result<Run> {
    // Files, not pipes: nobody has to read while the program writes.
    let (mut out, mut err) = (tempfile()?, tempfile()?);
    command.stdout(out.try_clone()?).stderr(err.try_clone()?);
    let (used, hung) = watched(command, longest)?;
    let read = |file: &mut File| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        io::Seek::rewind(file)?;
        io::Read::read_to_end(file, &mut bytes)?;
        Ok(bytes)
    };
    Ok(Run {
        code: used.status.code(),
        signal: signal_of(used.status),
        stdout: read(&mut out)?,
        stderr: read(&mut err)?,
        time: used.rusage.utime + used.rusage.stime,
        memory: used.rusage.maxrss,
        hung,
    })
}

/// Waits for the end of a command, and brings it about if it takes too long.
fn watched(mut command: Command, longest: Duration) -> io::Result<(ResUse, bool)> {
    let mut child = command.spawn()?;
    let id = child.id();
    let (done, watching) = std::sync::mpsc::channel::<()>();
    let watcher = std::thread::spawn(move || {
        let late =
            watching.recv_timeout(longest) == Err(std::sync::mpsc::RecvTimeoutError::Timeout);
        if late {
            signal(id, "KILL");
        }
        late
    });
    let used = child.wait4()?;
    drop(done);
    Ok((used, watcher.join().unwrap_or(true)))
}

/// If this process was started to measure a command, does so, says what came of it behind the last complaint of the
/// command, and returns true.
///
/// # Errors
/// If the command cannot be started.
pub fn measurer() -> io::Result<bool> {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|first| first != MEASURE) {
        return Ok(false);
    }
    let Some(path) = words.next() else {
        return Err(io::Error::other("nothing to measure"));
    };
    let mut command = Command::new(path);
    command.args(words).stdin(Stdio::null());
    let (used, hung) = watched(command, LONGEST)?;
    let micros = (used.rusage.utime + used.rusage.stime).as_micros();
    let (code, signal) = (
        used.status.code().unwrap_or(-1),
        signal_of(used.status).unwrap_or(-1),
    );
    let memory = used.rusage.maxrss;
    let hung = u8::from(hung);
    let mut err = io::stderr();
    write!(err, "{MEASURED}{code} {signal} {micros} {memory} {hung}")?;
    Ok(true)
}

fn signal_of(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    return status.code().filter(|code| *code < 0);
}

/// Sends a signal to a process, by the name of the signal.
pub fn signal(id: u32, name: &str) {
    // A process that has ended takes none.
    let _ = Command::new("kill")
        .args([format!("-{name}"), id.to_string()])
        .stderr(Stdio::null())
        .status();
}

/// Waits for a child, so long; `None` if it takes longer.
pub fn wait(child: &mut Child, longest: Duration) -> Option<ExitStatus> {
    let since = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if since.elapsed() < longest => std::thread::sleep(Duration::from_millis(5)),
            _ => return None,
        }
    }
}
