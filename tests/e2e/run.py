"""Run a command against a throw-away instance: `python -m tests.e2e.run npm run e2e`.

The command finds the address in CASEBOOK_E2E_URL, a one-time sign-in token in CASEBOOK_E2E_TOKEN and the data
directory in CASEBOOK_DATA_DIR. Beside the instance an OpenID Connect provider runs, which lets anybody in.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from backend.cli.instance import InstanceError, throw_away

if TYPE_CHECKING:
    from collections.abc import Iterator

PROVIDER_SECONDS = 60
SHOWN_EARLY = {"CASEBOOK_PREVIEW_BYTES": os.environ.get("CASEBOOK_PREVIEW_BYTES", "4000000")}
"""A tenth of what it is by itself: a file of a few seconds is long enough to be shown in part."""


@contextmanager
def provider() -> Iterator[dict[str, str]]:
    """Run a provider on a free port; yield the settings of an instance that knows it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.oidc_provider", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + PROVIDER_SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            with suppress(OSError):
                socket.create_connection(("localhost", port), timeout=1).close()
                break
            time.sleep(0.1)
        yield {
            "CASEBOOK_OIDC_ISSUER": f"http://localhost:{port}",
            "CASEBOOK_OIDC_CLIENT_ID": "casebook",
            "CASEBOOK_OIDC_CLIENT_SECRET": "known to both",
            "CASEBOOK_OIDC_NAME": "the provider next door",
            "CASEBOOK_OUTGOING_ALLOW": "127.0.0.0/8,::1/128",
        }
    finally:
        process.terminate()
        process.wait()


def main(command: list[str]) -> int:
    try:
        with provider() as known, throw_away(say=print, settings={**known, **SHOWN_EARLY}) as instance:
            told = {
                "CASEBOOK_E2E_URL": instance.url,
                "CASEBOOK_E2E_TOKEN": instance.sign_in_token,
                "CASEBOOK_DATA_DIR": str(instance.data_dir),
            }
            return subprocess.run(command, env={**os.environ, **told}, check=False).returncode
    except InstanceError as error:
        sys.stderr.write(f"{error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
