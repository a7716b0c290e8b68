//! Which tools a program may call.

use serde::{Deserialize, Serialize};

/// Whether the listed tools are the allowed or the refused ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Only the listed tools may run.
    Whitelist,
    /// All but the listed tools may run.
    #[default]
    Blacklist,
}

/// A tool policy: a mode and name patterns, in which `*` stands for any text. The default allows every tool that the
/// host registered. It holds at every depth: also for calls that a tool makes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Policy {
    pub mode: Mode,
    pub tools: Vec<String>,
}

impl Policy {
    /// Only tools whose name matches one of these patterns.
    pub fn whitelist<S: Into<String>>(tools: impl IntoIterator<Item = S>) -> Policy {
        Policy { mode: Mode::Whitelist, tools: tools.into_iter().map(Into::into).collect() }
    }

    /// All tools but those whose name matches one of these patterns.
    pub fn blacklist<S: Into<String>>(tools: impl IntoIterator<Item = S>) -> Policy {
        Policy { mode: Mode::Blacklist, tools: tools.into_iter().map(Into::into).collect() }
    }

    /// `None` when the tool may run, else the reason in words.
    pub fn refusal(&self, tool: &str) -> Option<String> {
        let hit = self.tools.iter().find(|p| glob(p, tool));
        match (self.mode, hit) {
            (Mode::Whitelist, None) => Some("not in the whitelist".into()),
            (Mode::Blacklist, Some(p)) => Some(format!("matches `{p}` of the blacklist")),
            _ => None,
        }
    }
}

/// Whether a name matches a pattern in which `*` stands for any text. Linear in both.
pub fn glob(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or("");
    for p in parts {
        match name.find(p) {
            Some(i) => name = &name[i + p.len()..],
            None => return false,
        }
    }
    name.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (p, n, yes) in [
            ("file_*", "file_a", true),
            ("file_*", "xfile_a", false),
            ("*", "", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "acb", false),
            ("a*a", "a", false),
            ("x", "x", true),
            ("*_read", "file_read", true),
        ] {
            assert_eq!(glob(p, n), yes, "{p} {n}");
        }
    }

    #[test]
    fn policies() {
        assert_eq!(Policy::default().refusal("x"), None);
        let w = Policy::whitelist(["file_*"]);
        assert_eq!(w.refusal("file_a"), None);
        assert!(w.refusal("other").is_some());
        assert!(Policy::blacklist(["bash"]).refusal("bash").is_some());
        let j: Policy = serde_json::from_str(r#"{"mode":"whitelist","tools":["a"]}"#).unwrap_or_default();
        assert_eq!(j, Policy::whitelist(["a"]));
    }
}
