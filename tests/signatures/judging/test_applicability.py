from __future__ import annotations

import pytest

from signatures.judging.applicability import (
    INDEPENDENT,
    Running,
    VersionVerdict,
    kernel_verdict,
    sentence,
    verdict_of,
)
from signatures.language.kernel_families import kernel_of
from signatures.language.kernel_ranges import in_range
from signatures.language.model import Affected

SWITCH = (
    Affected("kernel.org", introduced="5.14", fixed="6.18", basis="range"),
    Affected("kernel.org", branch="6.12", verdict="affected", basis="not backported"),
    Affected("kernel.org", branch="5.15, 6.6, 6.17", verdict="unknown", basis="posted"),
)


def test_versions_compare_as_numbers():
    assert in_range(kernel_of("5.15.0"), ">=5.4")
    assert not in_range(kernel_of("5.4.0"), ">=5.15")


@pytest.mark.parametrize(
    ("release", "ecosystem", "is_frozen"),
    [
        ("3.10.0-1160.el7.x86_64", "rhel", True),
        ("4.18.0-240.el8.x86_64", "rhel", True),
        ("5.15.0-100.el8uek.x86_64", "oracle-uek", True),
        ("5.15.0-119-generic", "ubuntu", False),
        ("6.8.0-1019-gcp", "ubuntu", False),
        ("6.1.0-25-amd64", "debian", False),
        ("6.12.117+deb12-cloud-amd64", "debian", False),
        ("5.15.65+", "local", False),
        ("5.10.205-195.804.amzn2.x86_64", "amazon-linux", False),
        ("5.15.131.1-2.cm2", "azure-linux", False),
        ("5.14.21-150500.55.19-default", "suse", True),
        ("6.6.30-flatcar", "kernel.org", False),
        ("6.12.20", "kernel.org", False),
        ("6.19.0-rc3", "kernel.org", False),
        ("6.18.44-fc-v669", "local", False),
    ],
)
def test_a_release_names_its_ecosystem(release, ecosystem, is_frozen):
    kernel = kernel_of(release)
    assert (kernel.ecosystem, kernel.is_frozen) == (ecosystem, is_frozen)


@pytest.mark.parametrize(
    ("release", "verdict"),
    [
        ("5.13.9", "not_affected"),
        ("5.14.0", "affected"),
        ("6.8.0", "affected"),
        ("6.8.7", "unknown"),
        ("6.12.60", "affected"),
        ("6.6.30", "unknown"),
        ("6.18.0", "fixed"),
        ("7.1.3", "fixed"),
        ("6.8.0-1019-gcp", "unknown"),
        ("6.18.3-200.fc43.x86_64", "fixed"),
        ("6.12.60-68.120.amzn2023.x86_64", "affected_unless_backported"),
        ("5.10.205-195.804.amzn2.x86_64", "probably_not_affected"),
        ("5.14.0-427.13.1.el9_4.x86_64", "affected_unless_backported"),
        ("4.18.0-240.el8.x86_64", "unknown"),
        ("6.18.44-fc-v669", "unknown"),
        ("", "unknown"),
        ("Windows", "unknown"),
    ],
)
def test_a_backport_is_recorded_or_unknown_never_guessed(release, verdict):
    assert verdict_of(SWITCH, release).verdict == verdict


def test_a_verdict_includes_basis_and_status():
    row = Affected("kernel.org", introduced="6.2", fixed="6.16", basis="one commit", status="UNVERIFIED")
    assert verdict_of((row,), "6.16.0").basis == "6.16.0 is not older than 6.16 (one commit; UNVERIFIED)"
    branch = Affected("kernel.org", branch="4.19", fixed="4.19.84", basis="in stable", status="UNVERIFIED")
    assert verdict_of((branch,), "4.19.80").basis.startswith("4.19: in stable (UNVERIFIED)")


def test_a_frozen_base_version_does_not_prove_that_a_feature_is_missing():
    frozen = kernel_of("4.18.0-240.el8.x86_64")
    assert in_range(frozen, "<5.13") is None
    assert in_range(frozen, ">=4.9") is True


def test_evidence_and_version_combine_to_four_sentences():
    corners = {
        sentence(VersionVerdict(verdict, ""), is_firing=firing)
        for firing in (True, False)
        for verdict in ("affected", "fixed")
    }
    assert len(corners) == 4
    open_verdict = VersionVerdict("affected_unless_backported", "", capture="rpm -q --changelog")
    decides = sentence(open_verdict, is_firing=True)
    assert decides.endswith("unless the vendor backported the fix. This decides: `rpm -q --changelog`.")
    assert sentence(VersionVerdict("fixed", ""), is_firing=True).endswith("regression or look-alike.")


@pytest.mark.parametrize("release", ["", "5.15.0-91-generic", "6.6.30", "4.18.0-240.el8.x86_64"])
@pytest.mark.parametrize("signature", ["mm/memcg-oom", "net/listen-overflow", "hw/memory-errors"])
def test_a_condition_depends_on_no_release(catalog, signature, release):
    found = catalog.get(signature)
    version = kernel_verdict(found, release)
    assert (version.verdict, version.basis, version.capture) == (INDEPENDENT, found.reason, "")
    for is_firing in (True, False):
        said = sentence(version, is_firing=is_firing)
        assert "not a matter of the kernel's version" in said
        assert "affected" not in said


def test_no_release_of_the_library_is_affected_by_what_is_by_design(catalog):
    """Of a defect, an aspect by design decides where no fix of another aspect is missing."""
    quota = catalog.get("sched/cfs-throttling")
    verdicts = {release: kernel_verdict(quota, release).verdict for release in ("5.2.0", "5.10.1", "6.6.30")}
    assert verdicts == {"5.2.0": "affected", "5.10.1": INDEPENDENT, "6.6.30": INDEPENDENT}


DATED = (
    Affected("kernel.org", introduced="5.14", fixed="6.18"),
    Affected("kernel.org", branch="6.12", verdict="affected", as_of="2026-01-13", basis="not backported"),
)


@pytest.mark.parametrize(
    ("release", "built", "verdict"),
    [
        ("6.12.0", "", "affected"),
        ("6.12.20", "#1 SMP PREEMPT_DYNAMIC Mon Mar 24 10:11:12 UTC 2025", "affected"),
        ("6.12.65", "#1 SMP PREEMPT_DYNAMIC Tue Jan 13 10:11:12 UTC 2026", "affected"),
        ("6.12.66", "#1 SMP PREEMPT_DYNAMIC Wed Jan 14 10:11:12 UTC 2026", "unknown"),
        ("6.12.20", "", "unknown"),
        ("6.12.20", "#1 SMP Debian 6.12.20-1", "unknown"),
    ],
)
def test_a_dated_row_applies_to_kernels_built_by_that_day(release, built, verdict):
    found = verdict_of(DATED, Running(release, built))
    assert found.verdict == verdict
    assert "not backported" in found.basis


def test_a_fault_of_every_release_needs_no_fix():
    rows = (Affected("kernel.org", verdict="affected", basis="no commit claims to fix it"),)
    for release in ("6.12.20", "5.15.0-124-generic", "4.18.0-240.el8.x86_64"):
        assert verdict_of(rows, release).verdict == "affected"


def test_without_a_known_fix_no_changelog_is_asked_for():
    rows = (Affected("kernel.org", introduced="6.1", basis="no fix"),)
    found = verdict_of(rows, "6.1.159-181.297.amzn2023.x86_64")
    assert (found.verdict, found.capture) == ("affected_unless_backported", "")
