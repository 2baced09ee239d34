//! The commands of the README, run, with what they print compared.

#[test]
fn the_readmes_commands_print_what_it_shows() {
    trycmd::TestCases::new().case("README.md");
}
