//! Random numbers: xoshiro256++, seeded per machine so that runs can be repeated.

use dashu_int::{IBig, UBig};

/// State of the generator.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Random([u64; 4]);

impl Default for Random {
    fn default() -> Self {
        Random::new(0x005e_ed0f_dee9)
    }
}

impl Random {
    /// A generator whose numbers follow from the seed.
    pub fn new(mut seed: u64) -> Random {
        Random(std::array::from_fn(|_| {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = seed;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// An integer of `0..n`; `n` is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        // Values beyond the last whole multiple of `n` would favour small results.
        let limit = u64::MAX - (u64::MAX % n + 1) % n;
        loop {
            let x = self.bits();
            if x <= limit {
                return x % n;
            }
        }
    }

    /// An integer of `0..n` for a large positive `n`.
    pub fn below_big(&mut self, n: &UBig) -> IBig {
        let words: Vec<u64> = (0..n.as_words().len() + 1).map(|_| self.bits()).collect();
        IBig::from(UBig::from_words(&words) % n)
    }

    /// A float of the open interval (0, 1).
    pub fn float(&mut self) -> f64 {
        loop {
            let f = (self.bits() >> 11) as f64 / (1u64 << 53) as f64;
            if f > 0.0 {
                return f;
            }
        }
    }
}
