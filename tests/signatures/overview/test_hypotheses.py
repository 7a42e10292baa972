"""What else a case could be: the hypotheses, what separates them, and the capture that decides."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from cli.evidence.analysis import analyse
from signatures.documents.citation import Citation
from signatures.documents.finding import ConditionDocument, FindingDocument
from signatures.overview import next_capture
from signatures.overview.headline_words import is_short
from signatures.overview.information_gain import entropy, gain
from signatures.overview.observation_matrix import rows_of
from signatures.overview.symptoms import causes_of, rows
from signatures.rendering import matrix_text

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "backend/evidence/sample_cases/reclaim-at-the-limit"
LIVELOCK = ROOT / "backend/evidence/sample_cases/vanishing-cpu"
POOL = ROOT / "benchmarks/pool/shown"
MOST_ROWS = 9


def matrix_of(path):
    return analyse([str(path)]).report.overview.matrix


def condition(name, role, state, *, title="", line=1, observed=None):
    cited = (Citation("e", 0, line, line),) if state in {"TRUE", "FALSE"} else ()
    return ConditionDocument(
        id=name, title=title or name, role=role, state=state, weight=1.0, observed=observed, citations=cited
    )


def finding(signature, *conditions):
    return FindingDocument(
        level="failure",
        fingerprint=signature,
        signature=signature,
        title=signature,
        severity="high",
        host="",
        phase="during",
        verdict="unknown",
        conditions=conditions,
    )


def test_an_observation_that_splits_two_equal_hypotheses_is_worth_most():
    assert math.isclose(gain([0.5, 0.5], [1.0, 0.0]), 1.0)
    assert gain([0.5, 0.5], [0.7, 0.7]) == 0.0
    assert gain([0.5, 0.5], [0.9, 0.1]) > gain([0.9, 0.1], [0.9, 0.1])
    assert entropy([]) == 0.0


def test_the_same_lines_and_value_are_one_observation_for_and_against():
    reads_again = condition("refaults", "corroborates", "TRUE", line=9, observed=0.65)
    works = condition("works", "rival", "TRUE", line=9, observed=0.65)
    (row,) = rows_of([finding("a", reads_again), finding("b", works)], [0.6, 0.25, 0.15])
    assert [cell.state for cell in row.cells] == ["is", "is not"]
    assert row.title == "refaults"


def test_an_observation_that_all_exclude_is_said_as_what_it_is_not():
    (row,) = rows_of([finding("a", condition("host is short", "rival", "FALSE"))], [0.85, 0.15])
    assert (row.title, row.cells[0].state) == ("Not: host is short", "is")


def test_an_open_condition_of_two_hypotheses_by_one_title_is_one_row_and_decides_nothing_between_them():
    both = [finding(name, condition(name, "core", "UNKNOWN", title="Seen")) for name in ("a", "b")]
    (row,) = rows_of(both, [0.5, 0.4, 0.1])
    assert row.is_open
    assert row.gain < gain([0.5, 0.4, 0.1], [0.9, 0.08, 0.4])


def test_the_matrix_of_a_match_has_its_rivals_and_the_capture_between_them():
    matrix = matrix_of(SAMPLE)
    assert [one.verdict for one in matrix.hypotheses] == ["match", "unknown", "unknown"]
    assert matrix.hypotheses[0].signature == "mm/memcg-limit-reclaim"
    assert matrix.captures[0].name == "memory_pressure"
    assert matrix.captures[0].decides == "between A and C"
    others = [one.gain for one in matrix.captures[1:]]
    assert others == sorted(others, reverse=True)


@pytest.mark.parametrize("path", [SAMPLE, LIVELOCK, POOL / "logs/036.txt", POOL / "tables/011.txt"])
def test_a_matrix_is_read_at_a_glance_and_every_decided_cell_has_its_line(path):
    overview = analyse([str(path)]).report.overview
    matrix = overview.matrix
    assert 1 <= len(matrix.hypotheses) <= len(matrix_text.LETTERS)
    assert 1 <= len(matrix.observations) <= MOST_ROWS
    assert all(is_short(one.text) for one in matrix.hypotheses)
    for row in matrix.observations:
        assert len(row.cells) == len(matrix.hypotheses)
        assert {cell.state for cell in row.cells} != {"silent"}
        assert (row.gain > 0) == any(cell.state in {"not decided", "not looked at"} for cell in row.cells)
    assert matrix.captures[0].run == overview.next_capture
    assert sum(one.weight for one in matrix.hypotheses) <= 1.001


def test_a_single_hypothesis_says_what_would_refute_it():
    matrix = matrix_of(POOL / "threads/014.txt")
    assert len(matrix.hypotheses) == 1
    assert [cell.state for cell in matrix.observations[-1].cells] == ["not decided"]
    assert matrix.captures[0].decides == "whether it is A"


def test_a_symptom_without_a_signature_has_the_causes_that_its_capture_decides_between():
    matrix = matrix_of(POOL / "tables/007.txt")
    assert matrix.hypotheses[0].text == "Received packets keep one CPU busy"
    assert matrix.observations[0].cells[0].state == "is"
    assert matrix.observations[0].cells[0].citations
    assert matrix.captures[0].decides == "between A, B and C"


def test_causes_are_of_a_capture_that_runs_what_decides():
    assert causes_of("who holds the memory", "cat /proc/meminfo")
    assert not causes_of("who holds the memory", "uptime")
    assert not causes_of("what a stranger asks", "cat /proc/meminfo")


def test_every_row_of_symptoms_is_of_a_question_that_a_capture_has():
    follow_ups = [one for many in next_capture.FOLLOW_UPS.values() for one in many]
    known = {one.reason for one in follow_ups} | {*next_capture.REASONS.values()}
    known |= {*next_capture.BY_QUESTION.values(), "what is behind it: available memory"}
    known |= {"which soft interrupts and interrupts run, and on which CPU"}
    known |= {"which member failed, and how far a rebuild is"}
    assert {asked for row in rows() for asked in row["asks"]} <= known
    assert all(2 <= len(row["causes"]) <= len(matrix_text.LETTERS) for row in rows())
    assert all(is_short(one["cause"]) for row in rows() for one in row["causes"])


def test_no_evidence_has_no_hypothesis_and_no_capture():
    matrix = matrix_of(ROOT / "LICENSE")
    assert (matrix.hypotheses, matrix.observations, matrix.captures) == ((), (), ())
