"""Advisories of each registry about every locked dependency, read from the JSON of its own client.

A client that answers nothing readable checked nothing: `Result.failure` states its words. Packages that a
registry does not know are named, since nobody vouches for them.

Source: https://github.com/pypa/pip-audit, https://docs.npmjs.com/cli/commands/npm-audit and
https://github.com/rustsec/rustsec/tree/main/cargo-audit
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
UV = str(ROOT / ".venv/bin/uv")
PIP_AUDIT = "pip-audit==2.10.0"
MAX_LINES = 2


@dataclass(frozen=True, slots=True)
class Result:
    """What one registry says.

    Attributes:
        checked: Number of packages that it was asked about.
        advisories: One line for each advisory.
        unknown: Packages that it does not know.
        failure: Why nothing was checked; "" when it was.
    """

    checked: int = 0
    advisories: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    failure: str = ""


def of_pypi(document: dict[str, Any]) -> Result:
    """Read the JSON of pip-audit."""
    packages = document["dependencies"]
    known = [one for one in packages if "skip_reason" not in one]
    return Result(
        checked=len(known),
        advisories=tuple(
            f"{one['name']} {one['version']}: {found['id']}, "
            f"fixed in {', '.join(found['fix_versions']) or 'no version'}"
            for one in known
            for found in one["vulns"]
        ),
        unknown=tuple(one["name"] for one in packages if "skip_reason" in one),
    )


def of_npm(document: dict[str, Any]) -> Result:
    """Read the JSON of npm audit."""
    return Result(
        checked=document["metadata"]["dependencies"]["prod"],
        advisories=tuple(
            f"{name} {one['range']}: {one['severity']}"
            for name, one in sorted(document["vulnerabilities"].items())
        ),
    )


def of_rustsec(document: dict[str, Any]) -> Result:
    """Read the JSON of cargo audit; crates that nobody maintains are warnings of it, and count."""
    found = [*document["vulnerabilities"]["list"], *chain(*document["warnings"].values())]
    return Result(
        checked=document["lockfile"]["dependency-count"],
        advisories=tuple(
            f"{one['package']['name']} {one['package']['version']}: "
            f"{one['advisory']['id'] if one.get('advisory') else one['kind']}"
            for one in found
        ),
    )


def read(output: str, errors: str, reader: Callable[[dict[str, Any]], Result]) -> Result:
    """Return the result in the `output` of a client, or that it has none, with its error."""
    try:
        return reader(json.loads(output))
    except (ValueError, KeyError, TypeError):
        said = (errors.strip() or output.strip() or "no answer").splitlines()
        first = next((number for number, line in enumerate(said) if "error" in line.lower()), 0)
        return Result(failure=" ".join(said[first : first + MAX_LINES]))


def ask(command: list[str], reader: Callable[[dict[str, Any]], Result]) -> Result:
    """Run a client in the root of the project and read its answer."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError as error:
        return Result(failure=f"{command[0]} cannot be run: {error.strerror}")
    return read(done.stdout, done.stderr, reader)


def python() -> Result:
    """Ask PyPI about the packages of an installation."""
    with tempfile.TemporaryDirectory() as directory:
        locked = Path(directory, "locked.txt")
        export = [UV, "export", "--quiet", "--locked", "--extra", "server"]
        export += ["--no-default-groups", "--no-emit-project"]
        subprocess.run([*export, "--output-file", locked], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        command = [UV, "tool", "run", "--quiet", "--from", PIP_AUDIT, "pip-audit", "--format", "json"]
        command += ["--progress-spinner", "off", "--disable-pip", "--require-hashes", "--requirement"]
        return ask([*command, str(locked)], of_pypi)


def javascript() -> Result:
    """Ask the npm registry about the packages that ship."""
    return ask(["npm", "audit", "--no-update-notifier", "--omit=dev", "--json"], of_npm)


def rust() -> Result:
    """Ask RustSec about the crates; cargo-audit is installed by `cargo install --locked cargo-audit`."""
    return ask(["cargo", "audit", "--json", "--file", "ingest/native/Cargo.lock"], of_rustsec)
