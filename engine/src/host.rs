//! What the engine asks of the host for files: a small interface in plain data.
//!
//! The engine opens no file itself. Paths it hands over are absolute within the workspace, use `/`, and hold no
//! `.`, `..` or empty parts (`/` itself is the root), so that an implementation needs no text checks; it must still
//! keep symbolic links from leading outside.

use std::collections::BTreeMap;
use std::sync::Mutex;

/// Why a file operation did not succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FsError {
    /// Nothing of that name, or a folder on the way is missing.
    NotFound,
    /// Something of that name is there already.
    Exists,
    /// The host does not allow it.
    Denied,
    /// A file was wanted, this is a folder.
    IsDirectory,
    /// A folder was wanted, this is not one.
    NotDirectory,
    /// The folder still has entries.
    NotEmpty,
    /// The path leads outside the workspace.
    Outside,
    /// Anything else, in the host's words.
    Other(String),
}

impl FsError {
    /// The text shown with the Prolog error.
    pub fn message(&self) -> &str {
        match self {
            FsError::NotFound => "No such file or directory",
            FsError::Exists => "File exists",
            FsError::Denied => "Permission denied",
            FsError::IsDirectory => "Is a directory",
            FsError::NotDirectory => "Not a directory",
            FsError::NotEmpty => "Directory not empty",
            FsError::Outside => "The path leads outside the workspace",
            FsError::Other(m) => m,
        }
    }
}

/// Gives the result of a file operation.
pub type FsResult<T> = Result<T, FsError>;

/// What is known of a file or folder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metadata {
    /// A folder rather than a file.
    pub directory: bool,
    /// Length in bytes.
    pub size: u64,
    /// Time of the last change, in seconds since 1970.
    pub modified: f64,
    /// The program may write it.
    pub writable: bool,
}

/// The files a program can reach.
pub trait FileSystem: Send + Sync {
    /// The whole content of a file.
    fn read(&self, path: &str) -> FsResult<Vec<u8>>;
    /// Replaces (or makes) a whole file: afterwards it holds just these bytes, and no reader sees a part of them.
    fn write(&self, path: &str, bytes: &[u8]) -> FsResult<()>;
    /// Adds bytes at the end of a file, making it when it is missing.
    fn append(&self, path: &str, bytes: &[u8]) -> FsResult<()>;
    /// Facts about a file or folder.
    fn metadata(&self, path: &str) -> FsResult<Metadata>;
    /// Names in a folder, sorted, without `.` and `..`.
    fn list(&self, path: &str) -> FsResult<Vec<String>>;
    /// Renames a file or folder; an existing file at the new name is replaced.
    fn rename(&self, from: &str, to: &str) -> FsResult<()>;
    /// Removes a file.
    fn delete(&self, path: &str) -> FsResult<()>;
    /// Removes an empty folder.
    fn delete_directory(&self, path: &str) -> FsResult<()>;
    /// Makes a folder; its parent must be there.
    fn make_directory(&self, path: &str) -> FsResult<()>;
}

#[derive(Clone, Debug)]
enum Node {
    Directory,
    File(Vec<u8>),
}

#[derive(Default, Debug)]
struct Tree {
    /// Every path but the root.
    nodes: BTreeMap<String, (Node, u64)>,
    /// Counts changes, in place of a clock.
    changes: u64,
}

/// Files in memory: what a machine has until the host gives it a workspace, and for tests.
#[derive(Default, Debug)]
pub struct MemoryFiles {
    tree: Mutex<Tree>,
}

impl MemoryFiles {
    /// An empty root folder.
    pub fn new() -> MemoryFiles {
        MemoryFiles::default()
    }

    fn with<T>(&self, f: impl FnOnce(&mut Tree) -> FsResult<T>) -> FsResult<T> {
        // A poisoned lock still guards a usable tree: every change below is a single insertion or removal.
        f(&mut self.tree.lock().unwrap_or_else(|e| e.into_inner()))
    }
}

fn parent(path: &str) -> &str {
    match path.rfind('/') {
        Some(i) if i > 0 => &path[..i],
        _ => "/",
    }
}

impl Tree {
    fn is_directory(&self, path: &str) -> bool {
        path == "/" || matches!(self.nodes.get(path), Some((Node::Directory, _)))
    }

    fn parent_is_there(&self, path: &str) -> FsResult<()> {
        let p = parent(path);
        if self.is_directory(p) {
            Ok(())
        } else if self.nodes.contains_key(p) {
            Err(FsError::NotDirectory)
        } else {
            Err(FsError::NotFound)
        }
    }

    fn set(&mut self, path: &str, node: Node) {
        self.changes += 1;
        let n = self.changes;
        self.nodes.insert(path.to_string(), (node, n));
    }

    fn below<'a>(&'a self, path: &str) -> impl Iterator<Item = &'a String> + 'a {
        let prefix = if path == "/" { "/".to_string() } else { format!("{path}/") };
        self.nodes.range(prefix.clone()..).map(|(k, _)| k).take_while(move |k| k.starts_with(&prefix))
    }
}

impl FileSystem for MemoryFiles {
    fn read(&self, path: &str) -> FsResult<Vec<u8>> {
        self.with(|t| match t.nodes.get(path) {
            Some((Node::File(b), _)) => Ok(b.clone()),
            Some(_) => Err(FsError::IsDirectory),
            None if path == "/" => Err(FsError::IsDirectory),
            None => Err(FsError::NotFound),
        })
    }

