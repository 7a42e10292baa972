"""Arguments shared by subcommands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from signatures.reporting.fail_on import FailOnPolicy

evidence_paths = click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, allow_dash=True),
)
"""One or more files, directories or archives; `-` is standard input."""


FORMATS = ("text", "markdown", "json", "junit", "sarif")
SUFFIXES = {".md": "markdown", ".json": "json", ".xml": "junit", ".sarif": "sarif"}

report_format = click.option(
    "--format",
    "shape",
    type=click.Choice(FORMATS),
    help="Report format; default: by the suffix of FILE, else text.",
)
"""The format of a report."""

report_files = click.option(
    "-o",
    "--output",
    "outputs",
    metavar="FILE",
    multiple=True,
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Output file, default: standard output (-); .md, .json, .xml (JUnit) and .sarif set the "
    "format. May be repeated.",
)
"""Files to write reports to."""


def targets(outputs: Sequence[str], shape: str | None) -> list[tuple[str, str]]:
    """Return each output file, `-` by default, with its format."""
    return [(path, shape or SUFFIXES.get(Path(path).suffix, "text")) for path in outputs or ("-",)]


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
    help="Exit with 4 when a finding meets the expression: 'severity>=high', "
    "'signature=mm/* and confidence>=80%'. May be repeated: any of them.",
)
"""What makes a build fail."""


def refuse_strangers(gates: Sequence[FailOnPolicy], signatures: Collection[str]) -> None:
    """Reject an expression about an unknown signature, which could never be met.

    Raises:
        UsageError: There is such an expression.
    """
    for gate in gates:
        for name in gate.strangers(signatures):
            raise click.UsageError(f"--fail-on '{gate.text}': unknown signature {name!r}")
