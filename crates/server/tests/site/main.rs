//! The site, as a browser uses it: pages and JSON, hostile requests, a real port, limits of work, damage, and
//! the exported page, which needs the same browser.

mod api;
mod browser;
mod budget;
mod clicks;
mod damage;
mod exported_page;
mod flows;
mod hostile;
mod pages;
mod port;
mod snapshots;
mod support;
