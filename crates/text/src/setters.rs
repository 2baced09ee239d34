//! Setters of options.

/// Gives a struct of options a method for each field that sets it, so that options can be built from their default even if
/// the struct is non-exhaustive.
///
/// ```
/// #[derive(Default)]
/// #[non_exhaustive]
/// pub struct Options {
///     /// The width.
///     pub width: u32,
/// }
///
/// tridex_text::setters! { impl[] Options { width: u32 } }
///
/// assert_eq!(Options::default().width(5).width, 5);
/// ```
#[macro_export]
macro_rules! setters {
    (impl[$($generics:tt)*] $name:ty { $($field:ident: $type:ty),* $(,)? }) => {
        impl<$($generics)*> $name {
            $(
                #[doc = concat!("Sets the field `", stringify!($field), "`.")]
                #[must_use]
                pub fn $field(mut self, $field: $type) -> Self {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}
