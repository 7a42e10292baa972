"""Order of the test files in a parallel run.

Long files come first, so that no worker ends with one of them while the others are idle; then those with the
most tests. Of the long ones those that wait rather than compute are among the first, while the browser tests
and the checks have the processors busy. Tests of one file stay on one worker, where they share fixtures; so
do the tests of the signature library, which share its readings and findings.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from xdist.scheduler import LoadFileScheduling

if TYPE_CHECKING:
    from xdist.remote import Producer

LONGEST = (
    "tests/backend/reprocessing/test_reprocessing.py",
    "tests/test_linear_time.py",
    "tests/backend/access/test_schemathesis.py",
    "tests/backend/findings/test_small_file_batches.py",
    "tests/ingest/collect/test_collect.py",
    "tests/signatures/test_enforcement.py",
    "tests/ingest/collect/test_hanging.py",
    "tests/backend/test_instance.py",
    "tests/signatures/test_captures.py",
    "tests/backend/test_serve.py",
    "tests/test_ci_docs.py",
    "tests/backend/access/test_permission_matrix.py",
    "tests/backend/test_hostile_requests.py",
    "tests/test_contributing.py",
    "tests/cli/process/test_confined.py",
    "tests/test_ci_components.py",
    "tests/backend/signature_drafts/test_signature_drafts.py",
    "tests/signatures/test_fixes.py",
    "tests/backend/evidence/test_queueing.py",
    "tests/cli/commands/test_diff.py",
    "tests/test_architecture.py",
    "tests/ingest/redact/test_corpus.py",
    "tests/backend/test_growth.py",
    "tests/backend/test_whole_line.py",
    "tests/backend/uploads/test_space.py",
    "tests/backend/libraries/test_libraries.py",
    "tests/backend/test_releases.py",
    "tests/backend/hunts/test_hunts.py",
    "tests/backend/core/test_supervisor.py",
    "tests/test_docs.py",
    "tests/test_api_docs.py",
)
OF_THE_LIBRARY = {
    "tests/signatures/authoring/test_evidence_forms.py",
    "tests/signatures/judging/test_order.py",
    "tests/signatures/test_capture_decides.py",
    "tests/signatures/test_committed_evidence.py",
    "tests/signatures/test_enforcement.py",
    "tests/signatures/test_library.py",
    "tests/signatures/test_redaction.py",
}


class LongestFirst(LoadFileScheduling):
    """One unit of work per file, in the order of collection; one for the files of the library."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return "library" if file in OF_THE_LIBRARY else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LongestFirst | None:
    """Schedule `--dist loadfile`."""
    return LongestFirst(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the files of a parallel run in order; all workers find the same."""
    if not hasattr(config, "workerinput"):
        return
    files = {item.nodeid: item.nodeid.partition("::")[0] for item in items}
    tests = Counter(files.values())
    rank = {file: number for number, file in enumerate(LONGEST)}

    def place(item: pytest.Item) -> tuple[int, int, str]:
        file = files[item.nodeid]
        return rank.get(file, len(LONGEST)), -tests[file], file

    items.sort(key=place)


def import_rotated(config: pytest.Config) -> None:
    """Import all test files, each worker of a whole parallel run from another one on.

    Without bytecode on disk it takes 8 CPU seconds to rewrite their assertions: all workers would rewrite the
    same file at the same time, instead of reading what another one has written.
    """
    worker = getattr(config, "workerinput", None)
    if worker is None or config.args != config.getini("testpaths"):
        return
    files = sorted(path for path in Path("tests").rglob("test_*.py") if "data" not in path.parts)
    first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for file in files[first:] + files[:first]:
        # What a file raises is reported where it is collected.
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(file.with_suffix("").parts))
