"""Let the sign-ins of an account be an hour old, in the instance of CASEBOOK_DATA_DIR.

python -m tests.e2e.old_sign_in ada
"""

from __future__ import annotations

import sys

from sqlalchemy import text

from backend.core.sessions import create_sessions
from backend.core.settings_environment import load_settings

OLDER = text(
    "update token set authenticated_at = now() - interval '1 hour' from account"
    " where account.id = token.account_id and account.name = :name"
)


def main(name: str) -> None:
    sessions = create_sessions(load_settings(), pool_size=1)
    with sessions.begin() as session:
        session.execute(OLDER, {"name": name})


if __name__ == "__main__":
    main(sys.argv[1])
