//! What a linker is told of a module that Python loads: nothing but on macOS, where its symbols are looked up then.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
