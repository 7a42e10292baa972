r"""Answers questions about stored readings until nobody asks any more; what it loaded serves the next one.

Over the stream socket of the input, one at a time:

    {"ask": "graph", "profile": {…}, …}\n
    {"outcome": "answer", "bytes": 4711}\n …bytes…
    {"outcome": "absent", "bytes": 31}\n the profile has no node 9,999,999

An outcome other than `answer` brings a sentence for people, `damaged` the path of the folder. Whatever else
goes wrong ends the fork, and its exit status says how.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from backend.sandbox.computations import profile_views, series_views
from backend.sandbox.computations.kept_readings import Readings
from backend.sandbox.computations.outcomes import AbsentError, DamagedFolderError
from ingest.model import reading_folder
from ingest.model.errors import UnsupportedQueryError
from ingest.model.selection import EVERYTHING

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.model.reading import Reading

QUESTIONS = {**profile_views.QUESTIONS, **series_views.QUESTIONS}

FIRST_QUESTIONS: tuple[dict[str, Any], ...] = (
    {
        "ask": "graph",
        "tree": {
            "min_share": 0.001,
            "root": None,
            "depth": None,
            "keep": (),
            "order": "left-heavy",
            "is_inverted": False,
            "is_compact": True,
            "is_by_command": True,
            "joins_nameless": True,
        },
    },
    {"ask": "overview"},
    {"ask": "table", "options": {}},
    {"ask": "heat", "options": {}, "node": None},
    {"ask": "lanes", "options": {}},
)


def answer_questions(_arguments: dict[str, Any], _output: Path, descriptor: int) -> None:
    """Answer the questions that come over `descriptor`, a connected socket, until it is closed."""
    readings = Readings()
    with os.fdopen(descriptor, "rb", closefd=False) as asked:
        for line in asked:
            outcome, content = _answered(readings, json.loads(line))
            head = json.dumps({"outcome": outcome, "bytes": len(content)}).encode() + b"\n"
            for piece in (head, content):
                _write(descriptor, piece)


def warm_up(reading: Reading, directory: Path) -> None:
    """Save `reading` below `directory` and ask about it what pages ask first, which then takes less."""
    folder = directory / "warm-up"
    reading_folder.save(reading, folder)
    place = {"folder": str(folder), "ordinal": 0, "id": "", "name": ""}
    readings = Readings()
    for question in FIRST_QUESTIONS:
        QUESTIONS[question["ask"]](readings, {"profile": place, "selection": asdict(EVERYTHING), **question})
    shutil.rmtree(folder)


def _answered(readings: Readings, question: dict[str, Any]) -> tuple[str, bytes]:
    try:
        return "answer", QUESTIONS[question["ask"]](readings, question)
    except AbsentError as error:
        return "absent", str(error).encode("utf-8", "replace")
    except UnsupportedQueryError as error:
        return "unsupported", str(error).encode("utf-8", "replace")
    except DamagedFolderError as error:
        return "damaged", str(error).encode("utf-8", "surrogateescape")


def _write(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
