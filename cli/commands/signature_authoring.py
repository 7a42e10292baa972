"""`casebook signature new`, `lint`, `catalog`, `export`: tools for signature authors.

$ casebook signature new mm/my-stall --from perf.script
wrote signatures/library/mm/my-stall
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from pathlib import Path

import click

from cli.process import exits
from cli.process.output import print_text, printing

STORY = """# {title}

What was seen first, and by whom.

## Wrong turns

What it looked like and was not.

## The line that gave it away

The exact output.

## What happens

The mechanism, with a diagram.

## How to tell

Which conditions decide, and which only support.

## What helps

The cure and its risk.

## How to know it worked

The check, at the load that was bad, and what would only look like a cure.

## Next time

What to collect.
"""
EXPECT = "verdict: match\n"
PROVENANCE = "Kind: recorded. Where, on which kernel, under what load.\n"


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
    from ingest.evidence import read_paths  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.authoring.draft import draft  # noqa: PLC0415 - same
    from signatures.judging.scope import items_of  # noqa: PLC0415 - same

    area, _, name = signature_id.partition("/")
    if not area or not name or "/" in name:
        raise click.UsageError(f"{signature_id!r} is not AREA/NAME, such as mm/my-stall")
    folder = _root(context) / area / name
    if folder.exists():
        raise click.UsageError(f"{folder} exists already; choose another name or edit it")
    try:
        text = draft(signature_id, items_of(read_paths(list(sources))))
    except ValueError as problem:
        raise click.ClickException(str(problem)) from problem
    evidence = folder / "evidence" / "pos-first"
    evidence.mkdir(parents=True)
    for source in sources:
        if source.is_dir():
            shutil.copytree(source, evidence, dirs_exist_ok=True)
        else:
            shutil.copy(source, evidence / source.name)
    (folder / "signature.yaml").write_text(_pointed(text, folder), encoding="utf-8")
    title = name.replace("-", " ").capitalize()
    (folder / "story.md").write_text(STORY.format(title=title), encoding="utf-8")
    (evidence / "expect.yaml").write_text(EXPECT, encoding="utf-8")
    (evidence / "PROVENANCE.md").write_text(PROVENANCE, encoding="utf-8")
    with printing():
        click.echo(f"wrote {folder}")
        click.echo(f"look at signature.yaml, then: {_explaining(context, signature_id, sources)}")


def _pointed(text: str, folder: Path) -> str:
    """Point the editor at the schema for a signature outside the library."""
    from signatures.document.files import SCHEMA  # noqa: PLC0415 - keeps `casebook --help` fast

    return text.replace("../../../signature.schema.json", os.path.relpath(SCHEMA, folder), 1)


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
    from signatures.reporting.report import capture_document  # noqa: PLC0415 - same

    captures = load_catalog(_root(context)).captures
    if shape == "json":
        rows = to_documents(capture_document(capture, CaptureDocument) for capture in captures)
        print_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
        return
    with printing():
        for capture in captures:
            click.echo(f"{capture.name}: {capture.title}")
            click.echo(f"  cost: {capture.cost}")
            for name, values in (
                ("needs", capture.needs),
                ("reads", capture.reads),
                ("not if", capture.unsafe_if),
            ):
                if values:
                    click.echo(f"  {name}: {', '.join(values)}")
            click.echo(f"  {capture.run}")


def _root(context: click.Context) -> Path:
    """Return the library selected by the group."""
    root: Path = context.obj["library"]
    return root
