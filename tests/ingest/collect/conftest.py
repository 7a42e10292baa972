"""Runs of the collector on this machine, and a file system that never answers."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest import collect
from ingest.evidence import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.facts import Fact

SCRIPT = Path(collect.__file__).with_name(collect.NAME)
PROMISED_SECONDS = 90
IS_ROOT = os.getuid() == 0


class Run:
    """Result of one run: its messages, and the evidence in its text."""

    def __init__(self, done: subprocess.CompletedProcess[str], text: Path) -> None:
        self.done = done
        self.text = text
        self.stderr = done.stderr
        self.evidence = read_file(text)

    def facts(self, name: str) -> list[Fact]:
        return [
            fact for section in self.evidence.sections for fact in section.reading.facts if fact.name == name
        ]

    def value(self, name: str) -> object:
        (value,) = {fact.value for fact in self.facts(name)}
        return value

    @property
    def formats(self) -> set[str]:
        return {section.format for section in self.evidence.sections}

    @property
    def seconds(self) -> float:
        """How long it took by its own clock."""
        (ended,) = self.facts("collector.ended_uptime_seconds")
        begun = min(float(fact.value) for fact in self.facts("collector.step_uptime_seconds"))
        return float(ended.value) - begun


def run(
    text: Path, *options: str, shell: str = "dash", script: Path = SCRIPT, within: tuple[str, ...] = ()
) -> Run:
    arguments = ["--no-send", "--seconds", "1", "--out", str(text), *options]
    command = [*within, *shell.split(), str(script), *arguments]
    # Longer than the promised limit, to distinguish a hang from a slow machine.
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200, check=True
    )
    return Run(done, text)


@contextmanager
def module(name: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a module of this folder until left; it ends with its standard input."""
    command = [sys.executable, "-m", f"tests.ingest.collect.{name}", *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        yield process


@contextmanager
def silence(folder: Path) -> Iterator[None]:
    """Mount a file system on `folder` whose files never answer."""
    if not IS_ROOT or not Path("/dev/fuse").exists():
        pytest.skip("needs root and /dev/fuse")
    folder.mkdir()
    with module("silent_fs", str(folder)):
        yield
