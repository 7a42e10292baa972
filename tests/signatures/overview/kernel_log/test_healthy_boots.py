"""The prior of healthy boots is counts by the identity of a message, of machines that are not held out."""

from __future__ import annotations

import pytest

from ingest.native import messages
from signatures.overview.kernel_log.healthy_boots import (
    DATA,
    identity_of,
    machine_count,
    machines_with,
    packed,
    unpacked,
)
from tools.healthy_boots import boots_of, counted

MOST_BYTES = 300_000
BOOT = "[    0.000000] Linux version 6.1.0 (gcc)\n[    1.000000] {}\n"


def identity(message: str) -> int:
    return identity_of(message, messages.find(message))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("usb 1-1: device descriptor read/64, error -71", "usb 3-2.1: device descriptor read/8, error -32"),
        ("sd 2:0:0:0: [sdb] qwertz mode page found", "sd 3:0:1:0: [sdc] qwertz mode page found"),
    ],
    ids=["catalogued", "of no source"],
)
def test_values_and_devices_do_not_change_the_identity(one, other):
    assert identity(one) == identity(other)
    assert identity(one) != identity(one.replace("read", "seek").replace("mode", "code"))


def test_counts_are_of_machines_and_the_held_out_half_is_not_in_them(tmp_path):
    logs = {
        "a": ("one", "train", "widget: cannot spin"),
        "b": ("one", "train", "widget: cannot spin"),
        "c": ("two", "train", "widget: cannot spin"),
        "d": ("three", "heldout", "gadget: cannot turn"),
    }
    head = "file\tmachine id\tvendor\tkind\tkernel release\thalf\n"
    rows = [f"{name}\t{machine}\tACME\tphysical\t6.1\t{half}\n" for name, (machine, half, _) in logs.items()]
    (tmp_path / "BOOTS.tsv").write_text(head + "".join(rows))
    for name, (_, _, message) in logs.items():
        (tmp_path / name).write_text(BOOT.format(message))
    boots = boots_of(tmp_path, "train")
    machines, counts = counted(boots)
    prior = unpacked(packed(machines, [boot.digest for boot in boots], counts))
    assert prior.machines == 2
    assert prior.counts[identity("widget: cannot spin")] == 2
    assert identity("gadget: cannot turn") not in prior.counts
    assert boots_of(tmp_path, "heldout")[0].digest not in prior.logs


def test_the_prior_of_the_build_is_small_and_knows_what_healthy_machines_print():
    assert DATA.stat().st_size <= MOST_BYTES
    assert machine_count() >= 30
    assert machines_with(identity("i8042: No controller found")) >= 1
    assert machines_with(identity("NVRM: fallen off the bus and is not responding to commands.")) == 0
