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
@click.pass_context
def new(context: click.Context, signature_id: str, sources: tuple[Path, ...]) -> None:
    """Draft a signature from evidence that shows the pathology."""
    from signatures.authoring.library_contents import FolderChoiceError, folder_of, refuse_existing  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.authoring.new_folder import write_draft  # noqa: PLC0415 - same

    try:
        folder = folder_of(_root(context), signature_id)
        refuse_existing(folder)
    except FolderChoiceError as error:
        raise click.UsageError(str(error)) from None
    try:
        write_draft(folder, signature_id, sources)
    except ValueError as problem:
        raise click.ClickException(str(problem)) from problem
    with printing():
        click.echo(f"wrote {folder}")
        click.echo(f"look at signature.yaml, then: {_explaining(context, signature_id, sources)}")


def _explaining(context: click.Context, signature_id: str, sources: tuple[Path, ...]) -> str:
    """Return the command that explains the draft on its evidence, ready to paste."""
    from signatures.document.files import LIBRARY  # noqa: PLC0415 - keeps `casebook --help` fast

    root = _root(context)
    library = [] if root.resolve() == LIBRARY.resolve() else ["--library", str(root)]
    return shlex.join(["casebook", "signature", *library, "explain", signature_id, *map(str, sources)])


@click.command("lint")
@click.pass_context
def lint(context: click.Context) -> None:
    """Check the files of the library; exit status 4 on problems."""
    from signatures.authoring.lint import lint as complaints_of  # noqa: PLC0415 - same
    from signatures.document.catalog import load_catalog  # noqa: PLC0415 - same

    catalog = load_catalog(_root(context))
    complaints = complaints_of(catalog)
    with printing():
        for complaint in complaints:
            click.echo(complaint)
        click.echo(f"signatures: {len(catalog.signatures)}, problems: {len(complaints)}")
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
@click.pass_context
def catalog(context: click.Context, part: str, shape: str) -> None:
    """List the names that signatures may use.

    Captures (the default) with cost, requirements and files; classes and fields of log records; facts; sets
    of frames.
    """
    from signatures.document import known_names  # noqa: PLC0415 - keeps `casebook --help` fast

    if part == "captures":
        _captures(context, shape)
        return
    rows = known_names.rows_of(part)
    if shape == "json":
        print_text(json.dumps([row._asdict() for row in rows], indent=2, ensure_ascii=False) + "\n")
        return
    with printing():
        for row in rows:
            click.echo(f"{row.name}: {row.meaning}" if row.meaning else row.name)


def _captures(context: click.Context, shape: str) -> None:
    from signatures.document.catalog import load_catalog  # noqa: PLC0415 - same
    from signatures.documents.capture import CaptureDocument  # noqa: PLC0415 - same
    from signatures.documents.codec import to_documents  # noqa: PLC0415 - same
    from signatures.rendering.capture_lines import capture_lines  # noqa: PLC0415 - same
    from signatures.reporting.report import capture_document  # noqa: PLC0415 - same

    captures = load_catalog(_root(context)).captures
    if shape == "json":
        rows = to_documents(capture_document(capture, CaptureDocument) for capture in captures)
        print_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
        return
    with printing():
        for line in capture_lines(captures):
            click.echo(line)


def _root(context: click.Context) -> Path:
    """Return the library selected by the group."""
    root: Path = context.obj["library"]
    return root
