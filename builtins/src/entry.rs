//! Arguments of a run: how texts of the command line become values, and which `agent_main` gets them.

use serde_json::Value;

/// A text of the command line as a value: numbers, `true`, `false`, JSON arrays and objects; anything else is a string.
pub fn value_of(text: &str) -> Value {
    match text {
        "true" => return Value::Bool(true),
        "false" => return Value::Bool(false),
        _ => {}
    }
    let t = text.trim();
    let like_json = t.starts_with(['{', '[']) || t.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    if like_json && let Ok(v) = serde_json::from_str(t) {
        return v;
    }
    Value::String(text.to_string())
}

/// Splits `key=value` at the first `=`; the key is lower-cased. `None` without `=` or with an empty key.
pub fn parameter(text: &str) -> Option<(String, Value)> {
    let (k, v) = text.split_once('=')?;
    let k = k.trim();
    if k.is_empty() { None } else { Some((k.to_lowercase(), value_of(v))) }
}

/// Which `agent_main` runs with this many arguments.
///
/// `defined` are the arities that exist (0 to 3 count). An exact match wins; without arguments the smallest one runs,
/// with its arguments left open, as parameters may fill them.
///
/// # Errors
/// The message for the user when the number does not fit.
pub fn choose(defined: &[usize], given: usize) -> Result<usize, String> {
    let mut defined: Vec<usize> = defined.iter().copied().filter(|&n| n <= 3).collect();
    defined.sort_unstable();
    defined.dedup();
    if defined.contains(&given) {
        return Ok(given);
    }
    match defined.as_slice() {
        [] => Err("the program defines no `agent_main`: define `agent_main :- ...` (it may take up to 3 arguments)".into()),
        [0] => Ok(0),
        [n] => Err(format!(
            "Argument validation failed: agent_main expects {n} positional argument{}, but received {given}",
            if *n == 1 { "" } else { "s" }
        )),
        many => {
            let list: Vec<String> = many.iter().map(usize::to_string).collect();
            Err(format!("Argument validation failed: agent_main supports arities {}, but received {given}", list.join(", ")))
        }
    }
}

/// A size with an optional unit: `64M`, `1.5G`, `100000`, `2GiB`. Gives bytes.
pub fn size(text: &str) -> Result<u64, String> {
    let t = text.trim();
    let split = t.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(t.len());
    let (number, unit) = t.split_at(split);
    let factor: u64 = match unit.trim().to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => return Err(format!("`{text}` is no size: write a number and K, M or G, such as `512M`")),
    };
    let n: f64 = number.parse().map_err(|_| format!("`{text}` is no size: write a number and K, M or G, such as `512M`"))?;
    Ok((n * factor as f64) as u64)
}

/// A time such as `30s`, `500ms`, `2m`, `1h`, or plain seconds.
pub fn duration(text: &str) -> Result<std::time::Duration, String> {
    let t = text.trim();
    let bad = || format!("`{text}` is no time: write a number and ms, s, m or h, such as `30s`");
    let split = t.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(t.len());
    let (number, unit) = t.split_at(split);
    let n: f64 = number.parse().map_err(|_| bad())?;
    let factor = match unit.trim() {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(bad()),
    };
    std::time::Duration::try_from_secs_f64(n * factor).map_err(|_| bad())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::time::Duration;

    #[test]
    fn values() {
        for (t, v) in [
            ("3", json!(3)),
            ("-2.5", json!(-2.5)),
            ("true", json!(true)),
            ("[1,\"a\"]", json!([1, "a"])),
            ("{\"a\":1}", json!({"a": 1})),
            ("{not json}", json!("{not json}")),
            ("12 apples", json!("12 apples")),
            ("", json!("")),
            ("-", json!("-")),
        ] {
            assert_eq!(value_of(t), v, "{t}");
        }
        assert_eq!(parameter("Key=a=b"), Some(("key".into(), json!("a=b"))));
        assert_eq!(parameter("=a"), None);
        assert_eq!(parameter("a"), None);
    }

    #[test]
    fn arities() {
        assert_eq!(choose(&[1, 2], 2), Ok(2));
        assert_eq!(choose(&[0], 3), Ok(0));
        assert_eq!(choose(&[2], 1), Err("Argument validation failed: agent_main expects 2 positional arguments, but received 1".into()));
        assert_eq!(choose(&[1, 3], 2), Err("Argument validation failed: agent_main supports arities 1, 3, but received 2".into()));
        assert!(choose(&[], 0).is_err());
        assert!(choose(&[5], 5).is_err());
    }

    #[test]
    fn sizes_and_times() {
        assert_eq!(size("64M"), Ok(64 << 20));
        assert_eq!(size("1.5GiB"), Ok(3 << 29));
        assert_eq!(size("10"), Ok(10));
        assert!(size("x").is_err());
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(duration("1 week").is_err());
    }
}
