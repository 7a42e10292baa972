"""Golden table of the verdicts of published and recorded evidence."""

from __future__ import annotations

import shutil

import pytest
import yaml

from ingest.evidence import read_file
from signatures.document.files import LIBRARY
from signatures.judging.observation import State
from signatures.language.number_format import word_of
from signatures.reporting.next_captures import next_captures
from tests.signatures.evidence import (
    DATA,
    PUBLISHED,
    files_of,
    findings_of,
    judge_file,
    judge_folder,
    read_folder,
)

TABLE = yaml.safe_load((DATA / "expected" / "verdicts.yaml").read_text())
FIRING = ("match", "suspect")


def assert_verdicts(found, expected):
    """Compare findings with a row of the table; every key of the row is one assertion."""
    wanted = expected["verdicts"]
    assert {name: found[name].verdict for name in wanted} == wanted
    for name in set(found) - set(wanted):
        assert found[name].verdict in ("unknown", "no_match", "not_applicable"), name
        assert not [
            s.clause.id for s in found[name].clauses if s.clause.role == "core" and s.state is State.TRUE
        ]
    assert {name for name, finding in found.items() if finding.is_listed} == set(
        expected.get("listed", [name for name, verdict in wanted.items() if verdict in FIRING])
    )
    for name, clauses in expected.get("clauses", {}).items():
        states = {state.clause.id: state.state.value for state in found[name].clauses}
        assert {clause: states[clause] for clause in clauses} == clauses, name
    for name, numbers in expected.get("observed", {}).items():
        observed = {clause: outcome_of(found[name], clause).observed for clause in numbers}
        assert observed == pytest.approx(numbers, rel=5e-4), name
    for name, remarks in expected.get("remarks", {}).items():
        for clause, words in remarks.items():
            text = " ".join(outcome_of(found[name], clause).remarks)
            assert all(word in text for word in words)
    for name in expected.get("near", []):
        assert found[name].is_near_miss
    for name, verdict in expected.get("affected", {}).items():
        assert found[name].affected.verdict == verdict
    for name, word in expected.get("words", {}).items():
        assert word_of(found[name].decision.confidence) == word
    for name, words in expected.get("titles", {}).items():
        assert words in found[name].title
    for name, entity in expected.get("entity", {}).items():
        assert dict(found[name].entity).items() >= entity.items()
    for name, numbers in expected.get("numbers", {}).items():
        assert found[name].decision.score == pytest.approx(numbers["score"])
        assert round(found[name].decision.coverage, 2) == numbers["coverage"]
    for name in expected.get("capped", []):
        cores = [s for s in found[name].clauses if s.clause.role == "core" and s.state is State.TRUE]
        assert all(state.outcome.caps for state in cores), name
    if "next" in expected:
        captures = [wanted.capture.name for wanted in next_captures(list(found.values()))]
        assert captures[: len(expected["next"])] == expected["next"]
        assert bool(captures) == bool(expected["next"])


def outcome_of(finding, clause):
    return next(state.outcome for state in finding.clauses if state.clause.id == clause)


@pytest.mark.parametrize("name", TABLE["published"])
def test_a_published_file_alone_gets_its_verdict(name, catalog):
    assert_verdicts(judge_file(PUBLISHED / name, catalog), TABLE["published"][name])


def test_every_published_file_is_in_the_table():
    files = {str(path.relative_to(PUBLISHED)) for path in files_of(PUBLISHED)}
    assert files - {"hangs/blockers.tsv"} == set(TABLE["published"])


@pytest.mark.parametrize("name", TABLE["folders"])
def test_a_published_folder_gets_its_verdicts(name, catalog):
    assert_verdicts(judge_folder(PUBLISHED / name, catalog), TABLE["folders"][name])


@pytest.mark.parametrize("name", TABLE["captures"])
def test_a_recorded_capture_gets_its_verdict(name, catalog):
    assert_verdicts(judge_folder((LIBRARY / name).resolve(), catalog), TABLE["captures"][name])


QUIET = [name for name, row in TABLE["captures"].items() if not row["verdicts"]]


@pytest.mark.parametrize("name", QUIET)
def test_a_recording_without_findings_was_parsed(name, catalog):
    folder = (LIBRARY / name).resolve()
    scripts = [
        section.reading.profiles
        for evidence in read_folder(folder)
        for section in evidence.sections
        if section.format == "perf-script"
    ]
    assert scripts
    assert all(profile.samples > 0 for profiles in scripts for profile in profiles)
    found = judge_folder(folder, catalog)
    assert len(found) == len(catalog.signatures)
    assert {finding.verdict for finding in found.values()} <= {"unknown", "no_match", "not_applicable"}


@pytest.mark.parametrize("name", TABLE["published"])
def test_file_names_do_not_affect_verdicts(name, catalog, tmp_path):
    renamed = tmp_path / "x17"
    shutil.copy(PUBLISHED / name, renamed)
    assert_verdicts(judge_file(renamed, catalog), TABLE["published"][name])


@pytest.mark.parametrize("name", TABLE["folders"])
def test_files_renamed_and_shuffled_get_the_same_verdicts(name, catalog, tmp_path):
    paths = sorted(files_of(PUBLISHED / name), key=lambda path: path.read_bytes()[::-1])
    evidences = []
    for number, path in enumerate(paths):
        copy = tmp_path / f"{number:02}-upload"
        shutil.copy(path, copy)
        evidences.append(read_file(copy))
    assert_verdicts(findings_of(evidences, catalog), TABLE["folders"][name])


NOISE = "Subject: incident 4711\nThe service was slow since lunch.\nSomebody restarted it twice.\n\n"


@pytest.mark.parametrize("name", TABLE["published"])
def test_leading_lines_change_no_verdict(name, catalog, tmp_path):
    noisy = tmp_path / "mail"
    noisy.write_text(NOISE + (PUBLISHED / name).read_text())
    expected = TABLE["published"][name]
    assert_verdicts(judge_file(noisy, catalog), expected)


@pytest.mark.parametrize("name", TABLE["folders"])
def test_leading_lines_in_every_file_change_no_verdict(name, catalog, tmp_path):
    evidences = []
    for path in files_of(PUBLISHED / name):
        noisy = tmp_path / path.name
        noisy.write_text(NOISE + path.read_text())
        evidences.append(read_file(noisy))
    assert_verdicts(findings_of(evidences, catalog), TABLE["folders"][name])


@pytest.mark.parametrize("name", ["vanishing-cpu", "network-stalls", "new-linux-kernel"])
def test_citations_point_at_lines_that_exist(name, catalog):
    sizes = {
        str(p.relative_to(PUBLISHED / name)): len(p.read_text().splitlines())
        for p in files_of(PUBLISHED / name)
    }
    found = judge_folder(PUBLISHED / name, catalog)
    cited = [
        row for finding in found.values() for state in finding.clauses for row in state.outcome.citations
    ]
    assert cited
    for evidence, _, lines in cited:
        assert 1 <= lines.first_line <= lines.last_line <= sizes[evidence]


def test_every_clause_that_is_true_is_cited(catalog):
    for finding in judge_folder(PUBLISHED / "vanishing-cpu", catalog).values():
        for state in finding.clauses:
            assert state.state is not State.TRUE or state.outcome.citations, (
                finding.signature.id,
                state.clause.id,
            )
