"""`casebook profile`: list the profiles of `casebook login`, and choose the default one.

$ casebook profile list
* work  https://casebook.internal
  home  http://127.0.0.1:8765
$ casebook profile use home
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from cli.service.profiles import Profiles


@click.group("profile")
def command() -> None:
    """List the stored profiles and choose the default one."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
def list_profiles(*, as_json: bool) -> None:
    """List name and URL of every profile; * marks the default."""
    from cli.process.output import print_text  # noqa: PLC0415 - keeps help fast

    stored = _stored()
    rows = [
        {"name": name, "url": one.url, "is_default": name == stored.default}
        for name, one in sorted(stored.profiles.items())
    ]
    if as_json:
        print_text(json.dumps(rows, indent=2) + "\n")
        return
    if not rows:
        click.echo("no profiles; `casebook login URL` stores one", err=True)
    widest = max((len(name) for name in stored.profiles), default=0)
    print_text(
        "".join(
            f"{'*' if one['is_default'] else ' '} {one['name']:<{widest}}  {bare(str(one['url']))}\n"
            for one in rows
        )
    )


@command.command("use")
@click.argument("name")
def use(*, name: str) -> None:
    """Make the profile NAME the default."""
    from cli.service.profiles import ProfileError, write_profiles  # noqa: PLC0415 - keeps help fast

    stored = _stored()
    if name not in stored.profiles:
        known = ", ".join(sorted(stored.profiles)) or "none"
        raise click.UsageError(f"there is no profile {name!r} (known: {known})")
    stored.default = name
    try:
        write_profiles(stored)
    except ProfileError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"profile {name} is the default: {stored.profiles[name].url}")


def _stored() -> Profiles:
    """Return the configuration.

    Raises:
        ClickException: It cannot be read.
    """
    from cli.service.profiles import ProfileError, read_profiles  # noqa: PLC0415 - keeps help fast

    try:
        return read_profiles()
    except ProfileError as error:
        raise click.ClickException(str(error)) from None
