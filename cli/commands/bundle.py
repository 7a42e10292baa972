"""`casebook bundle verify`: verify a handoff bundle against its manifest.

$ casebook bundle verify case-42.casebook.tar.zst
case-42.casebook.tar.zst: 14 files, 1,234,567 bytes, each as the manifest says; sha256 9f2c…
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import click

from cli.process import exits


@click.group("bundle")
def command() -> None:
    """Verify a handoff bundle."""


@command.command("verify")
@click.argument("path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def verify(path: Path) -> None:
    """Verify every file of a bundle against its manifest.

    Prints the SHA-256 of the bundle: compare it with the sender's page. Exit status: 0 unchanged, 4 something
    is missing, changed or added, 2 usage error.
    """
    from signatures.handoff import bundle  # noqa: PLC0415 - keeps `casebook --help` fast

    try:
        found = bundle.verify(path)
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except bundle.BrokenBundleError as problem:
        raise exits.CheckFailedError(f"{path.name}: {problem}") from None
    except OSError as error:
        raise click.ClickException(f"{path.name} cannot be read: {error.strerror}") from None
    click.echo(
        f"{path.name}: {found.members} files, {found.size_bytes:,} bytes, each as the manifest says; "
        f"made by casebook {found.engine}; sha256 {digest}"
    )
