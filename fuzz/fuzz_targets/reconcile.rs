#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tridex_fuzz::run("reconcile", data));
