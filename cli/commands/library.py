"""`casebook library`: libraries of a team in a service.

$ casebook library add payments --git https://git.example.com/payments/signatures.git --ref main
1f0c9e2ab7d4: shadow
  net/our-stall version 3
$ casebook signature hunt --library payments
gains 14 of 9,200 cases, loses 1
$ casebook library activate payments
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from cli.process import exits
from cli.service.options import service_of, service_options

if TYPE_CHECKING:
    from pathlib import Path

    from cli.service.libraries import LibraryDocument

Parts = str | None
as_json_option = click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
name_argument = click.argument("name", metavar="NAME")


@click.group("library")
def command() -> None:
    """Add, pull, activate and retire libraries of teams; the token is a curator's.

    A version begins in shadow: it is judged and counted, and shown to curators only. Exit status: 0 done;
    2 usage error; 3 the service refused; 4 the library cannot be read; 6 it failed; 7 it was unreachable.
    """


@command.command("list")
@as_json_option
@service_options
def list_libraries(*, as_json: bool, url: Parts, token: Parts, profile: Parts) -> None:
    """List libraries with the versions in use."""
    from cli.process.output import print_text  # noqa: PLC0415 - keeps help fast
    from cli.service.connection import Connection  # noqa: PLC0415 - same
    from cli.service.libraries import library_line  # noqa: PLC0415 - same

    with Connection(service_of(url, token, profile)) as connection:
        found = list(connection.items("libraries"))
    text = json.dumps(found, indent=2) if as_json else "\n".join(map(library_line, found))
    print_text(f"{text}\n" if text else "")


@command.command("show")
@name_argument
@as_json_option
@service_options
def show(*, name: str, as_json: bool, url: Parts, token: Parts, profile: Parts) -> None:
    """Show the versions of a library: commit, signatures, what they shadow, lint messages."""
    from cli.process.output import print_text  # noqa: PLC0415 - keeps help fast
    from cli.service.connection import Connection  # noqa: PLC0415 - same
    from cli.service.libraries import version_lines  # noqa: PLC0415 - same

    with Connection(service_of(url, token, profile)) as connection:
        found = list(connection.items(f"libraries/{name}/versions"))
    if as_json:
        print_text(json.dumps(found, indent=2) + "\n")
    else:
        print_text("".join(f"{line}\n" for one in found for line in version_lines(one)))


deploy_token_option = click.option(
    "--deploy-token", metavar="TOKEN", envvar="CASEBOOK_DEPLOY_TOKEN", show_envvar=True, help="Deploy token."
)


@command.command("add")
@name_argument
@click.option("--git", "git_url", metavar="URL", help="Repository, https:// only.")
@click.option("--ref", default="HEAD", metavar="REF", show_default=True, help="Branch or tag.")
@click.option("--username", default="git", metavar="NAME", help="User name of the deploy token.")
@deploy_token_option
@click.option(
    "--draft", "draft_id", metavar="ID", help="Finished draft of a signature, instead of a repository."
)
@click.option(
    "--folder", metavar="DIR", type=click.Path(exists=True, file_okay=False), help="Folder to upload."
)
@as_json_option
@service_options
def add(
    *,
    name: str,
    git_url: Parts,
    ref: str,
    username: str,
    deploy_token: Parts,
    draft_id: Parts,
    folder: Parts,
    as_json: bool,
    url: Parts,
    token: Parts,
    profile: Parts,
) -> None:
    """Add a library from a repository, a draft or a folder; wait until it is linted.

    A folder of <area>/<name>/signature.yaml is the next version of the library that it was added as.
    """
    from pathlib import Path  # noqa: PLC0415 - keeps help fast

    from cli.service.connection import Connection  # noqa: PLC0415 - same

    if sum(map(bool, (git_url, draft_id, folder))) != 1:
        raise click.UsageError("give one of --git, --draft and --folder")
    with Connection(service_of(url, token, profile)) as connection:
        if folder:
            upload(connection, name, Path(folder))
        else:
            source: dict[str, Any] = (
                {"url": git_url, "ref": ref, "username": username, "token": deploy_token or ""}
                if git_url
                else {"draft_id": draft_id}
            )
            connection.change("POST", "libraries", {"name": name, **source})
        _print_newest(connection, name, as_json=as_json)


@command.command("pull")
@name_argument
@click.option("--git", "git_url", metavar="URL", help="Another URL from now on.")
@click.option("--ref", metavar="REF", help="Another branch or tag from now on.")
@click.option("--username", metavar="NAME", help="User name of the deploy token.")
@deploy_token_option
@as_json_option
@service_options
def pull(
    *,
    name: str,
    git_url: Parts,
    ref: Parts,
    username: Parts,
    deploy_token: Parts,
    as_json: bool,
    url: Parts,
    token: Parts,
    profile: Parts,
) -> None:
    """Pull a library again, also from elsewhere; the new version is in shadow once it is linted."""
    from cli.service.connection import Connection  # noqa: PLC0415 - keeps help fast

    source = {"url": git_url, "ref": ref, "username": username, "token": deploy_token}
    changed = {key: value for key, value in source.items() if value}
    with Connection(service_of(url, token, profile)) as connection:
        if changed:
            connection.change("PATCH", f"libraries/{name}", changed)
        connection.change("POST", f"libraries/{name}/pull", {})
        _print_newest(connection, name, as_json=as_json)


@command.command("activate")
@name_argument
@click.option("--version", "version_id", metavar="ID", help="Version; default: the one in shadow.")
@click.option(
    "--unchecked", is_flag=True, help="Despite lint messages, or without a preview of the retro-hunt."
)
@as_json_option
@service_options
def activate(
    *,
    name: str,
    version_id: Parts,
    unchecked: bool,
    as_json: bool,
    url: Parts,
    token: Parts,
    profile: Parts,
) -> None:
    """Judge new evidence by a version; the one that was active is retired."""
    from cli.service.connection import Connection  # noqa: PLC0415 - keeps help fast

    with Connection(service_of(url, token, profile)) as connection:
        if version_id is None:
            shadow = connection.get(f"libraries/{name}")["shadow"]
            if shadow is None:
                raise click.ClickException(f"{name} has no version in shadow; name one with --version")
            version_id = shadow["id"]
        path = f"libraries/{name}/versions/{version_id}/activate"
        _print(connection.change("POST", path, {"unchecked": unchecked}), as_json=as_json)


@command.command("retire")
@name_argument
@as_json_option
@service_options
def retire(*, name: str, as_json: bool, url: Parts, token: Parts, profile: Parts) -> None:
    """Judge no new evidence by a library; cases keep their findings until they are judged again."""
    from cli.service.connection import Connection  # noqa: PLC0415 - keeps help fast

    with Connection(service_of(url, token, profile)) as connection:
        _print(connection.change("POST", f"libraries/{name}/retire", {}), as_json=as_json)


def upload(connection: Any, name: str, folder: Path) -> None:
    """Upload the signatures of a folder as the next version of a library.

    Raises:
        UsageError: It has none.
    """
    from cli.service.libraries import archive_of  # noqa: PLC0415 - keeps help fast

    if next(folder.glob("*/*/signature.yaml"), None) is None:
        raise click.UsageError(f"{folder} is not a library: it has no <area>/<name>/signature.yaml")
    connection.replace(f"libraries/{name}/archive", archive_of(folder), "application/octet-stream")


def _print_newest(connection: Any, name: str, *, as_json: bool) -> None:
    """Wait for the newest version and print it; exit status 4 when it cannot be read."""
    from cli.process.output import print_text  # noqa: PLC0415 - keeps help fast
    from cli.service.libraries import settled, version_lines  # noqa: PLC0415 - same

    library = settled(connection, name)
    newest = library["newest"]
    if newest is None:
        return
    print_text(
        json.dumps(newest, indent=2) + "\n"
        if as_json
        else "".join(f"{line}\n" for line in version_lines(newest))
    )
    if newest["state"] == "failed":
        sys.exit(exits.CHECK_FAILED)


def _print(library: LibraryDocument, *, as_json: bool) -> None:
    from cli.process.output import print_text  # noqa: PLC0415 - keeps help fast
    from cli.service.libraries import library_line  # noqa: PLC0415 - same

    print_text((json.dumps(library, indent=2) if as_json else library_line(library)) + "\n")
