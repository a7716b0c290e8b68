//! Tools: what a program reaches through `exec/2`.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A future that may be sent to another thread.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a tool is called, what it does, and the JSON schema of its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// A schema of the type `object`; the order of its `properties` is the order of positional arguments.
    pub parameters: Value,
}

impl ToolSpec {
    /// A tool whose arguments are these properties, all required: pairs of name and JSON type.
    pub fn new(name: &str, description: &str, arguments: &[(&str, &str)]) -> ToolSpec {
        let mut properties = Map::new();
        for (n, t) in arguments {
            properties.insert((*n).to_string(), json!({ "type": t }));
        }
        let required: Vec<&str> = arguments.iter().map(|a| a.0).collect();
        let parameters = json!({ "type": "object", "properties": properties, "required": required });
        ToolSpec { name: name.into(), description: description.into(), parameters }
    }

    /// Names of the arguments, in order.
    pub fn arguments(&self) -> Vec<&str> {
        match self.parameters.get("properties") {
            Some(Value::Object(m)) => m.keys().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }
}

/// A tool ran and could not do it: `exec/2` fails, and `exec_error/1` gives this text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub String);

impl ToolError {
    /// A failure with this text.
    pub fn new(text: impl Into<String>) -> ToolError {
        ToolError(text.into())
    }
}

/// Lets a tool see that its run has been cancelled.
#[derive(Clone, Debug)]
pub struct Cancel(pub(crate) Arc<AtomicBool>);

impl Cancel {
    /// Whether the run has been cancelled; a tool that takes long looks now and then.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A tool of the host.
pub trait Tool: Send + Sync {
    /// Name, description, schema.
    fn spec(&self) -> &ToolSpec;
    /// Runs the tool. `args` is an object that fits the schema.
    fn call(&self, args: Value, cancel: Cancel) -> BoxFuture<'_, Result<Value, ToolError>>;
}

type Body = Box<dyn Fn(Value, Cancel) -> BoxFuture<'static, Result<Value, ToolError>> + Send + Sync>;

struct Closure {
    spec: ToolSpec,
    body: Body,
}

impl Tool for Closure {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }
    fn call(&self, args: Value, cancel: Cancel) -> BoxFuture<'_, Result<Value, ToolError>> {
        (self.body)(args, cancel)
    }
}

/// The tools of a session, by name.
#[derive(Clone, Default)]
pub struct Tools {
    by_name: IndexMap<String, Arc<dyn Tool>>,
}

impl Tools {
    /// No tools.
    pub fn new() -> Tools {
        Tools::default()
    }

    /// Adds a tool; one of the same name is replaced.
    pub fn add(&mut self, tool: impl Tool + 'static) -> &mut Tools {
        self.by_name.insert(tool.spec().name.clone(), Arc::new(tool));
        self
    }

    /// Adds an async closure as a tool.
    pub fn add_async<F, Fut>(&mut self, spec: ToolSpec, f: F) -> &mut Tools
    where
        F: Fn(Value) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        self.add(Closure { spec, body: Box::new(move |v, _| Box::pin(f(v))) })
    }

    /// Adds a closure that answers at once.
    pub fn add_fn<F>(&mut self, spec: ToolSpec, f: F) -> &mut Tools
    where
        F: Fn(Value) -> Result<Value, ToolError> + Send + Sync + 'static,
    {
        self.add(Closure {
            spec,
            body: Box::new(move |v, _| {
                let r = f(v);
                Box::pin(std::future::ready(r))
            }),
        })
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.by_name.get(name)
    }

    /// Every tool, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.by_name.values()
    }
}

/// Arguments as the program wrote them.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// `tool(k: V, ...)` or `tool(_{k: V, ...})`.
    Named(Map<String, Value>),
    /// `tool(A, B)`.
    Positional(Vec<Value>),
}

/// What is wrong with the arguments of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum BadArgument {
    /// An argument of the wrong JSON type: the expected type, its name and value.
    Type { expected: String, name: String, value: Value },
    /// A required argument is missing.
    Missing { name: String },
    /// The tool takes no such argument.
    Unknown { name: String, value: Value },
    /// A value outside an `enum`.
    Domain { name: String, value: Value },
}

impl BadArgument {
    /// In words.
    pub fn message(&self, spec: &ToolSpec) -> String {
        let takes = || {
            let names = spec.arguments();
            if names.is_empty() { "takes no arguments".to_string() } else { format!("takes {}", names.join(", ")) }
        };
        match self {
            BadArgument::Type { expected, name, value } => {
                format!("tool `{}`: argument `{name}` must be of type {expected}, not {value}", spec.name)
            }
            BadArgument::Missing { name } => format!("tool `{}`: argument `{name}` is missing; the tool {}", spec.name, takes()),
            BadArgument::Unknown { name, .. } => format!("tool `{}`: there is no argument `{name}`; the tool {}", spec.name, takes()),
            BadArgument::Domain { name, value } => format!("tool `{}`: argument `{name}` cannot be {value}", spec.name),
        }
    }
}

