"""A capture that is asked for a condition can decide it: its output holds that kind of evidence.

`samples.yaml` names output of each capture. Each condition is observed on the sample of its capture, and on
what the signature's own evidence has of its formats. It must be met, refuted, or looked for and not found.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import yaml

from ingest.catalogue.log_classes import CLASSES
from ingest.evidence import read_bytes, read_file
from signatures.authoring.fixture_tests import fixtures as library_fixtures
from signatures.judging.judge import judge
from signatures.judging.observation import Reason, State
from signatures.judging.scope import items_of
from tests.signatures.evidence import DATA, items_of_folder, library

ROOT = Path(__file__).parents[2]
SAMPLES = yaml.safe_load((DATA / "recorded" / "captures" / "samples.yaml").read_text())
EXCEPTIONS: dict[tuple[str, str, str], str] = {}
"""Signature, condition and capture that is asked though it cannot decide alone, to the reason: none."""

LOG = "kernel_log"
UNKNOWN_FORMAT = "text"


def name_of(capture):
    return capture.name or capture.title


def captures_of(signature):
    """Return each capture of a signature with the conditions that it is asked for."""
    asked = {}
    for clause, row in signature.next.items():
        for capture in row:
            asked.setdefault(name_of(capture), []).append(clause)
    return asked


ASKED = [(one, name, clauses) for one in library().signatures for name, clauses in captures_of(one).items()]


@cache
def folders_of(signature_id):
    return [one.folder for one in library_fixtures() if one.signature == signature_id]


def captured_path(path):
    """Return where a file of a captured tree was: its path names what it is about."""
    tree, found, below = path.removeprefix("tests/data/files/").partition("/")
    return f"/{below}" if found and tree in {"machine", "v2"} else ""


@cache
def sample_of(name):
    """Return the items of the output of a capture; of the kernel log with a message of each class, too."""
    evidences = [read_file(ROOT / path, captured_path=captured_path(path)) for path in SAMPLES[name]]
    if name == LOG:
        log = "".join(f"[  100.{at:06d}] {one.sample}\n" for at, one in enumerate(CLASSES))
        evidences.append(read_bytes(log.encode(), name="dmesg.txt"))
    return items_of(evidences)


@cache
def formats_of(name):
    return {item.format for item in sample_of(name)} - {UNKNOWN_FORMAT}


def is_decided(outcome):
    """Return whether a condition is met, refuted, or looked for: an absent kind of evidence is not."""
    if outcome.state is not State.UNKNOWN or outcome.observed is not None:
        return True
    return not outcome.reason.startswith(Reason.ABSENT.value)


def undecided(signature, name, clauses):
    """Return the conditions for which neither the sample nor evidence of its formats holds anything."""
    alone = replace(library(), signatures=(signature,))
    missing = dict.fromkeys(clauses, "no evidence of these formats")
    formats = formats_of(name)
    folders = folders_of(signature.id)
    own = ([item for item in items_of_folder(one) if item.format in formats] for one in folders)
    for items in (sample_of(name), *own):
        if not missing:
            break
        for finding in judge(items, alone) if items else ():
            for state in finding.clauses:
                if state.clause.id in missing:
                    missing[state.clause.id] = state.outcome.reason
                    if is_decided(state.outcome):
                        del missing[state.clause.id]
    return missing


@pytest.mark.parametrize(
    ("signature", "name", "clauses"), ASKED, ids=[f"{one.id}-{name}" for one, name, _ in ASKED]
)
def test_a_capture_can_decide_what_it_is_asked_for(signature, name, clauses):
    wanted = [one for one in clauses if (signature.id, one, name) not in EXCEPTIONS]
    assert undecided(signature, name, wanted) == {}


def test_every_capture_has_a_sample_that_is_read():
    assert {name for _, name, _ in ASKED} == set(SAMPLES)
    assert {name for name in SAMPLES if not formats_of(name)} == set()


def test_a_list_of_threads_does_not_decide_who_waits_in_the_kernel():
    """The capture `busy_threads` was asked for a crowd in one function, of which only stacks know."""
    signature = next(one for one in library().signatures if one.id == "mm/mglru-evict-folios-lru-lock")
    assert set(undecided(signature, "busy_threads", ["crowd"])) == {"crowd"}
    assert undecided(signature, "kernel_stacks", ["crowd"]) == {}


def test_every_exception_is_still_asked_for():
    asked = {(one.id, clause, name) for one, name, clauses in ASKED for clause in clauses}
    assert set(EXCEPTIONS) <= asked
