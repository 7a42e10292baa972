"""One spelling for one function: offsets, compiler suffixes and syscall wrappers are taken away.

Examples:
    shrink_lruvec+0x13a            -> shrink_lruvec
    set_tlb_ubc_flush_pending.isra.0 -> set_tlb_ubc_flush_pending
    tcp_sendmsg_[k]                -> tcp_sendmsg
    __x64_sys_read                 -> sys_read

Sources: GCC's clone suffixes (gcc/cgraphclones.cc: `.constprop`, `.isra`, `.part`, `.cold`) and LLVM's
`.llvm.<hash>`; `__x64_sys_`, `__ia32_sys_`, `__se_sys_` and `__do_sys_` in
arch/x86/include/asm/syscall_wrapper.h, likewise arch/arm64/include/asm/syscall_wrapper.h.
"""

from __future__ import annotations

import re
from functools import lru_cache

_OFFSET = re.compile(r"\+0x[0-9a-f]+(?:/0x[0-9a-f]+)?$")
_ANNOTATION = re.compile(r"_\[[kjiw]\]$| \[k\]$")
_SUFFIX = re.compile(r"\.(?:isra|part|constprop|cold|lto_priv|llvm|localalias)(?:\.\d++)*+|@plt|@@[\w.]++")
_SYSCALL = re.compile(
    r"^(?:__(?:x64|ia32|x32|arm64|s390x|riscv|powerpc|loongarch|se|do)_(?:compat_)?sys_|SyS_)(\w+)$"
)


@lru_cache(maxsize=262_144)
def normalise(name: str) -> str:
    """Return the name under which a function is compared; `[unknown]` stays as it is."""
    bare = name.strip()
    if not bare or bare.startswith("["):
        return bare
    bare = _OFFSET.sub("", _ANNOTATION.sub("", bare))
    bare = _without_suffixes(bare) or bare
    syscall = _SYSCALL.match(bare)
    return f"sys_{syscall[1]}" if syscall else bare


def _without_suffixes(name: str) -> str:
    """Return `name` without the compiler's suffixes at its end, however many there are."""
    first = last = -1
    for found in _SUFFIX.finditer(name):
        if found.start() != last:
            first = found.start()
        last = found.end()
    return name[:first] if last == len(name) else name
