"""Captured files of real machines, found by path."""

from __future__ import annotations

from pathlib import Path

from ingest.model.section import Text
from ingest.sections import captured_files

DATA = Path(__file__).parents[2] / "data" / "files"
CAPTURED = sorted(
    str(path.relative_to(tree))
    for tree in DATA.iterdir()
    if tree.is_dir() and tree.name != "loose"
    for path in tree.rglob("*")
    if path.is_file()
)


def read(path: str):
    (tree,) = {child.name for child in DATA.iterdir() if (child / path).is_file()}
    lines = (DATA / tree / path).read_text().splitlines()
    reader = captured_files.reader_of_path(path)
    assert reader is not None, path
    return reader.read(Text(lines, 1, path))


def facts(path: str, name: str):
    return [(fact.value, fact.unit, dict(fact.labels)) for fact in read(path).facts if fact.name == name]


def value(path: str, name: str):
    (found,) = facts(path, name)
    return found[0]
