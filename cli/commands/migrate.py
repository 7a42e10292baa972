"""`casebook migrate`: migrate the database; `casebook serve` does so at every start."""

from __future__ import annotations

import click


@click.command("migrate")
def command() -> None:
    """Apply pending migrations to the database of CASEBOOK_DATABASE_URL."""
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415 - keeps `casebook --help` fast

    from backend.core import layout  # noqa: PLC0415 - same
    from backend.core.db.migrate import upgrade  # noqa: PLC0415 - same
    from backend.core.errors import SettingsError  # noqa: PLC0415 - same
    from backend.core.settings_environment import load_settings  # noqa: PLC0415 - same
    from backend.library.index import fill  # noqa: PLC0415 - same
    from backend.stories import publishing  # noqa: PLC0415 - same

    try:
        settings = load_settings()
        layout.make_files_private(settings.data_dir)
        upgrade(settings)
        fill(settings)
        publishing.fill(settings)
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    except OperationalError as error:
        raise click.ClickException(f"the database is unreachable: {error.orig}") from None
    click.echo("the database is at this version")
