"""Small signs of trouble that kubectl prints: rows of `SIGNS`."""

from __future__ import annotations

from signatures.overview.signs.sign import CONTAINER, NODE, POD, Sign

KUBERNETES = (
    Sign(
        "kubernetes.pods",
        "cgroup-limits",
        1,
        "Pods that were ended at their memory limit (OOMKilled): {value}",
        is_alarm=True,
        matching=("status", "OOMKilled"),
    ),
    Sign(
        "kubernetes.pods",
        "scheduling",
        1,
        "Pods that end again and again (CrashLoopBackOff): {value}",
        matching=("status", "CrashLoopBackOff"),
    ),
    Sign(
        "kubernetes.pods",
        "memory",
        1,
        "Pods that were evicted from their node: {value}",
        matching=("status", "Evicted"),
    ),
    Sign(
        "kubernetes.nodes",
        "scheduling",
        1,
        "Nodes that are not ready: {value}",
        is_alarm=True,
        matching=("status", "NotReady"),
    ),
    Sign("kubernetes.node.not_ready", "scheduling", 1, "Node {of} is not ready", NODE, is_alarm=True),
    Sign("kubernetes.node.condition.diskpressure", "io", 1, "Node {of} reports DiskPressure", NODE),
    Sign("kubernetes.node.condition.pidpressure", "cgroup-limits", 1, "Node {of} reports PIDPressure", NODE),
    Sign(
        "kubernetes.pod.restarts",
        "scheduling",
        5,
        "Containers of the pod {of} were started again {value} times",
        POD,
    ),
    Sign(
        "kubernetes.container.restarts",
        "scheduling",
        5,
        "The container {of} was started again {value} times",
        CONTAINER,
    ),
    Sign(
        "kubernetes.node.cpu_share",
        "cpu",
        0.9,
        "{value} of the CPUs of node {of} that are for pods is in use",
        NODE,
        "share",
    ),
    Sign(
        "kubernetes.node.memory_share",
        "memory",
        0.9,
        "{value} of the memory of node {of} that is for pods is in use",
        NODE,
        "share",
    ),
    Sign(
        "kubernetes.node.limits_share",
        "memory",
        1.5,
        "The memory limits of the pods of node {of} are {value} of its memory",
        NODE,
        "share",
        matching=("resource", "memory"),
    ),
)
"""Documentation of kubectl; pkg/kubelet/eviction and pkg/kubelet/oom in kubernetes."""
