"""Text that no reader takes: the first screen says what it looks like, what to run, and what it states."""

from __future__ import annotations

import pytest

from tests.ingest.readers.logs.test_shape import FIO, POOL
from tests.signatures.overview.test_first_screen import overview, states

SHELF = "shelf  frobs  gribs\n-----  -----  -----\ntop    983G   904\n"
VMSTAT = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  0      0 812340  90210 412340    0    0     1     2   90  110  1  1 98  0  0
"""


@pytest.mark.parametrize(
    ("text", "looks", "stated", "run"),
    [
        (SHELF, "a table of 1 row with the columns shelf, frobs, gribs", "983G: frobs of top", ""),
        (
            f"$ fio --rw=randwrite\n{FIO}",
            "fio (JSON) is read",
            "42.1 ms: clat (usec) max",
            "fio --output-format=json",
        ),
        (
            "swagger: 4121 ms\nswagger: 3984 ms\n",
            "2 lines of keys and values: swagger",
            "4.121 s: swagger",
            "",
        ),
    ],
)
def test_the_screen_says_what_a_text_looks_like_and_what_is_largest_in_it(text, looks, stated, run):
    found = overview(text)
    assert found.headline.kind == "not assessed"
    assert found.headline.text.startswith("Not read: ")
    assert looks in found.headline.text
    assert any(stated in one.statement.text for one in found.statements)
    assert run in found.next_capture.command
    assert all(one.statement.places for one in found.statements)


def test_a_section_of_which_no_line_could_be_read_says_so_with_its_reason_and_command():
    lines = (
        "lsof       1 root  cwd   unknown                        /proc/1/cwd (readlink: Permission denied)\n"
    )
    found = overview("COMMAND  PID USER   FD      TYPE DEVICE SIZE/OFF NODE NAME\n" + lines * 3)
    assert found.headline.text == "Not read: 3 lines of lsof: a file that lsof may not look at"
    assert found.statements[0].statement.places[0].first_line == 2
    assert found.next_capture.command == "sudo lsof -nP"


def test_no_question_is_decided_by_text_that_is_not_read():
    assert set(states(overview(SHELF)).values()) == {"not assessed"}


def test_text_beside_other_evidence_stands_below_it():
    found = overview(f"{VMSTAT}\n{POOL}")
    assert not found.headline.text.startswith("Not read")
    texts = [one.statement.text for one in found.statements]
    assert overview(VMSTAT).headline == found.headline
    assert texts


def test_a_text_of_which_the_beginning_was_looked_at_says_so():
    found = overview("app ERROR Oops: x\n" * 5000)
    assert "by the first 400 of its 5,000 lines" in found.headline.text
