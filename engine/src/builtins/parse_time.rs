//! Reading dates and times from text: ISO 8601 and RFC 1123.

use super::time::{MONTHS, days};

/// A format: its name, and the function from text to seconds since 1970.
pub(crate) type Format = (&'static str, fn(&str) -> Option<f64>);

/// The formats in the order they are tried.
pub(crate) const FORMATS: &[Format] = &[("iso_8601", iso_8601), ("rfc_1123", rfc_1123)];

/// The rest of a text to read.
struct Input<'a>(&'a str);

impl Input<'_> {
    fn take(&mut self, c: char) -> bool {
        match self.0.strip_prefix(c) {
            Some(r) => {
                self.0 = r;
                true
            }
            None => false,
        }
    }

    /// Just `n` digits.
    fn digits(&mut self, n: usize) -> Option<i64> {
        let part = self.0.get(..n).filter(|p| p.bytes().all(|b| b.is_ascii_digit()))?;
        self.0 = &self.0[n..];
        part.parse().ok()
    }

    /// As [`Input::digits`], with the value in a range.
    fn number(&mut self, n: usize, low: i64, high: i64) -> Option<i64> {
        self.digits(n).filter(|v| (low..=high).contains(v))
    }

    fn digit_run(&self) -> usize {
        self.0.bytes().take_while(u8::is_ascii_digit).count()
    }

    /// `HH[:MM[:SS[.fraction]]]`, with or without colons, in seconds.
    fn time(&mut self) -> Option<f64> {
        let mut t = (self.number(2, 0, 23)? * 3600) as f64;
        let colon = self.take(':');
        if !colon && self.digit_run() < 2 {
            return Some(t);
        }
        t += (self.number(2, 0, 59)? * 60) as f64;
        if colon {
            if !self.take(':') {
                return Some(t);
            }
        } else if self.digit_run() < 2 {
            return Some(t);
        }
        t += self.number(2, 0, 60)? as f64;
        if self.take('.') || self.take(',') {
            let n = self.digit_run();
            let fraction = format!("0.{}", self.0.get(..n).filter(|_| n > 0)?);
            self.0 = &self.0[n..];
            t += fraction.parse::<f64>().ok()?;
        }
        Some(t)
    }

    /// `Z`, `+HH`, `+HHMM` or `+HH:MM`, in seconds west; nothing is UTC.
    fn zone(&mut self) -> Option<i64> {
        let west = match () {
            _ if self.take('Z') => return Some(0),
            _ if self.take('+') => -1,
            _ if self.take('-') => 1,
            _ => return Some(0),
        };
        let mut s = self.number(2, 0, 23)? * 3600;
        if self.take(':') || !self.0.is_empty() {
            s += self.number(2, 0, 59)? * 60;
        }
        Some(west * s)
    }
}

fn iso_8601(s: &str) -> Option<f64> {
    let mut i = Input(s);
    let sign = if i.take('-') { -1 } else { 1 };
    let year = i.digits(4)? * sign;
    // Whether a time may follow.
    let mut whole = true;
    let day = if i.take('-') {
        if i.take('W') {
            let week = i.number(2, 1, 53)?;
            if !i.take('-') {
                return None;
            }
            week_day(year, week, i.number(1, 1, 7)?)
        } else if i.digit_run() == 3 {
            days(year, 1, i.number(3, 1, 366)?)
        } else {
            let month = i.number(2, 1, 12)?;
            if i.take('-') {
                days(year, month, i.number(2, 1, 31)?)
            } else {
                whole = false;
                // As SWI-Prolog has it: a month alone is the day before its first.
                days(year, month, 0)
            }
        }
    } else if i.take('W') {
        let week = i.number(2, 1, 53)?;
        week_day(year, week, i.number(1, 1, 7)?)
    } else {
        let month = i.number(2, 1, 12)?;
        days(year, month, i.number(2, 1, 31)?)
    };
    let mut seconds = 0.0;
    let mut west = 0;
    if whole && (i.take('T') || i.take(' ')) {
        seconds = i.time()?;
        west = i.zone()?;
    }
    i.0.is_empty().then_some((day * 86_400 + west as i128) as f64 + seconds)
}

fn week_day(year: i64, week: i64, day: i64) -> i128 {
    // 4 January is in week 1; day 0 of the count was a Thursday.
    let fourth = days(year, 1, 4);
    fourth - (fourth + 3).rem_euclid(7) + (7 * (week - 1) + day - 1) as i128
}

fn rfc_1123(s: &str) -> Option<f64> {
    let (weekday, rest) = s.split_once(", ")?;
    if !matches!(weekday, "Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun") {
        return None;
    }
    let mut i = Input(rest);
    let day = i.number(2, 1, 31)?;
    if !i.take(' ') {
        return None;
    }
    let month = MONTHS.iter().position(|m| i.0.get(..3) == m.get(..3))? as i64 + 1;
    i.0 = i.0.get(3..)?;
    if !i.take(' ') {
        return None;
    }
    let year = i.digits(4)?;
    let part = |i: &mut Input, before: char, high: i64| if i.take(before) { i.number(2, 0, high) } else { None };
    let time = part(&mut i, ' ', 23)? * 3600 + part(&mut i, ':', 59)? * 60 + part(&mut i, ':', 60)?;
    let mut west = 0;
    if i.take(' ') {
        if i.0 == "GMT" {
            i.0 = "";
        } else {
            west = i.zone()?;
        }
    }
    i.0.is_empty().then_some((days(year, month, day) * 86_400 + (time + west) as i128) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let any = |s: &str| FORMATS.iter().find_map(|f| f.1(s));
        for (s, t) in [
            ("2001-09-09", Some(999_993_600.0)),
            ("20010909", Some(999_993_600.0)),
            ("2001-09", Some(999_216_000.0)),
            ("2001", None),
            ("2001-252", Some(999_993_600.0)),
            ("2001-W36-7", Some(999_993_600.0)),
            ("2001W367", Some(999_993_600.0)),
            ("20010909T014640", Some(1e9)),
            ("2001-09-09T01:46", Some(999_999_960.0)),
            ("2001-09-09T01:46:40.5Z", Some(1_000_000_000.5)),
            ("2001-09-09T01:46:40+02:00", Some(999_992_800.0)),
            ("2001-09-09T01:46:40-02", Some(1_000_007_200.0)),
            ("2001-09-09T24:00:00", None),
            ("2001-02-30", Some(983_491_200.0)),
            ("-2001-09-09", Some(-125_290_972_800.0)),
            ("Sun, 09 Sep 2001 01:46:40 GMT", Some(1e9)),
            ("Sun, 09 Sep 2001 01:46:40 +0200", Some(999_992_800.0)),
            ("Sun, 9 Sep 2001 01:46:40 GMT", None),
            ("2001-09-09 ", None),
            ("garbage", None),
            ("", None),
        ] {
            assert_eq!(any(s), t, "{s}");
        }
    }
}
