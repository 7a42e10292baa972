"""Response cache on disk: bounded, LRU, harmless when the disk is full."""

from __future__ import annotations

import os

from backend.profiles.caching import Answers


def names(count):
    return [f"{at:032x}" for at in range(count)]


def test_stored_content_is_returned(tmp_path):
    kept = Answers(tmp_path, 10_000)
    kept.put(names(1)[0], b"packed")
    assert kept.get(names(1)[0]) == b"packed"
    assert kept.get(names(2)[1]) is None


def test_the_least_recently_used_is_evicted(tmp_path):
    kept = Answers(tmp_path, 10_000)
    for age, name in enumerate(names(9)):
        kept.put(name, b"x" * 1000)
        os.utime(tmp_path / name[:2] / f"{name}.gz", (age, age))
    used = names(9)[1]
    assert kept.get(used)
    kept.put("e" * 32, b"x" * 1000)
    kept.put("f" * 32, b"x" * 1000)
    size = sum(path.stat().st_size for path in tmp_path.rglob("*.gz"))
    assert size <= 10_000
    assert kept.get(used)
    assert kept.get("f" * 32)
    assert kept.get(names(1)[0]) is None


def test_too_large_content_is_not_stored(tmp_path):
    Answers(tmp_path, 100).put("a" * 32, b"x" * 101)
    Answers(tmp_path, 0).put("a" * 32, b"x")
    assert list(tmp_path.rglob("*.gz")) == []


def test_an_unwritable_cache_loses_no_response(tmp_path):
    (tmp_path / "aa").write_text("in the way")
    Answers(tmp_path, 10_000).put("a" * 32, b"x")
    assert (tmp_path / "aa").read_text() == "in the way"
