"""Common lines of a log are read in the native core: as the reader would, in a fraction of the time."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.catalogue.log_classes import CLASSES
from ingest.containers.text_decoding import lines_of
from ingest.model.section import Text
from ingest.readers.logs import kernel_log
from ingest.readers.logs.kernel_log import prefix, quiet
from ingest.readers.logs.kernel_log.classes import classified, classify

DATA = Path(__file__).parents[3] / "data"
LOGS = sorted(path for path in (DATA / "kernel-log").rglob("*") if path.suffix in {".txt", ".log"})
FORMS = (
    "[ 2225.621988] {}",
    "<12>[    3.805449][ T3699] {}",
    "[Sat Nov 21 00:19:44 2026] {}",
    "2026-11-21T00:19:44,621988+02:00 {}",
    "Feb  1 18:58:28 db-1 kernel: [    1.500] {}",
    "Feb 11 18:58:28 db-1 kernel: {}",
    "2024-05-02T10:11:12.123456-0530 db-1 kernel: {}",
    "2024-05-02T10:11:12Z db-1 app[12]: {}",
)
OTHERS = (
    "[ 2225.62] a",
    "[    1.500] kernel: a",
    "[    1.500]",
    "[    1.500][ T1]a",
    "[Sat Feb 30 00:19:44 2026] a",
    "[Sat Nov 21 00:19:44 2026] [error] a",
    "2026-02-30T00:19:44Z h kernel: a",
    "2026-11-21T00:19:44,621+02:00 a",
    "2026-11-21T00:19:44+24:00 h kernel: a",
    "Feb 11 18:58:28 h kernel: kern  :warn  : [    1.500] a",
    "Feb 11 18:58:28 kern.warn kernel: a",
    "Feb 11 18:58:28 kernel: a: b",
    "Feb 11 18:58:28 h app[x]: a",
    "Feb 11 18:58:28 h",
    "[    1.500] é",
    "[    1.500] \ud800",
    "\x1b[32m[    1.500] a",
    "",
)


def found(lines: list[str]) -> list[prefix.Entry | None]:
    return [row and prefix.Entry._make(row) for rows in quiet.rows(lines, 1) for row in rows]


@pytest.mark.parametrize("form", FORMS)
def test_an_entry_is_that_of_the_reader(form: str):
    lines = [form.format(one.sample) for one in CLASSES]
    read = found(lines)
    for number, (line, one) in enumerate(zip(lines, read, strict=True), start=1):
        known = {"is_quiet": False, "class_number": prefix.UNKNOWN_CLASS}
        assert one is None or one._replace(**known) == prefix.entry(line, number)
    assert sum(one is not None for one in read) > 0.9 * len(lines)


@pytest.mark.parametrize("line", OTHERS)
def test_an_uncommon_line_is_left_to_the_reader(line: str):
    assert found([line]) == [None]


def test_the_class_of_a_message_is_that_of_the_reader():
    for one in found([f"[    1.500] {one.sample}" for one in CLASSES]):
        assert one is None or classified(one) == classify(one.text)
        assert not (one and one.is_quiet)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_a_log_reads_as_without_the_core(path: Path, monkeypatch: pytest.MonkeyPatch):
    lines = lines_of(path.read_bytes())
    fast = kernel_log.read(Text(lines))
    monkeypatch.setattr(quiet, "rows", lambda lines, _: iter([[None] * len(lines)]))
    assert repr(kernel_log.read(Text(lines))) == repr(fast)
