//! A local site for an index of games of three-dimensional chess. Readers search with a form or with a position set up
//! on the drawn board, play through games, explore openings and see statistics as charts. The same answers are
//! available as JSON.
//!
//! [`serve`] answers the clients of a [`Site`]; [`Site::answer`] answers a single request without a network. Pages are
//! rendered here and work without any script. The script adds the game viewer, dragging and keyboard shortcuts, and
//! follows links without reloading the page.
//!
//! Modules:
//! - `listen` accepts connections, within limits of time and number.
//! - `guard` decides which requests are answered, stops those that take too long, and sets what browsers may do with
//!   the answer.
//! - `host` checks the host name of a request, `proxy` finds the client of a reverse proxy, `limits` limits how much
//!   work runs at once, and `routes` lists all addresses.
//! - `site` holds the index open and opens it again after a new commit.
//! - `params` reads the address and `model` computes the answer. `api` writes answers as JSON, `download` as files, and
//!   `pages` as HTML. `answers` has the structs of the JSON, from which `openapi` makes the description.
//! - `board` draws the board with its links, and `charts` draws statistics.
//!
//! The server uses hyper without a framework. axum would replace the table of routes, and tower-http the compression and
//! the time limit of an answer, together some hundred lines for about a dozen crates. They lack what the rest of `listen`,
//! `guard` and `limits` does: a limit for each client whose requests wait, a limit of connections for each address, time
//! limits for clients that send or read too slowly, searches that stop when their client disconnects, one `ETag` for the
//! compressed and the plain answer, and a note about damage on every answer.
//!
//! No part of a request is used as a file name. The folders of the index are given to the program, and everything else
//! is built into it.
//!
//! ```
//! use tridex_index::{IndexOptions, Writer};
//! use tridex_server::{Site, SiteOptions};
//!
//! let folder = tempfile::tempdir()?;
//! Writer::open(folder.path(), IndexOptions::default())?.finish()?;
//! let site = Site::open(&[folder.path()], SiteOptions::default())?;
//! let answer = site.answer("/api/v1/search?player=kirk")?;
//! assert_eq!(answer.status(), 200);
//! assert_eq!(answer.body(), "{\"games\":0,\"hits\":[]}\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod answers;
mod api;
mod assets;
mod board;
mod charts;
mod complete;
mod download;
mod fault;
mod guard;
mod host;
mod limits;
mod listen;
mod model;
mod openapi;
mod pages;
mod params;
mod proxy;
mod reply;
mod routes;
mod site;

pub use guard::MAX_ADDRESS;
pub use host::HostName;
pub use listen::serve;
pub use openapi::API;
pub use proxy::TrustedProxy;
pub use site::{Site, SiteOptions};

// Compiles and runs the example of the README with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
