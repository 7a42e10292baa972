"""Each module of the package is one kind of condition, and nothing else lists the kinds."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from ingest.model.reading import Reading
from signatures.judging import predicates
from signatures.judging.condition_bases import ReadingCondition, ScopeCondition, WaitGraphCondition
from signatures.judging.observe import conditions_of
from signatures.judging.quality_caps import caps
from signatures.language.conditions import Condition

NAMES = [found.name for found in pkgutil.iter_modules(predicates.__path__)]
each_kind = pytest.mark.parametrize("name", NAMES)


def module_of(name):
    return importlib.import_module(f"{predicates.__name__}.{name}")


def condition_of(name):
    """Return the only condition class that the module defines."""
    module = module_of(name)
    (found,) = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Condition) and value.__module__ == module.__name__
    ]
    return found


@each_kind
def test_a_module_has_one_condition_and_its_keywords(name):
    assert issubclass(condition_of(name), ReadingCondition | ScopeCondition | WaitGraphCondition)
    assert name in module_of(name).KEYWORDS
    assert all(form.value for keyword in module_of(name).KEYWORDS.values() for form in keyword.forms)


def test_every_keyword_belongs_to_one_module():
    assert sorted(predicates.KEYWORDS) == sorted(word for name in NAMES for word in module_of(name).KEYWORDS)


@each_kind
def test_the_parts_that_a_condition_tests_are_parts_of_a_reading(name):
    if issubclass(condition_of(name), ReadingCondition):
        assert set(condition_of(name).PARTS) <= set(Reading.__dataclass_fields__)


def test_every_capping_quality_has_a_reason(catalog):
    conditions = {
        condition
        for signature in catalog.signatures
        for clause in signature.clauses
        for condition in conditions_of(clause.test)
        if isinstance(condition, ReadingCondition)
    }
    assert {type(condition) for condition in conditions} == {
        condition_of(name) for name in NAMES if issubclass(condition_of(name), ReadingCondition)
    }
    for condition in conditions:
        capping = condition.capping_qualities
        assert len(caps(capping, capping)) == len(capping)
