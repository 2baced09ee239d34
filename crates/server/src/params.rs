//! The parameters of an address. They have the names of the command's options. Unknown names are refused, so that
//! typing errors are noticed.

use crate::fault::Fault;
use std::sync::LazyLock;
use tridex_index::{FIELDS, Field, SearchRequest, SortKey};
use tridex_notation::Notation;
use tridex_picture::View;
use tridex_rules::{Color, RuleSystem};
use tridex_text::near;

/// Names and values, in their order. Empty and blank values are skipped, because forms send empty fields too.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Params(Vec<(String, String)>);

/// The names of all search fields.
pub(crate) static SEARCH: LazyLock<Vec<&str>> =
    LazyLock::new(|| FIELDS.iter().map(|field| field.name).collect());
/// The other parameters of `search`.
pub(crate) const SEARCH_MORE: [&str; 7] = [
    "limit", "offset", "sort", "reverse", "sample", "seed", "count",
];
/// All parameters of `openings`: the search fields, some of which give the position of the table, and others.
pub(crate) static OPENINGS: LazyLock<Vec<&str>> =
    LazyLock::new(|| [SEARCH.as_slice(), &["min-games", "boards", "layouts"]].concat());
/// Search fields that give the position of a table of openings and do not limit which games count.
pub(crate) const OF_THE_TABLE: [&str; 3] = ["rules", "position", "moves"];

/// The parameter for the notation of moves.
pub(crate) const WRITING: [&str; 1] = ["to"];
/// The parameters for the view of the board.
pub(crate) const VIEW: [&str; 2] = ["view", "turned"];

impl Params {
    /// Reads the part of an address after the `?`. An alias is replaced by the first name of its field.
    pub(crate) fn read(query: Option<&str>) -> Self {
        let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        let given = pairs.filter(|(_, value)| !value.trim().is_empty());
        let first = |name: &str| {
            let field = FIELDS.iter().find(|field| field.aliases.contains(&name));
            match name {
                "notation" => "to".to_owned(),
                _ => field.map_or(name, |field| field.name).to_owned(),
            }
        };
        let owned = given.map(|(name, value)| (first(&name), value.into_owned()));
        Self(owned.collect())
    }

    /// Refuses names that are not in `known`.
    pub(crate) fn only(&self, known: &[&[&str]]) -> Result<(), Fault> {
        let is_known = |name: &str| known.iter().any(|names| names.contains(&name));
        match self.0.iter().find(|(name, _)| !is_known(name)) {
            Some((name, _)) => {
                let near = near(name, &known.concat()).join(" or ");
                let hint = if near.is_empty() {
                    near
                } else {
                    format!("; did you mean {near}?")
                };
                let fault = format!("there is no parameter `{name}` here{hint}");
                Err(Fault::asked(fault))
            }
            None => Ok(()),
        }
    }

    /// The value of a name; the last one if there are several.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The value of a field; a switch that is off has none.
    pub(crate) fn value(&self, field: &Field) -> Option<&str> {
        let is_on = !field.is_switch() || self.flag(field.name);
        self.get(field.name).filter(|_| is_on)
    }

