"""Computations in a limited child: their results equal those in process, and limits end them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from backend.sandbox import fork_server
from backend.sandbox.fork_server import FINDINGS
from backend.sandbox.runner import LimitHitError, SandboxCrashError, SandboxLimits, TooSlowError, compute
from ingest.evidence import read_file
from ingest.model import reading_folder
from signatures.case_analysis import CaseItem, judge_case, screen_case
from signatures.document.catalog import load_catalog
from signatures.documents.codec import to_document, to_documents
from signatures.documents.finding_text import findings_text, telling
from signatures.judging.observation_cache import ObservationCache
from signatures.judging.scope import items_of

LOG = Path("tests/data/recorded/hangs/fuse-server-stops/dmesg.txt")
PLACE = ("evidence", "captured_path", "host", "boot", "phase", "section", "format", "first_line", "last_line")
NOTHING_MORE: dict[str, Any] = {"observations": [], "libraries": [], "shadow": [], "profiles": []}
LIMITS = SandboxLimits(cpu_seconds=60, memory_bytes=1 << 30, output_bytes=1 << 28)


@pytest.fixture(scope="module", autouse=True)
def _no_process_stays():
    yield
    fork_server.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The stored reading of a kernel log."""
    (section,) = read_file(LOG).sections
    reading_folder.save(section.reading, tmp_path / "reading")
    return tmp_path / "reading"


def analysed(folder: Path, output: Path, *, limits: SandboxLimits = LIMITS, repeat: int = 1) -> Any:
    (item,) = items_of((read_file(LOG),))
    names = (
        "evidence",
        "captured_path",
        "host",
        "boot",
        "phase",
        "section",
        "format",
        "first_line",
        "last_line",
    )
    given = {"item": {name: getattr(item, name) for name in names}, "is_provisional": False}
    items = [{**given, "folder": str(folder)}] * repeat
    arguments = {"items": items, "judgement": None, **NOTHING_MORE}
    output.mkdir()
    return compute("analyse", arguments, what="the analysis", output=output, limits=limits, readable=[folder])


def test_an_analysis_in_the_child_equals_one_in_this_process(folder: Path, tmp_path: Path):
    result = analysed(folder, tmp_path / "output")
    rows = [CaseItem(item) for item in items_of((read_file(LOG),))]
    judgement = judge_case(rows, load_catalog(), ObservationCache())
    screen = screen_case(rows, judgement.findings, judgement.next_captures)
    told = telling(judgement.findings)
    assert 0 < len(told) < len(judgement.findings)
    assert result["judgement"] == to_document(replace(judgement, findings=told))
    text = (tmp_path / "output" / FINDINGS).read_text()
    assert text == findings_text(judgement.findings)
    assert result["screen"]["headline"] == to_document(screen.headline)
    assert result["screen"]["alarms"] == to_documents(screen.alarms)
    assert len(result["screen"]["waits"]) == 1
    assert result["faults"] == []


def test_an_analysis_above_its_time_is_a_first_try_or_has_a_reason(folder: Path, tmp_path: Path):
    hasty = replace(LIMITS, cpu_seconds=1)
    with pytest.raises(LimitHitError, match="the analysis took more than 1 s of processor time"):
        analysed(folder, tmp_path / "a", limits=hasty, repeat=3000)
    with pytest.raises(TooSlowError):
        analysed(folder, tmp_path / "b", limits=replace(hasty, is_first_try=True), repeat=3000)


def test_a_damaged_reading_is_no_result(folder: Path, tmp_path: Path):
    (folder / "log_records.col.zst").write_bytes(b"x")
    with pytest.raises(SandboxCrashError, match="column log_records"):
        analysed(folder, tmp_path / "output")


def test_a_child_reads_no_folder_that_it_was_not_given(folder: Path, tmp_path: Path):
    hidden = folder.rename(tmp_path / "hidden")
    folder.mkdir()
    (tmp_path / "output").mkdir()
    items = [{"item": {}, "is_provisional": False, "folder": str(hidden)}]
    arguments = {"items": items, "judgement": None, **NOTHING_MORE}
    with pytest.raises(SandboxCrashError, match="no readable manifest"):
        compute(
            "analyse",
            arguments,
            what="the analysis",
            output=tmp_path / "output",
            limits=LIMITS,
            readable=[folder],
        )
