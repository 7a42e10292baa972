"""A chain of the kernel log in words: the record that tells most, what followed, and what lasts.

SCSI command failed on sda; sense key Aborted Command: I/O process terminated; then: XFS is shut down on dm-0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.headline_words import phrase_of
from signatures.overview.kernel_log.chain_edges import edge_of
from signatures.overview.kernel_log.layer_order import rows, split_by_lead
from signatures.overview.kernel_log.sentences import NOT_IN_THE_LOG, sentence_of
from signatures.overview.model import Link, place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.overview.kernel_log.chain import Alarm, Chain
    from signatures.overview.model import Place

FEWEST_LINKS = 2
VAGUE = frozenset({"mce", "mce_logged", "mce_uncorrected", "ata_exception"})
UNCORRECTED = frozenset({"edac_uncorrected", "mce_uncorrected", "ghes_fatal", "memory_failure"})
LASTING = frozenset(
    {
        "btrfs_readonly",
        "filesystem_readonly",
        "xfs_log_dead",
        "xfs_shutdown",
    }
)
"""What stays when the cause is over: it belongs in the headline."""

STATES = {
    "link_down": ("down at the end of this log", "up at its end"),
    "nfs_not_responding": ("no answer until the end of this log", "it answered again"),
}
"""What is so at the end of a log: it lasts, or it is over."""

MODULES = ("edac_uncorrected", "edac_corrected", "ata_link_error")
"""Records of a fault that say what is at fault less well, and better."""


def words_of(alarm: Alarm) -> str:
    """Return the class in words, with its count when it is repeated."""
    name = alarm.log_class.name.replace("_", " ")
    return name if alarm.count == 1 else f"{name} ({alarm.count})"


def telling(chain: Chain) -> Alarm:
    """Return the cause; of a machine check or an ATA exception the record that names the part, if any."""
    named = (one for one in chain.alarms if one.log_class.name in MODULES)
    return next(named, chain.lead) if chain.lead.log_class.name in VAGUE else chain.lead


def none_uncorrected(lead: Alarm, chains: Sequence[Chain]) -> str:
    """Return that no error of memory was uncorrected, where corrected ones are counted."""
    names = {alarm.log_class.name for chain in chains for alarm in chain.alarms}
    is_said = lead.log_class.name == "edac_corrected" and UNCORRECTED.isdisjoint(names)
    return "; none uncorrected in this log" if is_said else ""


def ending(chain: Chain) -> list[Alarm]:
    """Return the consequences that last: file systems that take nothing any more, until somebody acts."""
    return [one for one in chain.followers if one.log_class.name in LASTING and one is not telling(chain)]


def _lasting(chain: Chain) -> str:
    """Return `; then: …` with the last consequence that lasts; "" without one."""
    ends = [sentence_of(one.log_class, one.first.record) for one in ending(chain)[-1:]]
    return f"; then: {ends[0]}" if ends else ""


def _present_state(chain: Chain) -> str:
    """Return `; down at the end of this log`, or that it is over; "" where no record would say so."""
    alarm = telling(chain)
    lasts, over = STATES.get(alarm.log_class.name, ("", ""))
    words = "" if alarm.is_over is None else over if alarm.is_over else lasts
    return f"; {words}" if words else ""


def state_at_end(chain: Chain) -> str:
    """Return whether the cause lasts at the end of the log, and the last consequence that does."""
    return _present_state(chain) + _lasting(chain)


def extent_of(chain: Chain) -> Place:
    """Return from the first to the last line of a chain in the evidence of its cause."""
    item = chain.lead.first.item
    records = [one.record for alarm in chain.alarms for one in alarm.places if one.item is item]
    return place(item, min(one.lines.first for one in records), max(one.lines.last for one in records))


def explained(chain: Chain) -> tuple[Place, ...]:
    """Return the first lines of the alarms that the order of layers put behind the lead."""
    placed = (one for alarm in chain.explained for one in alarm.places[: rows()["most"]["explained"]])
    return tuple(place(one.item, one.record.lines.first, one.record.lines.last) for one in placed)


def links_of(chain: Chain) -> tuple[Link, ...]:
    """Return the alarms of a chain in the order of their first lines; () for one alone."""
    alarms = [one for one in chain.alarms if one.log_class.is_alarming]
    alarms.sort(key=lambda one: (one.first.item.section, one.first.record.lines.first))
    if len(alarms) < FEWEST_LINKS:
        return ()
    return tuple(
        Link(
            phrase_of(_sentence(one, is_lead=not at), one.log_class.name),
            place(one.first.item, one.first.record.lines.first, one.first.record.lines.last),
            *(("then", *edge_of(one, alarms[:at])) if at else ()),
        )
        for at, one in enumerate(alarms)
    )


def _sentence(alarm: Alarm, *, is_lead: bool) -> str:
    """Return the sentence about an alarm; what leads to a panic on a warning is in the log."""
    sentence = sentence_of(alarm.log_class, alarm.first.record)
    return sentence if is_lead else sentence.replace(NOT_IN_THE_LOG, "")


def reports_of(chain: Chain) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return per class what its first message names: `("soft_lockup", (("cpu", "3"), ("comm", "tar")))`."""
    return tuple(
        (one.log_class.name, tuple((name, _in_words(it)) for name, it in one.first.record.fields.items()))
        for one in chain.alarms
    )


def _in_words(value: object) -> str:
    return f"{value:.0f}" if isinstance(value, float) else str(value or "")


def then(chain: Chain) -> str:
    """Return `; then: …` with the classes of all consequences; "" without one."""
    return _in_time(chain, {telling(chain).log_class.name, chain.lead.log_class.name}, "then")


def further(chain: Chain) -> str:
    """Return what followed behind a sentence that has said what lasts."""
    ends = ending(chain)[-1:]
    if not ends:
        return then(chain)
    said = {one.log_class.name for one in (telling(chain), chain.lead, *ends)}
    return _in_time(chain, said, "between them")


def _in_time(chain: Chain, said: set[str], later: str) -> str:
    """Return the alarms that are not said yet: those that came before the lead apart."""
    followers = [one for one in chain.followers if one.log_class.name not in said]
    before, after = split_by_lead(chain, followers)
    parts = (("already before it", before), (later, after))
    return "".join(f"; {when}: {', '.join(map(words_of, group))}" for when, group in parts if group)
