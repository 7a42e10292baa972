from __future__ import annotations

import json

from signatures.documents.codec import from_document, to_document
from signatures.documents.finding import FindingDocument
from signatures.judging.judge import judge
from signatures.judging.observe import conditions_of
from signatures.reporting import report, signature_list
from signatures.reporting.next_captures import next_captures
from signatures.reporting.signature_document import signature_document
from tests.signatures.build import fact, item, profile

RECLAIM = "u_main;handle_mm_fault;charge_memcg;try_to_free_mem_cgroup_pages;shrink_node;shrink_lruvec"


def thrash():
    return [
        item("perf.txt", profiles=[profile([(RECLAIM, 900, "app", 7), ("a;b", 100, "app", 7)])]),
        item("memory.stat", facts=[fact("memcg.stat.pgscan", 1e6, 37), fact("memcg.stat.pgsteal", 5e5, 38)]),
    ]


def test_a_finding_is_json_with_citations(catalog):
    (finding,) = [f for f in judge(thrash(), catalog) if f.verdict == "match"]
    written = json.loads(json.dumps(to_document(report.finding_document(finding)), allow_nan=False))
    document = from_document(FindingDocument, written)
    assert document.signature == "mm/memcg-limit-reclaim"
    clauses = {clause.id: clause for clause in document.conditions}
    assert clauses["progress"].observed == 0.5
    assert {(c.evidence, c.first_line) for c in clauses["progress"].citations} == {
        ("memory.stat", 37),
        ("memory.stat", 38),
    }
    assert clauses["memcg_reclaim"].citations[0].nodes
    assert document.affected.verdict == "version_independent"
    assert {row.condition for row in document.next} >= {"at_limit"}


def test_next_captures_name_the_clauses_they_settle(catalog):
    wanted = report.next_documents(next_captures(judge(thrash()[:1], catalog)))
    assert wanted[0].settles
    assert all(row.run and row.cost for row in wanted)


def test_an_unsafe_capture_is_not_suggested(catalog):
    from tests.signatures.build import rows

    stuck = item(
        "t", row_sets=[rows("time_command", "command real_s sys_s", ("cat memory.stat", 0.15, 0.15))]
    )
    found = judge([stuck, *thrash()[:1]], catalog)
    assert {f.signature.id for f in found if f.verdict == "suspect"} >= {"mm/memcg-stat-show-stall"}
    assert "cgroup_statistics" not in [wanted.capture.name for wanted in next_captures(found)]


def test_a_signature_is_json(catalog):
    for signature in catalog.signatures:
        document = json.loads(json.dumps(signature_document(signature)))
        assert document["story"]
        assert document["clauses"]
        assert all(one.get("url") for one in document["references"] if one["kind"] in {"commit", "cve"})


def test_compiled_documents_are_those_of_the_library(catalog, tmp_path, monkeypatch):
    signature_list.write(tmp_path)
    monkeypatch.setattr(signature_list, "PACKAGE", tmp_path)
    documents = [signature_document(signature) for signature in catalog.signatures]
    assert signature_list.signature_documents() == json.loads(json.dumps(documents))


def test_every_condition_of_the_library_is_described(catalog):
    for signature in catalog.signatures:
        for clause in signature_document(signature)["clauses"]:
            assert clause["asks"], (signature.id, clause["id"])
            for description in clause["asks"]:
                text = description["text"]
                assert text.strip(": ,") == text, (signature.id, text)
                assert len(text) > 3


def test_a_description_has_kind_names_bound_and_population(catalog):
    clause = catalog.get("mm/mglru-evict-folios-lru-lock").clause("evicting")
    (weighed, present, *_) = [condition.describe() for condition in conditions_of(clause.test)]
    path = "evict_folios under try_to_free_mem_cgroup_pages"
    asked = "without memory_reclaim or user_proactive_reclaim or mem_cgroup_force_empty and 6 similar"
    assert weighed == ("stacks", f"{path}, {asked}, at least 50 % of busy kernel samples")
    assert present == ("stacks", f"{path}, {asked}, in several stacks without weight")
