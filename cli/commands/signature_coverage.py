"""`casebook signature coverage`: which forms of evidence a signature can use, and why not the others.

$ casebook signature coverage mm/percpu-rss-drift
mm/percpu-rss-drift: 4 of 25 forms used, 21 explained
  used       files below /proc and /sys       drift, pair, within_bound, zero_rss
  explained  ping, hping3                     counters of resident pages hold back no packet
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from cli.process.libraries import catalog_of, libraries_option
from cli.process.output import print_lines, print_text

if TYPE_CHECKING:
    from pathlib import Path


@click.command("coverage")
@click.argument("signature_ids", metavar="[SIGNATURE]...", nargs=-1)
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Format of the output.",
)
@libraries_option
def coverage(signature_ids: tuple[str, ...], shape: str, libraries: tuple[Path, ...]) -> None:
    """Print which forms of evidence signatures can use: by which conditions, or why not.

    Without SIGNATURE it prints how many forms each signature of the library uses, explains or leaves open.
    """
    from signatures.authoring.coverage_report import coverage_document, coverage_lines  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.authoring.library_contents import UnknownSignatureError, signature_with_id  # noqa: PLC0415 - same

    library = catalog_of(libraries)
    try:
        chosen = [signature_with_id(library, one) for one in signature_ids] or library.signatures
    except UnknownSignatureError as error:
        raise click.UsageError(str(error)) from None
    documents = [coverage_document(one) for one in chosen]
    if shape == "json":
        print_text(json.dumps(documents, indent=2, ensure_ascii=False) + "\n")
        return
    print_lines(line for one in documents for line in coverage_lines(one, is_whole=bool(signature_ids)))
