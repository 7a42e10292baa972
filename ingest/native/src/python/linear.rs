//! Regular expressions of linear time for Python, with the methods of `re.Pattern` and `re.Match` that are used.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyString, PyTuple};
use regex::{CaptureLocations, CaptureNames, Regex};

use crate::linear::{How, Linear};

/// First character and the character behind the last; `None` for a group that took no part.
type Span = Option<(usize, usize)>;

#[pyclass(frozen)]
struct Pattern {
    #[pyo3(get)]
    pattern: String,
    linear: Linear,
}

#[pyclass(frozen)]
struct Match {
    pattern: Py<Pattern>,
    how: How,
    #[pyo3(get)]
    string: Py<PyString>,
    spans: Vec<Span>,
}

/// Counts characters up to ever later bytes of a text.
struct Places<'t> {
    text: &'t str,
    is_ascii: bool,
    byte: usize,
    character: usize,
}

impl<'t> Places<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, is_ascii: text.is_ascii(), byte: 0, character: 0 }
    }

    /// Go to a byte that is not before the last one gone to.
    fn go(&mut self, byte: usize) {
        self.character += self.text[self.byte..byte].chars().count();
        self.byte = byte;
    }

    fn place(&self, byte: usize) -> usize {
        self.character + self.text[self.byte..byte].chars().count()
    }

    /// The groups of `found`, which begins at or after the previous match.
    fn spans(&mut self, found: &CaptureLocations) -> Vec<Span> {
        let groups = (0..found.len()).map(|group| found.get(group));
        if self.is_ascii {
            return groups.collect();
        }
        if let Some((start, _)) = found.get(0) {
            self.go(start);
        }
        groups.map(|span| span.map(|(start, end)| (self.place(start), self.place(end)))).collect()
    }
}

fn broken(error: String) -> PyErr {
    PyValueError::new_err(error)
}

impl Pattern {
    fn found(slf: &Bound<'_, Self>, text: &Bound<'_, PyString>, how: How) -> PyResult<Option<Match>> {
        let readable_text = readable(text)?;
        let read = readable_text.to_str()?;
        let regex = slf.get().linear.regex(how, read).map_err(broken)?;
        let mut places = regex.capture_locations();
        if regex.captures_read(&mut places, read).is_none() {
            return Ok(None);
        }
        let spans = Places::new(read).spans(&places);
        Ok(Some(Match { pattern: slf.clone().unbind(), how, string: text.clone().unbind(), spans }))
    }

    /// Every match, from the first to the last; none overlaps another.
    fn each(regex: &Regex, text: &str, mut take: impl FnMut(&CaptureLocations)) {
        let mut places = regex.capture_locations();
        let mut start = 0;
        let mut last_end = None;
        while start <= text.len() {
            let Some(found) = regex.captures_read_at(&mut places, text, start) else { return };
            let (first, end) = (found.start(), found.end());
            if first == end {
                start = end + text[end..].chars().next().map_or(1, char::len_utf8);
                if last_end == Some(end) {
                    continue;
                }
            } else {
                start = end;
            }
            last_end = Some(end);
            take(&places);
        }
    }
}

/// The text itself; a copy with question marks where it has halves of characters, which are no text.
pub(crate) fn readable<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    if text.to_str().is_ok() {
        return Ok(text.clone());
    }
    let bytes = text.call_method1("encode", ("utf-8", "replace"))?;
    Ok(bytes.call_method1("decode", ("utf-8",))?.cast_into::<PyString>()?)
}

#[pymethods]
impl Pattern {
    #[new]
    fn new(pattern: String) -> Self {
        let linear = Linear::new(&pattern);
        Self { pattern, linear }
    }

    #[pyo3(name = "match")]
    fn matches(slf: &Bound<'_, Self>, text: &Bound<'_, PyString>) -> PyResult<Option<Match>> {
        Self::found(slf, text, How::Match)
    }

    fn fullmatch(slf: &Bound<'_, Self>, text: &Bound<'_, PyString>) -> PyResult<Option<Match>> {
        Self::found(slf, text, How::FullMatch)
    }

    fn search(slf: &Bound<'_, Self>, text: &Bound<'_, PyString>) -> PyResult<Option<Match>> {
        Self::found(slf, text, How::Search)
    }

    fn finditer(slf: &Bound<'_, Self>, text: &Bound<'_, PyString>) -> PyResult<Vec<Match>> {
        let readable_text = readable(text)?;
        let read = readable_text.to_str()?;
        let regex = slf.get().linear.regex(How::Search, read).map_err(broken)?;
        let mut places = Places::new(read);
        let mut found = Vec::new();
        Self::each(regex, read, |groups| {
            found.push(Match {
                pattern: slf.clone().unbind(),
                how: How::Search,
                string: text.clone().unbind(),
                spans: places.spans(groups),
            });
        });
        Ok(found)
    }

