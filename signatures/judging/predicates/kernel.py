"""`kernel`: a test of the running kernel, by its release, configuration or command line.

Example:
    kernel: ">=5.14,<6.18"
    kernel: {config: CONFIG_LRU_GEN, parameter: mitigations=off}
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from signatures.judging.condition_bases import ScopeCondition
from signatures.judging.fact_observation import observation_of, text_result
from signatures.judging.observation import MatchResult, Observation, Reason, unknown
from signatures.language import kernel_families, kernel_ranges
from signatures.language.conditions import ConditionText, Group, Trace
from signatures.language.kernel_releases import ECOSYSTEMS
from signatures.language.keyword import Form, Keyword
from signatures.language.schema_parts import CAP, TEXT, Schema, object_of, one_of
from signatures.language.strict_mapping import Keys, cap_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from signatures.judging.fact_index import ScopeFacts
    from signatures.language.conditions import Test

_KEYS: dict[str, Schema] = {
    "release": TEXT,
    "ecosystem": one_of(*ECOSYSTEMS),
    "config": TEXT,
    "parameter": TEXT,
}
_BESIDE = {"cap": CAP}
SCHEMA: Schema = {
    "anyOf": [TEXT, object_of(_KEYS)],
    "description": "A range such as '>=5.14,<6.18', or {release, ecosystem, config, parameter}",
}


@dataclass(frozen=True, slots=True)
class KernelCondition(ScopeCondition):
    """Test of the running kernel: version range, ecosystem, configuration symbol or boot parameter.

    Attributes:
        spec: A range such as `>=5.14,<6.18`; "" for any release.
        ecosystem: `kernel.org` or a vendor as `signatures.language.kernel_families` names it; "" for any.
        config: A configuration symbol that must be `y` or `m`, such as `CONFIG_LRU_GEN`; "" for none.
        parameter: A word of the kernel command line such as `mitigations=off`; "" for none.
    """

    spec: str
    ecosystem: str = ""
    config: str = ""
    parameter: str = ""

    def observe(self, facts: ScopeFacts) -> Iterator[Observation]:
        """Yield one observation per fact about the running kernel."""
        if self.spec or self.ecosystem:
            for fact in facts.texts("kernel.release"):
                yield observation_of(_release(self, str(fact.value)), (fact,), "", "kernel.release")
        if self.config:
            name = f"kernel.config.{self.config.removeprefix('CONFIG_').lower()}"
            for fact in facts.texts(name):
                found = text_result(str(fact.value), "y", is_met=fact.value in ("y", "m"))
                yield observation_of(found, (fact,), "", name)
        if self.parameter:
            for fact in facts.texts("boot.cmdline"):
                has = self.parameter in str(fact.value).split()
                found = text_result(self.parameter if has else "not set", self.parameter, is_met=has)
                yield observation_of(found, (fact,), "", "boot.cmdline")

    @property
    def traces(self) -> tuple[Trace, ...]:
        """The release, the configuration or the command line."""
        name = (
            f"kernel.config.{self.config.removeprefix('CONFIG_').lower()}"
            if self.config
            else "boot.cmdline"
            if self.parameter
            else "kernel.release"
        )
        return (Trace("fact", name),)

    def describe(self) -> ConditionText:
        """Return the tests as one line: `>=6.5 CONFIG_WQ_CPU_INTENSIVE_REPORT`."""
        parts = (self.ecosystem, self.spec, self.config, self.parameter)
        return ConditionText("kernel", " ".join(part for part in parts if part))


def _release(condition: KernelCondition, release: str) -> MatchResult:
    kernel = kernel_families.kernel_of(release)
    has = (
        kernel_ranges.in_range(kernel, condition.spec) if kernel and condition.spec else bool(kernel) or None
    )
    if kernel is None or has is None:
        return unknown(Reason.LOW_QUALITY, f"undecidable for {release}", observed=release)
    wanted = " ".join(part for part in (condition.ecosystem, condition.spec) if part)
    return text_result(release, wanted, is_met=has and condition.ecosystem in ("", kernel.ecosystem))


def _parse(file: str, path: str, document: Mapping[str, Any]) -> Test:
    cap = cap_of(file, path, document)
    parts = tuple(replace(part, cap=cap) for part in kernels_of(file, path, document))
    return parts[0] if len(parts) == 1 else Group("all", parts)


def kernels_of(file: str, path: str, document: Mapping[str, Any]) -> tuple[KernelCondition, ...]:
    """Build `kernel: ">=5.14"`, or `{release, ecosystem, config, parameter}`, all of which must hold.

    Raises:
        SignatureError: With file, key and remedy.
    """
    keys = Keys(file, path, document, ["kernel", *_BESIDE])
    kernel = keys.value("kernel")
    if not isinstance(kernel, dict):
        kernel = {"release": kernel}
    inner = Keys(file, f"{path}.kernel", kernel, _KEYS)
    if not inner.items_:
        raise keys.error("kernel", "is empty", f"write one of {', '.join(_KEYS)}")
    release = inner.text("release")
    try:
        kernel_ranges.check_range(release)
    except ValueError as problem:
        raise inner.error("release", str(problem), "write a range such as '>=5.14,<6.18'") from problem
    ecosystem = inner.one_of("ecosystem", ("", *ECOSYSTEMS), default="")
    config, parameter = inner.text("config"), inner.text("parameter")
    parts = []
    if release or ecosystem:
        parts.append(KernelCondition(release, ecosystem=ecosystem))
    if config:
        parts.append(KernelCondition("", config=config))
    if parameter:
        parts.append(KernelCondition("", parameter=parameter))
    return tuple(parts)


KEYWORDS = {"kernel": Keyword(_parse, (Form(SCHEMA, _BESIDE),))}
