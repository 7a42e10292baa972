"""Conditions of signatures as values: one class per predicate, and groups of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from signatures.language.units import Quantity

FrameSet: TypeAlias = tuple[str, ...]
"""Alternative names; `*` is a wildcard, `@name` is already expanded to its alias set."""

Population: TypeAlias = Literal["all", "busy", "kernel_busy"]


@dataclass(frozen=True, slots=True)
class Bound:
    """Range of a number. The weight is half at `at_least` and full from `strong` on."""

    at_least: Quantity | None = None
    strong: Quantity | None = None
    below: Quantity | None = None
    at_most: Quantity | None = None
    equals: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Cap:
    """Upper limit of the confidence of a condition, with the reason.

    Attributes:
        title: Title of a finding with no other support; "" for the title of the signature.
    """

    because: str
    confidence: float = 1.0
    title: str = ""


@dataclass(frozen=True, slots=True)
class StackCondition:
    """Share or presence of stacks with frames in order.

    Attributes:
        path: Frame sets from leaf to root: `contains`, then `under`.
        leaf: The innermost frame, or () when any frame may complete the path.
        within: Maximum frames between leaf and path; 0 for any number.
        without: Frames that exclude a stack.
        of: Population of the share.
        at: Binding variable of the process, or "".
        is_seen: Tests presence, not a share.
        is_at_rest: Presence counts only in stacks not sampled by an event inside the function itself.
        is_asleep: Presence counts only in stacks of threads that were waiting (`/proc/PID/stack`, off-CPU).
        has_share_sibling: A share of the same clause decides where there are weights.
        is_distinct: Tests the number of distinct threads, not a share; with `is_seen`, over all readings.
        comm: Only threads with one of these names are in the population; () for all.
    """

    path: tuple[FrameSet, ...]
    leaf: FrameSet
    within: int
    without: FrameSet
    of: Population
    at: str
    bound: Bound
    is_seen: bool
    is_at_rest: bool
    has_share_sibling: bool
    is_distinct: bool
    min_samples: float
    comm: FrameSet = ()
    is_asleep: bool = False
    cap: Cap | None = None


@dataclass(frozen=True, slots=True)
class SymbolCondition:
    """Share of symbols in a table without stacks; `what` is `self` or `total`."""

    names: FrameSet
    what: Literal["self", "total"]
    bound: Bound
    cap: Cap | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One side of a sequence: which samples or rows belong to it, how many in a row, and for how long.

    Attributes:
        run_seconds: Minimum duration of the run where samples have times; 0 for any.
    """

    comm: FrameSet
    path: tuple[FrameSet, ...]
    run: int
    run_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SequenceCondition:
    """`first`, then `then`, in one lane (CPU) of ordered samples or of a row set.

    Attributes:
        within: Maximum distance in samples or rows, 1 for directly after; 0 when only the time counts.
        within_seconds: Maximum distance in time where samples have times; else directly after.
    """

    rows: str
    column: str
    first: Step
    then: Step
    at_least: int
    within: int = 1
    within_seconds: float = 0.0
    cap: Cap | None = None


@dataclass(frozen=True, slots=True)
class FactCondition:
    """Comparison of closed arithmetic over facts of one entity.

    Attributes:
        expression: Text of the arithmetic; a plain fact name is the simplest.
        equals: Text or boolean that the fact must equal, else None.
        minimum: Expressions with the minimum value below which the condition is undecided.
        at: Binding variable, or "" for facts of the host.
        say: Remark shown beside the value (`since the group was made`).
        where: Label to its allowed values; other facts are ignored.
        is_untimed: Applies only to readings without times; readings with times have rates.
    """

    expression: str
    bound: Bound
    equals: str | bool | None
    minimum: tuple[tuple[str, Quantity], ...]
    at: str
    say: str
    where: tuple[tuple[str, FrameSet], ...] = ()
    is_untimed: bool = False
    cap: Cap | None = None


@dataclass(frozen=True, slots=True)
class HistogramCondition:
    """One measure of a histogram chosen by name or probe.

    Attributes:
        measure: `percentile`, `max_bucket_at_least`, `share_above` or `time_share_above`.
        parameter: The percentile, or the value above which the share is taken.
    """

    names: tuple[str, ...]
    probes: tuple[str, ...]
    measure: str
    parameter: Quantity
    bound: Bound
    cap: Cap | None = None


@dataclass(frozen=True, slots=True)
class RowsCondition:
    """Arithmetic over the columns of one row set.

    Attributes:
        where: Column to the required cell: a glob, a list of globs or a bound. expression: Over
        `count()`, `sum(column)`, `max(column)`, `min(column)`, `distinct(column)`, `rate_per_minute()`.
        min_duration: Minimum time span of the rows for a rate, in seconds.
        by: Columns to group the rows by (`old_cgroup_ino`); () for no grouping.
    """

    rows: str
    where: tuple[tuple[str, FrameSet | Bound], ...]
    expression: str
    bound: Bound
    minimum: tuple[tuple[str, Quantity], ...]
    at: str
    min_duration: float
    by: tuple[str, ...] = ()
    cap: Cap | None = None


@dataclass(frozen=True, slots=True)
class LogCondition:
    """How many kernel log records of a kind, or the largest value of one of their fields.

    Attributes:
        window_seconds: Maximum age of records before the capture, where both clocks are known, and maximum
            time span of counted records.
        group: Field with the cgroup, used with `at`.
        needs_coverage: Absence counts only when the log covers the capture.
    """

    kinds: tuple[str, ...]
    fields: tuple[tuple[str, FrameSet], ...]
    measure: str
    bound: Bound
    at: str
    window_seconds: float
    needs_coverage: bool
    group: str = "cgroup"
    cap: Cap | None = None


@dataclass(frozen=True, slots=True)
class KernelCondition:
    """Test of the running kernel: version range, ecosystem, configuration symbol or boot parameter.

    Attributes:
        spec: A range such as `>=5.14,<6.18`; "" for any release.
        ecosystem: `kernel.org` or a vendor as `signatures.language.kernel_releases` names it; "" for any.
        config: A configuration symbol that must be `y` or `m`, such as `CONFIG_LRU_GEN`; "" for none.
        parameter: A word of the kernel command line such as `mitigations=off`; "" for none.
    """

    spec: str
    ecosystem: str = ""
    config: str = ""
    parameter: str = ""
    cap: Cap | None = None

    @property
    def words(self) -> str:
        """The condition for people: `>=6.5 CONFIG_WQ_CPU_INTENSIVE_REPORT`."""
        return " ".join(part for part in (self.ecosystem, self.spec, self.config, self.parameter) if part)


Condition: TypeAlias = (
    StackCondition
    | SymbolCondition
    | SequenceCondition
    | FactCondition
    | HistogramCondition
    | RowsCondition
    | LogCondition
    | KernelCondition
)


@dataclass(frozen=True, slots=True)
class Group:
    """Several tests as one: `any`, `all` or `none` of them."""

    op: Literal["any", "all", "none"]
    tests: tuple[Test, ...]


Test: TypeAlias = Condition | Group
