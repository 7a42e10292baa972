"""Paths on a mount whose server is gone: any look at one waits for ever, also that for its size.

answers("/mnt/backup")  ->  False
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from typing import Any

SECONDS = 2.0
"""A server that is slower than this with the attributes of one file is not read from."""

PAUSE_SECONDS = 0.002


def answers(path: str, seconds: float = SECONDS) -> bool:
    """Return whether the file system of `path` answers; a path that does not exist is an answer.

    A child looks: what waits for a server in the kernel can hold up the end of its own process alone.
    """
    child = os.fork()
    if not child:
        _look(path)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            return True
        time.sleep(PAUSE_SECONDS)
    os.kill(child, signal.SIGKILL)
    return False


def _look(path: str) -> None:
    """Look at a path and its first entry, and end the process."""
    try:
        if Path(path).is_dir():
            with os.scandir(path) as entries:
                next(entries, None)
        os.close(os.open(path, os.O_PATH))
    except OSError:
        pass
    finally:
        os._exit(0)


class EvidencePath(click.Path):
    """A path that exists and answers, or `-`."""

    def __init__(self) -> None:
        """Allow standard input."""
        super().__init__(exists=True, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path.

        Raises:
            UsageError: It does not exist, or its file system does not answer.
        """
        if value != "-" and not answers(os.fspath(value)):
            self.fail(
                f"{value!r} does not answer within {SECONDS:g} s: the server of its mount is gone or stuck",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)
