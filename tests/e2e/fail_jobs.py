"""Have all queued jobs of the instance of CASEBOOK_DATA_DIR failed in all their attempts.

python -m tests.e2e.fail_jobs
"""

from __future__ import annotations

from sqlalchemy import text

from backend.core.sessions import create_sessions
from backend.core.settings_environment import load_settings

FAILED = text(
    "update job set state = 'failed', attempt = 3, last_error = 'MemoryError: none left', finished_at = now()"
    " where state = 'queued'"
)


def main() -> None:
    sessions = create_sessions(load_settings(), pool_size=1)
    with sessions.begin() as session:
        session.execute(FAILED)


if __name__ == "__main__":
    main()
