"""Run the commands of all fixes that change something in a guest, and print what became of each.

    make bench-fixes

Commands that only read are run by the tests. `fix_runs.yaml` holds variables, preparations, and why a command
cannot run.
"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from signatures.document.catalog import load_catalog
from tools.reproduce import guest, kernel
from tools.reproduce.scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FOLDER = Path("var/reproduce")
RUNS = Path(__file__).with_suffix(".yaml")
KERNEL = "6.12"
READ_ONLY = "nothing was changed"
SECONDS = 1500
MODULES = (
    "crc32c_generic ext4 dm_mod raid1 sd_mod xhci_pci nf_conntrack "
    "brd:rd_nr=6,rd_size=65536 scsi_debug:dev_size_mb=64"
)
PROGRAMS = "sysctl mke2fs tune2fs dmsetup fsfreeze mdadm ip auditctl"
HEAD = """\
# Commands of fixes that change something

{ran} of {all} commands ran in a virtual machine with Linux {release}, {well} of them with exit
status 0; written by `make bench-fixes`. What a command is to cure was not there: a run shows that the command
is accepted, not that it cures. The {reading} commands that only read are run by the tests, on their host.

| signature | command | outcome |
| --- | --- | --- |
"""


class Fix(NamedTuple):
    """One command with how it is run; `reason` says why it is not, `note` what a failure means."""

    signature: str
    run: str
    variables: Mapping[str, str]
    prepare: str
    after: str
    reason: str
    note: str


def fixes() -> tuple[list[Fix], int]:
    """Return the commands that change something, and how many only read."""
    runs: dict[str, Any] = yaml.safe_load(RUNS.read_text())
    found, reading = [], 0
    for signature in load_catalog().signatures:
        for fix in signature.fixes:
            run = str(fix.get("run") or "").strip()
            if not run or signature.system.os != "linux":
                continue
            if str(fix.get("undo", "")).startswith(READ_ONLY):
                reading += 1
                continue
            row = _row(runs, signature.id, run)
            reason = row.get("not_run") or next(
                (why for tool, why in runs["not_run"].items() if re.search(rf"\b{tool} ", run)), ""
            )
            variables = runs["defaults"]["variables"] | row.get("variables", {})
            found.append(
                Fix(
                    signature.id,
                    run,
                    variables,
                    prepare=row.get("prepare", ""),
                    after=row.get("after", ""),
                    reason=reason,
                    note=row.get("note", ""),
                )
            )
    return found, reading


def _row(runs: Mapping[str, Any], signature: str, run: str) -> Mapping[str, Any]:
    for name, row in runs["rows"].items():
        of, _, part = name.partition(": ")
        if of == signature and part in run:
            found: Mapping[str, Any] = row
            return found
    return {}


def script(chosen: Sequence[Fix]) -> str:
    """Return what the guest runs: each command in a shell of its own; status and first message of each."""
    lines = [str(yaml.safe_load(RUNS.read_text())["defaults"]["setup"])]
    for number, fix in enumerate(chosen):
        exports = " ".join(f"{name}={shlex.quote(value)}" for name, value in fix.variables.items())
        lines += [
            f"export {exports}",
            f"{{ {fix.prepare}; }} > /tmp/prepared 2>&1" if fix.prepare else ":",
            f"timeout 100 sh -c {shlex.quote(fix.run)} > /tmp/out 2> /tmp/err < /dev/null",
            f'echo "{number} $? $(head -n 1 /tmp/err)" >> /evidence/fixes.txt',
            f"{{ {fix.after}; }} > /dev/null 2>&1" if fix.after else ":",
        ]
    return "\n".join(lines) + "\n"


def outcomes(text: str) -> dict[int, tuple[int, str]]:
    """Return exit status and first message by number."""
    rows = (line.split(" ", 2) for line in text.splitlines())
    return {int(row[0]): (int(row[1]), row[2].strip()) for row in rows}


def page(found: Sequence[Fix], reading: int, ended: Mapping[str, tuple[int, str]], release: str) -> str:
    """Return the table."""
    head = HEAD.format(
        ran=len(ended),
        all=len(found),
        release=release,
        well=sum(status == 0 for status, _ in ended.values()),
        reading=reading,
    )
    return head + "".join(_lines(found, ended))


def _lines(found: Sequence[Fix], ended: Mapping[str, tuple[int, str]]) -> Iterator[str]:
    for fix in found:
        outcome = f"not run: {fix.reason or 'the guest ended before it'}"
        if fix.run in ended and not fix.reason:
            status, message = ended[fix.run]
            outcome = f"exit status {status}{f': {message}' if message else ''}"
            outcome += f" ({fix.note})" if status and fix.note else ""
        command = " ".join(fix.run.split()).replace("|", "\\|")
        yield f"| `{fix.signature}` | `{command}` | {outcome.replace('|', '/')} |\n"


def main() -> None:
    """Boot the guest and print the table."""
    found, reading = fixes()
    chosen = [fix for fix in found if not fix.reason]
    built = kernel.fetch(KERNEL, FOLDER / "kernels")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fixes.sh"
        path.write_text(script(chosen))
        scenario = Scenario(
            "fixes",
            "Commands of fixes",
            path,
            modules=tuple(MODULES.split()),
            programs=tuple(PROGRAMS.split()),
            memory_mb=768,
            seconds=SECONDS,
            machine=("-device", "qemu-xhci,addr=5"),
        )
        output = FOLDER / "runs" / "fixes"
        guest.run(scenario, built, output)
    ended = outcomes((output / "evidence" / "fixes.txt").read_text())
    by_run = {chosen[number].run: outcome for number, outcome in ended.items()}
    sys.stdout.write(page(found, reading, by_run, built.release))


if __name__ == "__main__":
    main()
