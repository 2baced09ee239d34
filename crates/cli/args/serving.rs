//! What can be said to the command that shows an index in a browser.

use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;
use tridex_server::HostName;

#[derive(Args, Debug)]
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
