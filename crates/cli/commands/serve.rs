//! `serve`: shows an index in a browser.

use crate::failure::Failure;
use crate::io::indices;
use crate::session::Session;
use crate::term::terminal;
use clap::Args;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use tridex_server::{HostName, Site, SiteOptions, TrustedProxy};

/// The port without `--port`.
const PORT: u16 = 8033;

/// Show an index in a browser: search, positions, games, openings, statistics.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Server",
    after_help = "\
The first line of standard output is the address to open; Ctrl-C stops the server. The server is read-only: it accepts only \
GET and HEAD, and by default only from this machine. Games added by `index` appear at once. The pages work without JavaScript. \
The same results are available as JSON at /api/v1/search, /api/v1/openings and /api/v1/games/ID, described at /api/v1/openapi.json.

Examples:
  tridex serve --index games.index --open
  tridex serve --index games.index --port 8080
  tridex serve --index games.index --listen 0.0.0.0:8080 --host chess.example   for the whole network"
)]
pub(crate) struct ServeArgs {
    /// Folder of an index; repeatable [env: TRIDEX_INDEX]
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub(crate) index: Vec<PathBuf>,
    /// Port to listen on; 0 is any free port
    #[arg(long, value_name = "N", default_value_t = PORT)]
    pub(crate) port: u16,
    /// Address and port to listen on [default: only this machine]
    #[arg(long, value_name = "ADDRESS", conflicts_with = "port")]
    pub(crate) listen: Option<SocketAddr>,
    /// Open the page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Host name by which browsers may request pages; repeatable
    ///
    /// Without scheme and port. `localhost` and IP addresses are always accepted; other names are refused, so that no page
    /// from another site can read the index through the browser.
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<HostName>,
    /// Network or address of a reverse proxy; repeatable
    ///
    /// Limits for each client then apply to the address in the proxy's `Forwarded` or `X-Forwarded-For` header. These
    /// headers are ignored in requests from other addresses.
    #[arg(long, value_name = "CIDR")]
    pub(crate) trusted_proxy: Vec<TrustedProxy>,
    /// Let pages of other sites show games at /embed/ID in a frame
    #[arg(long)]
    pub(crate) embed: bool,
}

pub(crate) fn run(args: &ServeArgs, session: &Session) -> Result<(), Failure> {
    session.catch_interrupts();
    let folders = indices::folders(&args.index)?;
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    let mut options = SiteOptions::default();
    options.hosts.clone_from(&args.host);
    options.trusted_proxies.clone_from(&args.trusted_proxy);
    options.embedding = args.embed;
    let site = Site::open(&folders, options)?;
    let address = args.listen;
    let address = address.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, args.port)));
    let failure = |fault: io::Error| match fault.kind() {
        io::ErrorKind::AddrInUse => Failure::message(format!(
            "{address}: the port is in use; choose another with --port N, or any free one with --port 0"
        )),
        _ => Failure::message(format!("{address}: {fault}")),
    };
    let listener = TcpListener::bind(address).map_err(failure)?;
    let address = listener.local_addr().map_err(failure)?;
    terminal::print(true, |out| writeln!(out, "listening on http://{address}/"))?;
    if !address.ip().is_loopback() {
        session.remark("warning: anyone who can reach this address can read the index");
    }
    if args.open
        && let Err(fault) = open::that_detached(format!("http://{address}/"))
    {
        session.complain(&format!("no browser could be opened: {fault}"));
    }
    tridex_server::serve(&site, listener, session.received()).map_err(failure)
}
