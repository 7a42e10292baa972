"""Commands that read evidence confine themselves: a hostile file reaches neither other files nor the network.

    @click.command("fold", cls=ConfinedCommand, reach=Reach(reads=("path",)))

From then on the process may read its arguments and our code, and write to standard output. A command with
output files runs in a child process, and its parent opens and finishes those. System calls are filtered as in
the service (`backend.sandbox`). Where the kernel grants too little, the command says so and goes on, or with
`CASEBOOK_SANDBOX=required` it refuses.

Only a program confines itself: `main()` does, a call of `main.main(…)` from Python does not.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import signal
import sys
import time
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.process import output_files
from cli.process.arguments import targets
from ingest.garbage import collect_rarely

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

VARIABLE = "CASEBOOK_SANDBOX"
POLICIES = ("best", "required")
NULL = Path(os.devnull)
STANDARD = "-"
WILDCARDS = frozenset("*?[")
_program = {"is_running": False}


def note_program() -> None:
    """Note that this process is the program: it may fork and end."""
    _program["is_running"] = True


@dataclass(frozen=True, slots=True)
class Reach:
    """What a confined command may reach, as names of its parameters.

    Attributes:
        reads: Files, directories and globs of evidence; a glob reaches the directory that it searches.
        writes: Output files, written at once.
        reports: As `writes`, each with its format or without: `codequality:quality.json`.
        replaces: Output files that replace an older one when complete.
        keeps: Folders that it adds files to; made if they are missing.
        only_with: Parameter without which it reads no evidence, and is not confined; "" for always.
        has_picture: Whether one of the formats is a picture.
        has_scratch: Whether it needs a temporary directory to write a file.
    """

    reads: Sequence[str] = ()
    writes: Sequence[str] = ()
    reports: Sequence[str] = ()
    replaces: Sequence[str] = ()
    keeps: Sequence[str] = ()
    only_with: str = ""
    has_picture: bool = False
    has_scratch: bool = False


@dataclass(slots=True)
class _Place:
    """The files of one command: what it reads, and what its parent opens for it."""

    inputs: list[Path]
    outputs: output_files.Outputs
    has_outputs: bool = False
    scratch: Path | None = None
    kept: list[Path] = field(default_factory=list)

    def add_output(self, path: str, *, is_replaced: bool = False) -> None:
        """Open an output file."""
        self.outputs.open(path, is_replaced=is_replaced)
        self.has_outputs = True


class ConfinedCommand(click.Command):
    """A command that reads evidence in a confined child process."""

    def __init__(self, *arguments: Any, reach: Reach, imports: Sequence[str] = (), **options: Any) -> None:
        """Confine the command to `reach`; `imports` are the modules that it imports when it reads."""
        super().__init__(*arguments, **options)
        self.reach = reach
        self.imports = imports

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, confined if this is the program; the parent exits with the status of the child."""
        is_idle = self.reach.only_with and ctx.params.get(self.reach.only_with) is None
        if is_idle or not _program["is_running"]:
            return super().invoke(ctx)
        policy = os.environ.get(VARIABLE) or POLICIES[0]
        if policy not in POLICIES:
            raise click.UsageError(f"{VARIABLE} must be {' or '.join(POLICIES)}, not {policy!r}")
        place = self._place(ctx)
        _import_without_bytecode(self.imports)
        if place.has_outputs:
            parent = os.getpid()
            child = os.fork()
            if child:
                sys.exit(_finish(child, place))
            _end_with(parent)
        _confine(place, policy)
        collect_rarely()
        return super().invoke(ctx)

    def _place(self, ctx: click.Context) -> _Place:
        inputs = [_searched(Path(path)) for path in _paths(ctx, self.reach.reads)]
        place = _Place(inputs, output_files.Outputs())
        for path in _paths(ctx, self.reach.writes):
            place.add_output(path)
        for path, _ in targets(
            _paths(ctx, self.reach.reports), None, default=(), has_picture=self.reach.has_picture
        ):
            place.add_output(path)
        for path in _paths(ctx, self.reach.replaces):
            place.add_output(path, is_replaced=True)
        for path in _paths(ctx, self.reach.keeps):
            Path(path).mkdir(parents=True, exist_ok=True)
            place.kept.append(Path(path))
        if self.reach.has_scratch and place.has_outputs:
            import tempfile  # noqa: PLC0415 - keeps `casebook --help` fast

            place.scratch = Path(tempfile.mkdtemp(prefix="casebook-"))
        return place


def _import_without_bytecode(names: Sequence[str]) -> None:
    """Import the modules that have no bytecode, which a confined process could not write for the next one.

    Not every installer compiles: the second start after `uv tool install` takes half of the first.
    """
    for name in names:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.cached is not None and not Path(spec.cached).exists():
            importlib.import_module(name)


def _paths(ctx: click.Context, names: Iterable[str]) -> list[str]:
    """Return the paths in the parameters `names`, without standard input and output."""
    found: list[str] = []
    for name in names:
        value = ctx.params.get(name)
        values = value if isinstance(value, (list, tuple)) else [value]
        found += [str(one) for one in values if one is not None and str(one) != STANDARD]
    return found


def _searched(path: Path) -> Path:
    """Return an existing path, or the directory in which a glob is expanded."""
    if path.exists():
        return path
    fixed = takewhile(lambda part: not WILDCARDS.intersection(part), path.parts)
    return Path(*fixed)


def _end_with(parent: int) -> None:
    """Have the kernel end this process with its parent."""
    from backend.sandbox import confinement  # noqa: PLC0415 - same

    confinement.die_with_parent(parent)


def _confine(place: _Place, policy: str) -> None:
    """Confine this process."""
    from backend.sandbox import confinement  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.sandbox.code_paths import code_paths  # noqa: PLC0415 - same
    from backend.sandbox.layers import refusal  # noqa: PLC0415 - same

    output_files.use(place.outputs)
    # The time zone is a file that would be read later.
    time.tzset()
    writable = [NULL, *place.kept]
    if place.scratch is not None:
        writable.append(place.scratch)
        os.environ["TMPDIR"] = str(place.scratch)
    layers = confinement.confine(
        readable=[*code_paths(), *place.inputs, *place.kept], writable=writable, has_network_namespace=False
    )
    if layers.is_accepted("best"):
        return
    if policy == "required":
        raise click.ClickException(refusal(layers, "required"))
    missing = ", ".join(layers.missing())
    click.echo(f"the evidence is read without a complete sandbox: the kernel grants no {missing}", err=True)


def _finish(child: int, place: _Place) -> int:
    """Wait for the child, finish its output files; return its status as a shell states it."""
    # An interrupt from the terminal reaches the child too, which ends and decides the status.
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        signal.signal(signal.SIGINT, previous)
        if place.scratch is not None:
            import shutil  # noqa: PLC0415 - same

            shutil.rmtree(place.scratch, ignore_errors=True)
    place.outputs.finish(is_complete=status in output_files.COMPLETE)
    return status if status >= 0 else 128 - status
