"""What the labels and annotations of an alert say: host, severity, links, text; the rows are in labels.yaml.

{"instance": "db7:9100", "severity": "page"}  ->  host "db7", severity "critical"
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import yaml

from backend.core.http.request_body import with_marks

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_HOST_CHARS = 253
MAX_URL_CHARS = 2048
MAX_LINKS = 8
MAX_TEXT_CHARS = 1000
SEVERITIES = ("low", "medium", "high", "critical")
"""In ascending order."""


@cache
def rows() -> dict[str, Any]:
    """Return the rows of `labels.yaml`."""
    read: dict[str, Any] = yaml.safe_load(files(__package__).joinpath("labels.yaml").read_text("utf-8"))
    return read


def host_of(labels: Mapping[str, str]) -> str:
    """Return the machine that an alert is about, without a port; "" without one."""
    for name in rows()["host"]:
        if value := labels.get(name, "").strip():
            return one_line(_without_port(value), MAX_HOST_CHARS)
    return ""


def severity_of(labels: Mapping[str, str]) -> str | None:
    """Return the severity of a case that an alert asks for; None without a known value."""
    values = (labels.get(name, "").strip().lower() for name in rows()["severity"])
    value = next((one for one in values if one), "")
    return next((severity for severity, known in rows()["severities"].items() if value in known), None)


def links_of(fields: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the links among annotations and fields as `{"label", "url"}`; only those of the web."""
    found = []
    for label, names in rows()["links"].items():
        url = next((fields[name].strip() for name in names if fields.get(name, "").strip()), "")
        if is_link(url):
            found.append({"label": label, "url": url})
    return found[:MAX_LINKS]


def text_of(annotations: Mapping[str, str]) -> str:
    """Return the description of an alert in one line."""
    return one_line(next((annotations[one] for one in rows()["texts"] if annotations.get(one)), ""))


def is_link(url: str) -> bool:
    """Return whether `url` is an absolute URL of the web, without characters that hide others."""
    if not url or len(url) > MAX_URL_CHARS or any(char.isspace() for char in url) or with_marks(url) != url:
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)


def one_line(text: str, most: int = MAX_TEXT_CHARS) -> str:
    """Return the first `most` characters of `text` in one line, with U+FFFD for characters that hide."""
    line = with_marks(" ".join(text[: 4 * most].split()))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _without_port(value: str) -> str:
    """Return the host of `host:port`, `[address]:port` or a URL."""
    if "://" in value:
        try:
            return urlsplit(value).hostname or value
        except ValueError:
            return value
    if value.startswith("["):
        return value[1:].partition("]")[0]
    host, colon, port = value.rpartition(":")
    # An IPv6 address without brackets has several colons and no port.
    return host if colon and port.isdigit() and ":" not in host else value