/// Names the arguments of a call and checks them against the tool's schema.
///
/// # Errors
/// The first argument that does not fit.
pub fn check(spec: &ToolSpec, given: Given) -> Result<Value, BadArgument> {
    let names = spec.arguments();
    let map = match given {
        Given::Named(m) => m,
        Given::Positional(values) => {
            let mut m = Map::new();
            for (i, v) in values.into_iter().enumerate() {
                let name = match names.get(i) {
                    Some(n) => (*n).to_string(),
                    None if names.is_empty() && i == 0 => "input".to_string(),
                    None => return Err(BadArgument::Unknown { name: (i + 1).to_string(), value: v }),
                };
                m.insert(name, v);
            }
            m
        }
    };
    let closed = spec.parameters.get("additionalProperties") == Some(&Value::Bool(false));
    for (name, value) in &map {
        match spec.parameters.get("properties").and_then(|p| p.get(name)) {
            Some(schema) => check_value(name, value, schema)?,
            None if closed => return Err(BadArgument::Unknown { name: name.clone(), value: value.clone() }),
            None => {}
        }
    }
    for r in spec.parameters.get("required").and_then(Value::as_array).into_iter().flatten() {
        if let Some(r) = r.as_str()
            && !map.contains_key(r)
        {
            return Err(BadArgument::Missing { name: r.to_string() });
        }
    }
    Ok(Value::Object(map))
}

fn check_value(name: &str, value: &Value, schema: &Value) -> Result<(), BadArgument> {
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(t)) => vec![t.as_str()],
        Some(Value::Array(ts)) => ts.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let fits = |t: &str| match t {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|f| f.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    };
    if !types.is_empty() && !types.iter().any(|t| fits(t)) {
        return Err(BadArgument::Type { expected: types.join(" or "), name: name.into(), value: value.clone() });
    }
    if let Some(Value::Array(options)) = schema.get("enum")
        && !options.contains(value)
    {
        return Err(BadArgument::Domain { name: name.into(), value: value.clone() });
    }
    if let (Some(items), Value::Array(values)) = (schema.get("items"), value) {
        for (i, v) in values.iter().enumerate() {
            check_one_level(&format!("{name}[{i}]"), v, items)?;
        }
    }
    Ok(())
}

/// Items of an array: type and enum, without going further down.
fn check_one_level(name: &str, value: &Value, schema: &Value) -> Result<(), BadArgument> {
    let mut flat = schema.clone();
    if let Some(o) = flat.as_object_mut() {
        o.remove("items");
    }
    check_value(name, value, &flat)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(v: Value) -> Given {
        Given::Named(v.as_object().cloned().unwrap_or_default())
    }

    #[test]
    fn arguments_are_named_and_checked() {
        let mut e = ToolSpec::new("e", "echo", &[("a", "integer"), ("b", "integer")]);
        assert_eq!(check(&e, Given::Positional(vec![json!(1), json!(2)])), Ok(json!({"a": 1, "b": 2})));
        assert_eq!(check(&e, named(json!({"a": 1}))), Err(BadArgument::Missing { name: "b".into() }));
        e.parameters["required"] = json!([]);
        assert_eq!(check(&e, named(json!({"a": 1}))), Ok(json!({"a": 1})));
        assert!(matches!(check(&e, named(json!({"a": "x"}))), Err(BadArgument::Type { .. })));
        assert!(matches!(check(&e, Given::Positional(vec![json!(1); 3])), Err(BadArgument::Unknown { .. })));
        e.parameters["additionalProperties"] = json!(false);
        assert!(matches!(check(&e, named(json!({"z": 1}))), Err(BadArgument::Unknown { .. })));
        let free = ToolSpec::new("f", "", &[]);
        assert_eq!(check(&free, Given::Positional(vec![json!("x")])), Ok(json!({"input": "x"})));
        let mut s = ToolSpec::new("s", "", &[("k", "string"), ("l", "array")]);
        s.parameters["properties"]["k"]["enum"] = json!(["x"]);
        s.parameters["properties"]["l"]["items"] = json!({"type": "integer"});
        assert!(matches!(check(&s, named(json!({"k": "y", "l": []}))), Err(BadArgument::Domain { .. })));
        let bad = check(&s, named(json!({"k": "x", "l": [1, "2"]})));
        assert!(matches!(&bad, Err(BadArgument::Type { name, .. }) if name == "l[1]"));
        if let Err(b) = bad {
            assert_eq!(b.message(&s), "tool `s`: argument `l[1]` must be of type integer, not \"2\"");
        }
    }
}
