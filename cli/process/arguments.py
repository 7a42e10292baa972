"""Arguments shared by subcommands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.process.answering import EvidencePath

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from signatures.reporting.fail_on import FailOnPolicy

evidence_paths = click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=EvidencePath(),
)
"""One or more files, directories or archives; `-` is standard input."""


FORMATS = ("text", "markdown", "json", "junit", "sarif", "annotations", "codequality", "metrics")
PICTURE = "svg"
"""A format of comparisons, beside the others."""

LOCATION = "casebook.location"
"""Key of the context under which `--report-at` is."""

SUFFIXES = {".md": "markdown", ".json": "json", ".xml": "junit", ".sarif": "sarif"}

report_format = click.option(
    "--format",
    "shape",
    type=click.Choice(FORMATS),
    help="Report format; default: by the suffix of FILE, else text.",
)
"""The format of a report."""

comparison_format = click.option(
    "--format",
    "shape",
    type=click.Choice((*FORMATS, PICTURE)),
    help="Report format; default: by the suffix of FILE, else text. svg is a picture of the growth.",
)
"""The format of a comparison of builds."""

analysis_format = click.option(
    "--format",
    "shape",
    type=click.Choice((*FORMATS, "chat")),
    help="Report format; default: by the suffix of FILE, else text. chat is Markdown without tables.",
)
"""The format of an analysis."""

_outputs = click.option(
    "-o",
    "--output",
    "outputs",
    metavar="[FORMAT:]FILE",
    multiple=True,
    help="Output file, default: standard output (-); .md, .json, .xml (JUnit) and .sarif set the "
    "format, unless it is named: codequality:quality.json. May be repeated.",
)


def _note_location(context: click.Context, _: click.Parameter, value: str | None) -> None:
    context.meta[LOCATION] = value


_location = click.option(
    "--report-at",
    metavar="PATH",
    expose_value=False,
    is_eager=True,
    callback=_note_location,
    help="File of the repository that SARIF, annotations and code quality point at, such as the load test; "
    "default: the evidence.",
)


def location() -> str:
    """Return the file of the repository that reports point at, "" for the evidence."""
    context = click.get_current_context(silent=True)
    return (context.meta.get(LOCATION) if context else None) or ""


def report_files(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the files to write reports to, and the file that reports point at."""
    return _outputs(_location(command))


def targets(
    outputs: Sequence[str],
    shape: str | None,
    *,
    default: Sequence[str] = ("-",),
    has_picture: bool = False,
) -> list[tuple[str, str]]:
    """Return each output file, of `default` without any, with its format."""
    found = []
    forms = {*FORMATS, PICTURE} if has_picture else FORMATS
    suffixes = SUFFIXES | {f".{PICTURE}": PICTURE} if has_picture else SUFFIXES
    for output in outputs or default:
        form, colon, path = output.partition(":")
        if colon and form in forms:
            found.append((path, form))
        else:
            found.append((output, shape or suffixes.get(Path(output).suffix, "text")))
    return found


def policies_of(
    context: click.Context, parameter: click.Parameter, expressions: Sequence[str]
) -> list[FailOnPolicy]:
    """Return the parsed `--fail-on` expressions.

    Raises:
        BadParameter: An expression is invalid.
    """
    from signatures.reporting.fail_on import FailOnError, FailOnPolicy  # noqa: PLC0415 - keeps `casebook --help` fast

    try:
        return [FailOnPolicy.parse(expression) for expression in expressions]
    except FailOnError as error:
        raise click.BadParameter(str(error), context, parameter) from None


fail_on = click.option(
    "--fail-on",
    "gates",
    metavar="EXPRESSION",
    multiple=True,
    callback=policies_of,
    help="Exit with 4 when a finding meets the expression: default, 'severity>=high', 'alarm=io', "
    "'signature=mm/* and confidence>=80%'. May be repeated: any of them.",
)
"""What makes a build fail."""


def refuse_strangers(gates: Sequence[FailOnPolicy], signatures: Collection[str]) -> None:
    """Reject an expression about an unknown signature or alarm, which could never be met.

    Raises:
        UsageError: There is such an expression.
    """
    for gate in gates:
        for name in gate.strangers(signatures, _alarms_of(gate)):
            raise click.UsageError(f"--fail-on '{gate.text}': unknown {name}")


def _alarms_of(gate: FailOnPolicy) -> Collection[str]:
    """Return the names of alarms, if the expression has one."""
    if not gate.has("alarm"):
        return ()
    from signatures.overview.alarm_findings import alarm_names  # noqa: PLC0415 - keeps `upload` fast

    return alarm_names()
