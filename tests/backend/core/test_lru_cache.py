"""The LRU cache evicts the least recently used value, and always keeps the latest."""

from __future__ import annotations

from backend.core.lru_cache import LruCache


def test_the_least_recently_used_value_is_evicted():
    recent = LruCache(3, len)
    for word in ("a", "b", "c"):
        recent.put(word, word)
    assert recent.get("a") == "a"
    recent.put("d", "d")
    assert [recent.get(word) for word in "abcd"] == ["a", None, "c", "d"]


def test_a_value_over_the_limit_is_cached_alone():
    recent = LruCache(3, len)
    recent.put("small", "x")
    recent.put("large", "x" * 10)
    assert (recent.get("small"), recent.get("large")) == (None, "x" * 10)


def test_a_key_put_twice_counts_once():
    recent = LruCache(3, len)
    for _ in range(5):
        recent.put("a", "aa")
    recent.put("b", "b")
    assert (recent.get("a"), recent.get("b")) == ("aa", "b")
