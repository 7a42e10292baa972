"""Run a command against a throw-away instance: `python -m tests.e2e.run npm run e2e`.

The command finds the address in CASEBOOK_E2E_URL, a one-time sign-in token in CASEBOOK_E2E_TOKEN and the data
directory in CASEBOOK_DATA_DIR.
"""

from __future__ import annotations

import os
import subprocess
import sys

from backend.cli.instance import InstanceError, throw_away


def main(command: list[str]) -> int:
    try:
        with throw_away(say=print) as instance:
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
