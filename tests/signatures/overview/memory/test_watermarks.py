"""Zones of /proc/zoneinfo against their watermarks, and the largest caller of vmalloc."""

from __future__ import annotations

import pytest

from tests.signatures.overview.stated import MACHINE, statements
from tests.signatures.overview.test_first_screen import overview, states, texts

ZONES = """\
Node 0, zone    DMA32
  pages free     {dma32}
        min      4000
        low      6000
        high     7000
        managed  700000
Node 0, zone   Normal
  pages free     {normal}
        min      11311
        low      14138
        high     16965
        managed  2000000
"""


@pytest.mark.parametrize(
    ("dma32", "normal", "words", "state"),
    [
        (50_000, 3_000, "zone Normal: 3,000 pages are free, below the watermark min of 11,311", "alarm"),
        (3_000, 90_000, "zone DMA32: 3,000 pages are free, below the watermark min of 4,000", "notable"),
        (50_000, 12_000, "below the watermark low of 14,138: kswapd reclaims", "not assessed"),
        (50_000, 15_000, "No zone of memory is below its watermark low; node 0, zone Normal", "not assessed"),
    ],
)
def test_a_zone_is_stated_against_its_watermarks(dma32, normal, words, state):
    found = overview(ZONES.format(dma32=dma32, normal=normal))
    assert words in found.headline.text
    assert states(found)["memory"] == state


def test_a_healthy_machine_has_no_zone_below_a_watermark():
    found = overview((MACHINE / "proc/zoneinfo").read_text())
    assert texts(found) == []
    assert "No zone of memory is below its watermark low" in found.headline.text


@pytest.mark.parametrize("free", [0, 10**300])
def test_a_zone_that_manages_nothing_is_below_no_watermark(free):
    marks = "        min      32\n        low      32\n        managed  0\n"
    text = f"Node 0, zone  Movable\n  pages free     {free}\n{marks}"
    assert statements(text) == []


def test_the_largest_caller_of_vmalloc_is_stated_with_its_share():
    found = overview((MACHINE / "proc/vmallocinfo").read_text())
    assert found.headline.text.startswith("htab_map_alloc holds 64.9 % of 12.18 MiB of vmalloc memory")
    (statement,) = (one.statement for one in found.statements)
    assert (statement.level, statement.subject) == ("context", "htab_map_alloc")
    part = overview(
        "$ sort -k2 -n -r /proc/vmallocinfo | head -n 60\n" + (MACHINE / "proc/vmallocinfo").read_text()
    )
    assert "of the listed areas" in part.headline.text


def test_mapped_devices_are_no_vmalloc_memory():
    row = (
        "0x00000000cdc0e6cc-0x000000001713a77e 268439552 pci_iomap_range+0x2c/0x80 phys=0x40000000 ioremap\n"
    )
    assert statements(row) == []
