"""`casebook signature new`, `lint`, `catalog`, `export`: tools for signature authors.

$ casebook signature new mm/my-stall --from perf.script
wrote signatures/library/mm/my-stall
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import click

from cli.process import exits
from cli.process.libraries import libraries_option, library_to_write, refuse_empty
from cli.process.output import print_text, printing


@click.command("new")
@click.argument("signature_id", metavar="AREA/NAME")
@click.option(
    "--from",
    "sources",
    metavar="FILE",
    multiple=True,
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="Evidence that shows the pathology; may be repeated.",
)
@libraries_option
def new(signature_id: str, sources: tuple[Path, ...], libraries: tuple[Path, ...]) -> None:
    """Draft a signature from evidence that shows the pathology."""
    from signatures.authoring.library_contents import FolderChoiceError, folder_of, refuse_existing  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.authoring.new_folder import write_draft  # noqa: PLC0415 - same

    root = library_to_write(libraries)
    try:
        folder = folder_of(root, signature_id)
        refuse_existing(folder)
    except FolderChoiceError as error:
        raise click.UsageError(str(error)) from None
    try:
        write_draft(folder, signature_id, sources)
    except ValueError as problem:
        raise click.ClickException(str(problem)) from problem
    with printing():
        click.echo(f"wrote {folder}")
        click.echo(f"look at signature.yaml, then: {_explaining(root, signature_id, sources)}")


def _explaining(root: Path, signature_id: str, sources: tuple[Path, ...]) -> str:
    """Return the command that explains the draft on its evidence, ready to paste."""
    from signatures.document.files import LIBRARY  # noqa: PLC0415 - keeps `casebook --help` fast

    library = [] if root.resolve() == LIBRARY.resolve() else ["--library", str(root)]
    return shlex.join(["casebook", "signature", *library, "explain", signature_id, *map(str, sources)])


@click.command("lint")
@libraries_option
def lint(libraries: tuple[Path, ...]) -> None:
    """Check the files of the library; exit status 4 on problems."""
    from signatures.authoring.lint import lint as complaints_of  # noqa: PLC0415 - same
    from signatures.authoring.lint import lint_library  # noqa: PLC0415 - same
    from signatures.document.catalog import load_catalog  # noqa: PLC0415 - same

    refuse_empty(libraries)
    shipped = load_catalog()
    checked = [load_catalog(root) for root in libraries] or [shipped]
    complaints = [
        complaint
        for one in checked
        for complaint in (complaints_of(one) if one is shipped else lint_library(one, shipped))
    ]
    count = sum(len(one.signatures) for one in checked)
    with printing():
        for complaint in complaints:
            click.echo(complaint)
        click.echo(f"signatures: {count}, problems: {len(complaints)}")
    if complaints:
        sys.exit(exits.CHECK_FAILED)


PARTS = ("captures", "classes", "fields", "facts", "frames")


@click.command("catalog")
@click.argument("part", type=click.Choice(PARTS), default="captures")
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Format of the output.",
)
def catalog(part: str, shape: str) -> None:
    """List the names that signatures may use.

    Captures (the default) with cost, requirements and files; classes and fields of log records; facts; sets
    of frames.
    """
    from signatures.document import known_names  # noqa: PLC0415 - keeps `casebook --help` fast

    if part == "captures":
        _captures(shape)
        return
    rows = known_names.rows_of(part)
    if shape == "json":
        print_text(json.dumps([row._asdict() for row in rows], indent=2, ensure_ascii=False) + "\n")
        return
    with printing():
        for row in rows:
            click.echo(f"{row.name}: {row.meaning}" if row.meaning else row.name)


def _captures(shape: str) -> None:
    from signatures.document.catalog import load_catalog  # noqa: PLC0415 - same
    from signatures.documents.capture import CaptureDocument  # noqa: PLC0415 - same
    from signatures.documents.codec import to_documents  # noqa: PLC0415 - same
    from signatures.rendering.capture_lines import capture_lines  # noqa: PLC0415 - same
    from signatures.reporting.signature_parts import capture_document  # noqa: PLC0415 - same

    captures = load_catalog().captures
    if shape == "json":
        rows = to_documents(capture_document(capture, CaptureDocument) for capture in captures)
        print_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
        return
    with printing():
        for line in capture_lines(captures):
            click.echo(line)
