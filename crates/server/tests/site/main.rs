//! The site, asked as a browser would ask it: pages and JSON, hostile requests, and a real port;
//! and the exported page, which needs the same browser.

mod api;
mod browser;
mod exported_page;
mod hostile;
mod pages;
mod port;
mod support;
