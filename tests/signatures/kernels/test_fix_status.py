"""Whether a kernel has a fix: by release, package changelog, function and live patch."""

from __future__ import annotations

import pytest
import yaml

from ingest.evidence import read_bytes
from signatures.judging.evaluation_context import EvaluationContext
from signatures.judging.profile_index import Trees
from signatures.judging.scope import items_of, scopes_of
from signatures.kernels.fix_records import fix_records, record_of
from signatures.kernels.fix_status import fix_status
from signatures.kernels.kernel_text import kernel_text
from signatures.kernels.package_lines import package_line
from signatures.kernels.running_kernel import Running, status_on
from signatures.language.kernel_families import families, kernel_of
from tests.signatures.build import fact, item, profile

FIX = record_of(
    "example",
    yaml.safe_load("""
commit: 0123456789abcdef0123456789abcdef01234567
subject: "mm: do it once"
status: verified
authored: 2025-09-12
introduced: {release: "5.14", commit: abcdef012345, "5.10": 5.10.50}
fixed: {mainline: "6.18", "6.12": 6.12.94, "5.10": 5.10.200}
absent: {"6.1": 6.1.150}
probe: [once_only]
sources: [an example]
verified: {day: 2026-11-23, by: an example}
"""),
)


@pytest.mark.parametrize(
    ("release", "status"),
    [
        ("5.13.19", "not_affected"),
        ("5.10.49", "not_affected"),  # the fault was backported to 5.10.50
        ("5.10.50", "affected"),
        ("5.10.200", "fixed"),
        ("5.14.0", "affected"),
        ("6.1.150", "affected"),
        ("6.1.151", "unknown"),  # nobody read that far
        ("6.6.30", "unknown"),
        ("6.8.12", "affected"),  # 6.8 ended before the fix was written
        ("6.12.93", "affected"),
        ("6.12.94", "fixed"),
        ("6.18.0-rc3", "unknown"),
        ("6.18.0", "fixed"),
        ("7.0.2", "fixed"),
        ("6.12.94-70.amzn2023.x86_64", "fixed"),
        ("6.12.93-70.amzn2023.x86_64", "affected_unless_backported"),
        ("5.4.200-100.amzn2.x86_64", "probably_not_affected"),
        ("5.14.0-427.13.1.el9_4.x86_64", "affected_unless_backported"),
        ("4.18.0-553.el8_10.x86_64", "unknown"),
        ("6.8.0-1019-gcp", "affected_unless_backported"),
        ("6.5.0-26-generic", "affected_unless_backported"),
        ("4.4.0", "unknown"),
        ("6.18.44-fc-v669", "unknown"),
        ("6.12.94-dirty", "unknown"),
    ],
)
def test_the_release_of_the_own_branch_decides(release, status):
    assert fix_status(FIX, kernel_of(release)).status == status


SOURCES = FIX._replace(
    lines={
        "el8": package_line(
            {"clean": "4.18.0-425.19.2", "faulty": "4.18.0-477.10.1", "lacks": "4.18.0-553.66.1"}
        ),
        "el9": package_line({"lacks": "5.14.0-427.42.1", "fixed": "5.14.0-503.11.1"}),
    }
)


@pytest.mark.parametrize(
    ("release", "status"),
    [
        ("4.18.0-425.3.1.el8.x86_64", "not_affected"),
        ("4.18.0-425.99.1.el8_7.x86_64", "unknown"),  # a later update of that minor release
        ("4.18.0-450.el8.x86_64", "unknown"),  # between two builds that were read
        ("4.18.0-513.5.1.el8_9.x86_64", "affected"),
        ("4.18.0-513.99.1.el8_9.x86_64", "affected_unless_backported"),
        ("4.18.0-553.99.1.el8_10.x86_64", "affected_unless_backported"),
        ("4.18.0-553.51.1.lve.el8.x86_64", "affected_unless_backported"),  # CloudLinux adds patches
        ("4.18.0-372.9.1.lve.el8.x86_64", "probably_not_affected"),
        ("5.14.0-427.13.1.el9_4.x86_64", "affected"),
        ("5.14.0-427.13.1.el9_4.ciqlts.x86_64", "affected_unless_backported"),
        ("5.14.0-503.14.1.el9_5.aarch64", "fixed"),
        (
            "6.12.0-55.9.1.el10_0.x86_64",
            "affected_unless_backported",
        ),  # no sources of this line
    ],
)
def test_sources_of_the_packages_decide_a_build_of_a_frozen_line(release, status):
    assert fix_status(SOURCES, kernel_of(release)).status == status


