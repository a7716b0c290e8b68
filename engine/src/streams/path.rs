//! File names as text. Paths use `/`; the root is the workspace.

/// `path` made absolute against `directory`, without `.`, `..` and empty parts; `None` when it leaves the root.
pub fn resolve(directory: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    let base = if path.starts_with('/') { "" } else { directory };
    for p in base.split('/').chain(path.split('/')) {
        match p {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(p),
        }
    }
    Some(format!("/{}", parts.join("/")))
}

/// As `absolute_file_name/2` shows it: `..` at the root stays there, a `/` at the end is kept.
pub fn absolute(directory: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let base = if path.starts_with('/') { "" } else { directory };
    for p in base.split('/').chain(path.split('/')) {
        match p {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(p),
        }
    }
    let end = if path.len() > 1 && path.ends_with('/') && !parts.is_empty() { "/" } else { "" };
    format!("/{}{end}", parts.join("/"))
}

/// The last part of a path, `/` at its end ignored.
pub fn base_name(path: &str) -> &str {
    let t = path.trim_end_matches('/');
    if t.is_empty() {
        return if path.is_empty() { "" } else { "/" };
    }
    t.rsplit('/').next().unwrap_or(t)
}

/// The folder part of a path.
pub fn directory_name(path: &str) -> &str {
    let t = path.trim_end_matches('/');
    if t.is_empty() {
        return if path.is_empty() { "." } else { "/" };
    }
    match t.rfind('/') {
        None => ".",
        Some(i) => {
            let d = t.get(..i).unwrap_or("").trim_end_matches('/');
            if d.is_empty() { "/" } else { d }
        }
    }
}

/// Name without its extension, and the extension without the dot.
pub fn split_extension(path: &str) -> Option<(&str, &str)> {
    let i = path.rfind('.')?;
    let (base, ext) = (path.get(..i)?, path.get(i + 1..)?);
    if ext.contains('/') { None } else { Some((base, ext)) }
}

/// Folder and name put together, as `directory_file_path/3` does.
pub fn join(directory: &str, file: &str) -> String {
    if file.starts_with('/') || directory == "." || directory.is_empty() {
        file.to_string()
    } else if directory.ends_with('/') {
        format!("{directory}{file}")
    } else {
        format!("{directory}/{file}")
    }
}

/// The name of the absolute path `to` seen from the folder of the absolute file name `from`.
pub fn relative(to: &str, from: &str) -> String {
    let target: Vec<&str> = to.split('/').filter(|p| !p.is_empty()).collect();
    let mut start: Vec<&str> = from.split('/').filter(|p| !p.is_empty()).collect();
    let whole = target == start && !from.ends_with('/');
    if !from.ends_with('/') {
        start.pop();
    }
    let same = target.iter().zip(&start).take_while(|(a, b)| a == b).count();
    let up = start.len() - same;
    let mut parts: Vec<&str> = vec![".."; up];
    parts.extend(target.iter().skip(same));
    if whole || parts.is_empty() { ".".to_string() } else { parts.join("/") }
}

/// Whether a name matches a pattern of `*`, `?`, `[a-z]`, `{a,b}`, and `\` before a plain character.
pub fn glob_match(pattern: &str, name: &str) -> bool {
    alternatives(pattern).iter().any(|p| matches_plain(&p.chars().collect::<Vec<_>>(), &name.chars().collect::<Vec<_>>()))
}

/// Whether a text holds pattern characters.
pub fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// Expands `{a,b}`; a pattern with very many alternatives is cut off.
pub fn alternatives(pattern: &str) -> Vec<String> {
    let mut todo = vec![pattern.to_string()];
    let mut done = Vec::new();
    while let Some(p) = todo.pop() {
        let open = p.find('{');
        let close = open.and_then(|o| p.get(o..).and_then(|r| r.find('}')).map(|c| o + c));
        let (Some(o), Some(c)) = (open, close) else {
            done.push(p);
            continue;
        };
        if todo.len() + done.len() > 1000 {
            break;
        }
        let (before, inside, after) = (p.get(..o).unwrap_or(""), p.get(o + 1..c).unwrap_or(""), p.get(c + 1..).unwrap_or(""));
        for alternative in inside.rsplit(',') {
            todo.push(format!("{before}{alternative}{after}"));
        }
    }
    done
}

