"""`casebook backup`: write a backup of an instance, which may be at work.

$ casebook backup /backup/casebook
backup of 812 cases and 4,120 objects (96 MB) in /backup/casebook
its keys: …
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.process import exits
from cli.process.progress import MEGABYTE, ProgressLine
from cli.service.running import (
    data_dir_option,
    database_failure,
    database_server,
    record,
    settings_of,
)
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from backend.operations.backup.manifest import Manifest

WITHOUT_KEY = (
    "not included: seal.key (or CASEBOOK_SEAL_KEY), without which a restore loses the audit log and the "
    "pseudonyms of handoffs: store a copy elsewhere, or add --with-key"
)
WITH_KEY = (
    "included: seal.key, which signs the audit log and opens the pseudonyms of handoffs: "
    "whoever reads this directory can do both"
)
SECRETS = (
    "included: all evidence, hashes of tokens and passwords (tokens work after a restore), secrets of "
    "authenticators; not included: settings of the environment"
)


@click.command("backup")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--with-key", is_flag=True, help="Include seal.key, the key of the audit log and of pseudonyms."
)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
@data_dir_option
def command(directory: Path, data_dir: Path | None, *, with_key: bool, as_json: bool) -> None:
    """Write a backup of database and object store into DIRECTORY, in place of an earlier one there.

    The instance may run, or be stopped. A second backup into the same directory copies only new objects; the
    earlier backup is valid until the new one is complete.

    Exit status: 0 complete; 1 failed; 2 usage error; 5 objects are missing or damaged, and everything else is
    in the backup.
    """
    import psycopg  # noqa: PLC0415 - keeps `casebook --help` fast
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415 - same

    from backend.core.encryption import DecryptionError  # noqa: PLC0415 - same
    from backend.core.errors import CasebookError  # noqa: PLC0415 - same
    from backend.operations.backup.manifest import BackupError  # noqa: PLC0415 - same
    from backend.operations.backup.writing import back_up  # noqa: PLC0415 - same

    settings = settings_of(data_dir)
    line = ProgressLine()
    try:
        with database_server(settings, say=line.show):
            record(data_dir, f"backup {directory}")
            written = back_up(settings, directory, with_key=with_key, report=line.step)
    except (CasebookError, BackupError, DecryptionError) as error:
        raise click.ClickException(str(error)) from None
    except (DBAPIError, psycopg.Error) as error:
        raise click.ClickException(database_failure(error)) from None
    finally:
        line.clear()
    if as_json:
        click.echo(json.dumps(written.summary(), indent=2))
    else:
        for text in _lines(written, directory):
            click.echo(text)
    if not written.is_complete:
        raise SystemExit(exits.INCOMPLETE)


def _lines(written: Manifest, directory: Path) -> list[str]:
    size = written.object_bytes + sum(table.bytes for table in written.tables)
    return [
        (
            f"backup of {written.cases:,} cases, {sum(table.rows for table in written.tables):,} rows and "
            f"{written.object_count:,} objects ({size // MEGABYTE:,} MB) in {bare(str(directory))}"
        ),
        SECRETS,
        WITH_KEY if written.has_key else WITHOUT_KEY,
        *(f"missing from the store: {name}" for name in written.missing),
        *(f"damaged in the store: {name}" for name in written.damaged),
        *([] if written.is_complete else ["incomplete: `casebook scrub` names the cases"]),
    ]
