"""Rows of /proc/interrupts without the row of CPUs."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes

BARE = {
    "one queue of a network card": " 61:  4410231  0  0  17  PCI-MSI 3145728-edge  eth2-rxtx-1",
    "an older kernel": " 61:  4410231  0   IO-APIC-fasteoi   megasas",
    "remapped": "  140:  12  9913  0  IR-PCI-MSIX-0000:41:00.0   12-edge      nvme3q12",
    "Arm": " 27:  812  913  711  944  GICv3  27 Level     arch_timer",
    "a guest of Xen": " 85:  8120  0   xen-dyn    -event     eth0-q0-rx",
    "timers": "LOC:     812912     913021   Local timer interrupts",
    "shootdowns": " TLB:  81  93  TLB shootdowns",
}


def sections(text: str):
    return read_bytes(text.encode(), name="x.txt").sections


@pytest.mark.parametrize("name", BARE)
def test_a_row_alone_is_read(name):
    row = BARE[name]
    (section,) = sections(f"{row}\n")
    assert section.format == "proc-interrupts"
    ((irq, device, total, cpu, share, column, columns),) = section.reading.row_sets[0].rows
    words = row.split()
    counts = [int(word) for word in words[1 : 1 + int(columns)]]
    assert irq == words[0].removesuffix(":")
    assert device == " ".join(words[1 + len(counts) :])
    assert (total, cpu, share) == (sum(counts), None, max(counts) / sum(counts))
    assert counts[int(column) - 1] == max(counts)


def test_a_header_names_the_cpu_of_a_column():
    head = "           CPU0       CPU4\n"
    (section,) = sections(f"{head} 61:  0  4410231  PCI-MSI 3145728-edge  eth2-rxtx-1\n")
    ((*_, cpu, share, column, columns),) = section.reading.row_sets[0].rows
    assert (cpu, share, column, columns) == (4, 1.0, 2, 2)


def test_a_row_printed_again_is_a_second_reading():
    row = BARE["one queue of a network card"]
    assert [one.format for one in sections(f"{row}\n{row}\n")] == ["proc-interrupts"] * 2


@pytest.mark.parametrize(
    "line",
    [
        " 61:  4410231   PCI-MSI 3145728-edge  eth2-rxtx-1",
        " 61:  4410231  0  0  17",
        " 61:  4410231  0  PCI-MSI",
        "12:04:31  81  93  TLB shootdowns",
        " 61:  44  19  users were logged in at the edge of town",
        "NET_RX:     812912     913021",
        "CPU:  812  913  busy",
        "Node 0:  12  14  MiB",
        "ERR:          0",
        "  1: 0100007F:0CEA 00000000:0000 0A 00000000:00000000 00:00000000 00000000   110        0 2101",
        "1: POSIX  ADVISORY  WRITE 812 08:01:1311 0 EOF",
    ],
)
def test_what_is_no_row_is_not_claimed(line):
    assert all(one.format != "proc-interrupts" for one in sections(f"{line}\n{line}\n"))
