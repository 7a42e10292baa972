"""Readings from iotop."""

from __future__ import annotations

from ingest.model.section import Text
from tests.ingest.samples import reader_of


def test_shares_that_the_kernel_does_not_have_are_no_part_of_the_command():
    reading = reader_of("iotop").read(
        Text(
            [
                "  TID  PRIO  USER     DISK READ  DISK WRITE  SWAPIN      IO    COMMAND",
                "20266 be/6 root        0.00 K/s  113.60 K/s ?unavailable?  postgres: checkpointer",
                "  812 be/4 root        0.00 K/s    1.00 K/s  0.00 % ?unavailable?  dd if=/dev/zero",
            ]
        )
    )
    assert {fact.labels["comm"] for fact in reading.facts} == {"postgres", "dd"}
    assert not [fact for fact in reading.facts if fact.name == "process.io_delay_share"]
