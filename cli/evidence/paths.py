"""Paths of a command line to evidence; without the engine, so `casebook fold` starts fast."""

from __future__ import annotations

import os
import select
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.process.progress import counted, watched
from ingest.evidence import read_paths, read_stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.evidence import Evidence

STANDARD_INPUT = "-"
PIPES_OF_SHELLS = ("/dev/fd/", "/proc/self/fd/", "/dev/stdin")
"""Those of `<(command)`, whose writer may need its time."""

WRITER_SECONDS = 5.0
"""How long the writer of a named pipe may take until it writes."""

HARMLESS_DEVICES = ("/dev/null", "/dev/pts/", "/dev/tty", "/dev/console")


def read(paths: Sequence[str], *, is_named: bool = True) -> Iterator[Evidence]:
    """Read `paths`: files, directories, archives, `-` for standard input; `is_named` asks for digests.

    Raises:
        UsageError: Standard input is closed, or a path is a device.
    """
    for path in paths:
        if path == STANDARD_INPUT:
            stream = getattr(sys.stdin, "buffer", None)
            if stream is None:
                raise click.UsageError("standard input is closed: there is nothing to read behind '-'")
            yield read_stream(stream, name="standard input", is_named=is_named)
        elif is_device(path):
            raise click.UsageError(f"{path!r} is a device, not a file: name a file with evidence")
        elif is_silent_pipe(path):
            raise click.UsageError(f"{path!r} is a pipe, and nobody writes to it")
        else:
            on_progress, done = watched(Path(path))
            on_file, all_done = counted(path)
            try:
                yield from read_paths(
                    [Path(path)], on_progress=on_progress, is_named=is_named, on_file=on_file
                )
            finally:
                done()
                all_done()


def is_silent_pipe(path: str) -> bool:
    """Return whether `path` is a named pipe that nobody has opened for writing within some seconds."""
    if not stat.S_ISFIFO(Path(path).stat().st_mode) or path.startswith(PIPES_OF_SHELLS):
        return False
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        return not select.select([descriptor], [], [], WRITER_SECONDS)[0]
    finally:
        os.close(descriptor)


def is_device(path: str) -> bool:
    """Return whether `path` is a block or endless device, by name, because opening one can do harm."""
    mode = Path(path).stat().st_mode
    if stat.S_ISCHR(mode):
        return not os.path.realpath(path).startswith(HARMLESS_DEVICES)
    return stat.S_ISBLK(mode)
