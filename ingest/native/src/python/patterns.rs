//! Many patterns at once, very many words, and what redaction does with them, for Python.

use std::collections::HashSet;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::redact::leak_encodings;
use crate::redact::multi_pattern_search;
use crate::redact::patterns;
use crate::redact::redaction_matches;

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
}

#[pyclass(frozen)]
struct Writings(leak_encodings::Writings);

#[pymethods]
impl Writings {
    #[new]
    #[allow(clippy::needless_pass_by_value)]
    fn new(py: Python<'_>, names: Vec<Vec<u8>>) -> Self {
        Self(py.detach(|| leak_encodings::Writings::new(&names)))
    }

    #[getter]
    fn longest(&self) -> usize {
        self.0.longest()
    }

    #[pyo3(signature = (text, start = 0))]
    fn places(&self, py: Python<'_>, text: &[u8], start: usize) -> Vec<leak_encodings::Told> {
        py.detach(|| self.0.places(text, start))
    }
}

/// A word for Python: its bytes, whether capitals count, whether it is bounded, its kind, and what replaces it.
type Replaced = (Vec<u8>, bool, bool, usize, Vec<u8>);

/// A name for Python: what its kind is called and its number, its bytes, and what replaces it.
type Named = (String, usize, Vec<u8>, Vec<u8>);

#[pyclass(frozen)]
struct Rules(Arc<redaction_matches::Rules>);

#[pymethods]
impl Rules {
    #[new]
    fn new(rules: Vec<(String, bool)>) -> PyResult<Self> {
        let rules = rules
            .into_iter()
            .map(|(expression, looks_around)| redaction_matches::Rule { expression, looks_around })
            .collect();
        redaction_matches::Rules::new(rules).map(|rules| Self(Arc::new(rules))).map_err(PyValueError::new_err)
    }
}

#[pyclass]
struct Spots(redaction_matches::Spots);

#[pymethods]
impl Spots {
    #[new]
    fn new(rules: &Rules) -> Self {
        Self(redaction_matches::Spots::new(Arc::clone(&rules.0)))
    }

    fn settle(
        &mut self,
        py: Python<'_>,
        words: Vec<Replaced>,
        named: Vec<Named>,
        protected: HashSet<String>,
        domains: Vec<Vec<u8>>,
    ) {
        let words = words
            .into_iter()
            .map(|(needle, is_exact, is_bounded, kind, by)| {
                (multi_pattern_search::Word { needle, is_exact, is_bounded }, kind, by)
            })
            .collect();
        let named: Vec<redaction_matches::Named> = named
            .into_iter()
            .map(|(kind, number, name, by)| redaction_matches::Named { kind, number, name, by })
            .collect();
        py.detach(|| self.0.settle(words, &named, &protected, domains));
    }

    fn tell(&mut self, by: Vec<Vec<u8>>) {
        self.0.tell(by);
    }

    fn scan(&mut self, py: Python<'_>, text: &[u8]) -> Vec<redaction_matches::Asked> {
        py.detach(|| self.0.scan(text))
    }

    fn decide(&mut self, answer: usize, parts: Vec<redaction_matches::Part>) {
        self.0.decide(answer, parts);
    }

    fn apply<'py>(&self, py: Python<'py>, text: &[u8], kinds: usize) -> (Bound<'py, PyBytes>, Vec<usize>) {
        let (told, counts) = py.detach(|| self.0.apply(text, kinds));
        (PyBytes::new(py, &told), counts)
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Patterns>()?;
    module.add_class::<Writings>()?;
    module.add_class::<Rules>()?;
    module.add_class::<Spots>()
}
