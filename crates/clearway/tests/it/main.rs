//! Tests of the framework from outside, as its users see it. One binary: it is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod counterexamples;
mod determinism;
mod doorways;
mod first_try_plans;
mod generated;
mod grid_planner;
mod grid_scales;
mod judging;
mod layered_paths;
mod mesh_laws;
mod near_widest;
mod partition_oracle;
mod path_laws;
mod path_traps;
mod published;
mod published_paths;
mod random_soups;
mod rough_scenes;
mod scene_files;
mod scene_queries;
mod scene_walls;
mod scenes_space;
mod shrunk;
mod skeleton_follows;
mod soups;
mod streets;
mod surface;
mod voxel_route;
