//! The files of a workspace, reached through a directory capability: nothing outside it can be named, not by `..`, not
//! by a symbolic link, not by a race.

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use deepclause_engine::host::{FileSystem, FsError, FsResult, Metadata};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

/// Files larger than this are not read.
const MAX_FILE: u64 = 1 << 30;

/// A folder of the machine as a program's workspace.
#[derive(Debug)]
pub struct Workspace {
    dir: Dir,
    writable: bool,
    counter: AtomicU64,
}

impl Workspace {
    /// Opens a folder for reading and writing.
    ///
    /// # Errors
    /// The folder is missing or is no folder.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Workspace> {
        Ok(Workspace { dir: Dir::open_ambient_dir(path, ambient_authority())?, writable: true, counter: AtomicU64::new(0) })
    }

    /// Opens a folder for reading only.
    ///
    /// # Errors
    /// The folder is missing or is no folder.
    pub fn read_only(path: impl AsRef<Path>) -> io::Result<Workspace> {
        Ok(Workspace { writable: false, ..Workspace::open(path)? })
    }

    fn changes(&self) -> FsResult<()> {
        if self.writable { Ok(()) } else { Err(FsError::Denied) }
    }
}

/// The path below the workspace; `.` for the root.
fn inside(path: &str) -> &str {
    match path.trim_start_matches('/') {
        "" => ".",
        p => p,
    }
}

fn error(e: io::Error) -> FsError {
    use io::ErrorKind as K;
    match e.kind() {
        K::NotFound => FsError::NotFound,
        K::AlreadyExists => FsError::Exists,
        K::PermissionDenied if e.raw_os_error().is_none() => FsError::Outside,
        K::PermissionDenied => FsError::Denied,
        K::IsADirectory => FsError::IsDirectory,
        K::NotADirectory => FsError::NotDirectory,
        K::DirectoryNotEmpty => FsError::NotEmpty,
        _ => FsError::Other(plain(&e)),
    }
}

/// The system's words without the number it adds.
fn plain(e: &io::Error) -> String {
    let s = e.to_string();
    match s.find(" (os error") {
        Some(i) => s[..i].to_string(),
        None => s,
    }
}

impl FileSystem for Workspace {
    fn read(&self, path: &str) -> FsResult<Vec<u8>> {
        let meta = self.dir.metadata(inside(path)).map_err(error)?;
        if meta.is_dir() {
            return Err(FsError::IsDirectory);
        }
        if meta.len() > MAX_FILE {
            return Err(FsError::Other(format!("the file has {} bytes, more than the limit of 1 GiB", meta.len())));
        }
        self.dir.read(inside(path)).map_err(error)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> FsResult<()> {
        self.changes()?;
        let path = inside(path);
        if self.dir.metadata(path).is_ok_and(|m| m.is_dir()) {
            return Err(FsError::IsDirectory);
        }
        // A whole file appears at once: written beside its place, then renamed over it.
        let n = self.counter.fetch_add(1, Ordering::Relaxed);
        let temporary = match path.rsplit_once('/') {
            Some((d, f)) => format!("{d}/.{f}.{}.{n}.tmp", std::process::id()),
            None => format!(".{path}.{}.{n}.tmp", std::process::id()),
        };
        let done = self
            .dir
            .open_with(&temporary, OpenOptions::new().write(true).create_new(true))
            .and_then(|mut f| f.write_all(bytes))
            .and_then(|()| self.dir.rename(&temporary, &self.dir, path));
        done.map_err(|e| {
            let _ = self.dir.remove_file(&temporary);
            error(e)
        })
    }

    fn append(&self, path: &str, bytes: &[u8]) -> FsResult<()> {
        self.changes()?;
        let mut f = self.dir.open_with(inside(path), OpenOptions::new().append(true).create(true)).map_err(error)?;
        f.write_all(bytes).map_err(error)
    }

    fn metadata(&self, path: &str) -> FsResult<Metadata> {
        let m = self.dir.metadata(inside(path)).map_err(error)?;
        let modified = m.modified().ok().and_then(|t| t.into_std().duration_since(UNIX_EPOCH).ok()).map_or(0.0, |d| d.as_secs_f64());
        Ok(Metadata { directory: m.is_dir(), size: m.len(), modified, writable: self.writable && !m.permissions().readonly() })
    }

    fn list(&self, path: &str) -> FsResult<Vec<String>> {
        let mut names = Vec::new();
        for entry in self.dir.read_dir(inside(path)).map_err(error)? {
            names.push(entry.map_err(error)?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    fn rename(&self, from: &str, to: &str) -> FsResult<()> {
        self.changes()?;
        self.dir.rename(inside(from), &self.dir, inside(to)).map_err(error)
    }

    fn delete(&self, path: &str) -> FsResult<()> {
        self.changes()?;
        match self.dir.remove_file(inside(path)) {
            Err(_) if self.dir.metadata(inside(path)).is_ok_and(|m| m.is_dir()) => Err(FsError::IsDirectory),
            r => r.map_err(error),
        }
    }

    fn delete_directory(&self, path: &str) -> FsResult<()> {
        self.changes()?;
        if inside(path) == "." {
            return Err(FsError::Denied);
        }
        self.dir.remove_dir(inside(path)).map_err(error)
    }

    fn make_directory(&self, path: &str) -> FsResult<()> {
        self.changes()?;
        self.dir.create_dir(inside(path)).map_err(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_ends_at_its_folder() -> io::Result<()> {
        let outer = tempfile::tempdir()?;
        std::fs::write(outer.path().join("secret"), "s")?;
        let w = outer.path().join("w");
        std::fs::create_dir(&w)?;
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret", w.join("link"))?;
            std::os::unix::fs::symlink("..", w.join("up"))?;
        }
        let f = Workspace::open(&w)?;
        assert_eq!(f.read("/link"), Err(FsError::Outside));
        assert_eq!(f.read("/up/secret"), Err(FsError::Outside));
        assert_eq!(f.read("/../secret"), Err(FsError::Outside));
        assert_eq!(f.write("/a", b"1"), Ok(()));
        assert_eq!(f.append("/a", b"2"), Ok(()));
        assert_eq!(f.read("/a"), Ok(b"12".to_vec()));
        assert_eq!(f.make_directory("/d"), Ok(()));
        assert_eq!(f.read("/d"), Err(FsError::IsDirectory));
        assert_eq!(f.write("/d", b""), Err(FsError::IsDirectory));
        assert_eq!(f.write("/x/y", b""), Err(FsError::NotFound));
        assert_eq!(f.write("/d/b", b""), Ok(()));
        assert_eq!(f.list("/d"), Ok(vec!["b".to_string()]));
        assert_eq!(f.delete_directory("/d"), Err(FsError::NotEmpty));
        assert_eq!(f.rename("/d/b", "/c"), Ok(()));
        assert_eq!(f.delete("/d"), Err(FsError::IsDirectory));
        assert_eq!(f.delete_directory("/d"), Ok(()));
        assert_eq!(f.metadata("/").map(|m| m.directory), Ok(true));
        assert_eq!(f.list("/").map(|l| l.len()), Ok(4), "no temporary file is left");
        let r = Workspace::read_only(&w)?;
        assert_eq!(r.write("/a", b""), Err(FsError::Denied));
        assert_eq!(r.read("/a"), Ok(b"12".to_vec()));
        Ok(())
    }
}
