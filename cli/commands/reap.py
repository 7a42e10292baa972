"""`casebook reap`: run the job reaper periodically; one per installation suffices, more are harmless."""

from __future__ import annotations

import logging
import signal
import threading

import click


@click.command("reap")
def command() -> None:
    """Requeue lost jobs and delete orphaned files, until stopped."""
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415 - keeps `casebook --help` fast

    from backend.accounts import login_throttle  # noqa: PLC0415 - same
    from backend.core import layout  # noqa: PLC0415 - same
    from backend.core.audit_checkpoint_writer import AuditCheckpoints  # noqa: PLC0415 - same
    from backend.core.db.migrate import require_known_database  # noqa: PLC0415 - same
    from backend.core.errors import SettingsError, UnavailableError  # noqa: PLC0415 - same
    from backend.core.jobs.task_modules import load_task_modules  # noqa: PLC0415 - same
    from backend.core.logs import setup  # noqa: PLC0415 - same
    from backend.core.sessions import create_sessions  # noqa: PLC0415 - same
    from backend.core.settings_environment import load_settings  # noqa: PLC0415 - same
    from backend.core.storage.object_store import Store  # noqa: PLC0415 - same
    from backend.destinations.waking import wake  # noqa: PLC0415 - same
    from backend.guests.expiry import clear_expired  # noqa: PLC0415 - same
    from backend.operations.reaper import reap  # noqa: PLC0415 - same
    from backend.operations.sweep import sweep  # noqa: PLC0415 - same
    from backend.uploads.service import expire  # noqa: PLC0415 - same

    try:
        settings = load_settings()
        require_known_database(settings)
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    layout.make_files_private(settings.data_dir)
    setup.install(settings)
    load_task_modules()
    sessions = create_sessions(settings, pool_size=1)
    store = Store.open(settings)
    checkpoints = AuditCheckpoints(sessions, store, settings)
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    while not stopped.is_set():
        try:
            reap(sessions, settings, sessions.kw["info"]["sender"])
            wake(sessions)
            expire(sessions, settings)
            clear_expired(sessions, store, settings)
            with sessions.begin() as session:
                login_throttle.remove_old(session)
            checkpoints.write()
        except SQLAlchemyError as error:
            logging.getLogger(__name__).warning("the database is away: %s", error)
        except SettingsError as error:
            raise click.ClickException(str(error)) from None
        except UnavailableError as error:
            logging.getLogger(__name__).warning("%s", error)
        sweep(settings)
        stopped.wait(settings.reaper_seconds)
