"""`casebook signature`: list, show, explain and test signatures.

$ casebook signature list
mm/memcg-limit-reclaim         stable  high      A memory cgroup at its limit reclaims its own page cache …
"""

from __future__ import annotations

import json
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.commands.signature_authoring import catalog, lint, new
from cli.commands.signature_coverage import coverage
from cli.commands.signature_export import export
from cli.commands.signature_from_case import from_case
from cli.process import exits
from cli.process.arguments import evidence_paths
from cli.process.output import print_lines, print_text, printing
from signatures.rendering.lines import Line

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from signatures.documents.signature import SignatureDocument
    from signatures.language.model import Catalog, Signature

shape = click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Format of the output.",
)


def _ids(_: click.Context, __: click.Parameter, incomplete: str) -> list[str | CompletionItem]:
    """Complete the id of a signature."""
    from signatures.document.files import LIBRARY  # noqa: PLC0415 - keeps `casebook --help` fast

    ids = ("/".join(path.parts[-3:-1]) for path in LIBRARY.glob("*/*/signature.yaml"))
    return sorted(name for name in ids if name.startswith(incomplete))


@click.group("signature")
@click.option(
    "--library",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of <area>/<name>/signature.yaml; default: the library of Casebook.",
)
@click.pass_context
def command(context: click.Context, library: Path | None) -> None:
    """List, show, explain, test, write and export the signatures of a library."""
    from signatures.document.files import LIBRARY  # noqa: PLC0415 - keeps `casebook --help` fast

    context.obj = {"library": library or LIBRARY}


for written in (new, from_case, lint, catalog, coverage, export):
    command.add_command(written)


@command.command("list")
@shape
def list_(shape: str) -> None:
    """List every signature: id, status, severity, title."""
    documents = _documents()
    if shape == "json":
        print_text(json.dumps(documents, indent=2, ensure_ascii=False) + "\n")
        return
    widest = max((len(one["id"]) for one in documents), default=0)
    print_lines(
        Line(f"{one['id']:<{widest}}  {one['status']:<7}  {one['severity']:<8}  {one['title']}")
        for one in documents
    )


@command.command("show")
@click.argument("signature_id", metavar="SIGNATURE", shell_complete=_ids)
@shape
def show(signature_id: str, shape: str) -> None:
    """Show one signature: conditions, kernels, fixes, story."""
    documents = _documents()
    document = documents[_index([one["id"] for one in documents], signature_id)]
    if shape == "json":
        print_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    else:
        from signatures.rendering.signature_text import signature_lines  # noqa: PLC0415 - keeps help fast

        print_text("\n".join(signature_lines(document)) + "\n")


@command.command("explain")
@click.argument("signature_id", metavar="SIGNATURE", shell_complete=_ids)
@evidence_paths
def explain(signature_id: str, paths: tuple[str, ...]) -> None:
    """Explain one signature on evidence, condition by condition."""
    from cli.evidence.analysis import analyse  # noqa: PLC0415 - same
    from signatures.rendering.evidence_lines import evidence_lines  # noqa: PLC0415 - same
    from signatures.rendering.terminal import finding_lines  # noqa: PLC0415 - same

    library = _catalog()
    signature = _signature(library, signature_id)
    analysis = analyse(paths, library)
    lines = list(evidence_lines(analysis.evidences))
    for finding in analysis.report.findings:
        if finding.signature == signature.id and analysis.has_read:
            lines += [Line(), *finding_lines(finding, with_rivals=True)]
    print_lines(lines)
    if not analysis.has_read:
        sys.exit(exits.REFUSED)


@command.command("test")
@click.argument("signature_ids", metavar="[SIGNATURE]...", nargs=-1, shell_complete=_ids)
def test(signature_ids: tuple[str, ...]) -> None:
    """Run the fixture tests of signatures; exit status 4 when a verdict is unexpected."""
    from signatures.authoring.fixture_tests import fixtures, problems_of  # noqa: PLC0415 - same

    library = _catalog()
    wanted = {_signature(library, name).id for name in signature_ids}
    judged = failed = 0
    with printing():
        for fixture in fixtures(click.get_current_context().obj["library"]):
            if wanted and fixture.signature not in wanted:
                continue
            problems = problems_of(fixture, library)
            judged += 1
            failed += bool(problems)
            click.echo(f"{'FAIL' if problems else 'ok  '}  {fixture.signature}  {fixture.name}")
            for problem in problems:
                click.echo(f"      {problem}")
        click.echo(f"{judged} judged, {failed} not as expected")
    if failed or library.problems:
        sys.exit(exits.CHECK_FAILED)


def _catalog() -> Catalog:
    """Return the library; report and skip signatures that cannot be loaded."""
    from signatures.document.catalog import load_catalog  # noqa: PLC0415 - same

    found = load_catalog(click.get_current_context().obj["library"])
    for problem in found.problems:
        click.echo(f"skipped: {problem}", err=True)
    return found


def _documents() -> list[SignatureDocument]:
    """Return the documents of all signatures; those of the library of Casebook without parsing them."""
    from signatures.document.files import LIBRARY  # noqa: PLC0415 - same
    from signatures.reporting.signature_list import signature_documents  # noqa: PLC0415 - same

    is_ours = click.get_current_context().obj["library"] == LIBRARY
    documents = signature_documents() if is_ours else None
    if documents is None:
        from signatures.reporting.signature_document import signature_document  # noqa: PLC0415 - imports the judging

        documents = [signature_document(signature) for signature in _catalog().signatures]
    return documents


def _signature(library: Catalog, signature_id: str) -> Signature:
    """Return one signature by id, or by name without the area.

    Raises:
        UsageError: Unknown or ambiguous.
    """
    return library.signatures[_index([one.id for one in library.signatures], signature_id)]


def _index(ids: list[str], wanted: str) -> int:
    """Return the index of a signature by id, or by name without the area.

    Raises:
        UsageError: Unknown or ambiguous.
    """
    found = [index for index, one in enumerate(ids) if wanted in {one, one.rpartition("/")[2]}]
    if len(found) == 1:
        return found[0]
    similar = [ids[index] for index in found] or get_close_matches(wanted, ids)
    hint = f"; did you mean {' or '.join(similar)}?" if similar else ";"
    raise click.UsageError(f"unknown signature {wanted!r}{hint} see `casebook signature list`")
