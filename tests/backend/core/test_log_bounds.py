"""Log lines are bounded and redacted in linear time, by a separate thread."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from backend.core.logs.queue import DROPPED, DescriptorHandler, QueueHandler
from backend.core.logs.redaction import MAX_FIELD_BYTES, SECRET, bounded, redact
from backend.core.logs.setup import MAX_MESSAGE_BYTES, Redacting
from tests.growth import grows

if TYPE_CHECKING:
    from collections.abc import Callable

SHAPES = (
    "q",
    "token",
    "token=",
    "token:'",
    "token ",
    "session-code_",
    "cba_",
    "cba_-",
    "bearer ",
    "basic\t",
    "cookie: ",
    "Set-Cookie\n",
    "a://",
    "a://b:",
    "a://b:c",
    "@",
    "x@",
    "'\"",
    " ",
    "\n",
    "=",
    "%00",
    "[secret]",
)
PASSWORD = "pass-Word.of~ours"
CUT = (
    f"token={'t' * 40}",
    f"Authorization: Bearer {'k' * 40}",
    f"cbk_{'s' * 43}",
    f"postgresql://casebook:{'p' * 30}@database/casebook",
    f"Cookie: casebook_session={'c' * 43}",
    f'{{"client_secret": "{"v" * 43}"}}',
    f"connected with {PASSWORD}",
)


@pytest.mark.parametrize("shape", SHAPES)
def test_redaction_takes_time_in_proportion_to_its_text(shape: str):
    def made(size: int) -> Callable[[], object]:
        text = (shape * size)[:size]
        return lambda: (redact(text, (PASSWORD,)), bounded(text, (PASSWORD,), size - 1))

    assert grows(made) == ""


def record(message: str, *arguments: object, error: BaseException | None = None) -> logging.LogRecord:
    trouble = (type(error), error, error.__traceback__) if error is not None else None
    return logging.LogRecord("x", logging.INFO, "x.py", 1, message, arguments, trouble)


LARGE = ["q" * 60_000, b"q" * 60_000, ["q"] * 20_000, 10**50_000, ("q" * 60_000,)]


@pytest.mark.parametrize("value", LARGE, ids=range(len(LARGE)))
@pytest.mark.parametrize("template", ["%s", "%r"])
def test_a_long_argument_is_truncated_and_says_so(value: object, template: str):
    line = Redacting(()).format(record(f"{template} and more", value))
    assert len(line.encode()) < MAX_FIELD_BYTES + 200
    assert line.endswith("and more")
    assert "more bytes)" in line or "not shown" in line


def test_a_long_message_is_truncated_and_says_so():
    line = Redacting(()).format(record("q" * 60_000))
    assert len(line.encode()) < MAX_MESSAGE_BYTES + 200
    assert line.endswith(f"({60_000 - MAX_MESSAGE_BYTES:,} more bytes)")


def test_numbers_and_arguments_by_name_are_formatted_as_ever():
    assert Redacting(()).format(record("%d %.1f %5s|%x", 7, 0.25, "a", 255)).endswith("x: 7 0.2     a|ff")
    assert Redacting(()).format(record("%(a)s %(b)d", {"a": "one", "b": 2})).endswith("x: one 2")
    assert "not formatted" in Redacting(()).format(record("%d", "no number"))


def test_a_traceback_is_cut_in_its_middle_and_keeps_how_it_ends():
    def fail(depth: int) -> None:
        if depth:
            try:
                fail(depth - 1)
            except ValueError as error:
                raise ValueError(f"{'q' * 60_000} {depth}") from error
        raise ValueError("the first")

    try:
        fail(30)
    except ValueError as error:
        line = Redacting(()).format(record("it failed", error=error))
    assert len(line.encode()) < 20_000
    assert "ValueError: the first" in line
    assert "more bytes)\n" in line
    assert "ValueError: qqq" in line.splitlines()[-1]


@pytest.mark.parametrize("text", CUT)
def test_truncation_leaves_no_beginning_of_a_secret(text: str):
    for size in range(len(text) + 1):
        before = ("GET /" + "q" * MAX_FIELD_BYTES)[: MAX_FIELD_BYTES - size - 1] + " "
        line = redact(bounded(f"{before}{text} {'rest ' * 99}", (PASSWORD,)), (PASSWORD,))
        shown = line[len(before) :].partition("… (")[0].replace(SECRET, "")
        assert not {run for run in ("tt", "kk", "sss", "pp", "cc", "vv", "pass-") if run in shown}, shown


class Writer(logging.Handler):
    """Keeps lines, each once it may."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.threads: set[int] = set()
        self.may_write = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.may_write.wait(30)
        self.threads.add(threading.get_ident())
        self.lines.append(record.getMessage())


def test_a_full_queue_drops_with_a_count_and_never_waits():
    writer = Writer()
    handler = QueueHandler(writer, max_records=10)
    for number in range(100):
        handler.handle(record("line %d", number))
    writer.may_write.set()
    handler.flush()
    handler.handle(record("after"))
    handler.close()
    written = [line for line in writer.lines if line.startswith("line ")]
    assert written == [f"line {number}" for number in range(len(written))]
    assert 10 <= len(written) <= 11
    assert DROPPED % (100 - len(written)) in writer.lines
    assert writer.lines[-1] == "after"
    assert writer.threads.isdisjoint({threading.get_ident()})


def test_arguments_are_formatted_by_the_writer_thread():
    threads = []

    class Slow:
        def __repr__(self) -> str:
            threads.append(threading.get_ident())
            return "slow"

    read, write = os.pipe()
    writer = DescriptorHandler(write)
    writer.setFormatter(Redacting(()))
    handler = QueueHandler(writer)
    handler.handle(record("%r", Slow()))
    handler.close()
    os.close(write)
    with os.fdopen(read) as lines:
        assert lines.read().endswith("INFO x: slow\n")
    assert threads
    assert threading.get_ident() not in threads


PROGRAM = """
import logging, os, signal, sys, threading
from backend.core.logs import setup
from backend.core.settings import Settings

setup.install(Settings())
log = logging.getLogger("test")
for number in range(2000):
    log.info("line %d", number)
if sys.argv[1] == "crash":
    raise RuntimeError("it crashed")
if sys.argv[1] == "signal":
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait()
if sys.argv[1] == "fork":
    child = os.fork()
    log.info("of the child" if child == 0 else "of the parent")
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.parametrize(
    ("end", "status", "last"),
    [
        ("exit", 0, "line 1999"),
        ("crash", 1, "RuntimeError: it crashed"),
        ("signal", -signal.SIGTERM, "line 1999"),
        ("fork", 0, ""),
    ],
)
def test_nothing_queued_is_lost_when_a_process_ends(end: str, status: int, last: str):
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, end], capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == status, ended.stderr[-2000:]
    lines = ended.stderr.splitlines()
    assert sum(" test: line " in line for line in lines) == 2000
    assert last in lines[-1]
    if end == "fork":
        assert sum("of the child" in line for line in lines) == 1
        assert sum("of the parent" in line for line in lines) == 1
