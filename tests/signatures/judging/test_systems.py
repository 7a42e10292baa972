"""A signature about another system than the evidence is silent: no verdict, no near miss, no capture."""

from __future__ import annotations

from dataclasses import replace

import pytest

from signatures.judging.judge import judge
from signatures.judging.systems import os_of
from signatures.language.errors import SignatureError
from signatures.reporting.next_captures import next_captures
from tests.signatures.build import fact, item, profile

RULES = """
applies: {applies}
clauses:
  hot: {{title: t, role: core, stack: {{contains: [f]}}, share: {{at_least: 0.3}}, weight: 4}}
  limit: {{title: t, role: core, fact: {{name: memcg.usage_share, at_least: 0.98}}, weight: 2}}
decide: {{suspect: {{score: 3}}, match: {{score: 6, all: [hot, limit]}}}}
next:
  limit: [{{title: t, run: "cat /x", cost: none, os: {capture}}}]
"""
HOT = profile([("a;f", 300), ("a;b", 300)])
DEBIAN = [
    fact("kernel.release", "6.12.9-amd64"),
    fact("kernel.build_text", "#1 SMP PREEMPT_DYNAMIC Debian 6.12.9-1 (2025-01-10) x86_64 GNU/Linux"),
]
EL9 = [fact("kernel.release", "5.14.0-503.el9.x86_64")]


def found(catalog_of, applies, facts, *, capture="linux", form="perf-script"):
    """Return the finding of a hot profile with facts of the system."""
    catalog = catalog_of(RULES.format(applies=applies, capture=capture))
    read = replace(item("e", profiles=[HOT], facts=facts), format=form)
    (finding,) = judge([read], catalog)
    return finding


@pytest.mark.parametrize(
    ("applies", "facts", "why"),
    [
        ("{os: windows}", [], "it is about Windows, the evidence is of Linux"),
        ("{arch: aarch64}", DEBIAN, "it needs machine aarch64, the evidence is of x86_64"),
        (
            "{virtualisation: none}",
            [fact("host.hypervisor", "KVM")],
            "it needs virtualisation none, the evidence is of guest",
        ),
        ("{cgroup: v1}", [fact("cgroup.version", "v2")], "it needs cgroup version v1, the evidence is of v2"),
        ('{kernel: ">=6.13"}', DEBIAN, "it needs a kernel >=6.13, the evidence is of 6.12.9-amd64"),
    ],
    ids=["os", "arch", "virtualisation", "cgroup", "kernel"],
)
def test_a_signature_of_another_system_is_silent(catalog_of, applies, facts, why):
    finding = found(catalog_of, applies, facts)
    assert (finding.verdict, finding.decision.because) == ("not_applicable", why)
    assert not finding.is_listed
    assert not finding.is_near_miss
    assert next_captures([finding]) == []


@pytest.mark.parametrize(
    ("applies", "facts"),
    [
        ("{os: linux, arch: x86_64, cgroup: v2}", DEBIAN),
        ("{virtualisation: none}", DEBIAN),
        ('{kernel: "<5.14"}', EL9),
        ('{kernel: ">=6.1,<6.13"}', DEBIAN),
        ("{arch: aarch64}", []),
    ],
    ids=["the same", "unknown", "a frozen base version", "inside the range", "no architecture"],
)
def test_what_the_evidence_does_not_tell_excludes_nothing(catalog_of, applies, facts):
    finding = found(catalog_of, applies, facts)
    assert finding.verdict == "suspect"
    assert [wanted.capture.run for wanted in next_captures([finding])] == ["cat /x"]


def test_a_signature_is_about_linux_where_it_does_not_say(catalog_of):
    finding = found(catalog_of, "{arch: x86_64}", [], form="etw-stacks")
    assert finding.decision.because == "it is about Linux, the evidence is of Windows"


def test_a_capture_of_another_system_is_not_asked_for(catalog_of):
    assert next_captures([found(catalog_of, "{os: linux}", [], capture="windows")]) == []


@pytest.mark.parametrize(
    ("applies", "message"),
    [("{os: solaris}", "'solaris' is not allowed"), ('{kernel: "new"}', "'new' is not a range")],
)
def test_a_system_that_does_not_exist_is_rejected(catalog_of, applies, message):
    with pytest.raises(SignatureError, match=message):
        catalog_of(RULES.format(applies=applies, capture="linux"))


def test_formats_of_any_system_decide_nothing():
    assert os_of({"text", "pprof"}) == ""
    assert os_of({"perfmon-csv", "text"}) == "windows"
    assert os_of({"perfmon-csv", "kernel-log"}) == ""
