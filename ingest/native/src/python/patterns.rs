//! Python bindings of redaction: patterns, leak encodings and redaction matches.

use std::collections::HashSet;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::redact::leak_encodings;
use crate::redact::multi_pattern_search;
use crate::redact::open_tokens;
use crate::redact::patterns;
use crate::redact::redaction_matches;
use crate::redact::rules;
use crate::redact::vocabulary;
use crate::redact::writings;

#[pyclass(frozen)]
struct Patterns(patterns::Patterns);

#[pymethods]
impl Patterns {
    #[new]
    #[allow(clippy::needless_pass_by_value)]
    fn new(expressions: Vec<String>) -> PyResult<Self> {
        patterns::Patterns::new(&expressions).map(Self).map_err(PyValueError::new_err)
    }

    #[pyo3(signature = (text, start = 0))]
    fn places(&self, py: Python<'_>, text: &[u8], start: usize) -> Vec<patterns::Place> {
        py.detach(|| self.0.places(text, start))
    }

    fn has_any(&self, py: Python<'_>, text: &[u8]) -> bool {
        py.detach(|| self.0.has_any(text))
    }
}

#[pyclass(frozen)]
struct LeakEncodings(leak_encodings::LeakEncodings);

#[pymethods]
impl LeakEncodings {
    #[new]
    #[allow(clippy::needless_pass_by_value)]
    fn new(py: Python<'_>, names: Vec<Vec<u8>>) -> Self {
        Self(py.detach(|| leak_encodings::LeakEncodings::new(&names)))
    }

    #[getter]
    fn longest(&self) -> usize {
        self.0.longest()
    }

    #[pyo3(signature = (text, start = 0))]
    fn places(&self, py: Python<'_>, text: &[u8], start: usize) -> Vec<leak_encodings::LeakMatch> {
        py.detach(|| self.0.places(text, start))
    }
}

/// A word for Python: its bytes, is it case-sensitive, is it bounded, its kind, its replacement, its name's pseudonym.
type Replaced = (Vec<u8>, bool, bool, usize, Vec<u8>, Vec<u8>);

#[pyclass(frozen)]
struct Rules(Arc<rules::Rules>);

#[pymethods]
impl Rules {
    #[new]
    fn new(rules: Vec<(String, bool)>, shapes: Vec<(String, bool)>) -> PyResult<Self> {
        let list = |all: Vec<(String, bool)>| -> Vec<rules::Rule> {
            all.into_iter()
                .map(|(expression, looks_around)| rules::Rule { expression, looks_around })
                .collect()
        };
        rules::Rules::new(list(rules), list(shapes))
            .map(|rules| Self(Arc::new(rules)))
            .map_err(PyValueError::new_err)
    }
}

#[pyclass]
struct RedactionMatches(redaction_matches::RedactionMatches);

#[pymethods]
impl RedactionMatches {
    #[new]
    fn new(rules: &Rules) -> Self {
        Self(redaction_matches::RedactionMatches::new(Arc::clone(&rules.0)))
    }

    #[allow(clippy::needless_pass_by_value)]
    fn settle(
        &mut self,
        py: Python<'_>,
        words: Vec<Replaced>,
        named: &Bound<'_, PyList>,
        protected: &Vocabulary,
        domains: Vec<Vec<u8>>,
    ) -> PyResult<()> {
        let words = words
            .into_iter()
            .map(|(needle, is_exact, is_bounded, kind, by, pseudonym)| {
                (multi_pattern_search::Word { needle, is_exact, is_bounded }, kind, by, pseudonym)
            })
            .collect();
        let mut replaced = writings::Names::default();
        for one in named.iter() {
            let (kind, number, name, by): (String, usize, Vec<u8>, Vec<u8>) = one.extract()?;
            replaced.push(&writings::Named { kind: &kind, number, name: &name, by: &by });
        }
        // Hundreds of thousands of tuples, which nobody needs any more.
        named.call_method0("clear")?;
        py.detach(|| self.0.settle(words, replaced, &protected.0, domains));
        Ok(())
    }

    fn add_replacements(&mut self, by: Vec<Vec<u8>>) {
        self.0.add_replacements(by);
    }

    fn scan(&mut self, py: Python<'_>, text: &[u8]) -> Vec<redaction_matches::Undecided> {
        py.detach(|| self.0.scan(text))
    }

    fn decide(&mut self, decision: usize, parts: Vec<redaction_matches::Part>) {
        self.0.decide(decision, parts);
    }

    fn apply<'py>(
        &mut self,
        py: Python<'py>,
        text: &[u8],
        kinds: usize,
    ) -> (Bound<'py, PyBytes>, Vec<usize>) {
        let (redacted, counts) = py.detach(|| self.0.apply(text, kinds));
        (PyBytes::new(py, &redacted), counts)
    }

    fn used<'py>(&self, py: Python<'py>, kinds: usize) -> Vec<Vec<Bound<'py, PyBytes>>> {
        let of_kind = |used: HashSet<&[u8]>| used.into_iter().map(|one| PyBytes::new(py, one)).collect();
        self.0.used(kinds).into_iter().map(of_kind).collect()
    }
}

/// A candidate for Python: its bytes, its number, its first line, the bytes around its first occurrence, and how it stands.
type Candidate = (Vec<u8>, usize, usize, Vec<u8>, Vec<u8>, u8);

/// A vocabulary, shared by the texts of a case.
#[pyclass(frozen)]
struct Vocabulary(Arc<vocabulary::Vocabulary>);

#[pymethods]
impl Vocabulary {
    #[new]
    fn new(words: Vec<String>) -> Self {
        Self(Arc::new(words.into_iter().map(|word| word.into_bytes().into_boxed_slice()).collect()))
    }
}

#[pyclass]
struct OpenTokens(open_tokens::OpenTokens);

#[pymethods]
impl OpenTokens {
    #[new]
    #[pyo3(signature = (vocabulary, usual=None))]
    fn new(vocabulary: &Vocabulary, usual: Option<&Vocabulary>) -> Self {
        let usual = usual.map(|words| Arc::clone(&words.0));
        Self(open_tokens::OpenTokens::new(Arc::clone(&vocabulary.0), usual))
    }

    fn add(&mut self, py: Python<'_>, piece: &[u8]) {
        py.detach(|| self.0.add(piece));
    }

    fn finish(&mut self, py: Python<'_>) -> Vec<Candidate> {
        let found = py.detach(|| self.0.finish());
        found
            .into_iter()
            .map(|one| (one.token, one.count, one.line, one.before, one.behind, one.standing as u8))
            .collect()
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Patterns>()?;
    module.add_class::<LeakEncodings>()?;
    module.add_class::<Rules>()?;
    module.add_class::<RedactionMatches>()?;
    module.add_class::<Vocabulary>()?;
    module.add_class::<OpenTokens>()
}
