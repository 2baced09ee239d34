//! A local site for an index of games of three-dimensional chess: search with a form or with a position set up on the
//! drawn board, games to play through, openings to walk, counts as pictures, and the same answers as JSON.
//!
//! A [`Site`] answers; [`Site::answer`] is one request without a network, [`serve`] listens. Pages are made here and
//! work without any script; the script only saves reloading.
//!
//! Where is what?
//! - `listen` takes connections, within limits of time and number; `guard` decides what is a request, stops what takes too
//!   long and sets what browsers may do with the answer; `host` knows the names of this machine, `places` how much work
//!   there is at once; `site` knows the pages and keeps the index open, opening it again when there is a new commit.
//! - `params` reads the address, `model` has the answers, `api` writes them as JSON, `download` in files, `pages` in HTML; `board` is the drawn board
//!   with its links, `charts` the drawn counts.
//!
//! Nothing of a request reaches the file system: an index is opened by the name the program was given, and all
//! else is in the program.
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

mod api;
mod assets;
mod board;
mod charts;
mod download;
mod fault;
mod guard;
mod host;
mod listen;
mod model;
mod openapi;
mod pages;
mod params;
mod places;
mod reply;
mod routes;
mod site;

pub use guard::MAX_ADDRESS;
pub use host::HostName;
pub use listen::serve;
pub use openapi::API;
pub use site::{Site, SiteOptions};

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
