//! Dates and times: stamps (seconds since 1970 as a float), `date/3` and `date/9` terms, formatting.
//!
//! The engine has no clock and no zone tables of its own: the host gives the time and the offset of
//! local time. Days are counted in the proleptic Gregorian calendar.

use super::parse_time;
use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::text;

/// A point in time taken apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Date {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    /// Whole seconds, and the fraction in nanoseconds.
    pub second: i64,
    pub nanos: i64,
    /// Seconds west of Greenwich.
    pub offset: i64,
    /// Name of the zone.
    pub zone: Option<String>,
}

/// Days from 1970-01-01 to this date; months and days outside of their range carry over.
pub(crate) fn days(year: i64, month: i64, day: i64) -> i128 {
    let m = month as i128 - 1;
    let (y, m) = (year as i128 + m.div_euclid(12), m.rem_euclid(12) + 1);
    // Years begin in March, so that the leap day is the last one.
    let y = if m <= 2 { y - 1 } else { y };
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let of_year = (153 * ((m + 9) % 12) + 2) / 5;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468 + day as i128 - 1
}

/// Year, month and day of a day count.
fn civil(days: i128) -> (i64, i64, i64) {
    let z = days + 719_468;
    let (era, of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let y = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * y + y / 4 - y / 100);
    let mp = (5 * of_year + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = y + era * 400 + i128::from(month <= 2);
    (year as i64, month as i64, (of_year - (153 * mp + 2) / 5 + 1) as i64)
}

impl Date {
    /// The date at a stamp, in the zone that is `offset` seconds west.
    fn at(stamp: f64, offset: i64) -> Date {
        let whole = stamp.floor();
        let nanos = (((stamp - whole) * 1e9).round() as i64).min(999_999_999);
        let local = whole as i128 - offset as i128;
        let (d, s) = (local.div_euclid(86_400), local.rem_euclid(86_400) as i64);
        let (year, month, day) = civil(d);
        Date { year, month, day, hour: s / 3600, minute: s / 60 % 60, second: s % 60, nanos, offset, zone: None }
    }

    /// Seconds since 1970.
    fn stamp(&self) -> f64 {
        let seconds = self.whole_seconds();
        seconds as f64 + self.nanos as f64 / 1e9
    }

    fn whole_seconds(&self) -> i128 {
        days(self.year, self.month, self.day) * 86_400
            + self.hour as i128 * 3600
            + self.minute as i128 * 60
            + self.second as i128
            + self.offset as i128
    }

    /// With every part in its range.
    fn normal(self) -> Date {
        let local = self.whole_seconds() - self.offset as i128;
        let (d, s) = (local.div_euclid(86_400), local.rem_euclid(86_400) as i64);
        let (year, month, day) = civil(d);
        Date { year, month, day, hour: s / 3600, minute: s / 60 % 60, second: s % 60, ..self }
    }

    fn weekday(&self) -> i64 {
        (days(self.year, self.month, self.day) + 4).rem_euclid(7) as i64
    }

    fn day_of_year(&self) -> i64 {
        (days(self.year, self.month, self.day) - days(self.year, 1, 1)) as i64
    }

    /// ISO 8601 year and week.
    fn iso_week(&self) -> (i64, i64) {
        // The week belongs to the year of its Thursday.
        let thursday = days(self.year, self.month, self.day) + 3 - (self.weekday() + 6) as i128 % 7;
        let (year, _, _) = civil(thursday);
        (year, ((thursday - days(year, 1, 1)) / 7) as i64 + 1)
    }
}

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// Names of the months.
pub(crate) const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

fn name(names: &[&'static str], i: i64) -> &'static str {
    usize::try_from(i).ok().and_then(|i| names.get(i)).copied().unwrap_or("?")
}

fn short(names: &[&'static str], i: i64) -> &'static str {
    name(names, i).get(..3).unwrap_or("?")
}

/// Fills in a format; `Err` with the directive that is none.
fn format_date(format: &str, d: &Date) -> Result<String, String> {
    use std::fmt::Write;
    let mut out = String::new();
    let mut it = format.chars().peekable();
    let hour12 = if d.hour % 12 == 0 { 12 } else { d.hour % 12 };
    while let Some(c) = it.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut width = None;
        while let Some(x) = it.peek().and_then(|c| c.to_digit(10)) {
            width = Some((width.unwrap_or(0usize) * 10 + x as usize).min(1000));
            it.next();
        }
        let colon = it.next_if_eq(&':').is_some();
        let Some(c) = it.next() else { return Err("%".into()) };
        let done = match c {
            'a' => write!(out, "{}", short(&DAYS, d.weekday())),
            'A' => write!(out, "{}", name(&DAYS, d.weekday())),
            'b' | 'h' => write!(out, "{}", short(&MONTHS, d.month - 1)),
            'B' => write!(out, "{}", name(&MONTHS, d.month - 1)),
            'c' | '+' => write!(
                out,
                "{} {} {:2} {:02}:{:02}:{:02} {}",
                short(&DAYS, d.weekday()),
                short(&MONTHS, d.month - 1),
                d.day,
                d.hour,
                d.minute,
                d.second,
                d.year
            ),
            'C' => write!(out, "{:02}", d.year / 100),
            'd' => write!(out, "{:02}", d.day),
            'D' | 'x' => write!(out, "{:02}/{:02}/{:02}", d.month, d.day, d.year.rem_euclid(100)),
            'e' => write!(out, "{:2}", d.day),
            'f' => {
                let w = width.unwrap_or(6);
                if w >= 9 {
                    write!(out, "{:09}{}", d.nanos, "0".repeat(w - 9))
                } else {
                    let unit = 10i64.pow(9 - w as u32);
                    let v = (d.nanos + unit / 2) / unit % 10i64.pow(w as u32);
                    if w == 0 { Ok(()) } else { write!(out, "{v:0w$}") }
                }
            }
            'F' => write!(out, "{}-{:02}-{:02}", d.year, d.month, d.day),
            'g' => write!(out, "{:02}", d.iso_week().0.rem_euclid(100)),
            'G' => write!(out, "{}", d.iso_week().0),
            'H' => write!(out, "{:02}", d.hour),
            'I' => write!(out, "{hour12:02}"),
            'j' => write!(out, "{:03}", d.day_of_year() + 1),
            'k' => write!(out, "{:2}", d.hour),
            'l' => write!(out, "{hour12:2}"),
            'm' => write!(out, "{:02}", d.month),
            'M' => write!(out, "{:02}", d.minute),
            'n' => writeln!(out),
            'p' => write!(out, "{}", if d.hour < 12 { "AM" } else { "PM" }),
            'P' => write!(out, "{}", if d.hour < 12 { "am" } else { "pm" }),
            'r' => write!(out, "{hour12:02}:{:02}:{:02} {}", d.minute, d.second, if d.hour < 12 { "AM" } else { "PM" }),
            'R' => write!(out, "{:02}:{:02}", d.hour, d.minute),
            's' => write!(out, "{}", d.whole_seconds() + i128::from(d.nanos >= 500_000_000)),
            'S' => write!(out, "{:02}", d.second),
            't' => write!(out, "\t"),
            'T' | 'X' => write!(out, "{:02}:{:02}:{:02}", d.hour, d.minute, d.second),
            'u' => write!(out, "{}", (d.weekday() + 6) % 7 + 1),
            'U' => write!(out, "{:02}", (d.day_of_year() + 7 - d.weekday()) / 7),
            'V' => write!(out, "{:02}", d.iso_week().1),
            'w' => write!(out, "{}", d.weekday()),
            'W' => write!(out, "{:02}", (d.day_of_year() + 7 - (d.weekday() + 6) % 7) / 7),
            'y' => write!(out, "{:02}", d.year.rem_euclid(100)),
            'Y' => write!(out, "{}", d.year),
            'z' => {
                let minutes = d.offset.abs() / 60;
                let sign = if d.offset > 0 { '-' } else { '+' };
                write!(out, "{sign}{:02}{}{:02}", minutes / 60, if colon { ":" } else { "" }, minutes % 60)
            }
            'Z' => write!(out, "{}", d.zone.as_deref().unwrap_or("UTC")),
            '%' => write!(out, "%"),
            c => return Err(format!("%{c}")),
        };
        // Writing to a String does not fail.
        let _ = done;
    }
    Ok(out)
}

/// Value of a number as a float.
fn stamp_value(heap: &mut Heap, c: Cell) -> Res<f64> {
    match heap.view(c) {
        Term::Int(i) => Ok(i as f64),
        Term::Float(f) if f.is_finite() => Ok(f),
        Term::Big(a) => Ok(heap.big(a).to_f64().value()),
        Term::Rational(a) => Ok(heap.rational(a).to_f64().value()),
        _ => Err(error::type_error(heap, atom::FLOAT, c)),
    }
}

fn integer(heap: &mut Heap, c: Cell) -> Res<i64> {
    match heap.view(c) {
        // Far beyond any calendar, and small enough not to overflow in the sums.
        Term::Int(i) if i.abs() < 1 << 50 => Ok(i),
        Term::Int(_) | Term::Big(_) => Err(error::representation(heap, "int64_t")),
        _ => Err(error::type_error(heap, atom::INTEGER, c)),
    }
}

/// The date of a `date/3` or `date/9` term; `None` when it is none.
fn date_term(m: &mut Machine, c: Cell) -> Res<Option<Date>> {
    let Term::Compound(at, name, n @ (3 | 9)) = m.heap.view(c) else { return Ok(None) };
    if m.heap.atoms.text(name) != "date" {
        return Ok(None);
    }
    let args: Vec<Cell> = m.heap.cells[at + 1..at + 1 + n].to_vec();
    let local = m.utc_offset;
    let h = &mut m.heap;
    let arg = |i: usize| args.get(i).copied().unwrap_or(Cell::NIL);
    let mut d = Date {
        year: integer(h, arg(0))?,
        month: integer(h, arg(1))?,
        day: integer(h, arg(2))?,
        hour: 0,
        minute: 0,
        second: 0,
        nanos: 0,
        offset: local,
        zone: None,
    };
    if n == 3 {
        return Ok(Some(d));
    }
    d.hour = integer(h, arg(3))?;
    d.minute = integer(h, arg(4))?;
    match h.view(arg(5)) {
        Term::Float(f) if f.is_finite() && f.abs() < 1e15 => {
            d.second = f.floor() as i64;
            d.nanos = (((f - f.floor()) * 1e9).round() as i64).min(999_999_999);
        }
        _ => d.second = integer(h, arg(5))?,
    }
    if h.is_var(arg(6)) {
        h.unify(arg(6), Cell::small(local));
    } else {
        d.offset = integer(h, arg(6))?;
    }
    if let Term::Atom(z) = h.view(arg(7))
        && z != atom::MINUS
    {
        d.zone = Some(h.atoms.text(z).to_owned());
    }
    Ok(Some(d))
}

fn get_time(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let Some(clock) = m.host_clock.clone() else {
        let what = m.heap.atom("clock");
        return Err(error::permission(&mut m.heap, "access", "system", what));
    };
    let now = m.heap.float(clock());
    Ok(m.unify(a[0], now))
}

fn stamp_date_time(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let stamp = stamp_value(&mut m.heap, a[0])?;
    let dash = Cell::atom(atom::MINUS);
    let (offset, zone, daylight) = match m.heap.view(a[2]) {
        Term::Var(_) | Term::Attributed(_) => return Err(error::instantiation(&mut m.heap)),
        Term::Atom(z) if m.heap.atoms.text(z) == "UTC" => (0, m.heap.deref(a[2]), dash),
        Term::Atom(z) if m.heap.atoms.text(z) == "local" => {
            let offset = m.utc_offset;
            let zone = m.heap.atom(if offset == 0 { "UTC" } else { "local" });
            (offset, zone, Cell::atom(atom::FALSE))
        }
        Term::Atom(_) => return Err(error::domain(&mut m.heap, "timezone", a[2])),
        _ => (integer(&mut m.heap, a[2])?, dash, dash),
    };
    let d = Date::at(stamp, offset);
    let h = &mut m.heap;
    let year = h.int(d.year);
    let second = h.float(d.second as f64 + d.nanos as f64 / 1e9);
    let n = Cell::small;
    let args = [year, n(d.month), n(d.day), n(d.hour), n(d.minute), second, n(d.offset), zone, daylight];
    let date = h.compound_named("date", &args);
    Ok(m.unify(a[1], date))
}

fn time_error(m: &mut Machine, c: Cell) -> error::Throw {
    error::type_error_named(&mut m.heap, "time", c)
}

fn date_time_stamp(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let Some(d) = date_term(m, a[0])? else { return Err(time_error(m, a[0])) };
    let stamp = m.heap.float(d.stamp());
    Ok(m.unify(a[1], stamp))
}

/// `'$format_time'(+Format, +StampOrDate, -String)`.
fn format_time(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let format = text::require(&mut m.heap, a[0], "text")?;
    let date = match m.heap.view(a[1]) {
        Term::Int(_) | Term::Float(_) | Term::Big(_) | Term::Rational(_) => {
            let stamp = stamp_value(&mut m.heap, a[1])?;
            Date::at(stamp, m.utc_offset)
        }
        _ => match date_term(m, a[1])? {
            Some(d) => d.normal(),
            None => return Err(time_error(m, a[1])),
        },
    };
    match format_date(&format, &date) {
        Ok(s) => {
            let s = m.heap.string(&s);
            Ok(m.unify(a[2], s))
        }
        Err(directive) => {
            let c = m.heap.atom(&directive);
            Err(error::existence(&mut m.heap, "format", c))
        }
    }
}

fn parse(m: &mut Machine, text: Cell, format: Option<Cell>, stamp: Cell) -> Res<bool> {
    let s = text::require_atomic(&mut m.heap, text, "atom")?;
    for (name, f) in parse_time::FORMATS {
        let wanted = match format {
            Some(c) if !m.heap.is_var(c) => matches!(m.heap.view(c), Term::Atom(x) if m.heap.atoms.text(x) == *name),
            _ => true,
        };
        if !wanted {
            continue;
        }
        if let Some(t) = f(&s) {
            let (name, t) = (m.heap.atom(name), m.heap.float(t));
            return Ok(format.is_none_or(|c| m.heap.unify(c, name)) && m.unify(stamp, t));
        }
    }
    Ok(false)
}

fn parse_time2(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    parse(m, a[0], None, a[1])
}

fn parse_time3(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    parse(m, a[0], Some(a[1]), a[2])
}

fn day_of_the_week(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    if m.heap.is_var(a[0]) {
        return Err(error::instantiation(&mut m.heap));
    }
    match date_term(m, a[0])? {
        Some(d) => Ok(m.unify(a[1], Cell::small((d.weekday() + 6) % 7 + 1))),
        None => Ok(false),
    }
}

fn day_of_the_year(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    match date_term(m, a[0])? {
        Some(d) => Ok(m.unify(a[1], Cell::small(d.normal().day_of_year() + 1))),
        None => Err(time_error(m, a[0])),
    }
}

/// Registered predicates.
pub const BUILTINS: &[Native] = &[
    det("get_time", 1, get_time, "get_time(-Stamp)\nThe time now, in seconds since 1970, as the host tells it."),
    det(
        "stamp_date_time",
        3,
        stamp_date_time,
        "stamp_date_time(+Stamp, -Date, +Zone)\nTakes a time apart into date(Y,M,D,H,Mn,S,Offset,Zone,DST); Zone is 'UTC', local or seconds west.",
    ),
    det(
        "date_time_stamp",
        2,
        date_time_stamp,
        "date_time_stamp(+Date, -Stamp)\nThe time of a date/3 or date/9 term; parts outside of their range carry over.",
    ),
    det(
        "$format_time",
        3,
        format_time,
        "'$format_time'(+Format, +StampOrDate, -String)\nThe text of a time after a format as of strftime().",
    ),
    det("parse_time", 2, parse_time2, "parse_time(+Text, -Stamp)\nThe time of a text in ISO 8601 or RFC 1123 form; fails for others."),
    det("parse_time", 3, parse_time3, "parse_time(+Text, ?Format, -Stamp)\nAs parse_time/2; Format is iso_8601 or rfc_1123."),
    det("day_of_the_week", 2, day_of_the_week, "day_of_the_week(+Date, -Day)\nDay of the week of date(Y,M,D): 1 is Monday, 7 is Sunday."),
    det("day_of_the_year", 2, day_of_the_year, "day_of_the_year(+Date, -Day)\nDay of the year of date(Y,M,D), counted from 1."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calendar() {
        for d in (-800_000..800_000).step_by(17) {
            let (y, m, dd) = civil(d);
            assert_eq!(days(y, m, dd), d);
        }
        assert_eq!(days(1, 1, 1) * 86_400, -62_135_596_800);
        assert_eq!(days(2020, -1, -1) * 86_400, 1_572_393_600);
    }

    #[test]
    fn formats() {
        let d = Date::at(1e9, 0);
        for (f, t) in [
            ("%FT%T%z", "2001-09-09T01:46:40+0000"),
            ("%I %p %l|%k", "01 AM  1| 1"),
            ("%j %U %V %W %u %w", "252 36 36 36 7 0"),
            ("%c", "Sun Sep  9 01:46:40 2001"),
            ("%y %C %h %e", "01 20 Sep  9"),
            ("%s %6f %%", "1000000000 000000 %"),
        ] {
            assert_eq!(format_date(f, &d).as_deref(), Ok(t));
        }
        assert_eq!(format_date("%G-%V %g", &Date::at(1_104_537_600.0, 0)).as_deref(), Ok("2004-53 04"));
        assert_eq!(format_date("%3f %s", &Date::at(1_000_000_000.75, 0)).as_deref(), Ok("750 1000000001"));
        assert_eq!(format_date("%E", &d), Err("%E".to_owned()));
    }
}
