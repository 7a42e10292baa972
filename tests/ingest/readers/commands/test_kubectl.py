"""Readings from kubectl top and describe."""

from __future__ import annotations

import pytest

from ingest.model.section import Text
from ingest.parsing.kubernetes_quantity import quantity
from ingest.readers.commands import kubectl_top
from tests.ingest.samples import rows, values, whole


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("166m", 0.166),
        ("2", 2.0),
        ("1234Mi", 1234 * 1024.0**2),
        ("129M", 129e6),
        ("129e6", 129e6),
        ("3714239118n", 3.714239118),
        ("1.5Gi", 1.5 * 1024**3),
        ("Mi", None),
        ("-5", None),
        ("9" * 40, None),
    ],
)
def test_quantities_are_in_their_base_unit(printed, value):
    assert quantity(printed) == value


def test_nodes_have_shares_and_unknown_ones_have_nothing():
    reading = whole("kubectl-top/nodes.txt")
    assert values(reading, node="worker-1") == {
        "kubernetes.node.cpus": 3.715,
        "kubernetes.node.memory_bytes": 14537 * 1024.0**2,
        "kubernetes.node.cpu_share": 0.94,
        "kubernetes.node.memory_share": 0.96,
    }
    assert values(reading, node="worker-3") == {}


def test_containers_are_named_with_pod_and_namespace():
    reading = whole("kubectl-top/containers.txt")
    labels = {"namespace": "shop", "pod": "orders-6c9f7c8b5d-9w7bt", "container": "orders"}
    assert values(reading, **labels)["kubernetes.pod.cpus"] == 0.488


def test_a_pod_without_its_column_is_counted():
    reading = kubectl_top.read(Text(["NAMESPACE NAME CPU(cores) MEMORY(bytes)", "web-1 3m 14Mi"]))
    assert [skip.reason for skip in reading.skipped] == ["not as many names as columns"]


def test_a_container_has_its_restarts_limit_and_last_state():
    labels = {"pod": "orders-6c9f7c8b5d-4xk2p", "container": "orders", "namespace": "shop"}
    reading = whole("kubectl-describe/crash-loop.txt")
    assert values(reading, **labels) == {
        "kubernetes.container.state": "Waiting",
        "kubernetes.container.state_reason": "CrashLoopBackOff",
        "kubernetes.container.last_state": "Terminated",
        "kubernetes.container.last_state_reason": "OOMKilled",
        "kubernetes.container.restarts": 14.0,
        "kubernetes.container.limit.cpus": 0.5,
        "kubernetes.container.limit.memory_bytes": 256 * 1024.0**2,
        "kubernetes.container.request.cpus": 0.25,
        "kubernetes.container.request.memory_bytes": 256 * 1024.0**2,
    }
    (state,) = [row for row in rows(reading, "status_objects") if row["kind"] == "container"]
    assert (state["name"], state["word"], state["restarts"]) == ("orders", "oom_killed", 14.0)


def test_the_conditions_of_a_pod_are_none_of_a_node():
    reading = whole("kubectl-describe/crash-loop.txt")
    assert not [fact for fact in reading.facts if fact.name.startswith("kubernetes.node.")]


def test_a_node_has_conditions_and_what_its_pods_ask_for():
    reading = whole("kubectl-describe/memory-pressure.txt")
    found = values(reading, node="worker-1")
    assert found["kubernetes.node.condition.memorypressure"] == 1.0
    assert found["kubernetes.node.condition.diskpressure"] == 0.0
    assert found["kubernetes.node.not_ready"] == 0.0
    assert values(reading, node="worker-1", resource="memory") == {
        "kubernetes.node.requests_share": 3.31,
        "kubernetes.node.limits_share": 0.1,
    }
    counted = values(reading, type="Warning", reason="SystemOOM", object="worker-1")
    assert counted == {"kubernetes.events": 3.0}


def test_a_condition_that_is_unknown_is_neither_true_nor_false():
    found = values(whole("kubectl-describe/unreachable-node.txt"), node="kube-worker-1")
    assert found["kubernetes.node.not_ready"] == 1.0
    assert "kubernetes.node.condition.memorypressure" not in found


def test_shares_that_no_cluster_has_are_skipped():
    top = kubectl_top.read(Text(["NAME CPU(cores) CPU% MEMORY(bytes) MEMORY%", "n1 9m 5% 1Ei 999999%"]))
    assert not top.facts
    assert [skip.reason for skip in top.skipped] == ["not a node or a pod"]
