"""Values that a finding extracts from its evidence, by the `extract` of its signature."""

from __future__ import annotations

import pytest

from signatures.judging.judge import judge
from signatures.language.errors import SignatureError
from tests.signatures.build import fact, item, rows
from tests.signatures.evidence import judge_text

ONE = """
clauses:
  hot: {title: t, role: core, stack: {contains: [f]}, share: {at_least: 0.3}, weight: 4}
decide: {require: {any: [hot]}, suspect: {score: 3}, match: {score: 4}}
"""


def test_a_finding_names_the_interface_that_its_log_records_name(catalog):
    """Two interfaces are none: a command for one of them would miss the other."""
    line = "[ {}.000001] e1000e 0000:00:19.0 {}: Detected Hardware Unit Hang:"
    hangs = [line.format(1000 + n, "eth0") for n in range(3)]
    found = judge_text("\n".join(hangs), catalog)["net/transmit-timeout"]
    assert dict(found.extract) == {"interface": "eth0"}
    found = judge_text("\n".join([*hangs, line.format(1009, "eth1")]), catalog)["net/transmit-timeout"]
    assert dict(found.extract) == {}


def test_a_finding_has_the_extracted_values(catalog):
    lines = "[20:49:30] inode is switching! inode: {} old cgroup: 22438 new cgroup: {}"
    text = "\n".join(lines.format(3730800 + n, 88 if n else 90) for n in range(3))
    found = judge_text(text, catalog)["writeback/inode-switch-wbs-storm"]
    assert dict(found.extract) == {"from_cgroup": "22438", "to_cgroup": "88"}
    holds = rows(
        "mmap_lock_hold_stats",
        "tid comm duration_us shrink_lruvec_calls",
        (1891547.0, "r_memory", 563997395.0, 13.0),
    )
    facts = [fact("memcg.limit_bytes", 4294967296.0), fact("meminfo.memavailable_bytes", 8589934592.0)]
    found = {one.signature.id: one for one in judge([item("e", row_sets=[holds], facts=facts)], catalog)}[
        "mm/mmap-lock-held-in-reclaim"
    ]
    assert dict(found.extract) == {
        "holder": "r_memory",
        "holder_tid": "1891547",
        "longest_hold": "564 s",
        "memory_limit": "4096 MiB",
        "available_on_the_host": "8192 MiB",
    }


@pytest.mark.parametrize(
    ("source", "words"), [("observed(cold)", "cold: no such clause"), ("sum(x)", "is not an extraction")]
)
def test_an_invalid_extraction_is_rejected(catalog_of, source, words):
    with pytest.raises(SignatureError, match=words):
        catalog_of(ONE + f"extract: {{x: {source}}}\n")
