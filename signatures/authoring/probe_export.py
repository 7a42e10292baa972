"""Export a signature as a shell probe: it monitors, captures evidence when it fires, then runs an action.

The script is POSIX sh and awk, and reads single files under their own time limits, of cgroup v1 or v2.
Conditions over stacks sample with perf for ten seconds. `sh probe.sh check` tests once, with the exit status
of a custom plugin of node-problem-detector.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from signatures.authoring.detection import Detection, Language, NotExportableError, bounds, detection_of
from signatures.authoring.probe_stacks import program
from signatures.judging.derived_facts import resolved
from signatures.judging.observe import conditions_of
from signatures.judging.predicates.fact import FactCondition
from signatures.judging.predicates.stack import StackCondition
from signatures.judging.predicates.waits import WaitsCondition
from signatures.language import expression, units
from signatures.language.expression import Call, Name, Node, Number, Operation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.language.conditions import Condition
    from signatures.language.model import Signature

QUOTE = "'"
SCRIPT = Path(__file__).parent / "probe.sh"
RECORD = (
    "timeout -s KILL 60 perf record -q -N --synth=task --max-size=64M -e cpu-clock -a -g -F 99 "
    '-o "$OUT/stacks" -- sleep "$SAMPLE" > /dev/null 2>&1'
)
SCRIPTED = 'timeout -s KILL 120 perf script --no-inline -i "$OUT/stacks" 2> /dev/null'
WAITING = (
    "timeout -s KILL 20 find /proc/[0-9]*/task -mindepth 2 -maxdepth 2 "
    "'(' -name stat -exec grep -lsE '^[0-9]+ \\(.*\\) D ' {} + ')' -o "
    "'(' -name wchan -exec grep -lsE '^(request_wait_answer|fuse_|rpc_|nfs)' {} + ')' 2> /dev/null | "
    "sed 's|/[a-z]*$||' | sort -u | head -n 200 | while read -r thread; do "
    'timeout -s KILL 2 cat "$thread/stack" 2> /dev/null; echo; done'
)
"""Stacks of threads that sleep uninterruptibly, or wait for the reply of a server."""


@lru_cache(maxsize=1)
def places() -> dict[str, dict[str, Any]]:
    """Return the metric, files and labels of each fact outside Casebook."""
    path = Path(__file__).parent / "metrics.yaml"
    places: dict[str, dict[str, Any]] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return places


class _Awk:
    """Conditions as awk; the names of those that need sampled stacks, or stacks of waiting threads."""

    def __init__(self, signature: Signature) -> None:
        self._signature = signature
        self.sampled: list[tuple[str, StackCondition]] = []
        self.asleep: list[tuple[str, StackCondition]] = []

    def condition(self, condition: Condition) -> str:
        if isinstance(condition, FactCondition):
            return _fact(condition)
        if isinstance(condition, WaitsCondition):
            return self._waits(condition)
        if not isinstance(condition, StackCondition):
            return ""
        if condition.is_asleep:
            return self._stack(condition, "waiting", self.asleep)
        return self._stack(condition, "stacks", self.sampled) if condition.is_share else ""

    def _waits(self, condition: WaitsCondition) -> str:
        """Return: a thread waits in the function that the signature names, and so many are blocked."""
        named = (
            one
            for clause in self._signature.clauses
            if clause.role == "corroborates"
            for one in conditions_of(clause.test)
            if isinstance(one, StackCondition) and one.is_asleep
        )
        waits = next(named, None)
        if waits is None:
            return ""
        tests = [f'b["blocked"] {sign} {limit.value:g}' for sign, limit in bounds(condition.bound)]
        enough = f'(("blocked" in b) ? ({" && ".join(tests)}) : -1)'
        return _folded("both", [self._stack(waits, "waiting", self.asleep), enough])

    def _stack(self, condition: StackCondition, kind: str, known: list[tuple[str, StackCondition]]) -> str:
        name = next((name for name, one in known if one == condition), f"{kind}.{len(known) + 1}")
        if (name, condition) not in known:
            known.append((name, condition))
        value = f'b["{name}"]'
        test = " && ".join(f"{value} {sign} {limit.value:g}" for sign, limit in bounds(condition.bound))
        return f'(("{name}" in b) ? ({test or f"{value} >= 1"}) : -1)'


def _folded(function: str, texts: Sequence[str]) -> str:
    found = texts[0]
    for text in texts[1:]:
        found = f"{function}({found}, {text})"
    return found


def detection_in_awk(signature: Signature) -> tuple[Detection, _Awk]:
    """Return what can be probed of a signature, as awk, and the stacks that it needs."""
    awk = _Awk(signature)
    language = Language(
        awk.condition, lambda texts: _folded("any", texts), lambda texts: _folded("both", texts)
    )
    return detection_of(signature, language), awk


def is_probed(signature: Signature) -> bool:
    """Return whether a signature has a probe."""
    return bool(detection_in_awk(signature)[0].shown)


def probe(signature: Signature) -> str:
    """Return a POSIX sh script that monitors, captures evidence, and runs an action.

    Raises:
        NotExportableError: No condition is over files or stacks.
    """
    found, awk = detection_in_awk(signature)
    if not found.shown:
        raise NotExportableError(
            f"no condition of {signature.id} can be read from files of /proc or a cgroup, or from stacks"
        )
    tests = "\n".join(_lines(found))
    names = [name for name in places() if f'["{name}"]' in tests]
    captures = dict.fromkeys(run.run for rows in signature.next.values() for run in rows[:1])
    return (
        SCRIPT.read_text(encoding="utf-8")
        .replace("@id@", signature.id)
        .replace("@version@", f"{signature.version}")
        .replace("@status@", signature.status)
        .replace("@title@", signature.title)
        .replace("@every@", "60" if awk.sampled else "10")
        .replace("@unexported@", "".join(f"# not tested here: {one.title}\n" for one in found.left_out))
        .replace("@reads@", "\n".join(f"    {line}" for name in names for line in _reads(name)))
        .replace("@stacks@", "\n".join(_stacks(awk)))
        .replace("@tests@", tests)
        .replace("@captures@", "\n".join(f"        {line}" for run in captures for line in run.splitlines()))
    )


def _lines(found: Detection) -> Iterator[str]:
    """Yield the awk code that sets `state` to 1, 0 or -1 (not known)."""
    for number, one in enumerate((*found.shown, *found.vetoes), start=1):
        yield f"            # {one.clause.title.replace(QUOTE, '')}"  # inside the quotes of the awk program
        yield f"            c[{number}] = {one.text}"
        if one.refuted:
            yield f"            if ({one.refuted} == 1) c[{number}] = 0"
    ends = len(found.joint), len(found.shown), len(found.shown) + len(found.vetoes)
    joint, either, vetoes = (
        [f"c[{number}]" for number in range(start + 1, end + 1)]
        for start, end in zip((0, *ends), ends, strict=False)
    )
    parts = [*joint, *([_folded("any", either)] if either else [])]
    yield f"            state = {_folded('needed', parts)}"
    for veto in vetoes:
        yield f"            if ({veto} == 1) state = 0"


def _reads(name: str) -> Iterator[str]:
    """Yield the shell code that prints `name value `."""
    place = places()[name]
    if "run" in place:
        yield f"printf '{name} %s ' \"$({place['run']})\""
        return
    for file in place["files"]:
        key, field = file.get("key"), file.get("field", 2 if "key" in file else 1)
        test = f'$1 == "{key}" {{ v = ${field} }}' if key else f"{{ v = ${field} }}"
        says = f'END {{ if (v ~ /^[0-9.]+$/) printf "{name} %.6f ", v * {float(file.get("scale", 1)):g} }}'
        yield f"timeout -s KILL 20 awk '{test} {says}' \"{file['file']}\" 2>/dev/null"


def _stacks(awk: _Awk) -> Iterator[str]:
    if awk.sampled:
        yield f"    {RECORD}"
        yield f"    {SCRIPTED} | awk '\n{program(awk.sampled)}'"
        yield '    rm -f "$OUT/stacks"'
    if awk.asleep:
        yield f"    {WAITING} | awk '\n{program(awk.asleep)}'"
    if not awk.sampled and not awk.asleep:
        yield "    :"


@lru_cache(maxsize=512)
def _fact(condition: FactCondition) -> str:
    # Continuous monitoring always has times, and more than one reading.
    if condition.is_untimed or condition.is_single or condition.where or condition.equals is not None:
        return ""
    nodes = [resolved(condition.expression), *(resolved(least) for least, _ in condition.minimum)]
    names = dict.fromkeys(pair for node in nodes for pair in _names(node))
    if any(not {"files", "run"} & places().get(name, {}).keys() for name, _ in names):
        return ""
    unit = expression.unit_of(condition.expression)
    value, divisors = _arithmetic(nodes[0])
    if not value:
        return ""
    known = [f'("{name}" in b)' for name, _ in names]
    known += [f'("{name}" in a)' for name, is_change in names if is_change]
    known += [f"({divisor}) != 0" for divisor in divisors]
    known += [
        f"{_arithmetic(node)[0]} >= {least.value:g}"
        for node, (_, least) in zip(nodes[1:], condition.minimum, strict=True)
    ]
    tests = [f"{value} {sign} {units.in_unit(limit, unit):g}" for sign, limit in bounds(condition.bound)]
    return f"({' && '.join(dict.fromkeys(known))} ? ({' && '.join(tests)}) : -1)"


def _names(node: Node, *, is_change: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield each name, and whether its change is needed."""
    if isinstance(node, Name):
        yield node.name, is_change
    elif isinstance(node, Operation):
        yield from _names(node.left, is_change=is_change)
        yield from _names(node.right, is_change=is_change)
    elif isinstance(node, Call):
        for argument in node.arguments:
            yield from _names(argument, is_change=True)


def _arithmetic(node: Node) -> tuple[str, list[str]]:
    """Return awk arithmetic over the snapshots `a` and `b`, and its divisors."""
    if isinstance(node, Number):
        return f"{node.value:g}", []
    if isinstance(node, Name):
        return f"b[{json.dumps(node.name)}]", []
    if isinstance(node, Operation):
        (left, of_left), (right, of_right) = _arithmetic(node.left), _arithmetic(node.right)
        if not left or not right:
            return "", []
        return f"({left} {node.op} {right})", [*of_left, *of_right, *([right] if node.op == "/" else [])]
    argument = node.arguments[0]
    if node.function in ("delta", "rate") and isinstance(argument, Name):
        name = json.dumps(argument.name)
        change = f"(b[{name}] - a[{name}])"
        return (change, []) if node.function == "delta" else (f"({change} / every)", ["every"])
    return "", []
