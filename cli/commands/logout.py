"""`casebook logout`: remove a profile."""

from __future__ import annotations

import click


@click.command("logout")
@click.option("--profile", metavar="NAME", help="Name of the profile; default: the default one.")
def command(*, profile: str | None) -> None:
    """Remove a profile with its token. The token stays valid: revoke it on the page Tokens."""
    from cli.service.profiles import ProfileError, read_profiles, write_profiles  # noqa: PLC0415 - keeps help fast

    try:
        stored = read_profiles()
        name = profile or stored.default
        if name not in stored.profiles:
            raise click.UsageError(f"there is no profile {name!r}" if name else "there is no profile")
        del stored.profiles[name]
        if stored.default == name:
            stored.default = next(iter(sorted(stored.profiles)), "")
        write_profiles(stored)
    except ProfileError as error:
        raise click.ClickException(str(error)) from None
    now = f"; the default is now {stored.default}" if stored.default else ""
    click.echo(f"removed profile {name}{now}")
