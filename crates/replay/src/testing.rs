//! What several tests use.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// So many cases of a law, the same each time, so that what fails once fails everywhere; or as many others as
/// `PROPTEST_CASES` says.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
        config.rng_seed = RngSeed::Fixed(24);
    }
    config
}
