"""What disks say about themselves: the health log of NVMe, and SMART of ATA and SCSI disks.

sdc (Hitachi HDS721050DLE630) fails by its own assessment (SMART): Reallocated_Sector_Ct is at its threshold
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview.model import Figure, kind_of

if TYPE_CHECKING:
    from signatures.overview.first_steps import Topic
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence
    from signatures.overview.storage.health_collector import HealthCollector

WARNINGS = (
    "the spare is below its threshold",
    "the temperature is outside its thresholds",
    "reliability is degraded",
    "the media is read-only",
    "the backup of volatile memory failed",
    "persistent memory is read-only",
)
"""Bits of `critical_warning`: NVM Express base specification, SMART / Health Information."""

UNREADABLE = ("Current_Pending_Sector", "Offline_Uncorrectable", "Total_Pending_Sectors")
REPORTED = ("Reported_Uncorrect", "Uncorrectable_Error_Cnt", "Reported_Uncorrectable_Errors")
REALLOCATED = ("Reallocated_Sector_Ct", "Reallocated_Sector_Count")
TRANSFER = ("UDMA_CRC_Error_Count", "CRC_Error_Count")
"""Attributes by their name in smartmontools' database of drives."""

NVME_CAPTURE = "nvme smart-log -H; nvme error-log"
SMART_CAPTURE = "smartctl -x; dmesg"


def media_health(evidence: ScopeEvidence, found: HealthCollector) -> None:
    """Add warnings, errors and wear of media, those of NVMe controllers first."""
    _nvme(evidence, found)
    _assessments(evidence, found)
    _attributes(evidence, found)
    _counters(evidence, found)
    _namespaces(evidence, found)


def _nvme(evidence: ScopeEvidence, found: HealthCollector) -> None:
    """Add what NVMe controllers say about themselves."""
    for warning in evidence.facts("nvme.critical_warning"):
        bits = [words for at, words in enumerate(WARNINGS) if int(warning.number) >> at & 1]
        name = _name(warning, "The NVMe controller")
        words = ", ".join(bits) or f"bits {int(warning.number):#x}"
        text = f"{name} warns: {words}" if warning.number else ""
        figure = Figure(f"{name}: critical warning", warning.number, "count", (warning.place,), bool(text))
        found.add(figure, text, capture=NVME_CAPTURE)
    for errors in evidence.facts("nvme.media_errors"):
        name = _name(errors, "the NVMe controller")
        text = (
            f"{errors.number:,.0f} errors of data integrity on {name} (media_errors)" if errors.number else ""
        )
        figure = Figure(f"{name}: media errors", errors.number, "count", (errors.place,), bool(text))
        found.add(figure, text, capture="nvme error-log")
    for fact, other in (("nvme", "the NVMe controller"), ("smart", "the disk")):
        for worn in evidence.facts(f"{fact}.percentage_used_share"):
            name, is_worn = _name(worn, other), worn.number >= 1
            used = quantity_words(worn.number, "share")
            text = f"{name} has used {used} of the endurance that its vendor states" if is_worn else ""
            figure = Figure(f"{name}: endurance used", worn.number, "share", (worn.place,), is_worn)
            found.add(figure, text, topic="worn disk")
    thresholds = {_key(one): one for one in evidence.facts("nvme.available_spare_threshold_share")}
    for spare in evidence.facts("nvme.available_spare_share"):
        limit = thresholds.get(_key(spare))
        if limit is None:
            continue
        name, is_low = _name(spare, "the NVMe controller"), spare.number < limit.number
        words = f"{quantity_words(spare.number, 'share')} spare left on {name}"
        text = f"{words}, below its threshold of {quantity_words(limit.number, 'share')}" if is_low else ""
        figure = Figure(f"{name}: spare", spare.number, "share", (spare.place,), is_low)
        found.add(figure, text, topic="worn disk")


def _assessments(evidence: ScopeEvidence, found: HealthCollector) -> None:
    """Add disks' own assessments, with the attributes that are at their thresholds now or were before."""
    failed: dict[tuple[int, str], list[FactEntry]] = {}
    for one in evidence.facts("smart.attribute_failed"):
        failed.setdefault((id(one.item), _name(one, "")), []).append(one)
    for passed in evidence.facts("smart.passed"):
        name, has_failed = _name(passed, "The disk"), passed.fact.value is False
        causes = failed.pop((id(passed.item), _name(passed, "")), [])
        now = [one.label("attribute") for one in causes if one.fact.value == "now"]
        why = f": {', '.join(now[:3])} at its threshold" if now else ""
        text = f"{name} fails by its own assessment (SMART){why}" if has_failed else ""
        places = (passed.place, *(one.place for one in causes[:2]))
        words = "failed" if has_failed else "passed"
        figure = Figure(f"{name}: own assessment", words, "", places, has_failed)
        found.add(figure, text, capture=SMART_CAPTURE)
        if not has_failed and causes:
            _failed_attributes(found, causes)
    for causes in failed.values():
        _failed_attributes(found, causes)


