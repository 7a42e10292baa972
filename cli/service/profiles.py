"""Profiles: URL and token of each service, in a configuration file that only its user can read.

    default = "work"

    [profiles.work]
    url = "https://casebook.internal"
    token = "cbk_p_…"

The file is `CASEBOOK_CONFIG`, or `casebook/config.toml` below `XDG_CONFIG_HOME` (`~/.config`).

Source: https://specifications.freedesktop.org/basedir-spec/latest/
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

PROFILE_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ProfileError(Exception):
    """The configuration file cannot be read or written; the message names it and the reason."""


@dataclass(frozen=True, slots=True)
class Profile:
    """URL of a service, without trailing slash, and a bearer token for it.

    Attributes:
        name: Of the profile; "" where URL and token were named otherwise.
    """

    url: str
    token: str
    name: str = ""


@dataclass(slots=True)
class Profiles:
    """Content of the configuration file.

    Attributes:
        default: Name of the profile that is used unless another is named; "" without any.
    """

    default: str = ""
    profiles: dict[str, Profile] = field(default_factory=dict)


def config_path() -> Path:
    """Return the path of the configuration file."""
    named = os.environ.get("CASEBOOK_CONFIG")
    if named:
        return Path(named)
    home = os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "casebook" / "config.toml"


def read_profiles() -> Profiles:
    """Read the configuration file; without one there are no profiles.

    Raises:
        ProfileError: It cannot be read, or a value has the wrong type.
    """
    path = config_path()
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Profiles()
    except OSError as error:
        raise ProfileError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ProfileError(f"{path} is no TOML: {error}") from None
    try:
        profiles = {
            str(name): Profile(_text(one["url"]).rstrip("/"), _text(one["token"]), str(name))
            for name, one in document.get("profiles", {}).items()
        }
        return Profiles(_text(document.get("default", "")), profiles)
    except (AttributeError, KeyError, TypeError) as error:
        raise ProfileError(f"{path}: a profile needs url and token as text ({error})") from None


def write_profiles(profiles: Profiles) -> Path:
    """Replace the configuration file, and return its path.

    Raises:
        ProfileError: It cannot be written.
    """
    path = config_path()
    # TOML's basic strings take what JSON's do.
    lines = [f"default = {_quoted(profiles.default)}\n"]
    for name, one in sorted(profiles.profiles.items()):
        lines += [f"\n[profiles.{name}]\n", f"url = {_quoted(one.url)}\n", f"token = {_quoted(one.token)}\n"]
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as stream:
            stream.write("".join(lines))
        Path(stream.name).replace(path)
    except OSError as error:
        raise ProfileError(f"{path} cannot be written: {error.strerror}") from None
    return path


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value
