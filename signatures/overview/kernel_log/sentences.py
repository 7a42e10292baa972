"""Sentences about an alarm of the kernel log: what happened, to which device, where, and who is to blame.

cause_of(alarm)  ->  "Block I/O error on sdk"
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.catalogue.log_classes.taint import meanings
from signatures.overview.kernel_log import devices
from signatures.overview.kernel_log.allocation import refused
from signatures.overview.kernel_log.bursts import togetherness
from signatures.overview.kernel_log.common_words import common_words
from signatures.overview.kernel_log.counts import memory_errors
from signatures.overview.kernel_log.deciding_fields import count_words, is_event_of_lines, named
from signatures.overview.kernel_log.task_words import joined, place_words, work_functions, work_words
from signatures.overview.memory import oom
from signatures.overview.model import shortened_words
from signatures.rendering.words import capital

if TYPE_CHECKING:
    from ingest.catalogue.log_classes.model import LogClass
    from ingest.model.reading import LogRecord
    from signatures.overview.kernel_log.chain import Alarm, Chain
    from signatures.overview.model import QuestionName

QUOTED = 120
"""Characters of a message in a sentence."""

QUESTIONS: dict[str, QuestionName] = {
    "storage": "io",
    "filesystem": "io",
    "network": "network",
    "memory": "memory",
    "scheduling": "scheduling",
    "cgroup": "cgroup-limits",
}
"""The question that alarms of an area are about, beside that of the kernel log."""

BY_SUBSYSTEM: dict[str, QuestionName] = {"locking": "locks", "edac": "memory"}
BY_WARNING = "panic_on_warn"
NOT_IN_THE_LOG = ", whose text is not in the log"
CHECKERS = frozenset({"kasan", "kcsan", "kfence", "kmsan", "ubsan"})
"""Classes whose reports say in a few words what is wrong."""

LOCKDEP = "lockdep_deadlock"

OF_SEVERAL = "the first of"
_FULL_STOP = re.compile(r"(?<!\.)\.\s*$")
_OFFSET = re.compile(r"\+0x[0-9a-f]+/0x[0-9a-f]+")
DEVICE_AREAS = frozenset({"storage", "filesystem", "network"})


def questions_of(chain: Chain) -> tuple[QuestionName, ...]:
    """Return the questions that the alarms of a chain are about."""
    alarms = [alarm for alarm in chain.alarms if alarm.log_class.is_alarming]
    return tuple(dict.fromkeys(name for alarm in alarms if (name := _question(alarm))))


def _question(alarm: Alarm) -> QuestionName | None:
    log_class = alarm.log_class
    if log_class.subsystem == "oom" and alarm.first.record.fields.get("scope") == "memcg":
        return "cgroup-limits"
    return BY_SUBSYSTEM.get(log_class.subsystem) or QUESTIONS.get(log_class.area)


def quoted(message: str) -> str:
    """Return a message without its full stop, cut between words when it is long."""
    return shortened_words(_FULL_STOP.sub("", message), QUOTED)


def message_of(record: LogRecord) -> str:
    """Return the message to quote: of an OOM report the counter that was at its limit."""
    return str(record.fields.get("reached") or record.message)


def quote_of(alarm: Alarm) -> str:
    """Return the message behind a colon, of several what they share; if they differ in words the first.

    "" where the sentence has said it: the limit of a cgroup.
    """
    record = alarm.first.record
    if record.kind == oom.CLASS and oom.states_limit(record.fields):
        return ""
    records = [one.record for one in alarm.places]
    messages = [message_of(one) for one in records]
    if _interfaces(alarm):
        messages = [devices.without_device(text, one) for text, one in zip(messages, records, strict=True)]
    shared = common_words(messages)
    first = ": " if shared or OF_SEVERAL in cause_of(alarm) else "; the first: "
    return f"{first}{quoted(shared or message_of(record))}"


def meaning_of(alarm: Alarm) -> str:
    """Return the meaning of the class with what the report says, and the taint of the kernel."""
    taints = meanings(str(alarm.first.record.fields.get("taint", "")))
    details = _details(alarm.log_class, alarm.first.record)
    meaning = alarm.log_class.meaning.partition(";")[0] if details else alarm.log_class.meaning
    parts = [
        _killed(alarm.first.record) or meaning,
        *details,
        *([f"tainted: {', '.join(taints)}"] if taints else []),
    ]
    return "; ".join(parts)


def cause_of(alarm: Alarm) -> str:
    """Return what the records of an alarm say and how often, or what they count together.

    Of records that do not say the same it is the sentence of the first, with how many there are. Devices,
    CPUs and tasks are those of all of them.
    """
    if counted := memory_errors(alarm):
        return counted
    records = [one.record for one in alarm.places]
    first = sentence_of(alarm.log_class, records[0])
    if len(records) == 1 or (alarm.count == 1 and not is_event_of_lines(alarm.log_class)):
        is_repeated = alarm.log_class.area == "network" and len(set(map(message_of, records))) < len(records)
        times = f" (one report, printed {len(records)} times)" if is_repeated else ""
        return f"{first}{named(alarm.log_class, records, first)}{times}"
    sentences = [sentence_of(alarm.log_class, one) for one in records]
    if interfaces := _interfaces(alarm):
        of_all = devices.words_of_devices(interfaces)
        sentences = [
            text.replace(f" on {devices.device_of(one)}", f" on {of_all}")
            for text, one in zip(sentences, records, strict=True)
        ]
    shared = common_words(sentences)
    printed = len(records) if is_event_of_lines(alarm.log_class) else alarm.count
    together = f", {words}" if (words := togetherness(alarm)) else ""
    times = f"{'at least ' if alarm.is_least else ''}{count_words(alarm.count, printed, records)}{together}"
    names = named(alarm.log_class, records, shared or first)
    if shared or alarm.count == 1:
        return f"{shared or first}{names} ({times})"
    return f"{first}{names} ({OF_SEVERAL} {times.replace(' times', '', 1)})"


def things_of(alarm: Alarm) -> tuple[str, ...]:
    """Return the devices and servers that `cause_of` names: those of all its records, else of the first."""
    if named := _interfaces(alarm):
        return tuple(named[: devices.SHOWN])
    stated = [_things(alarm.log_class, one.record) for one in alarm.places]
    of_all = tuple(name for name in stated[0] if all(name in names for names in stated))
    if of_all == stated[0]:
        return of_all
    sentences = [sentence_of(alarm.log_class, one.record) for one in alarm.places]
    return stated[0] if common_words(sentences) is None else of_all


def _things(log_class: LogClass, record: LogRecord) -> tuple[str, ...]:
    """Return the device and the server that the sentence about a record names."""
    device = devices.device_of(record) if log_class.area in DEVICE_AREAS else ""
    return tuple(filter(None, (device, str(record.fields.get("server") or ""))))


def _interfaces(alarm: Alarm) -> list[str]:
    """Return the interfaces of an alarm on several of them; none of one, or of other things."""
    named = devices.devices_of(alarm) if alarm.log_class.area == devices.AREA else []
    return named if len(named) > 1 else []


def sentence_of(log_class: LogClass, record: LogRecord) -> str:
    """Return the first phrase of the meaning with the device and what the report says, as a sentence."""
    if BY_WARNING in record.message and log_class.name == "panic":
        meaning = f"kernel panic on a warning (panic_on_warn){NOT_IN_THE_LOG}"
    else:
        meaning = (
            _killed(record)
            or _detected(log_class, record)
            or refused(log_class, record)
            or f"{_of_server(log_class, record)}{_on_device(log_class, record)}"
        )
    return _sentence_case("; ".join((meaning, *_details(log_class, record))))


def _on_device(log_class: LogClass, record: LogRecord) -> str:
    """Return ` on sdk`; "" where no device is named, or the area has none."""
    device = devices.device_of(record)
    return f" on {device}" if device and log_class.area in DEVICE_AREAS else ""


def _of_server(log_class: LogClass, record: LogRecord) -> str:
    """Return the first phrase of the meaning, with the name of the server that it is about."""
    phrase = log_class.meaning.partition(";")[0]
    server = record.fields.get("server")
    return phrase.replace("server", f"server {server}", 1) if server else phrase


def _detected(log_class: LogClass, record: LogRecord) -> str:
    """Return what a checker of the kernel found, in its words: `KASAN: use-after-free`; "" for others."""
    fields = record.fields
    if (what := fields.get("what")) and log_class.name in CHECKERS:
        return f"{log_class.name.upper()}: {what}"
    if what and log_class.name == LOCKDEP:
        return f"lockdep: {what}{' dependency' if str(what).endswith('locking') else ''}"
    return f"slab cache {fields['cache']}: {what}" if what and fields.get("cache") else ""


def _killed(record: LogRecord) -> str:
    """Return whom the OOM killer killed and why; "" for other classes, and where the report does not say."""
    return oom.words(record.fields) if record.kind == oom.CLASS else ""


def _sentence_case(cause: str) -> str:
    """Return a cause with a capital letter; names such as `md:` and `nf_conntrack` stay as they are."""
    first = cause.partition(" ")[0]
    is_name = first.endswith(":") or not first.isalpha() or first != first.lower()
    return cause if is_name else capital(cause)


def _wanted(what: str) -> str:
    """Return ` for a mutex`, ` for IO`, "" where nothing is named."""
    return "" if not what else " for IO" if what == "io" else f" for a {what}"


def _details(log_class: LogClass, record: LogRecord) -> list[str]:
    """Return where a task waits, who holds the lock, the reason, and whose modules are in the trace."""
    fields = record.fields
    parts = []
    stack = str(fields.get("stack", ""))
    if fields.get("held") and fields.get("place"):
        taken = f"takes {fields['lock']} in {fields['place']}"
        parts.append(f"{taken} while it holds {fields['held']}, taken in {fields['held_in']}")
    elif log_class.name == LOCKDEP and fields.get("lock"):
        parts.append(f"takes {fields['lock']} in {fields['place']}")
    elif place_name := fields.get("place"):
        where = stack if stack.startswith(str(place_name)) else joined(str(place_name), stack)
        parts.append(f"waits in {where}{_wanted(str(fields.get('waits_for') or ''))}")
    elif stack:
        parts.append(place_words(stack))
    elif where := str(fields.get("function") or fields.get("where") or ""):
        parts.append(f"in {_OFFSET.sub('', where)}")
    if sense := fields.get("sense"):
        parts.append(f"sense key {sense}")
    if (work := str(fields.get("work") or "")) and work.partition(" ")[0] not in stack:
        parts.append(work_words(work))
    if running := work_functions(str(fields.get("in_flight") or "")):
        parts.append(f"its workers run {running}")
    if blocker := fields.get("blocker"):
        parts.append(f"{fields.get('lock', 'the lock')} is held by {blocker}")
    reason = str(fields.get("reason") or "")
    if reason and reason.lower() not in log_class.meaning.lower() and BY_WARNING not in reason:
        parts.append(reason)
    if module := fields.get("failed_module"):
        parts.append(f"of module {module}; out-of-tree or proprietary modules are loaded")
    if modules := fields.get("out_of_tree"):
        parts.append(f"out-of-tree modules in the trace: {modules}")
    return parts
