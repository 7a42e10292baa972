"""Base images of docker/: pinned by the digest of their multi-platform index, of versions with support.

The tag states what an image is; the digest alone decides which one is pulled. To update one, take the digest
that `docker buildx imagetools inspect NAME:TAG` prints, and change tag and digest together.
"""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PINNED = re.compile(r"(?P<name>[a-z0-9./-]+):(?P<tag>[\w.-]+)@sha256:[0-9a-f]{64}")
SUPPORTED_UNTIL = {
    "debian:bookworm": date(2028, 6, 30),  # https://wiki.debian.org/LTS
    "nginx:1.30": date(2027, 4, 30),  # the stable branch is retired every April
    "node:24": date(2028, 4, 30),  # https://github.com/nodejs/release#release-schedule
    "postgres:18": date(2030, 11, 14),  # https://www.postgresql.org/support/versioning/
    "rust:1.95": date(2028, 6, 30),  # of its Debian 12; only compiles, with the release that the project uses
    "valkey/valkey:9": date(2028, 10, 21),  # https://valkey.io/topics/releases/
}
"""Last day with security updates, by name and beginning of the tag."""


def images() -> list[str]:
    """Return the images that the Dockerfile and the compose file pull."""
    built = re.findall(r"^ARG [A-Z]+=(\S+:\S+)$", (ROOT / "docker/Dockerfile").read_text(), re.MULTILINE)
    pulled = re.findall(r"^    image: (\S+)$", (ROOT / "docker/compose.yaml").read_text(), re.MULTILINE)
    return [*built, *(image for image in pulled if not image.startswith("casebook-"))]


def problem(image: str, today: date) -> str:
    """Return what is wrong with an image; "" when it is pinned and supported."""
    pinned = PINNED.fullmatch(image)
    if pinned is None:
        return f"{image} is not pinned by digest"
    known = f"{pinned['name']}:{pinned['tag']}"
    ends = [
        day for version, day in SUPPORTED_UNTIL.items() if re.match(rf"{re.escape(version)}(?!\d)", known)
    ]
    if not ends:
        return f"{known}: nobody stated until when it is supported"
    return "" if today <= ends[0] else f"{known} has no security updates since {ends[0]}"
