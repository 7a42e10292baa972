"""Clean environments: nothing of this checkout leads into them."""

from __future__ import annotations

import os
import resource
import subprocess
from typing import TYPE_CHECKING

from tools.release.source_tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

UV = ROOT / ".venv/bin/uv"
_OURS = ("CASEBOOK_", "PYTHON", "UV_PROJECT", "UV_COMPILE")


class CheckError(Exception):
    """Something does not work in an environment; the message says what."""


def install(where: Sequence[str | Path], what: str, folder: Path) -> None:
    """Install a requirement, with our own distributions from `folder`; `where` are uv's options of the place.

    Raises:
        SystemExit: It cannot be installed.
    """
    command = [UV, "pip", "install", "--quiet", *where]
    done = run([*command, "--find-links", folder, what])
    if done.returncode:
        raise SystemExit(f"Error: {what} cannot be installed: {done.stderr}")


def timed(command: Sequence[str | Path], folder: Path) -> tuple[float, str]:
    """Return CPU seconds and output of the second run, which has bytecode.

    Raises:
        CheckError: It fails.
    """
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = run(command, folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode:
        raise CheckError(f"{' '.join(map(str, command))} ends with {done.returncode}: {done.stderr}")
    return seconds, done.stdout


def run(command: Sequence[str | Path], folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a program to its end."""
    return subprocess.run(
        command, cwd=folder, env=clean_environment(), capture_output=True, text=True, check=False
    )


def clean_environment() -> dict[str, str]:
    """Return the variables without those that would lead back to this checkout."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}


def megabytes(folder: Path) -> float:
    """Return the size of the files below a folder in 10⁶ bytes."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
