"""Failures that tools without a reader state in a line: a unit that did not start, a limit that is met.

    Killed /user.slice/… due to memory pressure   systemd-oomd  ->  pressure_killed
    Dependency failed for /data.          systemd    ->  unit_not_started
    app.service: Failed with result 'oom-kill'.   systemd    ->  unit_oom_killed
    bash: fork: retry: Resource temporarily unavailable         ->  process_limit

What states the state of an object is read by `ingest.engines.status`.
Source: the manuals and sources of systemd, OpenZFS, btrfs-progs, smartmontools,
edac-utils, ipmitool, ethtool and the audit daemon.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ingest.native.line_starts import LineStarts
from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

MAX_LINE = 400
MOST = 100
"""Lines of one kind that are kept."""

OUTCOMES = {
    "unit_oom_killed": r"[Ff]ailed with result 'oom-kill'",
    "pressure_killed": r"[Kk]illed /?\S+(?:\.(?:service|scope|slice))\S* due to memory (?:pressure|used)",
    "guest_failed": r"\bKVM: entry failed, hardware error|\bKVM internal error\. Suberror: \d",
    "root_missing": r"dracut-initqueue timeout|\bGave up waiting for root|ALERT!\s+\S+ does not exist",
    "connections_unclosed": r"^\s*\d{4,9}\s+CLOSE[-_]WAIT\s*$",
    "ports_in_use": r"^\s*(?:[2-9]\d{4}|\d{6,9})\s+TIME[-_]WAIT\s*$",
    "node_fenced": r"\bwatchdog-mux(?:\[\d+\])?: client watchdog expired",
    "hypervisor_conflict": r"\bVERR_(?:SVM_IN_USE|VMX_IN_VMX_ROOT_MODE)\b"
    r"|VirtualBox can't (?:operate in VMX root mode|enable the AMD-V extension)",
    "unit_killed": r"code=killed, (?:signal=KILL|status=9/KILL)",
    "unit_not_started": r": Job \S+/start timed out|\b(?:Dependency failed for|Failed to (?:start|mount)) \S",
    "unit_failed": r": Failed with result '",
    "container_at_limit": r"\s(?:9[5-9]|100)\.\d\d%\s+[\d.]+\s?[kMG]?i?B / [\d.]+\s?[kMG]?i?B\s",
    "pool_rebuilt": r"^\s*scan: resilver in progress\b",
    "disk_unreadable": r"\bError: (?:UNC|IDNF)\b.* at LBA = 0x",
    "disk_link_errors": r"\bError: (?:ICRC|ABRT, ICRC|ICRC, ABRT)\b.* at LBA = 0x",
    "filesystem_device_errors": r"\.(?:write_io|read_io|flush_io|corruption|generation)_errs\s+[1-9]",
    "disk_failed": r"self-assessment test result: FAILED|SMART Health Status: .*FAIL|\bFAILING_NOW\b",
    "disk_test_failed": r"^\s*#\s?\d{1,2}\s+(?:Short|Extended|Conveyance|Selective|Background).{1,40}\b"
    r"(?:Completed: (?:read|servo/seek|electrical|unknown|handling) failure|Failed in segment)",
    "check_failed": r"^(?:\S{1,80} )?(?:WARNING|CRITICAL)(?: -|:) .{1,200}\|\s?'?[\w %./:-]{1,80}'?=-?\d",
    "disk_sectors": r"\b(?:Current_Pending_Sector|Offline_Uncorrectable|Reported_Uncorrect)\b.*\s[1-9]\d*$",
    "memory_errors": r"\b[1-9]\d* (?:Uncorrected|Corrected) Errors\b|Uncorrectable ECC.*Asserted"
    r"|^\S*(?:CPU_SrcID|MC|mc)#\d\S*\s+(?:[1-9]\d*\s+\d+|0\s+[1-9]\d*)\s*$",
    "link_down": r"^\s*Link detected: no\b",
    "link_half_duplex": r"^\s*Duplex: Half\b",
    "process_limit": r"\bfork: (?:retry: )?Resource temporarily unavailable|\bpthread_create failed\b"
    r"|unable to create (?:new )?native thread|can't start new thread|\bfork failed: Resource temporarily"
    r"|\bCannot fork\b",
    "open_file_limit": r"^\S[^:]{0,80}: .*\bToo many open files(?: in system)?$",
    "no_space": r"^\S[^:]{0,80}: .*\bNo space left on device$",
    "read_only": r"^\S[^:]{0,80}: .*\bRead-only file system$",
    "io_error": r"^\S[^:]{0,80}: .*: Input/output error$",
    "stale_handle": r"^\S[^:]{0,80}: .*: Stale (?:NFS )?file handle$",
    "device_mapper_failed": r"^\S{1,128}: \d+ \d+ (?:(?:thin )?Fail\b"
    r"|snapshot (?:Invalid|Overflow|Merge failed)|thin-pool .*\b(?:out_of_data_space|needs_check|Fail)\b"
    r"|raid \S+ \d+ [AaD-]*D[AaD-]* )",
    "pci_uncorrected": r"\bUESta:.*\b(?:DLP|SDES|TLP|FCP|CmpltTO|CmpltAbrt|RxOF|MalfTLP|ECRC)\+",
    "pci_link_reduced": r"\bLnkSta:\s.*\(downgraded\)",
    "clock_slow": r"\bcurrent_clocksource:(?:hpet|acpi_pm|jiffies)\s*$",
    "heap_full": r"\boverhead, spent \[[\d.]+m?s\] collecting in the last \[|\bjava\.lang\.OutOfMemoryError: "
    r"(?:Java heap space|GC overhead limit exceeded)",
    "access_denied": r"\bavc:\s+denied\b|apparmor=\"DENIED\"",
}


WHO = {
    "access_denied": (
        r"\bdenied\s+\{ (?P<access>[a-z_ ]{1,60}) \}",
        r'\bcomm="(?P<comm>[^"]{1,64})"',
        r'\b(?:path|name)="(?P<target>[^"]{1,200})"',
        r"\bscontext=[^:\s]+:[^:\s]+:(?P<domain>\w{1,64})",
        r'\bprofile="(?P<domain>[^"]{1,100})"',
        r'\boperation="(?P<access>\w{1,40})"',
    )
}
"""What a line says of whom an outcome is, each part of the line by a pattern with one group."""


@cache
def _lines() -> LineStarts:
    words = "|".join(one.replace("^", "") for one in OUTCOMES.values())
    return LineStarts([(0, (f".*(?:{words})",), (), 0)])


@cache
def _patterns() -> dict[str, Pattern]:
    return {name: Pattern(pattern) for name, pattern in OUTCOMES.items()}


@cache
def _who_patterns(name: str) -> tuple[Pattern, ...]:
    return tuple(Pattern(pattern) for pattern in WHO.get(name, ()))


def _who(name: str, line: str) -> dict[str, str]:
    """Return whom and what an outcome is about, where the line says so."""
    matches = (pattern.search(line) for pattern in _who_patterns(name))
    return {key: value for found in matches if found for key, value in found.groupdict().items() if value}


def read(text: Text) -> Reading:
    """Return the outcomes that lines state, the most telling of each line."""
    reader = FactReader(text)
    seen = dict.fromkeys(OUTCOMES, 0)
    for at in _lines().scan(list(text.lines))[0]:
        line = text.lines[at]
        if len(line) > MAX_LINE:
            continue
        name = next((name for name, pattern in _patterns().items() if pattern.search(line)), "")
        if name and seen[name] < MOST:
            seen[name] += 1
            labels = {"what": name, **_who(name, line)}
            reader.add("tool.outcome", " ".join(line.split()), text.first_line + at, "", labels)
    return reader.result()
