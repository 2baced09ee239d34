//! The list of the rule systems, and one file for each: its source, its facts, and what is special about its moves.
//!
//! The list also declares the modules, so adding a system takes one file and one line. `cargo fmt` does not see modules
//! that a macro declares, so format them with `rustfmt --edition 2024 crates/rules/src/systems/*.rs`. CI checks this.

/// The number of words of a set of squares of the stair board.
pub(crate) const STAIR: usize = 1;
/// The number of words of a set of squares of the cube.
pub(crate) const CUBE: usize = 3;

/// Passes the list of systems to a macro. Each line has the name of a system (which is also that of its type), its
/// file, and its board. The first system is the default.
macro_rules! rule_systems {
    ($with:ident) => {
        $with! {
            /// Meder's tournament rules, stair board.
            Meder in meder on STAIR;
            /// Rules based on the board of the Starfleet Technical Manual, stair board.
            Manual in manual on STAIR;
            /// The laws of the World Tri Dimensional Chess Federation, stair board.
            Federation in federation on STAIR;
            /// Millennium 3D Chess, cube board.
            Millennium in millennium on CUBE;
            /// Chess3, cube board.
            Chess3 in chess3 on CUBE;
            /// Invented for tests, stair board.
            #[cfg(feature = "invented")]
            InventedStair in invented_stair on STAIR;
            /// Invented for tests, cube board.
            #[cfg(feature = "invented")]
            InventedCube in invented_cube on CUBE;
        }
    };
}
pub(crate) use rule_systems;

/// Declares the modules of the list.
macro_rules! modules {
    ($(
        $(#[doc = $doc:literal])*
        $(#[cfg($when:meta)])?
        $name:ident in $module:ident on $board:ident;
    )*) => {
        $($(#[cfg($when)])? pub(crate) mod $module;)*
    };
}

rule_systems!(modules);
