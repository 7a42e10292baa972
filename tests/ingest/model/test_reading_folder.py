"""Reading folders: round trip, and equal digests of equal readings."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest

from ingest.evidence import read_file
from ingest.model import reading_folder
from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.profile import Profile, Symbol, SymbolTable
from ingest.model.reading import LogRecord, Quality, Reading, RowSet, Skipped

DATA = Path(__file__).parents[2] / "data"
FIRST_FORMAT = Path(__file__).parent / "first_format"
SAMPLES = sorted(
    path
    for path in DATA.rglob("*")
    if path.is_file() and path.suffix in {".txt", ".gz", ""} and "bad" not in path.relative_to(DATA).parts
)


def assert_same(one: Reading, other: Reading) -> None:
    for field in dataclasses.fields(Reading):
        if field.name != "profiles":
            assert getattr(one, field.name) == getattr(other, field.name)
    assert len(one.profiles) == len(other.profiles)
    for first, second in zip(one.profiles, other.profiles, strict=True):
        for field in dataclasses.fields(Profile):
            mine, theirs = getattr(first, field.name), getattr(second, field.name)
            if isinstance(mine, np.ndarray):
                np.testing.assert_array_equal(mine, theirs)
            else:
                assert mine == theirs


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: str(path.relative_to(DATA)))
def test_what_is_loaded_equals_what_was_saved(sample, tmp_path):
    for section in read_file(sample).sections:
        first = reading_folder.save(section.reading, tmp_path / str(section.ordinal))
        loaded = reading_folder.load(tmp_path / str(section.ordinal))
        assert_same(section.reading, loaded)
        assert reading_folder.save(loaded, tmp_path / f"again-{section.ordinal}") == first


def test_a_folder_of_the_first_format_is_read():
    """The folder holds `tests/data/iostat/iostat.short.txt`, saved while all rows were JSON."""
    reading = reading_folder.load(FIRST_FORMAT)
    (rows,) = reading.row_sets
    assert len(rows) == 4
    assert list(rows.column("device")) == [None, "loop0", "loop1", "vda"]
    assert rows.rows[0][:4] == (2.0, None, 0.7277, 0.0842)
    assert [fact.value for fact in reading.facts if fact.name == "kernel.release"] == ["6.18.44-fc-v595"]
    assert reading_folder.verify(FIRST_FORMAT)


def test_long_tables_survive_as_arrays(tmp_path):
    size = 5000
    rows = RowSet.of_rows(
        "vmstat",
        ("runnable", "state", "wait", "odd"),
        [
            (at * 0.5, "SR"[at % 2], None if at % 3 else float(at), "x" if at % 2 else 1.0)
            for at in range(size)
        ],
        range(3, size + 3),
    )
    empty = RowSet.of_rows("nothing", ("a",), (), ())
    reading_folder.save(Reading(row_sets=(rows, empty, rows)), tmp_path)
    assert (tmp_path / "rows-2.numbers.col.zst").exists()
    loaded = reading_folder.load(tmp_path)
    assert_same(loaded, Reading(row_sets=(rows, empty, rows)))
    assert loaded.row_sets[0].rows[4999] == (2499.5, "R", None, "x")


def test_a_table_of_another_length_than_its_columns_breaks_the_folder(tmp_path):
    rows = RowSet.of_rows("long", ("a", "b"), [(1.0, "x")] * 3000, range(3000))
    reading_folder.save(Reading(row_sets=(rows,)), tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    longer = RowSet.of_rows("long", ("a", "b"), [(1.0, "x")] * 3001, range(3001))
    reading_folder.save(Reading(row_sets=(longer,)), tmp_path / "longer")
    (tmp_path / "rows-0.lines.col.zst").write_bytes(
        (tmp_path / "longer" / "rows-0.lines.col.zst").read_bytes()
    )
    other = json.loads((tmp_path / "longer" / "manifest.json").read_text())
    manifest["columns"]["rows-0.lines"] = other["columns"]["rows-0.lines"]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(reading_folder.BrokenFolderError, match="different lengths"):
        reading_folder.load(tmp_path)


def test_every_kind_of_value_survives(tmp_path):
    reading = Reading(
        tables=(
            SymbolTable("cycles", (Symbol("f", 0.5, None, "[kernel]", "kernel", "", 3),), None, 1.0, True),
        ),
        facts=(
            Fact("memcg.limit_bytes", math.inf, Lines(1, 1), "bytes", {"cgroup": "/a"}, 2, 1.5),
            Fact("mm.lru_gen.enabled", False, Lines(2, 2)),
            Fact("host.name", "böse-\ud800", Lines(3, 3)),
        ),
        log_records=(LogRecord("oom_kill", "killed", Lines(4, 9), {"pid": 3.0, "comm": None}, 1.25, None),),
        row_sets=(
            RowSet.of_rows("strace", ("pid", "call"), ((1.0, "read"), (None, "write")), (5, 6), 0.5),
            RowSet.of_rows("nothing", ("a",), (), ()),
        ),
        skipped=(Skipped("not a row", 3, 7),),
        quality=(Quality("excerpt", "cut", 8),),
    )
    reading_folder.save(reading, tmp_path)
    assert_same(reading, reading_folder.load(tmp_path))


def test_an_empty_reading_is_a_folder_too(tmp_path):
    reading_folder.save(Reading(), tmp_path)
    assert_same(reading_folder.load(tmp_path), Reading())


def test_the_digest_follows_the_content(tmp_path):
    one = reading_folder.save(Reading(facts=(Fact("a", 1.0, Lines(1, 1)),)), tmp_path / "1")
    same = reading_folder.save(Reading(facts=(Fact("a", 1.0, Lines(1, 1)),)), tmp_path / "2")
    other = reading_folder.save(Reading(facts=(Fact("a", 2.0, Lines(1, 1)),)), tmp_path / "3")
    assert one == same != other
    assert reading_folder.digest(tmp_path / "1") == one


@pytest.fixture
def saved(tmp_path):
    reading_folder.save(
        read_file(DATA / "bare-stack" / "stack.shrink_lruvec.txt").sections[0].reading, tmp_path
    )
    return tmp_path


def test_an_altered_column_is_noticed(saved):
    column = next(saved.glob("*.node_frame.col.zst"))
    other = next(saved.glob("*.node_line.col.zst"))
    column.write_bytes(other.read_bytes())
    with pytest.raises(reading_folder.BrokenFolderError, match="node_frame was altered"):
        reading_folder.load(saved)


def test_a_missing_column_is_noticed(saved):
    next(saved.glob("*.sample_node.col.zst")).unlink()
    with pytest.raises(reading_folder.BrokenFolderError, match="sample_node cannot be read"):
        reading_folder.load(saved)


def test_a_folder_without_manifest_is_none(tmp_path):
    with pytest.raises(reading_folder.BrokenFolderError, match="no readable manifest"):
        reading_folder.load(tmp_path)


def test_indices_that_point_outside_are_refused(tmp_path):
    reading = read_file(DATA / "bare-stack" / "stack.shrink_lruvec.txt").sections[0].reading
    profile = reading.profiles[0]
    parents = profile.node_parent.copy()
    parents[0] = 5
    broken = dataclasses.replace(profile, node_parent=parents)
    reading_folder.save(Reading(profiles=(broken,)), tmp_path)
    with pytest.raises(reading_folder.BrokenFolderError, match="node_parent points outside"):
        reading_folder.load(tmp_path)


def test_a_manifest_of_another_shape_is_refused(saved):
    manifest = json.loads((saved / "manifest.json").read_text())
    manifest["profiles"] = 7
    (saved / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(reading_folder.BrokenFolderError, match="breaks its own rules"):
        reading_folder.load(saved)
