"""`make fault`: rounds of kill -9 and of a full disk, by a seed, into benchmarks/FAULT.md.

    python -m benchmarks.fault --rounds 25 --seed 7      # again with the same seed: goes on where it stopped

A component's rounds take turns with the others', so a run that is stopped early has tried all of them. The
page tells the rounds of every seed that is kept below var/fault; remove that to begin anew.
"""

from __future__ import annotations

import os
import platform
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.fault import disk, rounds
from benchmarks.fault.parts import COMPONENTS, SETTLE_SECONDS, Log, Outcome, table
from benchmarks.fault.parts import rounds as rounds_of
from cli.service.instance import Instance, throw_away

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HERE = Path(__file__).parents[1]
STATE = Path("var/fault")
PAGE = """\
# Faults

Written by `make fault`, seeds {seeds}. Each round opens a case, pastes a line, sends a perf script of
{size_mb:.1f} MB in pieces by tus, and kills with SIGKILL, or fills the disk, at a random point: of the
upload, of reading, or of judging. *Lost* counts acknowledged offsets that went back, acknowledged evidence
that is not there with its SHA-256, and samples that were not read; *duplicated* counts evidence and
profiles that are there twice, *orphans* processes that outlived what started them. *Settled* is the time
from the harm until all is read and judged; a full disk stays full for {full_seconds:.0f} s of it. `worker` is
all workers with their children, `template` the process that they, the API and the reaper are forks of.

{machine}, shared with other work: load {load:.0f} over the last 15 minutes.

{table}

## Rounds that went wrong

{bad}
"""


@click.command()
@click.option("--rounds", "count", default=25, show_default=True, help="Rounds per component.")
@click.option("--seed", type=int, default=lambda: int.from_bytes(os.urandom(3)), help="Of all chance.")
@click.option("--only", type=click.Choice(COMPONENTS), multiple=True, help="Components; default: all.")
def main(count: int, seed: int, only: tuple[str, ...]) -> None:
    """Run the rounds that are missing and write the table."""
    log = Log(STATE / f"{seed}.jsonl")
    click.echo(f"seed {seed}; {len(log.outcomes)} rounds done before")
    killed = [component for component in only or COMPONENTS if component != "disk"]
    if killed:
        _rounds(log, killed, count, seed, Path(tempfile.gettempdir()))
    if not only or "disk" in only:
        with disk.small_disk((STATE / "disk").absolute()) as folder:
            # Otherwise nothing is taken by a disk this small.
            os.environ["CASEBOOK_MIN_FREE_BYTES"] = "0"
            _rounds(log, ["disk"], count, seed, folder)
    logs = {path.stem: Log(path).outcomes for path in sorted(STATE.glob("*.jsonl"))}
    (HERE / "FAULT.md").write_text(_page(logs), encoding="utf-8")
    raise SystemExit(any(_is_bad(one) for one in log.outcomes))


def _rounds(log: Log, components: Sequence[str], count: int, seed: int, folder: Path) -> None:
    missing = [one for one in rounds_of(components, count) if not log.has(one)]
    if not missing:
        return
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        with throw_away(say=click.echo) as instance:
            token = instance.create_token("fault")
            for one in missing:
                outcome = rounds.run(instance, token, one, seed, _strike(instance, one.component, folder))
                log.add(outcome)
                click.echo(_line(outcome))
    finally:
        tempfile.tempdir = before


def _strike(instance: Instance, component: str, folder: Path) -> rounds.Strike:
    if component == "disk":
        return lambda: disk.fill(folder)
    return lambda: rounds.kill(instance, component)


def _is_bad(one: Outcome) -> bool:
    late = one.settled_seconds is None or one.settled_seconds > SETTLE_SECONDS
    return bool(one.lost or one.duplicated or one.orphans or late)


def _line(one: Outcome) -> str:
    times = "never settled" if one.settled_seconds is None else f"settled in {one.settled_seconds:.1f} s"
    words = (
        f"{one.component} {one.number} ({one.moment}): lost {one.lost}, duplicated {one.duplicated}, "
        f"orphans {one.orphans}, {times}"
    )
    return f"{words}; {one.said}" if one.said else words


def _page(logs: Mapping[str, Sequence[Outcome]]) -> str:
    """Return the page: the table, and every failed round."""
    outcomes = [one for of_seed in logs.values() for one in of_seed]
    bad = [
        f"- seed {seed}: {_line(one)}" for seed, of_seed in logs.items() for one in of_seed if _is_bad(one)
    ]
    return PAGE.format(
        seeds=", ".join(logs),
        size_mb=len(rounds.evidence_of("x")) / 1e6,
        full_seconds=disk.FULL_SECONDS,
        machine=f"{platform.system()} {platform.release()}, {os.cpu_count()} CPUs",
        load=os.getloadavg()[2],
        table=table(outcomes),
        bad="\n".join(bad) or "None.",
    )


if __name__ == "__main__":
    main()