def test_every_record_says_when_and_by_what_it_was_verified():
    for fix in fix_records().values():
        assert fix.verified.by
        assert fix.status == "verified"
        assert all(
            url.startswith(("https://git.kernel.org/", "https://lore.kernel.org/")) for _, url in fix.links
        )


def test_an_unknown_stable_update_asks_for_the_file_that_names_it():
    found = fix_status(FIX, kernel_of("6.12.0-9-generic"))
    assert (found.status, found.capture) == ("unknown", "cat /proc/version_signature")
    named = kernel_of("6.12.0-9-generic", "Ubuntu 6.12.0-9.9-generic 6.12.94")
    assert fix_status(FIX, named).status == "fixed"


RPM = """$ rpm -q --changelog kernel-core-5.14.0-427.13.1.el9_4.x86_64
* Tue Mar 05 2024 A Maintainer <a@vendor.example> [5.14.0-427.13.1.el9_4]
- mm: do it once (A Developer) [RHEL-12345]
* Mon Mar 04 2024 A Maintainer <a@vendor.example> [5.14.0-427.12.1.el9_4]
- net: something else (A Developer) [RHEL-12344]
* Mon Mar 05 2018 A Maintainer <a@vendor.example> [4.18.0-80.el8]
- the first build of the branch
"""
DEB = """$ zcat /usr/share/doc/linux-image-6.1.0-25-amd64/changelog.Debian.gz
linux (6.1.112-1) bookworm; urgency=medium

  * New upstream stable update:
    - mm: do it once

 -- A Maintainer <a@debian.example>  Sun, 29 Sep 2024 21:00:00 +0200

linux (6.1.106-3) bookworm; urgency=medium

  * New upstream stable update:
    - net: something else

 -- A Maintainer <a@debian.example>  Mon, 26 Aug 2024 21:00:00 +0200
"""


def context_of(*items):
    (scope,) = scopes_of(items)
    return EvaluationContext(scope, Trees(), None)


def running(text, release, build=""):
    facts = [fact("kernel.release", release), *([fact("kernel.build_text", build)] if build else [])]
    items = items_of([read_bytes(text.encode(), name="log")])
    return context_of(*items, item("u", facts=facts)).running


def test_the_changelog_of_the_running_build_proves_a_fix_by_its_line():
    kernel = running(RPM, "5.14.0-427.13.1.el9_4.x86_64")
    found = status_on(FIX, kernel, kernel.kernel)
    assert found.status == "fixed"
    assert "'- mm: do it once (A Developer) [RHEL-12345]' (line 3 of" in found.basis


def test_the_entry_of_a_later_build_proves_nothing():
    release = "5.14.0-427.12.1.el9_4.x86_64"
    kernel = running(
        RPM.replace("$ rpm -q --changelog kernel-core-5.14.0-427.13.1.el9_4.x86_64\n", ""), release
    )
    assert status_on(FIX, kernel, kernel.kernel).status == "affected"  # read whole, and not named
    build = "#1 SMP PREEMPT_DYNAMIC Debian 6.1.106-3 (2024-08-26)"
    debian = running(DEB, "6.1.0-25-amd64", build)
    assert status_on(FIX, debian, debian.kernel).status == "affected_unless_backported"


def test_the_changelog_of_another_kernel_is_ignored():
    kernel = running(RPM, "5.14.0-503.el9.x86_64")
    assert status_on(FIX, kernel, kernel.kernel).status == "affected_unless_backported"


