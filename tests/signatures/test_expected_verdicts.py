"""The golden table of what published and recorded evidence deserves."""

from __future__ import annotations

import shutil

import pytest
import yaml

from signatures.catalog import LIBRARY
from signatures.judge import next_captures
from signatures.observation import State
from tests.signatures.evidence import (
    DATA,
    PUBLISHED,
    files_of,
    findings_of,
    judge_file,
    judge_folder,
    read_file,
    read_folder,
)

TABLE = yaml.safe_load((DATA / "expected" / "verdicts.yaml").read_text())
PARENT = "mm/memcg-limit-reclaim"
SPECIAL = ("mm/shrink-lruvec-livelock", "mm/mglru-evict-folios-lru-lock")
_NOT_THERE = ("no_match", "not_applicable")


def check(found, expected):
    verdicts = {name: finding.verdict for name, finding in found.items()}
    wanted = expected["verdicts"]
    for name, verdict in verdicts.items():
        if name in wanted:
            assert verdict == wanted[name] or (wanted[name] in _NOT_THERE and verdict in _NOT_THERE), (
                name,
                verdict,
            )
        elif name == PARENT and any(verdicts[special] == "suspect" for special in SPECIAL):
            assert verdict != "match"
        else:
            assert not found[name].is_listed, (name, verdict)
            assert verdict in (*_NOT_THERE, "unknown"), (name, verdict)
            assert not [
                s.clause.id for s in found[name].clauses if s.clause.role == "core" and s.state is State.TRUE
            ]
    for name, clauses in expected.get("clauses", {}).items():
        states = {state.clause.id: state.state.value for state in found[name].clauses}
        assert {clause: states[clause] for clause in clauses} == clauses, name
    for name in expected.get("hidden", []):
        assert not found[name].is_listed
    for name in expected.get("near", []):
        assert found[name].is_near_miss
    for name, verdict in expected.get("affected", {}).items():
        assert found[name].affected.verdict == verdict
    for name, limit in expected.get("confidence_at_most", {}).items():
        assert found[name].decision.confidence <= limit
    for name, numbers in expected.get("numbers", {}).items():
        assert found[name].decision.score == pytest.approx(numbers["score"])
        assert round(found[name].decision.coverage, 2) == numbers["coverage"]
    if expected.get("capped"):
        assert all(
            f.decision.caps for f in found.values() if f.verdict == "suspect" and f.signature.id in wanted
        )
    if "next" in expected:
        assert next_captures(list(found.values()))[0].capture.name == expected["next"]


@pytest.mark.parametrize("name", TABLE["published"])
def test_a_published_file_alone_gets_its_verdict(name, catalog):
    check(judge_file(PUBLISHED / name, catalog), TABLE["published"][name])


def test_every_published_file_is_in_the_table():
    files = {str(path.relative_to(PUBLISHED)) for path in files_of(PUBLISHED)}
    assert files == set(TABLE["published"])


@pytest.mark.parametrize("name", TABLE["folders"])
def test_a_published_folder_as_one_case_gets_its_verdicts(name, catalog):
    check(judge_folder(PUBLISHED / name, catalog), TABLE["folders"][name])


@pytest.mark.parametrize("name", TABLE["captures"])
def test_a_recorded_capture_gets_its_verdict(name, catalog):
    check(judge_folder((LIBRARY / name).resolve(), catalog), TABLE["captures"][name])


QUIET = [name for name, row in TABLE["captures"].items() if not row["verdicts"]]


@pytest.mark.parametrize("name", QUIET)
def test_a_quiet_recording_is_quiet_because_it_was_read(name, catalog):
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
    assert {finding.verdict for finding in found.values()} <= {"unknown", *_NOT_THERE}


@pytest.mark.parametrize("name", TABLE["published"])
def test_the_name_of_a_file_decides_nothing(name, catalog, tmp_path):
    renamed = tmp_path / "x17"
    shutil.copy(PUBLISHED / name, renamed)
    check(judge_file(renamed, catalog), TABLE["published"][name])


@pytest.mark.parametrize("name", TABLE["folders"])
def test_files_renamed_and_shuffled_get_the_same_verdicts(name, catalog, tmp_path):
    paths = sorted(files_of(PUBLISHED / name), key=lambda path: path.read_bytes()[::-1])
    evidences = []
    for number, path in enumerate(paths):
        copy = tmp_path / f"{number:02}-upload"
        shutil.copy(path, copy)
        evidences.append(read_file(copy))
    check(findings_of(evidences, catalog), TABLE["folders"][name])


NOISE = "Subject: incident 4711\nThe service was slow since lunch.\nSomebody restarted it twice.\n\n"


@pytest.mark.parametrize("name", TABLE["published"])
def test_lines_in_front_change_no_verdict(name, catalog, tmp_path):
    noisy = tmp_path / "mail"
    noisy.write_text(NOISE + (PUBLISHED / name).read_text())
    expected = TABLE["published"][name]
    check(judge_file(noisy, catalog), expected)


@pytest.mark.parametrize("name", TABLE["folders"])
def test_lines_in_front_of_every_file_change_no_verdict_of_a_folder(name, catalog, tmp_path):
    evidences = []
    for path in files_of(PUBLISHED / name):
        noisy = tmp_path / path.name
        noisy.write_text(NOISE + path.read_text())
        evidences.append(read_file(noisy))
    check(findings_of(evidences, catalog), TABLE["folders"][name])


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
