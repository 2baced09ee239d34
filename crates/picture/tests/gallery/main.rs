//! The committed pictures are those the program makes today.

mod pictures;

use std::path::Path;

#[test]
fn the_gallery_is_what_the_program_draws() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/gallery"));
    let made = pictures::all();
    for (name, svg) in &made {
        let kept = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(
            kept == *svg,
            "{name} is not what is drawn today; compare it after `cargo run -p tridex-picture --example gallery`"
        );
    }
    let kept = std::fs::read_dir(folder)
        .expect("the folder of the gallery")
        .count();
    assert_eq!(kept, made.len(), "pictures that are no longer made");
}