    /// The groups of every match, "" for one that took no part; without groups, the whole of every match.
    fn findall<'py>(slf: &Bound<'py, Self>, text: &Bound<'py, PyString>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let py = slf.py();
        let group_text = |found: &Match, group: usize| {
            let part = found.part(py, found.spans[group])?;
            Ok::<_, PyErr>(part.unwrap_or_else(|| PyString::new(py, "").into_any()))
        };
        let mut all = Vec::new();
        for found in Self::finditer(slf, text)? {
            all.push(match found.spans.len() {
                1 => group_text(&found, 0)?,
                2 => group_text(&found, 1)?,
                groups => {
                    let parts =
                        (1..groups).map(|group| group_text(&found, group)).collect::<PyResult<Vec<_>>>()?;
                    PyTuple::new(py, parts)?.into_any()
                }
            });
        }
        Ok(all)
    }

    /// Every match replaced by `by`, which is taken as it is.
    fn sub(&self, by: &str, text: &Bound<'_, PyString>) -> PyResult<String> {
        let readable_text = readable(text)?;
        let read = readable_text.to_str()?;
        let regex = self.linear.regex(How::Search, read).map_err(broken)?;
        Ok(regex.replace_all(read, regex::NoExpand(by)).into_owned())
    }

    /// The text between the matches, in at most `maxsplit` + 1 parts unless that is 0.
    #[pyo3(signature = (text, maxsplit = 0))]
    fn split(&self, text: &Bound<'_, PyString>, maxsplit: usize) -> PyResult<Vec<String>> {
        let readable_text = readable(text)?;
        let read = readable_text.to_str()?;
        let regex = self.linear.regex(How::Search, read).map_err(broken)?;
        let most = if maxsplit == 0 { usize::MAX } else { maxsplit + 1 };
        Ok(regex.splitn(read, most).map(str::to_owned).collect())
    }
}

impl Match {
    fn names(&self) -> PyResult<CaptureNames<'_>> {
        self.pattern.get().linear.names(self.how).map_err(broken)
    }

    fn span_of(&self, group: &Bound<'_, PyAny>) -> PyResult<Span> {
        let number = if let Ok(name) = group.cast::<PyString>() {
            let name = name.to_str()?;
            self.names()?.position(|name_of_group| name_of_group == Some(name))
        } else {
            Some(group.extract::<usize>()?)
        };
        number
            .and_then(|number| self.spans.get(number))
            .copied()
            .ok_or_else(|| PyIndexError::new_err("no such group"))
    }

    fn part<'py>(&self, py: Python<'py>, span: Span) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some((start, end)) = span else { return Ok(None) };
        let slice = PySlice::new(py, start.cast_signed(), end.cast_signed(), 1);
        Ok(Some(self.string.bind(py).get_item(slice)?))
    }
}

#[pymethods]
impl Match {
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        group: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.part(py, self.span_of(group)?)
    }

    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
        self.spans[1..].iter().map(|&span| self.part(py, span)).collect()
    }

    fn groupdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let groups_by_name = PyDict::new(py);
        for (number, name) in self.names()?.enumerate() {
            if let Some(name) = name {
                groups_by_name.set_item(name, self.part(py, self.spans[number])?)?;
            }
        }
        Ok(groups_by_name)
    }

    #[pyo3(signature = (group = None))]
    fn start(&self, group: Option<&Bound<'_, PyAny>>) -> PyResult<i64> {
        self.end_of(group, |(start, _)| start)
    }

    #[pyo3(signature = (group = None))]
    fn end(&self, group: Option<&Bound<'_, PyAny>>) -> PyResult<i64> {
        self.end_of(group, |(_, end)| end)
    }

    #[pyo3(signature = (group = None))]
    fn span(&self, group: Option<&Bound<'_, PyAny>>) -> PyResult<(i64, i64)> {
        Ok((self.start(group)?, self.end(group)?))
    }
}

impl Match {
    /// One end of a group, or of the whole; -1 when the group took no part.
    fn end_of(&self, group: Option<&Bound<'_, PyAny>>, which: fn((usize, usize)) -> usize) -> PyResult<i64> {
        let span = group.map_or(Ok(self.spans[0]), |group| self.span_of(group))?;
        Ok(span.map_or(-1, |span| i64::try_from(which(span)).unwrap_or(i64::MAX)))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Pattern>()?;
    module.add_class::<Match>()
}
