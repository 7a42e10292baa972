"""Arguments that several subcommands take."""

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
    help="What to write; default: what the suffix of FILE says, else text.",
)
"""The format of a report."""

report_files = click.option(
    "-o",
    "--output",
    "outputs",
    metavar="FILE",
    multiple=True,
    type=click.Path(dir_okay=False, allow_dash=True),
    help="File to write instead of the standard output (-); .md, .json, .xml (JUnit) and .sarif say the "
    "format. May be given again.",
)
"""Files to write reports to."""


def targets(outputs: Sequence[str], shape: str | None) -> list[tuple[str, str]]:
    """Return each file to write, `-` where there is none, with its format."""
    return [(path, shape or SUFFIXES.get(Path(path).suffix, "text")) for path in outputs or ("-",)]


def gates_of(
    context: click.Context, parameter: click.Parameter, expressions: Sequence[str]
) -> list[FailOnPolicy]:
    """Return what `--fail-on` asks for.

    Raises:
        BadParameter: An expression cannot be understood.
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
    callback=gates_of,
    help="End with 4 when a finding is so: 'severity>=high', 'signature=mm/* and confidence>=80%'. May be "
    "given again: then any of them.",
)
"""What makes a build fail."""


def refuse_strangers(gates: Sequence[FailOnPolicy], signatures: Collection[str]) -> None:
    """Refuse an expression about a signature that is not in the library: it could never be met.

    Raises:
        UsageError: There is one.
    """
    for gate in gates:
        for name in gate.strangers(signatures):
            raise click.UsageError(f"--fail-on '{gate.text}': no signature of the library is {name!r}")
