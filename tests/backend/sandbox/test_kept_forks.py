"""Forks that stay: their answers, limits, and what they may read."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from backend.core.errors import NotComputedError
from backend.core.settings import Settings
from backend.sandbox import kept_forks
from backend.sandbox.computations.kept_readings import Readings
from backend.sandbox.computations.questions import FIRST_QUESTIONS, QUESTIONS
from backend.sandbox.envelope import answer_of_request, limits_of_request
from backend.sandbox.kept_forks import KeptForks
from backend.sandbox.watch import LimitHitError
from ingest.evidence import read_bytes
from ingest.model import reading_folder
from ingest.model.selection import EVERYTHING, Selection
from tests.backend.sandbox.forks import pids_of_forks
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from backend.sandbox.watch import SandboxLimits

SAMPLES = Path("backend/evidence/sample_cases")
SAMPLE = SAMPLES / "reclaim-at-the-limit/perf.script.txt.gz"
FURTHER: tuple[dict[str, Any], ...] = (
    {"ask": "speedscope"},
    {"ask": "firefox"},
    {"ask": "folded", "weight": "samples"},
    {"ask": "picture", "options": {"width": 800}},
    {"ask": "sandwich", "name": "do_syscall_64", "options": {"min_share": 0.001}},
    {"ask": "node lines", "node": 3, "evidence_id": "e"},
    {"ask": "draft", "node": 20},
    {"ask": "lanes", "options": {"by": "cpu"}, "selection": asdict(Selection(t0=0.1, merge=("/^asm_/",)))},
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data")


@pytest.fixture
def make(settings: Settings) -> Iterator[Callable[..., KeptForks]]:
    made: list[KeptForks] = []

    def forks(limits: SandboxLimits | None = None) -> KeptForks:
        made.append(KeptForks(settings, limits or limits_of_request(settings)))
        return made[-1]

    yield forks
    for one in made:
        one.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return saved(SAMPLE, tmp_path / "sample")


def saved(path: Path, folder: Path) -> Path:
    [section] = read_bytes(path.read_bytes(), name=path.name, captured_path="").sections
    reading_folder.save(section.reading, folder)
    return folder


def about(folder: Path, **question: Any) -> dict[str, Any]:
    place = {"folder": str(folder), "ordinal": 0, "id": "p", "name": "perf.script"}
    return {"profile": place, "base": place, "selection": asdict(EVERYTHING), **question}


def test_answers_equal_those_without_a_sandbox(make, tmp_path: Path):
    forks = make()
    for at, path in enumerate((SAMPLE, *sorted(SAMPLES.glob("vanishing-cpu/stack.*")))):
        folder = saved(path, tmp_path / str(at))
        direct = Readings()
        # Stacks of bpftrace have no clock.
        for question in (*FIRST_QUESTIONS, *FURTHER) if path == SAMPLE else FIRST_QUESTIONS[:3]:
            asked = about(folder, **question)
            outcome, content = forks.answer(at, [folder], asked, what="the view")
            assert (outcome, content) == ("answer", QUESTIONS[question["ask"]](direct, asked)), question
    assert len(pids_of_forks()) == 3


def test_a_fork_made_ahead_answers_as_any_other(make, folder: Path):
    forks = make()
    forks.prepare()
    until(lambda: bool(forks._ahead))
    [ahead] = pids_of_forks()
    graph = about(folder, **FIRST_QUESTIONS[0])
    answers = [forks.answer(key, [folder], graph, what="the view") for key in (1, 2)]
    assert answers[0] == answers[1]
    assert ahead in pids_of_forks()


def test_what_it_asks_for_may_be_absent_or_unsupported(make, folder: Path):
    forks = make()
    answers = [
        forks.answer(1, [folder], about(folder, **question), what="the view")
        for question in (
            {"ask": "sandwich", "name": "no_such_function", "options": {}},
            {"ask": "node lines", "node": 10**30, "evidence_id": "e"},
            {"ask": "table", "options": {}, "selection": asdict(Selection(focus=("/(/",)))},
        )
    ]
    assert [outcome for outcome, _ in answers] == ["absent", "absent", "unsupported"]
    assert b"no_such_function" in answers[0][1]


def test_it_reads_the_folders_of_its_key_alone(make, folder: Path, tmp_path: Path):
    other = saved(SAMPLE, tmp_path / "other")
    forks = make()
    table = {"ask": "table", "options": {}}
    assert forks.answer(1, [folder], about(folder, **table), what="the view")[0] == "answer"
    refused = forks.answer(1, [folder], about(other, **table), what="the view")
    assert refused == ("damaged", str(other).encode())


def test_above_its_limits_it_ends_with_a_reason_and_the_next_question_is_answered(
    make, settings: Settings, folder: Path
):
    limits = limits_of_request(settings)
    graph = about(folder, **FIRST_QUESTIONS[0])
    small = make(replace(limits, output_bytes=100))
    with pytest.raises(LimitHitError, match="the result of the view takes more than 0 MiB"):
        small.answer(1, [folder], graph, what="the view")
    short = make(replace(limits, wall_seconds=10.0))
    short.answer(1, [folder], graph, what="the view")
    for pid in pids_of_forks():
        os.kill(pid, signal.SIGSTOP)
    with pytest.raises(LimitHitError, match=r"the view took longer than 10 s by the clock"):
        short.answer(1, [folder], graph, what="the view")
    assert short.answer(1, [folder], graph, what="the view")[0] == "answer"
    assert len(pids_of_forks()) == 1


@pytest.fixture(scope="module")
def large_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile whose graph takes some 30 MiB and half a second."""
    folder = tmp_path_factory.mktemp("large")
    text = "".join(";".join(f"f{at}_{depth}" for depth in range(30)) + " 1\n" for at in range(3000))
    (folder / "folded.txt").write_text(text, encoding="ascii")
    return saved(folder / "folded.txt", folder / "reading")


