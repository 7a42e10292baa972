"""`--pod`: the cgroup of each runtime and driver is of its pod, and of no other."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.ingest.collect.conftest import SCRIPT

# ruff: noqa: E501 - paths as runtimes write them
UID = "3f6c1f0e-9d1b-4c53-8a44-2d2f1b7c9a10"
SYSTEMD = UID.replace("-", "_")
CONTAINER = "0f" * 32
FORMS = {
    "containerd, cgroupfs": f"0::/kubepods/burstable/pod{UID}/{CONTAINER}",
    "containerd, cgroupfs, guaranteed": f"0::/kubepods/pod{UID}/{CONTAINER}",
    "containerd, systemd": f"0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{SYSTEMD}.slice/cri-containerd-{CONTAINER}.scope",
    "containerd, systemd, guaranteed": f"0::/kubepods.slice/kubepods-pod{SYSTEMD}.slice/cri-containerd-{CONTAINER}.scope",
    "CRI-O, systemd": f"0::/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod{SYSTEMD}.slice/crio-{CONTAINER}.scope",
    "CRI-O with a group inside": f"0::/kubepods.slice/kubepods-pod{SYSTEMD}.slice/crio-{CONTAINER}.scope/container",
    "Docker, systemd": f"0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{SYSTEMD}.slice/docker-{CONTAINER}.scope",
    "version 1, cgroupfs": f"9:memory:/kubepods/besteffort/pod{UID}/{CONTAINER}",
    "version 1, systemd": f"4:cpu,cpuacct:/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{SYSTEMD}.slice/cri-containerd-{CONTAINER}.scope",
    "kind, in a container": f"0::/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod{SYSTEMD}.slice/cri-containerd-{CONTAINER}.scope",
    "the pod itself": f"0::/kubepods/burstable/pod{UID}",
}
OTHERS = {
    "another pod": FORMS["containerd, systemd"].replace("3f6c1f0e", "3f6c1f0f"),
    "a longer id": f"0::/kubepods/burstable/pod{UID}0/{CONTAINER}",
    "a service of the node": "0::/system.slice/kubelet.service",
    "a container without a pod": f"0::/system.slice/docker-{CONTAINER}.scope",
}


def function(name):
    """Return a function of the collector, as it is written."""
    found = re.search(rf"^{name}\(\) \{{.*?^\}}", SCRIPT.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


def shell(text, *, program="sh"):
    return subprocess.run([*program.split(), "-c", text], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("program", ["dash", "busybox ash", "bash"])
def test_a_process_is_of_its_pod_in_every_runtime_and_driver(program, tmp_path):
    if shutil.which(program.split()[0]) is None:
        pytest.skip(f"{program} is not installed")
    for number, line in enumerate([*FORMS.values(), *OTHERS.values()]):
        (tmp_path / str(number)).write_text(f"1:name=systemd:/\n{line}\n")
    text = f'{function("pod_pattern")}\ngrep -lsE "$(pod_pattern {UID})" {tmp_path}/*'
    found = {int(path.rpartition("/")[2]) for path in shell(text, program=program).stdout.split()}
    assert found == set(range(len(FORMS)))


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        (UID, [UID]),
        ("db-7", [UID]),
        ("default/db-7", [UID]),
        ("web", ["one", "two"]),
        ("other/web", ["two"]),
        ("db", []),
    ],
)
def test_a_pod_is_named_by_uid_name_or_namespace(name, printed, tmp_path):
    (tmp_path / "pods").write_text(f"default_db-7_{UID}\ndefault_web_one\nother_web_two\n")
    answer = shell(f"work={tmp_path}\n{function('pod_uid')}\npod_uid {name}")
    assert answer.stdout.split() == printed


@pytest.mark.parametrize(
    ("name", "says"),
    [("no-such-pod-here", "has no pod"), ("a;b", "is no name"), (UID, "no process of the pod")],
)
def test_a_pod_that_is_not_here_is_refused_with_what_to_do(name, says):
    answer = subprocess.run(
        ["sh", str(SCRIPT), "--no-send", "--pod", name],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert answer.returncode == 2
    assert says in answer.stderr
