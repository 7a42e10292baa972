"""Mangled names of C++ and Rust are those of the source in every reader."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from ingest.native.demangle import demangled

HALF = "core::cmp::impls::_$LT$impl$u20$core..cmp..PartialOrd$u20$for$u20$usize$GT$::lt::hf4d08bdc2d45569c"
PLAIN = "core::cmp::impls::<impl core::cmp::PartialOrd for usize>::lt"


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        (HALF, PLAIN),
        ("core::ptr::write::h26b3fca3b2f0f3a7", "core::ptr::write"),
        ("_ZN4core3ptr5write17h26b3fca3b2f0f3a7E", "core::ptr::write"),
        ("_ZN3foo3barEi", "foo::bar(int)"),
        ("_RNvC6_123foo3bar", "123foo::bar"),
        ("_raw_spin_lock", "_raw_spin_lock"),
        ("Lorg/example$Inner;::run", "Lorg/example$Inner;::run"),
        ("_Zrubbish", "_Zrubbish"),
    ],
)
def test_a_name_is_the_one_of_the_source(name: str, plain: str):
    assert demangled(name) == plain


@pytest.mark.parametrize(
    "text",
    [
        f"emulator  4152 75695.008865:  100 cycles:u: \n\t          4f4f {HALF}+0x10 (/usr/bin/emulator)\n\n",
        f"emulator;main;{HALF} 12\nemulator;main;other 3\n",
    ],
    ids=["perf script", "folded"],
)
def test_a_profile_has_names_of_the_source(text: str):
    (section,) = read_bytes(text.encode(), name="profile.txt").sections
    assert PLAIN in {frame.name for frame in section.reading.profiles[0].frames}


def test_a_table_has_names_of_the_source():
    head = "# Samples: 1K of event 'cycles'\n# Overhead  Command   Shared Object  Symbol\n"
    row = f"    8.71%  emulator  emulator       [.] {HALF}\n"
    (section,) = read_bytes((head + row).encode(), name="report.txt").sections
    assert section.reading.tables[0].symbols[0].name == PLAIN
