"""`casebook signature export`: alerting rules or a watch script for a signature.

$ casebook signature export sched/cfs-throttling --to prometheus
"""

from __future__ import annotations

import click

from cli.process.output import print_text


@click.command("export")
@click.argument("signature_id", metavar="SIGNATURE")
@click.option(
    "--to",
    "shape",
    type=click.Choice(["prometheus", "probe", "node-problem-detector"]),
    required=True,
    help="Program that watches.",
)
@click.pass_context
def export(context: click.Context, signature_id: str, shape: str) -> None:
    """Print alerting rules, a shell script that watches and captures, or a ConfigMap of monitors."""
    from signatures.authoring.exports import EXPORTS, NotExportableError  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.authoring.library_contents import UnknownSignatureError, signature_with_id  # noqa: PLC0415 - same
    from signatures.document.catalog import load_catalog  # noqa: PLC0415 - same

    try:
        signature = signature_with_id(load_catalog(context.obj["library"]), signature_id)
        print_text(EXPORTS[shape].text(signature))
    except UnknownSignatureError as error:
        raise click.UsageError(str(error)) from None
    except NotExportableError as problem:
        raise click.ClickException(str(problem)) from problem
