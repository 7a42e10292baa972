r"""Lines between outputs in a paste: banners of captured files, times, and prompts with commands.

Examples:
    ==> /sys/fs/cgroup/memory/memory.failcnt <==
    1764000010.328942100
    $ cat /proc/meminfo
    sre@kube-node-bad ~ $ time cat /sys/fs/cgroup/memory/memory.stat >/dev/null
    [root@db-02 ~]# perf stat -p 864720 -- sleep 10
    # nsenter -a -t $PODPID pidstat 1
    # bpftrace -e '
    tracepoint:vmscan:mm_vmscan_memcg_reclaim_end { @ = count(); }'

`# ` alone also begins comments: of perf's header, of scripts. It is a prompt only before a known command
with something that looks like an argument.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

BANNER = re.compile(r"^==> (?P<path>\S(?:.*\S)?) <==\s*$")
STAMPS = (
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ",
    r"[12]\d{3}-",
    r"[12]\d{9}(?:\.\d{1,9})?\s*$",
    r"\d\d:\d\d:\d\d",
)
"""How the times begin, loosely, that `date` prints above the files that are read after it."""

MAX_COMMAND_LINES = 400
"""bpftrace scripts typed at a prompt are long; a quote that never closes opens no command."""

_WHO = Pattern(
    r"^(?:\[[\w.-]+@[\w.-]+ [^\]]{1,120}\]|[\w.-]+@[\w.-]+(?::| )[^$#%>]{0,120}?|(?:ba)?sh-\d\.\d+"
    r"|/(?:sys|proc)/[^\s$#%>]{1,300})\s?[$#%]"
    r"(?:\s+(?P<command>\S.*?))?\s*$"
)
_DOLLAR = Pattern(r"^\$ (?P<command>[\w./~({\[-].*?)\s*$")
_INDENTED = Pattern(r"^ {1,8}\$ (?P<command>(?:sudo |time )?(?P<word>[\w./-]+)(?: (?P<rest>.*?))?)\s*$")
"""A prompt in a block that somebody indented, before a known command."""

_HASH = Pattern(r"^# (?P<command>(?:sudo |time )?(?P<word>[\w./-]+)(?: (?P<rest>.*?))?)\s*$")
_TIGHT = Pattern(r"^#(?P<command>(?:sudo )?(?:cat|grep|head|tail) \S*/(?:proc|sys)/\S.*?)\s*$")
"""A prompt whose blank somebody left out, before a command that no comment is."""

_TYPED = re.compile(
    r"^(?P<command>(?:iostat|mpstat|netstat|numastat|nvidia-smi|perf|pidstat|sar|slabtop|smartctl|ss|vmstat)"
    r"(?: (?:-{1,2}[\w=,:-]+|\d{1,6}|/\S+|top|report|ALL|[A-Z,]{3,60})){1,8})\s*$"
)
"""A command whose prompt somebody left out, above its output: tools that begin no sentence, with options."""

_DEBUGGER = Pattern(r"^(?:\(gdb\)|crash>) (?:shell |!\s?)(?P<command>\S.*?)\s*$")
"""A command of the shell at the prompt of a debugger."""

_ARGUMENT = re.compile(r"(?:^|\s)(?:-{1,2}\w|/|\d|\$|\.{1,2}/|\*|[\w.-]+\.[a-z]|[|<>'\"])")
_COLON = re.compile(r"\s:\s")

_INSIDE = re.compile(r"\b(?:nsenter|kubectl\s+exec|(?:docker|podman|crictl|nerdctl)\s+exec)\b")

_WORDS = (
    "atop atopsar awk bash bpftrace cat conntrack crash crictl criticalstat date df dmesg docker echo "
    "egrep ethtool find free funclatency gdb getconf grep head hostname hping3 iostat ip journalctl "
    "kubectl less ls lsblk lscpu lsof mdadm mount mpstat multipath netstat nproc nsenter nstat numactl "
    "numastat nvme offcputime perf pidstat ping pmap profile ps pstree sar sh slabtop smartctl ss "
    "stackcount strace sudo sysctl systemctl systemd-cgls tail tc tcpdump time timeout top trace-cmd "
    "uname uptime vmstat watch xargs zcat"
)
_ALONE = "date dmesg free hostname lsblk lscpu nproc pidstat ps slabtop systemd-cgls top uptime vmstat"
_BCC = (
    "biolatency biosnoop biotop cachestat deadlock execsnoop ext4slower fileslower hardirqs klockstat "
    "llcstat memleak offcputime oomkill opensnoop profile runqlat runqlen runqslower slabratetop softirqs "
    "syscount tcpconnect tcplife tcpretrans tcptop vfsstat wakeuptime"
)
"""Tools of bcc, which are typed without arguments as well."""

_PERF = "annotate bench c2c diff ftrace kmem kvm lock mem record report sched script stat top trace"

COMMANDS = frozenset((*_WORDS.split(), *_BCC.split()))
ALONE = frozenset((*_ALONE.split(), *_BCC.split()))
PERF = frozenset(_PERF.split())


_FOLDER = re.compile(r"^[^\s$#%]{0,80}?:?(?P<folder>/(?:sys|proc)/[^\s$#%>]{1,300}?)/?\s?[$#%]")
"""The folder of kernel files in which a prompt stands."""


class Prompt(NamedTuple):
    """A prompt found: its command ("" when none was typed), how many lines it takes, and its folder."""

    command: str
    lines: int
    folder: str = ""

    def whole(self, path: str) -> str:
        """Return the path of a file that the command prints, from the folder of the prompt on."""
        return (
            f"{self.folder}/{path.removeprefix('./')}" if self.folder and path[:1] not in {"", "/"} else path
        )


OPENERS = (
    BANNER.pattern,
    *STAMPS,
    r" {0,8}\$ ",
    r"# ",
    _TIGHT.pattern,
    _WHO.pattern,
    _DEBUGGER.pattern,
    _TYPED.pattern,
)
"""How banners, times and prompts begin, loosely."""


def prompt_at(lines: Sequence[str], at: int) -> Prompt | None:
    """Return the prompt at `lines[at]`, None when that line is none."""
    line = lines[at]
    found = _DOLLAR.match(line) or _WHO.match(line) or _TIGHT.match(line) or _DEBUGGER.match(line)
    found = found or (_TYPED.match(line) if not at or not lines[at - 1].strip() else None)
    if not found and line.startswith(("# ", " ")):
        found = _HASH.match(line) or _INDENTED.match(line)
        if found and not _is_command(found["word"], found["rest"] or ""):
            return None
    if not found:
        return None
    command = found["command"] or ""
    taken = 1
    while _is_open(command) and taken < MAX_COMMAND_LINES and at + taken < len(lines):
        command += "\n" + lines[at + taken]
        taken += 1
    folder = _FOLDER.match(line)
    prompt = Prompt(command, taken, folder["folder"] if folder else "")
    if taken > 1 and _is_open(command):
        return prompt._replace(command=found["command"] or "", lines=1)
    return prompt


def _is_command(word: str, rest: str) -> bool:
    """Return whether what follows `# ` was typed at a prompt and is not a comment."""
    if word.startswith(("/", "./")):
        return not _COLON.search(rest)
    if word not in COMMANDS or _COLON.search(rest):
        return False
    if word == "perf":
        return rest.split(" ", 1)[0] in PERF
    return (not rest and word in ALONE) or bool(_ARGUMENT.search(rest))


def _is_open(command: str) -> bool:
    """Return whether the shell would wait for more: an open quote or a backslash at the end."""
    return command.endswith("\\") or command.count("'") % 2 == 1


_PREFIXED = re.compile(
    r"^(?P<path>(?:\.{0,2}/)?(?:[\w.@,=+\\-]+/)*(?:(?:memory|cpu|cgroup|io)\.[a-z_.0-9]+"
    r"|(?<=/)(?:enabled|online|meminfo|vmstat|status|cgroups|version)))(?::\d+)?:(?P<value>.*)$"
)


PREFIXED = (
    r"\S*(?:memory|cpu|cgroup|io)\.[a-z_.0-9]+(?::\d+)?:",
    r"\S*/(?:enabled|online|meminfo|vmstat|status|cgroups|version)(?::\d+)?:",
)
"""How lines of `grep -H` begin, loosely: `prefixed` decides."""


def prefixed(line: str) -> tuple[str, str] | None:
    """Return path and value of a line of `grep -H` over captured files, None for any other line."""
    found = _PREFIXED.match(line)
    return (found["path"], found["value"]) if found else None


def is_filter(command: str) -> bool:
    """Return whether the command drops lines by content."""
    return bool(re.search(r"\|\s*(?:sudo )?(?:[ef]?grep|awk|sed|rg)\b", command))


def is_excerpt(command: str) -> bool:
    """Return whether the command drops lines by position."""
    return bool(re.search(r"\|\s*(?:head|tail)\b", command))


def is_inside(command: str) -> bool:
    """Return whether the command ran inside a container, where processes have numbers of their own."""
    return bool(_INSIDE.search(command))
