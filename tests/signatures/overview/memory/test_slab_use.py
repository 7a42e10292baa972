"""Slab of which much is free space; slab in use and small slab are silent."""

from __future__ import annotations

import pytest

from tests.signatures.overview.stated import MACHINE, changed, statements
from tests.signatures.overview.test_first_screen import overview, states

SLABTOP = (MACHINE / "sos_commands/memory/slabtop_-o").read_text()
SIZES = "1653355.25K / 1664612.03K (99.3%)"
HALF = changed(SLABTOP, SIZES, "2621440.50K / 5242880.00K (50.0%)")


def test_free_space_in_slabs_leads_with_its_line():
    found = overview(HALF)
    assert found.headline.text == "2.5 of 5 GiB of slab is free space in partly used slabs (50 % in use)"
    assert found.headline.kind == "fact"
    assert states(found)["memory"] == "notable"
    assert found.statements[0].statement.places[0].first_line == 4
    assert "is in the slab cache" in found.statements[1].statement.text
    assert "/proc/cgroups" in found.next_capture.command
    assert "SReclaimable" in found.next_capture.reason
    assert found.first_steps


@pytest.mark.parametrize(
    "sizes",
    [SIZES, "2621440.50K / 4042880.00K (64.8%)", "421440.50K / 942880.00K (44.7%)", "0K / 0K (0.0%)"],
    ids=["in use", "mostly in use", "small", "none"],
)
def test_slab_in_use_and_small_slab_are_silent(sizes):
    assert not any("free space" in one for one in statements(SLABTOP.replace(SIZES, sizes)))


def test_little_of_a_large_machine_is_silent():
    memory = "MemTotal:       {} kB\nMemFree:        4194304 kB\nCached:  4194304 kB\nAnonPages: 1 kB\n\n"
    assert any("free space" in one for one in statements(memory.format(67108864) + HALF))
    assert not any("free space" in one for one in statements(memory.format(1073741824) + HALF))


def test_the_last_reading_counts():
    later = f"{HALF}\n{SLABTOP}"
    assert not any("free space" in one for one in statements(later))


HEAD = "  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME\n"
ROWS = (
    "202626 198469  97%    0.21K  11257       18     45028K dentry\n"
    "  6960   6946  99%    4.00K    870        8     {}K kmalloc-2k\n"
)


def test_a_cache_that_reclaim_cannot_shrink_leads_with_its_growth():
    found = overview(HEAD + ROWS.format(27840) + "\n" + HEAD + ROWS.format(40672))
    assert "kmalloc-2k" in found.headline.text
    assert "from 27.19 MiB to 39.72 MiB" in found.headline.text
    assert states(found)["memory"] == "notable"


@pytest.mark.parametrize("later", [27844, 29000, 20000], ids=["steady", "a little", "fell"])
def test_a_cache_that_hardly_grows_is_no_growth(later):
    found = overview(HEAD + ROWS.format(27840) + "\n" + HEAD + ROWS.format(later))
    assert not any("cannot shrink" in one.statement.text for one in found.statements)