    /// Whether a switch is on: it has a value other than `0`, `false`, `no` and `off`.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.get(name).is_some() && !self.is_off(name)
    }

    /// Whether a switch is off: it has one of these values.
    pub(crate) fn is_off(&self, name: &str) -> bool {
        let value = self.get(name).map(str::trim);
        matches!(value, Some("0" | "false" | "no" | "off"))
    }

    /// A number.
    pub(crate) fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Fault> {
        self.read_as(name, "a number", |value| value.trim().parse().ok())
    }

    /// The value of a name as `read` understands it. Its error names what was `expected`.
    pub(crate) fn read_as<T>(
        &self,
        name: &str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let read = |value: &str| {
            let fault = || format!("invalid value `{value}` for {name}: expected {expected}");
            read(value).ok_or_else(|| Fault::asked(fault()))
        };
        self.get(name).map(read).transpose()
    }

    pub(crate) fn rules(&self) -> Result<Option<RuleSystem>, Fault> {
        let names: Vec<&str> = RuleSystem::ALL.iter().map(|rules| rules.name()).collect();
        self.read_as("rules", &names.join(", "), RuleSystem::from_name)
    }

    /// The notation requested.
    pub(crate) fn to(&self) -> Result<Option<Notation>, Fault> {
        let names = Notation::ALL.map(Notation::name).join(", ");
        self.read_as("to", &names, Notation::from_name)
    }

    /// The notation requested, or that of the rules.
    pub(crate) fn notation(&self, rules: RuleSystem) -> Result<Notation, Fault> {
        Ok(self.to()?.unwrap_or(Notation::of(rules)))
    }

    /// The view of the board; unknown values mean the flat view.
    pub(crate) fn view(&self) -> View {
        match self.get("view") {
            Some("stand") => View::Stand,
            _ => View::Flat,
        }
    }

    /// The side from which the board is seen.
    pub(crate) fn side(&self) -> Color {
        Color::ALL[usize::from(self.flag("turned"))]
    }

    /// The search request, built as the command builds it from its options.
    pub(crate) fn asking(&self) -> SearchRequest {
        let mut request = SearchRequest::default();
        for (name, value) in self.pairs() {
            if let Some(field) = Field::find(name) {
                request.add(field, value);
            }
        }
        request
    }

    /// The order of hits, and whether it is reversed.
    pub(crate) fn sort(&self) -> Result<Option<(SortKey, bool)>, Fault> {
        let names = SortKey::ALL.map(SortKey::name).join(", ");
        let key = self.read_as("sort", &names, |text| SortKey::from_name(text.trim()))?;
        if key.is_none() && self.flag("reverse") {
            return Err(Fault::asked("reverse needs sort"));
        }
        Ok(key.map(|key| (key, self.flag("reverse"))))
    }

    /// How many games to pick at random, and the seed.
    pub(crate) fn sample(&self) -> Result<Option<(usize, u64)>, Fault> {
        let (sample, seed) = (self.number("sample")?, self.number("seed")?);
        match (sample, seed) {
            (None, Some(_)) => Err(Fault::asked("seed needs sample")),
            (sample, seed) => Ok(sample.map(|sample| (sample, seed.unwrap_or(0)))),
        }
    }

    /// The address of a path with these parameters after some changes. An empty value removes a parameter.
    pub(crate) fn link(&self, path: &str, changes: &[(&str, &str)]) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let is_kept = |(name, _): &(&str, &str)| !changes.iter().any(|(other, _)| other == name);
        query.extend_pairs(self.pairs().filter(is_kept));
        query.extend_pairs(changes.iter().filter(|(_, value)| !value.is_empty()));
        match query.finish().as_str() {
            "" => path.to_owned(),
            query => format!("{path}?{query}"),
        }
    }

    /// These parameters with another value for a name.
    pub(crate) fn with(&self, name: &str, value: &str) -> Self {
        let mut changed = self.without(&[name]);
        changed.0.push((name.to_owned(), value.to_owned()));
        changed
    }

    /// These parameters with another value for one of them, which has a number in their order, or without it.
    pub(crate) fn replaced(&self, number: usize, value: Option<String>) -> Self {
        let mut changed = self.clone();
        match (value, changed.0.get_mut(number)) {
            (Some(value), Some((_, old))) => *old = value,
            (None, Some(_)) => drop(changed.0.remove(number)),
            (_, None) => {}
        }
        changed
    }

    /// Only some of these parameters.
    pub(crate) fn just(&self, names: &[&str]) -> Self {
        let mut kept = self.clone();
        kept.0.retain(|(name, _)| names.contains(&name.as_str()));
        kept
    }

    /// All but some of these parameters.
    pub(crate) fn without(&self, names: &[&str]) -> Self {
        let mut kept = self.clone();
        kept.0.retain(|(name, _)| !names.contains(&name.as_str()));
        kept
    }

    /// The names and values.
    pub(crate) fn pairs(&self) -> impl Clone + Iterator<Item = (&str, &str)> {
        let pairs = self.0.iter();
        pairs.map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Params {
        /// All values of a name.
        fn all(&self, name: &str) -> Vec<&str> {
            let found = self.pairs().filter(|(known, _)| *known == name);
            found.map(|(_, value)| value).collect()
        }
    }

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
        let asking = |query| {
            let asking = Params::read(Some(query)).asking();
            asking.query_without_index()
        };
        assert!(asking("moves=b4N&game=a:1").is_err());
        assert!(asking("ply=3").is_err());
        assert!(asking("lasting=3").is_err());
        assert!(asking("result=2-0").is_err());
        assert!(asking("ply=x&game=a:1").is_err());
        assert_eq!(
            asking("material=KQ:KR&lasting=3&swapped=on"),
            Ok(tridex_index::Query::material(
                tridex_index::Material::parse("KQ:KR for 3").unwrap(),
                true
            ))
        );
        assert!(Params::read(Some("reverse=1")).sort().is_err());
        assert!(!Params::read(Some("loose=0")).flag("loose"));
    }
}
