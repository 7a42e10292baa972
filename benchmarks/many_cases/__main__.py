"""Measure with each number of cases given and write benchmarks/SCALE.md.

python -m benchmarks.many_cases 1000 10000 --keep /var/tmp/many     # databases are kept there and used again
python -m benchmarks.many_cases 1000 10000 --before ../checkout     # measures that older code too
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from backend.core.db import migrate
from backend.core.settings import Settings
from backend.core.storage.object_store import Store
from backend.core.supervisor.supervisor import Supervisor
from benchmarks.many_cases import table
from benchmarks.many_cases.measure import costs, sessions_of
from benchmarks.many_cases.multiply import multiply
from benchmarks.many_cases.seeds import plant

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
RESULTS = HERE.parent / "SCALE.md"
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_wal_size": "16GB"}
MADE = "made.json"
"""Written last: a directory without it holds a database that is not complete."""


def measured(count: int, place: Path, *, fill_only: bool) -> dict[str, Any]:
    """Return what each request costs with `count` cases, and how many seconds it took to make them."""
    made = place / MADE
    if not made.exists():
        shutil.rmtree(place, ignore_errors=True)
    settings = Settings(data_dir=place, requests_per_minute=0, sends_per_minute=0, strangers_per_minute=0)
    with Supervisor(settings, say=lambda _: None, postgres_options=FAST) as supervisor:
        supervisor.open_servers()
        migrate.upgrade(settings)
        if not made.exists():
            made.write_text(json.dumps(_filled(settings, count)))
        found = [] if fill_only else [one._asdict() for one in costs(settings)]
    return {"cases": count, "made_s": json.loads(made.read_text()), "costs": found}


def _filled(settings: Settings, count: int) -> float:
    began = time.monotonic()
    # Older code has one role; filling drops and creates indexes, which only the owner may.
    owner_url = getattr(settings, "effective_owner_url", settings.effective_database_url)
    sessions = sessions_of(settings.model_copy(update={"database_url": owner_url}))
    engine = sessions.kw["bind"]
    plant(settings, sessions, Store.open(settings))
    multiply(engine, count)
    engine.dispose()
    return time.monotonic() - began


def _of_older(code: Path, counts: Sequence[int], keep: Path, *, fill_only: bool) -> dict[str, Any]:
    """Run this program, copied, on the code of another checkout with its own environment."""
    with TemporaryDirectory(prefix="many-cases-") as place:
        shutil.copytree(HERE, Path(place, "benchmarks", HERE.name))
        Path(place, "benchmarks", "__init__.py").touch()
        figures = Path(place, "figures.json")
        command: list[str | Path] = [
            code / ".venv/bin/python",
            "-m",
            "benchmarks.many_cases",
            *map(str, counts),
        ]
        options: list[str | Path] = [
            "--keep",
            keep,
            "--json",
            figures,
            *(["--fill-only"] if fill_only else []),
        ]
        paths = os.pathsep.join([place, str(code)])
        subprocess.run([*command, *options], cwd=place, env=os.environ | {"PYTHONPATH": paths}, check=True)
        found: dict[str, Any] = json.loads(figures.read_text())
    revision = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=code, capture_output=True, text=True, check=True
    )
    return found | {"code": revision.stdout.strip()}


@click.command()
@click.argument("counts", type=int, nargs=-1)
@click.option("--keep", type=click.Path(path_type=Path), help="Where databases are kept, to use them again.")
@click.option(
    "--before", type=click.Path(path_type=Path, exists=True), help="A checkout of older code, with its .venv."
)
@click.option("--fill-only", is_flag=True, help="Only make the databases.")
@click.option("--json", "figures", type=click.Path(path_type=Path), help="Write figures here, and no page.")
def main(
    counts: tuple[int, ...], keep: Path | None, before: Path | None, figures: Path | None, **options: bool
) -> None:
    """Measure, and write the page."""
    counts = counts or (1_000, 10_000, 100_000)
    fill_only = options["fill_only"]
    with TemporaryDirectory(prefix="casebook-") as place:
        keep = (keep or Path(place)).resolve()
        after = _of_this(counts, keep / "now" if figures is None else keep, fill_only=fill_only)
        if figures is not None:
            figures.write_text(json.dumps(after))
            return
        older = before and _of_older(before.resolve(), counts, keep / "before", fill_only=fill_only)
    if not fill_only:
        before_file = HERE / "before.json"
        if older:
            before_file.write_text(table.compact(older))
        RESULTS.write_text(table.page(after, json.loads(before_file.read_text())), encoding="utf-8")


def _of_this(counts: Sequence[int], keep: Path, *, fill_only: bool) -> dict[str, Any]:
    runs = [measured(count, keep / str(count), fill_only=fill_only) for count in counts]
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    return {
        "day": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": machine,
        "load": os.getloadavg()[0],
        "runs": runs,
    }


if __name__ == "__main__":
    main()
