//! Compiles C++ Recast and Detour and the shims that call them, with nothing but Cargo and a C++ compiler. Boost's shim
//! finds the headers of Boost where they are installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const SOURCE_CRATE: &str = "recastnavigation-sys";

fn main() {
    println!("cargo::rerun-if-changed=cpp");
    println!("cargo::rerun-if-changed=Cargo.lock");
    if std::env::var_os("CARGO_FEATURE_RECAST").is_some() {
        let sources = source_folder().unwrap_or_else(|reason| panic!("Recast's sources: {reason}"));
        let folder = |name: &str| sources.join(name);
        // A library comes before those that it calls: linkers look forwards only.
        compile(&[folder("DetourTileCache"), folder("Detour"), folder("Recast")], "tile_shim");
        compile(&[folder("Recast")], "recast_shim");
        compile(&[folder("DetourCrowd"), folder("Detour")], "crowd_shim");
        compile(&[folder("Detour")], "detour_shim");
        cc::Build::new()
            .cpp(true)
            .std("c++17")
            .opt_level(3)
            .define("NDEBUG", None)
            .warnings(false)
            .file("cpp/boost_shim.cpp")
            .compile("boost_shim");
    }
}

/// Compiles the first library and its shim as Recast's own release build does: optimised, without assertions. The
/// others lend their headers.
fn compile(libraries: &[PathBuf], shim: &str) {
    let sources = std::fs::read_dir(libraries[0].join("Source")).unwrap_or_else(|error| panic!("{error}"));
    let mut files: Vec<PathBuf> = sources.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files.push(PathBuf::from(format!("cpp/{shim}.cpp")));
    cc::Build::new()
        .cpp(true)
        .std("c++11")
        .opt_level(3)
        .define("NDEBUG", None)
        .warnings(false)
        .includes(libraries.iter().map(|library| library.join("Include")))
        .files(files)
        .compile(shim);
}

/// Where Cargo keeps the sources of the crate that vendors Recast.
///
/// `cargo metadata` looks at the dependencies of every target, so it also fetches the ones that this target
/// does not build.
fn source_folder() -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").ok_or("CARGO is not set")?;
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--manifest-path=Cargo.toml"])
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let package = packages.iter().find(|package| package["name"] == SOURCE_CRATE);
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
    Ok(folder.ok_or_else(|| format!("{SOURCE_CRATE} is missing"))?.join("recastnavigation"))
}
