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
from cli.process.libraries import NAMED, catalog_of, libraries_option, libraries_or_shipped, refuse_empty
from cli.process.output import print_lines, print_text, printing
from signatures.rendering.lines import Line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from click.shell_completion import CompletionItem

    from signatures.documents.signature import SignatureDocument

shape = click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Format of the output.",
)


def _ids(context: click.Context, _: click.Parameter, incomplete: str) -> list[str | CompletionItem]:
    """Complete the id of a signature."""
    from signatures.authoring.library_contents import ids_in  # noqa: PLC0415 - keeps `casebook --help` fast

    named = context.params.get("libraries") or context.meta.get(NAMED) or ()
    found = {*ids_in(), *(name for root in named for name in ids_in(Path(root)))}
    return [name for name in sorted(found) if name.startswith(incomplete)]


@click.group("signature")
@libraries_option
def command(**_: object) -> None:
    """List, show, explain, test, write and export signatures.

    With a library of a team, `list`, `show`, `explain`, `coverage` and `export` know its signatures beside
    those of Casebook; `lint` and `test` check its files only, and `new` and `from-case` write to it.
    """


for written in (new, from_case, lint, catalog, coverage, export, hunt):
    command.add_command(written)


@command.command("list")
@libraries_option
@shape
def list_(libraries: tuple[Path, ...], shape: str) -> None:
    """List every signature: id, status, severity, title, and the library if it is a team's."""
    documents = _documents(libraries)
    if shape == "json":
        print_text(json.dumps(documents, indent=2, ensure_ascii=False) + "\n")
        return
    widest = max((len(one["id"]) for one in documents), default=0)
    print_lines(
        Line(
            f"{one['id']:<{widest}}  {one['status']:<7}  {one['severity']:<8}  {one['title']}"
            f"{'  ' if one['library'] else ''}{one['library']}"
        )
        for one in documents
    )


@command.command("show")
@click.argument("signature_id", metavar="SIGNATURE", shell_complete=_ids)
@libraries_option
@shape
def show(signature_id: str, libraries: tuple[Path, ...], shape: str) -> None:
    """Show one signature: conditions, kernels, fixes, story."""
    from signatures.authoring.library_contents import index_of  # noqa: PLC0415 - keeps help fast

    documents = _documents(libraries)
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
@libraries_option
def explain(signature_id: str, paths: tuple[str, ...], libraries: tuple[Path, ...]) -> None:
    """Explain one signature on evidence, condition by condition."""
    from cli.evidence.analysis import analyse  # noqa: PLC0415 - keeps help fast
    from cli.evidence.explanation import explanation_lines  # noqa: PLC0415 - same
    from signatures.authoring.library_contents import signature_named  # noqa: PLC0415 - same

    library = catalog_of(libraries)
    _report_skipped(map(str, library.problems))
    with _refusing_unknown():
        signature = signature_named(library, signature_id)
    analysis = analyse(paths, library)
    print_lines(list(explanation_lines(analysis, signature.id)))
    if not analysis.has_read:
        sys.exit(exits.REFUSED)


@command.command("test")
@click.argument("signature_ids", metavar="[SIGNATURE]...", nargs=-1, shell_complete=_ids)
@libraries_option
def test(signature_ids: tuple[str, ...], libraries: tuple[Path, ...]) -> None:
    """Run the fixture tests of signatures; exit status 4 when a verdict is unexpected."""
    from signatures.authoring.fixture_tests import results  # noqa: PLC0415 - keeps help fast
    from signatures.authoring.library_contents import index_of  # noqa: PLC0415 - same
    from signatures.document.catalog import load_catalog  # noqa: PLC0415 - same

    refuse_empty(libraries)
    roots = libraries_or_shipped(libraries)
    catalogs = [load_catalog(root) for root in roots]
    ids = sorted({one.id for catalog in catalogs for one in catalog.signatures})
    problems = [str(problem) for catalog in catalogs for problem in catalog.problems]
    _report_skipped(problems)
    with _refusing_unknown():
        wanted = {ids[index_of(ids, name)] for name in signature_ids}
    judged = failed = 0
    with printing():
        for catalog, root in zip(catalogs, roots, strict=True):
            for one in results(catalog, root, wanted):
                judged += 1
                failed += bool(one.problems)
                click.echo(
                    f"{'FAIL' if one.problems else 'ok  '}  {one.fixture.signature}  {one.fixture.name}"
                )
                for problem in one.problems:
                    click.echo(f"      {problem}")
        click.echo(f"{judged} judged, {failed} not as expected")
    if failed or problems:
        sys.exit(exits.CHECK_FAILED)


@contextmanager
def _refusing_unknown() -> Iterator[None]:
    """Report an unknown or ambiguous name of a signature as an error of usage."""
    from signatures.authoring.library_contents import UnknownSignatureError  # noqa: PLC0415 - keeps help fast

    try:
        yield
    except UnknownSignatureError as error:
        raise click.UsageError(str(error)) from None


def _documents(libraries: Sequence[Path]) -> list[SignatureDocument]:
    """Return the documents of all signatures; report those that cannot be loaded."""
    from signatures.authoring.library_contents import library_documents  # noqa: PLC0415 - keeps help fast

    refuse_empty(libraries)
    found = library_documents(libraries)
    _report_skipped(found.problems)
    return found.documents


def _report_skipped(problems: Iterable[str]) -> None:
    for problem in problems:
        click.echo(f"skipped: {problem}", err=True)
