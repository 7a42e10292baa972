"""A cgroup that thrashes on this machine is collected, read and diagnosed."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cli import main
from tests.ingest.collect.conftest import IS_ROOT, module, run
from tests.ingest.collect.page_cache_thrash import V1, V2

LIMIT_BYTES = 48 << 20
IS_LIMITED = V1.is_dir() or "memory" in (V2 / "cgroup.subtree_control").read_text().split()


@pytest.mark.skipif(not IS_ROOT, reason="needs root to make a cgroup")
@pytest.mark.skipif(not IS_LIMITED, reason="needs the memory controller")
def test_reclaim_at_the_limit_is_found_from_what_the_collector_takes(tmp_path):
    with module("page_cache_thrash", str(LIMIT_BYTES), str(tmp_path)) as thrashing:
        done = run(tmp_path / "thrash.txt", "--pid", str(thrashing.pid))
    group = f"/casebook-thrash-{thrashing.pid}"
    assert {fact.value for fact in done.facts("memcg.limit_bytes") if fact.labels.get("cgroup") == group} == {
        float(LIMIT_BYTES)
    }
    result = CliRunner().invoke(main, ["analyze", str(done.text), "--format", "json", "--all"])
    findings = {one.get("signature", ""): one for one in json.loads(result.stdout)["findings"]}
    found = findings["mm/memcg-limit-reclaim"]
    assert found["verdict"] in {"match", "suspect"}
    matched = {clause["id"] for clause in found["clauses"] if clause["state"] == "TRUE"}
    assert {"at_limit", "hits_limit"} <= matched
    assert found["confidence"] > 0
