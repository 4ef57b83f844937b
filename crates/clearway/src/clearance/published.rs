//! Published method (placeholder).
