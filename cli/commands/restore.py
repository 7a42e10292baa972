"""`casebook restore`: restore a backup into an instance that is stopped.

$ casebook restore /backup/casebook --data-dir /srv/casebook
restored 812 cases, 1,204,117 rows and 4,120 objects of 2026-11-28T05:30:00+00:00; all equal the backup
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.process import exits
from cli.service.running import data_dir_option, database_failure, record, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from backend.core.settings import Settings
    from backend.operations.backup.restoring import Restored


@click.command("restore")
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--replace", "replaces", is_flag=True, help="Delete the data that the instance has.")
@click.option(
    "--without-key", is_flag=True, help="Restore without the key of the backup, and lose what needs it."
)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
@data_dir_option
def command(
    directory: Path, data_dir: Path | None, *, replaces: bool, without_key: bool, as_json: bool
) -> None:
    """Restore the backup in DIRECTORY into an empty instance that is stopped, and compare both.

    The database changes as a whole, or not at all. A backup of an older version is migrated to this one.

    Exit status: 0 restored, and every row and object equals the backup; 1 failed; 2 usage error; 4 restored,
    but the audit log was altered before, or ends before checkpoints of this instance; 5 restored, but the
    backup itself lacks objects.
    """
    import psycopg  # noqa: PLC0415 - keeps `casebook --help` fast
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415 - same

    from backend.core.errors import CasebookError  # noqa: PLC0415 - same
    from backend.operations.backup.manifest import BackupError  # noqa: PLC0415 - same
    from backend.operations.backup.restoring import restore  # noqa: PLC0415 - same
    from cli.process.progress import ProgressLine  # noqa: PLC0415 - same

    settings = settings_of(data_dir)
    line = ProgressLine()
    try:
        with _stopped_instance(settings, line.show):
            done = restore(settings, directory, replaces=replaces, without_key=without_key, report=line.step)
            record(data_dir, f"restore {directory} of {done.manifest.made_at}")
    except (CasebookError, BackupError) as error:
        raise click.ClickException(str(error)) from None
    except (DBAPIError, psycopg.Error) as error:
        raise click.ClickException(database_failure(error)) from None
    finally:
        line.clear()
    if as_json:
        summary = {
            "rows": done.rows,
            "audit_entries": done.audit_entries,
            "audit_problems": done.audit_problems,
            "has_key": done.has_key,
        }
        click.echo(json.dumps({"backup": done.manifest.summary(), "restored": summary}, indent=2))
    else:
        for text in _lines(done):
            click.echo(text)
    if done.audit_problems:
        raise SystemExit(exits.CHECK_FAILED)
    if not done.manifest.is_complete:
        raise SystemExit(exits.INCOMPLETE)


@contextmanager
def _stopped_instance(settings: Settings, say: Callable[[str], None]) -> Iterator[None]:
    """Start only the database of an embedded instance, which is made if missing.

    Raises:
        SettingsError: The instance runs.
    """
    from backend.core.supervisor.supervisor import Supervisor  # noqa: PLC0415 - keeps `casebook --help` fast

    if not settings.embeds_database:
        yield
        return
    with Supervisor(settings, say=say) as supervisor:
        supervisor.open_database()
        yield


def _lines(done: Restored) -> list[str]:
    from backend.operations.backup.restoring import LOST_WITH_THE_KEY  # noqa: PLC0415 - same

    found = done.manifest
    log = f"{done.audit_entries:,} entries of the audit log are verified"
    return [
        (
            f"restored {found.cases:,} cases, {done.rows:,} rows and {found.object_count:,} objects of "
            f"{found.made_at}; all equal the backup"
        ),
        *([log] if done.has_key else [f"lost with the key: {text}" for text in LOST_WITH_THE_KEY]),
        *(f"audit log: {problem}" for problem in done.audit_problems),
        *(["`casebook audit verify` states it, too"] if done.audit_problems else []),
        *(f"missing from the backup: {name}" for name in (*found.missing, *found.damaged)),
    ]
