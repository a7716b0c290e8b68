//! Reading the files that are named on the command line.

use std::fs;
use std::path::{Path, PathBuf};

/// Programs larger than this are refused.
const MAX_SOURCE: u64 = 256 << 20;

/// A source file and the name it goes by.
pub struct Source {
    pub path: PathBuf,
    pub text: String,
}

/// Reads a program. `extension` is tried when the file is not there without it.
///
/// # Errors
/// A message that names the file and says what to do.
pub fn read(path: &Path, extension: &str) -> Result<Source, String> {
    let mut path = path.to_path_buf();
    if !path.exists() && path.extension().is_none() {
        let longer = path.with_extension(extension);
        if longer.exists() {
            path = longer;
        }
    }
    let name = path.display();
    let meta = fs::metadata(&path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => format!("{name}: no such file{}", near(&path)),
        _ => format!("{name}: {e}"),
    })?;
    if meta.is_dir() {
        return Err(format!("{name}: this is a folder, not a program: name a file in it"));
    }
    if meta.len() > MAX_SOURCE {
        return Err(format!(
            "{name}: {} MiB is too large for a program (the limit is {} MiB): keep data in files that the program reads",
            meta.len() >> 20,
            MAX_SOURCE >> 20
        ));
    }
    let bytes = fs::read(&path).map_err(|e| format!("{name}: {e}"))?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(bytes);
    match String::from_utf8(bytes) {
        Ok(text) if text.contains('\0') => Err(format!("{name}: this is a binary file, not a program")),
        Ok(text) => Ok(Source { path, text }),
        Err(e) => {
            let at = e.utf8_error().valid_up_to();
            let before = e.as_bytes().get(..at).unwrap_or_default();
            if before.contains(&0) {
                return Err(format!("{name}: this is a binary file, not a program"));
            }
            let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
            let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
            Err(format!("{name}:{line}:{column}: the text is not UTF-8 here: save the file as UTF-8"))
        }
    }
}

/// The most similar name in the same folder, as a suggestion.
fn near(path: &Path) -> String {
    let folder = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let Some(wanted) = path.file_name().map(|n| n.to_string_lossy().into_owned()) else { return String::new() };
    let Ok(entries) = fs::read_dir(&folder) else { return format!(": the folder {} does not exist", folder.display()) };
    let best = entries
        .flatten()
        .take(2000)
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .map(|n| (distance(&wanted, &n), n))
        .filter(|(d, n)| *d * 3 <= n.chars().count())
        .min();
    match best {
        Some((_, n)) => format!(": did you mean {}?", path.with_file_name(n).display()),
        None => String::new(),
    }
}

/// Edit distance of two short names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(80).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().take(80).enumerate() {
        let mut last = i;
        let mut left = i + 1;
        for (slot, &cb) in row.iter_mut().skip(1).zip(&b) {
            let change = last + usize::from(ca != cb);
            last = *slot;
            *slot = change.min(last + 1).min(left + 1);
            left = *slot;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_files_get_a_message() -> std::io::Result<()> {
        let d = tempfile::tempdir()?;
        let f = |n: &str| d.path().join(n);
        fs::write(f("hello.dml"), "a.")?;
        fs::write(f("binary.dml"), b"\0\x01\xff")?;
        fs::write(f("latin.dml"), b"a.\nb(\xe9).")?;
        let err = |n: &str| read(&f(n), "dml").err().unwrap_or_default();
        assert!(read(&f("hello"), "dml").is_ok());
        assert!(err("helo.dml").contains("did you mean"));
        assert!(err("binary.dml").contains("binary"));
        assert!(err("latin.dml").contains("latin.dml:2:3: the text is not UTF-8"));
        assert!(read(d.path(), "dml").is_err_and(|e| e.contains("folder")));
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "ab"), 2);
        Ok(())
    }
}
