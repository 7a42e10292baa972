"""Run a scenario in a virtual machine and bring its evidence out.

The processor is emulated (tcg) unless kvm is asked for: /dev/kvm may exist and not work, as in a guest.
"""

from __future__ import annotations

import signal
import subprocess
import tarfile
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from tools.reproduce import image

if TYPE_CHECKING:
    from tools.reproduce.kernel import Kernel
    from tools.reproduce.scenario import Scenario

EVIDENCE_BYTES = 64 << 20
"""Size of the disk that carries the evidence out."""

_QEMU = "qemu-system-x86_64"


class GuestError(Exception):
    """A guest that ended without evidence."""


def run(scenario: Scenario, kernel: Kernel, output: Path, accelerator: str = "tcg") -> None:
    """Run `scenario` and unpack its evidence into `output/evidence`; the console is `output/console.log`.

    Raises:
        GuestError: The guest handed nothing over within its time.
    """
    evidence = output / "evidence"
    evidence.mkdir(parents=True, exist_ok=True)
    console = output / "console.log"
    with tempfile.TemporaryDirectory() as folder:
        initramfs, disk = Path(folder) / "initramfs", Path(folder) / "evidence"
        image.build(scenario, kernel, initramfs)
        with disk.open("wb") as file:
            file.truncate(EVIDENCE_BYTES)
        command = [*_command(scenario, kernel, accelerator), *_files(initramfs, disk, console)]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        ) as machine:
            timers = [threading.Timer(after, _tell, (machine, line)) for after, line in scenario.monitor]
            for after, seconds in scenario.pauses:
                timers.append(threading.Timer(after, machine.send_signal, (signal.SIGSTOP,)))
                timers.append(threading.Timer(after + seconds, machine.send_signal, (signal.SIGCONT,)))
            for timer in timers:
                timer.start()
            try:
                machine.wait(scenario.seconds)
            except subprocess.TimeoutExpired:
                machine.kill()
            finally:
                for timer in timers:
                    timer.cancel()
        with tarfile.open(disk) as archive:
            archive.extractall(evidence, filter="data")
    if not any(evidence.iterdir()):
        raise GuestError(f"no evidence from the guest within {scenario.seconds} s; its console is {console}")


def _command(scenario: Scenario, kernel: Kernel, accelerator: str) -> list[str]:
    return [
        *(_QEMU, "-accel", accelerator, "-cpu", "max"),
        *("-m", str(scenario.memory_mb), "-smp", str(scenario.cpus)),
        *("-nodefaults", "-display", "none", "-no-reboot", "-monitor", "stdio"),
        *("-kernel", str(kernel.image)),
        # On a busy host the test of the timer at boot comes too late, and the kernel panics.
        *("-append", f"console=ttyS0 panic=-1 no_timer_check {_clock(scenario)} {scenario.append}".strip()),
        *scenario.machine,
    ]


def _clock(scenario: Scenario) -> str:
    """Return the parameter that keeps the TSC from being the clock, unless the scenario is about it.

    Calibrated on a busy host, the counter of an emulated processor runs too fast or too slow.
    """
    return "" if "tsc" in scenario.append else "tsc=unstable"


def _files(initramfs: Path, disk: Path, console: Path) -> list[str]:
    return [
        *("-initrd", str(initramfs), "-serial", f"file:{console}"),
        *("-drive", f"file={disk},format=raw,if=virtio"),
    ]


def _tell(machine: subprocess.Popen[str], line: str) -> None:
    if machine.stdin is not None and machine.poll() is None:
        machine.stdin.write(line + "\n")
        machine.stdin.flush()
