"""`casebook signature from-case`: a signature folder from a solved case, in one action.

$ casebook signature from-case fs/my-stall --case 12
wrote signatures/library/fs/my-stall: 2 files redacted, verdict match …, 4 look-alikes, 0 problems
"""

from __future__ import annotations

from pathlib import Path

import click

from cli.process.libraries import libraries_option, library_to_write
from cli.process.output import printing
from cli.service.options import service_of, service_options

Parts = str | None


@click.command("from-case")
@click.argument("signature_id", metavar="AREA/NAME")
@click.argument("paths", metavar="[PATH…]", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--case", "number", metavar="N", help="A closed case of a service, in place of PATH.")
@click.option("--title", metavar="TEXT", help="Title of the story; default: the title of the case.")
@libraries_option
@service_options
def from_case(
    signature_id: str,
    paths: tuple[Path, ...],
    *,
    number: Parts,
    title: Parts,
    libraries: tuple[Path, ...],
    url: Parts,
    token: Parts,
    profile: Parts,
) -> None:
    """Write a signature folder from the evidence of a solved case.

    The evidence is redacted, conditions are drafted from it, the most similar fixtures of the library become
    look-alikes, and everything is checked. What is left for a person is listed.
    """
    from cli.evidence.placed_folder import placed, report_lines  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.authoring.library_contents import FolderChoiceError, folder_of, refuse_existing  # noqa: PLC0415 - same

    try:
        folder = folder_of(library_to_write(libraries), signature_id)
        if bool(paths) == (number is not None):
            raise click.UsageError("give PATH or --case N, one of them")
        refuse_existing(folder)
    except FolderChoiceError as error:
        raise click.UsageError(str(error)) from None
    if number is None:
        from cli.evidence.signature_folder import NotWrittenError, write_folder  # noqa: PLC0415 - same

        try:
            report = placed(
                folder,
                signature_id,
                lambda root: write_folder(root, signature_id, title, paths, target=folder),
            )
        except NotWrittenError as problem:
            raise click.ClickException(str(problem)) from problem
    else:
        from cli.service.signature_download import download  # noqa: PLC0415 - same

        service = service_of(url, token, profile)
        report = placed(
            folder, signature_id, lambda root: download(service, number, signature_id, title, root)
        )
    with printing():
        for line in report_lines(folder, report):
            click.echo(line)
