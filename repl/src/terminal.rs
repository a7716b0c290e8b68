//! Writing to the terminal: data to stdout, talk to stderr, and quiet ends when a pipe is closed.

use std::io::{self, IsTerminal, StdoutLock, Write};

/// Standard output, locked.
pub fn out() -> StdoutLock<'static> {
    io::stdout().lock()
}

/// Prints a text to standard output. A closed pipe ends the program quietly; a full disk ends it with a message.
pub fn print(text: &str) {
    let mut o = out();
    if let Err(e) = o.write_all(text.as_bytes()).and_then(|()| o.flush()) {
        if e.kind() == io::ErrorKind::BrokenPipe {
            std::process::exit(141);
        }
        eprintln!("error: cannot write to standard output: {e}");
        std::process::exit(2);
    }
}

/// Whether colours are wanted on standard error.
pub fn colours() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// `error: ...` on standard error.
pub fn error(message: &str) {
    talk("error", "31", message);
}

/// `warning: ...` on standard error.
pub fn warning(message: &str) {
    talk("warning", "33", message);
}

/// `hint: ...` on standard error.
pub fn hint(message: &str) {
    talk("  hint", "36", message);
}

/// `log: ...` on standard error.
pub fn note(label: &str, message: &str) {
    talk(label, "2", message);
}

fn talk(label: &str, colour: &str, message: &str) {
    let mut e = io::stderr().lock();
    let message = message.trim_end();
    let _ = if colours() { writeln!(e, "\x1b[{colour}m{label}:\x1b[0m {message}") } else { writeln!(e, "{label}: {message}") };
}

/// A plain text to standard error.
pub fn raw_error(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Asks the person at the terminal; `None` at the end of the input.
pub fn ask(prompt: &str) -> Option<String> {
    let mut e = io::stderr().lock();
    let _ = write!(e, "{prompt}{}", if prompt.is_empty() || prompt.ends_with([' ', '\n']) { "" } else { " " });
    let _ = e.flush();
    drop(e);
    let mut line = String::new();
    match io::stdin().read_line(&mut line) {
        Ok(n) if n > 0 => {
            while line.ends_with(['\n', '\r']) {
                line.pop();
            }
            Some(line)
        }
        _ => None,
    }
}
