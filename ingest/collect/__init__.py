"""The collector: a POSIX shell script that a host in trouble runs; the engine reads what it prints."""

from __future__ import annotations

from importlib.resources import files

NAME = "collect.sh"
MEDIA_TYPE = "text/x-shellscript"
UNBOUND = "server=''\ntoken=''\n"
"""The two lines of the script that an instance fills in."""


def script(*, server: str = "", token: str = "") -> str:
    """Return the collector, sending to `server` with `token` if given.

    Args:
        server: Address of an instance.
        token: A token of one case.
    """
    text = files(__name__).joinpath(NAME).read_text(encoding="utf-8")
    return text.replace(UNBOUND, f"server={_quoted(server)}\ntoken={_quoted(token)}\n", 1)


def _quoted(value: str) -> str:
    """Return `value` as one word of a shell, whatever it holds."""
    ends = "'\\''"
    return f"'{value.replace(chr(39), ends)}'"
