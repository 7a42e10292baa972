"""Paths of a command line to evidence; without the engine, so `casebook fold` starts fast."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from cli.evidence.bounded_reads import BoundedReads
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


def read(
    paths: Sequence[str], *, is_named: bool = True, stdin: IO[bytes] | None = None
) -> Iterator[Evidence]:
    """Read `paths`: files, directories, archives, `-` for standard input; `is_named` asks for digests.

    `stdin` is read in the place of the standard input.

    Raises:
        UsageError: Standard input is closed, or a path is a device.
    """
    for path in paths:
        if path == STANDARD_INPUT:
            stream = stdin or getattr(sys.stdin, "buffer", None)
            if stream is None:
                raise click.UsageError("standard input is closed: there is nothing to read behind '-'")
            yield read_stream(stream, name="standard input", is_named=is_named)
        elif is_device(path):
            raise click.UsageError(f"{path!r} is a device, not a file: name a file with evidence")
        elif is_named_pipe(path):
            with opened_pipe(path) as stream:
                yield read_stream(stream, name=Path(path).name, is_named=is_named)
        else:
            on_progress, done = watched(Path(path))
            on_file, all_done = counted(path)
            try:
                yield from read_paths(
                    [Path(path)],
                    on_progress=on_progress,
                    is_named=is_named,
                    on_file=on_file,
                    live_reads=BoundedReads(),
                )
            finally:
                done()
                all_done()


def is_named_pipe(path: str) -> bool:
    """Return whether `path` is a named pipe, but none that a shell makes of `<(command)`."""
    return stat.S_ISFIFO(Path(path).stat().st_mode) and not path.startswith(PIPES_OF_SHELLS)


def opened_pipe(path: str) -> IO[bytes]:
    """Open a named pipe that somebody writes to.

    Raises:
        UsageError: Nobody has written to it within some seconds.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not select.select([descriptor], [], [], WRITER_SECONDS)[0]:
        os.close(descriptor)
        raise click.UsageError(f"{path!r} is a pipe, and nobody writes to it")
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "rb")


def is_device(path: str) -> bool:
    """Return whether `path` is a block or endless device, by name, because opening one can do harm.

    Raises:
        UsageError: It may not be looked at.
    """
    try:
        mode = Path(path).stat().st_mode
    except PermissionError:
        raise click.UsageError(f"{path!r} may not be read: {os.strerror(errno.EACCES)}") from None
    if stat.S_ISCHR(mode):
        return not os.path.realpath(path).startswith(HARMLESS_DEVICES)
    return stat.S_ISBLK(mode)
