"""What a start image keeps is what the interpreter would make, and one that does not fit is not used."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ingest import start_image
from tools.start_image import content_of

MODULE = """
import re
from dataclasses import dataclass
from typing import NamedTuple

@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 2

class Pair(NamedTuple):
    left: str
    right: str = ""

FOUND = re.compile(r"(?P<word>[a-zé]+)|(?P<number>\\d+)", re.IGNORECASE)
BYTES = re.compile(rb"a{2,}")
SAID = repr((
    Point(1), Point(1) == Point(1, 2), hash(Point(3, 4)) == hash((3, 4)), Pair("l"),
    [one.groupdict() for one in FOUND.finditer("AÉ 12")], FOUND.flags, FOUND.groupindex, FOUND,
    BYTES.search(b"baaa").span(),
))
"""

RECORD = """
import sys
from pathlib import Path
from tools.start_image import Recorder, content_of, write
recorder = Recorder()
from imaged import one
code = compile(Path(one.__file__).read_text(), one.__file__, "exec")
modules = {"imaged.one": (one.__file__, code)}
write(content_of(modules, recorder.expressions, recorder.texts), Path(sys.argv[1]))
print(one.SAID)
"""

USE = """
import sys
from ingest import start_image
start_image.use(sys.argv[1])
from imaged import one
print(one.SAID)
print(type(one.__spec__.loader).__name__, one.__spec__.origin == one.__file__)
"""


def printed(code, folder):
    """Return what a program prints whose modules are in a folder."""
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", code, str(folder / "start.image")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return done.stdout.splitlines()


def test_modules_expressions_and_classes_of_an_image_are_those_of_their_sources(tmp_path):
    (tmp_path / "imaged").mkdir()
    (tmp_path / "imaged/__init__.py").touch()
    source = tmp_path / "imaged/one.py"
    source.write_text(MODULE, encoding="utf-8")
    [said] = printed(RECORD, tmp_path)
    assert printed(USE, tmp_path) == [said, "_Loader True"]

    source.write_text("SAID = 'changed'", encoding="utf-8")
    assert printed(USE, tmp_path)[0] == "changed"


@pytest.mark.parametrize("content", [b"", b"torn", (4).to_bytes(8, "little") + b"torn and more"])
def test_a_torn_image_is_not_used(content, tmp_path):
    file = tmp_path / "start.image"
    file.write_bytes(content)
    before = list(sys.meta_path)
    start_image.use(str(file))
    assert sys.meta_path == before


def test_an_image_of_another_python_is_not_used(monkeypatch):
    monkeypatch.setattr(start_image, "python", lambda: "another")
    content = content_of({}, {}, {})
    monkeypatch.undo()
    with pytest.raises(ValueError, match="another"):
        start_image.Image(content)
