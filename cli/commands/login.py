"""`casebook login`: store URL and token of a service as a profile.

$ casebook login https://casebook.internal
Token:
signed in as ci (responder); profile default in /home/me/.config/casebook/config.toml
"""

from __future__ import annotations

import sys

import click


@click.command("login")
@click.argument("url", metavar="URL")
@click.option("--profile", metavar="NAME", default="default", show_default=True, help="Name of the profile.")
@click.option("--with-token", is_flag=True, help="Read the token from standard input.")
def command(*, url: str, profile: str, with_token: bool) -> None:
    """Store URL and token of a service as a profile, the default one.

    The token is checked first.
    Create the token on the page Tokens of the service, with the scopes it needs and an expiry. Exit status: 0
    stored; 2 usage error; 3 the token is refused; 6 the service failed; 7 it was unreachable.
    """
    from cli.service.connection import Connection  # noqa: PLC0415 - keeps help fast
    from cli.service.profiles import (  # noqa: PLC0415 - same
        PROFILE_NAME,
        Profile,
        ProfileError,
        read_profiles,
        write_profiles,
    )
    from signatures.rendering.lines import bare  # noqa: PLC0415 - same

    if not PROFILE_NAME.fullmatch(profile):
        raise click.UsageError(f"{profile!r} is no name of a profile: letters, digits, - and _")
    if not (with_token or sys.stdin.isatty()):
        raise click.UsageError("there is no terminal to ask at: pipe the token in, with --with-token")
    token = sys.stdin.readline() if with_token else click.prompt("Token", hide_input=True, err=True)
    service = Profile(url.rstrip("/"), token.strip(), profile)
    if not service.token:
        raise click.UsageError("there is no token on standard input")
    with Connection(service) as connection:
        account = connection.get("me")
    try:
        stored = read_profiles()
        stored.profiles[profile] = service
        stored.default = profile
        path = write_profiles(stored)
    except ProfileError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"signed in as {bare(account['name'])} ({account['role']}); profile {profile} in {path}")
