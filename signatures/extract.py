"""What a finding tells of the evidence beside its clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from signatures.facts import ScopeFacts
    from signatures.model import Signature

_OF_VERSION = {"v1": ("memcg.failcnt", "memcg.stat.cache"), "v2": ("memcg.events.max", "memcg.stat.anon")}


def extract(
    signature: Signature, binding: Mapping[str, str], facts: ScopeFacts
) -> tuple[tuple[str, str], ...]:
    """Return what a signature wants told beside its clauses, as (name, value); several values tell none."""
    rows: list[tuple[str, str]] = []
    for name, source in signature.extract.items():
        if source.startswith("$"):
            value = binding.get(source[1:].split(".")[0], "")
        else:
            values = {
                f"{fact.value:g}" if isinstance(fact.value, float) else str(fact.value)
                for fact in facts.texts(source)
            }
            value = values.pop() if len(values) == 1 else ""
        if value:
            rows.append((name, value))
    return tuple(rows)


def cgroup_version(facts: ScopeFacts) -> str:
    """Return the cgroup version that is stated, or that only one version has the files of."""
    stated = {str(fact.value) for fact in facts.texts("cgroup.version")}
    shown = {version for version, names in _OF_VERSION.items() if any(facts.texts(name) for name in names)}
    found = stated & set(_OF_VERSION) or shown
    return found.pop() if len(found) == 1 else ""
