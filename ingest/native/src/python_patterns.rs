//! Many patterns at once, very many words, and what redaction does with them, for Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::{patterns, spots, words};

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
struct Words(words::Words);

#[pymethods]
impl Words {
    #[new]
    fn new(py: Python<'_>, told: Vec<(Vec<u8>, bool, bool)>) -> PyResult<Self> {
        let told: Vec<words::Word> = told.into_iter().map(word).collect();
        py.detach(|| words::Words::new(&told)).map(Self).map_err(PyValueError::new_err)
    }

    #[pyo3(signature = (text, start = 0))]
    fn places(&self, py: Python<'_>, text: &[u8], start: usize) -> Vec<patterns::Place> {
        py.detach(|| self.0.places(text, start))
    }
}

fn word((needle, is_exact, is_bounded): (Vec<u8>, bool, bool)) -> words::Word {
    words::Word { needle, is_exact, is_bounded }
}

/// A word for Python: its bytes, whether capitals count, whether it is bounded, its kind, and what replaces it.
type Replaced = (Vec<u8>, bool, bool, usize, Vec<u8>);

#[pyclass]
struct Spots(spots::Spots);

#[pymethods]
impl Spots {
    #[new]
    fn new(rules: Vec<(String, bool)>) -> PyResult<Self> {
        let rules: Vec<spots::Rule> = rules
            .into_iter()
            .map(|(expression, looks_around)| spots::Rule { expression, looks_around })
            .collect();
        spots::Spots::new(&rules).map(Self).map_err(PyValueError::new_err)
    }

    #[allow(clippy::needless_pass_by_value)]
    fn settle(&mut self, py: Python<'_>, told: Vec<Replaced>, domains: Vec<Vec<u8>>) -> PyResult<()> {
        let told = told
            .into_iter()
            .map(|(needle, is_exact, is_bounded, kind, by)| (word((needle, is_exact, is_bounded)), kind, by))
            .collect();
        py.detach(|| self.0.settle(told, &domains)).map_err(PyValueError::new_err)
    }

    fn scan(&mut self, py: Python<'_>, text: &[u8]) -> Vec<spots::Asked> {
        py.detach(|| self.0.scan(text))
    }

    fn decide(&mut self, answer: usize, parts: Vec<spots::Part>) {
        self.0.decide(answer, parts);
    }

    fn apply<'py>(&self, py: Python<'py>, text: &[u8], kinds: usize) -> (Bound<'py, PyBytes>, Vec<usize>) {
        let (told, counts) = py.detach(|| self.0.apply(text, kinds));
        (PyBytes::new(py, &told), counts)
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Patterns>()?;
    module.add_class::<Words>()?;
    module.add_class::<Spots>()
}
