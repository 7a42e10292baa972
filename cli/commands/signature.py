"""`casebook signature`: list, show, explain and test signatures.

$ casebook signature list
mm/memcg-limit-reclaim         stable  high      A memory cgroup at its limit reclaims its own page cache …
"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.commands.signature_authoring import catalog, lint, new
from cli.commands.signature_coverage import coverage
from cli.commands.signature_export import export
from cli.commands.signature_from_case import from_case
from cli.commands.signature_hunt import hunt
from cli.process import exits
from cli.process.arguments import evidence_paths
from cli.process.output import print_lines, print_text, printing
from signatures.rendering.lines import Line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from click.shell_completion import CompletionItem

    from signatures.documents.signature import SignatureDocument
    from signatures.language.model import Catalog

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
    from signatures.authoring.library_contents import ids_in  # noqa: PLC0415 - keeps `casebook --help` fast

    return [name for name in ids_in() if name.startswith(incomplete)]


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


for written in (new, from_case, lint, catalog, coverage, export, hunt):
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
    from signatures.authoring.library_contents import index_of  # noqa: PLC0415 - keeps help fast

    documents = _documents()
    with _refusing_unknown():
        document = documents[index_of([one["id"] for one in documents], signature_id)]
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
    from cli.evidence.analysis import analyse  # noqa: PLC0415 - keeps help fast
    from cli.evidence.explanation import explanation_lines  # noqa: PLC0415 - same
    from signatures.authoring.library_contents import signature_named  # noqa: PLC0415 - same

    library = _catalog()
    with _refusing_unknown():
        signature = signature_named(library, signature_id)
    analysis = analyse(paths, library)
    print_lines(list(explanation_lines(analysis, signature.id)))
    if not analysis.has_read:
        sys.exit(exits.REFUSED)


@command.command("test")
@click.argument("signature_ids", metavar="[SIGNATURE]...", nargs=-1, shell_complete=_ids)
def test(signature_ids: tuple[str, ...]) -> None:
    """Run the fixture tests of signatures; exit status 4 when a verdict is unexpected."""
    from signatures.authoring.fixture_tests import results  # noqa: PLC0415 - keeps help fast
    from signatures.authoring.library_contents import signature_named  # noqa: PLC0415 - same

    library = _catalog()
    with _refusing_unknown():
        wanted = {signature_named(library, name).id for name in signature_ids}
    judged = failed = 0
    with printing():
        for one in results(library, _root(), wanted):
            judged += 1
            failed += bool(one.problems)
            click.echo(f"{'FAIL' if one.problems else 'ok  '}  {one.fixture.signature}  {one.fixture.name}")
            for problem in one.problems:
                click.echo(f"      {problem}")
        click.echo(f"{judged} judged, {failed} not as expected")
    if failed or library.problems:
        sys.exit(exits.CHECK_FAILED)


@contextmanager
def _refusing_unknown() -> Iterator[None]:
    """Report an unknown or ambiguous name of a signature as an error of usage."""
    from signatures.authoring.library_contents import UnknownSignatureError  # noqa: PLC0415 - keeps help fast

    try:
        yield
    except UnknownSignatureError as error:
        raise click.UsageError(str(error)) from None


def _catalog() -> Catalog:
    """Return the library; report and skip signatures that cannot be loaded."""
    from signatures.document.catalog import load_catalog  # noqa: PLC0415 - keeps help fast

    found = load_catalog(_root())
    _report_skipped(map(str, found.problems))
    return found


def _documents() -> list[SignatureDocument]:
    """Return the documents of all signatures; report those that cannot be loaded."""
    from signatures.authoring.library_contents import library_documents  # noqa: PLC0415 - keeps help fast

    found = library_documents(_root())
    _report_skipped(found.problems)
    return found.documents


def _report_skipped(problems: Iterable[str]) -> None:
    for problem in problems:
        click.echo(f"skipped: {problem}", err=True)


def _root() -> Path:
    """Return the library selected by the group."""
    root: Path = click.get_current_context().obj["library"]
    return root
