"""Packets and interrupts that all go to one CPU."""

from __future__ import annotations

import pytest

from tests.signatures.overview.stated import statements
from tests.signatures.overview.test_first_screen import overview, states

BUSY, CALM = 0x3B9ACA00, 0x00989680
ROW = " 71: 90812345 0 0 0  PCI-MSI 1048576-edge  ens5-rxtx-0\n"


def softnet(*processed: int, cpus: tuple[int, ...] = ()) -> str:
    """Return the rows of CPUs that processed so many packets; with the CPU column where `cpus` names them."""
    rest = ["00000000"] * 8
    rows = [[f"{one:08x}", "00000000", "00000007", *rest] for one in processed]
    for row, cpu in zip(rows, cpus, strict=bool(cpus)):
        row += ["00000000", f"{cpu:08x}"]
    return "".join(f"{' '.join(row)}\n" for row in rows)


def test_packets_that_one_cpu_processes_lead():
    found = overview(softnet(BUSY, CALM, CALM, CALM, CALM))
    assert found.headline.text.startswith("One CPU alone processes the received packets of this host (96.2 %")
    assert found.headline.kind == "fact"
    assert states(found)["network"] == "notable"
    assert "/proc/interrupts" in found.next_capture.command
    assert "mpstat -P ALL" in found.next_capture.command
    assert "spread the queues" in found.first_steps[0]


def test_the_cpu_is_named_where_the_format_does():
    text = softnet(CALM, BUSY, CALM, CALM, cpus=(8, 9, 10, 11))
    assert any("were processed by CPU 9 since boot" in one for one in statements(text))
    unnamed = softnet(CALM, BUSY, CALM, CALM)
    assert any("were processed by number 2 of them since boot" in one for one in statements(unnamed))


@pytest.mark.parametrize(
    "processed",
    [(BUSY, CALM, CALM), (BUSY, BUSY, CALM, CALM), (BUSY // 100, 0, 0, 0), (0, 0, 0, 0)],
    ids=["few CPUs", "two CPUs", "few packets", "none"],
)
def test_a_host_with_little_choice_or_traffic_is_silent(processed):
    assert not any("processed by" in one for one in statements(softnet(*processed)))


def test_a_row_without_its_header_names_the_column():
    (text,) = statements(ROW)
    assert text == (
        "All 90,812,345 interrupts of ens5-rxtx-0 are in the first of 4 columns since boot; one queue goes "
        "to one CPU by design, and the other queues of the device tell more"
    )
    moved = ROW.replace("90812345 0 0 0", "0 90812345 1 0").replace("ens5-rxtx-0", "ens5")
    assert statements(moved) == [
        "100 % of 90,812,346 interrupts of ens5 are in column 2 of 4 columns since boot"
    ]


def test_queues_without_a_header_are_named_together():
    rows = ROW + ROW.replace(" 71:", " 72:").replace("rxtx-0", "rxtx-1")
    assert statements(rows) == [
        "100 % of 181,624,690 interrupts of the 2 queues of ens5 are in the first of 4 columns since boot"
    ]


@pytest.mark.parametrize(
    "row",
    [ROW.replace("90812345 0 0 0", "90812345 80812345 1 0"), ROW.replace("90812345", "908")],
    ids=["spread", "few"],
)
def test_a_row_that_is_spread_or_has_few_is_silent(row):
    assert statements(row) == []
