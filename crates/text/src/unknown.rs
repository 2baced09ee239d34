//! The error for an unknown name.

use crate::{enumeration, near};
use std::error::Error;
use std::fmt::{self, Display, Formatter};

/// An error: a name is not among the known ones.
///
/// ```
/// use tridex_text::UnknownName;
/// let fault = UnknownName::new("notation", "mannual", &["meder", "manual"]);
/// assert_eq!(
///     fault.to_string(),
///     "unknown notation \"mannual\" (did you mean manual?): expected meder or manual"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownName {
    /// The kind of thing that is named.
    pub what: &'static str,
    /// The name as it was given.
    pub name: String,
    /// The known names.
    pub known: Vec<&'static str>,
}

impl UnknownName {
    /// Creates the error for a name that is not among the known ones.
    #[must_use]
    pub fn new(what: &'static str, name: &str, known: &[&'static str]) -> Self {
        Self {
            what,
            name: name.to_owned(),
            known: known.to_vec(),
        }
    }

    /// The known names that may be meant. See [`near()`].
    #[must_use]
    pub fn near(&self) -> Vec<&'static str> {
        near(&self.name, &self.known)
    }
}

impl Display for UnknownName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} {:?}", self.what, self.name)?;
        match self.near().as_slice() {
            [] => {}
            near => write!(f, " (did you mean {}?)", enumeration(near, "or"))?,
        }
        write!(f, ": expected {}", enumeration(&self.known, "or"))
    }
}

impl Error for UnknownName {}
