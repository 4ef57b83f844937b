//! Answers about tiles that are not loaded.
