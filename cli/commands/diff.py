"""`casebook diff`: does a build cost more CPU time than the base?

$ casebook diff --base runs/base-* --new runs/new-* --work 12000
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.comparison.baseline_options import Names, naming
from cli.comparison.options import NO_PERCENT, PERCENT, PERCENT_OR_NONE, SeveralValues, with_counters
from cli.process import exits
from cli.process.arguments import comparison_format, fail_on, location, report_files, targets
from cli.process.confined import ConfinedCommand, Reach
from cli.process.libraries import libraries_option
from cli.process.output import write_text
from cli.service.options import service_of, service_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.comparison.service_history import ServiceHistory
    from signatures.reporting.fail_on import FailOnPolicy

KINDS = ("host", "kernel", "cpu", "cpus", "frequency", "duration", "work", "order", "lost")


REACH = Reach(
    reads=("base_run", "new_run", "bases", "news", "baseline", "libraries"),
    reports=("outputs",),
    has_picture=True,
)


SERVICE = "service"
"""Value of `--baseline` for the baseline of the service."""


class DiffCommand(SeveralValues, ConfinedCommand):
    """The command: options with several values, and confinement."""

    def invoke(self, ctx: click.Context) -> Any:
        """Find counters and ask the service for its baseline before the process is confined, then run."""
        for name in ("bases", "news"):
            ctx.params[name] = with_counters(ctx.params[name])
        if ctx.params["baseline"] == SERVICE:
            given = ctx.params
            given["baseline"] = None
            ctx.obj = _history(
                Names(given["project"], given["benchmark"], given["machine"]),
                given["url"],
                given["token"],
                given["profile"],
                has_base=bool(given["bases"] or given["new_run"]),
            )
        return super().invoke(ctx)


@click.command("diff", cls=DiffCommand, reach=REACH)
@click.argument("base_run", metavar="[BASE", required=False)
@click.argument("new_run", metavar="NEW]", required=False)
@click.option(
    "--base", "bases", metavar="RUN...", multiple=True, help="Runs of the base: files, directories, globs."
)
@click.option("--new", "news", metavar="RUN...", multiple=True, help="Runs of the new build.")
@click.option(
    "--work",
    metavar="N|FACT",
    default="",
    help="Units of work in each run, such as requests; a number, or a fact "
    "of the run's files (`http.requests`). Default: each run is one unit.",
)
@click.option(
    "--min-growth", type=PERCENT, default="2%", show_default=True, help="Smallest growth that fails."
)
@click.option(
    "--detect",
    type=PERCENT_OR_NONE,
    default="10%",
    show_default=True,
    help="Growth of a total that must not be missed: inconclusive where the runs neither find nor exclude "
    "it. none: pass, and state what the runs exclude.",
)
@click.option(
    "--detect-function",
    type=PERCENT,
    help="The same of functions: those of --function, else those of 5 % of the CPU time and more.",
)
@click.option(
    "--alpha",
    type=PERCENT,
    default="1%",
    show_default=True,
    help="Probability that identical builds fail, over all totals and functions.",
)
@click.option(
    "--function",
    "expressions",
    metavar="NAME|PATTERN",
    multiple=True,
    help="Test this function alone, which finds less growth: its name, or kind.name. A regular expression "
    "that matches several tests those together. May be repeated.",
)
@click.option(
    "--allow",
    type=click.Choice(KINDS),
    multiple=True,
    help="Compare although recordings differ in this. May be repeated.",
)
@click.option(
    "--inconclusive",
    type=click.Choice(["pass", "fail"]),
    default="fail",
    show_default=True,
    help="Exit with 0 or 9 when the runs do not suffice.",
)
@click.option(
    "--baseline",
    metavar="DIR|service",
    type=click.Path(file_okay=False),
    help="Baseline of the project, in a directory or in the service: its variation adds to that of the runs "
    "and, without --base, the build is compared with it.",
)
@naming
@service_options
@click.option("--event", metavar="NAME", help="Event to compare: cycles, cpu-clock, sched:….")
@click.option("--comm", metavar="NAME", multiple=True, help="Only threads of this name; may be repeated.")
@click.option(
    "--focus", metavar="FUNCTION", multiple=True, help="Only samples through this function, or /expression/."
)
@fail_on
@libraries_option
@comparison_format
@report_files
@click.pass_obj
def command(
    of_service: ServiceHistory | None,
    *,
    base_run: str | None,
    new_run: str | None,
    bases: tuple[str, ...],
    news: tuple[str, ...],
    work: str,
    min_growth: float,
    detect: float,
    detect_function: float | None,
    alpha: float,
    expressions: tuple[str, ...],
    allow: tuple[str, ...],
    inconclusive: str,
    baseline: str | None,
    names: Names,
    url: str | None,  # noqa: ARG001 - read before the process is confined
    token: str | None,  # noqa: ARG001 - same
    profile: str | None,  # noqa: ARG001 - same
    event: str | None,
    comm: tuple[str, ...],
    focus: tuple[str, ...],
    gates: list[FailOnPolicy],
    libraries: tuple[Path, ...],
    shape: str | None,
    outputs: tuple[str, ...],
) -> None:
    """Compare the CPU time of a new build with that of a base, in total and function by function.

    Record several runs of each, in turn (A B B A) on one machine; 6 + 6 find most slowdowns of 10 %. A run is
    any file with stacks, compressed or not, and files beside it with the same name up to the first dot, such
    as the output of `perf stat`. --fail-on fails for new and worse findings, too. A pass states the
    smallest growth that the runs exclude. `casebook gate` records the runs itself. Exit status: 0 pass;
    4 fail; 9 inconclusive; 8 not comparable; 2 usage error; 3 no stacks.
    """
    from backend.core.version import VERSION  # noqa: PLC0415 - keeps help fast
    from cli.comparison.baseline_directory import BaselineError, points_below  # noqa: PLC0415 - same
    from cli.comparison.build_pair import BuildPair, compare_builds, status_of  # noqa: PLC0415 - same
    from cli.comparison.runs import NoStacksError  # noqa: PLC0415 - same
    from ingest.comparison.rules import RuleError, Rules, patterns  # noqa: PLC0415 - same
    from signatures.rendering.comparison_findings import change_words  # noqa: PLC0415 - same
    from signatures.rendering.comparison_reports import written  # noqa: PLC0415 - same

    points = partial(points_below, Path(baseline)) if baseline else None
    place, failure = baseline or "", ""
    if points is None and of_service is not None:
        points, place, failure = partial(list, of_service.points), of_service.url, of_service.failure
    before, after = _sides(base_run, new_run, bases, news, has_baseline=points is not None)
    if gates and not before:
        raise click.UsageError("--fail-on compares findings with those of the base: name its runs (--base)")
    if points is not None and focus:
        raise click.UsageError("--focus selects samples, and a baseline has none; omit one of them")
    pair = BuildPair(
        before=before,
        after=after,
        names=names,
        points=points,
        place=place,
        failure=failure,
        work=work,
        event=event,
        comms=comm,
        focus=focus,
    )
    try:
        asked = None if detect == NO_PERCENT else detect
        rules = Rules(alpha, min_growth, asked, detect_function, patterns(expressions), frozenset(allow))
        comparison = compare_builds(pair, rules, gates, libraries)
    except RuleError as error:
        raise click.UsageError(str(error)) from None
    except (NoStacksError, BaselineError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(exits.REFUSED)
    for path, form in targets(outputs, shape, has_picture=True):
        write_text(path, written(comparison, form, version=VERSION, report_at=location()))
    for gate in comparison.gates:
        words = change_words(gate.changes) or "nothing new or worse"
        click.echo(f"--fail-on '{gate.text}': {words}", err=True)
    sys.exit(status_of(comparison, passes_inconclusive=inconclusive == "pass"))


def _history(
    names: Names, url: str | None, token: str | None, profile: str | None, *, has_base: bool
) -> ServiceHistory:
    """Return the points of the service that the options name; warn where the comparison goes without."""
    from cli.comparison.baseline_directory import BaselineError  # noqa: PLC0415 - keeps help fast
    from cli.comparison.service_history import service_history  # noqa: PLC0415 - same

    if not names.project:
        raise click.UsageError("the project is missing: name it with --project, or set CASEBOOK_PROJECT")
    service = service_of(url, token, profile)
    try:
        history = service_history(service, names, is_needed=not has_base)
    except BaselineError as error:
        raise click.ClickException(str(error)) from None
    if history.failure:
        click.echo(f"Warning: the baseline is not used: {history.failure}", err=True)
    return history


def _sides(
    base_run: str | None,
    new_run: str | None,
    bases: Sequence[str],
    news: Sequence[str],
    *,
    has_baseline: bool,
) -> tuple[list[str], list[str]]:
    before = [*([base_run] if base_run else []), *bases]
    after = [*([new_run] if new_run else []), *news]
    if not after or not (before or has_baseline):
        raise click.UsageError("name runs of both builds: BASE NEW, or --base RUN... --new RUN...")
    if [*before, *after].count("-") > 1:
        raise click.UsageError("only one run can be standard input")
    return before, after
