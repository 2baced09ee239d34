//! `serve`: an index in a browser.

use crate::failure::{Exit, Failure};
use crate::io::indices::of_index;
use crate::io::{indices, interrupt};
use crate::term::terminal;
use clap::Args;
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use tridex_server::{HostName, Limits, Site, SiteOptions};

/// Show an index in a browser: search, set-up positions, games, openings, statistics.
#[derive(Args, Debug)]
#[command(after_help = "\
The first line of standard output is the address to open; Ctrl-C ends it. What `index` commits meanwhile is seen at once. \
Nothing is asked but GET, nothing changes anything, and only this machine is answered unless --listen says otherwise. The \
pages work without a script. The same answers as JSON are at /api/v1/search, /api/v1/openings and /api/v1/games/ID, \
described at /api/v1/openapi.json.

Examples:
  tridex serve --index games.index
  tridex serve --index games.index --listen 127.0.0.1:8080
  tridex serve --index games.index --listen 0.0.0.0:8080 --host chess.example   for the whole network")]
pub(crate) struct ServeArgs {
    /// The folder of an index; several are asked as one. Without it those that the variable TRIDEX_INDEX names.
    #[arg(long, value_name = "DIR")]
    pub(crate) index: Vec<PathBuf>,
    /// The address and port to listen on; port 0 is any that is free. Without it nobody but this machine can ask.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,
    /// A name by which browsers may call this machine, beside `localhost` and addresses in figures. Other names are
    /// refused, so that no page of a stranger can read the index through a browser here. Without scheme and port.
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<HostName>,
}

pub(crate) fn run(args: &ServeArgs) -> Result<Exit, Failure> {
    interrupt::catch_interrupts();
    let folders = indices::folders(&args.index)?;
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    let options = SiteOptions {
        hosts: args.host.clone(),
        ..SiteOptions::default()
    };
    let site = Site::open(&folders, options).map_err(|fault| of_index(&fault))?;
    let told = |fault: std::io::Error| Failure::message(format!("{}: {fault}", args.listen));
    let listener = TcpListener::bind(args.listen).map_err(told)?;
    let address = listener.local_addr().map_err(told)?;
    let mut out = terminal::stdout();
    writeln!(out, "listening on http://{address}/")?;
    out.flush()?;
    drop(out);
    if !address.ip().is_loopback() {
        terminal::remark(
            "everybody who can reach this address can read the index; without --listen nobody but this machine can",
        );
    }
    tridex_server::serve(&site, listener, Limits::default(), interrupt::interrupted)
        .map_err(told)?;
    Ok(Exit::Good)
}
