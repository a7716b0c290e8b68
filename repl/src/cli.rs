//! What the command line offers.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// Runs DML programs: Prolog that calls tools and models, with limits.
#[derive(Parser, Debug)]
#[command(name = "deepclause", version, arg_required_else_help = true, infer_subcommands = false)]
#[command(after_help = "Exit status: 0 answered or true, 1 false, 2 error, 3 gas, memory or time used up, 130 cancelled.\n\
Examples:\n  deepclause run plan.dml \"three days in Rome\" -P budget=300\n  deepclause query 'member(X, [a, b])'\n  deepclause query -l facts.pl 'likes(ann, What)'")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run a DML program: its `agent_main` with the given arguments
    Run(RunArgs),
    /// Prove a goal and print its solutions
    Query(QueryArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell: bash, zsh, fish, elvish or powershell
        shell: clap_complete::Shell,
    },
}

#[derive(Args, Debug)]
pub struct RunArgs {
    /// The program (`.dml` may be left out)
    pub file: PathBuf,
    /// Arguments of `agent_main`: numbers, true, false and JSON keep their type, anything else is text
    #[arg(value_name = "ARGS")]
    pub args: Vec<String>,
    /// Set a parameter (repeatable)
    #[arg(short = 'P', long = "param", value_name = "KEY=VALUE")]
    pub param: Vec<String>,
    /// Take parameters from the object in a JSON file; -P wins
    #[arg(long, value_name = "FILE.json")]
    pub params: Option<PathBuf>,
    /// Write the events as JSON, one a line
    #[arg(long)]
    pub json: bool,
    /// Stop after this many inferences
    #[arg(long, value_name = "N", alias = "gas-limit")]
    pub gas: Option<u64>,
    /// Stop when more memory is needed, such as 512M
    #[arg(long, value_name = "SIZE", value_parser = deepclause::entry::size, default_value = "1G")]
    pub memory: u64,
    /// Stop after this time, such as 30s
    #[arg(long, value_name = "TIME", value_parser = deepclause::entry::duration)]
    pub timeout: Option<Duration>,
    /// Write a trace of the run to a file, as JSON
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// The only folder whose files the program can reach
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub workspace: PathBuf,
    /// Answer to the next question of the program (repeatable); later questions go to the terminal
    #[arg(long, value_name = "TEXT")]
    pub input: Vec<String>,
    /// Also show log lines, tool calls, and what the run used
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Args, Debug)]
pub struct QueryArgs {
    /// The goal, without the full stop
    #[arg(required_unless_present = "batch")]
    pub goal: Option<String>,
    /// Load a file first (repeatable)
    #[arg(short, long = "load", value_name = "FILE")]
    pub load: Vec<PathBuf>,
    /// Print at most this many solutions
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub max: usize,
    /// Print each solution as a JSON object
    #[arg(long)]
    pub json: bool,
    /// Stop after this many inferences
    #[arg(long, value_name = "N")]
    pub gas: Option<u64>,
    /// Stop when more memory is needed, such as 512M
    #[arg(long, value_name = "SIZE", value_parser = deepclause::entry::size, default_value = "2G")]
    pub memory: u64,
    /// Stop after this time, such as 30s
    #[arg(long, value_name = "TIME", value_parser = deepclause::entry::duration)]
    pub timeout: Option<Duration>,
    /// The folder whose files the goal can reach
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub workspace: PathBuf,
    /// Run the cases of a JSON-lines file, each in a fresh machine, and print a result line for each
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["goal", "load", "json"])]
    pub batch: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
        let c = Cli::try_parse_from(["deepclause", "run", "f.dml", "a", "-P", "k=v", "--gas", "5", "--timeout", "2s"]);
        assert!(
            matches!(c.map(|c| c.command), Ok(Command::Run(r)) if r.args == ["a"] && r.gas == Some(5) && r.timeout == Some(Duration::from_secs(2)))
        );
        let e = Cli::try_parse_from(["deepclause", "rum"]).map(|_| ()).map_err(|e| e.to_string());
        assert!(e.is_err_and(|e| e.contains("run")), "a misspelt command gets a suggestion");
        assert!(Cli::try_parse_from(["deepclause", "query", "--batch", "x.jsonl"]).is_ok());
    }
}
