"""What to do first where no signature matches."""

from __future__ import annotations

from typing import get_args

import pytest

from signatures.overview.first_steps import STEPS, Topic, first_steps, topic_of_fact
from signatures.overview.rates import RATES
from tests.signatures.overview.test_first_screen import overview

MPSTAT = """\
05:20:01 PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
05:20:06 PM  all    9.11    0.00    3.02    0.05    0.00   14.20    0.00    0.00    0.00   73.62
05:20:06 PM    0    0.20    0.00    0.60    0.00    0.00   99.00    0.00    0.00    0.00    0.20
05:20:06 PM    1   11.02    0.00    3.41    0.00    0.00    2.00    0.00    0.00    0.00   83.57
"""
VMSTAT = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 2 11 3914220  81204   1120 201332 4120 3802  9211  4410 8120 14201  6 11  9 74  0
 1 14 3921004  79980   1104 198220 5210 4409 11200  5012 8411 15002  5 12  6 77  0
"""
CALM = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  0      0 6267100 211020 5780120    0    0     2    18  410  720  3  1 96  0  0
 0  0      0 6266804 211020 5780140    0    0     0    44  502  811  4  1 95  0  0
"""
IO_ERROR = "[  100.000000] I/O error, dev sda, sector 2048\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MPSTAT, "spread the queues of the interface"),
        (VMSTAT, "cap it (memory.max of its cgroup)"),
        (IO_ERROR, "fail over"),
    ],
)
def test_an_alarm_without_a_signature_has_first_steps(text, words):
    found = overview(text)
    assert not found.headline.signature
    assert any(words in step for step in found.first_steps)


def test_a_calm_host_has_none():
    assert overview(CALM).first_steps == ()


def test_swapping_in_both_directions_is_one_statement():
    text = overview(VMSTAT).headline.text
    assert text.startswith("Memory is too small for what is in use: ")
    assert "are swapped in and" in text


def test_every_topic_has_steps_and_no_step_claims_its_condition():
    assert set(STEPS) == set(get_args(Topic)) - {""}
    assert first_steps("") == ()
    for topic, steps in STEPS.items():
        assert len(steps) >= 2, topic


def test_rates_of_swapping_have_a_topic():
    assert {topic_of_fact(rate.fact) for rate in RATES if "swap" in rate.fact} == {"swapping"}