def _failed_attributes(found: HealthCollector, causes: list[FactEntry]) -> None:
    """Add attributes that are or were at their thresholds, where no assessment says so."""
    for one in causes:
        name, is_now = _name(one, "the disk"), one.fact.value == "now"
        attribute = one.label("attribute")
        text = f"{attribute} of {name} {'is' if is_now else 'was'} at its threshold (SMART)"
        figure = Figure(f"{name}: {attribute}", str(one.fact.value), "", (one.place,), is_now)
        kind = kind_of(is_alarm=is_now)
        topic: Topic = "failing disk" if is_now else "worn disk"
        found.add(figure, text, capture=SMART_CAPTURE, kind=kind, topic=topic)


def _attributes(evidence: ScopeEvidence, found: HealthCollector) -> None:
    """Add sectors that cannot be read or were replaced, reported errors and those of the cable."""
    for one in evidence.facts("smart.attribute"):
        attribute, count = one.label("attribute"), f"{one.number:,.0f}"
        if not one.number:
            continue
        name = _name(one, "The disk")
        figure = Figure(f"{name}: {attribute}", one.number, "count", (one.place,), attribute in UNREADABLE)
        if attribute in UNREADABLE:
            text = f"{name} has {count} sectors that it cannot read ({attribute})"
            found.add(figure, text, capture=SMART_CAPTURE)
        elif attribute in REPORTED:
            text = f"{name} has reported {count} errors that it could not correct ({attribute})"
            found.add(figure, text, capture=SMART_CAPTURE)
        elif attribute in REALLOCATED:
            text = f"{name} has replaced {count} sectors ({attribute})"
            found.add(figure, text, capture=SMART_CAPTURE, kind="fact", topic="worn disk")
        elif attribute in TRANSFER:
            text = f"{count} transfers to {name} had errors, as of a cable ({attribute})"
            found.add(figure, text, capture=SMART_CAPTURE, kind="fact", topic="storage link")


def _counters(evidence: ScopeEvidence, found: HealthCollector) -> None:
    """Add errors that SCSI disks could not correct, their grown defects, and failed self-tests."""
    for one in evidence.facts("smart.uncorrected_errors"):
        name, operation = _name(one, "The disk"), one.label("operation")
        text = f"{name} could not correct {one.number:,.0f} errors of {operation}" if one.number else ""
        figure = Figure(f"{name}: uncorrected, {operation}", one.number, "count", (one.place,), bool(text))
        found.add(figure, text, capture=SMART_CAPTURE)
    for one in evidence.facts("smart.grown_defects"):
        name = _name(one, "The disk")
        text = f"{name} has {one.number:,.0f} grown defects" if one.number else ""
        figure = Figure(f"{name}: grown defects", one.number, "count", (one.place,))
        found.add(figure, text, capture=SMART_CAPTURE, kind="fact", topic="worn disk")
    for one in evidence.facts("smart.self_test_failures"):
        if one.number:
            name = _name(one, "the disk")
            text = f"{one.number:,.0f} self-tests of {name} found it broken (SMART)"
            figure = Figure(f"{name}: failed self-tests", one.number, "count", (one.place,), is_notable=True)
            found.add(figure, text, capture=SMART_CAPTURE)


def _namespaces(evidence: ScopeEvidence, found: HealthCollector) -> None:
    """Add the size of namespaces, with the firmware of their controllers."""
    firmware = {_key(one): str(one.fact.value) for one in evidence.facts("nvme.firmware")}
    for size in evidence.facts("nvme.namespace.size_bytes"):
        note = f"firmware {firmware[_key(size)]}" if _key(size) in firmware else ""
        label = f"{_name(size, 'a namespace')}: size"
        found.add(Figure(label, size.number, "bytes", (size.place,), note=note))


def _name(entry: FactEntry, other: str) -> str:
    """Return device and model: `sdc (Hitachi HDS721050DLE630)`; `other` when neither is known."""
    device, model = entry.label("device"), entry.label("model")
    return (f"{device} ({model})" if model else device) if device else model or other


def _key(entry: FactEntry) -> tuple[int, frozenset[tuple[str, str]], int]:
    return (id(entry.item), frozenset(entry.fact.labels.items()), entry.fact.snapshot)
