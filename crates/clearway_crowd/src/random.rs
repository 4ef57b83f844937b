//! Random numbers without state: each is a function of a seed, a body, a step and a stream. Any thread may ask for any
//! number in any order.

/// Returns a number in [0, 1) that depends on nothing but its arguments: two rounds of the finaliser of splitmix64.
pub fn random(seed: u64, body: u32, step: u64, stream: u32) -> f64 {
    let key = (u64::from(body) << 32 | u64::from(stream)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut bits = seed ^ key ^ step.wrapping_mul(0xD1B5_4A32_D192_ED03);
    for _ in 0..2 {
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
    }
    (bits >> 11) as f64 / (1u64 << 53) as f64
}
