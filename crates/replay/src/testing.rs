//! What several tests use.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// A number of cases of a law, the same each time, so that what fails once fails everywhere; or the number that
/// `PROPTEST_CASES` gives.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
        config.rng_seed = RngSeed::Fixed(24);
    }
    config
}
