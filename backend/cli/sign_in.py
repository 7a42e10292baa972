"""`casebook sign-in`: another one-time URL, without starting anything anew."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("sign-in")
@click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="Data directory of the running instance; default: CASEBOOK_DATA_DIR.",
)
def command(data_dir: Path | None) -> None:
    """Print a URL that signs a browser in: once, within ten minutes. The instance must be running."""
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415 - keeps `casebook --help` fast

    from backend.accounts.service import create_sign_in_token  # noqa: PLC0415 - same
    from backend.core.database import create_sessions  # noqa: PLC0415 - same
    from backend.core.errors import CasebookError  # noqa: PLC0415 - same
    from backend.core.settings import load_settings  # noqa: PLC0415 - same

    try:
        settings = load_settings(data_dir=data_dir) if data_dir else load_settings()
        sessions = create_sessions(settings, pool_size=1)
        with sessions.begin() as session:
            token = create_sign_in_token(session)
        sessions.kw["bind"].dispose()
    except CasebookError as error:
        raise click.ClickException(str(error)) from None
    except OperationalError:
        raise click.ClickException(
            f"no database answers for {settings.data_dir}; start the instance with `casebook serve` first"
        ) from None
    click.echo(f"{settings.public_url or f'http://{settings.host}:{settings.port}'}/sign-in?token={token}")
