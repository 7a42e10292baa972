"""`casebook signature export`: alerting rules or a watch script for a signature.

$ casebook signature export sched/cfs-throttling --to prometheus
"""

from __future__ import annotations

import click

from backend.cli.output import print_text


@click.command("export")
@click.argument("signature_id", metavar="SIGNATURE")
@click.option("--to", "shape", type=click.Choice(["prometheus", "probe"]), required=True)
@click.pass_context
def export(context: click.Context, signature_id: str, shape: str) -> None:
    """Print alerting rules, or a shell script that watches and captures."""
    from signatures.authoring.alert_export import NotExportableError, prometheus  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.authoring.probe_export import probe  # noqa: PLC0415 - same
    from signatures.document.catalog import load_catalog  # noqa: PLC0415 - same

    signature = load_catalog(context.obj["library"]).get(signature_id)
    if signature is None:
        raise click.UsageError(f"unknown signature {signature_id!r}; see `casebook signature list`")
    try:
        print_text(prometheus(signature) if shape == "prometheus" else probe(signature))
    except NotExportableError as problem:
        raise click.ClickException(str(problem)) from problem
