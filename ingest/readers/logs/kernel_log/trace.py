"""Call traces inside kernel reports: frames, who ran, and where a trace ends.

Examples:
    Call Trace:
     <TASK>
     dump_stack_lvl+0x57/0x80
     ? srso_alias_return_thunk+0x5/0xfbef5
     [<ffffffff8126321e>] fanotify_handle_event+0x18e/0x2d0
     mlx5e_napi_poll+0x1a/0x2b [mlx5_core 0123456789abcdef0123456789abcdef01234567]
     unwind_backtrace from show_stack+0x10/0x14
    [c000000022cbb9e0] [c0000000004701d4] memunmap_pages+0x1b4/0x4b0
    RIP: 0010:smp_call_function_many_cond+0x144/0x2d0

A frame behind `?` is a leftover on the stack, not a caller: left out and counted. The function at RIP is the
innermost frame when it precedes or inside the trace; a user-mode RIP (0033) is none. Kernels
of Xen guests run at e030; `c` is left of a continued line (KERN_CONT).

Source: show_trace_log_lvl in arch/x86/kernel/dumpstack.c; dump_backtrace_entry in arch/arm/kernel/traps.c.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ingest.native.linear import Pattern
from ingest.readers.logs.kernel_log.classes import classify

_SYMBOL = r"[A-Za-z_.$][\w.$]*"
_MODULE = r"(?:\s+\[(?P<module>[\w-]+)(?:\((?P<flags>[A-Z+-]*)\))?(?: [0-9a-f]{16,})?\])?"
_ADDRESS = r"(?:\[<(?:0x)?[0-9a-f]+>\]\s*)"
_FRAME = re.compile(
    rf"^\s*{_ADDRESS}?\(?(?P<doubt>\? )?(?P<name>{_SYMBOL})\+0x[0-9a-f]+(?:/0x[0-9a-f]+)?\)?{_MODULE}"
    r"(?:\s+\([A-Z]\))?(?:\s+\S+:\d+.*)?\s*$"
)
_PLAIN = re.compile(
    rf"^\s+(?P<doubt>\? )?(?P<name>{_SYMBOL})\+0x[0-9a-f]+/0x[0-9a-f]+(?: \[(?P<module>[\w-]+)\])?$"
)
_ARM = re.compile(
    rf"^\s*{_ADDRESS}?\(?(?P<name>{_SYMBOL})\)?(?:\s+\[\w+\])? from {_ADDRESS}?\(?(?P<caller>{_SYMBOL})\+0x"
)
_INLINED = re.compile(rf"^\s+{_ADDRESS}?(?P<name>{_SYMBOL})\s+\S+:\d+ \[inline\]\s*$")
_PART = re.compile(rf"^(?:[\w./-]+\.[chS]:\d+(?: \[inline\])?|\s*{_ADDRESS}{_SYMBOL})$")
"""A part of a frame whose place in the source a mailer put on a line of its own."""

_DECODED = Pattern(
    rf"^\s*(?P<doubt>\? )?(?P<name>{_SYMBOL}) "
    r"\((?:\S+:\d+|discriminator \d+|[)( ])+\)(?:\s+(?P<module>[\w-]+))?\s*$"
)
_RIP = re.compile(
    r"^\s*(?:(?:(?:RIP|EIP|IP|e?pc)\s*:|PC is at) (?:(?:00(?:10|60)|e030):)?"
    rf"(?:{_ADDRESS}|[0-9a-f]{{8,16}} )?(?:c )?{_ADDRESS}?"
    r"|NIP \[[0-9a-f]{8,16}\] |Krnl PSW : [0-9a-f]{16} [0-9a-f]{16} \()"
    rf"(?P<name>{_SYMBOL})\+0x"
)
_OF_MODULE = re.compile(r" \[(?P<module>[\w-]{2,63})\]\s*$")
_POWER = re.compile(r"^\[[0-9a-f]{8,16}\] \[[0-9a-f]{8,16}\] (?P<frame>\S+\+0x\S+)(?P<rest>.*)$")
"""A frame of PowerPC: stack pointer, address, function; `(unreliable)` is one that may not have called."""

_NAMELESS = re.compile(r"^\[[0-9a-f]{8,16}\] \[[0-9a-f]{8,16}\] 0x[0-9a-f]{8,16}(?: \(unreliable\))?\s*$")
"""A frame of PowerPC whose address is of no function."""

_MARK = re.compile(r"^\s*</?(?:TASK|IRQ|NMI|SOFTIRQ|#DF|#DB|EOI|EOE|ENTRY_TRAMPOLINE)>\s*(?P<rest>.*)$")
_REGISTERS = re.compile(r"^\s*(?:RIP|RSP|R[A-Z0-9]{2}|Code|CR2|ORIG_RAX|[C-G]S|EFLAGS)\b")
_ARM_REGISTERS = re.compile(r"^\s+r\d+:[0-9a-f]{8}(?: r\d+:[0-9a-f]{8})*\s*$")
START = re.compile(r"^\s*(?:[Cc]all [Tt]race|Backtrace|backtrace(?: \(crc [0-9a-f]+\))?):(?:\s*\(.*\))?\s*$")
WHO = re.compile(r"\bPID: (?P<pid>\d{1,10}) Comm: (?P<comm>.+?) (?:Not tainted|Tainted|Kdump)")
TASK = Pattern(r"^task:(?P<comm>.+?)\s+state:\S+\s+stack:\s*\d+\s+pid:\s*(?P<pid>\d{1,10})")
RELEASE = Pattern(r"(?:Not tainted|Tainted: (?P<taint>[A-Z ]+?))\s+(?:\(?)(?P<release>\d+\.\d+\S*)")
MODULES = re.compile(r"^\s*Modules linked in: (?P<modules>.*)$")
_LINKED = Pattern(r"(?P<name>[\w-]+)\((?P<flags>[A-Z+-]+)\)")
BODY = Pattern(
    r"""(?x) ^(?:
        \s+\S | </?(?:TASK|IRQ|NMI|SOFTIRQ)> | Call\ [Tt]race: | Backtrace: | CPU:\ \d+ | Hardware\ name:
      | Modules\ linked\ in: | Workqueue: | Sending\ NMI | NMI\ backtrace | RIP: | RSP: | R[A-Z0-9]{2}:
      | [CDEFG]S: | [CD]R\d:
      | Code: | EFLAGS: | EIP: | PKRU: | Stack: | e?pc\ *: | (?:lr|ra)\ *: | sp\ : | x\d+\ *: | pstate:
      | \(t=\d
      | \(detected\ by | rcu:
      | Task\ dump | task: | Showing\ (?:busy|all|backtraces) | workqueue\ \S+: | pool\ \d+:
      | irq\ event\ stamp
      | (?:PC|LR|NIP)\ is\ at | Flags:\ | Control:\ | Register\ r\d+\ info | Process\ \S+\ \(pid
      | \[[0-9a-f]+\]\ \*p
      | (?:NIP|REGS|MSR|CFAR|DAR|XER|GPR\d\d|LR)\b:? | \w{1,4}\ ?:\ [<\[]?[0-9a-f]{8,16} | Krnl\ | Mem\ abort
      | (?:ESR|EC|SET|FSC|EA|ISV|CM|FnV|S1PTW|GCS)\ =\  | Data\ abort\ info
      | user\ pgtable | status:\ [0-9a-f]{16}
      | [0-9a-f]{4}:\ [0-9a-f]{8}\  | \S+/\d+\ \[HC\d | [-=]{20,}$
      | \d+\.\d+\.\d\S*\ \#\d+\ (?:Not\ t|T)ainted
      | unreferenced\ object | [0-9a-f]{8,16}\ \( | hex\ dump\ \( | backtrace | inconsistent\ \{
      | (?:hard|soft)irqs\ last | "echo\ 0\ > | Future\ hung\ task
      | INFO:\ task\ .*\ (?:is|<(?:reader|writer)>)\ blocked\ on
      | Tainted: | Not\ tainted
      | \S.{0,15}?\s+[RSDTtZXI]\ +[0-9a-f]+\s+\d+\s+\d+
      | \[[0-9a-f]{8,16}\]\ \[[0-9a-f]{8,16}\]\  | ---\ interrupt:
      | \[<[0-9a-f]+>\] | ={10,} | -{10,} | ---\[ | PGD\  | Oops: | \#PF: | Kernel\ Offset: | Mem-Info:
      | Node\ \d+\ [D-Za-z]
      | active_anon: | lowmem_reserve | Exception\ stack | \?\ [\w.]+\+0x | [\w.]+\+0x[0-9a-f]+/0x | IP:\s
      | [\w./-]+\.[chS]:\d+(?:\ \[inline\])?$
      | last\ function: | \S+\.[ch]:\d+\ (?:suspicious|Illegal|\w+\(\)\ usage)
      | \d+\ locks?\ held | \#\d+:\  | other\ info | stack\ backtrace:
      | The\ buggy\ address | Memory\ state\ around | (?:Read|Write|Invalid-?\w*)\ (?:of\ size|at\ addr)
      | (?:Allocated|Freed)\ (?:by|in) | (?:Last|Second\ to\ last)\ potentially | which\ (?:belongs|lock)\b
      | (?:head|raw|page|flags):[\sf] | page\ dumped\ because | >?[0-9a-f]{16}:\  | allocated\ by\ task
      | \S+/\d+\ is\ trying | but\ (?:task|this)\b | the\ existing\ dependency | and\ this\ task
      | (?:\#|->)\ ?\#?\d+ | Possible\ (?:unsafe|interrupt) | \*\*\*\ DEADLOCK | Chain\ exists | lock\(
      | <Interrupt>
      | in_atomic\(\): | preempt_count | INFO:\ lockdep | Faulting\ instruction | RCU\ used\ illegally
      | rcu_scheduler_active | \{.{1,40}\}\ (?:state|ops) | kworker/\S+:\s
    )"""
)
"""Lines that belong to an open report."""

NOTABLE = (r"\+0x", r"\[inline\]", " Comm: ", "ainted", _DECODED.pattern, BODY.pattern)
"""What makes a message of no class a part of a report, or the beginning of one without its first line."""


class TraceFrame(NamedTuple):
    """One frame of a trace; `is_doubtful` behind `?`, `flags` the taints of its module where printed."""

    name: str
    module: str
    line: int
    is_doubtful: bool = False
    flags: str = ""
    is_inlined: bool = False


def frames(text: str, line: int) -> tuple[TraceFrame, ...]:
    """Return the frames one line of a trace prints, innermost first; none when it is no frame line."""
    found = _frames(text)
    return tuple(frame._replace(line=line) for frame in found) if found else ()


@lru_cache(maxsize=65_536)
def _frames(text: str) -> tuple[TraceFrame, ...]:
    """Return the frames without their line; several parts of a report ask for those of one line."""
    line = 0
    if "+0x" not in text and "[inline]" not in text:
        if found := _DECODED.match(text) if ":" in text and "(" in text else None:
            return (TraceFrame(found["name"], found["module"] or "", line, bool(found["doubt"])),)
        return ()
    marked = _MARK.match(text)
    if marked:
        text = marked["rest"]
    elif power := _POWER.match(text):
        is_stale = "(unreliable)" in power["rest"]
        text = (
            f"{'? ' if is_stale else ''}{power['frame']}{power['rest'].replace('(unreliable)', '').rstrip()}"
        )
    if found := _FRAME.match(text):
        module, flags = found["module"] or "", found["flags"] or ""
        return (TraceFrame(found["name"], module, line, bool(found["doubt"]), flags),)
    if found := _ARM.match(text):
        return (TraceFrame(found["name"], "", line), TraceFrame(found["caller"], "", line))
    if found := _INLINED.match(text):
        return (TraceFrame(found["name"], "", line, is_inlined=True),)
    return ()


@lru_cache(maxsize=65_536)
def plain(text: str) -> TraceFrame | None:
    """Return the frame of a line that is one frame and nothing else, without its line; None for other lines.

    Most lines of a dump of all tasks are such frames, and few of them differ.
    """
    found = _PLAIN.match(text)
    if found is None or "ainted" in text or classify(text) is not None:
        return None
    return TraceFrame(found["name"], found["module"] or "", 0, bool(found["doubt"]))


def interrupted(text: str, line: int) -> TraceFrame | None:
    """Return the kernel function at RIP."""
    found = _RIP.match(text) if "+0x" in text else None
    if not found:
        return None
    module = _OF_MODULE.search(text)
    return TraceFrame(found["name"], module["module"] if module else "", line)


def who(text: str) -> re.Match[str] | None:
    """Return the match of the line that names who ran: `CPU: 3 PID: 12 Comm: x Tainted…`."""
    return WHO.search(text) if " Comm: " in text else None


def module_flags(text: str) -> dict[str, str]:
    """Return the taints of each module that has some in `Modules linked in: a b(O) c(POE)`."""
    found = MODULES.match(text) if "Modules linked in" in text else None
    return {one["name"]: one["flags"] for one in _LINKED.finditer(found["modules"])} if found else {}


def is_inside(text: str) -> bool:
    """Return whether a line without frames can occur inside a trace: markers and registers."""
    return bool(
        _MARK.match(text)
        or _PART.match(text)
        or _ARM_REGISTERS.match(text)
        or _REGISTERS.match(text)
        or _NAMELESS.match(text)
    )
