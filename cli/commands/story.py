"""`casebook story`: import Markdown stories into a service.

$ casebook story import night.md
http://127.0.0.1:8765/library/12-ping-spikes/edit
$ casebook story import bad.md
Error: bad.md: line 3: there is no key 'titel'; the keys are title, area, symptoms, signatures, cases, fix
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cli.process import exits
from cli.service.options import service_of, service_options


@click.group("story")
def command() -> None:
    """Import stories into the library of a service."""


@command.command("import")
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
)
@service_options
def bring(files: tuple[Path, ...], url: str | None, token: str | None, profile: str | None) -> None:
    """Import every Markdown FILE as a draft, and print its edit URL.

    Exit status: 0 all imported, 2 usage error, 3 one was refused.
    """
    import httpx  # noqa: PLC0415 - keeps `casebook --help` fast

    from backend.client import Client, ClientError  # noqa: PLC0415 - same

    is_whole = True
    service = service_of(url, token, profile)
    with Client(service.url, token=service.token) as casebook:
        for file in files:
            try:
                draft = casebook.import_story(file)
            except ClientError as error:
                click.echo(f"Error: {file}: {error}", err=True)
                is_whole = False
            except httpx.TransportError as error:
                raise click.ClickException(f"{service.url} is unreachable: {error}") from None
            else:
                click.echo(f"{service.url}/library/{draft.slug}/edit")
    if not is_whole:
        sys.exit(exits.REFUSED)
