"""Move the sign-ins of an account to an hour ago, or to tomorrow, in the instance of CASEBOOK_DATA_DIR.

python -m tests.e2e.sign_in_time ada 'an hour ago'
"""

from __future__ import annotations

import sys

from sqlalchemy import text

from backend.core.sessions import create_sessions
from backend.core.settings_environment import load_settings

HOURS = {"an hour ago": -1, "tomorrow": 24}
MOVED = text(
    "update token set authenticated_at = now() + :hours * interval '1 hour' from account"
    " where account.id = token.account_id and account.name = :name"
)


def main(name: str, when: str) -> None:
    sessions = create_sessions(load_settings(), pool_size=1)
    with sessions.begin() as session:
        session.execute(MOVED, {"name": name, "hours": HOURS[when]})


if __name__ == "__main__":
    main(*sys.argv[1:])
