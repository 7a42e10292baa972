"""Options of commands that call a service: `--url`, `--token`, `--profile`.

Options come before the variables of the environment, these before the profile. A token of a profile goes to
the URL of that profile only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.service.profiles import Profile

DEFAULT_URL = "http://127.0.0.1:8765"
SCOPES = ("read", "evidence", "write", "admin", "alerts")
"""Of tokens."""

_OPTIONS = (
    click.option(
        "--profile",
        metavar="NAME",
        envvar="CASEBOOK_PROFILE",
        show_envvar=True,
        help="Profile of `casebook login`; default: its default.",
    ),
    click.option("--token", metavar="TOKEN", envvar="CASEBOOK_TOKEN", show_envvar=True, help="Bearer token."),
    click.option("--url", metavar="URL", envvar="CASEBOOK_URL", show_envvar=True, help="URL of the service."),
)


def service_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--url`, `--token` and `--profile`, passed on as `url`, `token` and `profile`."""
    for option in _OPTIONS:
        command = option(command)
    return command


def service_of(url: str | None, token: str | None, profile: str | None) -> Profile:
    """Return URL and token to use.

    Raises:
        UsageError: There is no such profile, or no token.
    """
    from cli.service.profiles import Profile, ProfileError, read_profiles  # noqa: PLC0415 - keeps help fast

    try:
        stored = read_profiles()
    except ProfileError as error:
        raise click.UsageError(str(error)) from None
    if profile and profile not in stored.profiles:
        known = ", ".join(sorted(stored.profiles)) or "none"
        raise click.UsageError(
            f"there is no profile {profile!r} (known: {known}); `casebook login` makes one"
        )
    chosen = stored.profiles.get(profile or stored.default)
    address = (url or (chosen.url if chosen else DEFAULT_URL)).rstrip("/")
    secret = token or (chosen.token if chosen and chosen.url == address else "")
    if not secret:
        raise click.UsageError(
            f"no token for {address}: run `casebook login {address}`, or set CASEBOOK_TOKEN"
        )
    is_stored = chosen is not None and (address, secret) == (chosen.url, chosen.token)
    return Profile(address, secret, chosen.name if chosen and is_stored else "")
