"""The program that runs browser tests leaves no process behind."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

PROGRAM = """
import signal
from tests.e2e.run import end_on_signals, provider

end_on_signals()
with provider() as settings:
    print(settings["CASEBOOK_OIDC_ISSUER"], flush=True)
    signal.pause()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_provider_ends_with_its_runner(number: signal.Signals):
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True) as runner:
        assert runner.stdout is not None
        address = urlsplit(runner.stdout.readline())
        assert address.port is not None
        with socket.create_connection(("localhost", address.port)) as open_to_the_end:
            runner.send_signal(number)
            assert runner.wait() != 0
            # The provider closes its connections when it ends; until then this blocks.
            with suppress(ConnectionResetError):
                assert open_to_the_end.recv(1) == b""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("localhost", address.port)).close()
