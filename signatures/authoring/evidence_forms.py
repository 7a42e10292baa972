"""Which forms of evidence a signature can use, and by which of its conditions.

    used(signature) -> {"perf-script": ("memcg_reclaim", "scan_self"), "perf-lock": ("scan_self",), …}

A form counts for a condition when one of the tests of the condition observes what the form yields. Excluding
conditions do not count: they alone suspect nothing. Forms, and the reasons for those that a signature does
not use, are rows of `evidence_forms.yaml`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from ingest import fact_catalogue
from signatures.judging.derived_facts import resolved
from signatures.judging.fact_series import names_of
from signatures.judging.predicates.fact import FactCondition
from signatures.judging.predicates.histogram import HistogramCondition
from signatures.judging.predicates.log import LogCondition
from signatures.judging.predicates.rows import RowsCondition
from signatures.judging.predicates.sequence import SequenceCondition
from signatures.judging.predicates.series import SeriesCondition
from signatures.judging.predicates.stack import StackCondition
from signatures.judging.predicates.symbol import SymbolCondition
from signatures.language.conditions import Group
from signatures.language.patterns import is_any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from signatures.language.conditions import Condition, Test
    from signatures.language.model import Signature

AMBIENT = frozenset(("cpu.online", "page_size_bytes"))
"""Facts that scale others: they come with whatever is captured."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form of evidence and what its readers yield; the keys of the data file."""

    id: str
    title: str
    profiles: str = ""
    asleep: bool = False
    order: bool = False
    tables: bool = False
    histograms: str = ""
    rows: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    log: tuple[str, ...] = ()


class Use(NamedTuple):
    """A form for one signature: conditions that use it, or why none does; neither is open."""

    form: Form
    conditions: tuple[str, ...]
    why_not: str

    @property
    def state(self) -> str:
        """`used`, `explained` or `open`."""
        return "used" if self.conditions else "explained" if self.why_not else "open"


@cache
def _document() -> Mapping[str, Any]:
    path = Path(__file__).parent / "evidence_forms.yaml"
    document: Mapping[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return document


@cache
def forms() -> tuple[Form, ...]:
    """Return the forms in the order of the data file."""
    return tuple(_form(row) for row in _document()["forms"])


def _form(row: Mapping[str, Any]) -> Form:
    lists = ("rows", "facts", "log")
    values: dict[str, Any] = {key: tuple(value) if key in lists else value for key, value in row.items()}
    return Form(**values)


def reasons() -> Mapping[str, Mapping[str, str]]:
    """Return why a form is not used: signature to form to reason."""
    found: Mapping[str, Mapping[str, str]] = _document()["why_not"]
    return found


def coverage(signature: Signature) -> tuple[Use, ...]:
    """Return every form with the conditions that use it, required ones first."""
    supporting = [clause for clause in signature.clauses if clause.role != "rival"]
    supporting.sort(key=lambda clause: clause.role != "core")
    why_not = reasons().get(signature.id, {})
    return tuple(
        Use(
            form,
            tuple(one.id for one in supporting if any(_yields(form, test) for test in _leaves(one.test))),
            why_not.get(form.id, ""),
        )
        for form in forms()
    )


def _leaves(test: Test) -> Iterator[Condition]:
    if isinstance(test, Group):
        for one in test.tests:
            yield from _leaves(one)
    else:
        yield test


def _yields(form: Form, condition: Condition) -> bool:
    """Return whether the form yields what the condition observes."""
    if isinstance(condition, StackCondition):
        if condition.is_asleep:
            return form.asleep
        return form.profiles == "share" or (condition.is_seen and bool(form.profiles))
    if isinstance(condition, SequenceCondition):
        return condition.rows in form.rows if condition.rows else form.order
    if isinstance(condition, SymbolCondition):
        return form.tables
    if isinstance(condition, HistogramCondition):
        return form.histograms == "map" or (form.histograms == "probe" and bool(condition.probes))
    if isinstance(condition, RowsCondition):
        return condition.rows in form.rows
    if isinstance(condition, LogCondition):
        return bool(form.log) and any(_prints(form, kind) for kind in condition.kinds or ("",))
    if isinstance(condition, SeriesCondition):
        return bool(form.rows) and _yields_fact(form, condition.fact)
    return isinstance(condition, FactCondition) and _yields_facts(form, condition)


def _prints(form: Form, kind: str) -> bool:
    named = {name for one in forms() for name in one.log}
    return kind in form.log or ("*" in form.log and kind not in named)


def _yields_facts(form: Form, condition: FactCondition) -> bool:
    names = set(names_of(resolved(condition.expression))) - AMBIENT
    return any(_yields_fact(form, name) for name in names)


def _yields_fact(form: Form, name: str) -> bool:
    entry = fact_catalogue.find(name)
    return entry is not None and any(is_any(one, form.facts) for one in entry.formats)
