"""What makes the start and the end of a short program cheap.

A command that reads 20 lines took 0.8 CPU seconds on a loaded machine: 0.07 of it were the threads of
OpenBLAS, which wait for work in a loop, and 0.1 the end, where the interpreter looks for cycles among all
objects and frees each of them. Half of the rest was what `ingest.start_image` keeps.
"""

from __future__ import annotations

import atexit
import os
import sys
from types import FunctionType
from typing import TYPE_CHECKING, NoReturn

from cli.process import late_package
from ingest.garbage import collect_rarely

if TYPE_CHECKING:
    from collections.abc import Callable

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""No command multiplies matrices. Who sets them otherwise has their way."""

LATE = ("calendar", "difflib", "numpy", "quopri", "statistics", "traceback")
"""What modules import at their top, and few texts need."""

ROOM = 70_000
"""Words of a frame, just above half of the chunk that the interpreter maps for it."""


def run(program: Callable[[], object]) -> NoReturn:
    """Run a program that ends in `SystemExit`, and leave the freeing of its memory to the kernel."""
    for name, value in ONE_THREAD.items():
        os.environ.setdefault(name, value)
    collect_rarely()
    for name in LATE:
        late_package.delay(name)
    try:
        _with_room(program)
    except SystemExit as end:
        _end(end.code)
        raise
    _end(0)
    sys.exit(0)


def _call(program: Callable[[], object]) -> None:
    program()


_with_room = FunctionType(_call.__code__.replace(co_stacksize=ROOM), globals())
"""Calls a program within a frame of which most is unused.

The interpreter keeps frames in chunks of 16 KB, and where a loop calls across the end of one it maps and
unmaps a chunk for every call: 600 times in reading 20 lines. For this frame it maps 1 MiB at once.
"""


def _end(status: object) -> None:
    """End this process with a status; return where the interpreter has more to do at its end."""
    if not (status is None or isinstance(status, int)) or _has_threads():
        return
    atexit._run_exitfuncs()  # noqa: SLF001 - what the interpreter calls at its end
    try:
        for stream in (sys.stdout, sys.stderr):
            # None when the program was started with the stream closed.
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return
    os._exit((status or 0) & 0xFF)


def _has_threads() -> bool:
    """Return whether there are threads that the interpreter waits for."""
    threading = sys.modules.get("threading")
    return threading is not None and any(
        not one.daemon and one is not threading.main_thread() for one in threading.enumerate()
    )