fn matches_plain(p: &[char], s: &[char]) -> bool {
    // The usual scan with one place to go back to: the last `*`.
    let (mut i, mut j) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        let step = match p.get(i) {
            Some('*') => {
                star = Some((i, j));
                i += 1;
                continue;
            }
            None if j == s.len() => return true,
            None => None,
            Some(_) => s.get(j).and_then(|&c| one(p, i, c)),
        };
        match (step, star) {
            (Some(next), _) => {
                i = next;
                j += 1;
            }
            (None, Some((si, sj))) if sj < s.len() => {
                star = Some((si, sj + 1));
                i = si + 1;
                j = sj + 1;
            }
            _ => return false,
        }
    }
}

/// Matches the pattern item at `i` against one character; gives where the next item starts.
fn one(p: &[char], i: usize, c: char) -> Option<usize> {
    match *p.get(i)? {
        '?' => Some(i + 1),
        '\\' if i + 1 < p.len() => (p.get(i + 1) == Some(&c)).then_some(i + 2),
        '[' => {
            let end = p.iter().skip(i + 1).position(|&x| x == ']').map(|k| i + 1 + k);
            let Some(end) = end else { return (c == '[').then_some(i + 1) };
            let set = p.get(i + 1..end)?;
            let mut k = 0;
            let mut hit = false;
            while let Some(&a) = set.get(k) {
                if set.get(k + 1) == Some(&'-')
                    && let Some(&b) = set.get(k + 2)
                {
                    hit |= (a..=b).contains(&c);
                    k += 3;
                } else {
                    hit |= a == c;
                    k += 1;
                }
            }
            hit.then_some(end + 1)
        }
        x => (x == c).then_some(i + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(resolve("/", "../x"), None);
        assert_eq!(resolve("/a", "../x/./y//").as_deref(), Some("/x/y"));
        assert_eq!(resolve("/a", "/").as_deref(), Some("/"));
        assert_eq!(absolute("/", "/a/./b/"), "/a/b/");
        assert_eq!(absolute("/a", "../../b"), "/b");
        let base = |p| (base_name(p).to_string(), directory_name(p).to_string());
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        for (p, b, d) in [("/", "/", "/"), ("", "", "."), ("a//", "a", "."), ("/a", "a", "/"), ("a//b", "b", "a"), ("/a/b/", "b", "/a")] {
            assert_eq!(base(p), pair(b, d), "{p}");
        }
        assert_eq!(split_extension("d.x/foo"), None);
        assert_eq!(split_extension("a.b.pl"), Some(("a.b", "pl")));
        assert_eq!(relative("/a/b/c", "/a/d/e"), "../b/c");
        assert_eq!(relative("/a/b", "/a/b"), ".");
        assert_eq!(relative("/a/b/c", "/a/b/"), "c");
        assert_eq!((join(".", "b"), join("a/", "b"), join("/a", "b")), ("b".into(), "a/b".into(), "/a/b".into()));
    }

    #[test]
    fn patterns() {
        for (p, s, yes) in [
            ("*.pl", "a.pl", true),
            ("*.pl", "a.plx", false),
            ("a?c", "abc", true),
            ("[a-c]x", "bx", true),
            ("[a-c]x", "dx", false),
            ("{foo,bar}.*", "bar.txt", true),
            ("*a*b*", "xxaxxbxx", true),
            ("\\*", "*", true),
            ("", "", true),
        ] {
            assert_eq!(glob_match(p, s), yes, "{p} {s}");
        }
    }
}
