//! `serve`: an index in a browser.

use crate::args::ServeArgs;
use crate::failure::{Exit, Failure};
use crate::index::of_index;
use crate::{input, output, search};
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use tridex_server::{Limits, Site, SiteOptions};

pub(crate) fn run(args: &ServeArgs) -> Result<Exit, Failure> {
    input::catch_interrupts();
    let folders = search::folders(&args.index)?;
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    let options = SiteOptions {
        hosts: args.host.clone(),
        ..SiteOptions::default()
    };
    let site = Site::open(&folders, options).map_err(|fault| of_index(&fault))?;
    let told = |fault: std::io::Error| Failure::message(format!("{}: {fault}", args.listen));
    let listener = TcpListener::bind(args.listen).map_err(told)?;
    let address = listener.local_addr().map_err(told)?;
    let mut out = output::stdout();
    writeln!(out, "listening on http://{address}/")?;
    out.flush()?;
    drop(out);
    if !address.ip().is_loopback() {
        output::remark(
            "everybody who can reach this address can read the index; without --listen nobody but this machine can",
        );
    }
    tridex_server::serve(&site, listener, Limits::default(), input::interrupted).map_err(told)?;
    Ok(Exit::Good)
}
