"""Version tables of vendors: each release is compared inside its own line and flavour."""

from __future__ import annotations

import pytest

from signatures.document.parse import signature_of
from signatures.judging.applicability import Running, verdict_of
from signatures.language.errors import SignatureError
from signatures.language.kernel_families import kernel_of
from signatures.language.model import Affected
from tests.signatures.document.test_parse import GOOD

RHEL = (Affected("rhel", fixed="3.10.0-1062.8.1.el7", basis="erratum"),)
UBUNTU = (
    Affected("ubuntu", fixed="4.15.0-67", basis="notice"),
    Affected("ubuntu", flavour="gcp", fixed="5.3.0-1010", basis="notice"),
)
DEBIAN = (Affected("debian", introduced="6.1.90-1", fixed="6.1.106-3", basis="advisory"),)
SUSE = (Affected("suse", fixed="5.14.21-150500.55.19"),)
AMAZON = (Affected("amazon-linux", fixed="5.10.210-201.852.amzn2"),)
COS = (Affected("cos", branch="105", verdict="affected"), Affected("cos", branch="113", fixed="6.1.75+"))
AZURE = (Affected("azure-linux", fixed="5.15.158.2-1.cm2"),)


@pytest.mark.parametrize(
    ("rows", "release", "verdict"),
    [
        (RHEL, "3.10.0-1062.8.1.el7.x86_64", "fixed"),
        (RHEL, "3.10.0-1160.el7.x86_64", "fixed"),
        (RHEL, "3.10.0-1062.4.2.el7.x86_64", "affected"),
        (RHEL, "3.10.0-957.el7.x86_64", "affected"),
        (RHEL, "3.10.0-957.46.1.el7.x86_64", "unknown"),  # an update of an older minor release
        (RHEL, "4.18.0-240.el8.x86_64", "unknown"),
        (UBUNTU, "4.15.0-67-generic", "fixed"),
        (UBUNTU, "4.15.0-9-generic", "affected"),  # 9 is less than 67, and not as a text
        (UBUNTU, "4.15.0-67-gcp", "unknown"),
        (UBUNTU, "5.3.0-1009-gcp", "affected"),
        (UBUNTU, "5.4.0-100-generic", "unknown"),
        (SUSE, "5.14.21-150500.55.7-default", "affected"),
        (SUSE, "5.14.21-150500.55.19-default", "fixed"),
        (SUSE, "5.14.21-150400.24.100-default", "unknown"),
        (AMAZON, "5.10.205-195.804.amzn2.x86_64", "affected"),
        (AMAZON, "5.10.210-201.852.amzn2.x86_64", "fixed"),
        (AMAZON, "6.1.10-1.2.amzn2023.x86_64", "unknown"),
        (AZURE, "5.15.158.1-1.cm2", "affected"),
        (AZURE, "6.6.51.1-5.azl3", "unknown"),
    ],
)
def test_a_vendor_release_is_compared_inside_its_line(rows, release, verdict):
    assert verdict_of(rows, release).verdict == verdict


def test_debian_is_judged_by_the_package_that_uname_v_names():
    release = "6.1.0-25-amd64"
    assert verdict_of(DEBIAN, release).verdict == "unknown"
    built = "#1 SMP PREEMPT_DYNAMIC Debian 6.1.{} (2024-08-26)"
    old, new = built.format("99-1"), built.format("106-3")
    assert verdict_of(DEBIAN, Running(release, old)).verdict == "affected"
    assert verdict_of(DEBIAN, Running(release, new)).verdict == "fixed"


def test_cos_is_judged_by_its_milestone():
    assert verdict_of(COS, Running("5.15.65+", os_version="105", os_id="cos")).verdict == "affected"
    assert verdict_of(COS, Running("6.1.85+", os_version="113", os_id="cos")).verdict == "fixed"
    assert verdict_of(COS, Running("6.1.85+", os_id="cos")).verdict == "unknown"
    assert verdict_of(COS, Running("6.1.85+", os_version="113")).verdict == "unknown"


def test_every_aspect_has_its_verdict():
    rows = (
        Affected("kernel.org", aspect="status", introduced="6.2", fixed="6.16"),
        Affected("kernel.org", aspect="oom", introduced="6.2", fixed="7.0"),
    )
    found = verdict_of(rows, "6.19.0")
    assert found.verdict == "affected"
    assert [(each.aspect, each.verdict) for each in found.aspects] == [
        ("status", "fixed"),
        ("oom", "affected"),
    ]


@pytest.mark.parametrize(
    ("ecosystem", "fixed"),
    [("rhel", "3.10.0"), ("ubuntu", "4.15"), ("kernel.org", "six"), ("suse", "5.14.21-1"), ("red hat", "1")],
)
def test_an_invalid_release_is_rejected_with_an_example(ecosystem, fixed):
    with pytest.raises(SignatureError, match=r"affected\[0\]") as error:
        signature_of(GOOD | {"affected": [{"ecosystem": ecosystem, "fixed": fixed}]}, "f")
    assert "for example" in str(error.value) or "one of kernel.org" in str(error.value)


def test_a_local_build_has_no_vendor_row():
    assert kernel_of("6.18.44-fc-v669").ecosystem == "local"
    assert verdict_of((Affected("kernel.org", introduced="6.1"),), "6.18.44-fc-v669").verdict == "unknown"
