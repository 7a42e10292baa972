"""A signature folder drafted by a service from a closed case, downloaded below a directory."""

from __future__ import annotations

import io
import time
import zipfile
from typing import TYPE_CHECKING

import click

from cli.service.connection import Connection

if TYPE_CHECKING:
    from pathlib import Path

    from cli.evidence.signature_folder import FolderReport
    from cli.service.profiles import Profile

PAUSE_SECONDS = 1.0


def download(service: Profile, number: str, signature_id: str, title: str | None, root: Path) -> FolderReport:
    """Have the service draft a signature from case `number`; unpack it below `root`, return its report.

    Raises:
        ClickException: The service refused, or nothing could be drafted.
    """
    drafts = f"cases/{number}/signature-drafts"
    with Connection(service) as connection:
        body = {"signature_id": signature_id} | ({"title": title} if title else {})
        draft = connection.change("POST", drafts, body)
        stage = ""
        while draft["state"] == "drafting":
            if draft["stage"] != stage:
                stage = draft["stage"]
                click.echo(stage, err=True)
            time.sleep(PAUSE_SECONDS)
            draft = connection.get(f"{drafts}/{draft['id']}")
        if draft["state"] == "failed":
            raise click.ClickException(draft["reason"])
        content = connection.content(f"{drafts}/{draft['id']}/folder.zip")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(root)
    report: FolderReport = draft["report"]
    return report
