"""What a parser that runs arbitrary code reaches, by the features that the kernel has."""

from __future__ import annotations

import itertools
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from backend.core.errors import SettingsError, UnavailableError
from backend.core.settings import Settings
from backend.sandbox import fork_server
from backend.sandbox.availability import layers_here, require
from backend.sandbox.runner import SandboxLimits, read_in_sandbox

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
PAGE = (HERE.parents[2] / "docs/security.md").read_text()
FEATURES = ("landlock", "namespaces", "seccomp")
KERNELS = [lacks for count in range(4) for lacks in itertools.combinations(FEATURES, count)]
SECRET = "0123456789abcdef" * 4
STARTED: list[list[str]] = []
"""The command of the fork server that runs."""

ATTEMPTS = (HERE / "seal_key_attempts.evidence").read_text()


def limits(policy: str) -> SandboxLimits:
    return SandboxLimits(
        cpu_seconds=20, wall_seconds=60.0, memory_bytes=1 << 30, output_bytes=1 << 26, policy=policy
    )


CHILD = fork_server.COMMAND


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make sandboxes as on a kernel that lacks features; `parser` replaces the parser by arbitrary code.

    The fork server of a test serves the next one of the same kernel and parser, too.
    """

    def lack(features: tuple[str, ...], *, parser: str = "") -> None:
        kernel = [sys.executable, str(HERE / "kernels.py"), ",".join(features), "--"]
        child = [sys.executable, parser] if parser else CHILD
        command = [*kernel, *child]
        if [command] != STARTED:
            fork_server.close()
        STARTED[:] = [command]
        monkeypatch.setattr(fork_server, "COMMAND", command)

    return lack


def steal(tmp_path: Path, policy: str, *, key_path: str = "seal.key") -> str:
    """Plant a key in a data directory, have the parser try to read it in every way; return what it says."""
    data = tmp_path / "data"
    output = data / "scratch" / "output"
    output.mkdir(parents=True)
    key = data / key_path
    key.write_text(SECRET)
    key.chmod(0o600)
    evidence = data / "evidence"
    evidence.write_text(f"KEY = {str(key)!r}\nSECRET = {SECRET!r}\n{ATTEMPTS}")
    read = read_in_sandbox(evidence, output=output, limits=limits(policy), name="evidence")
    if not key.is_relative_to(output):
        assert key.read_text() == SECRET
        files = (path for path in output.rglob("*") if path.is_file())
        assert SECRET not in "".join(path.read_text(errors="replace") for path in files)
    return read.name


def is_accepted(lacks: tuple[str, ...], policy: str) -> bool:
    if policy == "required":
        return not lacks
    return "seccomp" not in lacks and not {"landlock", "namespaces"} <= set(lacks)


@pytest.mark.parametrize("policy", ["best", "required"])
@pytest.mark.parametrize("lacks", KERNELS, ids=["-".join(lacks) or "all" for lacks in KERNELS])
def test_a_parser_that_runs_arbitrary_code_never_reads_the_key(tmp_path, lacking, lacks, policy):
    lacking(lacks, parser=str(HERE / "hostile_parser.py"))
    if is_accepted(lacks, policy):
        assert steal(tmp_path, policy) == "refused in 33 ways"
    else:
        with pytest.raises(UnavailableError, match="evidence is not read: CASEBOOK_SANDBOX="):
            steal(tmp_path, policy)


def test_the_attempts_read_a_file_that_is_in_reach(tmp_path, lacking):
    lacking((), parser=str(HERE / "hostile_parser.py"))
    found = steal(tmp_path, "best", key_path="scratch/output/seal.key")
    assert {"its path", "its folder"} <= set(found.removeprefix("read by ").split(", "))


@pytest.mark.parametrize("lacks", KERNELS, ids=["-".join(lacks) or "all" for lacks in KERNELS])
def test_the_layers_are_those_that_the_kernel_grants_and_read_if_they_are_accepted(tmp_path, lacking, lacks):
    lacking(lacks)
    layers = layers_here()
    assert (layers.landlock > 0) == ("landlock" not in lacks)
    assert layers.network == ("namespaces" not in lacks)
    assert layers.mounts == ("landlock" in lacks and "namespaces" not in lacks)
    assert layers.calls == ("seccomp" not in lacks)
    assert len(layers.missing()) == len(lacks)
    if not is_accepted(lacks, "best"):
        return
    output = tmp_path / "output"
    output.mkdir()
    samples = HERE.parents[1] / "data"
    read = read_in_sandbox(
        samples / "files/machine/proc/vmstat",
        output=output,
        limits=limits("best"),
        name="vmstat",
        captured_path="proc/vmstat",
    )
    assert (read.state, [section.format for section in read.sections]) == ("read", ["proc-vmstat"])


def rows() -> dict[str, list[str]]:
    """Return the table of kernel features of the page: the other cells by what the kernel lacks."""
    table = PAGE.split("| Landlock | namespaces |")[1].split("\n\n")[0]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]
    return {
        "-".join(name for name, state in zip(FEATURES, row, strict=False) if state == "no"): row[3:]
        for row in cells
    }


def test_the_page_states_what_happens_for_every_kernel():
    assert rows().keys() == {"-".join(lacks) for lacks in KERNELS}
    for lacks in KERNELS:
        _, best, required = rows()["-".join(lacks)]
        assert best.startswith("reads" if is_accepted(lacks, "best") else "refuses")
        assert required.startswith("reads" if is_accepted(lacks, "required") else "refuses")


def test_a_service_does_not_start_with_fewer_layers_than_required(tmp_path, lacking):
    lacking(("namespaces",))
    assert require(Settings(data_dir=tmp_path)).landlock
    with pytest.raises(SettingsError, match=r"grants no user and network namespaces; CASEBOOK_SANDBOX=best"):
        require(Settings(data_dir=tmp_path, sandbox="required"))
    lacking(("landlock", "namespaces"))
    with pytest.raises(
        SettingsError, match=r"grants no Landlock, user and network namespaces; enable Landlock"
    ):
        require(Settings(data_dir=tmp_path))


def test_a_data_directory_among_the_libraries_is_refused():
    libraries = re.sub(r"/casebook$", "", str(Path(pytest.__file__).parents[1]))
    with pytest.raises(SettingsError, match="which parsers may read"):
        require(Settings(data_dir=Path(libraries) / "var"))


FILL = """
import os, threading
held = []
for number in range(24):
    held.append(open(f"{number}", "wb"))
    os.unlink(f"{number}")
    held[-1].write(bytes(8 << 20))
    held[-1].flush()
    os.fsync(held[-1].fileno())
threading.Event().wait(50)
result = "filled the disk"
"""


def test_a_parser_that_runs_arbitrary_code_does_not_fill_the_disk_by_removed_files(tmp_path, lacking):
    """Files without a name are in no directory whose size could be watched."""
    lacking((), parser=str(HERE / "hostile_parser.py"))
    output, evidence = tmp_path / "output", tmp_path / "evidence"
    output.mkdir()
    evidence.write_text(FILL)
    narrow = replace(limits("best"), output_bytes=16 << 20)
    read = read_in_sandbox(evidence, output=output, limits=narrow, name="evidence")
    assert (read.state, read.reason) == ("rejected", "the result of reading takes more than 16 MiB")
