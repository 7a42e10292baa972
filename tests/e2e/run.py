"""Run a command against a temporary instance: `python -m tests.e2e.run [--shards N] npm run e2e`.

The command finds the address in CASEBOOK_E2E_URL, a one-time sign-in token in CASEBOOK_E2E_TOKEN and the data
directory in CASEBOOK_DATA_DIR. An OpenID Connect provider that accepts every user runs beside it.

With shards the command runs N times in parallel, each with its own instance and its part, such as 1/2, in
CASEBOOK_E2E_SHARD. The first shard prints its output live, the others at the end.

A signal ends the commands, the instances and the providers; after SIGKILL, instances and providers end since
their parent did.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from typing import IO, TYPE_CHECKING

from cli.service.instance import InstanceError, throw_away
from tests.oidc_provider import bound_socket, running_provider

if TYPE_CHECKING:
    from collections.abc import Iterator

PREVIEW_SETTINGS = {"CASEBOOK_PREVIEW_BYTES": os.environ.get("CASEBOOK_PREVIEW_BYTES", "4000000")}
"""A tenth of the default, so that small files have a preview too."""


@contextmanager
def provider() -> Iterator[dict[str, str]]:
    """Run a provider; yield the settings of an instance that uses it."""
    with bound_socket() as bound, running_provider(bound) as issuer:
        yield {
            "CASEBOOK_OIDC_ISSUER": issuer,
            "CASEBOOK_OIDC_CLIENT_ID": "casebook",
            "CASEBOOK_OIDC_CLIENT_SECRET": "known to both",
            "CASEBOOK_OIDC_NAME": "the provider next door",
            "CASEBOOK_OUTGOING_ALLOW": "127.0.0.0/8,::1/128",
        }


@contextmanager
def running(command: list[str], shard: str, output: IO[bytes] | None) -> Iterator[subprocess.Popen[bytes]]:
    """Run `command` against its own instance, with its output redirected to `output` if given."""
    with provider() as oidc, throw_away(say=print, settings={**oidc, **PREVIEW_SETTINGS}) as instance:
        environment = {
            **os.environ,
            "CASEBOOK_E2E_URL": instance.url,
            "CASEBOOK_E2E_TOKEN": instance.sign_in_token,
            "CASEBOOK_E2E_SHARD": shard,
            "CASEBOOK_DATA_DIR": str(instance.data_dir),
        }
        # A process group, so that a browser ends with the command that started it.
        with subprocess.Popen(
            command, env=environment, stdout=output, stderr=output, start_new_session=True
        ) as process:
            try:
                yield process
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)


def end_on_signals() -> None:
    """Have SIGTERM and SIGHUP raise `SystemExit`, so that what was started is stopped."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))


def main(shards: int, command: list[str]) -> int:
    """Run all shards; return 0 if all succeed."""
    with ExitStack() as stack:
        outputs = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(1, shards)]
        try:
            processes = [
                stack.enter_context(running(command, f"{number}/{shards}", output))
                for number, output in enumerate([None, *outputs], start=1)
            ]
            codes = [process.wait() for process in processes]
        except InstanceError as error:
            sys.stderr.write(f"{error}\n")
            return 1
        for output in outputs:
            output.seek(0)
            sys.stdout.write(output.read().decode(errors="replace"))
    return int(any(codes))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    end_on_signals()
    sys.exit(main(arguments.shards, arguments.command))
