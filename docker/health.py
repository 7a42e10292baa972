"""The health checks of the images: exit 0 when well, else 1 and one sentence.

python3 /usr/share/casebook/health.py api      the API answers, and so do database, broker and store
python3 /usr/share/casebook/health.py worker   the database and the broker answer from here

A worker is busy for minutes with a large file, so it is not asked itself: one that dies is started again
by the container engine, and the job of one that hangs loses its lease and goes to another.
"""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.request

TIMEOUT_SECONDS = 3


def check_api() -> None:
    """Raise unless the API of this container answers."""
    port = os.environ.get("CASEBOOK_PORT", "8000")
    urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=TIMEOUT_SECONDS).close()


def check_worker() -> None:
    """Raise unless the database and the broker of the settings answer."""
    from kombu import Connection  # noqa: PLC0415 - the API's check starts in a tenth of the time without
    from sqlalchemy import create_engine, text  # noqa: PLC0415 - same

    from backend.core.settings_environment import load_settings  # noqa: PLC0415 - same

    settings = load_settings()
    engine = create_engine(
        settings.effective_database_url, connect_args={"connect_timeout": TIMEOUT_SECONDS}
    )
    with engine.connect() as connection:
        connection.execute(text("select 1"))
    options = {"socket_connect_timeout": TIMEOUT_SECONDS, "socket_timeout": TIMEOUT_SECONDS}
    with Connection(settings.effective_broker_url, transport_options=options) as broker:
        broker.ensure_connection(max_retries=1, timeout=TIMEOUT_SECONDS)


def main(role: str) -> None:
    """Check `role`; whatever goes wrong is a reason to be unhealthy."""
    try:
        {"api": check_api, "worker": check_worker}[role]()
    except Exception as error:  # noqa: BLE001 - the engine asks for a status, not for a traceback
        sys.exit(f"{role} is not well: {error}")


if __name__ == "__main__":
    main(sys.argv[1])
