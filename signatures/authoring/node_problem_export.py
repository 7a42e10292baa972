"""Export a signature for node-problem-detector: a ConfigMap with a custom plugin that runs the probe.

Source: docs/custom_plugin_monitor.md and config/kernel-monitor.json of
https://github.com/kubernetes/node-problem-detector.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import yaml

from ingest.catalogue.log_classes import classes_by_name
from signatures.authoring.detection import NotExportableError
from signatures.authoring.probe_export import probe
from signatures.judging.observe import conditions_of
from signatures.judging.predicates.log import LogCondition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.language.conditions import FrameSet
    from signatures.language.model import Signature

CONFIG = "/config/casebook"
BY_FIELD: dict[tuple[str, tuple[tuple[str, FrameSet], ...]], str] = {
    # mm/oom_kill.c: __oom_kill_process() begins with the message of out_of_memory().
    ("oom_kill", (("scope", ("memcg",)),)): r"Memory cgroup out of memory[^:]*: Kill(ed)? process \d+.*",
    ("oom_kill", (("scope", ("global",)),)): r"Out of memory[^:]*: Kill(ed)? process \d+.*",
}
"""Messages of a class with a field that its pattern does not name."""
BY_VALUE = {
    ("hung_task", "comm"): r"INFO: task {}:\d+ blocked for more than \d+ seconds.*",
    ("page_allocation_failure", "order"): r"page allocation failure: order:{},.*",
    ("block_medium_error", "device"): r"critical medium error, dev {}, sector \d+.*",
    ("panic", "reason"): r"Kernel panic - not syncing: {}.*",
}
"""Messages of a class with one field, whose values stand at `{}`."""
BY_CLASS = {
    # Of a message that several classes match, the first takes it: a lockup is no oops.
    "oops": r"^(?:Oops: |Oops - |Internal error: |Bad mode in |CFI failure|Kernel mode fault|"
    r"Unexpected kernel BRK)",
    "warn": r"^WARNING: (?:CPU: \d+ PID: \d{1,10} )?at \S",
    "jbd2_abort": r"^(?:Aborting journal on device|"
    r"JBD2: Error -\d+ detected when updating journal superblock)",
    "firmware_crash": r"(?:Microcode SW error detected|"
    r"[Ff]irmware (?:has )?(?:crashed|halted|error detected|hang)|Firmware Assertion|"
    r"firmware fatal|FW (?:assert|hang|crash))",
}
"""Messages of a class whose pattern alone takes those of other classes."""
MESSAGE = 80
"""node-problem-detector cuts messages at 80 characters."""


def reason_of(signature: Signature) -> str:
    """Return the name of the problem, `CasebookMmMemcgOom`."""
    return "Casebook" + "".join(part.capitalize() for part in signature.id.replace("/", "-").split("-"))


def node_problem_detector(signature: Signature) -> str:
    """Return a ConfigMap as YAML: the probe, the monitor that runs it, and one of the kernel log.

    Raises:
        NotExportableError: It has neither a probe nor a message.
    """
    name = "casebook-" + signature.id.replace("/", "-")
    files: dict[str, str] = {}
    try:
        files[f"{name}.sh"] = probe(signature)
        files[f"{name}.json"] = _json(_plugin(signature, name))
    except NotExportableError:
        if not messages_of(signature):
            raise
    if patterns := messages_of(signature):
        files[f"{name}-log.json"] = _json(_log(signature, name, patterns))
    head = [
        f"# {signature.id} version {signature.version}, {signature.status}.",
        f"# Mount at {CONFIG} with defaultMode 0755; the probe needs root, the host's pid namespace, and",
        "# for sampled stacks perf in the image. Then start node-problem-detector with",
        *(f"#   --config.{_kind(file)}-monitor={CONFIG}/{file}" for file in files if file.endswith(".json")),
        *(f"# {line}" for line in broader_rules(signature)),
    ]
    document = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "labels": {"app.kubernetes.io/part-of": "casebook"}},
        "data": files,
    }
    return "\n".join([*head, yaml.safe_dump(document, sort_keys=False, width=1000)])


def _kind(file: str) -> str:
    return "system-log" if file.endswith("-log.json") else "custom-plugin"


def _json(document: dict[str, object]) -> str:
    return json.dumps(document, indent=2) + "\n"


def _plugin(signature: Signature, name: str) -> dict[str, object]:
    return {
        "plugin": "custom",
        "pluginConfig": {
            "invoke_interval": "2m",
            "timeout": "100s",
            "max_output_length": MESSAGE,
            "concurrency": 1,
        },
        "source": name,
        "metricsReporting": True,
        "conditions": [],
        "rules": [
            {
                "type": "temporary",
                "reason": reason_of(signature),
                "path": f"{CONFIG}/{name}.sh",
                "args": ["check"],
                "timeout": "90s",
            }
        ],
    }


def _log(signature: Signature, name: str, patterns: list[str]) -> dict[str, object]:
    return {
        "plugin": "kmsg",
        "logPath": "/dev/kmsg",
        "lookback": "5m",
        "bufferSize": 10,
        "source": f"{name}-log",
        "metricsReporting": True,
        "conditions": [],
        "rules": [
            {"type": "temporary", "reason": reason_of(signature), "pattern": pattern} for pattern in patterns
        ],
    }


def messages_of(signature: Signature) -> list[str]:
    """Return the messages of which one shows it, as regular expressions of Go (RE2)."""
    found = [pattern for condition in _conditions(signature) for pattern in _of_log(condition)]
    return list(dict.fromkeys(found))


def broader_rules(signature: Signature) -> list[str]:
    """Return what the rules of the kernel log leave out: RE2 cannot demand two patterns of one message."""
    return [
        f"Its rule for /{condition.text}/ takes a message of any class; the signature, only of"
        f" {', '.join(condition.kinds)}."
        for condition in _conditions(signature)
        if condition.text and condition.kinds and not condition.fields
    ]


def _conditions(signature: Signature) -> Iterator[LogCondition]:
    """Yield the core conditions that one message satisfies."""
    for clause in signature.clauses:
        for condition in conditions_of(clause.test) if clause.role == "core" else ():
            if not isinstance(condition, LogCondition) or condition.measure or condition.cap:
                continue
            least = condition.bound.at_least
            if least is not None and least.value <= 1:
                yield condition


def _of_log(condition: LogCondition) -> Iterator[str]:
    """Yield the patterns of a condition that one message satisfies."""
    if condition.text:
        if not condition.fields:
            yield _whole(condition.text)
        return
    for kind in condition.kinds:
        if not condition.fields:
            yield _whole(BY_CLASS.get(kind) or classes_by_name()[kind].pattern)
        elif (kind, condition.fields) in BY_FIELD:
            yield BY_FIELD[kind, condition.fields]
        elif len(condition.fields) == 1 and (kind, condition.fields[0][0]) in BY_VALUE:
            ((field, values),) = condition.fields
            yield BY_VALUE[kind, field].format(_either(values))


def _either(names: FrameSet) -> str:
    """Return the names, with `*` for anything, as one group."""
    return f"({'|'.join('.*'.join(map(re.escape, name.split('*'))) for name in names)})"


def _whole(pattern: str) -> str:
    """Return a pattern for node-problem-detector, which matches to the end of several joined lines."""
    anchored = re.sub(r"(?<![\\\[])\^", "(?m:^)", pattern)
    return f"(?:{anchored}).*" if "|" in anchored else f"{anchored}.*"