    fn write(&self, path: &str, bytes: &[u8]) -> FsResult<()> {
        self.with(|t| {
            if t.is_directory(path) {
                return Err(FsError::IsDirectory);
            }
            t.parent_is_there(path)?;
            t.set(path, Node::File(bytes.to_vec()));
            Ok(())
        })
    }

    fn append(&self, path: &str, bytes: &[u8]) -> FsResult<()> {
        self.with(|t| {
            if t.is_directory(path) {
                return Err(FsError::IsDirectory);
            }
            t.parent_is_there(path)?;
            t.changes += 1;
            let n = t.changes;
            match t.nodes.get_mut(path) {
                Some((Node::File(b), at)) => {
                    b.extend_from_slice(bytes);
                    *at = n;
                }
                _ => t.set(path, Node::File(bytes.to_vec())),
            }
            Ok(())
        })
    }

    fn metadata(&self, path: &str) -> FsResult<Metadata> {
        self.with(|t| match t.nodes.get(path) {
            Some((Node::File(b), n)) => Ok(Metadata { directory: false, size: b.len() as u64, modified: *n as f64, writable: true }),
            Some((Node::Directory, n)) => Ok(Metadata { directory: true, size: 0, modified: *n as f64, writable: true }),
            None if path == "/" => Ok(Metadata { directory: true, size: 0, modified: 0.0, writable: true }),
            None => Err(FsError::NotFound),
        })
    }

    fn list(&self, path: &str) -> FsResult<Vec<String>> {
        self.with(|t| {
            if !t.is_directory(path) {
                return Err(if t.nodes.contains_key(path) { FsError::NotDirectory } else { FsError::NotFound });
            }
            let skip = if path == "/" { 1 } else { path.len() + 1 };
            Ok(t.below(path).filter_map(|k| k.get(skip..)).filter(|n| !n.contains('/')).map(str::to_string).collect())
        })
    }

    fn rename(&self, from: &str, to: &str) -> FsResult<()> {
        self.with(|t| {
            let Some((node, _)) = t.nodes.get(from).cloned() else { return Err(FsError::NotFound) };
            t.parent_is_there(to)?;
            if from == to {
                return Ok(());
            }
            if to.strip_prefix(from).is_some_and(|r| r.starts_with('/')) {
                return Err(FsError::Other("Invalid argument".into()));
            }
            match (&node, t.is_directory(to), t.nodes.contains_key(to)) {
                (Node::File(_), true, _) => return Err(FsError::IsDirectory),
                (Node::Directory, false, true) => return Err(FsError::NotDirectory),
                (Node::Directory, true, _) if t.below(to).next().is_some() => return Err(FsError::NotEmpty),
                _ => {}
            }
            let moved: Vec<String> = t.below(from).cloned().collect();
            t.nodes.remove(from);
            t.set(to, node);
            for k in moved {
                if let (Some(v), Some(rest)) = (t.nodes.remove(&k), k.get(from.len()..)) {
                    t.nodes.insert(format!("{to}{rest}"), v);
                }
            }
            Ok(())
        })
    }

    fn delete(&self, path: &str) -> FsResult<()> {
        self.with(|t| match t.nodes.get(path) {
            Some((Node::File(_), _)) => {
                t.nodes.remove(path);
                Ok(())
            }
            _ if t.is_directory(path) => Err(FsError::IsDirectory),
            _ => Err(FsError::NotFound),
        })
    }

    fn delete_directory(&self, path: &str) -> FsResult<()> {
        self.with(|t| {
            if !t.is_directory(path) {
                return Err(if t.nodes.contains_key(path) { FsError::NotDirectory } else { FsError::NotFound });
            }
            if path == "/" {
                return Err(FsError::Denied);
            }
            if t.below(path).next().is_some() {
                return Err(FsError::NotEmpty);
            }
            t.nodes.remove(path);
            Ok(())
        })
    }

    fn make_directory(&self, path: &str) -> FsResult<()> {
        self.with(|t| {
            if path == "/" || t.nodes.contains_key(path) {
                return Err(FsError::Exists);
            }
            t.parent_is_there(path)?;
            t.set(path, Node::Directory);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_files_behave_as_a_file_system() {
        let f = MemoryFiles::new();
        assert_eq!(f.read("/a"), Err(FsError::NotFound));
        assert_eq!(f.write("/d/a", b"x"), Err(FsError::NotFound));
        assert_eq!(f.make_directory("/d"), Ok(()));
        assert_eq!(f.make_directory("/d"), Err(FsError::Exists));
        assert_eq!(f.write("/d/a", b"x"), Ok(()));
        assert_eq!(f.append("/d/a", b"y"), Ok(()));
        assert_eq!(f.read("/d/a"), Ok(b"xy".to_vec()));
        assert_eq!(f.read("/d"), Err(FsError::IsDirectory));
        assert_eq!(f.list("/d"), Ok(vec!["a".to_string()]));
        assert_eq!(f.list("/"), Ok(vec!["d".to_string()]));
        assert_eq!(f.delete_directory("/d"), Err(FsError::NotEmpty));
        assert_eq!(f.rename("/d", "/e"), Ok(()));
        assert_eq!(f.rename("/e", "/e/f"), Err(FsError::Other("Invalid argument".into())));
        assert_eq!(f.read("/e/a"), Ok(b"xy".to_vec()));
        assert_eq!(f.metadata("/e/a").map(|m| (m.directory, m.size)), Ok((false, 2)));
        assert_eq!(f.delete("/e"), Err(FsError::IsDirectory));
        assert_eq!(f.delete("/e/a"), Ok(()));
        assert_eq!(f.delete_directory("/e"), Ok(()));
        assert_eq!(f.list("/"), Ok(vec![]));
    }
}
