//! The rule systems as values: [`RuleSystem`].

use crate::castling::{CastlingSide, CastlingSquares};
use crate::facts::SystemFacts;
use crate::piece::Color;
use crate::placement::Placement;
use crate::rules::Rules;
use crate::setup::Setup;
use crate::systems::rule_systems;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use tridex_geometry::Family;
use tridex_text::UnknownName;

/// Defines [`RuleSystem`] from the list of systems.
macro_rules! enumeration {
    ($(
        $(#[doc = $doc:literal])*
        $(#[cfg($when:meta)])?
        $name:ident in $module:ident on $board:ident;
    )*) => {
        /// A rule system: how pieces may move. How moves are *written* depends on the notation.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum RuleSystem {
            $($(#[doc = $doc])* $(#[cfg($when)])? $name,)*
        }

        impl RuleSystem {
            /// All systems.
            pub const ALL: &'static [Self] = &[$($(#[cfg($when)])? Self::$name,)*];

            /// What is fixed about the system.
            ///
            /// ```
            /// use tridex_rules::RuleSystem;
            /// let facts = RuleSystem::Millennium.facts();
            /// assert!(facts.source.contains("D'Agostino") && facts.home.is_none());
            /// ```
            #[must_use]
            pub const fn facts(self) -> &'static SystemFacts {
                match self {
                    $($(#[cfg($when)])? Self::$name => {
                        <crate::systems::$module::$name as Rules<{ crate::systems::$board }>>::FACTS
                    })*
                }
            }
        }
    };
}

rule_systems!(enumeration);

/// The first system of the list, the default if nothing names another.
impl Default for RuleSystem {
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl RuleSystem {
    /// The system with a name or one of its other spellings, ignoring case and surrounding blanks.
    ///
    /// ```
    /// use tridex_rules::RuleSystem;
    /// assert_eq!(RuleSystem::from_name("Tri-D"), Some(RuleSystem::Meder));
    /// assert_eq!(RuleSystem::from_name("go"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim();
        let is_meant = |facts: &SystemFacts| {
            let mut names = std::iter::once(&facts.name).chain(facts.aliases);
            names.any(|known| known.eq_ignore_ascii_case(name))
        };
        Self::ALL
            .iter()
            .copied()
            .find(|system| is_meant(system.facts()))
    }

    /// The name used in options and tags.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// The board family of the system.
    #[must_use]
    pub const fn family(self) -> Family {
        self.facts().family
    }

    /// The position every game starts from.
    ///
    /// ```
    /// use tridex_rules::RuleSystem;
    /// for rules in RuleSystem::ALL {
    ///     assert_eq!(rules.start().family(), rules.family());
    /// }
    /// ```
    #[must_use]
    pub fn start(self) -> Setup {
        self.facts().start()
    }

    /// Whether the third occurrence of a position ends the game at once (ruling repetition-ends-game); elsewhere a
    /// player may claim a draw.
    #[must_use]
    pub const fn repetition_ends(self) -> bool {
        self.facts().repetition_ends
    }

    /// Whether attack boards may also be below main boards in games of the system.
    #[must_use]
    pub const fn uses_under_pins(self) -> bool {
        self.facts().under_pins
    }

    /// The number of halfmoves without progress after which a player may claim a draw, if there is such a rule.
    #[must_use]
    pub const fn claim_after(self) -> Option<u32> {
        self.facts().claim_after
    }

    /// The squares of king and rook before and after castling; `None` in a system without castling.
    ///
    /// ```
    /// use tridex_rules::{CastlingSide, Color, RuleSystem};
    /// let squares = RuleSystem::Meder.castling_squares(Color::White, CastlingSide::King);
    /// assert!(squares.is_some_and(|squares| squares.king.0 == squares.rook.1));
    /// ```
    #[must_use]
    pub const fn castling_squares(
        self,
        color: Color,
        side: CastlingSide,
    ) -> Option<CastlingSquares> {
        self.facts().castling_squares(color, side)
    }

    /// The placement of the pieces of a setup, whether or not it can be played.
    #[must_use]
    pub fn placement(self, setup: &Setup) -> Placement {
        let of_color = |color| CastlingSide::ALL.map(|side| self.castling_squares(color, side));
        Placement::of(setup, Color::ALL.map(of_color))
    }
}

impl Display for RuleSystem {
    /// [`RuleSystem::name`]
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for RuleSystem {
    type Err = UnknownName;

    /// [`RuleSystem::from_name`], with an error that suggests similar names.
    ///
    /// ```
    /// use tridex_rules::RuleSystem;
    /// assert_eq!("chess3".parse(), Ok(RuleSystem::Chess3));
    /// assert_eq!("meddr".parse::<RuleSystem>().unwrap_err().near(), ["meder"]);
    /// ```
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let names: Vec<_> = Self::ALL.iter().map(|system| system.name()).collect();
        Self::from_name(name).ok_or_else(|| UnknownName::new("rule system", name, &names))
    }
}