def test_a_function_that_came_with_the_fix_proves_it():
    kernel = Running("5.14.0-427.13.1.el9_4.x86_64", functions=frozenset({"once_only"}))
    assert status_on(FIX, kernel, kernel.kernel).status == "fixed"


def test_a_live_patch_may_carry_the_fix():
    listed = b"$ kpatch list\nLoaded patch modules:\nkpatch_6_12 [enabled]\n\nInstalled patch modules:\n"
    patches = read_bytes(listed, name="x")
    assert [f.value for part in patches.sections for f in part.reading.facts] == ["kpatch_6_12"]
    kernel = Running("6.12.20", live_patches=("kpatch_6_12",))
    found = status_on(FIX, kernel, kernel.kernel)
    assert found.status == "affected_unless_backported"
    assert "live patches are loaded (kpatch_6_12)" in found.basis


def test_a_frame_of_a_fix_in_a_stack_is_evidence_of_it():
    stack = profile([("kthread;inode_switch_wbs_work_fn;process_inode_switch_wbs", 3)])
    assert context_of(item("e", profiles=[stack])).running.functions == {"process_inode_switch_wbs"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "Linux db7 6.1.0-25-amd64 #1 SMP Debian 6.1.106-3 (2024-08-26) x86_64",
            "Debian: contains linux-stable 6.1.106",
        ),
        ("Ubuntu 5.15.0-91.101-generic 5.15.131", "Ubuntu: contains linux-stable 5.15.131"),
        ("al2023-ami-2023.6.20241121.0-kernel-6.1-x86_64", "Amazon Linux, branch 6.1 of linux-stable"),
        ("cos-105-17412-294-10", "Container-Optimized OS; the kernel is not in this text"),
        ('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian', "Debian, branch 6.1"),
        ("ID=rocky\nVERSION_ID=9.4", "5.14.0 with backports"),
        ("uname: 6.6.58-talos", "Talos Linux: contains linux-stable 6.6.58"),
        ("kernel-core-5.14.0-427.13.1.el9_4.x86_64", "5.14.0 with backports"),
        ("the disk is slow", "No kernel found in this text"),
        ("", "No kernel found in this text"),
    ],
)
def test_a_kernel_is_found_in_what_people_paste(text, says):
    assert says in kernel_text(text).says


def test_every_family_recognises_its_example_and_no_other_comes_before_it():
    for family in families():
        release, _, build = family.example.partition(" ")
        os_id = build.removeprefix("on ID=") if build.startswith("on ID=") else ""
        host = build.removeprefix("on host ") if build.startswith("on host ") else ""
        found = kernel_of(release, "" if os_id or host else build, os_id, host)
        assert found.family.name == family.name, family.example


def test_every_record_of_a_fix_has_a_canonical_link_and_is_used(catalog):
    used = {name for signature in catalog.signatures for row in signature.affected for name in row.fixes}
    assert used == set(fix_records())
    for fix in fix_records().values():
        assert fix.links[0][1].endswith(f"/torvalds/linux.git/commit/?id={fix.commit}")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("commit: 0123", "not a hash"),
        ('fixed: {mainline: "6.18", "6.12": 6.13.1}', "is no release of 6.12"),
        ("probes: [x]", "unknown key probes"),
        ("sources: []", "sources is missing"),
    ],
)
def test_a_record_that_is_not_valid_names_its_key(change, words):
    text = (
        "commit: 0123456789ab\nsubject: s\nstatus: verified\nauthored: 2025-09-12\n"
        'fixed: {mainline: "6.18"}\nsources: [x]\n'
        "verified: {day: 2026-11-23, by: x}\n"
    )
    key = change.partition(":")[0]
    lines = [line for line in text.splitlines() if not line.startswith(f"{key}:")]
    with pytest.raises(ValueError, match=words):
        record_of("x", yaml.safe_load("\n".join([*lines, change])))
