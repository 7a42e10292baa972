"""Real cases to multiply: captures of the test data, read, indexed and judged as the service does it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import tests
from backend.cases.service import create
from backend.findings import judging
from backend.findings.case_analysis import analyse, load_inputs
from backend.library import index
from backend.profiles import indexing, queries_frames
from backend.sandbox.envelope import limits_of_job
from ingest.export.heaviest import heaviest
from ingest.model import reading_folder
from tests.backend.stored_evidence import store_evidence

if TYPE_CHECKING:
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

DATA = Path(tests.__file__).parent / "data"
MACHINE = "files/machine/"


class Seed(NamedTuple):
    """A case: how many of a hundred are like it, its title, and its files with the module that reads each."""

    share: int
    title: str
    files: tuple[tuple[str, str], ...]


SEEDS = (
    Seed(
        30,
        "latency spikes after the deploy",
        (
            ("perf-script/memcg-reclaim.default.txt", "readers.perf.perf_script"),
            (f"{MACHINE}proc/meminfo", "readers.proc.proc_meminfo"),
            (f"{MACHINE}sos_commands/kernel/uname_-a", "readers.commands.kernel_version"),
        ),
    ),
    Seed(
        25,
        "requests stall under memory pressure",
        (
            ("folded/memcg-reclaim.folded.txt", "readers.profilers.folded"),
            (f"{MACHINE}proc/vmstat", "readers.proc.proc_vmstat"),
            (f"{MACHINE}etc/os-release", "readers.commands.os_release"),
        ),
    ),
    Seed(
        15,
        "network throughput halved",
        (
            ("published/network-stalls/perf-ordered-folded.txt", "readers.profilers.folded"),
            (f"{MACHINE}proc/net/softnet_stat", "readers.proc.proc_softnet_stat"),
        ),
    ),
    Seed(
        10,
        "workers hang in reclaim",
        (("bpftrace-text/memcg-reclaim-kstack-comm.txt", "readers.bpf.bpftrace_text"),),
    ),
    Seed(8, "killed by the OOM killer", (("kernel-log/dmesg-oom.txt", "readers.logs.kernel_log"),)),
    Seed(
        6,
        "soft lockup on one host",
        (("kernel-log/soft-lockup-rcu-stall.guest.txt", "readers.logs.kernel_log"),),
    ),
    Seed(
        4,
        "CPU gone, nothing in top",
        (("published/vanishing-cpu/stack.evict_folios.txt", "readers.traces.bare_stack"),),
    ),
    Seed(
        2,
        "mincore slow for minutes",
        (("published/vanishing-cpu/stack.shrink_lruvec.txt", "readers.traces.bare_stack"),),
    ),
)


def plant(settings: Settings, sessions: sessionmaker[Session], store: Store) -> None:
    """Keep every seed as a case, and fill the library."""
    with sessions.begin() as session:
        index.fill_session(session)
    for seed in SEEDS:
        with TemporaryDirectory() as output, sessions.begin() as session:
            case = create(session, title=seed.title, actor="seed")
            for path, module in seed.files:
                reader = import_module(f"ingest.{module}")
                captured = path.removeprefix(MACHINE) if path.startswith(MACHINE) else ""
                content = (DATA / path).read_bytes()
                store_evidence(
                    session,
                    store,
                    Path(output),
                    case,
                    content,
                    reader,
                    name=path.rsplit("/", 1)[-1],
                    captured_path=captured,
                    host="seed-01",
                )
            weighed = {}
            for one in queries_frames.unindexed_of_case(session, case.id):
                profile = reading_folder.load(store.folder(one.store_key)).profiles[one.ordinal]
                weighed[one.profile_id] = heaviest(profile)
            indexing.keep(session, case.id, weighed)
            inputs = load_inputs(session, case.id)
            assert inputs is not None  # noqa: S101 - it was just made
            limits = limits_of_job(settings, "heavy")
            judging.keep(session, case.id, analyse(settings, store, inputs, limits))
