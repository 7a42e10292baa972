"""A command imports the readers that its evidence needs, and the index of the readers is current."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys

import pytest

from ingest import readers, tables
from ingest.parsing.format_reader import FormatReader, imported_format
from ingest.parsing.late_modules import LateModule, has, late_module
from ingest.parsing.shapes import Meaning
from tests.ingest.samples import DATA

IMPORTED = """
import json, sys
from ingest.evidence import read_file
from ingest.parsing.late_modules import LateModule
from ingest import readers
from pathlib import Path
sections = [one.format for one in read_file(Path(sys.argv[1])).sections]
every = [readers._module(one) for one in (*readers.FILES, *readers.FORMATS, *readers.DOCUMENTS)]
print(json.dumps([sections, sum(not isinstance(one, LateModule) for one in every), len(every)]))
"""


def test_a_small_file_imports_few_readers():
    path = DATA / "files/machine/proc/meminfo"
    printed = subprocess.run([sys.executable, "-c", IMPORTED, path], capture_output=True, check=True).stdout
    sections, imported, every = json.loads(printed)
    assert sections == ["proc-meminfo"]
    assert imported < every / 10


def test_the_index_states_what_the_readers_have(tmp_path):
    readers.write_index(tmp_path)
    rows = json.loads((tmp_path / readers.INDEX.name).read_text())["document"]
    for row, reader in zip(rows, readers._READERS, strict=True):
        known = {name: readers._restored(value) for name, value in row["known"].items()}
        if isinstance(reader, FormatReader):
            imported = imported_format(importlib.import_module(reader.__name__))
            assert (known, set(row["methods"])) == (imported.attributes, imported.methods)
            assert {
                name: Meaning(*readers._restored(fact)) for name, fact in row["facts"].items()
            } == imported.facts
        else:
            assert known == {name: getattr(reader, name) for name in readers.KNOWN if hasattr(reader, name)}


def test_a_late_module_is_imported_once_and_is_the_one_of_an_import(tmp_path, monkeypatch):
    (tmp_path / "late_package").mkdir()
    (tmp_path / "late_package/__init__.py").touch()
    (tmp_path / "late_package/one.py").write_text("NAME = 'read'\nCOUNT = [1]\n")
    monkeypatch.syspath_prepend(tmp_path)
    late_package = importlib.import_module("late_package")

    made = late_module(late_package, "one", {"NAME": "known"}, frozenset({"NAME", "COUNT"}), is_package=False)
    assert (made.NAME, has(made, "COUNT"), hasattr(made, "other")) == ("known", True, False)
    assert isinstance(made, LateModule)
    one = importlib.import_module("late_package.one")

    assert one is made
    assert (one.COUNT, one.NAME) == ([1], "read")
    assert not isinstance(one, LateModule)


def test_modules_inside_a_late_package_are_imported_first_and_once(tmp_path, monkeypatch):
    inside = tmp_path / "outer_package/inner"
    inside.mkdir(parents=True)
    (tmp_path / "outer_package/__init__.py").touch()
    (inside / "__init__.py").write_text("from outer_package.inner import first\nread = first.SEEN\n")
    (inside / "first.py").write_text("from outer_package.inner import second\nSEEN = [second.COUNT]\n")
    (inside / "second.py").write_text("COUNT = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    outer_package = importlib.import_module("outer_package")

    names = frozenset({"read", "first", "second"})
    made = late_module(outer_package, "inner", {}, names, is_package=True)
    first = importlib.import_module("outer_package.inner.first")
    assert isinstance(made, LateModule)
    assert made.read is first.SEEN
    assert not isinstance(made, LateModule)


def test_a_module_that_cannot_be_imported_stays_late(tmp_path, monkeypatch):
    (tmp_path / "torn_package").mkdir()
    (tmp_path / "torn_package/__init__.py").touch()
    (tmp_path / "torn_package/one.py").write_text("raise ValueError('torn')\n")
    monkeypatch.syspath_prepend(tmp_path)
    torn_package = importlib.import_module("torn_package")

    made = late_module(torn_package, "one", {}, frozenset({"read"}), is_package=False)
    for _ in range(2):
        with pytest.raises(ValueError, match="torn"):
            _ = made.read


def test_tables_are_the_same_with_and_without_the_compiled_file(tmp_path):
    tables.write(tmp_path)
    compiled = tables._compiled(tmp_path)
    paths = [path for folder in tables.FOLDERS for path in (tables.PACKAGE.parent / folder).glob("*.yaml")]
    contents = [path.read_bytes() for path in paths]
    texts = [tables._text(compiled, tables._digest(one)) for one in contents]
    assert list(map(tables._restored, texts)) == list(map(tables._parsed, contents))
    assert not tables._compiled(tmp_path / "none").places


def test_tables_that_another_version_compiled_count_as_missing(tmp_path):
    (tmp_path / tables.COMPILED).write_text('{"0f1e": {"rows": []}, "2d3c": "[]"}')
    assert [tables._text(tables._compiled(tmp_path), one) for one in ("0f1e", "2d3c")] == [None, None]
