//! What a run tells the host, in the order in which it happens.

use serde::Serialize;
use serde_json::Value;

/// One event of a run. Its JSON form has a `type` and only the fields that are there.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// `output/1`, `yield/1`, and each line of standard output.
    Output { content: String },
    /// `log/1`, and what a tool that failed said.
    Log { content: String },
    /// `answer/1`; once, and `finished` follows.
    Answer { content: String },
    /// The program waits for a text from the user.
    InputRequired { prompt: String },
    /// Something about the program that its author should look at.
    Warning(Box<Diagnostic>),
    /// A call of a tool.
    #[serde(rename_all = "camelCase")]
    ToolCall {
        tool_name: String,
        tool_args: Value,
        tool_state: ToolState,
        #[serde(skip_serializing_if = "Option::is_none")]
        tool_result: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        tool_error: Option<String>,
    },
    /// The run ended with an error; the last event.
    Error(Box<Failure>),
    /// The run ended; the last event.
    Finished(Box<Finished>),
}

/// Where a tool call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolState {
    Starting,
    Running,
    Completed,
    Failed,
}

/// A remark on the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    pub content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
}

/// What kind of error ended a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FailureKind {
    /// The program could not be read or loaded.
    Load,
    /// The arguments do not fit `agent_main`.
    Arguments,
    /// An exception nobody caught.
    #[default]
    Runtime,
    /// The gas limit.
    Gas,
    /// The memory limit.
    Memory,
    /// The time limit.
    Time,
    /// The host cancelled the run.
    Cancelled,
    /// An invariant of this system is broken.
    Internal,
}

/// An error that ended a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Failure {
    /// The message, complete: what happened and where.
    pub content: String,
    pub kind: FailureKind,
    /// The exception term, as `writeq/1` prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
    /// What is inside `error(_, _)`, or the whole term when it is no such error.
    #[serde(skip)]
    pub formal: Option<String>,
    /// The message without the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// The goals that were running, the innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceEntry>>,
}

/// The end of a run without an error.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Finished {
    /// `true` when `agent_main` succeeded or answered, `false` when it failed.
    pub result: bool,
    /// Whether the program called `answer/1`.
    pub answered: bool,
    /// Inferences used.
    pub gas: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceEntry>>,
}

/// One line of a trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceEntry {
    /// Milliseconds since 1970.
    pub timestamp: u64,
    /// `call`, `exit`, `fail`, `output`, `exec`, `input`, `llm_call`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub predicate: String,
    pub args: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    pub depth: u32,
}

impl Event {
    /// The event as one JSON object.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// Whether no event follows this one.
    pub fn is_last(&self) -> bool {
        matches!(self, Event::Error(_) | Event::Finished(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_of_events() {
        assert_eq!(Event::Output { content: "x".into() }.to_json(), json!({"type": "output", "content": "x"}));
        assert_eq!(Event::InputRequired { prompt: "?".into() }.to_json(), json!({"type": "input_required", "prompt": "?"}));
        let t = Event::ToolCall {
            tool_name: "e".into(),
            tool_args: json!({"a": 1}),
            tool_state: ToolState::Completed,
            tool_result: Some(json!(2)),
            tool_error: None,
        };
        assert_eq!(
            t.to_json(),
            json!({"type": "tool_call", "toolName": "e", "toolArgs": {"a": 1}, "toolState": "completed", "toolResult": 2})
        );
        let f = Event::Finished(Box::new(Finished { result: false, ..Default::default() }));
        assert_eq!(f.to_json(), json!({"type": "finished", "result": false, "answered": false, "gas": 0}));
        let e = Event::Error(Box::new(Failure { content: "c".into(), kind: FailureKind::Gas, line: Some(3), ..Default::default() }));
        assert_eq!(e.to_json(), json!({"type": "error", "content": "c", "kind": "gas", "line": 3}));
        assert!(e.is_last());
    }
}
