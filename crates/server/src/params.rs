//! What an address asks for. Names are those of the command's options; a name that is not known is refused, so that a
//! slip is told and not passed over.

use crate::reply::Fault;
use crate::texts;
use tridex_index::{Asking, GameResult, SortKey};
use tridex_notation::Notation;
use tridex_picture::View;
use tridex_rules::{Color, RuleSystem};

/// Names and values, in their order. Values that are empty or blank say nothing and are left out, as forms send them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Params(Vec<(String, String)>);

/// The names of a question about games, as `search` has them.
pub(crate) const SEARCH: [&str; 22] = [
    "query", "player", "white", "black", "event", "site", "date", "result", "rules", "text",
    "opening", "position", "fen", "moves", "game", "ply", "loose", "plan", "pattern", "mirrored",
    "swapped", "material",
];
/// What else is said to `search`.
pub(crate) const SEARCH_MORE: [&str; 7] = [
    "lasting",
    "variations",
    "limit",
    "offset",
    "sort",
    "reverse",
    "count",
];
/// What is said to `openings`.
pub(crate) const OPENINGS: [&str; 14] = [
    "query",
    "rules",
    "moves",
    "fen",
    "position",
    "player",
    "event",
    "site",
    "date",
    "result",
    "side",
    "min-games",
    "boards",
    "layouts",
];
/// In which notation moves are written.
pub(crate) const WRITING: [&str; 2] = ["to", "notation"];
/// How the board is looked at.
pub(crate) const LOOKING: [&str; 2] = ["view", "turned"];

/// How the board is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    pub(crate) view: View,
    pub(crate) side: Color,
}

impl Params {
    /// Reads what stands behind the `?`.
    pub(crate) fn read(query: Option<&str>) -> Self {
        let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        let said = pairs.filter(|(_, value)| !value.trim().is_empty());
        Self(
            said.map(|(name, value)| (name.into_owned(), value.into_owned()))
                .collect(),
        )
    }

    /// Refuses names that mean nothing here.
    pub(crate) fn only(&self, known: &[&[&str]]) -> Result<(), Fault> {
        let is_known = |name: &str| known.iter().any(|names| names.contains(&name));
        match self.0.iter().find(|(name, _)| !is_known(name)) {
            Some((name, _)) => Err(Fault::asked(texts::unknown_parameter(name))),
            None => Ok(()),
        }
    }

    /// The value of a name; of several the last counts.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// All values of a name.
    pub(crate) fn all(&self, name: &str) -> Vec<String> {
        let found = self.0.iter().filter(|(known, _)| known == name);
        found.map(|(_, value)| value.clone()).collect()
    }

