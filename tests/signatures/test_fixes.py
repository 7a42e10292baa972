"""Commands of fixes are POSIX sh; settings exist in the kernel; those that change nothing run here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from signatures.document.catalog import load_catalog

FIXES = {
    f"{signature.id}: {fix['title']}": fix
    for signature in load_catalog().signatures
    for fix in signature.fixes
    if fix.get("run") and signature.id.partition("/")[0] != "windows"
}
READ_ONLY = "nothing was changed"
SHELL = shutil.which("dash") or "sh"
MODULES = ("net/netfilter/", "fs/fuse/")
"""Settings that exist only with a module, or a kernel newer than this host's."""


def settings(run):
    return re.findall(r"(?:sysctl -w |(?<= ))([a-z]+(?:\.[\w-]+)+)=", run) if "sysctl" in run else []


@pytest.mark.parametrize("name", FIXES)
def test_a_fix_is_posix_sh(name):
    run = str(FIXES[name]["run"])
    checked = subprocess.run([SHELL, "-n", "-c", run], check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    quoted = re.findall(r"'([^']*)'", run)
    assert not [text for text in quoted if re.search(r"\$[A-Z]{2}", text)], (
        "single quotes replace no variable"
    )


@pytest.mark.parametrize(("limit", "burst"), [("30000 100000", "30000"), ("max 100000", "0")])
def test_the_burst_of_a_quota_is_not_more_than_the_quota(tmp_path, limit, burst):
    """The kernel refuses more with EINVAL."""
    (run,) = (str(fix["run"]) for fix in FIXES.values() if "cpu.max.burst" in str(fix["run"]))
    (tmp_path / "cpu.max").write_text(f"{limit}\n")
    (tmp_path / "cpu.max.burst").write_text("0\n")
    subprocess.run([SHELL, "-c", run], check=True, env=os.environ | {"CG": str(tmp_path)})
    assert (tmp_path / "cpu.max.burst").read_text() == f"{burst}\n"


@pytest.mark.parametrize("name", [name for name, fix in FIXES.items() if settings(str(fix["run"]))])
def test_a_setting_exists_in_the_kernel_and_undo_names_it(name):
    fix = FIXES[name]
    for setting in settings(str(fix["run"])):
        path = setting.replace(".", "/")
        assert Path("/proc/sys", path).exists() or path.startswith(MODULES), setting
        assert setting in str(fix["undo"]) or "$" in str(fix["undo"]), fix["undo"]


@pytest.mark.parametrize(
    "name", [name for name, fix in FIXES.items() if str(fix.get("undo", "")).startswith(READ_ONLY)]
)
def test_a_fix_that_only_reads_runs(name):
    run = str(FIXES[name]["run"])
    tools = re.findall(r"timeout -s KILL \d+ ([\w-]+)", run)
    absent = [tool for tool in tools if shutil.which(tool) is None]
    if absent:
        pytest.skip(f"{absent[0]} is not installed here")
    here = {
        "SERVER_PID": str(os.getpid()),
        "SERVER": "127.0.0.1",
        "PID": str(os.getpid()),
        "DEVICE": "/dev/null",
        "DISK": "none",
    }
    ended = subprocess.run(
        [SHELL, "-c", run], check=False, capture_output=True, text=True, env=os.environ | here, timeout=300
    )
    assert "not found" not in ended.stderr, ended.stderr
    assert "yntax error" not in ended.stderr, ended.stderr
