"""`casebook signature from-case`: a signature folder from a solved case, in one action.

$ casebook signature from-case fs/my-stall --case 12
wrote signatures/library/fs/my-stall: 2 files redacted, verdict match …, 4 look-alikes, 0 problems
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.process.output import printing
from cli.service.options import service_of, service_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.evidence.signature_folder import FolderReport

Parts = str | None


@click.command("from-case")
@click.argument("signature_id", metavar="AREA/NAME")
@click.argument("paths", metavar="[PATH…]", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--case", "number", metavar="N", help="A closed case of a service, in place of PATH.")
@click.option("--title", metavar="TEXT", help="Title of the story; default: the title of the case.")
@service_options
@click.pass_context
def from_case(
    context: click.Context,
    signature_id: str,
    paths: tuple[Path, ...],
    *,
    number: Parts,
    title: Parts,
    url: Parts,
    token: Parts,
    profile: Parts,
) -> None:
    """Write a signature folder from the evidence of a solved case.

    The evidence is redacted, conditions are drafted from it, the most similar fixtures of the library become
    look-alikes, and everything is checked. What is left for a person is listed.
    """
    area, _, name = signature_id.partition("/")
    if not area or not name or "/" in name:
        raise click.UsageError(f"{signature_id!r} is not AREA/NAME, such as mm/my-stall")
    if bool(paths) == (number is not None):
        raise click.UsageError("give PATH or --case N, one of them")
    folder = Path(context.obj["library"]) / area / name
    if folder.exists():
        raise click.UsageError(f"{folder} exists already; choose another name or edit it")
    with tempfile.TemporaryDirectory(prefix="casebook-case-") as scratch:
        root = Path(scratch) / "library"
        if number is None:
            from cli.evidence.signature_folder import NotWrittenError, write_folder  # noqa: PLC0415 - keeps `casebook --help` fast

            try:
                report = write_folder(root, signature_id, title, paths, target=folder)
            except NotWrittenError as problem:
                raise click.ClickException(str(problem)) from problem
        else:
            from cli.service.signature_download import download  # noqa: PLC0415 - same

            report = download(service_of(url, token, profile), number, signature_id, title, root)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(root / area / name, folder)
    with printing():
        for line in _lines(folder, report):
            click.echo(line)


def _lines(folder: Path, report: FolderReport) -> Iterator[str]:
    """Yield what was written, and what is left for a person."""
    silent = sum(not one["fires"] for one in report["look_alikes"])
    yield (
        f"wrote {folder}: {report['texts']} files redacted, verdict {report['verdict']} on its own "
        f"evidence, {silent} look-alikes, {len(report['problems'])} problems"
    )
    yield from (f"problem: {text}" for text in report["problems"])
    for one in report["look_alikes"]:
        if one["fires"]:
            yield (
                f"fires on {one['signature']} {one['fixture']} too (similarity {one['similarity']:.2f}): "
                "the same pathology, or add an excluding condition"
            )
    if report["leak_count"] or report["open_token_count"]:
        yield (
            f"review: {report['leak_count']} possible leaks, {report['open_token_count']} open tokens in "
            "evidence/pos-case"
        )
    yield f"left for you: {'; '.join(report['left'])}"
