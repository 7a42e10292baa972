"""`casebook analyze`: cited findings from evidence, locally, without a server.

$ casebook analyze perf.script memory.stat
$ ssh db7 'dmesg' | casebook analyze -
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from cli.process import exits
from cli.process.answering import EvidencePath
from cli.process.arguments import (
    analysis_format,
    fail_on,
    refuse_strangers,
    report_files,
    targets,
)
from cli.process.confined import ConfinedCommand, Reach
from cli.process.libraries import catalog_of, libraries_option
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cli.evidence.analysis import Analysis
    from signatures.reporting.fail_on import FailOnPolicy


DEMO = "casebook.demo"
"""Key of the context under which `--demo` is."""


def _note_demo(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's
    context.meta[DEMO] = value


def _or_sample(context: click.Context, parameter: click.Parameter, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the evidence that was named, or with `--demo` the sample."""
    if not context.meta.get(DEMO):
        if not paths:
            raise click.MissingParameter(ctx=context, param=parameter)
        return paths
    if paths:
        raise click.UsageError("--demo has its own evidence: leave out PATH or --demo")
    from backend.evidence.sample_cases import SAMPLES  # noqa: PLC0415 - keeps help fast

    sample = SAMPLES / "reclaim-at-the-limit"
    click.echo(f"casebook analyze {sample}", err=True)
    return (str(sample),)


@click.command(
    "analyze",
    cls=ConfinedCommand,
    reach=Reach(reads=("paths", "libraries"), reports=("outputs",)),
    imports=("cli.evidence.analysis", "signatures.rendering.terminal"),
)
@click.argument("paths", metavar="PATH...", nargs=-1, type=EvidencePath(), callback=_or_sample)
@click.option(
    "--demo",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_note_demo,
    help="Analyse a recorded incident that comes with the command.",
)
@libraries_option
@fail_on
@analysis_format
@report_files
@click.option(
    "--all",
    "with_all",
    is_flag=True,
    help="Show every signature, including those that are not, and every file.",
)
def command(
    *,
    paths: tuple[str, ...],
    libraries: tuple[Path, ...],
    gates: Sequence[FailOnPolicy],
    shape: str | None,
    outputs: tuple[str, ...],
    with_all: bool,
) -> None:
    """Analyse evidence and print cited findings.

    PATH is a file, a directory, an archive or a sosreport, compressed or not; `-` is standard input. Files of
    a directory are captured at their relative path: keep the paths of /proc and /sys.

    Exit status: 0 success and --fail-on not met; 2 usage error; 3 nothing could be read; 4 --fail-on met;
    with --fail-on also 5: some of the evidence could not be read.
    """
    from cli.evidence.analysis import analyse, outcome_of  # noqa: PLC0415 - keeps `casebook --help` fast
    from cli.process.check_outcome import status_of  # noqa: PLC0415 - same
    from signatures.rendering.finding_rows import rule_of  # noqa: PLC0415 - same

    analysis = analyse(paths, catalog_of(libraries))
    for problem in analysis.problems:
        click.echo(f"a signature was skipped: {problem}", err=True)
    refuse_strangers(gates, [finding.signature.id for finding in analysis.findings])
    for path, form in targets(outputs, shape):
        write(analysis, path, form, gates, with_all=with_all)
    outcome = outcome_of(analysis, gates)
    for gate in gates:
        met = [rule_of(one) for one in gate.met_by(outcome.findings)]
        click.echo(f"--fail-on '{gate.text}': {', '.join(met) or 'not met'}", err=True)
    if not analysis.has_read:
        if shape == "json":
            click.echo("nothing could be read; see `reason` of each file", err=True)
        sys.exit(exits.REFUSED)
    sys.exit(status_of(outcome) if gates else 0)


def write(
    analysis: Analysis, path: str, shape: str, gates: Sequence[FailOnPolicy], *, with_all: bool
) -> None:
    """Write an analysis to a file, or print it where `path` is `-`."""
    from cli.process import output  # noqa: PLC0415 - same

    if shape == "json":
        from cli.evidence.analysis import document  # noqa: PLC0415 - same

        report = document(analysis, with_all=with_all)
        output.write_text(path, json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    elif shape == "markdown":
        from signatures.rendering.markdown import markdown  # noqa: PLC0415 - same

        output.write_text(path, markdown(analysis.report, with_all=with_all))
    elif shape == "chat":
        from signatures.rendering.chat import chat  # noqa: PLC0415 - same

        output.write_text(path, chat(analysis.report))
    elif shape == "text":
        from signatures.rendering.terminal import report_lines  # noqa: PLC0415 - same

        lines = report_lines(analysis.report, with_all=with_all)
        if path == "-":
            output.print_lines(lines)
        else:
            output.write_text(path, "".join(f"{bare(line.text)}\n" for line in lines))
    else:
        from backend.core.version import VERSION  # noqa: PLC0415 - same
        from cli.evidence.analysis import outcome_of  # noqa: PLC0415 - same
        from cli.process.arguments import location  # noqa: PLC0415 - same
        from signatures.rendering.check_reports import written  # noqa: PLC0415 - same

        outcome = outcome_of(analysis, gates)
        output.write_text(path, written(outcome, shape, version=VERSION, report_at=location()))
