"""Draft a migration: what the models say beyond what the migrations make, on a throw-away database.

python -m tools.draft_migration "add cases.owner"
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from alembic import command
from alembic.config import Config

from backend.core.db import migrate
from backend.core.db.engine import create_engine
from backend.core.layout import MIGRATIONS_DIR
from backend.core.settings import Settings
from backend.core.supervisor.supervisor import Supervisor


def main(message: str) -> None:
    """Write `migrations/versions/<next number>_<message>.py`."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder))
        with Supervisor(settings, say=print) as supervisor:
            supervisor.open_servers()
            migrate.upgrade(settings)
            config = Config(toml_file="pyproject.toml")
            number = len(list((MIGRATIONS_DIR / "versions").glob("*.py"))) + 1
            with create_engine(settings, pool_size=1, as_owner=True).begin() as connection:
                config.attributes["connection"] = connection
                command.revision(config, message=message, autogenerate=True, rev_id=f"{number:04}")


if __name__ == "__main__":
    main(sys.argv[1])
