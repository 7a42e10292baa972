"""`casebook gate`: record two builds in turn until a slowdown is found or excluded.

$ casebook gate --work 12000 -- ./record
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from cli.comparison.gate import FIRST_RUNS, LIMIT, MOST_RUNS, Gate, GateOptions, RecordingError
from cli.comparison.options import PERCENT
from cli.process import exits
from cli.process.arguments import comparison_format

OF_BISECT = {0: 0, exits.CHECK_FAILED: 1}
"""Statuses for `git bisect run`."""

SKIPPED = 125
"""The status by which `git bisect run` skips a commit."""


class GateCommand(click.Command):
    """The command: options of `diff` go to `diff`, and what follows `--` records a run."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Split the arguments at `--`."""
        if not {"-h", "--help"}.isdisjoint(args[: args.index("--") if "--" in args else None]):
            return super().parse_args(ctx, ["--help"])
        if "--" not in args or args[-1] == "--":
            raise click.UsageError(
                "the command that records a run is missing: casebook gate -- ./record", ctx
            )
        at = args.index("--")
        ctx.obj = args[at + 1 :]
        return super().parse_args(ctx, args[:at])


@click.command(
    "gate",
    cls=GateCommand,
    context_settings={"ignore_unknown_options": True},
    options_metavar="[OPTIONS] [OPTIONS OF DIFF] --",
)
@click.argument("of_diff", metavar="COMMAND...", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--runs",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory to keep the recordings in; default: a temporary one.",
)
@click.option(
    "--first-runs",
    type=click.IntRange(4, LIMIT),
    default=FIRST_RUNS,
    show_default=True,
    help="Runs of each build before the first decision.",
)
@click.option(
    "--most-runs",
    type=click.IntRange(4, LIMIT),
    default=MOST_RUNS,
    show_default=True,
    help="Runs of each build after which it is inconclusive.",
)
@click.option(
    "--alpha",
    type=PERCENT,
    default="1%",
    show_default=True,
    help="Probability that identical builds fail, over all decisions.",
)
@click.option(
    "--inconclusive",
    type=click.Choice(["pass", "fail"]),
    default="fail",
    show_default=True,
    help="Exit with 0 or 9 when the most runs do not suffice.",
)
@click.option(
    "--bisect", is_flag=True, help="Exit with 0, 1 or 125 (skip), as `git bisect run` reads exit statuses."
)
@comparison_format
@click.option(
    "-o", "--output", "outputs", metavar="[FORMAT:]FILE", multiple=True, help="As in `casebook diff`."
)
@click.pass_obj
def command(
    recording: list[str],
    *,
    of_diff: tuple[str, ...],
    folder: Path | None,
    first_runs: int,
    most_runs: int,
    alpha: float,
    inconclusive: str,
    bisect: bool,
    shape: str | None,
    outputs: tuple[str, ...],
) -> None:
    """Record two builds in turn, and compare them with `casebook diff`, until --detect is decided.

    COMMAND is run with two more arguments, `base` or `new` and a path PREFIX. It writes one run of that build
    to files PREFIX.*, such as PREFIX.script and PREFIX.stat. The order is base new new base.
    Recording ends when the growth that --detect and --detect-function ask for is found or excluded, or after
    --most-runs of each. Other options are those of `casebook diff`: --work, --detect, --detect-function,
    --function, --fail-on, …. Exit statuses are those of `casebook diff`; 1 if COMMAND fails.
    """
    _check(of_diff)
    reports = [*(["--format", shape] if shape else []), *(word for one in outputs for word in ("-o", one))]
    place: Any = nullcontext(folder) if folder else tempfile.TemporaryDirectory(prefix="casebook-gate-")
    with place as used:
        options = GateOptions(recording, of_diff, reports, alpha, first_runs, most_runs)
        try:
            status = Gate(Path(used), options).status()
        except RecordingError as error:
            click.echo(f"Error: {error}", err=True)
            status = exits.FAILED
    if bisect:
        sys.exit(OF_BISECT.get(status, SKIPPED))
    sys.exit(0 if status == exits.INCONCLUSIVE and inconclusive == "pass" else status)


def _check(of_diff: tuple[str, ...]) -> None:
    """Refuse what `diff` would refuse, before anything is recorded."""
    from cli.commands.diff import command as diff  # noqa: PLC0415 - keeps help fast

    with diff.make_context("diff", [*of_diff, "--base", "base", "--new", "new"]) as context:
        given = context.params
    if given["base_run"] or len(given["bases"]) > 1 or len(given["news"]) > 1:
        raise click.UsageError("gate records the runs itself; compare recorded ones with `casebook diff`")
