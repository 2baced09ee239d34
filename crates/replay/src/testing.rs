//! Helpers for several tests.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// The configuration of a property test with a number of cases, which are the same in every run, so that failures can
/// be reproduced. If `PROPTEST_CASES` is set, that number of random cases is run.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
        config.rng_seed = RngSeed::Fixed(24);
    }
    config
}
