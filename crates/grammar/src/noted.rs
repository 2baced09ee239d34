//! Values that were read, with notes of what was unusual in the text.

/// A set of notes.
pub trait Notes: Copy + Default {
    /// The notes of both sets.
    #[must_use]
    fn and(self, other: Self) -> Self;
}

/// A value that was read, with notes of what was unusual in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Noted<T, N> {
    /// The value.
    pub it: T,
    /// The notes.
    pub notes: N,
}

impl<T, N: Notes> Noted<T, N> {
    /// A value without a note.
    #[inline]
    pub fn usual(it: T) -> Self {
        let notes = N::default();
        Self { it, notes }
    }

    /// A value with a note.
    #[inline]
    pub fn unusual(it: T, note: impl Into<N>) -> Self {
        let notes = note.into();
        Self { it, notes }
    }

    /// Adds a note if the condition holds.
    #[inline]
    #[must_use]
    pub fn note_if(self, condition: bool, note: impl Into<N>) -> Self {
        let notes = match condition {
            true => self.notes.and(note.into()),
            false => self.notes,
        };
        Self { notes, ..self }
    }

    /// Converts the value and keeps the notes.
    #[inline]
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Noted<U, N> {
        Noted {
            it: f(self.it),
            notes: self.notes,
        }
    }

    /// Combines two values and their notes.
    #[inline]
    pub fn zip<U>(self, other: Noted<U, N>) -> Noted<(T, U), N> {
        Noted {
            it: (self.it, other.it),
            notes: self.notes.and(other.notes),
        }
    }

    /// Converts an optional value with notes to a value that may be `None`, with the same notes.
    #[inline]
    pub fn of(found: Option<Self>) -> Noted<Option<T>, N> {
        found.map_or_else(|| Noted::usual(None), |found| found.map(Some))
    }

    /// Adds the notes to `notes` and returns the value.
    #[inline]
    pub fn noted_in(self, notes: &mut N) -> T {
        *notes = notes.and(self.notes);
        self.it
    }
}
