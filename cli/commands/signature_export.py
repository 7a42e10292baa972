"""`casebook signature export`: alerting rules or a watch script for a signature.

$ casebook signature export sched/cfs-throttling --to prometheus
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.process.libraries import catalog_of, libraries_option
from cli.process.output import print_text

if TYPE_CHECKING:
    from pathlib import Path


@click.command("export")
@click.argument("signature_id", metavar="SIGNATURE")
@click.option(
    "--to",
    "shape",
    type=click.Choice(["prometheus", "probe", "node-problem-detector"]),
    required=True,
    help="Program that watches.",
)
@libraries_option
def export(signature_id: str, shape: str, libraries: tuple[Path, ...]) -> None:
    """Print alerting rules, a shell script that watches and captures, or a ConfigMap of monitors."""
    from signatures.authoring.exports import EXPORTS, NotExportableError  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.authoring.library_contents import UnknownSignatureError, signature_with_id  # noqa: PLC0415 - same

    try:
        signature = signature_with_id(catalog_of(libraries), signature_id)
        print_text(EXPORTS[shape].text(signature))
    except UnknownSignatureError as error:
        raise click.UsageError(str(error)) from None
    except NotExportableError as problem:
        raise click.ClickException(str(problem)) from problem
