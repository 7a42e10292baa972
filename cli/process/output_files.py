"""Output files of a confined command: opened by its parent, written by the child.

A child that reads hostile evidence may not open files: it gets a descriptor for each output file, and nothing
else to write to.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from cli.process import exits

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPLETE = (0, exits.CHECK_FAILED, exits.INCOMPLETE, exits.NOT_REVIEWED)
"""Statuses after which all output was written."""


@dataclass(frozen=True, slots=True)
class _File:
    """One open output file.

    Attributes:
        path: Its name, as given.
        partial: Where it is written when it replaces an older one at the end.
        is_new: Whether it did not exist before.
    """

    path: Path
    descriptor: int
    partial: Path | None
    is_new: bool


class Outputs:
    """The output files of one command."""

    def __init__(self) -> None:
        """Start with none."""
        self._files: dict[str, _File] = {}

    def open(self, path: str, *, is_replaced: bool = False) -> None:
        """Open `path` for writing without changing what is in it.

        Raises:
            ClickException: It cannot be written.
        """
        if path in self._files:
            return
        target = Path(path)
        is_new = not target.exists()
        partial = target.with_name(f".{target.name}.partial") if is_replaced else None
        try:
            descriptor = os.open(partial or target, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise click.ClickException(f"{path} cannot be written: {error.strerror}") from None
        self._files[path] = _File(target, descriptor, partial, is_new)

    def descriptor_of(self, path: str) -> int | None:
        """Return the descriptor of `path`, emptied; None when it was not opened here."""
        file = self._files.get(path)
        if file is None:
            return None
        if stat.S_ISREG(os.fstat(file.descriptor).st_mode):
            os.ftruncate(file.descriptor, 0)
        return file.descriptor

    def finish(self, *, is_complete: bool) -> None:
        """Move complete replacements into place, and remove what nothing was written to."""
        for file in self._files.values():
            is_empty = os.fstat(file.descriptor).st_size == 0
            os.close(file.descriptor)
            if file.partial is not None:
                if is_complete and not is_empty:
                    file.partial.replace(file.path)
                else:
                    file.partial.unlink(missing_ok=True)
            elif file.is_new and is_empty and file.path.is_file():
                with suppress(OSError):
                    file.path.unlink()


_used: list[Outputs] = []


def use(outputs: Outputs) -> None:
    """Write the output files of this process by `outputs`."""
    _used.append(outputs)


def write(path: str, content: bytes) -> None:
    """Write all of `content` to the file `path`.

    Raises:
        OSError: It cannot be written.
    """
    descriptor = _used[-1].descriptor_of(path) if _used else None
    if descriptor is None:
        Path(path).write_bytes(content)
        return
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Write a file that replaces an older one when it is complete."""
    descriptor = _used[-1].descriptor_of(str(path)) if _used else None
    if descriptor is not None:
        with os.fdopen(descriptor, "wb", closefd=False) as stream:
            yield stream
        return
    partial = path.with_name(f".{path.name}.partial")
    try:
        with partial.open("wb") as stream:
            yield stream
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
