//! Enums defined as tables.

/// Defines an enum as a table: each variant has a row, and each column becomes a method. `ALL` contains the variants in
/// order.
#[doc(hidden)]
#[macro_export]
macro_rules! enum_table {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident($($(#[$about:meta])* $column:ident: $type:ty),*) {
            $($(#[$doc:meta])* $variant:ident $row:tt,)*
        }
    ) => {
        $(#[$meta])*
        $vis enum $name {
            $($(#[$doc])* $variant,)*
        }

        const _: () = {
            struct Row {
                $($column: $type,)*
            }

            const fn row($($column: $type),*) -> Row {
                Row { $($column),* }
            }

            impl $name {
                /// All variants, in order of declaration.
                $vis const ALL: [Self; [$(Self::$variant),*].len()] = [$(Self::$variant),*];

                const fn row(self) -> Row {
                    match self {
                        $(Self::$variant => row $row,)*
                    }
                }

                $($(#[$about])*
                $vis const fn $column(self) -> $type {
                    self.row().$column
                })*
            }
        };
    };
}
