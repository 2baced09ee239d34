//! The site, asked as a browser would ask it: pages and JSON, hostile requests, and a real port.

mod api;
mod browser;
mod hostile;
mod pages;
mod port;
mod support;
