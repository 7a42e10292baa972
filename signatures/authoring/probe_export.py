"""Export a signature as a shell probe: it monitors, captures evidence when it fires, then runs an action.

The script is POSIX sh and awk, reads single files under their own time limits, and needs no extra tools.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from signatures.authoring.alert_export import NotExportableError, bounds, exported_clauses, places, unexported
from signatures.judging.derived_facts import resolved
from signatures.language import expression, units
from signatures.language.expression import Call, Name, Node, Number, Operation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.judging.predicates.fact import FactCondition
    from signatures.language.model import Signature

PROBE = """#!/bin/sh
# {id} version {version}, {status}: {title}
#
# Checks every $EVERY seconds. After $HOLD positive checks in a row, it captures evidence and then runs
# $ACTION, if set. It fires again only after $HOLD negative checks in a row.
#   CG=/sys/fs/cgroup/my.slice PID=1234 ACTION='systemctl restart my.service' sh probe.sh
{unexported}set -u
: "${{CG:=/sys/fs/cgroup}}" "${{PID:=}}" "${{CPU:=0}}" "${{EVERY:=10}}" "${{HOLD:=3}}" "${{LOOKS:=0}}"
: "${{ACTION:=}}" "${{OUT:=/run/casebook-probe}}"
export CG PID CPU

look() {{
{reads}}}

shows() {{
    printf '%s\\n%s\\n' "$1" "$2" | awk -v every="$EVERY" '
{awk}'
}}

capture() {{
    mkdir -p "$OUT"
    file="$OUT/$(timeout -s KILL 2 date +%s).txt"
    {{
{captures}    }} > "$file" 2>&1
    printf '%s\\n' "$file"
}}

positive=0 negative=0 fired=0 checks=0
before=$(look)
while [ "$LOOKS" -eq 0 ] || [ "$checks" -lt "$LOOKS" ]; do
    sleep "$EVERY"
    now=$(look)
    if shows "$before" "$now"; then
        positive=$((positive + 1)) negative=0
    else
        negative=$((negative + 1)) positive=0
    fi
    before=$now
    checks=$((checks + 1))
    if [ "$fired" -eq 0 ] && [ "$positive" -ge "$HOLD" ]; then
        fired=1
        printf 'casebook: {id}: %s positive checks in a row, evidence in ' "$positive"
        capture
        if [ -n "$ACTION" ]; then printf 'casebook: running %s\\n' "$ACTION"; sh -c "$ACTION"; fi
    elif [ "$fired" -eq 1 ] && [ "$negative" -ge "$HOLD" ]; then
        fired=0
        printf 'casebook: {id}: no longer detected\\n'
    fi
done
"""


def probe(signature: Signature) -> str:
    """Return a POSIX sh script that monitors, captures evidence, and runs an action.

    Raises:
        NotExportableError: No condition is over files.
    """
    found = list(exported_clauses(signature, _awk))
    if not found:
        raise NotExportableError(
            f"no condition of {signature.id} can be read from files of /proc or a cgroup"
        )
    names = sorted({name for _, text in found for name in places() if f'["{name}"]' in text})
    reads = "".join(f"    {_read(name)}\n" for name in names)
    captures = dict.fromkeys(run.run for rows in signature.next.values() for run in rows[:1])
    return PROBE.format(
        id=signature.id,
        version=signature.version,
        status=signature.status,
        title=signature.title,
        unexported="".join(
            f"# not tested here: {clause.title}\n"
            for clause in unexported(signature, [row[0] for row in found])
        ),
        reads=reads,
        awk="        { for (i = 1; i < NF; i += 2) v[NR, $i] = $(i + 1) }\n"
        "        END {\n"
        "            for (k in v) {\n                split(k, p, SUBSEP)\n"
        "                if (p[1] == 1) a[p[2]] = v[k]\n                else b[p[2]] = v[k]\n            }\n"
        + "".join(
            f"            # {clause.title}\n            if ({text}) shown = 1\n" for clause, text in found
        )
        + "            exit !shown\n        }",
        captures="".join(f"        {line}\n" for run in captures for line in run.splitlines()),
    )


def _read(name: str) -> str:
    place = places()[name]
    scale = float(place.get("scale", 1))
    test = f'$1 == "{place["key"]}" {{ v = $2 }}' if "key" in place else "{ v = $1 }"
    says = f'END {{ if (v ~ /^[0-9.]+$/) printf "{name} %.6f ", v * {scale:g} }}'
    return f"timeout -s KILL 20 awk '{test} {says}' \"{place['file']}\" 2>/dev/null"


def _awk(condition: FactCondition) -> str:
    node = resolved(condition.expression)
    unit = expression.unit_of(condition.expression)
    needed = [
        name
        for text in (condition.expression, *(least for least, _ in condition.minimum))
        for name in _names(text)
    ]
    if condition.where or any("file" not in places().get(name, {}) for name in needed):
        return ""
    guards = [f'("{name}" in a) && ("{name}" in b)' for name in dict.fromkeys(needed)]
    value, divisors = _awk_node(node)
    guards += [f"({divisor}) != 0" for divisor in divisors]
    parts = [f"{value} {sign} {units.in_unit(limit, unit):g}" for sign, limit in bounds(condition.bound)]
    parts += [f"{_awk_node(resolved(least))[0]} >= {value.value:g}" for least, value in condition.minimum]
    return " && ".join([*guards, *parts]) if value else ""


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_walk(resolved(text))))


def _walk(node: Node) -> Iterator[str]:
    if isinstance(node, Name):
        yield node.name
    elif isinstance(node, Operation):
        yield from _walk(node.left)
        yield from _walk(node.right)
    elif isinstance(node, Call):
        for argument in node.arguments:
            yield from _walk(argument)


def _awk_node(node: Node) -> tuple[str, list[str]]:
    """Return awk arithmetic over the snapshots `a` and `b`, and its divisors."""
    if isinstance(node, Number):
        return f"{node.value:g}", []
    if isinstance(node, Name):
        return f"b[{json.dumps(node.name)}]", []
    if isinstance(node, Operation):
        (left, of_left), (right, of_right) = _awk_node(node.left), _awk_node(node.right)
        if not left or not right:
            return "", []
        return f"({left} {node.op} {right})", [*of_left, *of_right, *([right] if node.op == "/" else [])]
    argument = node.arguments[0]
    if node.function in ("delta", "rate") and isinstance(argument, Name):
        name = json.dumps(argument.name)
        change = f"(b[{name}] - a[{name}])"
        return (change, []) if node.function == "delta" else (f"({change} / every)", ["every"])
    return "", []
