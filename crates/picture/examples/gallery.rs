//! Makes the pictures of the gallery: `cargo run -p tridex-picture --example gallery [FOLDER]`, by default into
//! `crates/picture/gallery`. A test compares what is there with what this makes.

use std::path::PathBuf;

#[path = "../tests/gallery/pictures.rs"]
mod pictures;

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/gallery")),
        PathBuf::from,
    );
    std::fs::create_dir_all(&folder)?;
    for (name, svg) in pictures::all() {
        std::fs::write(folder.join(name), svg)?;
    }
    Ok(())
}
