//! The `deepclause` command.
#![deny(unsafe_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod batch;
mod cli;
mod query;
mod run;
mod source;
mod terminal;

use clap::{CommandFactory, Parser};
use cli::{Cli, Command};
use std::io::Write;

fn main() {
    let cli = Cli::parse();
    let code = match cli.command {
        Command::Run(a) => run::main(a),
        Command::Query(a) => query::main(a),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "deepclause", &mut text);
            let _ = terminal::out().write_all(&text);
            0
        }
    };
    let _ = std::io::stdout().flush();
    std::process::exit(code);
}
