//! Options that grow without breaking callers.

/// Gives an options type one chainable setter for each listed field, named like the field.
///
/// Options are `#[non_exhaustive]`: they are made by a constructor and changed by setters, so that a new field breaks
/// no caller.
#[macro_export]
macro_rules! setters {
    ($options:ident { $($field:ident: $type:ty),* $(,)? }) => {
        impl $options {
            $(
                #[doc = concat!("Sets the field `", stringify!($field), "`.")]
                #[must_use]
                pub fn $field(mut self, $field: impl Into<$type>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*
        }
    };
}
