"""The name index finds the same names as a full scan."""

from __future__ import annotations

import pytest

from signatures.judging.name_index import NameIndex
from signatures.language.patterns import is_any

NAMES = (
    "shrink_lruvec",
    "__mutex_lock",
    "__mutex_lock.constprop.0",
    "shrink_slab",
    "do_shrink_slab",
    "[unknown]",
    "shrink_lruvec",
    "",
    "__x64_sys_exit_group",
    "sysctl_exit_sysctl",
)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("shrink_lruvec", [0, 6]),
        ("shrink", []),
        ("shrink_*", [0, 3, 6]),
        ("__mutex_lock*", [1, 2]),
        ("*shrink_slab", [3, 4]),
        ("*shrink*slab*", [3, 4]),
        ("sys*sys*l", [9]),
        ("*sys_exit*", [8]),
        ("__mutex_lock*lock", []),
        ("*", list(range(len(NAMES)))),
        ("**", list(range(len(NAMES)))),
        ("[unknown]*", [5]),
        ("?hrink*", []),
    ],
)
def test_the_index_finds_the_same_as_a_full_scan(pattern, found):
    assert sorted(NameIndex(NAMES).matching(pattern)) == found
    assert [place for place, name in enumerate(NAMES) if is_any(name, (pattern,))] == found


def test_a_star_spans_lines():
    assert is_any("INFO: task kworker blocked\nTainted: G", ("INFO: task*Tainted*",))


def test_many_stars_are_fast():
    assert not is_any("a" * 2000 + "c", ("*a" * 20 + "*b",))
    assert not len(NameIndex(["a" * 2000 + "c"]).matching("*a" * 20 + "*b"))
