//! Options that grow without breaking callers.

/// Gives an options type one chainable setter for each listed field, named like the field.
///
/// Options are `#[non_exhaustive]`: they are made by a constructor and changed by setters, so that a new field breaks
/// no caller. The setter of an `Option` takes the value itself as well.
#[macro_export]
macro_rules! setters {
    ($options:ident { $($fields:tt)* }) => {
        impl $options {
            $crate::setters!(@each $($fields)*,);
        }
    };
    (@each $(,)?) => {};
    (@each $field:ident: Option<$type:ty>, $($rest:tt)*) => {
        #[doc = concat!("Sets the field `", stringify!($field), "`.")]
        #[must_use]
        pub fn $field(mut self, $field: impl Into<Option<$type>>) -> Self {
            self.$field = $field.into();
            self
        }
        $crate::setters!(@each $($rest)*);
    };
    (@each $field:ident: $type:ty, $($rest:tt)*) => {
        #[doc = concat!("Sets the field `", stringify!($field), "`.")]
        #[must_use]
        pub fn $field(mut self, $field: $type) -> Self {
            self.$field = $field;
            self
        }
        $crate::setters!(@each $($rest)*);
    };
}
