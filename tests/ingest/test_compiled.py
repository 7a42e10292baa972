"""Compiled documents are used for their sources only."""

from __future__ import annotations

import pytest

from ingest import format_list
from ingest.compiled import Compiled

COMPILED = Compiled("rows.json", ("readers/*.py",))


@pytest.fixture
def package(tmp_path):
    (tmp_path / "readers").mkdir()
    (tmp_path / "readers/a.py").write_text("A")
    COMPILED.write(tmp_path, ["a"])
    return tmp_path


def test_a_document_is_loaded_while_its_sources_are_unchanged(package):
    (package / "other.py").write_text("B")
    assert COMPILED.load(package) == ["a"]


@pytest.mark.parametrize(
    ("name", "text"), [("readers/a.py", "B"), ("readers/b.py", ""), ("rows.json", "{torn")]
)
def test_a_changed_or_added_source_or_a_torn_file_counts_as_missing(package, name, text):
    (package / name).write_text(text)
    assert COMPILED.load(package) is None


def test_a_source_that_went_counts_as_missing(package):
    (package / "readers/a.py").unlink()
    assert COMPILED.load(package) is None


def test_formats_are_the_same_with_and_without_the_compiled_file(tmp_path, monkeypatch):
    made = format_list.format_rows()
    format_list.write(tmp_path)
    monkeypatch.setattr(format_list, "PACKAGE", tmp_path)
    assert format_list.format_rows() == made
    (tmp_path / "readers").mkdir()
    (tmp_path / "readers/new.py").touch()
    assert format_list.format_rows() == made
