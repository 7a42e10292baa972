"""A draft from one stack is valid and matches its own profile."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import yaml

from ingest.native import parse_perf_script
from signatures.authoring.draft_stack import draft_of_stack
from signatures.document.catalog import load_catalog
from signatures.judging.judge import judge
from tests.signatures.build import item, profile

CAPTURE = Path("tests/data/perf-script/healthy-database.fields_full.txt.gz")
RECLAIM = "u_main;asm_exc_page_fault;try_to_free_mem_cgroup_pages;shrink_node;shrink_lruvec"


def node_of(of, name):
    return next(node for node, frame in enumerate(of.node_frame) if of.frames[frame].name == name)


def verdict_of(text, name, of, folder):
    place = folder / name
    place.mkdir(parents=True)
    (place / "signature.yaml").write_text(text)
    (place / "story.md").write_text("# Draft\n")
    catalog = load_catalog(folder)
    assert catalog.problems == ()
    (finding,) = judge([item("e", profiles=[of])], catalog)
    return finding.verdict


def test_a_draft_has_function_caller_and_share(tmp_path):
    of = profile([(RECLAIM, 600), ("u_main;do_syscall_64;vfs_read", 400)])
    name, text = draft_of_stack(of, node_of(of, "shrink_lruvec"), "perf.script")
    clause = yaml.safe_load(text)["clauses"]["hot"]
    assert name == "local/shrink-lruvec"
    assert clause["stack"] == {"contains": ["shrink_lruvec"], "under": ["shrink_node"], "of": "kernel_busy"}
    assert clause["share"] == {"at_least": 0.3, "strong": 0.6}
    assert verdict_of(text, name, of, tmp_path) == "match"


def test_entry_code_is_not_used_as_caller():
    of = profile([("u_main;do_syscall_64;vfs_read", 400)])
    _, text = draft_of_stack(of, node_of(of, "vfs_read"), "perf.script")
    assert yaml.safe_load(text)["clauses"]["hot"]["stack"]["under"] == ["u_main"]


def test_a_user_space_function_is_a_share_of_busy_samples(tmp_path):
    of = max(parse_perf_script([gzip.decompress(CAPTURE.read_bytes())]).profiles, key=lambda one: one.samples)
    name, text = draft_of_stack(of, node_of(of, "standard_planner"), "healthy.script")
    assert yaml.safe_load(text)["clauses"]["hot"]["stack"]["of"] == "busy"
    assert verdict_of(text, name, of, tmp_path) == "match"


@pytest.mark.parametrize(
    ("rows", "options", "name", "reason"),
    [
        ([("a;b", 995), ("a;c", 5)], {}, "c", "at least 1% needed"),
        ([("a;b", 100)], {"has_weights": False}, "b", "shares of CPU time"),
        ([("a;b", 100)], {"what": "offcpu"}, "b", "shares of CPU time"),
        ([("a;[unknown]", 100)], {}, "[unknown]", "cannot be used as a name"),
        ([("a;operator*", 100)], {}, "operator*", "cannot be used as a name"),
    ],
)
def test_an_unusable_function_is_rejected_with_a_reason(rows, options, name, reason):
    of = profile(rows, **options)
    with pytest.raises(ValueError, match=reason):
        draft_of_stack(of, node_of(of, name), "x")


def test_an_evidence_name_cannot_inject_yaml():
    of = profile([("a;b", 100)])
    _, text = draft_of_stack(of, node_of(of, "b"), "x\nid: evil\r# y")
    assert yaml.safe_load(text)["id"] == "local/b"