def test_a_fork_above_its_memory_ends_with_a_reason_and_the_next_question_gets_another(
    make, settings: Settings, folder: Path, large_folder: Path
):
    limits = limits_of_request(settings)
    small, large = (about(one, **FIRST_QUESTIONS[0]) for one in (folder, large_folder))
    measured = make()
    used = []
    for key, one, question in ((1, folder, small), (2, large_folder, large)):
        measured.answer(key, [one], question, what="the view")
        used.append(measured._forks[key].resident_bytes())
    measured.close()
    memory_bytes = sum(used) // 2
    forks = make(replace(limits, memory_bytes=memory_bytes))
    reason = f"the view needs more than {memory_bytes >> 20:,} MiB of memory"
    for _ in range(2):
        with pytest.raises(NotComputedError, match=reason):
            answer_of_request(forks, 2, {"large": large_folder}, large, what="the view")
        assert pids_of_forks() == set()
    assert forks.answer(1, [folder], small, what="the view")[0] == "answer"
    forks.close()
    assert pids_of_forks() == set()
    assert list(settings.scratch_dir.iterdir()) == []


def test_a_fork_above_its_processor_time_ends_with_a_reason_and_the_next_question_gets_another(
    make, settings: Settings, folder: Path, large_folder: Path
):
    limits = limits_of_request(settings)
    forks = make(replace(limits, cpu_seconds=0))
    small, large = (about(one, **FIRST_QUESTIONS[0]) for one in (folder, large_folder))
    with pytest.raises(NotComputedError, match="the view took more than 0 s of processor time"):
        answer_of_request(forks, 1, {"large": large_folder}, large, what="the view")
    assert pids_of_forks() == set()
    with suppress(LimitHitError):  # On a busy machine it is seen before its answer.
        forks.answer(1, [folder], small, what="the view")
    assert pids_of_forks() == set(), "what has used up its time stays for no further question"
    forks._limits = limits
    assert forks.answer(1, [folder], small, what="the view")[0] == "answer"
    assert len(pids_of_forks()) == 1


def test_a_fork_that_died_while_it_waited_is_replaced(make, folder: Path):
    forks = make()
    graph = about(folder, **FIRST_QUESTIONS[0])
    before = forks.answer(1, [folder], graph, what="the view")
    [pid] = pids_of_forks()
    os.kill(pid, signal.SIGKILL)
    until(lambda: pids_of_forks() == set())
    assert forks.answer(1, [folder], graph, what="the view") == before


def test_forks_end_when_others_need_their_room_and_when_they_are_idle(
    make, folder: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
):
    monkeypatch.setattr(kept_forks, "MAX_FORKS", 1)
    forks = make()
    table = about(folder, ask="table", options={})
    first = [forks.answer(key, [folder], table, what="the view") and pids_of_forks() for key in (1, 2)]
    assert [len(some) for some in first] == [1, 1]
    assert first[0] != first[1]
    monkeypatch.setattr(kept_forks, "IDLE_SECONDS", 0.0)
    forks._sweep()
    assert pids_of_forks() == set()
    assert list(settings.scratch_dir.iterdir()) == []
