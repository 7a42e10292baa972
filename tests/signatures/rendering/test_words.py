"""Words for people stand in one table, which the front end takes over as it is."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

import pytest

from signatures.documents.finding import ConditionState, Verdict
from signatures.documents.overview import QuestionState
from signatures.judging.observation import Reason, State
from signatures.rendering import words

ROOT = Path(__file__).parents[3]
NOT_WORDS = re.compile(
    r"\b(not ruled out|consistent with|partly assessed|undecided|not known|suspected)\b", re.IGNORECASE
)


def test_the_words_of_the_front_end_are_the_table():
    assert words.FRONTEND.read_text(encoding="utf-8") == words.for_pages()


def test_every_value_of_the_machine_has_words():
    assert set(words.VERDICTS) == set(get_args(Verdict))
    assert set(words.CONDITIONS) == {one.value for one in State}
    assert set(words.QUESTIONS) - {"partial"} == set(get_args(QuestionState))
    assert set(words.ROLES) == {"core", "corroborates", "context", "rival"}
    assert set(words.REASONS) < {str(one) for one in Reason}
    assert set(words.CONDITIONS) == set(get_args(ConditionState))


@pytest.mark.parametrize(
    ("reason", "observed", "said"),
    [
        ("absent", None, "not looked at"),
        ("absent: no thread ids", None, "not looked at: no thread ids"),
        ("absent: in 3 of 100 stacks", "seen", "not decided: in 3 of 100 stacks"),
        ("filtered", None, "not decided: the output was filtered when it was collected"),
        ("one reading: a rate needs two", None, "not decided: one reading: a rate needs two"),
    ],
)
def test_a_condition_without_evidence_is_not_looked_at_and_others_state_a_reason(reason, observed, said):
    assert words.condition_words("UNKNOWN", reason, observed) == said


def test_states_of_a_condition_become_words_in_one_place():
    """A table from states to words is one mapping with the four states as keys."""
    tables = []
    for path in sources("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict) and "UNKNOWN" in {state_of(key) for key in node.keys}:
                values = [one.value for one in node.values if isinstance(one, ast.Constant)]
                if any(isinstance(one, str) and re.search(r"[a-z]{2}", one) for one in values):
                    tables.append(path.relative_to(ROOT).as_posix())
    state = re.compile(r"UNKNOWN: '[a-z ]{3,}'|'UNKNOWN' \? '[a-z ]{3,}'|: '(undecided|not decided)'")
    pages = [
        path.relative_to(ROOT).as_posix()
        for path in sources("*.ts*")
        if state.search(path.read_text(encoding="utf-8"))
    ]
    assert (tables, pages) == (["signatures/rendering/words.py"], [])


def state_of(key: ast.expr | None) -> str:
    if isinstance(key, ast.Attribute):
        return key.attr
    return str(key.value) if isinstance(key, ast.Constant) else ""


def test_no_outlet_has_words_of_its_own_for_verdicts():
    found = [
        f"{path.relative_to(ROOT)}: {node.value[:60]}"
        for path in outlets()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value
        if NOT_WORDS.search(node.value) and not node.value.endswith(".")
    ]
    assert found == []


def outlets() -> list[Path]:
    folders = ("cli/reports", "signatures/handoff", "signatures/rendering")
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in found if path.name != "words.py")


def sources(pattern: str) -> list[Path]:
    folders = ("backend", "cli", "signatures", "frontend/src")
    found = [path for folder in folders for path in (ROOT / folder).rglob(pattern)]
    return sorted(path for path in found if not re.search(r"\.gen\.|\.test\.|/library/", str(path)))
