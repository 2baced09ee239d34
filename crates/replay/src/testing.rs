//! What several tests use.

use proptest::prelude::ProptestConfig;

/// So many cases of a law, or as many as `PROPTEST_CASES` says.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    config
}
