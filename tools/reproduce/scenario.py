"""A scenario: a shell script that causes one pathology, with what its guest needs in the first lines.

scenarios/cgroup/pids-limit.sh:
    # Title: A fork loop in a cgroup with pids.max
    # Kernel: 6.1
    # Modules: dm_mod loop ext4
    # Programs: mke2fs dmsetup
    # Load: working_set
    # Machine: memory=512 cpus=2 seconds=60
    # Append: hung_task_panic=0
    # Verdict: suspect
    # Monitor: 20 mce 0 9 0xbd00000000000000 0 0 0
    # Pause: 20 30
    …commands; evidence is what they leave in /evidence

`Monitor` lines give a command to the machine so many seconds after its start; `Pause` stops the whole machine
after so many seconds, for so many. `Verdict` is what the library should make of the evidence: a match where
it says nothing. `Load` is a program of `programs`, in C, that is compiled and is `load` in the guest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SCENARIOS = Path(__file__).parent / "scenarios"
PROGRAMS = Path(__file__).parent / "programs"

DEFAULT_KERNEL = "6.1"


class ScenarioError(Exception):
    """A scenario that does not exist or has a line that is not understood."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a guest needs and runs.

    Attributes:
        signature: Id of the signature.
        title: One line.
        kernel: Series of the kernel, of Debian or `ubuntu-…`.
        modules: Kernel modules to load first, in order; arguments after `:` as in `scsi_debug:opts=4`.
        programs: Programs of this host to copy into the guest, with their libraries.
        memory_mb: RAM of the guest.
        cpus: CPUs of the guest.
        seconds: Time after which the machine is stopped.
        append: Parameters of the kernel's command line.
        monitor: Seconds after the start and the command for the machine.
        pauses: Seconds after the start at which the machine is stopped, and for how many.
        machine: Further arguments for qemu.
        load: Source of the program that the guest finds as `load`, None for most.
        verdict: What the library makes of the evidence.
        script: Path of the shell script.
    """

    signature: str
    title: str
    script: Path
    kernel: str = DEFAULT_KERNEL
    modules: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    memory_mb: int = 512
    cpus: int = 2
    seconds: int = 120
    append: str = ""
    monitor: tuple[tuple[float, str], ...] = ()
    pauses: tuple[tuple[float, float], ...] = ()
    machine: tuple[str, ...] = ()
    load: Path | None = None
    verdict: str = "match"


def names() -> list[str]:
    """Ids of the signatures that have a scenario."""
    return sorted(path.relative_to(SCENARIOS).with_suffix("").as_posix() for path in SCENARIOS.glob("*/*.sh"))


def load(signature: str) -> Scenario:
    """Read the scenario of a signature.

    Raises:
        ScenarioError: There is none, or its head is not understood.
    """
    path = SCENARIOS / f"{signature}.sh"
    if not path.is_file():
        raise ScenarioError(f"no scenario for {signature!r}; there are: {', '.join(names())}")
    head: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("# "):
            break
        key, separator, value = line[2:].partition(": ")
        if separator and key in _KEYS:
            head.setdefault(key, []).append(value.strip())
    if "Title" not in head:
        raise ScenarioError(f"{path}: the first lines have no '# Title: …'")
    numbers = dict(pair.split("=") for pair in " ".join(head.get("Machine", [])).split())
    return Scenario(
        signature,
        head["Title"][0],
        path,
        kernel=head.get("Kernel", [DEFAULT_KERNEL])[0],
        modules=tuple(" ".join(head.get("Modules", [])).split()),
        programs=tuple(" ".join(head.get("Programs", [])).split()),
        memory_mb=int(numbers.get("memory", 512)),
        cpus=int(numbers.get("cpus", 2)),
        seconds=int(numbers.get("seconds", 120)),
        append=" ".join(head.get("Append", [])),
        monitor=tuple(_monitor(line) for line in head.get("Monitor", [])),
        pauses=tuple(_pause(line) for line in head.get("Pause", [])),
        machine=tuple(" ".join(head.get("Arguments", [])).split()),
        load=PROGRAMS / f"{head['Load'][0]}.c" if "Load" in head else None,
        verdict=head.get("Verdict", ["match"])[0],
    )


def _monitor(line: str) -> tuple[float, str]:
    after, command = line.split(" ", 1)
    return float(after), command


def _pause(line: str) -> tuple[float, float]:
    after, seconds = line.split()
    return float(after), float(seconds)


_KEYS = {
    *("Title", "Kernel", "Modules", "Programs", "Machine", "Append", "Monitor", "Pause", "Arguments"),
    *("Verdict", "Load"),
}
