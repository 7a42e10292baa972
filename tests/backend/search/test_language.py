"""The query language: trees, and errors that point at their column."""

from __future__ import annotations

import pytest

from backend.search.language import Every, Not, QueryError, Some, Term, Word, parse, quoted


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", Every(())),
        ("memory", Word("memory", 1)),
        ('a "b c"', Every((Word("a", 1), Word("b c", 3, is_phrase=True)))),
        ("host:db7", Term("host", "db7", 6)),
        ('line:"EXT4-fs error"', Term("line", "EXT4-fs error", 6)),
        ("-status:closed", Not(Term("status", "closed", 9))),
        ("a b OR c", Some((Every((Word("a", 1), Word("b", 3))), Word("c", 8)))),
        ("a (b OR c)", Every((Word("a", 1), Some((Word("b", 4), Word("c", 9)))))),
        ("fact:memcg.usage_share>=0.9", Term("fact", "0.9", 6, ">=", "memcg.usage_share")),
        ("fact:loadavg.1m", Term("fact", "", 6, "", "loadavg.1m")),
        # What is pasted from a log is words.
        ("0000:01:00.0", Word("0000:01:00.0", 1)),
        ("nvme: timeout", Every((Word("nvme:", 1), Word("timeout", 7)))),
        ("ORDER", Word("ORDER", 1)),
    ],
)
def test_a_query_is_a_tree(text, tree):
    assert parse(text) == tree


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("memory hots:db7", 8, "host"),
        ("verdct:match", 1, "verdict"),
        ("host:", 6, "host:db7"),
        ('a "b', 3, "quote"),
        ("(a", 1, "parenthesis"),
        ("a)", 2, "parenthesis"),
        ("OR a", 1, "OR"),
        ("a OR", 3, "OR"),
        ("a OR OR b", 3, "OR"),
        ("(" * 30 + "a" + ")" * 30, 22, "nested"),
        ("a " * 70, 121, "terms"),
    ],
)
def test_an_error_points_at_its_column(text, column, says):
    with pytest.raises(QueryError) as error:
        parse(text)
    assert (error.value.column, says in str(error.value)) == (column, True)
    assert f"column {column}" in str(error.value)


@pytest.mark.parametrize("value", ["db7", "two words", 'a "b"', "a\\b", "(a)", "", "ünïcode"])
def test_a_quoted_value_is_read_as_it_was(value):
    term = parse(f"host:{quoted(value or 'x')}")
    assert isinstance(term, Term)
    assert term.value == (value or "x")
