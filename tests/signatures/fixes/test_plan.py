"""What lint accepts as a fix, and which fixes are never done at once."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from signatures.authoring.command_safety import fix_complaints
from signatures.document.catalog import load_catalog
from signatures.documents.codec import from_document
from signatures.documents.fix import FixDocument
from signatures.fixes.plan import NOTHING_CHANGED, danger_of, fixes_now, with_dangers
from signatures.handoff.case_file import steps_of
from signatures.reporting.report import finding_document
from tests.signatures.documents.build import finding
from tests.signatures.evidence import judge_text

GOOD_FIX = {
    "kind": "workaround",
    "title": "t",
    "scope": "runtime",
    "risk": "r",
    "verify": "v",
    "undo": "boot the old kernel",
}
SPLIT_BRAIN = {
    "kind": "procedure",
    "title": "Reconnect, and drop one side: drbdadm -- --discard-my-data connect r0",
    "scope": "runtime",
    "risk": "all writes of the discarded side are lost",
    "undo": "none; keep a copy of both sides first",
    "verify": "cs:Connected",
}
"""A fix as somebody wrote it, and as it was shown under *Do this now*."""

RUN = "echo 2 > /proc/sys/vm/drop_caches"
ALL = [(signature.id, fix) for signature in load_catalog().signatures for fix in signature.fixes]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, ""),
        ({"risk": None}, "lacks risk"),
        ({"undo": None}, "lacks undo"),
        ({"undo": "irreversible"}, ""),
        ({"undo": "irreversible: the caches are gone"}, ""),
        ({"undo": "nothing was changed"}, ""),
        ({"undo": "none; keep a copy first"}, "neither a command nor the word irreversible"),
        ({"undo": "the old kernel"}, "neither a command nor the word irreversible"),
        ({"run": "sysctl -w vm.swappiness=1", "undo": "restore the old value"}, "neither a command nor"),
        ({"run": RUN, "undo": "sysctl -w vm.drop_caches=$OLD"}, "lacks first_on"),
        ({"kind": "upgrade", "fixed_in": "6.18"}, "lacks as_of"),
        ({"effect": "cure"}, ""),
        ({"effect": "cure", "undo": "irreversible"}, "effect may be cure, of a fix that can be undone"),
        ({"effect": "cure", "endangers": "security"}, "endangers nothing"),
        ({"endangers": "data"}, ""),
        ({"endangers": "time"}, "endangers is one of data, security, hardware"),
        ({"endangers": "data", "run": "drbdadm up r0", "undo": "irreversible"}, "describe it without one"),
        ({"endangers": "data", "title": "Repair: e2fsck -v $DEVICE"}, "describe it without one"),
        ({"run": "grubby --args=mitigations=off", "undo": "irreversible"}, "costs security"),
        ({"run": "kubectl delete pod $POD --force", "undo": "irreversible"}, "costs data"),
        ({"title": "Begin anew: mdadm --create /dev/md0 --assume-clean"}, "costs data"),
    ],
)
def test_lint_refuses_what_nobody_can_take_back(changes, words):
    fix = {key: value for key, value in (GOOD_FIX | changes).items() if value is not None}
    complaints = " ".join(fix_complaints(fix))
    assert words in complaints
    assert bool(words) == bool(complaints)


def test_a_destructive_fix_is_refused_and_never_done_at_once():
    """Neither as it was written, nor with its undo mended, nor as a cure: no lint sees a private library."""
    complaints = " ".join(fix_complaints(SPLIT_BRAIN))
    assert "neither a command nor the word irreversible" in complaints
    assert "costs data" in complaints
    plain = SPLIT_BRAIN | {"title": "Drop one side", "undo": "irreversible", "endangers": "data"}
    assert list(fix_complaints(plain)) == []
    good = from_document(FixDocument, GOOD_FIX)
    for written in (SPLIT_BRAIN, SPLIT_BRAIN | {"undo": "irreversible", "effect": "cure"}, plain):
        fix = from_document(FixDocument, written)
        assert danger_of(fix) == "data"
        assert fixes_now([good, fix]) == [good]
        assert steps_of(finding(fixes=[written])) == []
        assert [one.endangers for one in with_dangers([good, fix])] == [None, "data"]


@pytest.mark.parametrize("fix", [fix for _, fix in ALL if fix.get("run")], ids=lambda fix: fix["title"][:60])
def test_the_undo_of_a_command_is_posix_sh(fix):
    undo = str(fix["undo"])
    if undo.startswith("irreversible") or undo in NOTHING_CHANGED:
        return
    shell = shutil.which("dash") or "sh"
    checked = subprocess.run([shell, "-n", "-c", undo], check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_a_fix_whose_risk_is_lost_data_says_so():
    """The library says in `risk` what is lost; the word alone keeps a fix away from *Do this now*."""
    lost = re.compile(r"data .{0,40}\b(?:is|are|may be) lost|writes .{0,50}\bare lost|deletes what")
    risky = {(name, fix["title"]) for name, fix in ALL if lost.search(str(fix.get("risk", "")))}
    assert len(risky) >= 6
    assert risky <= {(name, fix["title"]) for name, fix in ALL if danger_of(from_document(FixDocument, fix))}


MDSTAT = """\
$ cat /proc/mdstat
Personalities : [raid1]
md0 : active raid1 sdb1[1] sda1[0](F)
      976630464 blocks super 1.2 [2/1] [_U]

unused devices: <none>
"""


@pytest.mark.parametrize(
    ("text", "is_failed"),
    [
        ("[  100.000000] md/raid:md0: Cannot continue operation (2/4 failed).\n", True),
        ("[  100.000000] md/raid1:md0: active with 1 out of 2 mirrors\n", False),
        (MDSTAT, False),
    ],
    ids=["failed", "degraded in the log", "degraded in mdstat"],
)
def test_a_degraded_array_has_no_step_of_a_failed_one(text, is_failed):
    found = judge_text(text, load_catalog())["block/array-degraded"]
    assert found.is_listed
    fixes = finding_document(found).fixes
    assert any("image every disk" in fix.title for fix in fixes) is is_failed
    assert len(fixes) >= 3
