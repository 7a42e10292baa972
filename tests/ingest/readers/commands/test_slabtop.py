"""Rows of slabtop are read wherever a paste begins and whatever the unit column leaves out."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes

ROWS = (
    "1382400 1382400 100%    0.19K  65829       21    263316{k} dentry\n"
    " 912312  912000  99%    1.02K  30411       30    973152{k} ext4_inode_cache\n"
)


@pytest.mark.parametrize("k", ["K", ""])
def test_rows_without_a_header_are_read(k):
    (section,) = read_bytes(ROWS.format(k=k).encode(), name="x").sections
    sizes = {one.labels["cache"]: one.value for one in section.reading.facts if one.name == "slab.size_bytes"}
    assert sizes == {"dentry": 263316 * 1024.0, "ext4_inode_cache": 973152 * 1024.0}
