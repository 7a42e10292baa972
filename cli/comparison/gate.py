"""Recording of two builds in turn until a slowdown is found or excluded: the core of `casebook gate`.

Looking at the data several times finds differences that are not there. So a twentieth of the level is spent
at each look before the last: it ends the recording for a growth that is beyond doubt. The last look is the
first at which the asked growth is excluded, or that after the most runs, and has what remains of the level.

Source: J. L. Haybittle, British Journal of Radiology 44 (1971), for strict early looks.
"""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import click

from cli import PROGRAM
from cli.process import exits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FIRST_RUNS = 6
MOST_RUNS = 20
LIMIT = 24
"""Of each build; each early look takes its part of the level."""

ROUND = ("base", "new", "new", "base")
EARLY = 1 / 20
"""Part of the level at each look before the last."""

SIDES = ("base", "new")
STANDARD_ERROR = 2
"""Its file descriptor."""

UNDECIDED = exits.INCONCLUSIVE
DECISIONS = {0, exits.CHECK_FAILED, UNDECIDED}


class RecordingError(Exception):
    """The command that records a run failed; the message names the run."""


class GateOptions(NamedTuple):
    """What is recorded and compared.

    Attributes:
        recording: Command that records one run.
        of_diff: Options of `casebook diff`.
        reports: Its options that name reports, for the last look.
        alpha: Level over all looks.
        first_runs: Of each build before the first look.
        most_runs: Of each build.
    """

    recording: Sequence[str]
    of_diff: Sequence[str]
    reports: Sequence[str]
    alpha: float
    first_runs: int
    most_runs: int


class _Look(NamedTuple):
    status: int
    summary: str


class Gate:
    """Recordings of two builds in a folder, and what `casebook diff` says of them."""

    def __init__(self, folder: Path, options: GateOptions) -> None:
        """Make the folder where it is missing.

        Raises:
            UsageError: It has runs.
        """
        self._folder, self._options = folder, options
        self._recording = options.recording
        self._count = 0
        folder.mkdir(parents=True, exist_ok=True)
        if any(any(folder.glob(f"{side}-*")) for side in SIDES):
            raise click.UsageError(f"{folder} has runs already; name another directory with --runs")

    def status(self) -> int:
        """Record and decide; return the exit status of the last `casebook diff`.

        Raises:
            RecordingError: A run could not be recorded.
        """
        alpha, most = self._options.alpha, self._options.most_runs
        early = alpha * EARLY
        looks = len(range(self._options.first_runs, most, len(ROUND) // 2))
        last = alpha - early * looks
        self._record_round()
        # Two runs of each show whether they compare at all.
        if self._look(early).status not in DECISIONS:
            return self._report(alpha)
        while self._count < min(self._options.first_runs, most):
            self._record_round()
        while self._count < most:
            found = self._look(early)
            click.echo(f"{self._count} + {self._count} runs: {found.summary}", err=True)
            if found.status != UNDECIDED:
                return self._report(early if found.status else last)
            self._record_round()
        return self._report(last)

    def _record_round(self) -> None:
        numbers = dict.fromkeys(SIDES, self._count)
        for side in ROUND:
            numbers[side] += 1
            self._record(side, self._folder / f"{side}-{numbers[side]}")
        self._count += ROUND.count("base")

    def _record(self, side: str, run: Path) -> None:
        variables = os.environ | {"CASEBOOK_BUILD": side, "CASEBOOK_RUN": str(run)}
        try:
            status = subprocess.run(
                [*self._recording, side, str(run)],
                env=variables,
                stdin=subprocess.DEVNULL,
                # Standard output is for reports, such as `-o json:-`.
                stdout=STANDARD_ERROR,
                check=False,
            ).returncode
        except OSError as error:
            raise RecordingError(f"{self._recording[0]}: {error.strerror}") from None
        if status:
            raise RecordingError(f"{' '.join(self._recording)} {side} {run} failed with status {status}")
        if not any(run.parent.glob(f"{run.name}.*")):
            raise RecordingError(f"{' '.join(self._recording)} {side} {run} wrote no file {run}.*")

    def _arguments(self, alpha: float) -> list[str]:
        runs = [word for side in SIDES for word in (f"--{side}", str(self._folder / f"{side}-*"))]
        return [
            *PROGRAM,
            "diff",
            *self._options.of_diff,
            *runs,
            "--alpha",
            f"{alpha:.6%}",
            "--inconclusive",
            "fail",
        ]

    def _look(self, alpha: float) -> _Look:
        """Compare the runs so far."""
        done = subprocess.run(
            [*self._arguments(alpha), "--format", "json"], capture_output=True, text=True, check=False
        )
        summary = json.loads(done.stdout)["summary"] if done.returncode in DECISIONS else done.stderr.strip()
        return _Look(done.returncode, summary)

    def _report(self, alpha: float) -> int:
        return subprocess.run([*self._arguments(alpha), *self._options.reports], check=False).returncode