    /// Something that is said or not; `0`, `false` and `off` say no.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.get(name)
            .is_some_and(|value| !matches!(value.trim(), "0" | "false" | "no" | "off"))
    }

    /// A number.
    pub(crate) fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Fault> {
        self.read_as(name, texts::A_NUMBER, |value| value.trim().parse().ok())
    }

    /// A value that is one of some.
    pub(crate) fn read_as<T>(
        &self,
        name: &str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match read(value) {
            Some(read) => Ok(Some(read)),
            None => Err(Fault::asked(texts::unreadable(name, value, expected))),
        }
    }

    pub(crate) fn rules(&self) -> Result<Option<RuleSystem>, Fault> {
        let names: Vec<&str> = RuleSystem::ALL.iter().map(|rules| rules.name()).collect();
        self.read_as("rules", &names.join(", "), |name| {
            RuleSystem::from_name(name.trim())
        })
    }

    /// The notation that is asked for, or that of the rules.
    pub(crate) fn notation(&self, rules: RuleSystem) -> Result<Notation, Fault> {
        let names: Vec<&str> = Notation::ALL
            .iter()
            .map(|notation| notation.name())
            .collect();
        let said = |name| {
            self.read_as(name, &names.join(", "), |name| {
                Notation::ALL
                    .into_iter()
                    .find(|known| known.name() == name.trim())
            })
        };
        Ok(said("to")?
            .or(said("notation")?)
            .unwrap_or_else(|| Notation::of(rules)))
    }

    /// How the board is looked at; what is not understood changes nothing.
    pub(crate) fn look(&self) -> Look {
        Look {
            view: match self.get("view") {
                Some("stand") => View::Stand,
                _ => View::Flat,
            },
            side: match self.flag("turned") {
                true => Color::Black,
                false => Color::White,
            },
        }
    }

    fn side(&self) -> Result<Option<Color>, Fault> {
        self.read_as("side", "white, black", |side| match side.trim() {
            "white" => Some(Color::White),
            "black" => Some(Color::Black),
            _ => None,
        })
    }

    /// The question, as the command's options ask it.
    pub(crate) fn asking(&self) -> Result<Asking, Fault> {
        let text = |name| self.get(name).map(str::to_owned);
        let asking = Asking {
            query: self.all("query").join(" "),
            player: self.all("player"),
            side: self.side()?,
            white: self.all("white"),
            black: self.all("black"),
            event: self.all("event"),
            site: self.all("site"),
            text: self.all("text"),
            opening: self.all("opening"),
            date: text("date"),
            result: self.read_as(
                "result",
                "1-0, 0-1, 1/2-1/2, 0:0, 1/2-0, 0-1/2, *",
                GameResult::from_name,
            )?,
            rules: self.rules()?,
            position: text("position").or_else(|| text("fen")),
            moves: text("moves"),
            game: text("game"),
            ply: self.number("ply")?,
            loose: self.flag("loose"),
            plan: text("plan"),
            pattern: self.all("pattern"),
            mirrored: self.flag("mirrored"),
            swapped: self.flag("swapped"),
            material: text("material"),
            lasting: self.read_as("lasting", texts::PLIES_OF_A_GAME, |plies| {
                plies
                    .trim()
                    .parse()
                    .ok()
                    .filter(|plies| (1..=65_535).contains(plies))
            })?,
        };
        let positions = [&asking.position, &asking.moves, &asking.game];
        if positions.into_iter().flatten().count() > 1 {
            return Err(Fault::asked(texts::ONE_POSITION));
        }
        if asking.ply.is_some() && asking.game.is_none() {
            return Err(Fault::asked(texts::PLY_OF_A_GAME));
        }
        if asking.lasting.is_some() && asking.material.is_none() {
            return Err(Fault::asked(texts::LASTING_MATERIAL));
        }
        Ok(asking)
    }

    /// In which order hits are wanted, and whether the other way round.
    pub(crate) fn sort(&self) -> Result<Option<(SortKey, bool)>, Fault> {
        let names = SortKey::ALL.map(SortKey::name).join(", ");
        let key = self.read_as("sort", &names, |name| SortKey::from_name(name.trim()))?;
        if key.is_none() && self.flag("reverse") {
            return Err(Fault::asked(texts::REVERSE_SORT));
        }
        Ok(key.map(|key| (key, self.flag("reverse"))))
    }

    /// The address of a path with these parameters, some of them changed: set, or with an empty value taken away.
    pub(crate) fn link(&self, path: &str, changes: &[(&str, &str)]) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let kept = self
            .0
            .iter()
            .filter(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
        for (name, value) in kept {
            query.append_pair(name, value);
        }
        for (name, value) in changes.iter().filter(|(_, value)| !value.is_empty()) {
            query.append_pair(name, value);
        }
        address(path, &query.finish())
    }

    /// Only some of these parameters.
    pub(crate) fn just(&self, names: &[&str]) -> Self {
        let kept = self
            .0
            .iter()
            .filter(|(name, _)| names.contains(&name.as_str()));
        Self(kept.cloned().collect())
    }

    /// The names and values.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

fn address(path: &str, query: &str) -> String {
    match query.is_empty() {
        true => path.to_owned(),
        false => format!("{path}?{query}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_known_are_told_and_empty_values_say_nothing() {
        let params = Params::read(Some("player=&plaier=kirk&site=+"));
        let fault = params.only(&[&SEARCH]).unwrap_err();
        assert_eq!(fault.status, 400);
        assert!(fault.message.contains("plaier"), "{}", fault.message);
        assert!(Params::read(Some("player=&site=+")).only(&[&[]]).is_ok());
    }

    #[test]
    fn what_is_read_can_be_linked_to() {
        let params = Params::read(Some(
            "player=a%26b&text=%22x+y%22&player=%C3%A9&broken=%ff%zz",
        ));
        assert_eq!(params.all("player"), ["a&b", "é"]);
        let link = params.link("/search", &[("offset", "50"), ("broken", "")]);
        assert_eq!(
            link,
            "/search?player=a%26b&text=%22x+y%22&player=%C3%A9&offset=50"
        );
        assert_eq!(
            Params::read(link.split_once('?').map(|(_, query)| query)).all("player"),
            ["a&b", "é"]
        );
    }

    #[test]
    fn what_goes_together_and_what_does_not() {
        let asking = |query| Params::read(Some(query)).asking();
        assert!(asking("moves=b4N&game=a:1").is_err());
        assert!(asking("ply=3").is_err());
        assert!(asking("lasting=3").is_err());
        assert!(asking("result=2-0").is_err());
        assert!(asking("ply=x&game=a:1").is_err());
        assert_eq!(
            asking("material=KQ:KR&lasting=3&swapped=on")
                .unwrap()
                .lasting,
            Some(3)
        );
        assert!(Params::read(Some("reverse=1")).sort().is_err());
        assert!(!Params::read(Some("loose=0")).flag("loose"));
    }
}
