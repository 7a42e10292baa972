"""`casebook openapi`: write the OpenAPI document, the source of the generated front-end client."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command("openapi")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Output file; default: standard output.",
)
def command(output: Path | None) -> None:
    """Write the OpenAPI document of the REST API as JSON."""
    from backend.app import describe_api  # noqa: PLC0415 - keeps `casebook --help` fast

    document = json.dumps(describe_api().openapi(), indent=2, sort_keys=True) + "\n"
    if output is None:
        click.echo(document, nl=False)
    else:
        output.write_text(document, encoding="utf-8")
