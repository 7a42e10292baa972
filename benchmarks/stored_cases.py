"""Cases of a temporary instance: of the positive evidence of the library, and of generated stacks."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
from sqlalchemy import text

if TYPE_CHECKING:
    from sqlalchemy.orm import Session, sessionmaker

    from backend.client import Client

LIBRARY = Path(__file__).parents[1] / "signatures/library"
MOST_BYTES = 20_000
GENERATED_OF = 4
"""Every fourth case is generated."""
PATIENCE_SECONDS = 1800
NOTES = frozenset({"expect.yaml", "PROVENANCE.md"})
SETTINGS = {
    "CASEBOOK_QUEUED_AGE_SECONDS": "86400",
    "CASEBOOK_REQUESTS_PER_MINUTE": "0",
    "CASEBOOK_SENDS_PER_MINUTE": "0",
}
"""Of an instance that takes many cases of one sender at once."""


def texts() -> list[Path]:
    """Return the positive evidence of the library that is one text of moderate size."""
    found = []
    for folder in sorted(LIBRARY.glob("*/*/evidence/pos-*")):
        files = [path for path in folder.rglob("*") if path.is_file() and path.name not in NOTES]
        if len(files) == 1 and files[0].stat().st_size <= MOST_BYTES:
            found.append(files[0])
    return found


def fill(client: Client, count: int) -> None:
    """Send `count` cases."""
    files = texts()
    for number in range(count):
        if number % GENERATED_OF == 0:
            stacks = (f"main;work_{number};copy_to_user;part_{part} {part + 1}\n" for part in range(200))
            client.paste("".join(stacks))
        else:
            path = files[number % len(files)]
            client.post_files([(path.name, path)])


def settle(sessions: sessionmaker[Session]) -> None:
    """Wait until nothing is queued or running."""
    query = text("select count(*) from job where state in ('queued', 'running')")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        with sessions() as session:
            if not session.scalar(query):
                return
        time.sleep(0.5)
    raise click.ClickException("the service did not become idle")
